/**
 * Describes what an import waits for in the LMS, which processes one at a time from all senders (reference, queue and
 * concurrency). Unlike LMS Admin's own queue, this one holds sent imports, including those from elsewhere.
 */

import { importPhase } from '@lms-admin/domain/import-states';
import { grouped } from '@lms-admin/domain/numbers';
import { eq } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import type { CanvasToken } from '../canvas/types.ts';
import { imports, jobs } from '../platform/schema.ts';
import { asCanvasError, type Work } from './work.ts';

/** Polls of the import between two checks of the queue, which changes slowly. */
const EVERY = 5;

/** Creates the notes about what a followed import waits for in the LMS. */
export function createLmsQueue(work: Work) {
  let looks = 0;
  let note: string | null = null;

  return {
    /**
     * Returns the note for an import in this state, or null if it has started or is next. The first poll makes no call,
     * because most imports start immediately.
     */
    async noteOf(state: string, canvasId: number, token: CanvasToken): Promise<string | null> {
      if (importPhase(state) !== 'created') return null;
      if (looks++ % EVERY === 1) note = await waitsFor(work, canvasId, token);
      return note;
    },
  };
}

async function waitsFor(work: Work, canvasId: number, token: CanvasToken): Promise<string | null> {
  try {
    const open = await work.lms.open(token, work.signal);
    const ahead = open.map(({ id }) => id).filter((id) => id < canvasId);
    const [next, ...others] = ahead.sort((a, b) => a - b);
    if (next === undefined) return null;
    const more = others.length === 0 ? '' : ` and ${grouped(others.length)} more`;
    return `The LMS has this import, but processes one import at a time. This one starts after ${await nameOf(work, next)}${more}.`;
  } catch (thrown) {
    // The note is optional; the import is followed in any case.
    const error = asCanvasError(work, thrown);
    work.services.log.debug(
      { import: work.row.id, detail: error.detail },
      'the queue of the LMS could not be read',
    );
    return null;
  }
}

/** Returns the name of the import's sender. */
async function nameOf({ services, row }: Work, canvasId: number): Promise<string> {
  const found = await services.db.db
    .select({ login: jobs.login, name: jobs.name, label: jobs.label, lms: jobs.lms })
    .from(imports)
    .innerJoin(jobs, eq(jobs.id, imports.id))
    .where(eq(imports.canvasId, canvasId));
  const ours = found.find((one) => sameLms(one.lms, row.lms));
  if (!ours) return 'an import that did not come from LMS Admin';
  return ours.login === row.login ? `your import “${ours.label}”` : `an import by ${ours.name}`;
}
