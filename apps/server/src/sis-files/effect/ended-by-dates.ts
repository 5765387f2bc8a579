/**
 * End dates that have passed, and start dates to come: the LMS locks people out by dates although no enrolment changes
 * its state and none is counted.
 */
import { counted } from '@lms-admin/domain/numbers';
import type { DatePair, FieldChange, SisEffect } from '@lms-admin/domain/sis-effect';
import { shown } from '@lms-admin/domain/sis-rows';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import { listed, ownText } from '../../platform/text.ts';

/** Nouns for things that end at such a date, singular and plural. */
const ENDS: Partial<Record<SisKind, readonly [string, string]>> = {
  term: ['term', 'terms'],
  course: ['course', 'courses'],
  section: ['section', 'sections'],
  enrollment: ['enrolment', 'enrolments'],
};

interface ByTerm {
  /** Whether the row moves the course to the term. */
  moved: boolean;
  over: boolean;
  rows: number;
  latest: number;
  /** SIS IDs of the courses. */
  courses: string[];
}

interface Past {
  kind: SisKind;
  /** Whether these are old dates that apply from now on. */
  old: boolean;
  rows: number;
  latest: number;
}

export class EndedByDates {
  readonly #now: number;
  readonly #of = new Map<string, Past>();
  readonly #waits = new Map<SisKind, { rows: number; latest: number }>();
  readonly #never = new Map<SisKind, number>();
  /** Rows of courses that take their dates from a term which has ended, or has not begun. */
  readonly #byTerm = new Map<string, ByTerm>();

  /** Rows that move sections to courses which are over. */
  #into: { rows: number; latest: number; courses: ReadonlySet<string> } | null = null;

  constructor(now = Date.now()) {
    this.#now = now;
  }

  /** Adds a row that locks people out by an end date that has passed, if they had access before that. */
  row(kind: SisKind, { does, fields = [], appliesEnd, byTerm, unseen }: SisEffect, sisId: string): void {
    // Deletions are counted elsewhere.
    if (does === 'deletes' || unseen) return;
    // Concluded courses are also counted elsewhere, even for a row that the LMS may reject.
    const ends = does === 'concludes' || (does === 'unknown' && stateOf(fields) === 'completed');
    if (byTerm !== undefined && !ends && does !== 'fails') this.#termOf(byTerm, sisId);
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

  /** Returns whether one of these dates has passed and previously had not passed, or was not set. */
  isOver(ends: readonly DatePair[]): boolean {
    return this.#over(ends) !== null;
  }

  /** Adds a row that moves a section to a course with these end dates. @param course SIS ID */
  intoOver(ends: readonly DatePair[], course: string): void {
    const day = this.#over(ends);
    if (day === null) return;
    const { rows, latest, courses } = this.#into ?? { rows: 0, latest: day, courses: new Set() };
    this.#into = { rows: rows + 1, latest: Math.max(latest, day), courses: new Set([...courses, course]) };
  }

  #over(ends: readonly DatePair[]): number | null {
    return latestOf(ends, (was, is) => is <= this.#now && (was === null || was > this.#now));
  }

  /** Adds a row that makes the dates of a term apply to a course. */
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

  /** Adds a row that makes people wait for a start date, or whose dates never give access. */
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

  /** Writes one sentence for each table with such rows. */
  notes(): string[] {
    const waits = [...this.#waits].map(([kind, { rows, latest }]) => {
      const [one, more] = ENDS[kind] ?? ['', ''];
      const what = rows === 1 ? `sets the start date of ${a(kind)} ${one}` : `set the start dates of ${more}`;
      const day = new Date(latest).toISOString().slice(0, 10);
      return `${counted(rows, 'row')} ${what} to a date in the future (${rows === 1 ? '' : 'latest: '}${day}). If the dates limit access, people have no access until then, although their enrolments are active. The number of removals does not include them. Check the year.`;
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
    const what = rows === 1 ? 'moves a section to a course that has' : 'move sections to courses that have';
    const when = ` (${rows === 1 ? '' : 'latest: '}${new Date(latest).toISOString().slice(0, 10)})`;
    return [
      `${counted(rows, 'row')} ${what} ended${when}, because the end date of the course or of its term has passed. ${theCourses([...courses])} If neither the section nor the enrolment has its own dates, people lose access, although their enrolments stay active. The number of removals does not include them. Check the course.`,
    ];
  }

  #inTerms(): string[] {
    return [...this.#byTerm.values()].map(({ moved, over, rows, latest, courses }) => {
      const [puts, removes] =
        rows === 1
          ? ['puts a course into', 'removes the dates of a course, which then follows']
          : ['put courses into', 'remove the dates of courses, which then follow'];
      const when = ` (${rows === 1 ? '' : 'latest: '}${new Date(latest).toISOString().slice(0, 10)})`;
      const what = over ? 'whose end date has passed' : 'that starts in the future';
      const shut = over ? 'people have no access' : 'students have no access until then';
      const check = moved ? 'the term_id' : 'start_date and end_date';
      return `${counted(rows, 'row')} ${moved ? puts : removes} a term ${what}${when}. ${theCourses(courses)} If the course, the section and the enrolment have no dates of their own, ${shut}, although their enrolments stay active. The number of removals does not include them. Check ${check}.`;
    });
  }

  #ended(): string[] {
    return [...this.#of.values()].map(({ kind, old, rows, latest }) => {
      const [one, more] = ENDS[kind] ?? ['', ''];
      const day = new Date(latest).toISOString().slice(0, 10);
      const many = counted(rows, 'row');
      const lose = ` (${rows === 1 ? '' : 'latest: '}${day}). People lose access, although their enrolments stay active. The number of removals does not include them.`;
      if (old)
        return `${many} ${rows === 1 ? `gives ${a(kind)} ${one} its own` : `give ${more} their own`} dates. The LMS then gives access only between these dates, and the end date has passed${lose} Remove the date columns to keep access.`;
      return `${many} ${rows === 1 ? `sets the end date of ${a(kind)} ${one}` : `set the end dates of ${more}`} to a day that has passed${lose} Check the year.`;
    });
  }
}

function theCourses(sisIds: readonly string[]): string {
  const names = listed(sisIds.map(shown));
  return sisIds.length === 1 ? `The course is ${names}.` : `The courses are ${names}.`;
}

/** Returns the new state in a row; undefined if the row does not change it. */
const stateOf = (fields: readonly FieldChange[]): string | null | undefined =>
  fields.find(([field]) => field === 'status')?.[2];

const a = (kind: SisKind): string => (kind === 'enrollment' ? 'an' : 'a');

function at(date: string | null): number | null {
  const time = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? null : time;
}

/** Returns the latest of the new dates; null if there is none. */
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
