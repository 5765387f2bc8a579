import type { ZoomQueue, ZoomRunReview } from '@lms-admin/contract/zoom-runs';
import { useQuery } from '@tanstack/react-query';
import { type Dispatch, useEffect, useMemo } from 'react';
import {
  type CourseSearch,
  useCourseSearch,
  useFoundText,
} from '../../components/CourseField/course-search.ts';
import type { PlanWork } from '../../components/Planning/usePlan.ts';
import type { StepProps } from '../../components/Wizard/wizard-definition.ts';
import type { WizardAction } from '../../components/Wizard/wizard-reducer.ts';
import { type QueueChange, queueChange } from './queue-change.ts';
import { type NamedCourse, readCourses, readQueue } from './queue-query.ts';
import type { RunAction, RunState } from './run-state.ts';
import { useReview } from './useReview.ts';

/** Loaded data: null while it is loading, or if loading failed. */
export interface Read<T> {
  data: T | null;
  error: unknown;
  retry: () => void;
}

export interface RunWork {
  /** The lookup of the course typed for a single run. */
  search: CourseSearch;
  queue: Read<ZoomQueue>;
  /** The effect of the entries on the queue. */
  change: QueueChange;
  /** In the review: the courses of a run or an addition. */
  courses: Read<ReadonlyMap<number, NamedCourse | null>>;
  /** Entered numbers that match no accessible course. */
  absent: readonly string[];
  /** In the review of a single run: its preview. */
  review: PlanWork<ZoomRunReview>;
}

/** Props of a step of Zoom Event Run. */
export type RunStep = StepProps<RunState, RunAction, RunWork>;

/** Reads the named course, the queue, and the courses of the review again for each review. */
export function useRunWork(
  state: RunState,
  dispatch: Dispatch<RunAction | WizardAction>,
  reviewing: boolean,
): RunWork {
  const { mode, course, chips, removed, read, newestAt } = state;
  const search = useCourseSearch(mode === 'once' ? course : '', state.wizard.step > 0);
  const { number } = search;
  useFoundText(search, course, reviewing, (text) => dispatch({ type: 'course', text }));
  const entering = state.wizard.view === 'steps';
  const queue = useQuery({
    queryKey: ['zoom-queue', reviewing ? 'review' : 'list'],
    queryFn: ({ signal }) => readQueue(signal),
    enabled: entering && mode === 'queue',
    staleTime: 0,
    gcTime: 0,
  });
  const shown = queue.data ?? null;
  useEffect(() => {
    if (shown !== null) dispatch({ type: 'read', courses: shown.courseIds, newestAt: shown.newest_at });
  }, [shown, dispatch]);

  const change = useMemo(
    () => queueChange({ chips, removed, read, newestAt }),
    [chips, removed, read, newestAt],
  );
  const wanted = useMemo(
    () => (mode === 'queue' ? change.added : number === null ? [] : [number]),
    [mode, change.added, number],
  );
  const courses = useQuery({
    queryKey: ['zoom-run-courses', wanted],
    queryFn: ({ signal }) => readCourses(wanted, signal),
    // For a queue, the courses are loaded only once the new ones are known.
    enabled: reviewing && (mode === 'once' || shown !== null),
    staleTime: 0,
    gcTime: 0,
  });
  const absent = [
    ...[...(courses.data ?? [])].flatMap(([id, found]) => (found === null ? [String(id)] : [])),
    ...(mode === 'queue' ? change.impossible : []),
  ];
  // A course without access is not reviewed.
  const isThere = number !== null && (courses.data?.get(number) ?? null) !== null;
  const review = useReview(reviewing && mode === 'once' && isThere ? number : null, state.days);
  return { search, queue: asRead(queue), change, courses: asRead(courses), absent, review };
}

function asRead<T>(query: {
  data: T | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}): Read<T> {
  return {
    data: query.data ?? null,
    error: query.isFetching ? null : query.error,
    retry: () => void query.refetch(),
  };
}
