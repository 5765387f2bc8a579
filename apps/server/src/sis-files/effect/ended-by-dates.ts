/** End dates that are over, and start dates to come: the LMS shuts people out by them, though no enrolment changes its state and none is counted. */
import { counted } from '@lms-admin/domain/numbers';
import type { DatePair, SisEffect } from '@lms-admin/domain/sis-effect';
import { shown } from '@lms-admin/domain/sis-rows';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import { listed, ownText } from '../../platform/text.ts';

/** What ends by such a date, one and several. */
const ENDS: Partial<Record<SisKind, readonly [string, string]>> = {
  term: ['term', 'terms'],
  course: ['course', 'courses'],
  section: ['section', 'sections'],
  enrollment: ['enrolment', 'enrolments'],
};

interface ByTerm {
  /** Whether the row puts the course into the term. */
  moved: boolean;
  over: boolean;
  rows: number;
  latest: number;
  /** SIS IDs. */
  courses: string[];
}

interface Past {
  kind: SisKind;
  /** Whether the date is an old one that applies from now on. */
  old: boolean;
  rows: number;
  latest: number;
}

export class EndedByDates {
  readonly #now: number;
  readonly #of = new Map<string, Past>();
  readonly #waits = new Map<SisKind, { rows: number; latest: number }>();
  readonly #never = new Map<SisKind, number>();
  /** Rows of courses for which a term decides that has ended, or has not begun. */
  readonly #byTerm = new Map<string, ByTerm>();

  /** Rows that take sections to courses which are over. */
  #into: { rows: number; latest: number; courses: ReadonlySet<string> } | null = null;

  constructor(now = Date.now()) {
    this.#now = now;
  }

