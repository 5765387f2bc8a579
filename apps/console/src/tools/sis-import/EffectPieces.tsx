/** Components of both tables of an effect. */
import type { SisEffectRow } from '@lms-admin/contract/sis-effects';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { WRAPPED_LINE } from '../../components/DataTable/styles.ts';
import { noteOf } from './effect-words.ts';
import { texts } from './texts.ts';

const { rows: words } = texts.review;

/** A search field; the server searches, since it has all rows. */
export function EffectSearch({ typed, onTyped }: { typed: string; onTyped: (text: string) => void }) {
  const field = useId();
  return (
    <FormControl variant="outlined" size="small" sx={{ width: 320, maxWidth: '100%' }}>
      <InputLabel htmlFor={field}>{words.search}</InputLabel>
      <OutlinedInput
        id={field}
        label={words.search}
        value={typed}
        autoComplete="off"
        onChange={(event) => onTyped(event.target.value)}
      />
    </FormControl>
  );
}

export interface MoreRowsProps {
  /** How many of the rows are shown. */
  shown: string;
  label: string;
  disabled: boolean;
  onMore: () => void;
}

/** How many rows of a list are shown, and a button for more. */
export function MoreRows({ shown, label, disabled, onMore }: MoreRowsProps) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
      <Typography role="status">{shown}</Typography>
      <Button variant="outlined" color="inherit" size="small" disabled={disabled} onClick={onMore}>
        {label}
      </Button>
    </Box>
  );
}

/** Changed fields: the column, the current value and the new one. */
export function EffectFields({ row: { fields } }: { row: SisEffectRow }) {
  if (fields.length === 0) return null;
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', overflowWrap: 'anywhere' }}>
      {fields.map(([field, before, after]) => (
        <li key={field}>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {field}:
          </Box>{' '}
          {before !== null && (
            <>
              <del aria-label={words.before(before)}>{before}</del>
              {' → '}
            </>
          )}
          {after === null ? <em>{words.empty}</em> : <ins style={{ textDecoration: 'none' }}>{after}</ins>}
        </li>
      ))}
    </Box>
  );
}

/** Characters of a note that fit on a line of its column in a narrow window, and the maximum lines of a row. */
const LINE = 44;
const MOST_LINES = 6;

/**
 * Returns the height in px for the longest note of these rows, so that it can be read in full; 0 if the usual height is
 * enough.
 * @param beside lines above the note in the same cell
 */
export function noteHeight(rows: readonly Pick<SisEffectRow, 'takes' | 'why'>[], beside = 0): number {
  const longest = rows.reduce((most, row) => Math.max(most, noteOf(row).length), 0);
  const lines = Math.min(MOST_LINES, Math.ceil(longest / LINE) + beside);
  return lines > 2 ? lines * WRAPPED_LINE + 4 : 0;
}
