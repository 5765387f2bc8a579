/**
 * Right before each sending, every row is compared with the LMS again: a row is sent only where it still does what was reviewed. What
 * each person was then is recorded with the plan, so that undoing compares with exactly that.
 */

import type { ExistingEnrollment } from '@lms-admin/domain/enrollment-plan';
import {
  checkRow,
  type EnrollmentState,
  type RowStatus,
  statesBySection,
  stateWords,
  usualBefore,
} from '@lms-admin/domain/enrollment-states';
import type { Admin } from '../auth/admin.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import type { StoredPerson, StoredPlan } from '../imports/plan-store.ts';
import { mapLimited } from '../platform/limited.ts';
import type { SentStates, StoredCourse, StoredRows } from './plan-store.ts';
import { readEnrollments } from './read-lms.ts';

/** Places being read at once; the client decides how many calls of them are in flight. */
const AT_ONCE = 32;

export interface PlanToRecheck {
  admin: Admin;
  plan: Pick<StoredPlan, 'roleId' | 'status'>;
  people: readonly StoredPerson[];
  courses: readonly StoredCourse[];
  signal: AbortSignal;
}

export interface Rechecked {
  /** The courses with the rows that still do what was reviewed. */
  courses: StoredCourse[];
  /** A sentence for each person or section that is skipped. */
  skipped: string[];
  /** Whether everybody who is skipped is as the rows would make them. */
  settled: boolean;
  /** Rows of places that the LMS says it does not have: they are sent nowhere, even if it shows the place a moment later. */
  gone: Set<StoredRows>;
  /** What was there before each row that is sent, by the rows as they were planned. */
  sent: Map<StoredRows, SentStates>;
}

/** Rows of one section, with all that a check of them needs. */
interface Group {
  course: StoredCourse;
  rows: StoredRows;
  roleId: number;
  status: RowStatus;
}

/**
 * Compares the rows of a plan with the LMS.
 * @throws CanvasError when the LMS cannot be asked at the moment; the signal's reason
 */
export async function recheckRows(canvas: CanvasClient, of: PlanToRecheck): Promise<Rechecked> {
  const result: Rechecked = { courses: [], skipped: [], settled: true, gone: new Set(), sent: new Map() };
  const checked = await mapLimited([...of.courses], AT_ONCE, async (course) => {
    // Course Enrollment looks for people in the whole course, every other plan in one section.
    const wholeCourse = of.plan.roleId === null ? null : await readPlace(canvas, of, groupsOf(of, course));
    const found: { rows: StoredRows; outcome: GroupOutcome }[] = [];
    for (const group of groupsOf(of, course)) {
      const read = wholeCourse ?? (await readPlace(canvas, of, [group]));
      found.push({ rows: group.rows, outcome: checkGroup(group, read, of) });
    }
    return { course, found, changed: wholeCourse ? changedInCourse(of, course, wholeCourse) : [] };
  });
  for (const { course, found, changed } of checked) {
    const rows: StoredRows[] = [];
    result.skipped.push(...changed);
    if (changed.length > 0) result.settled = false;
    for (const { rows: planned, outcome } of found) {
      result.skipped.push(...outcome.skipped);
      if (!outcome.settled) result.settled = false;
      if (outcome.people === null) continue;
      const kept = { ...planned, people: outcome.people };
      rows.push(kept);
      if (outcome.gone) result.gone.add(kept);
      if (outcome.sent !== null) result.sent.set(planned, outcome.sent);
    }
    result.courses.push({ ...course, rows });
  }
  return result;
}

function groupsOf({ plan }: PlanToRecheck, course: StoredCourse): Group[] {
  return course.rows.flatMap((rows) => {
    const roleId = rows.role ?? plan.roleId;
    const status = rows.status ?? plan.status;
    return roleId === null || status === null ? [] : [{ course, rows, roleId, status }];
  });
}

type Read =
  | { enrollments: readonly ExistingEnrollment[] }
  /** `passed`: the rows are sent as they were reviewed; `refused`: they are not; `gone`: the LMS says that it does not have the place. */
  | { enrollments: null; rows: 'passed' | 'refused' | 'gone' };

