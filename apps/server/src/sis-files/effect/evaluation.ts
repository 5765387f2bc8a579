/** Shared state of the evaluation of all tables: uploaded rows, answers of the LMS, and changes by the upload. */
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
import type { IntegrationIds } from './integration-ids.ts';
import type { ObserverLinks } from './observers.ts';
import type { PeopleOfLms } from './people.ts';
import { SectionJourneys } from './section-journeys.ts';
import { type KeptRow, keptRow, type Sink } from './sink.ts';
import type { Tally } from './tally.ts';
import type { Row, UploadRows } from './upload-rows.ts';

/** A section created by the upload: SIS IDs of its course, and of the one that it is cross-listed from. */
export interface UploadedSection {
  course: string;
  home: string | null;
}

/** Items that the upload creates or deletes, by SIS ID, as later rows will find them. */
export class UploadState {
  readonly #here = new Map<SisKind, Map<string, boolean>>();
  /** Sections created by the upload, by SIS ID. */
  readonly sections = new Map<string, UploadedSection>();
  /** Sections that the LMS creates as deleted, by SIS ID: it still accepts rows that remove people from them. */
  readonly buriedSections = new Map<string, UploadedSection & { name: string }>();
  /** Moves of sections by the rows so far. */
  readonly journeys = new SectionJourneys();
  /** Parents of accounts after the rows so far: an SIS ID, or null if the parent has none. */
  readonly parents = new Map<string, string | null>();
  /** Dates of terms after the rows so far, by SIS ID. */
  readonly termDates = new Map<string, TermDates>();
  /** Names that rows give to courses, by SIS ID. */
  readonly courseNames = new Map<string, string>();
  /** SIS IDs of sections, and of their courses, that a cross-listing moves if the sections are deleted ones. */
  readonly perhaps = new Set<string>();
  /** SIS IDs of courses that a row deletes if the LMS applies it, which only the LMS knows. */
  readonly perhapsGone = new Set<string>();
  /** SIS IDs of group categories and groups that a row creates if its course is still there. */
  readonly perhapsThere = new Set<string>();
  /** SIS IDs of courses that the upload concludes. */
  readonly concluded = new Set<string>();
  /** SIS IDs of courses that the LMS creates as deleted: it still accepts rows of their sections. */
  readonly buried = new Set<string>();
  /** People by SIS IDs that the LMS does not show: from new logins, and deleted logins of people with another. */
  readonly people = new Map<string, { id: number; name: string }>();

  /** SIS IDs that did not exist: the LMS turns rows that delete them into deleted logins, and then knows them. */
  readonly deletedLogins = new Set<string>();
  /** Further logins of created people: from the login's SIS ID to that of the row that creates the person. */
  readonly #also = new Map<string, string>();
  /** Categories that rows set for groups, by group number, as keys of categories. */
  readonly categoryOfGroup = new Map<number, string>();
  /** SIS IDs of groups whose rows the LMS rejects: these groups stay unchanged. */
  readonly refusedGroups = new Set<string>();

  /** Who has a login after the rows of users so far, by SIS ID; null if they free it. Logins are in lower case. */
  readonly logins = new Map<string, string | null>();
  /** SIS IDs of the logins that rows suspend. */
  readonly suspended = new Set<string>();
  /** SIS IDs of the suspended logins that rows reactivate. */
  readonly opened = new Set<string>();
  /** Owners' SIS IDs of integration ids that rows set; null if they remove one. */
  readonly integrationIds = new Map<string, string | null>();
  /** Owners of the integration ids of places. */
  readonly integrations = new Map<SisKind, IntegrationIds>();

  /** @param is whether it exists afterwards */
  set(kind: SisKind, sisId: string, is: boolean): void {
    const states = this.#here.get(kind) ?? new Map<string, boolean>();
    this.#here.set(kind, states);
    states.set(ownText(sisId), is);
  }

  /** Records that a person created by the upload gets another login. */
  addLogin(sisId: string, of: string): void {
    this.#also.set(ownText(sisId), this.personOf(of));
  }

  /** Returns the main SIS ID of a person in this upload, who may get several. */
  personOf(sisId: string): string {
    return this.#also.get(sisId) ?? ownText(sisId);
  }

