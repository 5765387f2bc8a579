import type { AwardStats } from '@lms-admin/contract/awards';
import { shownOpeningDate } from '@lms-admin/domain/award-opening';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { ApiError } from '../../api/errors.ts';
import { JobProgress } from '../../components/Job/JobProgress.tsx';
import { JobRunning } from '../../components/Job/JobRunning.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { texts } from './texts.ts';
import type { Refresh } from './useRefresh.ts';

export interface RefreshStateProps {
  stats: AwardStats;
  opening: string | null | undefined;
  refresh: Refresh;
  moment: (iso: string) => string;
}

/** Notice about the refresh: it is running, has failed, is not possible, or is due. */
export function RefreshState({ stats, opening, refresh, moment }: RefreshStateProps) {
  const { refresh: running, failed, not_configured: missing } = stats;
  if (missing !== null) {
    return (
      <Notice tone="warning" title={missing.message}>
        <Typography>
          {missing.next} {stats.createdAt !== null && texts.unconfiguredStays}
        </Typography>
      </Notice>
    );
  }
  if (running !== null) return <Running running={running} refresh={refresh} />;
  if (refresh.error !== null)
    return <ErrorState error={refresh.error} title={texts.refreshNot} onRetry={refresh.start} />;
  // If the votes are up to date despite the failure, there is nothing to do.
  if (failed !== null && !stats.up_to_date) {
    const { message, next, at } = failed;
    const error = new ApiError(200, { code: 'internal', message, next, requestId: null });
    const title = texts.refreshFailed(moment(at), stats.createdAt !== null);
    return <ErrorState error={error} title={title} onRetry={refresh.start} />;
  }
  const changed = opening !== undefined && opening !== stats.counted_from;
  if (stats.createdAt !== null && changed && opening !== null) {
    return (
      <Notice tone="warning" title={texts.otherDate}>
        <Typography>{texts.otherDateNext(shownOpeningDate(opening))}</Typography>
      </Notice>
    );
  }
  return null;
}

function Running({ running, refresh }: { running: NonNullable<AwardStats['refresh']>; refresh: Refresh }) {
  return (
    <Box
      role="group"
      aria-label={texts.refreshWork}
      sx={{ p: 2, border: 1, borderColor: 'divider', borderRadius: 1, display: 'grid', gap: 1 }}
    >
      {running.own ? (
        <>
          <JobRunning watch={refresh.watch} onRetry={refresh.onRetry} start={texts.refreshStart} />
          <Typography variant="body2" color="textSecondary">
            {texts.refreshStays}
          </Typography>
        </>
      ) : (
        <JobProgress
          stage={running.stage ?? texts.refreshStart}
          bar={{ label: texts.refreshWork, percent: null }}
          facts={[texts.refreshBy(running.by)]}
        />
      )}
    </Box>
  );
}
