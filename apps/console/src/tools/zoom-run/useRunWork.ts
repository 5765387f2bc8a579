import type { ZoomQueue, ZoomRunReview } from '@lms-admin/contract/zoom';
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

/** Something that is read: null while it is on its way, or when it cannot be had. */
export interface Read<T> {
  data: T | null;
  error: unknown;
  again: () => void;
}

export interface RunWork {
  /** What was typed for a single run, looked up. */
  search: CourseSearch;
  queue: Read<ZoomQueue>;
  /** What the entries would do to the queue. */
  change: QueueChange;
  /** In the review: the courses that a run or an addition is for. */
  courses: Read<ReadonlyMap<number, NamedCourse | null>>;
  /** Of them, what no course in reach has as its number. */
  absent: readonly string[];
  /** In the review of a single run: what it would do. */
  review: PlanWork<ZoomRunReview>;
}

/** What a step of Zoom Event Run is given. */
export type RunStep = StepProps<RunState, RunAction, RunWork>;

/** The course that was named, the queue, and the courses of the review, read again for each review. */
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
    // Of a queue only once it is known what is new in it.
    enabled: reviewing && (mode === 'once' || shown !== null),
    staleTime: 0,
    gcTime: 0,
  });
  const absent = [
    ...[...(courses.data ?? [])].flatMap(([id, found]) => (found === null ? [String(id)] : [])),
    ...(mode === 'queue' ? change.impossible : []),
  ];
  // A course out of reach is not reviewed.
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
    again: () => void query.refetch(),
  };
}
