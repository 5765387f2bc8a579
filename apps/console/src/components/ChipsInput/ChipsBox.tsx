import type { EntryKindId } from '@lms-admin/domain/chips';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { ChipList, type ChipListProps, type EntryDetails } from './ChipList.tsx';
import { searchChips } from './chips-state.ts';
import { texts } from './texts.ts';

/** Minimum number of entries for which the list has a search field. */
const SEARCH_FROM = 13;

/** The entries of a field that match its search, in display order. */
export interface ShownChips {
  shown: readonly string[];
  /** Whether there are enough entries for a search. */
  searching: boolean;
  /** The search text. */
  wanted: string;
  setWanted: (wanted: string) => void;
}

export function useShownChips(chips: readonly string[], details: EntryDetails | undefined): ShownChips {
  const [wanted, setWanted] = useState('');
  const searching = chips.length >= SEARCH_FROM;
  const ordered = details && searching ? withFirst(chips, details.first) : chips;
  return { shown: searching ? searchChips(ordered, wanted) : ordered, searching, wanted, setWanted };
}

/** Returns the same entries, with some of them moved to the front. */
function withFirst(chips: readonly string[], first: ReadonlySet<string>): readonly string[] {
  if (first.size === 0) return chips;
  return [...chips.filter((chip) => first.has(chip)), ...chips.filter((chip) => !first.has(chip))];
}

interface ChipsBoxProps extends Pick<ChipListProps, 'details' | 'onRemove' | 'onLeave' | 'focusLast'> {
  kind: EntryKindId;
  /** Number of entries in the field. */
  count: number;
  list: ShownChips;
  onRemoveAll: () => void;
  /** The result of the last entry. */
  children: ReactNode;
}

/** The entries of a field in a box below it: their number, a search if there are many, and a button to remove all. */
export function ChipsBox(props: ChipsBoxProps) {
  const { kind, count, list, onRemoveAll, children, ...listProps } = props;
  const { details } = listProps;
  const { shown, searching, wanted, setWanted } = list;
  return (
    <Box
      sx={{
        borderTop: 1,
        borderColor: 'divider',
        p: 1.5,
        pt: 1,
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 1,
      }}
    >
      {children}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, minHeight: 40 }}>
        <Typography variant="h3" component="div" sx={{ flex: '1 1 auto' }}>
          {wanted !== '' && searching
            ? texts.shown(kind, shown.length, count)
            : (details?.summary ?? texts.list(kind, count))}
        </Typography>
        {searching && (
          <OutlinedInput
            size="small"
            type="search"
            placeholder={texts.search}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
            inputProps={{ 'aria-label': texts.search }}
            sx={{ width: { xs: '100%', sm: 220 } }}
          />
        )}
        <Button
          size="small"
          color="inherit"
          onClick={() => {
            setWanted('');
            onRemoveAll();
          }}
        >
          {texts.removeAll}
        </Button>
      </Box>
      {shown.length === 0 ? (
        <Typography color="textSecondary">{texts.noMatch(kind)}</Typography>
      ) : (
        <ChipList {...listProps} chips={shown} label={details?.list ?? texts.list(kind, count)} />
      )}
    </Box>
  );
}
