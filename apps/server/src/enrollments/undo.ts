/** Taking an import of a plan back: a plan of its own, compared with what the LMS holds now, reviewed and submitted like any other. */
import {
  type SectionPerson,
  type UNDO_KINDS,
  type UndoPlan,
  type UndoRequest,
} from '@lms-admin/contract/enrollments';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { noSuchPlan, readPlan } from '../imports/plan-store.ts';
import { requireUndoable } from '../imports/undoable.ts';
import { type PlanServices, requireRole, requireRows } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { planSections, sectionPeople } from './section-work.ts';
import { turnedRows } from './undo-rows.ts';

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
  people(
    admin: Admin,
    id: string,
    which: { section: number; role?: number | undefined },
  ): Promise<SectionPerson[]>;
}

/** Takes imports of one tool back. */
export function createUndo(services: PlanServices, tool: UndoTool): Undo {
  const { db } = services.db;
  const level = tool === 'section-enrollment' ? 'section' : 'course';

  const read = (admin: Admin, request: UndoRequest) => requireUndoable(services, admin, tool, request.import);

  return {
    async check(admin, request) {
      const { row } = await read(admin, request);
      return { label: `Review: undo “${row.label}”` };
    },
    async make(admin, request, id, progress) {
      const { row, plan } = await read(admin, request);
      const { asked, kept } = await turnedRows(
        { db, canvas: services.canvas },
        { admin, importId: row.id, plan, signal: progress.signal },
      );
      for (const role of new Set(asked.map(({ roleId }) => roleId))) requireRole(admin, role, level);
      requireRows(
        asked.reduce((rows, one) => rows + one.users.length, 0),
        services.config.maxEnrollmentRows,
      );
      const more = { undoes: { import: row.id, label: row.label }, kept };
      const made = await planSections(
        services,
        { admin, tool, id, asked, naming: 'where-needed', more, prefix: 'Undo: ' },
        progress,
      );
      return { ...made, ...more };
    },
  };
}

/** Reads plans of undoing again. */
export function createUndoPlans({ db: { db }, identity }: PlanServices): UndoPlans {
  async function get(admin: Admin, id: string): Promise<UndoPlan> {
    for (const tool of ['course-enrollment', 'section-enrollment'] as const) {
      const plan = await readPlan<UndoPlan>(db, admin.login, tool, id, identity.known());
      // A plan of the tool itself is another thing.
      if (plan === null || !('undoes' in plan)) continue;
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
