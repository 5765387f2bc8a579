/** Submitting an uploaded file: what was allowed and in reach when it was checked is asked about once more. */
import type { SisImport } from '@lms-admin/contract/imports';
import { type Admin, mayGiveRole } from '../access/admin.ts';
import { requireTool } from '../access/require.ts';
import { AppError } from '../platform/errors.ts';
import { badRequest } from '../platform/http-errors.ts';
import type { AskedAgain, SisFileSummary } from '../platform/schema.ts';
import type { Submission } from '../services.ts';
import { existing } from '../sis-files/existing.ts';
import { claimFile, findFile } from '../sis-files/store.ts';
import { foreignSections } from './named-sections.ts';
import { storedRows } from './stored-rows.ts';
import type { Recorder, SubmitServices } from './submit.ts';

/**
 * Turns an uploaded file into an import, once: the file's id is the import's.
 * @param deletions the number that was typed, where the file asks for one
 * @throws AppError not-allowed, not-found, bad-request (the number), conflict (reach, roles or people have changed)
 */
export async function submitFile(
  services: SubmitServices,
  recorder: Recorder,
  admin: Admin,
  { file: id, deletions }: { file: string; deletions?: number | undefined },
  asking: Submission,
): Promise<SisImport> {
  requireTool(admin, 'sis-import');
  const first = await recorder.earlier(admin, { id });
  if (first) return first;
  const stored = await findFile(services.db.db, admin.login, id);
  if (!stored) throw noSuchFile();
  const { file, again } = stored.summary;
  requireNumber(file, deletions);
  await requireSame(services, admin, again, id, asking.signal ?? new AbortController().signal);
  if (!(await claimFile(services.db.db, admin.login, id))) throw noSuchFile();
  return recorder.record(
    admin,
    {
      tool: 'sis-import',
      id,
      label: labelOf(file),
      rows: file.rows,
      files: stored.files,
      zip: file.zip,
      csvReady: true,
    },
    asking,
  );
}

function noSuchFile(): AppError {
  return new AppError('not-found', {
    message: 'There is no such file.',
    next: 'Upload it again: files are kept for a day.',
  });
}

function requireNumber({ deletions }: SisFileSummary['file'], typed: number | undefined): void {
  const { confirm } = deletions;
  if (confirm === null || confirm === typed) return;
  const message =
    typed === undefined
      ? `This file deletes ${confirm} ${confirm === 1 ? 'row' : 'rows'}: type this number to send it.`
      : `This file deletes ${confirm} ${confirm === 1 ? 'row' : 'rows'}, not ${typed}.`;
  throw badRequest([{ row: null, field: 'deletions', message }]);
}

/** Roles, reach and people may have changed since the check. */
async function requireSame(
  services: SubmitServices,
  admin: Admin,
  again: AskedAgain,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const limited = admin.record.perm !== 'ALL';
  if (limited && !again.limited) throw changed('What you may send has changed since the file was checked.');
  for (const [role, level] of again.roles) {
    if (!mayGiveRole(admin, role, level)) throw changed(`You may no longer give the role ${role}.`);
  }
  if (limited && again.courses.length > 0) {
    const known = await services.scope.coursesBySisId(admin, again.courses, signal);
    const missing = again.courses.filter((course) => !known.has(course));
    if (missing.length > 0) {
      throw changed(
        'Courses of this file no longer exist or are no longer yours.',
        missing.map((course) => ['course_id', `There is no course ${JSON.stringify(course)}.`]),
      );
    }
    const named = new Map(
      (again.sections ?? []).map(([course, ids]) => [course, new Map(ids.map((one) => [one, []]))]),
    );
    const foreign = await foreignSections(services.canvas, admin, known, named, signal);
    if (foreign.length > 0) {
      throw changed(
        'Sections of this file no longer belong to their courses.',
        foreign.map(({ section }) => ['section_id', `The course has no section ${JSON.stringify(section)}.`]),
      );
    }
  }
  if (!limited || !again.newPeople) return;
  const people: { id: string; login: string; row: number }[] = [];
  for await (const { header, row, cells } of storedRows(services.db.db, id)) {
    const cell = (name: string) => cells[header.indexOf(name)] ?? '';
    people.push({ id: cell('user_id'), login: cell('login_id'), row });
  }
  const taken = await existing(services.people, admin, people, signal);
  if (taken.length === 0) return;
  throw changed(
    'People of this file have come to exist in the LMS since it was checked.',
    taken.map(({ by, id: userId, login }) => [
      by === 'id' ? 'user_id' : 'login_id',
      `${by === 'id' ? userId : login} exists in the LMS already.`,
    ]),
  );
}

function changed(message: string, details: [field: string, message: string][] = []): AppError {
  return new AppError('conflict', {
    message: `${message} Nothing has been sent.`,
    next: 'Upload the file again: it is then checked anew.',
    details: details.slice(0, 100).map(([field, text]) => ({ row: null, field, message: text })),
  });
}

function labelOf({ name, rows, parts }: SisFileSummary['file']): string {
  const kinds = [...new Set(parts.map(({ kind }) => kind.replaceAll('_', ' ')))];
  const what = kinds.length === 1 ? `${kinds[0]} ` : '';
  return `${name}: ${rows} ${what}${rows === 1 ? 'row' : 'rows'}`;
}
