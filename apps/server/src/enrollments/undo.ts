/** Undo of an enrolment import: a separate plan, compared with the LMS, reviewed and submitted like any other. */

import type { SectionPerson, UndoPlan, UndoRequest } from '@lms-admin/contract/enrollments';
import { UNDO_KINDS } from '@lms-admin/contract/plan-kinds';
import { requireTool, roleLevelOf } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { createLmsImports } from '../imports/lms-imports.ts';
import { noSuchPlan, readPlan } from '../plans/store.ts';
import { lmsNumbersOf, requireUndoable } from '../plans/undo.ts';
import { mapLimited } from '../platform/limited.ts';
import { keptObservers } from './kept-observers.ts';
import { type PlanServices, requireRole, requireRows } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { readOrWhy } from './read-lms.ts';
import type { OwnImports } from './requested-sections.ts';
import type { WorkedOut } from './section-reading.ts';
import { planSections, sectionPeople, type WhichSection } from './section-work.ts';
import { type UndoneRows, undoneRows } from './undo-rows.ts';

/** Number of imports looked up at once. */
const AT_ONCE = 4;

/** Tools whose imports can be undone. */
export type UndoTool = Exclude<keyof typeof UNDO_KINDS, 'group-enrollment'>;

export interface Undo {
  /**
   * Checks the request before any work.
   * @throws AppError not-allowed; not-found if they have no such import; conflict if it cannot be undone now
   */
  check(admin: Admin, request: UndoRequest): Promise<{ label: string }>;
  /** Makes the plan and stores it for a day. @throws like `check`; too-many-rows; the signal's reason */
  make(admin: Admin, request: UndoRequest, id: string, progress: PlanProgress): Promise<UndoPlan>;
}

/** Reads undo plans, whichever tool made them. */
export interface UndoPlans {
  /** @throws AppError not-found */
  get(admin: Admin, id: string): Promise<UndoPlan>;
  /** Returns the people in one of its sections. @throws AppError not-found */
  people(admin: Admin, id: string, which: WhichSection): Promise<SectionPerson[]>;
}

/** Creates the undo of one tool's imports. */
export function createUndo(services: PlanServices, tool: UndoTool): Undo {
  const { db } = services.db;
  const level = roleLevelOf(tool);

  const read = (admin: Admin, request: UndoRequest) => requireUndoable(services, admin, tool, request.import);

  return {
    async check(admin, request) {
      const { row } = await read(admin, request);
      return { label: `Review: undo “${row.label}”` };
    },
    async make(admin, request, id, progress) {
      const { row, plan, prefix } = await read(admin, request);
      const undone = await undoneRows(
        { db, canvas: services.canvas },
        {
          admin,
          importId: row.id,
          ours: await ownImports(services, admin, row.id, progress.signal),
          plan,
          signal: progress.signal,
        },
      );
      const { requested } = undone;
      for (const role of new Set(requested.map(({ roleId }) => roleId))) requireRole(admin, role, level);
      requireRows(
        requested.reduce((rows, one) => rows + one.users.length, 0),
        services.config.maxEnrollmentRows,
      );
      const undoes = { import: row.id, label: row.label };
      return planSections(
        // A course may have a new SIS ID that is not cached yet; rows with the old one would be rejected.
        { ...services, scope: services.scope.withoutCache() },
        {
          admin,
          tool,
          kind: UNDO_KINDS[tool],
          id,
          requested,
          naming: 'where-needed',
          numbers: undone.numbers,
          prefix,
          async review(worked, leftOut) {
            const parts = undoParts(undone, worked, leftOut);
            const observers = await keptObservers(services, worked, { admin, signal: progress.signal });
            const more: UndoParts = { undoes, ...parts, kept: [...parts.kept, ...observers] };
            // People who are not found are listed by name among those who stay unchanged.
            const entries = worked.filter(isShown).map(({ entry }) => ({ ...entry, not_found: [] }));
            return { entries: together(entries), left_out: [], more };
          },
        },
        progress,
      );
    },
  };
}

/**
 * Returns the import and all imports that undo or redo it. If the LMS does not report an end, nothing counts as changed
 * later.
 * @throws CanvasError if a token is refused
 */
async function ownImports(
  { db: { db }, canvas }: PlanServices,
  { token }: Admin,
  id: string,
  signal: AbortSignal,
): Promise<OwnImports> {
  const lms = createLmsImports(canvas);
  const ends = await mapLimited(await lmsNumbersOf(db, id), AT_ONCE, async (number) => {
    const read = await readOrWhy({ read: 'import', of: 'this plan' }, signal, () =>
      lms.get(token, number, signal),
    );
    return [number, 'unread' in read ? Infinity : (read.endedAt?.getTime() ?? Infinity)] as const;
  });
  return new Map(ends);
}