  /** Takes a row into account by which people are shut out since an end date is over, where they were not before. */
  row(kind: SisKind, { does, fields = [], appliesEnd, byTerm }: SisEffect, sisId: string): void {
    // What is deleted is counted.
    if (does === 'deletes') return;
    if (byTerm !== undefined && does !== 'concludes' && does !== 'fails') this.#termOf(byTerm, sisId);
    this.#startOf(kind, fields);
    const end = fields.find(([field]) => field === 'end_date');
    const applies = appliesEnd ?? null;
    if ((!end && applies === null) || !ENDS[kind]) return;
    const [before, after] = [applies === null ? at(end?.[1] ?? null) : null, at(applies ?? end?.[2] ?? null)];
    if (after === null || after > this.#now || (before !== null && before <= this.#now)) return;
    const old = !end;
    const key = `${kind} ${old}`;
    const { rows, latest } = this.#of.get(key) ?? { rows: 0, latest: after };
    this.#of.set(key, { kind, old, rows: rows + 1, latest: Math.max(latest, after) });
  }

  /** Whether one of these dates has passed that had not, or was not there. */
  isOver(ends: readonly DatePair[]): boolean {
    return this.#over(ends) !== null;
  }

  /** Takes a row into account that takes a section to a course with these end dates. @param course SIS ID */
  intoOver(ends: readonly DatePair[], course: string): void {
    const day = this.#over(ends);
    if (day === null) return;
    const { rows, latest, courses } = this.#into ?? { rows: 0, latest: day, courses: new Set() };
    this.#into = { rows: rows + 1, latest: Math.max(latest, day), courses: new Set([...courses, course]) };
  }

  #over(ends: readonly DatePair[]): number | null {
    return latestOf(ends, (was, is) => is <= this.#now && (was === null || was > this.#now));
  }

  /** Takes a row into account that has the dates of a term decide about a course. */
  #termOf({ moved, ends, starts }: NonNullable<SisEffect['byTerm']>, course: string): void {
    const over = this.#over(ends);
    const day = over ?? latestOf(starts, (was, is) => is > this.#now && (was === null || was <= this.#now));
    if (day === null) return;
    const isOver = over !== null;
    const before = this.#byTerm.get(`${moved} ${isOver}`);
    const { rows, latest: last } = before ?? { rows: 0, latest: day };
    const courses = before?.courses ?? [];
    courses.push(ownText(course));
    this.#byTerm.set(`${moved} ${isOver}`, {
      moved,
      over: isOver,
      rows: rows + 1,
      latest: Math.max(last, day),
      courses,
    });
  }

  /** Takes a row into account by which people have to wait for a start date, or whose dates never let anybody in. */
  #startOf(kind: SisKind, fields: NonNullable<SisEffect['fields']>): void {
    const start = fields.find(([field]) => field === 'start_date');
    const [before, after] = [at(start?.[1] ?? null), at(start?.[2] ?? null)];
    const end = at(fields.find(([field]) => field === 'end_date')?.[2] ?? null);
    if (after === null || !ENDS[kind]) return;
    if (end !== null && after > end) this.#never.set(kind, (this.#never.get(kind) ?? 0) + 1);
    else if (after > this.#now && (before === null || before <= this.#now)) {
      const { rows, latest } = this.#waits.get(kind) ?? { rows: 0, latest: after };
      this.#waits.set(kind, { rows: rows + 1, latest: Math.max(latest, after) });
    }
  }

  /** A sentence for each table with such rows. */
  notes(): string[] {
    const waits = [...this.#waits].map(([kind, { rows, latest }]) => {
      const [one, more] = ENDS[kind] ?? ['', ''];
      const what = rows === 1 ? `sets the start date of ${a(kind)} ${one}` : `set start dates of ${more}`;
      const day = new Date(latest).toISOString().slice(0, 10);
      return `${counted(rows, 'row')} ${what} to a day to come${rows === 1 ? '' : ', at the latest'} (${day}). Where the dates limit access, people have none until then, although their enrolments are active: they are not in the number of removals. Check the year.`;
    });
    const never = [...this.#never].map(([kind, rows]) => {
      const [one, more] = ENDS[kind] ?? ['', ''];
      const what = rows === 1 ? `gives ${a(kind)} ${one}` : `give ${more}`;
      return `${counted(rows, 'row')} ${what} a start date after the end date: if the dates limit access, no one has access. Check both dates.`;
    });
    return [...this.#ended(), ...this.#inTerms(), ...this.#intoCourses(), ...waits, ...never];
  }

  #intoCourses(): string[] {
    if (this.#into === null) return [];
    const { rows, latest, courses } = this.#into;
    const what = rows === 1 ? 'takes a section to a course that has' : 'take sections to courses that have';
    const when = `${rows === 1 ? '' : ', at the latest'} (${new Date(latest).toISOString().slice(0, 10)})`;
    return [
      `${counted(rows, 'row')} ${what} ended by date${when}: by the end date of the course, or of its term. ${theCourses([...courses])} Where neither the section nor the enrolment has dates of its own, people lose access by it, although their enrolments stay active: they are not in the number of removals. Check the course.`,
    ];
  }

  #inTerms(): string[] {
    return [...this.#byTerm.values()].map(({ moved, over, rows, latest, courses }) => {
      const [puts, removes] =
        rows === 1
          ? ['puts a course into', 'removes the dates of a course, which goes by']
          : ['put courses into', 'remove the dates of courses, which go by'];
      const when = `${rows === 1 ? '' : ', at the latest'} (${new Date(latest).toISOString().slice(0, 10)})`;
      const what = over ? 'whose end date has passed' : 'that starts on a day to come';
      const shut = over ? 'people have no access' : 'students have no access until then';
      const check = moved ? 'the term_id' : 'start_date and end_date';
      return `${counted(rows, 'row')} ${moved ? puts : removes} a term ${what}${when}. ${theCourses(courses)} Where neither the course nor their section or enrolment has dates of its own, ${shut}, although their enrolments stay active: they are not in the number of removals. Check ${check}.`;
    });
  }

  #ended(): string[] {
    return [...this.#of.values()].map(({ kind, old, rows, latest }) => {
      const [one, more] = ENDS[kind] ?? ['', ''];
      const day = new Date(latest).toISOString().slice(0, 10);
      const many = counted(rows, 'row');
      const lose = `${rows === 1 ? '' : ', at the latest'} (${day}). People lose access by it, although their enrolments stay active: they are not in the number of removals.`;
      if (old)
        return `${many} ${rows === 1 ? `gives ${a(kind)} ${one} its` : `give ${more} their`} dates, with which the LMS opens ${rows === 1 ? 'it' : 'them'} between these dates only, and the end date has passed${lose} Leave the date columns out to keep the access.`;
      return `${many} ${rows === 1 ? `sets the end date of ${a(kind)} ${one}` : `set end dates of ${more}`} to a day that has passed${lose} Check the year.`;
    });
  }
}

function theCourses(sisIds: readonly string[]): string {
  const names = listed(sisIds.map(shown));
  return sisIds.length === 1 ? `The course is ${names}.` : `The courses are ${names}.`;
}

const a = (kind: SisKind): string => (kind === 'enrollment' ? 'an' : 'a');

function at(date: string | null): number | null {
  const time = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? null : time;
}

/** The latest of the dates that are news; null for none. */
function latestOf(
  dates: readonly DatePair[],
  isNews: (before: number | null, after: number) => boolean,
): number | null {
  const days = dates.flatMap(([before, after]) => {
    const day = at(after);
    return day !== null && isNews(at(before), day) ? day : [];
  });
  return days.length === 0 ? null : Math.max(...days);
}
