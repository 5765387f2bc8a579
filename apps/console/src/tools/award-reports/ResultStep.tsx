import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { reportQuery, statsQuery } from '../../api/awards.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { Toasts } from '../../components/Toast/Toasts.tsx';
import { useToasts } from '../../components/Toast/useToasts.ts';
import { Report } from './Report.tsx';
import { ResponsesCard } from './ResponsesCard.tsx';
import { texts } from './texts.ts';
import { useRefresh } from './useRefresh.ts';
import type { ReportStep } from './useReportWork.ts';

const words = awardReportMessages;

/** Step 'View Result' (BTA-12 to BTA-21): the counted responses, and the report. */
export function ResultStep({ work }: ReportStep) {
  const { choice, opening } = work;
  const stats = useQuery(statsQuery);
  const asOf = stats.data?.createdAt ?? null;
  const report = useQuery({
    ...reportQuery(choice, asOf),
    enabled: !stats.isPending,
    // The previous figures stay until the new ones arrive; those of another choice do not.
    placeholderData: (before, query) => (query?.queryKey[2] === choice ? before : undefined),
  });
  // Another administrator may have refreshed the figures: the card must not differ from the table.
  const counted = report.isPlaceholderData ? undefined : report.data?.createdAt;
  const { refetch, isSuccess } = stats;
  useEffect(() => {
    // After a failure, the administrator decides when to try again.
    if (isSuccess && counted !== undefined && counted !== asOf) void refetch();
  }, [isSuccess, counted, asOf, refetch]);
  const { toasts, show, close } = useToasts();
  const refresh = useRefresh(stats.data ?? null, { show, close });
  useRefreshAnnouncement(asOf);

  const error = stats.error ?? report.error;
  const retry = () => void Promise.all([stats.refetch(), report.refetch()]);
  const waiting = error === null && (stats.data === undefined || report.data === undefined);
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {waiting && <Loading />}
      {error !== null && <ErrorState error={error} title={words.failed} onRetry={retry} />}
      {stats.data && !waiting && <ResponsesCard stats={stats.data} opening={opening} refresh={refresh} />}
      {report.data && <Report choice={choice} answer={report.data} />}
      <Toasts toasts={toasts} onClose={close} />
    </Box>
  );
}

function Loading() {
  const announce = useAnnounce();
  useEffect(() => announce(words.loading), [announce]);
  return (
    <Box>
      <Typography>{words.loading}</Typography>
      <Skeletons lines={8} label={words.loading} />
    </Box>
  );
}

/** Announces to screen readers that the figures have been updated. */
function useRefreshAnnouncement(asOf: string | null): void {
  const announce = useAnnounce();
  const before = useRef(asOf);
  useEffect(() => {
    if (before.current !== null && asOf !== null && asOf !== before.current) announce(texts.refreshed);
    before.current = asOf;
  }, [announce, asOf]);
}
