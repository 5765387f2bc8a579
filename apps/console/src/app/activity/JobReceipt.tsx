import type { JobDetail } from '@lms-admin/contract/jobs';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import { Suspense } from 'react';
import { Figures } from '../../components/Figures/Figures.tsx';
import { CheckIcon, StopIcon, WarningIcon } from '../../components/Icons.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { CancelledIcon } from '../../components/WorkIcons.tsx';
import { RESULTS } from '../../tools/index.ts';
import { texts } from './texts.ts';

/** The result of a finished job, in words and figures. */
export function JobReceipt({ job }: { job: JobDetail }) {
  const figures = job.figures.map(([word, value]) => ({ label: capital(word), value }));
  const Result = RESULTS[job.kind];
  return (
    <>
      <Ending job={job} />
      {figures.length > 0 && <Figures label={texts.figures} figures={figures} />}
      {job.own && Result !== undefined && (
        <Suspense fallback={<Skeletons lines={2} />}>
          <Result job={job} />
        </Suspense>
      )}
    </>
  );
}

const APPEARANCE = {
  done: { severity: 'success', icon: <CheckIcon /> },
  partly: { severity: 'warning', icon: <WarningIcon /> },
  failed: { severity: 'error', icon: <StopIcon /> },
  cancelled: { severity: 'info', icon: <CancelledIcon /> },
} as const;

/** How the job ended and what to do, not shown by colour alone. */
function Ending({ job }: { job: JobDetail }) {
  const outcome = job.outcome ?? 'done';
  const more = [job.problem?.next, job.note].filter(Boolean).join(' ');
  const title = job.problem?.message ?? texts.endings[outcome];
  return (
    <Alert {...APPEARANCE[outcome]}>
      {more === '' ? (
        title
      ) : (
        <>
          <AlertTitle>{title}</AlertTitle>
          {more}
        </>
      )}
    </Alert>
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
