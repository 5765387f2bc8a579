/** Which course a person names, asked of the server once what is typed rests. */
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
  /** The course's number in the LMS; null until one course is meant. */
  number: number | null;
  courses: readonly FoundCourse[];
  /** Whether there are others that are not listed. */
  more: boolean;
  /** Whether it is not known yet which course is meant. */
  looking: boolean;
  /** Why it could not be looked up. */
  error: unknown;
  again: () => void;
  /** Why it cannot go on yet, in words; null: one course is meant, or nothing that could be. */
  choose: string | null;
  /** Why what was typed names no course, in words; null while that is not known, and where nothing was asked. */
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
 * The course that was typed. A number may be the SIS ID of another course, so that it counts only once the server has said.
 * @param isReviewed what was typed has been found before: its number counts as it is
 */
export function useCourseSearch(typed: string, isReviewed = false): CourseSearch {
  const lms = useSettings()?.lms_url ?? null;
  const text = typed.trim();
  // Without the address of the LMS no one knows whose an address is.
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
    again: () => void refetch(),
    choose: courses.length > 1 ? texts.choose(courses.length, data?.more ?? false) : null,
    none: asks && settled && number === null && data?.courses.length === 0 ? noneFor(text) : null,
  };
}

/** In the review what was typed gives way to what was found, so that it names the same course later. */
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

/** Text for a search without a result: too short a name is not searched for. */
const noneFor = (text: string) =>
  text.length < SHORTEST_COURSE_NAME ? texts.short(SHORTEST_COURSE_NAME) : `${texts.none} ${texts.noneNext}`;

/** Whether the server refuses what was typed; any other error says nothing about it. */
export const isRefused = (error: unknown) => error instanceof ApiError && error.code === 'bad-request';

/** Why no one can say at the moment which course is meant, in words; null where that is known. */
export function whyNotFound({ looking, error }: CourseSearch): string | null {
  if (looking) return texts.looking;
  return error === null || isRefused(error) ? null : texts.failed;
}

const NONE: readonly FoundCourse[] = [];

/** What to put into the field for a course of the list: a number that is another course's SIS ID too is no choice. */
export function choiceText({ id }: FoundCourse, courses: readonly FoundCourse[], lms: string | null): string {
  const isDoubtful = lms !== null && courses.some((other) => other.sis_course_id === String(id));
  return isDoubtful ? `${lms.replace(/\/$/, '')}/courses/${id}` : String(id);
}
