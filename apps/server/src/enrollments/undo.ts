/** Undoing an import of a plan: a plan of its own, compared with what the LMS holds now, reviewed and submitted like any other. */

import type { SectionPerson, UndoPlan, UndoRequest } from '@lms-admin/contract/enrollments';
import { UNDO_KINDS } from '@lms-admin/contract/plan-kinds';
import { requireTool, roleLevelOf } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { createLmsImports } from '../imports/lms-imports.ts';
import { noSuchPlan, readPlan } from '../plans/store.ts';
import { lmsNumbersOf, requireUndoable, undoPrefix } from '../plans/undo.ts';
import { mapLimited } from '../platform/limited.ts';
import type { OwnImports } from './asked-sections.ts';
import { type PlanServices, requireRole, requireRows } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { readOrWhy } from './read-lms.ts';
import type { WorkedOut } from './section-reading.ts';
import { planSections, sectionPeople, type WhichSection } from './section-work.ts';
import { type UndoneRows, undoneRows } from './undo-rows.ts';

/** Imports that are looked up at once. */
const AT_ONCE = 4;

/** Tools whose imports can be taken back. */
export type UndoTool = Exclude<keyof typeof UNDO_KINDS, 'group-enrollment'>;

export interface Undo {
  /**
   * What can be said before any work.
   * @throws AppError not-allowed; not-found: no such import of theirs; conflict: nothing to take back, or not kept any more
   */
  check(admin: Admin, request: UndoRequest): Promise<{ label: string }>;
  /** Works the plan out and stores it for a day. @throws like `check`; too-many-rows; the signal's reason */
  make(admin: Admin, request: UndoRequest, id: string, progress: PlanProgress): Promise<UndoPlan>;
}

/** What of plans is read again, whichever tool made them. */
export interface UndoPlans {
  /** @throws AppError not-found */
  get(admin: Admin, id: string): Promise<UndoPlan>;
  /** The people of one of its sections. @throws AppError not-found */
  people(admin: Admin, id: string, which: WhichSection): Promise<SectionPerson[]>;
}

/** Takes imports of one tool back. */
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
      const { row, plan } = await read(admin, request);
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
      const { asked } = undone;
      for (const role of new Set(asked.map(({ roleId }) => roleId))) requireRole(admin, role, level);
      requireRows(
        asked.reduce((rows, one) => rows + one.users.length, 0),
        services.config.maxEnrollmentRows,
      );
      const undoes = { import: row.id, label: row.label };
      return planSections(
        // A course may have another SIS ID since it was last looked at: rows with the old one would be refused.
        { ...services, scope: services.scope.afresh() },
        {
          admin,
          tool,
          kind: UNDO_KINDS[tool],
          id,
          asked,
          naming: 'where-needed',
          numbers: undone.numbers,
          prefix: undoPrefix(row.label),
          review(worked, leftOut) {
            const more: UndoParts = { undoes, ...undoParts(undone, worked, leftOut) };
            // Who is not found is among those who stay as they are, by name.
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
 * The import with those that undo it, and their undos. Where the LMS does not tell when one ended, nothing is changed after it.
 * @throws CanvasError when a token is refused
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

/** Whether the table of the review lists a section: one where everybody stays as they are is only among `kept`. */
function isShown({ entry, difference: { unread, rows, untouched } }: WorkedOut): boolean {
  if (entry.failed.length > 0) return true;
  return unread === null && rows.length + untouched.length > 0;
}

type Entry = WorkedOut['entry'];

/** One entry for each section, role and state that people get, from whatever state. */
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

/** Who stays as they are now, and why. */
function undoParts(
  { asked, kept, sections, nameOf, asReviewed }: UndoneRows,
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
    const keep = (why: 'changed' | 'state' | 'unanswered', those: readonly [at: number, state: string][]) => {
      const who = those.map(([at, state]) => ({
        person: nameOf.get(people[at]?.asked ?? '') || people[at]?.name || '',
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
  // A section is left out for each state that people of it get.
  const sectionsLeftOut = new Map(leftOut.map((one) => [one.section, one]));
  const unreached = [...sectionsLeftOut.values()].flatMap(({ section, unanswered }): UndoPlan['kept'] =>
    asked
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

/** Reads plans of undoing again. */
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
