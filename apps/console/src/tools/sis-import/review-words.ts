/** What a checked file says, in figures and sentences. Pure. */
import type { SisFile, SisFilePart } from '@lms-admin/contract/sis-files';
import { deletionReason } from '@lms-admin/domain/sis-rows';
import { sisTableOf } from '@lms-admin/domain/sis-tables';
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
  const { people } = file.effect;
  return [
    { label: texts.review.rows, value: file.rows, strong: true },
    ...(people === null
      ? []
      : [
          { label: texts.review.people.created, value: people.created },
          { label: texts.review.people.existing, value: people.existing },
        ]),
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

/** What the deletions of a file mean, one sentence for each kind of thing that goes. */
export function deletionSentences({ deletions: { takes } }: Pick<SisFile, 'deletions'>): string[] {
  const places = takes.some(({ kind }) => kind === 'course' || kind === 'section');
  return takes.map(({ kind, count }) => {
    const { deletes, title } = sisTableOf(kind);
    if (deletes === 'person') return texts.review.deletes.people(count);
    if (deletes === undefined) return texts.review.deletes.other(count, title);
    return places ? texts.review.deletes.withPlaces(count) : texts.review.deletes.enrolments(count);
  });
}

/** All that goes. */
function allTaken({ takes }: SisFile['deletions']): number {
  return takes.reduce((sum, { count }) => sum + count, 0);
}

/** Why the number of deletions has to be typed, or null. */
export function whyAsked({ reason, courses }: SisFile['deletions']): string | null {
  if (reason === null) return null;
  if (reason !== 'share-of-course') return texts.review.reason[reason];
  // Asked for by caution, too, where the LMS did not tell what share it is.
  return texts.review.reason[deletionReason(0, courses) === null ? 'untold' : reason];
}

/** The sum of what has been chosen, for the action bar: `people.csv · 120 rows · 2 deletions`. */
export function sumOf(name: string | null, file: SisFile | null): string {
  if (name === null) return '';
  if (file === null) return name;
  const parts = [name, counted(file.rows, 'row', 'rows')];
  const taken = allTaken(file.deletions);
  if (taken > 0) parts.push(counted(taken, 'deletion', 'deletions'));
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
