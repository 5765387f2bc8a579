/** Whether the rows of one section still do what was reviewed, person by person, by what the LMS shows of the section now. */

import type { ExistingEnrollment } from '@lms-admin/domain/enrollment-plan';
import {
  checkRow,
  type DatedPeople,
  datesIn,
  type EnrollmentDates,
  type EnrollmentState,
  type RowStatus,
  sameDates,
  statesBySection,
  stateWords,
  usualBefore,
} from '@lms-admin/domain/enrollment-states';
import type { StoredPerson } from '../plans/store.ts';
import { changedSince, nameOf, type ReviewedPlan } from './others-since.ts';
import type { SentStates, StoredCourse, StoredRows } from './plan-store.ts';
import { touchedSince } from './section-difference.ts';

/** What was there before rows: the states of people, and the dates of their own that some had. */
export interface SentBefore {
  states: SentStates;
  had: DatedPeople;
}

/** Rows of one section, with all that a check of them needs. */
export interface Group {
  course: StoredCourse;
  rows: StoredRows;
  roleId: number;
  status: RowStatus;
}

export type Read =
  | { enrollments: readonly ExistingEnrollment[] }
  /** `passed`: the rows are sent as they were reviewed; `refused`: they are not; `gone`: the LMS says that it does not have the place. */
  | { enrollments: null; rows: 'passed' | 'refused' | 'gone' };

export const LEFT: Read = { enrollments: null, rows: 'gone' };

export interface GroupOutcome {
  /** Who gets a row; null where the rows are left out as a whole. */
  people: number[] | null;
  skipped: string[];
  /** Whether everybody who is skipped is as the rows would make them. */
  settled: boolean;
  gone: boolean;
  sent: SentBefore | null;
}

export function checkGroup(group: Group, read: Read, { plan, people }: ReviewedPlan): GroupOutcome {
  const { rows } = group;
  const planned = rows.people ?? [...people.keys()];
  if (read.enrollments === null) return withoutReading(group, read.rows, planned);
  const now = placeNow(group, read.enrollments);
  const skipped = plan.roleId === null && !rows.unread ? changedSame(group, now, people) : [];
  let settled = skipped.length === 0;
  const kept: number[] = [];
  const sent = { states: {} as Record<EnrollmentState, number[]>, had: [] as DatedPeople };
  for (const index of planned) {
    const checked = checkPerson(group, now, index, people[index] ?? ['', '', '']);
    if (checked.sent) {
      kept.push(index);
      (sent.states[checked.before] ??= []).push(index);
      if (checked.own) sent.had.push([index, checked.own]);
    } else {
      skipped.push(checked.said);
      if (!checked.settled) settled = false;
    }
  }
  return { people: kept, skipped, settled, gone: false, sent };
}

/** Rows of a place whose enrolments could not be read. */
function withoutReading(group: Group, found: 'passed' | 'refused' | 'gone', planned: number[]): GroupOutcome {
  if (found !== 'refused')
    return { people: planned, skipped: [], settled: true, gone: found === 'gone', sent: null };
  const reason = 'the LMS no longer lets you read its enrolments, so nothing could be compared.';
  return {
    people: null,
    skipped: planned.length === 0 ? [] : [`The rows of ${whereOf(group)} were skipped: ${reason}`],
    settled: false,
    gone: false,
    sent: null,
  };
}

function whereOf({ course, rows }: Group): string {
  return `course ${course.sisCourseId}${rows.name === null ? '' : `, section '${rows.name}'`}`;
}

/** What the LMS shows of the place of a group, by the SIS IDs of people; and by their indexes what was reviewed. */
interface PlaceNow {
  states: ReadonlyMap<string, EnrollmentState>;
  /** Of an addition: who is active anywhere in what was read. */
  there: ReadonlySet<string> | null;
  linked: ReadonlySet<string>;
  touched: ReadonlySet<string>;
  dates: ReadonlyMap<string, EnrollmentDates>;
  reviewed: { before: ReadonlyMap<number, EnrollmentState>; dated: ReadonlyMap<number, EnrollmentDates> };
}

function placeNow(group: Group, enrollments: readonly ExistingEnrollment[]): PlaceNow {
  const { rows, roleId, status } = group;
  return {
    states: statesOf(group, enrollments),
    // As in the review: who has the role in any section of the course, or as an observer linked to a student, is there.
    there:
      status === 'active'
        ? new Set(enrollments.flatMap((one) => (one.state === 'active' ? (one.userSisId ?? []) : [])))
        : null,
    linked: new Set(
      enrollments.flatMap((one) => (one.linked && one.state !== 'deleted' ? (one.userSisId ?? []) : [])),
    ),
    touched: touchedIn(group, enrollments),
    dates: datesIn(enrollments, { roleId, sectionId: rows.section }),
    reviewed: { before: new Map(rows.before), dated: new Map(rows.dated) },
  };
}

