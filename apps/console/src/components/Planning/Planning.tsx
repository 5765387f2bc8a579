import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { JobRunning } from '../Job/JobRunning.tsx';
import { ErrorState } from '../States/ErrorState.tsx';
import { focusStep } from '../Wizard/focus-step.ts';
import { type PlanningWords, texts } from './texts.ts';
import type { PlanWork } from './usePlan.ts';

export interface PlanningProps {
  work: PlanWork<unknown>;
  /** What it is called where it is no review. */
  words?: PlanningWords;
  /** Takes focus to a place that stays: the button of a press goes away with the press. */
  onAgain?: () => void;
}

/** A plan while it is worked out: what is being done, how much of it, how long still, and a way to cancel it. */
export function Planning({ work, words = texts, onAgain = focusStep }: PlanningProps) {
  const again = () => {
    onAgain();
    work.again();
  };
  if (work.error !== null)
    return (
      <ErrorState error={work.error} title={words.broke} onRetry={again} retryLabel={words.again}>
        {texts.nothingSent}
      </ErrorState>
    );
  if (work.cancelled)
    return (
      <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
        <Typography>{words.cancelled}</Typography>
        {/* The button that was pressed is gone; focus goes on to the one that takes the press back. */}
        <Button variant="outlined" autoFocus onClick={again}>
          {words.again}
        </Button>
      </Box>
    );
  return (
    <Box sx={{ maxWidth: 640 }}>
      <JobRunning
        watch={work.watch}
        onAgain={work.pollNow}
        start={words.start}
        cancel={
          <Button size="small" color="inherit" variant="outlined" onClick={work.cancel}>
            {texts.cancel}
          </Button>
        }
      />
    </Box>
  );
}
