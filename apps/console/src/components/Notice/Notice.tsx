import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { InfoIcon, StopIcon, WarningIcon } from '../Icons.tsx';

export interface NoticeProps {
  /** `stop` for removals, `warning` for things to check, `info` for useful facts. */
  tone: 'stop' | 'warning' | 'info';
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

const LOOKS = {
  stop: { line: 'error.main', ground: 'surface.stop', ink: 'error.main', Icon: StopIcon },
  warning: { line: 'warning.main', ground: 'surface.warning', ink: 'warning.main', Icon: WarningIcon },
  info: { line: 'divider', ground: 'surface.sunken', ink: 'text.secondary', Icon: InfoIcon },
} as const;

/** Something about the review that the administrator should know before submitting. */
export function Notice({ tone, title, children, action }: NoticeProps) {
  const id = useId();
  const { line, ground, ink, Icon } = LOOKS[tone];
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{
        display: 'grid',
        gridTemplateColumns: 'auto minmax(0, 1fr)',
        gap: 1.5,
        p: 2,
        border: 1,
        borderRadius: 1,
        borderColor: line,
        bgcolor: ground,
      }}
    >
      <Box sx={{ color: ink, lineHeight: 0, pt: '2px' }}>
        <Icon />
      </Box>
      <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start', '& > p, & > ul': { maxWidth: '88ch' } }}>
        <Typography id={id} variant="h3" component="p">
          {title}
        </Typography>
        {children}
        {action}
      </Box>
    </Box>
  );
}

/** A list of names within a notice, cut when it is long. */
export function ShortList({ items, more }: { items: readonly ReactNode[]; more: (count: number) => string }) {
  const shown = items.slice(0, 6);
  return (
    <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
      {shown.map((item, index) => (
        // The list never changes while it is shown, so the index can be the key.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>{item}</li>
      ))}
      {items.length > shown.length && <li>{more(items.length - shown.length)}</li>}
    </Box>
  );
}
