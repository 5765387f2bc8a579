import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { JobRunning } from '../Job/JobRunning.tsx';
import { ErrorState } from '../States/ErrorState.tsx';
import { focusStep } from '../Wizard/focus-step.ts';
import { texts } from './texts.ts';
import type { PlanWork } from './usePlan.ts';

/** The review while it is worked out: what is being done, how much of it, how long still, and a way to cancel it. */
export function Planning({ work }: { work: PlanWork<unknown> }) {
  const again = () => {
    // The button of the press goes away with the press.
    focusStep();
    work.again();
  };
  if (work.error !== null)
    return (
      <ErrorState error={work.error} title={texts.broke} onRetry={again} retryLabel={texts.again}>
        {texts.nothingSent}
      </ErrorState>
    );
  if (work.cancelled)
    return (
      <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
        <Typography>{texts.cancelled}</Typography>
        {/* The button that was pressed is gone; focus goes on to the one that takes the press back. */}
        <Button variant="outlined" autoFocus onClick={again}>
          {texts.again}
        </Button>
      </Box>
    );
  return (
    <Box sx={{ maxWidth: 640 }}>
      <JobRunning
        watch={work.watch}
        onAgain={work.pollNow}
        start={texts.start}
        cancel={
          <Button size="small" color="inherit" variant="outlined" onClick={work.cancel}>
            {texts.cancel}
          </Button>
        }
      />
    </Box>
  );
}
