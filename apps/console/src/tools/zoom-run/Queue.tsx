import type { ZoomQueue } from '@lms-admin/contract/zoom-runs';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { type Dispatch, useMemo } from 'react';
import { Link as RouterLink } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { momentFormat } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import type { RunAction } from './run-state.ts';
import { texts } from './texts.ts';
import type { Read } from './useRunWork.ts';

type Queued = ZoomQueue['courses'][number];

const words = texts.queue;
/** Minimum number of courses for which the table has a search field. */
const SEARCH_FROM = 11;
const MINUTE_MS = 60_000;
const rowKey = (one: Queued) => one.id;

/** Names a course in the queue. */
export const queuedName = ({ id, code, name }: { id: number; code: string; name: string }) =>
  code !== '' && name !== '' ? `${code} · ${name}` : code || name || String(id);

/** Returns the time of the next run, as text; null if it is running or about to start. */
export function nextRun({ next_run_at }: Pick<ZoomQueue, 'next_run_at'>, zone: string | null): string | null {
  return Date.parse(next_run_at) <= Date.now() + MINUTE_MS ? null : momentFormat(zone)(next_run_at);
}

export interface QueueProps {
  queue: Read<ZoomQueue>;
  /** Courses to be removed. */
  removed: readonly number[];
  dispatch: Dispatch<RunAction>;
}

/** The current queue: who added what, when it ran, and buttons to remove courses (ZR-10, ZR-17, PERM-15). */
export function Queue({ queue: { data, error, retry }, removed, dispatch }: QueueProps) {
  const { user, userProfile, sub_account } = useProfile();
  const { time_zone } = userProfile;
  // Runs of other administrators are shown only in the Activity of those who can see everything.
  const own = sub_account.perm === 'ALL' ? null : user.name;
  const mayRemove = data?.may_remove ?? false;
  const columns = useMemo(
    () => columnsOf(momentFormat(time_zone), own, mayRemove ? { removed: new Set(removed), dispatch } : null),
    [time_zone, own, mayRemove, removed, dispatch],
  );
  const courses = data?.courses ?? NONE;
  const failing = courses.filter(({ failing_since, state }) => failing_since !== null || state !== 'works');
  return (
    <Box component="section" aria-labelledby="zoom-run-queue" sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      <Typography id="zoom-run-queue" variant="h3">
        {words.title(courses.length)}
      </Typography>
      {error !== null ? (
        <ErrorState error={error} title={words.failed} onRetry={retry}>
          <Typography>{words.failedNext}</Typography>
        </ErrorState>
      ) : (
        <>
          {data !== null && (
            <Typography variant="body2" color="textSecondary">
              {words.next(data.every_hours, nextRun(data, time_zone))}
            </Typography>
          )}
          {failing.length > 0 && (
            <Notice tone="warning" title={words.failingTitle(failing.length)}>
              <Typography>{words.failingNext}</Typography>
              <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
                {failing.map((one) => (
                  <li key={one.id}>{detailsOf(one, momentFormat(time_zone))}</li>
                ))}
              </Box>
            </Notice>
          )}
          <DataTable<Queued, number>
            label={words.label}
            rows={courses}
            columns={columns}
            rowKey={rowKey}
            search={courses.length >= SEARCH_FROM}
            searchPlaceholder={words.search}
            loading={data === null}
            empty={<EmptyState title={words.empty}>{words.emptyNext}</EmptyState>}
          />
          {data !== null && !mayRemove && courses.length > 0 && (
            <Typography variant="body2" color="textSecondary">
              {words.mayNotRemove}
            </Typography>
          )}
        </>
      )}
    </Box>
  );
}

const NONE: readonly Queued[] = [];

/**
 * Describes the outcome of the latest run, or says since when runs have failed. Short, because a cell has only two
 * lines.
 */
function resultOf({ outcome, failing_since, state }: Queued, moment: (iso: string | null) => string): string {
  if (failing_since !== null) return words.failing(moment(failing_since));
  if (state !== 'works') return words.states[state];
  return outcome === null ? words.noResult : words.outcomes[outcome];
}

/** Describes a course whose runs fail, or will fail. */
function detailsOf(one: Queued, moment: (iso: string | null) => string): string {
  const { failing_since, problem, state, added_by } = one;
  return [
    `${queuedName(one)} (${one.id}):`,
    ...(failing_since === null ? [] : [`${words.failing(moment(failing_since))}.`]),
    ...(problem === null ? [] : [problem]),
    ...(state === 'works' ? [] : [`${words.states[state]}.`]),
    words.added(added_by, state),
  ].join(' ');
}

interface Removing {
  removed: ReadonlySet<number>;
  dispatch: Dispatch<RunAction>;
}

/** @param own name of an administrator who sees only their own runs; null for all runs */
function columnsOf(
  moment: (iso: string | null) => string,
  own: string | null,
  removing: Removing | null,
): Column<Queued>[] {
  const heads = words.columns;
  const columns: Column<Queued>[] = [
    {
      id: 'course',
      header: heads.course,
      value: queuedName,
      wrap: true,
      minWidth: 180,
    },
    { id: 'id', header: heads.id, value: ({ id }) => id, kind: 'id', width: '116px', minWidth: 116 },
    {
      id: 'by',
      header: heads.by,
      value: ({ added_by, added_at }) => words.by(added_by, moment(added_at)),
      wrap: true,
      minWidth: 150,
    },
    {
      id: 'days',
      header: heads.days,
      value: ({ days }) => days,
      kind: 'number',
      width: '76px',
      minWidth: 76,
    },
    {
      id: 'last',
      header: heads.last,
      value: ({ last_run_at }) => last_run_at,
      cell: ({ last_run_at, last_job, added_by }, tabIndex) =>
        last_run_at === null ? (
          words.never
        ) : last_job === null || (own !== null && own !== added_by) ? (
          moment(last_run_at)
        ) : (
          <Link component={RouterLink} to={`${ACTIVITY_PATH}/${last_job}`} tabIndex={tabIndex}>
            {moment(last_run_at)}
          </Link>
        ),
      searchable: false,
      wrap: true,
      width: '160px',
      minWidth: 160,
    },
    {
      id: 'result',
      header: heads.result,
      value: (one) => resultOf(one, moment),
      cell: (one) =>
        one.failing_since === null && one.state === 'works' ? (
          resultOf(one, moment)
        ) : (
          <Box component="span" sx={{ color: 'error.main', fontWeight: 620 }}>
            {resultOf(one, moment)}
          </Box>
        ),
      wrap: true,
      width: '22%',
      minWidth: 200,
    },
  ];
  if (removing === null) return columns;
  return [
    ...columns,
    {
      id: 'change',
      header: heads.change,
      value: ({ id }) => (removing.removed.has(id) ? words.out : null),
      cell: (one, tabIndex) => <RemoveCell one={one} tabIndex={tabIndex} removing={removing} />,
      sortable: false,
      searchable: false,
      width: '192px',
      minWidth: 192,
    },
  ];
}

function RemoveCell({ one, tabIndex, removing }: { one: Queued; tabIndex: number; removing: Removing }) {
  const out = removing.removed.has(one.id);
  const label = one.code || String(one.id);
  return (
    <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
      <Button
        size="small"
        color="inherit"
        tabIndex={tabIndex}
        aria-label={out ? words.keepOne(label) : words.removeOne(label)}
        onClick={() => removing.dispatch({ type: 'remove', course: one.id, on: !out })}
      >
        {out ? words.keep : words.remove}
      </Button>
      {out && words.out}
    </Box>
  );
}
