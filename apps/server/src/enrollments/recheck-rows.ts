/**
 * Right before each sending, every row is compared with the LMS again: a row is sent only where it still does what was reviewed. What
 * each person was then is recorded with the plan, so that undoing compares with exactly that.
 */

import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { Admin } from '../auth/admin.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import type { People } from '../users/people.ts';
import {
  checkGroup,
  type Group,
  type GroupOutcome,
  LEFT,
  type Read,
  type SentBefore,
} from './check-group.ts';
import { changedInCourse, enrolledSince, hasLeft, type ReviewedPlan } from './others-since.ts';
import type { StoredCourse, StoredRows } from './plan-store.ts';
import { readEnrollments, ShownIds } from './read-lms.ts';
import { peopleReplaced } from './same-people.ts';

/** Places being read at once; the client decides how many calls of them are in flight. */
const AT_ONCE = 32;

export interface PlanToRecheck extends ReviewedPlan {
  admin: Admin;
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
