/** An uploaded file as a source of an import: permissions and scope are checked again. */
import { type JobAbout, MOST_FOUND_BY, MOST_NAMED_COURSES } from '@lms-admin/contract/jobs';
import { sisTableFor } from '@lms-admin/domain/sis-tables';
import { headerOf } from '../imports/rows-by-hand.ts';
import type { FileSource } from '../imports/sources.ts';
import { storedRows } from '../imports/stored-rows.ts';
import type { Database, Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { SisFileSummary } from '../platform/schema.ts';
import { requireConfirmed, requireUnchanged } from './effect/confirm-before-submit.ts';
import { readCourses, readEffect } from './effect/effect-store.ts';
import { Policies } from './policies/policies.ts';
import { type CheckServices, changed, type PolicyContext } from './policies/policy.ts';
import { claimFile, findFile } from './store.ts';

type FileSourceServices = CheckServices & { db: Database };

/** Creates the source for uploaded files. */
export function fileSource(services: FileSourceServices): FileSource {
  const { db } = services.db;
  return {
    tools: ['sis-import'],
    async check(admin, id, confirmed, asking) {
      const stored = await findFile(db, admin.login, id);
      if (!stored) throw noSuchFile();
      const { file } = stored.summary;
      const signal = asking.signal ?? new AbortController().signal;
      const context = { services, admin, signal };
      try {
        await requireSame(context, db, stored.summary);
        await requireUnchanged(context, db, stored, confirmed);
      } catch (error) {
        // Newer files may have replaced this file, with its rows and effect.
        if (!(await findFile(db, admin.login, id))) throw noSuchFile();
        throw error;
      }
      if (!(await claimFile(db, admin.login, id))) throw noSuchFile();
      return {
        tool: 'sis-import',
        id,
        label: labelOf(file),
        lms: stored.lms,
        rows: file.rows,
        files: stored.files,
        zip: file.zip,
        csvReady: true,
        ...(await aboutOf(db, id)),
      };
    },
    async confirm(admin, id, isSent, signal) {
      const stored = await findFile(db, admin.login, id);
      if (!stored) throw noSuchFile();
      await requireConfirmed({ services, admin, signal }, db, stored, isSent);
    },
    async recheck(admin, { rows, zip }, signal) {
      // An admin who can send anything needs no further check.
      if (admin.record.perm === 'ALL') return null;
      const context = { services, admin, signal };
      const header = await headerOf(rows());
      const table = sisTableFor(header);
      if (!table || zip || table.senders !== 'everybody') throw notWhatYouMay();
      const policy = new Policies(context).of(table.kind);
      if (policy.headerProblems(header).length > 0) throw notWhatYouMay();
      const checks = await policy.begin(header, () => {});
      const judge = await policy.judge(rows);
      return (one) => checks.flatMap((check) => check(one.cells))[0]?.message ?? judge(one);
    },
  };
}

function notWhatYouMay(): AppError {
  return changed('Your access has changed since the file was checked.');
}

function noSuchFile(): AppError {
  return new AppError('not-found', {
    message: 'The file was not found.',
    next: 'Files are kept for a day. Upload the file again.',
  });
}

/** Requires that the checks still hold: roles, scope and people may have changed since. */
async function requireSame(
  context: PolicyContext,
  db: Db,
  { file, again: recheck }: SisFileSummary,
): Promise<void> {
  if (context.admin.record.perm !== 'ALL' && !recheck.limited) {
    throw notWhatYouMay();
  }
  const policies = new Policies(context);
  for (const [part, { kind }] of file.parts.entries()) {
    await policies.of(kind).ask(recheck, () => storedRows(db, file.id, part));
  }
}

/** Returns the courses whose enrolments a file changes; empty for a file without enrolments. */
async function aboutOf(db: Db, file: string): Promise<{ about?: JobAbout }> {
  const known = await readEffect(db, file);
  if (known === null) return {};
  const { courses, all } = await readCourses(db, { file, job: known.job }, { text: '', page: 1 });
  if (all === 0) return {};
  const about: JobAbout = {
    courses: courses.slice(0, MOST_NAMED_COURSES).map(({ of }) => of.name ?? of.id),
    more: Math.max(0, all - MOST_NAMED_COURSES),
    sis_ids: courses.slice(0, MOST_FOUND_BY).map(({ of }) => of.id),
    terms: [...new Set(courses.flatMap(({ term }) => term ?? []))],
    programmes: [],
  };
  return { about };
}

function labelOf({ name, rows, parts }: SisFileSummary['file']): string {
  const kinds = [...new Set(parts.map(({ kind }) => kind.replaceAll('_', ' ')))];
  const what = kinds.length === 1 ? `${kinds[0]} ` : '';
  return `${name}: ${rows} ${what}${rows === 1 ? 'row' : 'rows'}`;
}
