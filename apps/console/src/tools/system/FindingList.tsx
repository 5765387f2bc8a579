import type { Finding } from '@lms-admin/contract/system';
import Box from '@mui/material/Box';
import type { ComponentType } from 'react';
import { CheckIcon, type IconProps, InfoIcon, StopIcon, WarningIcon } from '../../components/Icons.tsx';
import { texts } from './texts.ts';

const LOOKS: Readonly<Record<Finding['state'], { icon: ComponentType<IconProps>; color: string }>> = {
  ok: { icon: CheckIcon, color: 'success.main' },
  warn: { icon: WarningIcon, color: 'warning.main' },
  fail: { icon: StopIcon, color: 'error.main' },
  skip: { icon: InfoIcon, color: 'text.secondary' },
};

/** The findings, one per line: the state as a word and an icon, the subject, and what to do. */
export function FindingList({ label, findings }: { label: string; findings: readonly Finding[] }) {
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{
        listStyle: 'none',
        m: 0,
        p: 0,
        display: 'grid',
        gap: 1.25,
        gridTemplateColumns: 'minmax(0, 1fr)',
      }}
    >
      {findings.map((one) => (
        <Line key={`${one.check} ${one.message}`} finding={one} />
      ))}
    </Box>
  );
}

function Line({ finding: { check, state, message, next } }: { finding: Finding }) {
  const { icon: Icon, color } = LOOKS[state];
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '18px minmax(0, 1fr)', sm: '18px 132px minmax(0, 1fr)' },
        columnGap: 1,
        overflowWrap: 'anywhere',
      }}
    >
      <Box component="span" sx={{ color, lineHeight: 0, pt: '2px' }}>
        <Icon size={18} />
      </Box>
      <Box component="span" sx={{ fontWeight: state === 'ok' || state === 'skip' ? undefined : 650 }}>
        {texts.states[state]}
      </Box>
      <Box component="span" sx={{ gridColumn: { xs: 2, sm: 3 } }}>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {check}:
        </Box>{' '}
        {message} {next !== '' && <strong>{next}</strong>}
      </Box>
    </Box>
  );
}
