import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import type { ZoomChange } from '@lms-admin/contract/zoom';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { CheckIcon } from '../../components/Icons.tsx';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { CancelButton } from '../../components/Job/CancelButton.tsx';
import { JobRunning } from '../../components/Job/JobRunning.tsx';
import type { JobSeen } from '../../components/Job/job-watch.ts';
import type { Watch } from '../../components/Job/watch.ts';
import { namedBy } from './course-state.ts';
import { texts } from './texts.ts';

/** Step 2: the progress, which can be closed (ZC-24). */
export function ChangeWait({ watch, onRetry }: { watch: Watch<JobSeen>; onRetry: () => void }) {
  const { job } = watch.seen;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)', py: 1 }}>
      <JobRunning
        watch={watch}
        onRetry={onRetry}
        start={texts.wait.start}
        // The dialog's own 'Cancel' is disabled beside it (OP-67).
        cancel={job !== null && <CancelButton job={job} label={texts.wait.cancel} onRequested={onRetry} />}
      />
      <Typography color="textSecondary">
        {texts.wait.leave}{' '}
        <MuiLink component={Link} to={job === null ? ACTIVITY_PATH : `${ACTIVITY_PATH}/${job.id}`}>
          {texts.wait.activity}
        </MuiLink>
        .
      </Typography>
    </Box>
  );
}

/** Step 3: success, in the documented words. */
export function ChangeSaved({ saved, note }: { saved: ZoomChange; note: string | null }) {
  return (
    <Box sx={{ display: 'grid', gap: 1, py: 1 }}>
      <Alert severity="success" icon={<CheckIcon />}>
        {zoomCreationMessages.publish.done}
      </Alert>
      <Typography color="textSecondary">{texts.saved.count(namedBy(saved).length)}</Typography>
      {note !== null && <Typography>{note}</Typography>}
    </Box>
  );
}
