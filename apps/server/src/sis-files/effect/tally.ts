/** What is counted of an effect: rows by table and by what they do, and what all of them take away. */
import type { SisEffect } from '@lms-admin/contract/sis-effects';
import type { SisDoes } from '@lms-admin/domain/sis-effect';
import { brakeReason } from '@lms-admin/domain/sis-effect/brake';
import { SIS_KINDS, type SisKind } from '@lms-admin/domain/sis-tables';
import { storable } from '../../platform/text.ts';

/** Courses that are named. */
const MOST_NAMED = 50;

type Losing = SisEffect['brake']['courses'][number];

export class Tally {
  readonly #does = new Map<SisKind, Map<SisDoes, number>>();
  readonly #takes = new Map<SisKind, number>();
  readonly #courses = new Map<string, Losing>();
  /** Whether a course or section goes with enrolments in it. */
  whole = false;
  /** Whether something that takes away was not compared, or not counted. */
  untold = false;
  refused = 0;
  /** How many people and courses there are, as far as that was asked. */
  readonly there = new Map<SisKind, number | null>();
  readonly notes: string[] = [];

  row(kind: SisKind, does: SisDoes): void {
    const counts = this.#does.get(kind) ?? new Map<SisDoes, number>();
    this.#does.set(kind, counts);
    counts.set(does, (counts.get(does) ?? 0) + 1);
  }

  rows(kind: SisKind, does: SisDoes): number {
    return this.#does.get(kind)?.get(does) ?? 0;
  }

  take(kind: SisKind, count = 1): void {
    if (count > 0) this.#takes.set(kind, (this.#takes.get(kind) ?? 0) + count);
  }

  taken(kind: SisKind): number {
    return this.#takes.get(kind) ?? 0;
  }

  /** A course that loses enrolments. */
  course(sisId: string, name: string | null, taken: number, active: number | null): void {
    const known = this.#courses.get(sisId);
    this.#courses.set(sisId, {
      sis_course_id: storable(sisId),
      name: name === null ? null : storable(name),
      taken: (known?.taken ?? 0) + taken,
      active: active ?? known?.active ?? null,
    });
  }

  /** All things that go or end. */
  get all(): number {
    return [...this.#takes.values()].reduce((sum, count) => sum + count, 0);
  }

  tables(): SisEffect['tables'] {
    return SIS_KINDS.flatMap((kind) => {
      const counts = this.#does.get(kind);
      if (!counts) return [];
      const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return [{ kind, rows, does: Object.fromEntries(counts) }];
    });
  }

  brake(): SisEffect['brake'] {
    const losing = [...this.#courses.values()].sort((a, b) => b.taken - a.taken);
    const reason = brakeReason({
      all: this.all,
      whole: this.whole,
      untold: this.untold,
      courses: losing,
      ofAll: [...this.there].map(([kind, there]) => ({ taken: this.taken(kind), there })),
    });
    return {
      takes: SIS_KINDS.flatMap((kind) => {
        const count = this.#takes.get(kind);
        return count ? [{ kind, count }] : [];
      }),
      confirm: reason === null ? null : this.all,
      reason,
      courses: losing.slice(0, MOST_NAMED),
    };
  }
}
