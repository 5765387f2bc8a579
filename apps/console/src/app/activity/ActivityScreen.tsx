import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { ActivityFilters } from './ActivityFilters.tsx';
import { type Filters, filtersOf, isNarrowed, NO_FILTERS, searchOf } from './activity-filters.ts';
import { DraftsNotice } from './DraftsNotice.tsx';
import { JobTable } from './JobTable.tsx';
import { NoticeSwitch } from './NoticeSwitch.tsx';
import { texts } from './texts.ts';
import { useActivity } from './useActivity.ts';

/** Activity: everything that takes a while, going on or ended, the newest first (a screen that the documents do not have). */
export function ActivityScreen() {
  const record = useProfile().sub_account;
  const mayAll = record.perm === 'ALL';
  const [search, setSearch] = useSearchParams();
  const filters = filtersOf(search, mayAll);
  const narrow = useCallback(
    // A filter is no page of its own: Back leaves the list.
    (next: Filters) => setSearch(searchOf(next), { replace: true }),
    [setSearch],
  );
  const { query, rows } = useActivity(filters);
  const announce = useAnnounce();
  const found = query.isSuccess ? texts.found(rows.length, query.hasNextPage) : '';
  useEffect(() => {
    if (found !== '') announce(found);
  }, [announce, found]);

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box>
        <Typography variant="h1" tabIndex={-1}>
          {texts.title}
        </Typography>
        <Typography color="textSecondary" sx={{ mt: 0.5, maxWidth: '68ch' }}>
          {filters.all ? texts.purposeAll : texts.purpose}
        </Typography>
      </Box>
      {record.sis_import && <DraftsNotice />}
      <Paper sx={{ p: { xs: 2, sm: 3 }, display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <ActivityFilters filters={filters} mayAll={mayAll} onChange={narrow} />
        {query.isError ? (
          <ErrorState error={query.error} title={texts.failed} onRetry={() => void query.refetch()} />
        ) : (
          <JobTable
            rows={rows}
            loading={query.isPending}
            all={filters.all}
            empty={
              isNarrowed(filters) ? (
                <EmptyState
                  title={texts.nothing}
                  action={
                    <Button variant="outlined" onClick={() => narrow({ ...NO_FILTERS, all: filters.all })}>
                      {texts.clear}
                    </Button>
                  }
                >
                  {texts.nothingNext}
                </EmptyState>
              ) : (
                <EmptyState title={texts.empty}>{texts.emptyNext}</EmptyState>
              )
            }
          />
        )}
        {query.hasNextPage && (
          <Box>
            <Button
              variant="outlined"
              disabled={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {texts.more}
            </Button>
          </Box>
        )}
        <NoticeSwitch />
      </Paper>
    </Box>
  );
}