/** The enrolments of the place that some groups of a course share. */
async function readPlace(
  canvas: CanvasClient,
  { admin, plan, people, signal }: PlanToRecheck,
  groups: readonly Group[],
): Promise<Read> {
  const [first] = groups;
  if (!first) return { enrollments: [] };
  const { section } = first.rows;
  // Rows that name no section of the LMS: which one they mean is decided when sections are looked up.
  if (plan.roleId === null && section === null) return { enrollments: null, rows: 'passed' };
  const place = plan.roleId === null ? `sections/${section}` : `courses/${first.course.courseId}`;
  // Those who get no row, too: they are to be there, or not there, as the review said.
  const wanted =
    plan.roleId === null
      ? groups.flatMap(({ rows }) => [...(rows.people ?? people.keys()), ...(rows.same ?? [])])
      : [...people.keys()];
  const sisIdOf = new Map<number, string>();
  const sisIds = new Set<string>();
  for (const index of wanted) {
    const [, , sisId, id] = people[index] ?? ['', '', ''];
    if (id === undefined) sisIds.add(sisId);
    else sisIdOf.set(id, sisId);
  }
  try {
    return {
      enrollments: await readEnrollments(
        canvas,
        place,
        { roleId: first.roleId, sisIdOf, sisIds },
        { admin, signal },
      ),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CanvasError) || error.ofToken) throw error;
    // The review said so already.
    if (groups.every(({ rows }) => rows.unread)) return { enrollments: null, rows: 'passed' };
    // What is gone is named when sections are looked up.
    if (error.kind === 'not-found') return { enrollments: null, rows: 'gone' };
    if (error.kind === 'refused' || error.kind === 'rejected') return { enrollments: null, rows: 'refused' };
    throw error;
  }
}

const LINKED =
  'they are there as an observer linked to a student. End the link in the LMS, or use SIS Import with the column associated_user_id.';

interface GroupOutcome {
  /** Who gets a row; null where the rows are left out as a whole. */
  people: number[] | null;
  skipped: string[];
  /** Whether everybody who is skipped is as the rows would make them. */
  settled: boolean;
  gone: boolean;
  sent: SentStates | null;
}

function checkGroup(group: Group, read: Read, { plan, people }: PlanToRecheck): GroupOutcome {
  const { rows, roleId, status, course } = group;
  const planned = rows.people ?? [...people.keys()];
  const where = `course ${course.sisCourseId}${rows.name === null ? '' : `, section '${rows.name}'`}`;
  if (read.enrollments === null) {
    if (read.rows !== 'refused')
      return { people: planned, skipped: [], settled: true, gone: read.rows === 'gone', sent: null };
    const reason = 'the LMS no longer lets you read its enrolments, so nothing could be compared.';
    return {
      people: null,
      skipped: planned.length === 0 ? [] : [`The rows of ${where} were skipped: ${reason}`],
      settled: false,
      gone: false,
      sent: null,
    };
  }
  const states = statesOf(group, read.enrollments);
  // As in the review: who has the role in any section of the course, or as an observer linked to a student, is there.
  const there =
    status === 'active'
      ? new Set(read.enrollments.flatMap((one) => (one.state === 'active' ? (one.userSisId ?? []) : [])))
      : null;
  const before = new Map(rows.before);
  const linked = new Set(read.enrollments.flatMap((one) => (one.linked ? (one.userSisId ?? []) : [])));
  const outcome = {
    people: [] as number[],
    skipped: [] as string[],
    settled: true,
    gone: false,
    sent: {} as Record<EnrollmentState, number[]>,
  };
  if (plan.roleId === null && !rows.unread) {
    const same = (rows.same ?? []).map((index) => people[index]);
    const stateOf = (sisId: string) => (there?.has(sisId) ? 'active' : (states.get(sisId) ?? 'deleted'));
    outcome.skipped.push(...changedSince(same, { status, where, stateOf }));
    outcome.settled = outcome.skipped.length === 0;
  }
  for (const index of planned) {
    const [, name, sisId, id] = people[index] ?? ['', '', ''];
    const reviewed = rows.unread ? null : (before.get(index) ?? usualBefore(status));
    const found = there?.has(sisId) ? 'active' : states.get(sisId);
    // A plan of an earlier version keeps no number of a person: who is not found may bear another SIS id.
    const now = found ?? (id === undefined ? (reviewed ?? 'deleted') : 'deleted');
    const checked = checkRow({ status, planned: reviewed, now });
    if (status === 'deleted' && found === undefined && linked.has(sisId)) {
      // Reviewed by an earlier version, which took the link for an enrolment that rows reach.
      outcome.skipped.push(`${nameOf(name, sisId)} was skipped in ${where}: ${LINKED}`);
      outcome.settled = false;
    } else if (checked.sent) {
      outcome.people.push(index);
      (outcome.sent[checked.before] ??= []).push(index);
    } else {
      outcome.skipped.push(
        `${nameOf(name, sisId)} was skipped in ${where}: ${whySkipped(checked, status, reviewed !== null)}`,
      );
      if (checked.why !== 'there') outcome.settled = false;
    }
  }
  return outcome;

  function statesOf(
    { rows: { section, sis }, course: { courseId } }: Group,
    all: readonly ExistingEnrollment[],
  ) {
    if (section !== null)
      return statesBySection(all, roleId).get(section) ?? new Map<string, EnrollmentState>();
    // A section that an earlier import made for the same people.
    const made = new Set([sis, `${sis}-${courseId}`]);
    const those = all.filter(({ sisSectionId }) => sis !== '' && made.has(sisSectionId ?? ''));
    const [sectionId] = those.map((one) => one.sectionId);
    return (
      (sectionId === undefined ? undefined : statesBySection(those, roleId).get(sectionId)) ??
      new Map<string, EnrollmentState>()
    );
  }
}