function statesOf(
  { rows: { section, sis }, roleId, course: { courseId } }: Group,
  all: readonly ExistingEnrollment[],
): ReadonlyMap<string, EnrollmentState> {
  if (section !== null) return statesBySection(all, roleId).get(section) ?? new Map();
  // A section that an earlier import made for the same people.
  const made = new Set([sis, `${sis}-${courseId}`]);
  const those = all.filter(({ sisSectionId }) => sis !== '' && made.has(sisSectionId ?? ''));
  const [sectionId] = those.map((one) => one.sectionId);
  return (sectionId === undefined ? undefined : statesBySection(those, roleId).get(sectionId)) ?? new Map();
}

/** Of an undo: SIS IDs of people whose enrolment others have changed since its review, be it back to the same state. */
function touchedIn({ rows, roleId }: Group, enrollments: readonly ExistingEnrollment[]): Set<string> {
  const { undoes, section: sectionId } = rows;
  if (undoes === undefined) return new Set();
  const ours = new Map(undoes.ours.map(([number, end]) => [number, end ?? Infinity]));
  const those = touchedSince(enrollments, { sectionId, roleId, left: undoes.left, ours });
  return new Set(those.flatMap(({ userSisId }) => userSisId ?? []));
}

/** A sentence for each person who was to stay as they were, and whom others have changed since the review. */
function changedSame(group: Group, { there, states }: PlaceNow, people: readonly StoredPerson[]): string[] {
  const same = (group.rows.same ?? []).map((index) => people[index]);
  const stateOf = (sisId: string) => (there?.has(sisId) ? 'active' : (states.get(sisId) ?? 'deleted'));
  return changedSince(same, { status: group.status, where: whereOf(group), stateOf });
}

const LINKED = 'they are there as an observer linked to a student. To remove them, end the link in the LMS.';

const SET_AGAIN =
  'another import, or a person in the LMS, has changed the enrolment since the review, though it is in the same state as then. LMS Admin left it as it is.';
const OTHER_DATES =
  'the enrolment has dates of its own that the review did not show, and the row would end them. Review it again.';

type PersonOutcome =
  | { sent: true; before: EnrollmentState; own: EnrollmentDates | undefined }
  /** `settled`: the person is as the row would make them. */
  | { sent: false; said: string; settled: boolean };

function checkPerson(group: Group, place: PlaceNow, index: number, person: StoredPerson): PersonOutcome {
  const { rows, status, course } = group;
  const [, name, sisId, id] = person;
  const { states, there, reviewed } = place;
  const planned = rows.unread ? null : (reviewed.before.get(index) ?? usualBefore(status));
  const found = there?.has(sisId) ? 'active' : states.get(sisId);
  // A plan of an earlier version keeps no number of a person: who is not found may bear another SIS ID.
  const now = found ?? (id === undefined ? (planned ?? 'deleted') : 'deleted');
  const own = place.dates.get(sisId);
  const checked = checkRow({ status, planned, now });
  const skipped = (why: string, settled = false, where = whereOf(group)): PersonOutcome => ({
    sent: false,
    said: `${nameOf(name, sisId)} was skipped in ${where}: ${why}`,
    settled,
  });
  // Reviewed by an earlier version, which took the link for an enrolment that rows reach.
  if (status === 'deleted' && found === undefined && place.linked.has(sisId)) return skipped(LINKED);
  if (!checked.sent) {
    const settled = checked.why === 'there';
    return there?.has(sisId) && states.get(sisId) !== 'active'
      ? skipped(ELSEWHERE, settled, `course ${course.sisCourseId}`)
      : skipped(whySkipped(checked, status, planned !== null), settled);
  }
  if (place.touched.has(sisId)) return skipped(SET_AGAIN);
  const endsDates = own && status !== 'deleted' && !rows.unread;
  if (endsDates && !sameDates(own, reviewed.dated.get(index))) return skipped(OTHER_DATES);
  return { sent: true, before: checked.before, own };
}

const ELSEWHERE = 'they are active in another section of it already.';

function whySkipped(
  { why, now }: { why: 'there' | 'changed'; now: EnrollmentState },
  status: RowStatus,
  wasRead: boolean,
): string {
  if (why === 'changed')
    return `another import, or a person in the LMS, has changed the enrolment since the review. It is now ${stateWords(now)}.`;
  if (status === 'deleted' && !wasRead) return 'they are not enrolled there.';
  return status === 'deleted'
    ? 'the enrolment has been removed since the review.'
    : `the enrolment is already ${stateWords(now)}.`;
}
