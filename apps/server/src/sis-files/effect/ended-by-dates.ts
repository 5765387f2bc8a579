/** End dates that are over already: the LMS shuts people out by them, though no enrolment changes its state and none is counted. */
import type { SisEffect } from '@lms-admin/domain/sis-effect';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import { counted } from '../../platform/text.ts';

/** What ends by such a date, one and several. */
const ENDS: Partial<Record<SisKind, readonly [string, string]>> = {
  term: ['term', 'terms'],
  course: ['course', 'courses'],
  section: ['section', 'sections'],
  enrollment: ['enrolment', 'enrolments'],
};

export class EndedByDates {
  readonly #now: number;
  readonly #of = new Map<SisKind, { rows: number; latest: number }>();

  constructor(now = Date.now()) {
    this.#now = now;
  }

  /** Takes a row into account whose new end date is over, where the one before was not. */
  row(kind: SisKind, { fields = [] }: SisEffect): void {
    const end = fields.find(([field]) => field === 'end_date');
    if (!end || !ENDS[kind]) return;
    const [before, after] = [at(end[1]), at(end[2])];
    if (after === null || after > this.#now || (before !== null && before <= this.#now)) return;
    const { rows, latest } = this.#of.get(kind) ?? { rows: 0, latest: after };
    this.#of.set(kind, { rows: rows + 1, latest: Math.max(latest, after) });
  }

  /** A sentence for each table with such rows. */
  notes(): string[] {
    return [...this.#of].map(([kind, { rows, latest }]) => {
      const [one, more] = ENDS[kind] ?? ['', ''];
      const day = new Date(latest).toISOString().slice(0, 10);
      return `${counted(rows, 'row')} ${rows === 1 ? `sets the end date of ${kind === 'enrollment' ? 'an' : 'a'} ${one}` : `set end dates of ${more}`} to a day that has passed${rows === 1 ? '' : ', at the latest'} (${day}). People lose access by it, although their enrolments stay active: they are not in the number of removals. Check the year.`;
    });
  }
}

function at(date: string | null): number | null {
  const time = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? null : time;
}
