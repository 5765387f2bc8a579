/**
 * What an import waits for in the LMS, which works on one at a time, anyone who sent them (reference, queue and concurrency). Other than
 * the queue of LMS Admin, this one holds what has been sent already, and also what others sent past LMS Admin.
 */

import { importPhase } from '@lms-admin/domain/import-states';
import { grouped } from '@lms-admin/domain/numbers';
import { eq } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import type { CanvasToken } from '../canvas/types.ts';
import { imports, jobs } from '../platform/schema.ts';
import { asCanvasError, type Work } from './work.ts';

/** Looks at an import in between: what goes on before it changes slowly. */
const EVERY = 5;

/** Tells of one import that is followed what it waits for in the LMS. */
export function createLmsQueue(work: Work) {
  let looks = 0;
  let note: string | null = null;

  return {
    /**
     * What is to be told of an import in this state; null for one that has begun or has nothing before it. The first look asks
     * nothing: most imports begin at once.
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
    return `The LMS has this import and works on one at a time. It starts after ${await nameOf(work, next)}${more}.`;
  } catch (thrown) {
    // Whether it waits is good to know, and nothing more: the import itself is followed anyway.
    const error = asCanvasError(work, thrown);
    work.services.log.debug({ import: work.row.id, detail: error.detail }, 'queue of the LMS not read');
    return null;
  }
}

/** Whose import it is, as people know it. */
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
