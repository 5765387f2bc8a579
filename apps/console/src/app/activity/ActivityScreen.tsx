import { toolById } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { openDraftsQuery } from '../../api/sis-drafts.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ScreenHead } from '../../components/ScreenHead.tsx';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { ActivityFilters, type ActivityFiltersProps } from './ActivityFilters.tsx';
import { type Filters, filtersOf, isNarrowed, NO_FILTERS, searchOf } from './activity-filters.ts';
import { JobTable } from './JobTable.tsx';
import { NoticeSwitch } from './NoticeSwitch.tsx';
import { texts } from './texts.ts';
import { useActivity } from './useActivity.ts';

/** Activity: all longer work, running or finished, newest first (a screen that is not in the specification). */
export function ActivityScreen() {
  const record = useProfile().sub_account;
  const mayAll = record.perm === 'ALL';
  const [search, setSearch] = useSearchParams();
  const filters = filtersOf(search, mayAll);
  // Two changes may happen before the screen renders, and the second must include the first.
  const newest = useRef(filters);
  useEffect(() => {
    newest.current = filtersOf(search, mayAll);
  }, [search, mayAll]);
  const narrow = useCallback(
    (some: Partial<Filters>) => {
      newest.current = { ...newest.current, ...some };
      // A change of filters adds no history entry, so that Back leaves the list.
      setSearch(searchOf(newest.current), { replace: true });
    },
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
      <ScreenHead title={texts.title} purpose={filters.all ? texts.purposeAll : texts.purpose} />
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
            empty={<NoEntries filters={filters} onChange={narrow} />}
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

/** Says that no entry matches the filters, or that the list is still empty. */
function NoEntries({ filters, onChange }: Pick<ActivityFiltersProps, 'filters' | 'onChange'>) {
  if (!isNarrowed(filters)) return <EmptyState title={texts.empty}>{texts.emptyNext}</EmptyState>;
  return (
    <EmptyState
      title={texts.nothing}
      action={
        <Button variant="outlined" onClick={() => onChange({ ...NO_FILTERS, all: filters.all })}>
          {texts.clear}
        </Button>
      }
    >
      {texts.nothingNext}
    </EmptyState>
  );
}

const { path } = toolById('sis-import');

/** Links to SIS files that are being corrected: they are not running work, so the list below does not include them. */
function DraftsNotice() {
  const { data: drafts = [] } = useQuery(openDraftsQuery);
  if (drafts.length === 0) return null;
  return (
    <Notice
      tone="info"
      title={texts.drafts.title(drafts.length)}
      action={
        <Link component={RouterLink} to={path ?? '/'}>
          {texts.drafts.open}
        </Link>
      }
    >
      <Typography>{texts.drafts.text(drafts.length)}</Typography>
    </Notice>
  );
}