const nameOf = (name: string, sisId: string) => (name === '' ? sisId : `${name} (${sisId})`);

/** Of people who were asked for and get no row of a course: who is not any more as the review said. */
function changedInCourse(
  { plan: { roleId, status }, people }: PlanToRecheck,
  course: StoredCourse,
  read: Read,
) {
  const { rows, sisCourseId } = course;
  if (read.enrollments === null || roleId === null || status === null) return [];
  if (rows.some((one) => one.people === null || one.unread)) return [];
  const planned = new Set(rows.flatMap((one) => one.people ?? []));
  const of = new Map<string, EnrollmentState>();
  for (const { userSisId, state, linked = false } of read.enrollments) {
    // A removal leaves linked observers where they are.
    if (linked && status === 'deleted') continue;
    if (userSisId !== null && of.get(userSisId) !== 'active') of.set(userSisId, state);
  }
  const others = people.filter((_, index) => !planned.has(index));
  const stateOf = (sisId: string) => of.get(sisId) ?? 'deleted';
  return changedSince(others, { status, where: `course ${sisCourseId}`, stateOf });
}

/** A sentence for each person who was to stay as they were, and whom others have changed since the review. */
function changedSince(
  people: readonly (StoredPerson | undefined)[],
  of: { status: RowStatus; where: string; stateOf: (sisId: string) => EnrollmentState },
): string[] {
  const { status, where, stateOf } = of;
  return people.flatMap((person) => {
    // A plan of an earlier version keeps no number of a person: who is not found may bear another SIS id.
    if (person?.[3] === undefined) return [];
    const [, name, sisId] = person;
    const now = stateOf(sisId);
    if (now === status) return [];
    const was = status === 'deleted' ? 'was not enrolled' : `was ${stateWords(status)}`;
    return `${nameOf(name, sisId)} ${was} in ${where} at the review and is ${stateWords(now)} now: others have changed it. LMS Admin left it as it is.`;
  });
}

function whySkipped(
  { why, now }: { why: 'there' | 'changed'; now: EnrollmentState },
  status: RowStatus,
  wasRead: boolean,
): string {
  if (why === 'changed')
    return `others have changed the enrolment since the review. It is now ${stateWords(now)}.`;
  if (status === 'deleted' && !wasRead) return 'they are not enrolled there.';
  return status === 'deleted'
    ? 'the enrolment has been removed since the review.'
    : `the enrolment is already ${stateWords(now)}.`;
}
