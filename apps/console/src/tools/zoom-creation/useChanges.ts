import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import { ZOOM_CHANGE, type ZoomChangeOrder } from '@lms-admin/contract/zoom';
import { useMutation } from '@tanstack/react-query';
import { type Dispatch, useCallback, useEffect, useReducer, useRef } from 'react';
import { jobsChanged, startJob } from '../../api/jobs.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import type { JobSeen } from '../../components/Job/job-watch.ts';
import { hasEnded } from '../../components/Job/job-words.ts';
import { useJob } from '../../components/Job/useJob.ts';
import type { Watch } from '../../components/Job/watch.ts';
import {
  type CourseAction,
  type CourseState,
  courseReducer,
  entriesOf,
  openState,
  type View,
} from './course-state.ts';
import { failureTitle } from './failure-words.ts';
import { renewCourse } from './queries.ts';
import { storedEntries, storedRun, storeEntries, storeRun } from './stored-runs.ts';

export interface Changes {
  state: CourseState;
  dispatch: Dispatch<CourseAction>;
  /** Opens the dialog of a change. @param retry whether it repeats the failed part */
  open: (view: View, retry?: boolean) => void;
  watch: Watch<JobSeen>;
  pollNow: () => void;
  /** Starts a previewed change; repeating it after a lost answer starts no second job. */
  start: (order: ZoomChangeOrder) => void;
  starting: boolean;
  /** Why the last change could not be started. */
  refused: unknown;
}

/** The announcement of a failure omits the events that stay selected, which change with the list. */
const NONE: ReadonlySet<number> = new Set();

/**
 * Manages the changes of a course: each is a job, which is followed to its end and survives a reload (ZC-24, OP-69).
 */
export function useChanges(course: number): Changes {
  const [state, dispatch] = useReducer(courseReducer, course, (id) =>
    openState(storedRun(id), storedEntries(id)),
  );
  const { running, aside } = state;
  useEffect(() => storeRun(course, running), [course, running]);
  useEffect(() => storeEntries(course, entriesOf(state)), [course, state]);

  const asking = useRef({ orderKey: '', key: '' });
  const start = useMutation({
    mutationFn: (order: ZoomChangeOrder) => {
      const orderKey = JSON.stringify(order);
      if (asking.current.orderKey !== orderKey) asking.current = { orderKey, key: crypto.randomUUID() };
      return startJob(ZOOM_CHANGE, { key: asking.current.key, input: order });
    },
    onSuccess(job, { change }) {
      asking.current = { orderKey: '', key: '' };
      dispatch({ type: 'started', running: { job: job.id, asked: change } });
    },
  });

  const { state: watch, pollNow } = useJob(running?.job ?? null);
  const { job } = watch.seen;
  const announce = useAnnounce();
  useEffect(() => {
    if (job === null || job.id !== running?.job || !hasEnded(job)) return;
    dispatch({ type: 'ended', job });
    jobsChanged();
    void renewCourse(course);
    if (job.outcome === 'done' && !aside) announce(zoomCreationMessages.publish.done);
  }, [job, running, aside, course, announce]);
  // A change that waits for another day may do so for hours: until then the finished part is shown.
  const waits = job !== null && job.id === running?.job && job.waiting !== null;
  useEffect(() => {
    if (waits) void renewCourse(course);
  }, [waits, course]);
  useEffect(() => {
    if (watch.refusal === null) return;
    dispatch({ type: 'unseen' });
    void renewCourse(course);
  }, [watch.refusal, course]);
  const { failure } = state;
  useEffect(() => {
    if (failure !== null && !aside) announce(failureTitle(failure, NONE), 'assertive');
  }, [failure, aside, announce]);

  const { mutate, isPending, error, reset } = start;
  const open = useCallback(
    (view: View, retry = false) => {
      reset();
      dispatch({ type: 'open', view, retry });
    },
    [reset],
  );
  return { state, dispatch, open, watch, pollNow, start: mutate, starting: isPending, refused: error };
}
