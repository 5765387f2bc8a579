/** Imports as the rest of the back end sees them: submit once, ask how it stands, list, read the messages (area IMP). */
import { randomUUID } from 'node:crypto';
import type { ImportMessage, SisImport, SubmitPayload } from '@lms-admin/contract/imports';
import { and, asc, desc, eq } from 'drizzle-orm';
import { type Admin, mayCall } from '../access/admin.ts';
import { CanvasError } from '../canvas/types.ts';
import { readPlanCourseIds, readPlanHead } from '../enrollments/plan-store.ts';
import { requireRole, requireRows } from '../enrollments/plans.ts';
import { AppError } from '../platform/errors.ts';
import { importMessages, imports } from '../platform/schema.ts';
import type { CoreServices, ImportsPort, Submission } from '../services.ts';
import { deleteCsv, storeCsv } from './csv-store.ts';
import { checkCsv } from './hand-made.ts';
import { createLinks } from './links.ts';
import { createLmsImports } from './lms-imports.ts';
import { foreignSisImport, type ImportRow, toSisImport } from './record.ts';
import type { ImportRunner } from './runner.ts';

export interface Imports extends ImportsPort {
  /** The admin's own latest imports, newest first. */
  recent(admin: Admin): Promise<SisImport[]>;
  /**
   * A page of what was said about an import's rows, in their order.
   * @param page counted from 1, 100 messages each
   * @throws AppError not-allowed, not-found
   */
  messages(admin: Admin, id: string, page: number): Promise<{ messages: ImportMessage[]; more: boolean }>;
}

/** Imports in the list of recent ones. */
const RECENT = 50;
const MESSAGES_PER_PAGE = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TOOL = 'course-enrollment';

