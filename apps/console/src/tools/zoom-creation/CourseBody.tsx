import type { Course } from '@lms-admin/contract/canvas-objects';
import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import type { ZoomOwners } from '@lms-admin/contract/zoom';
import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useProfile } from '../../api/session.ts';
import { knownZone, momentFormat } from '../../components/moments.ts';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { ChangeDialog } from './ChangeDialog.tsx';
import type { View } from './course-state.ts';
import { timesFormat } from './days.ts';
import { EventsTable } from './EventsTable.tsx';
import { chosenRows, type EventRow, eventRows } from './event-rows.ts';
import type { Sayers } from './preview-words.ts';
import { startOf } from './publish-form.ts';
import { eventsQuery, ownersQuery } from './queries.ts';
import { RunningNotes } from './RunningNotes.tsx';
import { texts } from './texts.ts';
import { useChanges } from './useChanges.ts';
import { ZoomDown } from './ZoomDown.tsx';

const words = zoomCreationMessages;
const NONE: readonly never[] = [];

export interface CourseBodyProps {
  course: Course;
  /** The first day shown. */
  from: string;
  onFrom: (day: string) => void;
}

/** The events of a course, and the actions for the selected ones (ZC-05 to ZC-14). */
export function CourseBody({ course, from, onFrom }: CourseBodyProps) {
  const zone = knownZone(useProfile().userProfile.time_zone);
  const events = useQuery(eventsQuery(course.id, from));
  const hosts = useQuery(ownersQuery);
  const owners = hosts.data ?? null;
  const rows = useMemo(() => eventRows(events.data?.events ?? NONE), [events.data]);
  const say = useSayers(owners, zone);
  const changes = useChanges(course.id);
  const { state, dispatch, open: openChange } = changes;

  // Events that were deleted, or now belong to another event, cannot stay selected.
  const settled = events.data?.done === true && !events.isFetching;
  useEffect(() => {
    if (!settled) return;
    const selectable = rows.filter((row) => row.selectable).map(({ event }) => event.id);
    dispatch({ type: 'events', selectable: new Set(selectable) });
  }, [rows, settled, dispatch]);

  // Closing returns focus to the pressed button, which may be in a row that has disappeared.
  const [opener, setOpener] = useState<Element | null>(null);
  const open = useCallback(
    (view: View, retry = false) => {
      setOpener(document.activeElement);
      openChange(view, retry);
    },
    [openChange],
  );
  const onUnmerge = useCallback((row: EventRow) => open({ kind: 'unmerge', event: row.event.id }), [open]);
  const count = state.selected.size;
  const chosen = useMemo(() => chosenRows(rows, state.selected), [rows, state.selected]);

  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)', pb: 1 }}>
      <CourseHead
        course={course}
        count={count}
        ready={owners !== null}
        onMerge={() => open({ kind: 'merge', parent: null })}
        onManage={() => {
          if (owners !== null) open({ kind: 'publish', form: startOf(chosen, owners.default.email) });
        }}
      />
      <ZoomDown hosts={hosts} />
      <RunningNotes
        course={course}
        changes={changes}
        chosen={chosen}
        owners={owners}
        onOpen={open}
        times={say.times}
      />
      {events.isError && !events.isFetching && (
        <ErrorState
          error={events.error}
          title={events.data === undefined ? words.notFound : texts.dialog.failed}
          onRetry={() => void events.refetch()}
        />
      )}
      <EventsTable
        rows={rows}
        loaded={events.data}
        loading={events.isFetching}
        from={from}
        onFrom={onFrom}
        zone={zone}
        say={say}
        selected={state.selected}
        onSelect={(selected) => dispatch({ type: 'select', selected })}
        onUnmerge={onUnmerge}
      />
      {owners !== null && (
        <ChangeDialog
          course={course.id}
          rows={rows}
          owners={owners}
          say={say}
          changes={changes}
          returnFocus={() =>
            opener instanceof HTMLElement && opener.isConnected && !opener.matches(':disabled')
              ? opener
              : document.getElementById(MANAGE)
          }
        />
      )}
    </Box>
  );
}

/** Formats hosts, times and moments. @param owners null while they are unknown */
function useSayers(owners: ZoomOwners | null, zone: string): Sayers {
  return useMemo(() => {
    const people = owners === null ? [] : [owners.default, ...owners.owners];
    const names = new Map(people.map(({ email, name }) => [email.toLowerCase(), name]));
    return {
      times: timesFormat(zone),
      host: (email) => names.get(email.toLowerCase()) ?? email,
      moment: momentFormat(zone),
    };
  }, [owners, zone]);
}

interface CourseHeadProps {
  course: Course;
  /** Number of selected events. */
  count: number;
  /** Whether the hosts are loaded. */
  ready: boolean;
  onMerge: () => void;
  onManage: () => void;
}

/** The name of the course, and the actions for the selected events. */
function CourseHead({ course, count, ready, onMerge, onManage }: CourseHeadProps) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
      <Typography color="textSecondary" sx={{ flex: '1 1 240px', overflowWrap: 'anywhere' }}>
        {words.courseId(course.id)}
        {course.name !== course.course_code && ` · ${course.name}`}
      </Typography>
      <Button
        variant="outlined"
        disabled={count === 0 || !ready}
        title={count === 0 ? texts.dialog.needSelection : undefined}
        onClick={onMerge}
      >
        {words.merge}
      </Button>
      <Badge badgeContent={count} color="secondary" max={999} slotProps={{ badge: { 'aria-hidden': true } }}>
        <Button id={MANAGE} variant="contained" disabled={!ready} onClick={onManage}>
          {words.manage}
        </Button>
      </Badge>
    </Box>
  );
}

/** ID of the button that gets the focus when no other element is left. */
const MANAGE = 'zoom-creation-manage';
