/** What every way of submitting shares: the record is written once, and a repeat finds the first one (OP-42). */
import { randomUUID } from 'node:crypto';
import type { SisImport } from '@lms-admin/contract/imports';
import type { ToolId } from '@lms-admin/contract/tools';
import { and, eq } from 'drizzle-orm';
import type { Admin } from '../access/admin.ts';
import { AppError } from '../platform/errors.ts';
import { imports } from '../platform/schema.ts';
import type { CoreServices, Submission } from '../services.ts';
import type { People } from '../users/people.ts';
import { type ImportRow, toSisImport } from './record.ts';
import type { ImportRunner } from './runner.ts';

export type SubmitServices = Pick<
  CoreServices,
  'config' | 'log' | 'db' | 'canvas' | 'scope' | 'grants' | 'audit'
> & { people: People };

/** What is asked for: how people call it, its rows, and by what a repeat is known. */
export interface NewImport {
  tool: ToolId;
  label: string;
  rows: number;
  csvReady: boolean;
  /** The import's id, where its CSV is stored under it already. */
  id?: string;
  planId?: string;
  key?: string | null;
  files?: ImportRow['files'];
  zip?: boolean;
}

export interface Recorder {
  /** The import that a plan, a key or an id became, for its owner; null when there is none yet. */
  earlier(admin: Admin, by: { plan: string } | { key: string } | { id: string }): Promise<SisImport | null>;
  /** Writes the record and has somebody work on it; or finds the one that a repeat made in the meantime. */
  record(admin: Admin, what: NewImport, asking: Submission): Promise<SisImport>;
}

export function createRecorder(services: SubmitServices, runner: ImportRunner): Recorder {
  const { config, grants, audit } = services;
  const { db } = services.db;

  async function earlier(admin: Admin, by: { plan: string } | { key: string } | { id: string }) {
    const same =
      'plan' in by
        ? eq(imports.planId, by.plan)
        : 'key' in by
          ? eq(imports.key, by.key)
          : eq(imports.id, by.id);
    const [first] = await db
      .select()
      .from(imports)
      .where(and(same, eq(imports.login, admin.login)));
    return first ? toSisImport(first, config.lms) : null;
  }

  async function record(admin: Admin, what: NewImport, asking: Submission): Promise<SisImport> {
    const [row] = await db
      .insert(imports)
      .values({
        id: randomUUID(),
        ...what,
        login: admin.login,
        grantId: grants.hasServiceToken ? null : admin.grantId,
        step: 'recorded',
        workflowState: 'initializing',
      })
      .onConflictDoNothing()
      .returning();
    if (!row) {
      const by = what.planId
        ? { plan: what.planId }
        : what.key
          ? { key: what.key }
          : what.id
            ? { id: what.id }
            : null;
      const first = by && (await earlier(admin, by));
      if (!first) throw new AppError('conflict');
      return first;
    }
    await audit.write({
      login: admin.login,
      tool: row.tool,
      event: 'import-recorded',
      detail: { import: row.id, plan: row.planId, label: row.label, rows: row.rows },
      requestId: asking.requestId ?? null,
    });
    await runner.announce(row.id);
    return toSisImport(row, config.lms);
  }

  return { earlier, record };
}