export function createImports(
  services: Pick<CoreServices, 'config' | 'log' | 'db' | 'canvas' | 'scope' | 'grants' | 'audit'>,
  runner: ImportRunner,
): Imports {
  const { config, scope, grants, audit } = services;
  const { db } = services.db;
  const lms = createLmsImports(services.canvas);
  const links = createLinks(db, lms);

  async function submit(admin: Admin, payload: SubmitPayload, asking: Submission = {}): Promise<SisImport> {
    if (typeof payload === 'object' && 'plan' in payload) return submitPlan(admin, payload.plan, asking);
    const hand = typeof payload === 'object' && 'csv' in payload ? payload : { csv: payload };
    return submitCsv(admin, hand.csv, hand.key ?? null, asking);
  }

  async function submitPlan(admin: Admin, planId: string, asking: Submission): Promise<SisImport> {
    const earlier = and(eq(imports.planId, planId), eq(imports.login, admin.login));
    const [first] = await db.select().from(imports).where(earlier);
    if (first) return toSisImport(first, config.lms);
    const plan = await readPlanHead(db, admin.login, planId);
    if (!plan) {
      throw new AppError('not-found', {
        message: 'There is no such plan.',
        next: 'Make it again: plans are kept for a day.',
      });
    }
    requireRole(admin, plan.roleId);
    requireRows(plan.rows, config.maxEnrollmentRows);
    if (plan.rows === 0) {
      throw new AppError('bad-request', {
        message: 'There is nothing to change: the plan has no rows.',
        next: 'Choose other people or courses.',
      });
    }
    await requireReach(admin, await readPlanCourseIds(db, planId));
    return record(
      admin,
      { label: plan.label, planId, key: null, rows: plan.rows, csvReady: false },
      earlier,
      asking,
    );
  }

  /** What was in reach when the plan was made may not be any more. */
  async function requireReach(admin: Admin, courseIds: readonly number[]): Promise<void> {
    const known = await scope.courses(admin, courseIds);
    const missing = courseIds.filter((id) => !known.has(id));
    if (missing.length === 0) return;
    throw new AppError('conflict', {
      message: 'Courses of this plan no longer exist or are no longer yours.',
      next: 'Make the plan again.',
      details: missing
        .slice(0, 100)
        .map((id) => ({ row: null, field: 'courses', message: `There is no course ${id}.` })),
    });
  }

  async function submitCsv(
    admin: Admin,
    csv: string | readonly (readonly string[])[],
    key: string | null,
    asking: Submission,
  ): Promise<SisImport> {
    const earlier = key === null ? null : and(eq(imports.login, admin.login), eq(imports.key, key));
    if (earlier) {
      const [first] = await db.select().from(imports).where(earlier);
      if (first) return toSisImport(first, config.lms);
    }
    const checked = await checkCsv(services, admin, csv, asking.signal);
    const id = randomUUID();
    await storeCsv(db, id, asAsync(checked.texts));
    const label = `${checked.rows} enrolment ${checked.rows === 1 ? 'row' : 'rows'} for ${checked.courses} ${
      checked.courses === 1 ? 'course' : 'courses'
    }`;
    const answer = await record(
      admin,
      { id, label, planId: null, key, rows: checked.rows, csvReady: true },
      earlier ?? null,
      asking,
    );
    // A repeat that came at the same time was faster: its CSV is the one that counts.
    if (answer.id !== id) await deleteCsv(db, id);
    return answer;
  }

  /** Writes the record, or finds the one that a repeat made in the meantime. */
  async function record(
    admin: Admin,
    what: Pick<ImportRow, 'label' | 'planId' | 'key' | 'rows' | 'csvReady'> & { id?: string },
    earlier: ReturnType<typeof and> | null,
    asking: Submission,
  ): Promise<SisImport> {
    const [row] = await db
      .insert(imports)
      .values({
        id: randomUUID(),
        ...what,
        login: admin.login,
        grantId: grants.hasServiceToken ? null : admin.grantId,
        tool: TOOL,
        step: 'recorded',
        workflowState: 'initializing',
      })
      .onConflictDoNothing()
      .returning();
    if (!row) {
      const [first] = earlier ? await db.select().from(imports).where(earlier) : [];
      if (!first) throw new AppError('conflict');
      return toSisImport(first, config.lms);
    }
    await audit.write({
      login: admin.login,
      tool: TOOL,
      event: 'import-recorded',
      detail: { import: row.id, plan: row.planId, label: row.label, rows: row.rows },
      requestId: asking.requestId ?? null,
    });
    await runner.announce(row.id);
    return toSisImport(row, config.lms);
  }

  async function status(admin: Admin, id: string, signal?: AbortSignal): Promise<SisImport> {
    const row = await visible(admin, id);
    if (row) return toSisImport(await links.fresh(admin, row), config.lms);
    if (UUID.test(id) || admin.record.perm !== 'ALL') throw notFound();
    try {
      return foreignSisImport(await lms.get(admin.token, Number(id), signal), config.lms);
    } catch (error) {
      if (error instanceof CanvasError && error.kind === 'not-found') throw notFound();
      throw error;
    }
  }

  /** The record, if this admin may see it: their own, or any for `ALL`, who may also ask by the LMS's number (OP-40). */
  async function visible(admin: Admin, id: string): Promise<ImportRow | null> {
    const all = admin.record.perm === 'ALL';
    if (!UUID.test(id) && !(all && /^[1-9]\d{0,15}$/.test(id))) throw notFound();
    const [row] = await db
      .select()
      .from(imports)
      .where(UUID.test(id) ? eq(imports.id, id) : eq(imports.canvasId, Number(id)));
    if (!row) return null;
    if (row.login !== admin.login && !all) throw notFound();
    return row;
  }

  async function recent(admin: Admin): Promise<SisImport[]> {
    const rows = await db
      .select()
      .from(imports)
      .where(eq(imports.login, admin.login))
      .orderBy(desc(imports.createdAt))
      .limit(RECENT);
    return rows.map((row) => toSisImport(row, config.lms));
  }

  async function messages(admin: Admin, id: string, page: number) {
    // Messages name people and courses: they are for those who may see the import itself.
    if (!mayCall(admin, 'sis-import-status')) throw new AppError('not-allowed');
    const row = await visible(admin, id);
    if (!row) throw notFound();
    const found = await db
      .select({ file: importMessages.file, message: importMessages.message, row: importMessages.row })
      .from(importMessages)
      .where(eq(importMessages.importId, row.id))
      .orderBy(asc(importMessages.seq))
      .limit(MESSAGES_PER_PAGE + 1)
      .offset((page - 1) * MESSAGES_PER_PAGE);
    return {
      messages: found.slice(0, MESSAGES_PER_PAGE),
      more: found.length > MESSAGES_PER_PAGE,
    };
  }

  return { submit, status, recent, messages };
}

function notFound(): AppError {
  return new AppError('not-found', { message: 'There is no such import.' });
}

async function* asAsync(texts: readonly string[]): AsyncGenerator<string, void, void> {
  yield* texts;
}
