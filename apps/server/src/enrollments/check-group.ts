/** Checks for each person whether the rows of one section still make the reviewed changes to its current enrolments. */

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

/** The state before the rows were sent: people's states, and any dates of their own. */
export interface SentBefore {
  states: SentStates;
  had: DatedPeople;
}

/** Rows of one section, with all data needed to check them. */
export interface Group {
  course: StoredCourse;
  rows: StoredRows;
  roleId: number;
  status: RowStatus;
}

export type Read =
  | { enrollments: readonly ExistingEnrollment[] }
  /** `passed`: the rows are sent as reviewed; `refused`: they are skipped; `gone`: the LMS does not have the place. */
  | { enrollments: null; rows: 'passed' | 'refused' | 'gone' };

export const LEFT: Read = { enrollments: null, rows: 'gone' };

/** A sentence for skipped people or places. `left` is a person who no longer has the enrolment to remove. */
export interface Skipped {
  message: string;
  left?: number;
}

export interface GroupOutcome {
  /** People who get a row; null if none of the rows is sent. */
  people: number[] | null;
  skipped: Skipped[];
  /** Whether all skipped people are already in the state that the rows set. */
  settled: boolean;
  gone: boolean;
  sent: SentBefore | null;
}

export function checkGroup(group: Group, read: Read, { plan, people }: ReviewedPlan): GroupOutcome {
  const { rows } = group;
  const planned = rows.people ?? [...people.keys()];
  if (read.enrollments === null) return withoutReading(group, read.rows, planned);
  const now = placeNow(group, read.enrollments);
  const same = plan.roleId === null && !rows.unread ? changedSame(group, now, people) : [];
  const skipped = same.map((message): Skipped => ({ message }));
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
      const left = checked.settled && group.status === 'deleted';
      skipped.push({ message: checked.message, ...(left ? { left: index } : {}) });
      if (!checked.settled) settled = false;
    }
  }
  return { people: kept, skipped, settled, gone: false, sent };
}

/** Returns the result for the rows of a place whose enrolments could not be read. */
function withoutReading(group: Group, found: 'passed' | 'refused' | 'gone', planned: number[]): GroupOutcome {
  if (found !== 'refused')
    return { people: planned, skipped: [], settled: true, gone: found === 'gone', sent: null };
  const reason = 'the LMS no longer lets you read its enrolments, so nothing could be compared.';
  return {
    people: null,
    skipped:
      planned.length === 0 ? [] : [{ message: `The rows of ${whereOf(group)} were skipped: ${reason}` }],
    settled: false,
    gone: false,
    sent: null,
  };
}

function whereOf({ course, rows }: Group): string {
  return `course ${course.sisCourseId}${rows.name === null ? '' : `, section '${rows.name}'`}`;
}

/** Current enrolments of the place by SIS ID, and the reviewed state by index of the person. */
interface PlaceNow {
  states: ReadonlyMap<string, EnrollmentState>;
  /** For an addition: people who are active in any of the enrolments that were read. */
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
    // As in the review, people count as enrolled with the role in any section, or as an observer linked to a student.
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
  // A section that an earlier import created for the same people.
  const sectionIds = new Set([sis, `${sis}-${courseId}`]);
  const enrolled = all.filter(({ sisSectionId }) => sis !== '' && sectionIds.has(sisSectionId ?? ''));
  const [sectionId] = enrolled.map((one) => one.sectionId);
  return (
    (sectionId === undefined ? undefined : statesBySection(enrolled, roleId).get(sectionId)) ?? new Map()
  );
}

/** Finds SIS IDs of people whose enrolment others changed since the review, even back to its state, for an undo. */
function touchedIn({ rows, roleId }: Group, enrollments: readonly ExistingEnrollment[]): Set<string> {
  const { undoes, section: sectionId } = rows;
  if (undoes === undefined) return new Set();
  const ours = new Map(undoes.ours.map(([number, end]) => [number, end ?? Infinity]));
  const touched = touchedSince(enrollments, { sectionId, roleId, left: undoes.left, ours });
  return new Set(touched.flatMap(({ userSisId }) => userSisId ?? []));
}

/** Returns a sentence for each person without a row whom others have changed since the review. */
function changedSame(group: Group, { there, states }: PlaceNow, people: readonly StoredPerson[]): string[] {
  const same = (group.rows.same ?? []).map((index) => people[index]);
  const stateOf = (sisId: string) => (there?.has(sisId) ? 'active' : (states.get(sisId) ?? 'deleted'));
  return changedSince(same, { status: group.status, where: whereOf(group), stateOf });
}

const LINKED =
  'they are enrolled there as an observer linked to a student. To remove them, end the link in the LMS.';

const CHANGED_SINCE =
  'another import or someone in the LMS has changed the enrolment since the review, although its state is the same as before. LMS Admin left it unchanged.';
const OTHER_DATES =
  'the enrolment has its own dates, which the review did not show and the row would remove. Review it again.';

type PersonOutcome =
  | { sent: true; before: EnrollmentState; own: EnrollmentDates | undefined }
  /** `settled`: the person is already in the state that the row sets. */
  | { sent: false; message: string; settled: boolean };

function checkPerson(group: Group, place: PlaceNow, index: number, person: StoredPerson): PersonOutcome {
  const { rows, status, course } = group;
  const [, name, sisId, id] = person;
  const { states, there, reviewed } = place;
  const planned = rows.unread ? null : (reviewed.before.get(index) ?? usualBefore(status));
  const found = there?.has(sisId) ? 'active' : states.get(sisId);
  // Plans of earlier versions have no user ids, so a person who is not found may just have another SIS ID.
  const now = found ?? (id === undefined ? (planned ?? 'deleted') : 'deleted');
  const own = place.dates.get(sisId);
  const checked = checkRow({ status, planned, now });
  const skipped = (why: string, settled = false, where = whereOf(group)): PersonOutcome => ({
    sent: false,
    message: `${nameOf(name, sisId)} was skipped in ${where}: ${why}`,
    settled,
  });
  // An earlier version reviewed this plan and treated the observer link as an ordinary enrolment.
  if (status === 'deleted' && found === undefined && place.linked.has(sisId)) return skipped(LINKED);
  if (!checked.sent) {
    const settled = checked.why === 'there';
    return there?.has(sisId) && states.get(sisId) !== 'active'
      ? skipped(ELSEWHERE, settled, `course ${course.sisCourseId}`)
      : skipped(whySkipped(checked, status, planned !== null), settled);
  }
  if (place.touched.has(sisId)) return skipped(CHANGED_SINCE);
  const endsDates = own && status !== 'deleted' && !rows.unread;
  if (endsDates && !sameDates(own, reviewed.dated.get(index))) return skipped(OTHER_DATES);
  return { sent: true, before: checked.before, own };
}

const ELSEWHERE = 'they are already active in another section of this course.';

function whySkipped(
  { why, now }: { why: 'there' | 'changed'; now: EnrollmentState },
  status: RowStatus,
  wasRead: boolean,
): string {
  if (why === 'changed')
    return `another import or someone in the LMS has changed the enrolment since the review. It is now ${stateWords(now)}.`;
  if (status === 'deleted' && !wasRead) return 'they are not enrolled there.';
  return status === 'deleted'
    ? 'the enrolment has been removed since the review.'
    : `the enrolment is already ${stateWords(now)}.`;
}
