/** What a checked file says, in figures and sentences. Pure. */
import type { SisFile, SisFilePart } from '@lms-admin/contract/sis-files';
import { deletionReason } from '@lms-admin/domain/sis-rows';
import { type SisKind, sisTableOf } from '@lms-admin/domain/sis-tables';
import type { Figure } from '../../components/Figures/Figures.tsx';
import { counted } from '../../components/Wizard/wizard-state.ts';
import { texts } from './texts.ts';

/** Rows by status over all parts: `active` first, then the more frequent ones. */
export function statusesOf(parts: readonly SisFilePart[]): [status: string, rows: number][] {
  const sums = new Map<string, number>();
  for (const { statuses } of parts) {
    for (const [status, rows] of Object.entries(statuses)) sums.set(status, (sums.get(status) ?? 0) + rows);
  }
  const first = (status: string) => (status === 'active' ? 1 : 0);
  return [...sums].sort(([a, m], [b, n]) => first(b) - first(a) || n - m || a.localeCompare(b));
}

/** The figures of the review: all rows, and how many of each status; seldom ones are summed up in the sentence only. */
export function figuresOf(file: SisFile): Figure[] {
  const statuses = statusesOf(file.parts).slice(0, 4);
  return [
    { label: texts.review.rows, value: file.rows, strong: true },
    ...statuses.map(([status, rows]) => ({ label: texts.review.status(status), value: rows })),
  ];
}

/** What the last press will send, in words with figures. */
export function whatWillHappen(file: SisFile): string {
  if (file.rows === 0) return texts.review.nothing;
  const kinds = [...new Set(file.parts.map(({ kind }) => sisTableOf(kind).title.toLowerCase()))].join(', ');
  const statuses = statusesOf(file.parts)
    .map(([status, rows]) => `${rows.toLocaleString('en-GB')} ${status.replaceAll('_', ' ')}`)
    .join(', ');
  return texts.review.will(file.rows, kinds, statuses);
}

/** What the deletions of a file mean, one sentence for each kind of row that deletes. */
export function deletionSentences({ parts, deletions }: SisFile): string[] {
  const byKind = new Map<SisKind, number>();
  for (const { kind, statuses } of parts) {
    const rows = statuses.deleted ?? 0;
    if (rows > 0) byKind.set(kind, (byKind.get(kind) ?? 0) + rows);
  }
  const sentences = deletions.people > 0 ? [texts.review.deletes.people(deletions.people)] : [];
  for (const [kind, rows] of byKind) {
    const { deletes, title } = sisTableOf(kind);
    if (deletes === 'enrolment') sentences.push(texts.review.deletes.enrolments(rows));
    else if (deletes === undefined) sentences.push(texts.review.deletes.other(rows, title));
  }
  return sentences;
}

/** Why the number of deletions has to be typed, or null. */
export function whyAsked({ reason, courses }: SisFile['deletions']): string | null {
  if (reason === null || reason === 'many-rows') return reason && texts.review.reason[reason];
  // Asked for by caution, too, where the LMS did not tell what share it is.
  return texts.review.reason[deletionReason(0, courses) ?? 'untold'];
}

/** The sum of what has been chosen, for the action bar: `people.csv · 120 rows · 2 deletions`. */
export function sumOf(name: string | null, file: SisFile | null): string {
  if (name === null) return '';
  if (file === null) return name;
  const parts = [name, counted(file.rows, 'row', 'rows')];
  if (file.deletions.rows > 0) parts.push(counted(file.deletions.rows, 'deletion', 'deletions'));
  return parts.join(' · ');
}

/**
 * Why the file cannot be submitted at the moment, or null.
 * @param file null while it has not passed the check
 * @param stopped whether upload or check have ended without it
 * @param typed the number in the confirmation field
 */
export function whyBlocked(file: SisFile | null, stopped: boolean, typed: number | null): string | null {
  if (file === null) return stopped ? texts.review.notPassed : texts.review.notReady;
  if (file.import_id !== null) return texts.review.sentTitle;
  if (file.rows === 0) return texts.review.nothing;
  const { confirm } = file.deletions;
  return confirm !== null && typed !== confirm ? texts.review.confirmBlocked(confirm) : null;
}
