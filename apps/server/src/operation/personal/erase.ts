/** Erases a person: removes the data that names them and keeps counts. Reports the data that has to stay. */
import { randomBytes } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import type { Files } from '../../files/files.ts';
import { deletePieces } from '../../files/pieces.ts';
import { forgetJobs } from '../../jobs/forget.ts';
import type { ListedKind } from '../../jobs/kind.ts';
import type { Database, Db } from '../../platform/database.ts';
import { audit, imports, jobs, plans, sisDrafts, sisFiles } from '../../platform/schema.ts';
import { ERASED, type Found, findContent, Person } from './find.ts';
import { HOLDINGS } from './holdings.ts';
import { theirs, tracedTables } from './traces.ts';

export interface ErasureParts {
  database: Database;
  files: Files;
  kinds: readonly ListedKind[];
}

export type Erasure =
  | {
      /** Ids of unfinished work that names or belongs to the person; in that case nothing was erased. */
      open: string[];
    }
  | {
      open: null;
      /** Jobs whose rows, results and messages were removed. */
      jobs: number;
      /** Reviews, uploaded files and drafts that were removed. */
      uploads: number;
      /** Rows of the directory that were removed. */
      copied: number;
      /** Rows in which the person's login or name was replaced, by table. */
      replaced: Record<string, number>;
      /** Lines of the audit whose details were changed. */
      audit: number;
      /** Number of records that name the person and stay, by table. */
      kept: Record<string, number>;
    };

/** @param values login, email address, SIS ID or name that identify the person */
export async function erasePerson(parts: ErasureParts, values: readonly string[]): Promise<Erasure> {
  const { database } = parts;
  const person = new Person(values);
  const known = values.map((value) => value.toLowerCase());
  const found = await findContent(database, person);
  const named = idsOf(found, 'job');
  const open = await openWork(
    database,
    [...named, ...(await importsOf(database.db, idsOf(found, 'plan')))],
    known,
  );
  if (open.length > 0) return { open };
  const uploads = await removeUploads(database.db, found);
  const copied = await removeCopies(database, found);
  await forget(parts, named);
  await eraseFromEntries(database.db, named, person);
  const changed = await eraseFromAudit(database.db, person);
  const replaced = await replaceTraces(database, known);
  const kept: Record<string, number> = {};
  for (const { table, record } of found) if (record === 'kept') kept[table] = (kept[table] ?? 0) + 1;
  return { open: null, jobs: named.length, uploads, copied, replaced, audit: changed, kept };
}

const idsOf = (found: readonly Found[], ...records: readonly Found['record'][]) => [
  ...new Set(found.filter(({ record }) => records.includes(record)).map(({ id }) => id)),
];

/** Returns the imports of these plans: until one is sent, only its plan names people. */
async function importsOf(db: Db, planIds: readonly string[]): Promise<string[]> {
  if (planIds.length === 0) return [];
  const rows = await db
    .select({ id: imports.id })
    .from(imports)
    .where(inArray(imports.planId, [...planIds]));
  return rows.map(({ id }) => id);
}

async function openWork(database: Database, named: readonly string[], known: readonly string[]) {
  const own = await database.exec(
    'SELECT id FROM jobs WHERE ended_at IS NULL AND lower(login) = ANY($1::text[])',
    [known],
  );
  const naming =
    named.length === 0
      ? []
      : await database.db
          .select({ id: jobs.id, endedAt: jobs.endedAt })
          .from(jobs)
          .where(inArray(jobs.id, [...named]));
  const open = naming.filter(({ endedAt }) => endedAt === null).map(({ id }) => id);
  return [...new Set([...own.rows.map(({ id }) => String(id)), ...open])];
}

/** Removes reviews, uploaded files and drafts completely, because they last only a day. */
async function removeUploads(db: Db, found: readonly Found[]): Promise<number> {
  const [planned, uploaded, drafts] = [idsOf(found, 'plan'), idsOf(found, 'file'), idsOf(found, 'draft')];
  // An import can be undone only with its plan: erasing the plan also rules out an undo.
  if (planned.length > 0) await db.delete(plans).where(inArray(plans.id, planned));
  if (uploaded.length > 0) await db.delete(sisFiles).where(inArray(sisFiles.id, uploaded));
  if (drafts.length > 0) await db.delete(sisDrafts).where(inArray(sisDrafts.id, drafts));
  for (const id of [...uploaded, ...drafts]) {
    const [taken] = await db.select({ id: imports.id }).from(imports).where(eq(imports.id, id));
    if (!taken) await deletePieces(db, id);
  }
  return planned.length + uploaded.length + drafts.length;
}