type UndoParts = Pick<UndoPlan, 'undoes' | 'kept' | 'sections' | 'as_reviewed'>;

/** Returns whether the review's table lists a section. If everyone in it stays unchanged, it is only listed in `kept`. */
function isShown({ entry, difference: { unread, rows, untouched } }: WorkedOut): boolean {
  if (entry.failed.length > 0) return true;
  return unread === null && rows.length + untouched.length > 0;
}

type Entry = WorkedOut['entry'];

/** Merges entries of the same section, role and new state, whatever the previous state. */
function together(entries: readonly Entry[]): Entry[] {
  const shown = new Map<string, Entry>();
  for (const one of entries) {
    const key = `${one.section.id} ${one.role.id} ${one.status}`;
    const same = shown.get(key);
    shown.set(key, same ? sum(same, one) : one);
  }
  return [...shown.values()];
}

function sum(a: Entry, b: Entry): Entry {
  return {
    ...a,
    asked: a.asked + b.asked,
    found: a.found + b.found,
    add: a.add + b.add,
    reactivated: a.reactivated + b.reactivated,
    already: a.already + b.already,
    remove: a.remove + b.remove,
    not_enrolled: a.not_enrolled + b.not_enrolled,
    rows: a.rows + b.rows,
    unrestorable: [...a.unrestorable, ...b.unrestorable],
    dates_end: [...a.dates_end, ...b.dates_end],
    dates_set: [...a.dates_set, ...b.dates_set],
    linked: [...a.linked, ...b.linked],
    failed: [...new Set([...a.failed, ...b.failed])],
  };
}

/** Returns the people who stay unchanged, and why. */
function undoParts(
  { requested, kept, sections, nameOf, asReviewed }: UndoneRows,
  worked: readonly WorkedOut[],
  leftOut: UndoPlan['left_out'],
): Omit<UndoParts, 'undoes'> {
  const named = (users: readonly string[]) =>
    users.map((user) => ({ person: nameOf.get(user) || user, state: '' }));
  const gone = (where: { course: string; section: string }, users: readonly string[]): UndoPlan['kept'] => {
    const who = named(users);
    return who.length === 0 ? [] : [{ ...where, people: who.length, why: 'gone', who }];
  };
  const compared = worked.flatMap(({ section, people, difference, entry }): UndoPlan['kept'] => {
    const where = { course: entry.course.sis_course_id, section: entry.section.name };
    const { changed, stays, unread } = difference;
    const keep = (
      why: 'changed' | 'state' | 'unanswered',
      members: readonly [at: number, state: string][],
    ) => {
      const who = members.map(([at, state]) => ({
        person: nameOf.get(people[at]?.requestedId ?? '') || people[at]?.name || '',
        state,
      }));
      return who.length === 0 ? [] : [{ ...where, people: who.length, why, who }];
    };
    if (unread !== null)
      return [
        ...gone(where, entry.not_found),
        ...keep(
          'unanswered',
          people.map((_, at) => [at, '']),
        ),
      ];
    const before = section.undoes?.before ?? '';
    return [
      ...gone(where, entry.not_found),
      ...keep('changed', changed),
      ...keep(
        'state',
        stays.map((at) => [at, before]),
      ),
    ];
  });
  // The same section can be skipped several times, once for each state that its people would get.
  const sectionsLeftOut = new Map(leftOut.map((one) => [one.section, one]));
  const unreached = [...sectionsLeftOut.values()].flatMap(({ section, unanswered }): UndoPlan['kept'] =>
    requested
      .filter((one) => one.sectionId === section)
      .map(({ where, users }) => ({
        ...where,
        people: users.length,
        why: unanswered ? 'unanswered' : 'out-of-reach',
        who: named(users),
      })),
  );
  return { kept: [...kept, ...compared, ...unreached], sections, as_reviewed: asReviewed };
}

/** Creates a reader for stored undo plans. */
export function createUndoPlans({ db: { db }, identity }: PlanServices): UndoPlans {
  async function get(admin: Admin, id: string): Promise<UndoPlan> {
    for (const tool of ['course-enrollment', 'section-enrollment'] as const) {
      const plan = await readPlan<UndoPlan>(db, admin.login, UNDO_KINDS[tool], id, identity.known());
      if (plan === null) continue;
      requireTool(admin, tool);
      return plan;
    }
    throw noSuchPlan();
  }
  return {
    get,
    people: async (admin, id, which) => sectionPeople(db, await get(admin, id), which),
  };
}
