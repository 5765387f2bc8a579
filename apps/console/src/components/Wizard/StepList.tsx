import Box from '@mui/material/Box';
import { CheckIcon } from '../Icons.tsx';
import { texts } from './texts.ts';

export interface StepListProps {
  titles: readonly string[];
  /** Index of the current step; the number of titles when all are done. */
  current: number;
}

/** The current position: the steps in order, completed ones ticked. */
export function StepList({ titles, current }: StepListProps) {
  return (
    <Box
      component="ol"
      aria-label={texts.steps}
      sx={{ display: 'flex', gap: { xs: 1, sm: 2 }, m: 0, p: 0, listStyle: 'none' }}
    >
      {titles.map((title, index) => (
        <Step key={title} title={title} number={index + 1} done={index < current} here={index === current} />
      ))}
    </Box>
  );
}

interface StepProps {
  title: string;
  number: number;
  done: boolean;
  here: boolean;
}

function Step({ title, number, done, here }: StepProps) {
  return (
    <Box
      component="li"
      aria-current={here ? 'step' : undefined}
      sx={{
        position: 'relative',
        flex: { xs: here ? 4 : 1, sm: 1 },
        minWidth: 0,
        borderTop: 3,
        borderColor: done || here ? 'primary.main' : 'divider',
        pt: 1,
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        color: here ? 'text.primary' : 'text.secondary',
        typography: 'body2',
        fontWeight: here ? 650 : 450,
      }}
    >
      <Mark number={number} done={done} here={here} />
      {/* At 390 px only one step has space for its title; the titles of the others are for screen readers only. */}
      <Box component="span" sx={here ? inOneLine : { ...inOneLine, '@media (max-width: 599.95px)': hidden }}>
        {title}
      </Box>
      {done && (
        <Box component="span" sx={hidden}>
          ({texts.done})
        </Box>
      )}
    </Box>
  );
}

/** The number of a step, ticked once it is done. */
function Mark({ number, done, here }: Omit<StepProps, 'title'>) {
  return (
    <Box
      component="span"
      aria-hidden="true"
      sx={{
        display: 'grid',
        placeItems: 'center',
        flex: 'none',
        width: 24,
        height: 24,
        borderRadius: '50%',
        border: 1,
        fontVariantNumeric: 'tabular-nums',
        borderColor: done || here ? 'primary.main' : 'surface.outline',
        bgcolor: here ? 'primary.main' : 'transparent',
        color: here ? 'primary.contrastText' : done ? 'primary.main' : 'text.secondary',
      }}
    >
      {done ? <CheckIcon size={14} /> : number}
    </Box>
  );
}

const inOneLine = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

const hidden = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;
