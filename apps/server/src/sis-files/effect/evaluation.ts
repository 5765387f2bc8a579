/** What every table needs while its rows are judged: what was read, what was asked, what the upload itself brings about. */
import { type Cells, isDangerous, orRefused, type SisEffect } from '@lms-admin/domain/sis-effect';
import type { TermDates } from '@lms-admin/domain/sis-effect/terms';
import type { SisProblem } from '@lms-admin/domain/sis-rows';
import { deletes, type SisKind, sisTableOf } from '@lms-admin/domain/sis-tables';
import type { Answer } from '../../canvas/resources/reading.ts';
import { ownText } from '../../platform/text.ts';
import type { AccountGroups } from './account-groups.ts';
import { type Asking } from './ask.ts';
import type { CourseEnrolments } from './course-enrolments.ts';
import type { CourseMembers } from './course-members.ts';
import type { AccountsAndTerms, CoursesOfLms, FoundCourse } from './courses.ts';
import type { Gathered, Row } from './gathered.ts';
import type { IntegrationIds } from './integration-ids.ts';
import type { ObserverLinks } from './observers.ts';
import type { PeopleOfLms } from './people.ts';
import { SectionJourneys } from './section-journeys.ts';
import { type KeptRow, keptRow, type Sink } from './sink.ts';
import type { Tally } from './tally.ts';

/** A section that the upload makes: SIS IDs of the course that it is in, and of the one that it is cross-listed from. */
export interface MadeSection {
  course: string;
  home: string | null;
}

/** Things that rows of the same upload create or delete, by SIS ID: later rows find them so. */
export class Made {
  readonly #here = new Map<SisKind, Map<string, boolean>>();
  /** Sections that the upload makes, by SIS ID. */
  readonly sections = new Map<string, MadeSection>();
  /** Where sections go by the rows so far. */
  readonly journeys = new SectionJourneys();
  /** Where accounts lie after the rows so far: the SIS ID of the one above, null for none that has one. */
  readonly parents = new Map<string, string | null>();
  /** Dates of terms after the rows so far, by SIS ID. */
  readonly termDates = new Map<string, TermDates>();
  /** Names that rows give to courses, by SIS ID. */
  readonly courseNames = new Map<string, string>();
  /** SIS IDs of sections that a cross-listing moves if they are hidden, and of its courses. */
  readonly perhaps = new Set<string>();
  /** SIS IDs of courses that the upload concludes. */
  readonly concluded = new Set<string>();
  /** SIS IDs of courses that the LMS creates as deleted ones: it takes rows of sections in them. */
  readonly buried = new Set<string>();
  /** Whom SIS IDs mean by the upload, where the LMS does not know them so: those of new logins, and of deleted ones of people with another. */
  readonly people = new Map<string, { id: number; name: string }>();

  /** SIS IDs that no one had: the LMS makes deleted logins of rows that delete them, and goes by these. */
  readonly deletedLogins = new Set<string>();
  /** SIS IDs of further logins of people whom the upload makes: by each the SIS ID that they are made with. */
  readonly #also = new Map<string, string>();
  /** Categories that rows give to groups, by the number of the group: what tells a category from others. */
  readonly categoryOfGroup = new Map<number, string>();
  /** SIS IDs of groups whose rows the LMS refuses: they stay as they are. */
  readonly refusedGroups = new Set<string>();

  /** SIS IDs of the logins that rows suspend. */
  readonly suspended = new Set<string>();
  /** SIS IDs of the suspended logins that rows open again. */
  readonly opened = new Set<string>();
  /** SIS IDs of the people whom rows give integration ids; null where they take one away from someone. */
  readonly integrationIds = new Map<string, string | null>();
  /** Whose the integration ids of places are. */
  readonly integrations = new Map<SisKind, IntegrationIds>();

  /** @param is whether it is there afterwards */
  set(kind: SisKind, sisId: string, is: boolean): void {
    const those = this.#here.get(kind) ?? new Map<string, boolean>();
    this.#here.set(kind, those);
    those.set(ownText(sisId), is);
  }

  /** Notes that someone whom the upload makes gets another login. */
  addLogin(sisId: string, of: string): void {
    this.#also.set(ownText(sisId), this.whose(of));
  }

  /** The SIS ID by which someone of this upload is known, of several that they get. */
  whose(sisId: string): string {
    return this.#also.get(sisId) ?? ownText(sisId);
  }

  /** Whether it is there after the rows so far; undefined where none of them says. */
  has(kind: SisKind, sisId: string): boolean | undefined {
    return this.#here.get(kind)?.get(sisId);
  }
}

