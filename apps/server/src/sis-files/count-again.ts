/** What goes by a file is counted once more on submitting, when the review is old: a course fills up meanwhile (SIS-06). */
import type { SisFile } from '@lms-admin/contract/sis-files';
import { deletes, sisTableOf } from '@lms-admin/domain/sis-tables';
import { storedRows } from '../imports/stored-rows.ts';
import type { Db } from '../platform/database.ts';
import { effectOf } from './effect/effect.ts';
import { NamedRows } from './effect/named-rows.ts';
import { changed, type PolicyContext } from './policies/policy.ts';
import { fileProblems } from './problems.ts';
import type { StoredFile } from './store.ts';

/** Milliseconds for which the number of a review holds: counting reads the courses anew. */
const HOLDS_MS = 600_000;

type Counted = Pick<SisFile, 'parts' | 'deletions'>;

/**
 * Refuses a file by which more goes now than its review said. Files that delete nothing are not read again.
 * @throws AppError conflict with both numbers; bad-request where a row would now meet somebody else
 */
export async function requireNoMore(context: PolicyContext, db: Db, stored: StoredFile): Promise<void> {
  const { file } = stored.summary;
  if (Date.now() - stored.createdAt.getTime() < HOLDS_MS || !mayDelete(file)) return;
  const { deletions } = await effectOf({
    ...context,
    rows: await namedRows(db, file.id, file.parts),
    files: file.zip ? file.parts.map(({ name }) => name) : null,
    kinds: file.parts.map(({ kind }) => kind),
    problems: fileProblems(),
  });
  const [before, now] = [allOf(file), allOf({ deletions })];
  if (now <= before) return;
  throw changed(
    `By this file ${now} in all ${now === 1 ? 'goes' : 'go'} now, not ${before} as when it was checked.`,
  );
}

function allOf({ deletions }: Pick<Counted, 'deletions'>): number {
  return deletions.takes.reduce((sum, { count }) => sum + count, 0);
}

/** Whether a row may delete something; of more different statuses than are counted, one may. */
function mayDelete({ parts }: Counted): boolean {
  return parts.some(({ kind, statuses }) =>
    Object.keys(statuses).some((status) => status === 'other' || deletes(sisTableOf(kind), status)),
  );
}

/** What the rows of a stored file name. */
async function namedRows(db: Db, id: string, parts: SisFile['parts']): Promise<NamedRows> {
  const named = new NamedRows();
  for (const [part, { kind }] of parts.entries()) {
    let header: string[] | null = null;
    for await (const batch of storedRows(db, id, part)) {
      for (const { row, cells } of batch) {
        if (header === null) {
          header = cells;
          continue;
        }
        const at = header.indexOf('status');
        const status = at === -1 ? 'active' : (cells[at] ?? '').toLowerCase();
        named.note({ part, row }, sisTableOf(kind), header, cells, status);
      }
    }
  }
  return named;
}
