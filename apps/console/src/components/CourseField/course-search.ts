/** The course that an administrator names, looked up on the server after a pause in typing. */
import { type FoundCourse, foundCourses, SHORTEST_COURSE_NAME } from '@lms-admin/contract/course-search';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { courseNumberOf, readCourseName } from '@lms-admin/domain/course-number';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { getJson } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { shouldRetry, useSettings } from '../../api/queries.ts';
import { useSettled } from '../useSettled.ts';
import { texts } from './texts.ts';

export interface CourseSearch {
  /** The course's number in the LMS; null until exactly one course matches. */
  number: number | null;
  courses: readonly FoundCourse[];
  /** Whether more courses match than are listed. */
  more: boolean;
  /** Whether the lookup is still running. */
  looking: boolean;
  /** Why the lookup failed. */
  error: unknown;
  retry: () => void;
  /** Text that asks the administrator to choose a course; null if one course matches, or none. */
  choose: string | null;
  /** Text that says why no course matches; null before the answer, and if nothing was looked up. */
  none: string | null;
}

const courseSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['course-find', text],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.courseSearch, foundCourses, { query: [['text', text]], signal }),
    retry: shouldRetry,
  });

/**
 * Finds the course for the typed text. A number may be another course's SIS ID, so it counts only after the server's
 * answer.
 * @param isReviewed whether the typed text was found earlier: its number then counts immediately
 */
export function useCourseSearch(typed: string, isReviewed = false): CourseSearch {
  const lms = useSettings()?.lms_url ?? null;
  const text = typed.trim();
  // Without the address of the LMS, it is unknown whether a web address belongs to it.
  const named = lms === null && /^https?:/i.test(text) ? null : readCourseName(text, lms ?? '');
  const settled = useSettled(text);
  const asks = named !== null && named.by !== 'nothing';
  const query = useQuery({ ...courseSearchQuery(text), enabled: asks && settled });
  const { data, error, isFetching, refetch } = query;
  const courses = asks && settled ? (data?.courses ?? NONE) : NONE;
  const [only] = courses;
  const isKnown = isReviewed || (settled && data !== undefined);
  const typedNumber = named?.by === 'number' && (named.certain || isKnown) ? named.number : null;
  const number = courses.length === 1 && only ? only.id : typedNumber;
  const waits = text !== '' && (named === null || (asks && (!settled || isFetching)));
  return {
    number,
    courses,
    more: data?.more ?? false,
    looking: waits && number === null,
    error: waits || number !== null ? null : error,
    retry: () => void refetch(),
    choose: courses.length > 1 ? texts.choose(courses.length, data?.more ?? false) : null,
    none: asks && settled && number === null && data?.courses.length === 0 ? noneFor(text) : null,
  };
}

/** Replaces the typed text by the found course in the review, so that it names the same course later. */
export function useFoundText(
  { number, courses }: CourseSearch,
  typed: string,
  reviewing: boolean,
  onText: (text: string) => void,
): void {
  const lms = useSettings()?.lms_url ?? null;
  const [only] = courses;
  const found = reviewing && courses.length === 1 && only?.id === number ? only : null;
  const text = found === null ? null : choiceText(found, courses, lms);
  const tell = useRef(onText);
  useEffect(() => {
    tell.current = onText;
  });
  useEffect(() => {
    if (text !== null && lms !== null && courseNumberOf(typed, lms) !== number) tell.current(text);
  }, [text, typed, number, lms]);
}

/** Returns the text for a search without a result: names that are too short are not searched for. */
const noneFor = (text: string) =>
  text.length < SHORTEST_COURSE_NAME ? texts.short(SHORTEST_COURSE_NAME) : `${texts.none} ${texts.noneNext}`;

/** Tells whether the server rejected the typed text; any other error says nothing about the text. */
export const isRefused = (error: unknown) => error instanceof ApiError && error.code === 'bad-request';

/** Explains why the course is not known at the moment; null if it is known. */
export function whyNotFound({ looking, error }: CourseSearch): string | null {
  if (looking) return texts.looking;
  return error === null || isRefused(error) ? null : texts.failed;
}

const NONE: readonly FoundCourse[] = [];

/**
 * Returns the text for the field when a course is chosen: a number that is also another course's SIS ID is ambiguous.
 */
export function choiceText({ id }: FoundCourse, courses: readonly FoundCourse[], lms: string | null): string {
  const isDoubtful = lms !== null && courses.some((other) => other.sis_course_id === String(id));
  return isDoubtful ? `${lms.replace(/\/$/, '')}/courses/${id}` : String(id);
}
