/**
 * Compares each row with the LMS again right before sending: a row is only sent if it still makes the reviewed change.
 * The plan records each person's state at that time, as the basis for an undo.
 */

import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { Admin } from '../auth/admin.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import type { CopiedPeople } from '../directory/copied-people.ts';
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

/** Number of places read at once; the client limits the calls in flight. */
const AT_ONCE = 32;

export interface PlanToRecheck extends ReviewedPlan {
  admin: Admin;
  courses: readonly StoredCourse[];
  signal: AbortSignal;
}

export interface Rechecked {
  /** The courses with the rows that still make the reviewed change. */
  courses: StoredCourse[];
  /** One sentence for each skipped person or section. */
  skipped: string[];
  /** Whether all skipped people are already in the state that the rows set. */
  settled: boolean;
  /** Rows of places that do not exist in the LMS. They are not sent, even if the place appears a moment later. */
  gone: Set<StoredRows>;
  /** People's states before the rows that are sent, by planned rows. */
  sent: Map<StoredRows, SentBefore>;
}

/**
 * Compares the rows of a plan with the LMS.
 * @throws CanvasError if the LMS is unavailable; the signal's reason
 */
export async function recheckRows(
  { canvas, people: lookups, copied }: { canvas: CanvasClient; people: People; copied: CopiedPeople },
  of: PlanToRecheck,
): Promise<Rechecked> {
  const shown = new ShownIds();
  const result: Rechecked = { courses: [], skipped: [], settled: true, gone: new Set(), sent: new Map() };
  const wanted = new Set<number>();
  const left = new Set<number>();
  const checked = await mapLimited([...of.courses], AT_ONCE, async (course) => {
    // Course Enrollment looks for people in the whole course; other plans look in one section.
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
    for (const { outcome } of found) {
      for (const index of outcome.people ?? []) wanted.add(index);
      for (const one of outcome.skipped) if (one.left !== undefined) left.add(one.left);
    }
    const all = wholeCourse?.enrollments ?? null;
    const changed = all ? [...changedInCourse(of, course, all), ...enrolledSince(of, course, all)] : [];
    return { course, found, changed };
  });
  const { admin, people, signal } = of;
  const replaced = await peopleReplaced(
    { people: lookups, copied },
    {
      admin,
      people,
      wanted,
      left,
      // All other plans name people by their SIS IDs.
      byAddress: of.plan.roleId !== null,
      shown,
      signal,
    },
  );
  result.skipped.push(...replaced.values());
  if (replaced.size > 0) result.settled = false;
  const isTheirs = (index: number) => !replaced.has(index);
  for (const { course, found, changed } of checked) {
    // Half a million people would block all other work without a pause.
    await yieldTurn();
    const rows: StoredRows[] = [];
    result.skipped.push(...changed);
    if (changed.length > 0) result.settled = false;
    for (const { rows: planned, outcome } of found) {
      // The enrolment may have moved to that person, as when two people are merged.
      for (const one of outcome.skipped)
        if (one.left === undefined || isTheirs(one.left)) result.skipped.push(one.message);
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
  const states = Object.entries(sent.states).map(
    ([state, indices]) => [state, indices.filter(isKept)] as const,
  );
  return { states: Object.fromEntries(states), had: sent.had.filter(([index]) => isKept(index)) };
}

function groupsOf({ plan }: PlanToRecheck, course: StoredCourse): Group[] {
  return course.rows.flatMap((rows) => {
    const roleId = rows.role ?? plan.roleId;
    const status = rows.status ?? plan.status;
    return roleId === null || status === null ? [] : [{ course, rows, roleId, status }];
  });
}

/** Returns the enrolments of the place that some groups of a course share. */
async function readPlace(
  canvas: CanvasClient,
  { admin, plan, people, signal, shown }: PlanToRecheck & { shown: ShownIds },
  groups: readonly Group[],
): Promise<Read> {
  const [first] = groups;
  if (!first) return { enrollments: [] };
  const { section } = first.rows;
  // Rows without a section number: their section is determined when sections are looked up.
  if (plan.roleId === null && section === null) return { enrollments: null, rows: 'passed' };
  const place = plan.roleId === null ? `sections/${section}` : `courses/${first.course.courseId}`;
  // Includes people without a row, whose state must still be as reviewed.
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
    // The review already reported this.
    if (groups.every(({ rows }) => rows.unread)) return { enrollments: null, rows: 'passed' };
    // Missing places are named when sections are looked up.
    if (error.kind === 'not-found') return { enrollments: null, rows: 'gone' };
    if (error.kind === 'refused' || error.kind === 'rejected') return { enrollments: null, rows: 'refused' };
    throw error;
  }
}
