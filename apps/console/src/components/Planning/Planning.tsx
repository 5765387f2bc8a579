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
  /** Texts if the plan is not a review. */
  words?: PlanningWords;
  /** Moves focus to an element that stays: the pressed button disappears. */
  onRetry?: () => void;
}

/** A plan in preparation: its stage, progress, an estimate, and a cancel button. */
export function Planning({ work, words = texts, onRetry = focusStep }: PlanningProps) {
  const retry = () => {
    onRetry();
    work.retry();
  };
  if (work.error !== null)
    return (
      <ErrorState error={work.error} title={words.broke} onRetry={retry} retryLabel={words.retry}>
        {texts.nothingSent}
      </ErrorState>
    );
  if (work.cancelled)
    return (
      <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
        <Typography>{words.cancelled}</Typography>
        {/* The pressed button has disappeared; focus goes to the one that restarts the work. */}
        <Button variant="outlined" autoFocus onClick={retry}>
          {words.retry}
        </Button>
      </Box>
    );
  return (
    <Box sx={{ maxWidth: 640 }}>
      <JobRunning
        watch={work.watch}
        onRetry={work.pollNow}
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