/** All that the LMS refuses a row for, as the rows before it leave things. */
export type Refusal = (cell: Cells) => readonly SisProblem[];
/** By table; `blueprint` is what it refuses of rows of courses whose rest it carries out. */
export type Refusals = Partial<Record<SisKind | 'blueprint', Refusal>>;

export interface Evaluation {
  asking: Asking;
  gathered: Gathered;
  tally: Tally;
  sink: Sink;
  made: Made;
  people: PeopleOfLms;
  courses: CoursesOfLms;
  around: AccountsAndTerms;
  accountGroups: AccountGroups;
  courseEnrolments: CourseEnrolments;
  courseMembers: CourseMembers;
  observers: ObserverLinks;
  refusals: Refusals;
  /** Name of a file in a zip, by its place; null for a single file. */
  fileOf: (part: number) => string | null;
  /** Is told after rows have been judged. */
  onEvaluated: (rows: number) => void;
}

/** Whether a course is there after the rows so far; null where no one can say. */
export function courseIsThere({ made, courses }: Evaluation, sisId: string): boolean | null {
  const here = made.has('course', sisId);
  if (here !== undefined) return here;
  const found = courses.of(sisId);
  if (found === 'unread') return null;
  return found !== 'missing' && found.state !== 'deleted';
}

/**
 * Notes a row that brings people into a course which is concluded after the rows so far: they can only read it.
 * @param found as the LMS has it
 * @param named the course that the row names, where a section of that one was cross-listed
 */
export function noteConcluded(
  { made, tally }: Evaluation,
  sisId: string,
  found: Answer<FoundCourse>,
  named = sisId,
): void {
  if (typeof found !== 'object') return;
  const reopened = made.has('course', sisId) === true;
  if (!made.concluded.has(sisId) && (found.state !== 'completed' || reopened)) return;
  const rows = tally.intoConcluded.get(sisId) ?? new Map<string, number>();
  tally.intoConcluded.set(sisId, rows);
  rows.set(named, (rows.get(named) ?? 0) + 1);
}

/** What a row leaves is what later rows find. */
export function follow(
  { made }: Evaluation,
  kind: 'account' | 'term' | 'course',
  id: string,
  { does }: SisEffect,
): void {
  if (does === 'creates' || does === 'restores') made.set(kind, id, true);
  else if (does === 'deletes') made.set(kind, id, false);
}

/** What a row does, unless the LMS refuses it for what it holds; later rows find its integration id with it. */
export function unlessRefused<E extends SisEffect>(
  { refusals, made }: Evaluation,
  kind: SisKind,
  cell: Cells,
  effect: E,
): E {
  const judged = orRefused(effect, refusals[kind]?.(cell) ?? []);
  if (judged.does !== 'fails' && judged.does !== 'unknown') made.integrations.get(kind)?.follow(cell);
  return judged;
}

/** Counts and keeps a judged row; a row without a description is kept as it is. */
export async function put(
  evaluation: Evaluation,
  kind: SisKind,
  at: Row,
  effect: SisEffect,
  of: KeptRow['of'],
  more: Partial<KeptRow> = {},
): Promise<void> {
  const { tally, sink } = evaluation;
  tally.row(kind, effect.does);
  if (effect.does !== 'fails' && effect.problems) tally.notFound++;
  tally.endedByDates.row(kind, effect, of?.id ?? '');
  await sink.row(
    kind,
    effect.does,
    keptRow(at, of, {
      why: effect.why ?? null,
      problems: (effect.problems ?? []).map(({ column, message }) => ({ column, message })),
      fields: (effect.fields ?? []).map(([field, before, after]) => [field, before, after]),
      ...more,
    }),
  );
}

/**
 * Counts what a row removes.
 * @param key what tells the thing from others of its table
 * @param removes whether the row would, where that could not be compared
 */
export function count(
  { tally }: Evaluation,
  kind: SisKind,
  { does }: SisEffect,
  key: string,
  removes: boolean,
): void {
  if (isDangerous(does)) tally.losses.lose(kind, key);
  else if (does === 'unknown' && removes) tally.uncompared(kind);
}

/** Whether the status of a row deletes. */
export function removes(kind: SisKind, cell: Cells): boolean {
  return deletes(sisTableOf(kind), (cell('status') ?? '').toLowerCase());
}

/** Something known by its SIS ID alone. */
export function named(
  id: string | null | undefined,
  name: string | null = null,
  page: string | null = null,
): KeptRow['of'] {
  return { id: id ?? '', name, page };
}
