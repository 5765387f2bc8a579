import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import {
  GROUP_NUMBERS,
  groupNames,
  groupNumber,
  MAX_GROUP_RANGES,
  MAX_PREFIX_LENGTH,
  rangeCounts,
} from '@lms-admin/domain/groups';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import InputLabel from '@mui/material/InputLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type Dispatch, useEffect, useRef } from 'react';
import { CloseIcon } from '../../components/Icons.tsx';
import type { GroupsAction, RangeRow } from './course-work.ts';
import { texts } from './texts.ts';

const words = groupEnrollmentMessages.groups;
const fieldId = (row: number, part: 'prefix' | 'start' | 'end') => `group-range-${row}-${part}`;

/** The rows that define groups: prefix, start and end (GRP-15, GRP-19, GRP-20). */
export function RangeRows({ rows, act }: { rows: readonly RangeRow[]; act: Dispatch<GroupsAction> }) {
  const focusLast = useFocusLast(rows);
  return (
    <Box sx={{ display: 'grid', gap: { xs: 3, sm: 2 }, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {rows.map((row, index) => (
        <Range
          key={row.id}
          row={row}
          number={index + 1}
          onChange={(change) => act({ type: 'range', id: row.id, change })}
          onRemove={
            rows.length === 1
              ? null
              : () => {
                  focusLast();
                  act({ type: 'remove', id: row.id });
                }
          }
        />
      ))}
      <Box>
        <Button
          variant="outlined"
          color="inherit"
          disabled={rows.length >= MAX_GROUP_RANGES}
          onClick={() => {
            focusLast();
            act({ type: 'add' });
          }}
        >
          {texts.groups.add}
        </Button>
      </Box>
    </Box>
  );
}

interface RangeProps {
  row: RangeRow;
  /** Number of the row, from 1. */
  number: number;
  onChange: (change: Extract<GroupsAction, { type: 'range' }>['change']) => void;
  /** Null for the only row. */
  onRemove: (() => void) | null;
}

function Range({ row, number, onChange, onRemove }: RangeProps) {
  return (
    <Box role="group" aria-label={texts.groups.row(number)}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
        <FormControl size="small" sx={{ flex: { xs: '1 1 100%', sm: '1 1 180px' }, maxWidth: { sm: 320 } }}>
          <InputLabel htmlFor={fieldId(row.id, 'prefix')}>{words.prefix}</InputLabel>
          <OutlinedInput
            id={fieldId(row.id, 'prefix')}
            label={words.prefix}
            value={row.prefix}
            autoComplete="off"
            inputProps={{ maxLength: MAX_PREFIX_LENGTH, spellCheck: false }}
            aria-describedby={`${fieldId(row.id, 'prefix')}-makes`}
            onChange={(event) => onChange({ prefix: event.target.value })}
          />
        </FormControl>
        <NumberSelect
          id={fieldId(row.id, 'start')}
          label={words.start}
          value={row.start}
          onChange={(start) => onChange({ start })}
        />
        <NumberSelect
          id={fieldId(row.id, 'end')}
          label={words.end}
          value={row.end}
          onChange={(end) => onChange({ end })}
        />
        {onRemove !== null && (
          <Button
            color="inherit"
            startIcon={<CloseIcon size={16} />}
            aria-label={texts.groups.removeOf(number)}
            onClick={onRemove}
          >
            {texts.groups.remove}
          </Button>
        )}
      </Box>
      <Typography
        id={`${fieldId(row.id, 'prefix')}-makes`}
        variant="body2"
        color="textSecondary"
        sx={{ mt: 0.5, overflowWrap: 'anywhere' }}
      >
        {rowSays(row)}
      </Typography>
    </Box>
  );
}

/** Describes the groups that a row creates, or explains why it creates none. */
function rowSays(row: RangeRow): string {
  if (row.start > row.end) return texts.groups.none;
  return rangeCounts(row) ? texts.groups.makes(groupNames([row])) : texts.groups.blank;
}

interface NumberSelectProps {
  id: string;
  label: string;
  value: number;
  onChange: (value: number) => void;
}

function NumberSelect({ id, label, value, onChange }: NumberSelectProps) {
  return (
    <FormControl size="small" sx={{ minWidth: 116 }}>
      <InputLabel htmlFor={id} shrink>
        {label}
      </InputLabel>
      <NativeSelect
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        input={<OutlinedInput label={label} notched />}
        inputProps={{ id }}
      >
        {GROUP_NUMBERS.map((number) => (
          <option key={number} value={number}>
            {groupNumber(number)}
          </option>
        ))}
      </NativeSelect>
    </FormControl>
  );
}

/** Moves focus to the last row once the rows have changed: the pressed button may have disappeared. */
function useFocusLast(rows: readonly RangeRow[]): () => void {
  const wanted = useRef(false);
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    document.getElementById(fieldId(rows.at(-1)?.id ?? 0, 'prefix'))?.focus();
  }, [rows]);
  return () => {
    wanted.current = true;
  };
}
