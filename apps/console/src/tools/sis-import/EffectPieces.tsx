/** What both tables of an effect are made of. */
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

/** A field for what is to be found; the server looks for it, which has all rows. */
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
  /** How many of how many are shown. */
  shown: string;
  label: string;
  disabled: boolean;
  onMore: () => void;
}

/** How much of a list is here, and the way to more of it. */
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

/** What changes: the column, what the LMS has, what it will have. */
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

/** Characters of a note that one line of its column holds where the window is narrow, and lines that a row has at most. */
const LINE = 44;
const MOST_LINES = 6;

/**
 * Pixels that the longest note of these rows wants: what goes with a row is read whole. 0: no more than other cells.
 * @param beside lines that stand above the note in the same cell
 */
export function noteHeight(rows: readonly Pick<SisEffectRow, 'takes' | 'why'>[], beside = 0): number {
  const longest = rows.reduce((most, row) => Math.max(most, noteOf(row).length), 0);
  const lines = Math.min(MOST_LINES, Math.ceil(longest / LINE) + beside);
  return lines > 2 ? lines * WRAPPED_LINE + 4 : 0;
}
