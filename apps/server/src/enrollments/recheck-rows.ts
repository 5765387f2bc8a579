/**
 * Right before each sending, every row is compared with the LMS again: a row is sent only where it still does what was reviewed. What
 * each person was then is recorded with the plan, so that undoing compares with exactly that.
 */

import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { ExistingEnrollment } from '@lms-admin/domain/enrollment-plan';
import {
  checkRow,
  type DatedPeople,
  datesIn,
  type EnrollmentState,
  type RowStatus,
  sameDates,
  statesBySection,
  stateWords,
  usualBefore,
} from '@lms-admin/domain/enrollment-states';
import type { Admin } from '../auth/admin.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import type { StoredPerson, StoredPlan } from '../imports/plan-store.ts';
import { mapLimited } from '../platform/limited.ts';
import type { People } from '../users/people.ts';
import { changedInCourse, changedSince, enrolledSince, hasLeft, nameOf } from './others-since.ts';
import type { SentStates, StoredCourse, StoredRows } from './plan-store.ts';
import { readEnrollments, ShownIds } from './read-lms.ts';
import { peopleReplaced } from './same-people.ts';
import { touchedSince } from './section-difference.ts';

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
  sent: Map<StoredRows, SentBefore>;
}

/** What was there before rows: the states of people, and the dates of their own that some had. */
interface SentBefore {
  states: SentStates;
  had: DatedPeople;
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
export async function recheckRows(
  { canvas, people: lookups }: { canvas: CanvasClient; people: People },
  of: PlanToRecheck,
): Promise<Rechecked> {
  const shown = new ShownIds();
  const result: Rechecked = { courses: [], skipped: [], settled: true, gone: new Set(), sent: new Map() };
  const wanted = new Set<number>();
  const checked = await mapLimited([...of.courses], AT_ONCE, async (course) => {
    // Course Enrollment looks for people in the whole course, every other plan in one section.
    const wholeCourse =
      of.plan.roleId === null ? null : await readPlace(canvas, { ...of, shown }, groupsOf(of, course));
    const found: { rows: StoredRows; outcome: GroupOutcome }[] = [];
    for (const group of groupsOf(of, course)) {
      const read = wholeCourse ?? (await readPlace(canvas, { ...of, shown }, [group]));
      const left =
        wholeCourse !== null &&
        group.status === 'deleted' &&
        (await hasLeft(canvas, of, group, wholeCourse.enrollments));
      found.push({ rows: group.rows, outcome: checkGroup(group, left ? LEFT : read, of) });
    }
    for (const { outcome } of found) for (const index of outcome.people ?? []) wanted.add(index);
    const all = wholeCourse?.enrollments ?? null;
    const changed = all ? [...changedInCourse(of, course, all), ...enrolledSince(of, course, all)] : [];
    return { course, found, changed };
  });
  const { admin, people, signal } = of;
  const replaced = await peopleReplaced(lookups, {
    admin,
    people,
    wanted,
    // Every other plan names people by their SIS IDs.
    byAddress: of.plan.roleId !== null,
    shown,
    signal,
  });
  result.skipped.push(...replaced.values());
  if (replaced.size > 0) result.settled = false;
  const isTheirs = (index: number) => !replaced.has(index);
  for (const { course, found, changed } of checked) {
    // Half a million people would hold up everybody else.
    await yieldTurn();
    const rows: StoredRows[] = [];
    result.skipped.push(...changed);
    if (changed.length > 0) result.settled = false;
    for (const { rows: planned, outcome } of found) {
      result.skipped.push(...outcome.skipped);
      if (!outcome.settled) result.settled = false;
      if (outcome.people === null) continue;
      const kept = { ...planned, people: outcome.people.filter(isTheirs) };
      rows.push(kept);
      if (outcome.gone) result.gone.add(kept);
      if (outcome.sent !== null) result.sent.set(planned, onlyOf(outcome.sent, isTheirs));
    }
    result.courses.push({ ...course, rows });
  }
  return result;
}

function onlyOf(sent: SentBefore, isKept: (index: number) => boolean): SentBefore {
  const states = Object.entries(sent.states).map(([state, those]) => [state, those.filter(isKept)] as const);
  return { states: Object.fromEntries(states), had: sent.had.filter(([index]) => isKept(index)) };
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

const LEFT: Read = { enrollments: null, rows: 'gone' };

/** The enrolments of the place that some groups of a course share. */
async function readPlace(
  canvas: CanvasClient,
  { admin, plan, people, signal, shown }: PlanToRecheck & { shown: ShownIds },
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
        { roleId: first.roleId, sisIdOf, sisIds, alsoDeleted: first.rows.undoes?.left === 'deleted' },
        { admin, signal, shown },
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

const SET_AGAIN =
  'others have changed the enrolment since the review, though it is in the same state as then. LMS Admin left it as it is.';
const OTHER_DATES =
  'the enrolment has dates of its own that the review did not show, and the row would end them. Review it again.';

interface GroupOutcome {
  /** Who gets a row; null where the rows are left out as a whole. */
  people: number[] | null;
  skipped: string[];
  /** Whether everybody who is skipped is as the rows would make them. */
  settled: boolean;
  gone: boolean;
  sent: SentBefore | null;
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
  const isElsewhere = (sisId: string) => there?.has(sisId) === true && states.get(sisId) !== 'active';
  const before = new Map(rows.before);
  const linked = new Set(
    read.enrollments.flatMap((one) => (one.linked && one.state !== 'deleted' ? (one.userSisId ?? []) : [])),
  );
  const touched = touchedIn(group, read.enrollments);
  const outcome = {
    people: [] as number[],
    skipped: [] as string[],
    settled: true,
    gone: false,
    sent: { states: {} as Record<EnrollmentState, number[]>, had: [] as DatedPeople },
  };
  const dates = datesIn(read.enrollments, { roleId, sectionId: rows.section });
  const dated = new Map(rows.dated);
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
    const own = dates.get(sisId);
    const checked = checkRow({ status, planned: reviewed, now });
    if (status === 'deleted' && found === undefined && linked.has(sisId)) {
      // Reviewed by an earlier version, which took the link for an enrolment that rows reach.
      outcome.skipped.push(`${nameOf(name, sisId)} was skipped in ${where}: ${LINKED}`);
      outcome.settled = false;
    } else if (checked.sent && touched.has(sisId)) {
      outcome.skipped.push(`${nameOf(name, sisId)} was skipped in ${where}: ${SET_AGAIN}`);
      outcome.settled = false;
    } else if (
      checked.sent &&
      own &&
      status !== 'deleted' &&
      !rows.unread &&
      !sameDates(own, dated.get(index))
    ) {
      outcome.skipped.push(`${nameOf(name, sisId)} was skipped in ${where}: ${OTHER_DATES}`);
      outcome.settled = false;
    } else if (checked.sent) {
      outcome.people.push(index);
      (outcome.sent.states[checked.before] ??= []).push(index);
      if (own) outcome.sent.had.push([index, own]);
    } else {
      outcome.skipped.push(
        isElsewhere(sisId)
          ? `${nameOf(name, sisId)} was skipped in course ${course.sisCourseId}: they are active in another section of it already.`
          : `${nameOf(name, sisId)} was skipped in ${where}: ${whySkipped(checked, status, reviewed !== null)}`,
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

/** Of an undo: SIS ids of people whose enrolment others have changed since its review, be it back to the same state. */
function touchedIn({ rows, roleId }: Group, enrollments: readonly ExistingEnrollment[]): Set<string> {
  const { undoes, section: sectionId } = rows;
  if (undoes === undefined) return new Set();
  const ours = new Map(undoes.ours.map(([number, end]) => [number, end ?? Infinity]));
  const those = touchedSince(enrollments, { sectionId, roleId, left: undoes.left, ours });
  return new Set(those.flatMap(({ userSisId }) => userSisId ?? []));
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
