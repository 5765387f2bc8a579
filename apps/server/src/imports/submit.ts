/** Steps shared by all ways of submitting: the job and its import are written once, and a repeat finds them (OP-42). */
import { randomUUID } from 'node:crypto';
import type { SisImport } from '@lms-admin/contract/imports';
import { IMPORT } from '@lms-admin/contract/jobs';
import { eq } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import { sameLms } from '../canvas/identity.ts';
import { AppError } from '../platform/errors.ts';
import { imports } from '../platform/schema.ts';
import { importRecords, toSisImport } from './record.ts';
import type { NewImport, Submission } from './sources.ts';
import { requireNotUndoneSince } from './undoing.ts';
import type { SubmitServices } from './work.ts';

export interface Recorder {
  /** Returns the import that its owner recorded with a key, or null. */
  earlier(admin: Admin, key: string): Promise<SisImport | null>;
  /**
   * Records the import and starts its job, or finds the one that a concurrent repeat recorded.
   * @throws AppError conflict if it was made for another LMS, or if the import it undoes has been undone since
   */
  record(admin: Admin, key: string, what: NewImport, asking: Submission): Promise<SisImport>;
}

export function createRecorder(services: SubmitServices): Recorder {
  const { attachments, identity, jobs } = services;
  const { db } = services.db;

  async function read(admin: Admin, id: string): Promise<SisImport> {
    const [row] = await importRecords(db).where(eq(imports.id, id));
    if (!row) throw new AppError('not-found', { message: 'The import was not found.' });
    return toSisImport(row, attachments, identity.known(), admin);
  }

  return {
    async earlier(admin, key) {
      const first = await jobs.earlier(admin, IMPORT, key);
      return first && read(admin, first.id);
    },
    async record(admin, key, { lms, tool, label, about, undo, id = randomUUID(), ...what }, asking) {
      const now = await identity.lastSeen(admin.token);
      if (lms !== undefined && !sameLms(lms, now)) throw submittedElsewhere();
      const job = await jobs.start(
        admin,
        {
          kind: IMPORT,
          tool,
          label,
          key,
          id,
          lms: lms || now,
          requestId: asking.requestId ?? null,
          about: about ?? null,
          undoes: undo?.import ?? null,
          undoesPart: undo?.part ?? false,
        },
        async (tx) => {
          if (undo) await requireNotUndoneSince(tx, undo, id);
          await tx.insert(imports).values({ id, ...what, step: 'recorded', workflowState: 'initializing' });
        },
      );
      return read(admin, job.id);
    },
  };
}

function submittedElsewhere(): AppError {
  return new AppError('conflict', {
    message: 'This was created for another LMS, or for the practice LMS before it was reset.',
    nothingSent: true,
    next: 'Go back and start again with the current LMS.',
  });
}
