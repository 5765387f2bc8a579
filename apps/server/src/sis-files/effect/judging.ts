/** What every table needs while its rows are judged: what was read, what was asked, what the upload itself brings about. */
import { type Cells, isDangerous, type SisEffect } from '@lms-admin/domain/sis-effect';
import { deletes, type SisKind, sisTableOf } from '@lms-admin/domain/sis-tables';
import { ownText } from '../../platform/text.ts';
import type { Asking } from './ask.ts';
import type { AccountsAndTerms, CoursesOfLms } from './courses.ts';
import type { Gathered, Row } from './gathered.ts';
import type { PeopleOfLms } from './people.ts';
import { type KeptRow, keptRow, type Sink } from './sink.ts';
import type { Tally } from './tally.ts';

/** Things that rows of the same upload bring about or take away, by SIS id: later rows find them so. */
export class Made {
  readonly #here = new Map<SisKind, Map<string, boolean>>();
  /** Course of each section that the upload makes. */
  readonly sections = new Map<string, string>();
  /** Sections that go to another course, and people who get another login: what hangs on them is not known before. */
  readonly unclear = new Set<string>();

  /** @param is whether it is there afterwards */
  set(kind: SisKind, sisId: string, is: boolean): void {
    const those = this.#here.get(kind) ?? new Map<string, boolean>();
    this.#here.set(kind, those);
    those.set(ownText(sisId), is);
  }

  /** Whether it is there after the rows so far; undefined where none of them says. */
  has(kind: SisKind, sisId: string): boolean | undefined {
    return this.#here.get(kind)?.get(sisId);
  }
}

export interface Judging {
  asking: Asking;
  gathered: Gathered;
  tally: Tally;
  sink: Sink;
  made: Made;
  people: PeopleOfLms;
  courses: CoursesOfLms;
  around: AccountsAndTerms;
  /** Is told after rows have been judged. */
  onJudged: (rows: number) => void;
}

/** Whether a course is there after the rows so far; null where nobody can say. */
export function courseIsThere({ made, courses }: Judging, sisId: string): boolean | null {
  const here = made.has('course', sisId);
  if (here !== undefined) return here;
  const found = courses.of(sisId);
  if (found === 'unread') return null;
  return found !== 'missing' && found.state !== 'deleted';
}

/** Counts and keeps a judged row; what is not told is taken as it stands. */
export async function put(
  judging: Judging,
  kind: SisKind,
  at: Row,
  effect: SisEffect,
  of: KeptRow['of'],
  more: Partial<KeptRow> = {},
): Promise<void> {
  const { tally, sink } = judging;
  tally.row(kind, effect.does);
  await sink.row(
    kind,
    effect.does,
    keptRow(at, of, {
      why: effect.why ?? null,
      fields: (effect.fields ?? []).map(([field, before, after]) => [field, before, after]),
      ...more,
    }),
  );
}

/** Counts what a row takes away. @param removes whether it would, where nobody could find out */
export function count({ tally }: Judging, kind: SisKind, { does }: SisEffect, removes: boolean): void {
  if (isDangerous(does)) tally.take(kind);
  else if (does === 'unknown' && removes) {
    tally.take(kind);
    tally.untold = true;
  }
}

/** Whether the status of a row deletes. */
export function removes(kind: SisKind, cell: Cells): boolean {
  return deletes(sisTableOf(kind), (cell('status') ?? '').toLowerCase());
}

/** Something known by its SIS id alone. */
export function named(
  id: string | null | undefined,
  name: string | null = null,
  page: string | null = null,
): KeptRow['of'] {
  return { id: id ?? '', name, page };
}
