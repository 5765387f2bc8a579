import type { JobDetail } from '@lms-admin/contract/jobs';
import { messages } from '@lms-admin/contract/messages';
import { studentExportMessages } from '@lms-admin/contract/messages/student-export';
import { STUDENT_EXPORT, type StudentExportRequest } from '@lms-admin/contract/student-export';
import { grouped } from '@lms-admin/domain/numbers';
import { exportColumns } from '@lms-admin/domain/student-export';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { jobFilePath, jobStartQuery, jobsChanged, problemOf } from '../../api/jobs.ts';
import { useProfile } from '../../api/session.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { Facts } from '../../components/Facts.tsx';
import { CheckIcon } from '../../components/Icons.tsx';
import { JobRunning } from '../../components/Job/JobRunning.tsx';
import { QUICK_POLL_MS } from '../../components/Job/job-watch.ts';
import { hasEnded } from '../../components/Job/job-words.ts';
import { useJob } from '../../components/Job/useJob.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { saveFile } from '../../components/save-file.ts';
import { sizeOf } from '../../components/size-of.ts';
import type { ProgressProps } from '../../components/Wizard/wizard-definition.ts';
import type { ExportAction, ExportState } from './export-state.ts';
import { texts } from './texts.ts';
import type { ExportWork } from './useExportWork.ts';

const words = studentExportMessages;
type DownloadProps = ProgressProps<ExportState, ExportAction, ExportWork>;

/**
 * Step 'Download' (EXP-11, EXP-12): the export is a job of the server; its file is downloaded once automatically, and
 * again with the link, even after a reload or from Activity.
 */
export function Download(props: DownloadProps) {
  const { state, dispatch, onHome } = props;
  const { started, watch, pollNow, job, ended, href } = useExport(props);
  const refused = started.error ?? watch.refusal;
  const back = (
    <Button variant="outlined" onClick={() => dispatch({ type: 'not-sent' })}>
      {texts.review}
    </Button>
  );
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {refused !== null && !started.isFetching ? (
        <ErrorState error={refused} title={texts.failed} onRetry={() => void started.refetch()} />
      ) : job === null || !ended ? (
        <>
          <Typography>{words.downloading(state.format === 'csv' ? 'csv' : 'Excel')}</Typography>
          <JobRunning watch={watch} onRetry={pollNow} start={texts.start} />
        </>
      ) : href !== null ? (
        <FileReady job={job} href={href} groups={state.groups} />
      ) : job.outcome === 'failed' ? (
        <ErrorState error={problemOf(job)} title={texts.ended.failed} />
      ) : (
        <NoFile job={job} />
      )}
      {(ended || refused !== null) && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          {href === null && back}
          <Button variant={href === null ? 'text' : 'contained'} onClick={onHome}>
            {messages.wizard.home}
          </Button>
        </Box>
      )}
    </Box>
  );
}

/** Follows the export job to its end, and downloads its file once. */
function useExport({ state, dispatch, work }: Omit<DownloadProps, 'onHome'>) {
  const { time_zone } = useProfile().userProfile;
  const key = state.submission.key ?? '';
  const { number } = work.search;
  const started = useQuery({
    ...jobStartQuery(STUDENT_EXPORT, key, {
      course: number ?? 0,
      groups: state.groups,
      format: state.format,
      time_zone,
    } satisfies StudentExportRequest),
    enabled: number !== null,
  });
  const { state: watch, pollNow } = useJob(started.data?.id ?? null, QUICK_POLL_MS);
  const { job } = watch.seen;
  const ended = job !== null && hasEnded(job);
  const [file] = job?.files ?? [];
  const href = job !== null && file !== undefined ? jobFilePath(job.id, file.id) : null;
  const fetched = useRef(state.submission.logged.includes('ended'));
  const announce = useAnnounce();
  useEffect(() => {
    if (!ended || fetched.current) return;
    fetched.current = true;
    dispatch({ type: 'logged', what: 'ended' });
    jobsChanged();
    if (href === null) return;
    saveFile(href);
    announce(words.downloaded);
  }, [ended, href, dispatch, announce]);

  return { started, watch, pollNow, job, ended, href };
}

/** The link to the file, and a summary of its contents. */
function FileReady({ job, href, groups }: { job: JobDetail; href: string; groups: boolean }) {
  const [file] = job.files;
  return (
    <>
      <Alert severity="success" icon={<CheckIcon />}>
        {words.downloaded}{' '}
        <Link href={href} download>
          {words.clickHere}
        </Link>
      </Alert>
      {file !== undefined && (
        <Facts
          label={texts.receipt}
          facts={[
            [texts.what, job.label],
            [texts.fileName, `${file.name}, ${sizeOf(file.bytes)}`],
            ...job.figures.map(([what, count]) => [texts.figure(what), grouped(count)] as const),
            [texts.columns, exportColumns(groups).join(' · ')],
          ]}
        />
      )}
      <Typography color="textSecondary" sx={{ maxWidth: '68ch' }}>
        {texts.kept}
      </Typography>
      {job.note !== null && <Notice tone="warning" title={job.note} />}
    </>
  );
}

function NoFile({ job }: { job: JobDetail }) {
  return (
    <Notice tone="info" title={job.outcome === 'cancelled' ? texts.ended.cancelled : texts.ended.notKept}>
      <Typography>{job.outcome === 'cancelled' ? job.note : texts.notKeptNext}</Typography>
    </Notice>
  );
}
