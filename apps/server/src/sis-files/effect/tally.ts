/** Counts of an effect: rows by table and kind of effect, and everything that they remove. */

import type { SisEffect } from '@lms-admin/contract/sis-effects';
import { counted } from '@lms-admin/domain/numbers';
import type { SisDoes } from '@lms-admin/domain/sis-effect';
import { brakeReason } from '@lms-admin/domain/sis-effect/brake';
import { shown } from '@lms-admin/domain/sis-rows';
import { SIS_KINDS, type SisKind } from '@lms-admin/domain/sis-tables';
import { listed, storable } from '../../platform/text.ts';
import { EndedByDates } from './ended-by-dates.ts';
import { Losses } from './losses.ts';

/** Maximum number of courses that are named. */
export const MOST_NAMED = 50;

type Created = SisEffect['new_courses'][number];

export class Tally {
  readonly #does = new Map<SisKind, Map<SisDoes, number>>();
  readonly losses = new Losses();
  /** Whether a course or section with enrolments is deleted, concluded or moved. */
  whole = false;
  /** Whether something that may be removed was not compared or counted. */
  untold = false;
  refused = 0;
  /** Rows with an id that is not in the LMS and that are not rejected for it. */
  notFound = 0;
  /** Whether any newly enrolled student's observers are unknown. */
  observersUnknown = false;
  /** Enrolments of observers added together with those of students. */
  observersComing = 0;
  /** Enrolments of observers added through links of the upload. */
  observersLinked = 0;
  /** Whether the enrolments of some links were not counted. */
  observersUncounted = false;
  /** Numbers of all people and courses, if they were requested. */
  readonly there = new Map<SisKind, number | null>();
  readonly notes: string[] = [];
  /** Notes about the places of rows, which each of these rows also shows. */
  readonly #places = new Set<string>();
  readonly endedByDates = new EndedByDates();
  /** Observer links that the upload creates: deleting one again is not a loss. */
  readonly newLinks = new Set<string>();
  /** Rows that enrol people in concluded courses, by SIS ID of the course and of the one in the row. */
  readonly intoConcluded = new Map<string, Map<string, number>>();
  /** Numbers of people by the SIS IDs in rows: one person may have several. */
  readonly numbers = new Map<string, number>();
  /** Courses of rows of enrolments: by number, otherwise by the text in the rows. */
  readonly places = new Set<number | string>();
  /** Courses that the LMS would create for cross-listings, by SIS ID. */
  readonly newCourses = new Map<string, Created>();

  /** Rows without a section in courses of the same upload, by SIS ID of the course. */
  readonly newDefaults = new Map<string, number>();

  notePlace(text: string): void {
    this.notes.push(text);
    this.#places.add(text);
  }

  /** Lists the notes that no row shows. */
  get ownNotes(): string[] {
    return this.notes.filter((text) => !this.#places.has(text));
  }

  row(kind: SisKind, does: SisDoes): void {
    const counts = this.#does.get(kind) ?? new Map<SisDoes, number>();
    this.#does.set(kind, counts);
    counts.set(does, (counts.get(does) ?? 0) + 1);
  }

  rows(kind: SisKind, does: SisDoes): number {
    return this.#does.get(kind)?.get(does) ?? 0;
  }

  /** Counts items that the upload may remove, if they exist. */
  uncompared(kind: SisKind, count = 1): void {
    this.losses.addUncompared(kind, count);
    this.untold = true;
  }

  tables(): SisEffect['tables'] {
    return SIS_KINDS.flatMap((kind) => {
      const counts = this.#does.get(kind);
      if (!counts) return [];
      const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return [{ kind, rows, does: Object.fromEntries(counts) }];
    });
  }

  /** Returns one sentence for each concluded course with new people. */
  concludedNotes(): string[] {
    const all = [...this.intoConcluded];
    const named = all.slice(0, MOST_NAMED).map(([sisId, byName]) => {
      const rows = [...byName.values()].reduce((sum, count) => sum + count, 0);
      const bring = rows === 1 ? '1 row adds' : `${rows.toLocaleString('en-GB')} rows add`;
      return `The course ${shown(sisId)} is concluded: ${bring} people to it, who will only be able to read it. ${crossListed(sisId, byName, rows)}If they need to work in it, make the course active first.`;
    });
    const more = all.length - named.length;
    const others = more === 1 ? '1 other course' : `${more.toLocaleString('en-GB')} other courses`;
    return more > 0 ? [...named, `The same is true of ${others}.`] : named;
  }

  brake(): SisEffect['brake'] {
    const { losses } = this;
    const losing = losses.courses();
    const reason = brakeReason({
      all: losses.all,
      whole: this.whole,
      untold: this.untold,
      courses: losing.map(({ enrolments, active }) => ({ taken: enrolments, active })),
      ofAll: [...this.there].map(([kind, there]) => ({ taken: losses.count(kind), there })),
    });
    const kinds = (countOf: (kind: SisKind) => number) =>
      SIS_KINDS.flatMap((kind) => (countOf(kind) > 0 ? [{ kind, count: countOf(kind) }] : []));
    return {
      takes: kinds((kind) => losses.count(kind)),
      uncompared: kinds((kind) => losses.uncompared(kind)),
      confirm: reason === null ? null : losses.all,
      reason,
      courses: losing.slice(0, MOST_NAMED).map(({ sisId, name, enrolments, members, active }) => ({
        sis_course_id: storable(sisId ?? ''),
        name: name === null ? null : storable(name),
        taken: enrolments,
        members,
        active,
      })),
    };
  }
}

/** Names the original course of a section in rows, if it was cross-listed to this course. */
function crossListed(sisId: string, byName: ReadonlyMap<string, number>, rows: number): string {
  const others = [...byName].filter(([name]) => name !== sisId);
  const count = others.reduce((sum, [, rowCount]) => sum + rowCount, 0);
  if (count === 0) return '';
  const who =
    count === rows
      ? rows === 1
        ? 'The row names'
        : 'The rows name'
      : `${counted(count, 'row')} of them ${count === 1 ? 'names' : 'name'}`;
  const names = listed(others.map(([name]) => shown(name)));
  return `${who} ${others.length === 1 ? 'the course' : 'the courses'} ${names}, from which ${others.length === 1 ? 'a section was' : 'sections were'} cross-listed to it. `;
}