  /** Returns whether a row may have deleted a course that no later row restores. */
  mayBeGone(course: string): boolean {
    return this.perhapsGone.has(course) && this.has('course', course) === undefined;
  }

  /** Returns whether an item exists after the rows so far; undefined if no row shows it. */
  has(kind: SisKind, sisId: string): boolean | undefined {
    return this.#here.get(kind)?.get(sisId);
  }
}

/** The reasons why the LMS rejects a row, after the earlier rows. */
export type Refusal = (cell: Cells) => readonly SisProblem[];
/**
 * Rejections by table; `blueprint`: rows of courses in which the LMS rejects only the blueprint cell and applies the
 * rest.
 */
export type Refusals = Partial<Record<SisKind | 'blueprint', Refusal>>;

export interface Evaluation {
  asking: Asking;
  uploadRows: UploadRows;
  tally: Tally;
  sink: Sink;
  uploadState: UploadState;
  people: PeopleOfLms;
  courses: CoursesOfLms;
  around: AccountsAndTerms;
  accountGroups: AccountGroups;
  courseEnrolments: CourseEnrolments;
  courseMembers: CourseMembers;
  observers: ObserverLinks;
  refusals: Refusals;
  /** Name of a file in a zip, by its index; null for a single file. */
  fileOf: (part: number) => string | null;
  /** Called after rows have been evaluated. */
  onEvaluated: (rows: number) => void;
}

/** Returns whether a course exists after the rows so far; null if not known. */
export function courseIsThere({ uploadState, courses }: Evaluation, sisId: string): boolean | null {
  const here = uploadState.has('course', sisId);
  if (here !== undefined) return here;
  if (uploadState.mayBeGone(sisId)) return null;
  const found = courses.of(sisId);
  if (found === 'unread') return null;
  return found !== 'missing' && found.state !== 'deleted';
}

/**
 * Notes a row that enrols people in a course that the rows so far leave concluded: they can only read it.
 * @param found the course in the LMS
 * @param named the course in the row, if its section is cross-listed
 */
export function noteConcluded(
  { uploadState, tally }: Evaluation,
  sisId: string,
  found: Answer<FoundCourse>,
  named = sisId,
): void {
  if (typeof found !== 'object') return;
  const reopened = uploadState.has('course', sisId) === true;
  if (!uploadState.concluded.has(sisId) && (found.state !== 'completed' || reopened)) return;
  const rows = tally.intoConcluded.get(sisId) ?? new Map<string, number>();
  tally.intoConcluded.set(sisId, rows);
  rows.set(named, (rows.get(named) ?? 0) + 1);
}

/** Updates the state for later rows. */
export function follow(
  { uploadState }: Evaluation,
  kind: 'account' | 'term' | 'course',
  id: string,
  { does }: SisEffect,
): void {
  if (does === 'creates' || does === 'restores') uploadState.set(kind, id, true);
  else if (does === 'deletes') uploadState.set(kind, id, false);
}

/** Returns the effect of a row, unless the LMS rejects its values; updates the integration id for later rows. */
export function unlessRefused<E extends SisEffect>(
  { refusals, uploadState }: Evaluation,
  kind: SisKind,
  cell: Cells,
  effect: E,
): E {
  const judged = orRefused(effect, refusals[kind]?.(cell) ?? []);
  if (judged.does !== 'fails' && judged.does !== 'unknown') uploadState.integrations.get(kind)?.follow(cell);
  return judged;
}

/** Counts and stores an evaluated row; without a description it is stored unchanged. */
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
 * Counts the removals of a row.
 * @param key identifies the item within its table
 * @param removes whether the row would remove it, if that could not be compared
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

/** Returns whether the status in a row deletes the item. */
export function removes(kind: SisKind, cell: Cells): boolean {
  return deletes(sisTableOf(kind), (cell('status') ?? '').toLowerCase());
}

/** Names an item known only by its SIS ID. */
export function named(
  id: string | null | undefined,
  name: string | null = null,
  page: string | null = null,
): KeptRow['of'] {
  return { id: id ?? '', name, page };
}
