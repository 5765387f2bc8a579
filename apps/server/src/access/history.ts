/** History of access changes, newest first. */
import type { HistoryLine } from '@lms-admin/contract/access';
import { loginKey } from '@lms-admin/domain/access-records';
import { and, desc, eq, lt } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { accessHistory } from '../platform/schema.ts';
import { asAccessFile } from './file.ts';

const PAGE = 500;

export interface HistoryFilter {
  person?: string | undefined;
  /** Only lines older than this one. */
  before?: number | undefined;
}

export async function historyOf(
  db: Db,
  { person, before }: HistoryFilter,
  limit = PAGE,
): Promise<{ lines: HistoryLine[]; more: boolean }> {
  const rows = await db
    .select()
    .from(accessHistory)
    .where(
      and(
        person === undefined ? undefined : eq(accessHistory.key, loginKey(person)),
        before === undefined ? undefined : lt(accessHistory.id, before),
      ),
    )
    .orderBy(desc(accessHistory.id))
    .limit(limit + 1);
  return {
    lines: rows.slice(0, limit).map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      by: row.by,
      login: row.after?.login ?? row.before?.login ?? row.key,
      kind: row.kind,
      before: row.before,
      after: row.after,
      why: row.why,
      approved_by: row.approvedBy,
    })),
    more: rows.length > limit,
  };
}

const HEADERS = ['at', 'by', 'approved_by', 'person', 'kind', 'why', 'before', 'after'];

/** Writes the whole history, page by page. @param cell makes a value safe for spreadsheets */
export async function* historyCsv(
  db: Db,
  filter: HistoryFilter,
  row: (cells: readonly string[]) => string,
): AsyncGenerator<string> {
  yield row(HEADERS);
  let before = filter.before;
  for (;;) {
    const { lines, more } = await historyOf(db, { ...filter, before });
    for (const line of lines) {
      const { at, by, approved_by, login, kind, why } = line;
      yield row([at, by, approved_by ?? '', login, kind, why, written(line.before), written(line.after)]);
    }
    before = lines.at(-1)?.id;
    if (!more || before === undefined) return;
  }
}

/** Writes a record on one line, as in the file. */
function written(record: HistoryLine['before']): string {
  if (record === null) return '';
  const { admins } = JSON.parse(asAccessFile([record])) as { admins: Record<string, unknown>[] };
  const [fields = {}] = admins;
  const set = Object.entries(fields).filter(([, value]) => value !== false && value !== '');
  return JSON.stringify(Object.fromEntries(set));
}
