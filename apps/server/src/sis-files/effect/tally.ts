/** What is counted of an effect: rows by table and by what they do, and what all of them remove. */
import type { SisEffect } from '@lms-admin/contract/sis-effects';
import type { SisDoes } from '@lms-admin/domain/sis-effect';
import { brakeReason } from '@lms-admin/domain/sis-effect/brake';
import { shown } from '@lms-admin/domain/sis-rows';
import { SIS_KINDS, type SisKind } from '@lms-admin/domain/sis-tables';
import { storable } from '../../platform/text.ts';
import { EndedByDates } from './ended-by-dates.ts';
import { Losses } from './losses.ts';

/** Courses that are named. */
export const MOST_NAMED = 50;

type Created = SisEffect['new_courses'][number];

export class Tally {
  readonly #does = new Map<SisKind, Map<SisDoes, number>>();
  readonly losses = new Losses();
  /** Whether a course or section with enrolments in it is deleted, concluded or moved. */
  whole = false;
  /** Whether something that may be removed was not compared, or not counted. */
  untold = false;
  refused = 0;
  /** Whether there are students who come into courses and whose observers are not known. */
  observersUnknown = false;
  /** Enrolments of observers that come with those of students. */
  observersComing = 0;
  /** How many people and courses there are, as far as that was asked. */
  readonly there = new Map<SisKind, number | null>();
  readonly notes: string[] = [];
  /** Those about where rows are carried out, which each of these rows tells as well. */
  readonly #places = new Set<string>();
  readonly endedByDates = new EndedByDates();
  /** Links of observers that the upload creates: deleted again they are not lost. */
  readonly newLinks = new Set<string>();
  /** Rows that bring people into concluded courses, by SIS id of the course. */
  readonly intoConcluded = new Map<string, number>();
  /** Numbers of people by the SIS ids by which rows of enrolments name them: somebody may be named by several. */
  readonly numbers = new Map<string, number>();
  /** Courses of rows of enrolments: by number, else by what rows call them. */
  readonly places = new Set<number | string>();
  /** Courses that the LMS would create for cross-listings, by SIS id. */
  readonly newCourses = new Map<string, Created>();

  notePlace(text: string): void {
    this.notes.push(text);
    this.#places.add(text);
  }

  /** Notes that no row tells. */
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

  /** Something may be removed, and it is not known whether it is there. */
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

  /** A sentence for each concluded course that people come into. */
  concludedNotes(): string[] {
    const all = [...this.intoConcluded];
    const named = all.slice(0, MOST_NAMED).map(([sisId, rows]) => {
      const bring = rows === 1 ? '1 row brings' : `${rows.toLocaleString('en-GB')} rows bring`;
      return `The course ${shown(sisId)} is concluded: ${bring} people into it, who can only read it. Make the course active first if they are to work in it.`;
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
    const listed = (countOf: (kind: SisKind) => number) =>
      SIS_KINDS.flatMap((kind) => (countOf(kind) > 0 ? [{ kind, count: countOf(kind) }] : []));
    return {
      takes: listed((kind) => losses.count(kind)),
      uncompared: listed((kind) => losses.uncompared(kind)),
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
