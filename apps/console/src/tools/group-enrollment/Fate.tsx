import type { GROUP_FATES, MemberFate } from '@lms-admin/contract/groups';
import Box from '@mui/material/Box';
import type { ComponentType } from 'react';
import { CheckIcon, type IconProps, OutIcon, StopIcon, WarningIcon } from '../../components/Icons.tsx';

type AnyFate = (typeof GROUP_FATES)[number] | MemberFate;

const GOES = { icon: CheckIcon, color: 'success.main' };
const LOOK = { icon: WarningIcon, color: 'warning.main' };
const APPEARANCE: Readonly<Record<AnyFate, { icon: ComponentType<IconProps>; color: string } | null>> = {
  new: GOES,
  add: GOES,
  renamed: LOOK,
  remove: LOOK,
  move: { icon: OutIcon, color: 'warning.main' },
  refused: { icon: StopIcon, color: 'error.main' },
  there: null,
  already: null,
  'not-member': null,
};

/** The outcome of a row: a word, with an icon for a change or a problem. */
export function Fate({ fate, words }: { fate: AnyFate; words: string }) {
  const look = APPEARANCE[fate];
  if (look === null) return <span style={{ color: 'var(--lms-palette-text-secondary)' }}>{words}</span>;
  const { icon: Icon, color } = look;
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75, maxWidth: '100%' }}>
      <Box component="span" sx={{ color, lineHeight: 0, flex: 'none' }}>
        <Icon size={16} />
      </Box>
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {words}
      </Box>
    </Box>
  );
}