const OF_PEOPLE = ['directory_users', 'directory_logins', 'directory_users_new', 'directory_logins_new'];

/**
 * Removes a person from the directory's two tables, by LMS number; the next report adds them again if the LMS has them.
 */
async function removeCopies(database: Database, found: readonly Found[]): Promise<number> {
  const copies = found.filter(({ record }) => record === 'copy');
  const tables = [...new Set([...copies.map(({ table }) => table), ...OF_PEOPLE])];
  let removed = 0;
  for (const table of tables) {
    const same = OF_PEOPLE.includes(table) ? OF_PEOPLE : [table];
    const all = copies.filter((one) => same.includes(one.table)).map(({ id }) => id);
    if (all.length === 0) continue;
    const text = `DELETE FROM "${table}" WHERE "${HOLDINGS[table]?.of?.id}" = ANY($1::bigint[]) RETURNING 1 AS one`;
    removed += (await database.exec(text, [all])).rows.length;
  }
  return removed;
}

async function forget({ database: { db }, files, kinds }: ErasureParts, ids: readonly string[]) {
  if (ids.length === 0) return;
  const rows = await db
    .select({ id: jobs.id, kind: jobs.kind })
    .from(jobs)
    .where(inArray(jobs.id, [...ids]));
  for (const { id, kind: name } of rows) {
    const kind = kinds.find((one) => one.id === name);
    // Work of an earlier version may have no kind any more, and stores nothing outside its record.
    await forgetJobs({ db, files }, kind ?? { id: name, keeps: 'work', listed: false, changes: false }, [id]);
  }
}

/** Erases the person from the fields that a cleared entry still shows: its title and its outcome. */
async function eraseFromEntries(db: Db, ids: readonly string[], person: Person): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db
    .select({ id: jobs.id, label: jobs.label, note: jobs.note, waitWhy: jobs.waitWhy, problem: jobs.problem })
    .from(jobs)
    .where(inArray(jobs.id, [...ids]));
  const clean = (text: string | null) => (text === null ? null : person.erasedFrom(text));
  for (const { id, label, note, waitWhy, problem } of rows)
    await db
      .update(jobs)
      .set({
        label: person.erasedFrom(label),
        note: clean(note),
        waitWhy: clean(waitWhy),
        problem: problem && {
          message: person.erasedFrom(problem.message),
          next: person.erasedFrom(problem.next),
        },
      })
      .where(eq(jobs.id, id));
}

async function eraseFromAudit(db: Db, person: Person): Promise<number> {
  let changed = 0;
  let after = 0;
  for (;;) {
    const rows = await db.query.audit.findMany({
      columns: { id: true, detail: true },
      where: (line, { gt }) => gt(line.id, after),
      orderBy: (line, { asc }) => asc(line.id),
      limit: 1_000,
    });
    for (const { id, detail } of rows) {
      if (!person.isNamedIn(JSON.stringify(detail))) continue;
      await db
        .update(audit)
        .set({ detail: withoutNames(detail, person) })
        .where(eq(audit.id, id));
      changed += 1;
    }
    const last = rows.at(-1);
    if (!last) return changed;
    after = last.id;
  }
}

function withoutNames<T>(value: T, person: Person): T {
  if (typeof value === 'string') return person.erasedFrom(value) as T;
  if (Array.isArray(value)) return value.map((one) => withoutNames(one, person)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [
    person.erasedFrom(name),
    withoutNames(one, person),
  ]);
  return Object.fromEntries(entries) as T;
}

/** Replaces the person's login with a random one, the same in all tables, after ending their sign-ins. */
async function replaceTraces(database: Database, known: readonly string[]): Promise<Record<string, number>> {
  const instead = `erased-${randomBytes(6).toString('hex')}`;
  const replaced: Record<string, number> = {};
  for (const { table, login, names } of tracedTables()) {
    // Rows of these tables are deleted together with the session.
    if (table === 'sessions' || table === 'grants') continue;
    const set = [
      ...(login === null ? [] : [`"${login}" = $2`]),
      ...names.map(
        (name) =>
          `"${name}" = ${login === null ? `CASE WHEN lower("${name}") = ANY($1::text[]) THEN $3 ELSE "${name}" END` : '$3'}`,
      ),
    ];
    const values = [
      known,
      ...(set.some((one) => one.includes('$2')) ? [instead] : []),
      ...(names.length > 0 ? [ERASED] : []),
    ];
    const text = `UPDATE "${table}" SET ${set.join(', ')} WHERE ${theirs(login, names)} RETURNING 1 AS one`;
    const { rows } = await database.exec(login === null ? text.replaceAll('$3', '$2') : text, values);
    if (rows.length > 0) replaced[table] = rows.length;
  }
  return replaced;
}
