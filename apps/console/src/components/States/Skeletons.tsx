import Box from '@mui/material/Box';
import { keyframes, styled } from '@mui/material/styles';
import { texts } from './texts.ts';
import { useDelayed } from './useDelayed.ts';

const pulse = keyframes({ '50%': { opacity: 0.45 } });

/** One grey bar in place of a text that is loading. */
export const Bar = styled('span')(({ theme }) => ({
  display: 'block',
  height: 12,
  borderRadius: 4,
  backgroundColor: theme.vars.palette.divider,
  animation: `${pulse} 1.6s ease-in-out infinite`,
}));

export interface SkeletonsProps {
  /** The approximate number of lines. */
  lines?: number;
  /** What is loading, for screen readers. */
  label?: string;
}

/** Placeholder of a text or form that is loading; shown only after 0.3 s. */
export function Skeletons({ lines = 4, label = texts.loading }: SkeletonsProps) {
  const shown = useDelayed(true);
  return (
    <Box
      role="status"
      aria-label={label}
      sx={{ display: 'grid', gap: 2, py: 2, opacity: shown ? 1 : 0, minHeight: lines * 28 }}
    >
      {Array.from({ length: lines }, (_, line) => (
        // Lines of a skeleton have no identity but their index.
        // oxlint-disable-next-line react/no-array-index-key
        <Bar key={line} style={{ width: `${92 - ((line * 37) % 45)}%` }} />
      ))}
    </Box>
  );
}
