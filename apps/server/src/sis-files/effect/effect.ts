/** What a checked upload will do: its rows compared with what the LMS holds, and what of it goes (SIS-06, OP-53). */
import type { SisFile } from '@lms-admin/contract/sis-files';
import { deletionReason, shown } from '@lms-admin/domain/sis-rows';
import { type SisKind, sisTableOf } from '@lms-admin/domain/sis-tables';
import type { Admin } from '../../auth/admin.ts';
import type { RowProblems } from '../../imports/row-problems.ts';
import { mapLimited } from '../../platform/limited.ts';
import { storable } from '../../platform/text.ts';
import type { CheckServices } from '../policies/policy.ts';
import { idleEnrolment, landingSentences, refusedPerson, uncomparedSentences } from './effect-words.ts';
import { type ComparedPlace, compareEnrolments } from './enrolments.ts';
import { type Going, type Held, Holdings } from './holdings.ts';
import type { NamedRows } from './named-rows.ts';
import { type ComparedPerson, comparePeople } from './people.ts';

/** Rows and people that are named, and courses. */
const MOST_NAMED = 50;
/** Courses and sections to be deleted whose enrolments are counted. */
const MOST_COUNTED = 200;
const AT_ONCE = 8;

export interface EffectRequest {
  services: CheckServices;
  admin: Admin;
  rows: NamedRows;
  /** Names of the files of a zip; null for a single file. */
  files: readonly string[] | null;
  /** Kinds of the files. */
  kinds: readonly SisKind[];
  problems: RowProblems;
  signal: AbortSignal;
}

type Effect = Pick<SisFile, 'effect' | 'deletions'> & {
  /** Sentences about rows that may land in another course than they name. */
  landing: string[];
};
type Idle = SisFile['effect']['idle']['named'][number] & { part: number };

/**
 * Compares what the rows name with what the LMS holds.
 * @throws AppError bad-request for rows that would meet somebody else; CanvasError when the admin's token is refused
 */
export async function effectOf(request: EffectRequest): Promise<Effect> {
  const { services, admin, rows, files, kinds, problems, signal } = request;
  // Ids that change in the same import are not those that the LMS knows now.
  const comparable = !kinds.includes('change_sis_id');
  const limited = admin.record.perm !== 'ALL';
  const holdings = new Holdings(services, admin, signal);
  const people =
    limited || !comparable
      ? rows.people.map((one): ComparedPerson => ({ one, effect: limited ? { does: 'creates' } : null }))
      : await comparePeople(services, admin, rows.people, signal);
  for (const { one, effect } of people) {
    const report = problems.reportFor(files?.[one.part] ?? null);
    if (effect?.does === 'refused') report(one.row, 'login_id', refusedPerson(one, effect));
  }
  problems.throwIfAny();
  const going = await goingPlaces(rows, holdings, comparable);
  const places = comparable
    ? await compareEnrolments(services, admin, [...rows.places.values()], holdings, signal)
    : unread(rows);

  const idle = idleRows(people, places, kinds);
  const tally = new Tally(rows, people, places, going);
  return {
    effect: {
      people: kinds.includes('user') ? peopleEffect(rows, people, files) : null,
      idle: {
        rows: idle.length,
        named: idle
          .sort((a, b) => a.part - b.part || (a.row ?? 0) - (b.row ?? 0))
          .slice(0, MOST_NAMED)
          .map(({ part, row, message }) => ({
            file: files?.[part] ?? null,
            row,
            message: storable(message),
          })),
      },
      uncompared: uncomparedSentences({ rows, people, places, going, comparable }),
    },
    deletions: tally.deletions(),
    landing: landingSentences(places),
  };
}

function unread(rows: NamedRows): ComparedPlace[] {
  return [...rows.places.values()].map((place) => ({
    place,
    held: 'unread',
    from: null,
    rows: place.rows.map((one) => ({
      place,
      one,
      effect: { does: one.status.startsWith('deleted') ? 'removes' : 'works' },
      nobody: false,
    })),
  }));
}

function goingPlaces(rows: NamedRows, holdings: Holdings, comparable: boolean): Promise<Going[]> {
  const named = [
    ...[...rows.courses].map((id) => ({ by: 'course' as const, id })),
    // What hangs on a section of a course that is deleted too goes once only.
    ...[...rows.sections].flatMap(([id, course]) =>
      rows.courses.has(course) ? [] : [{ by: 'section' as const, id }],
    ),
  ];
  return mapLimited(named, AT_ONCE, async ({ by, id }, at) => ({
    by,
    id,
    held: comparable && at < MOST_COUNTED ? await holdings.of(by, id) : 'unread',
  }));
}

function peopleEffect(
  { beyond }: NamedRows,
  people: readonly ComparedPerson[],
  files: readonly string[] | null,
): SisFile['effect']['people'] {
  const existing = people.flatMap(({ one, effect }) =>
    effect && 'person' in effect && effect.does !== 'refused' ? [{ one, effect }] : [],
  );
  return {
    created: people.filter(({ effect }) => effect?.does === 'creates').length,
    existing: existing.length,
    uncompared: people.filter(({ effect }) => effect === null).length + beyond.people,
    named: existing.slice(0, MOST_NAMED).map(({ one, effect: { does, person } }) => ({
      file: files?.[one.part] ?? null,
      row: one.row,
      does,
      name: storable(person.name),
      sis_user_id: storable(one.id),
      login: storable(person.login ?? ''),
    })),
  };
}

/** Rows that change nothing, with the reason. */
function idleRows(
  people: readonly ComparedPerson[],
  places: readonly ComparedPlace[],
  kinds: readonly SisKind[],
): Idle[] {
  const idle: Idle[] = [];
  for (const { one, effect } of people) {
    if (effect?.does !== 'nothing') continue;
    const message = `Nobody in the LMS has the SIS id ${shown(one.id)}: nobody is deleted.`;
    idle.push({ part: one.part, file: null, row: one.row, message });
  }
  const makes = kinds.some((kind) => sisTableOf(kind).makes?.includes('course'));
  // Who comes with the same upload is nobody yet.
  const arrive = kinds.some((kind) => kind === 'user' || kind === 'login');
  for (const { held, rows } of places) {
    for (const row of rows) {
      const message = idleEnrolment(row, held === 'missing' && !makes, !arrive);
      if (message !== null) idle.push({ part: row.one.part, file: null, row: row.one.row, message });
    }
  }
  return idle;
}

/** Counts what really goes. */
class Tally {
  readonly #counts = new Map<SisKind, number>();
  readonly #courses = new Map<string, SisFile['deletions']['courses'][number]>();
  #rows = 0;
  #untold = false;
  /** Whether a course or section goes with enrolments in it. */
  #whole = false;

  constructor(
    rows: NamedRows,
    people: readonly ComparedPerson[],
    places: readonly ComparedPlace[],
    going: readonly Going[],
  ) {
    const deleted = people.filter(({ one, effect }) =>
      effect === null ? one.status.startsWith('deleted') : effect.does === 'deletes',
    );
    this.#take('user', deleted.length + rows.beyond.deletedPeople);
    for (const one of going) this.#place(one);
    for (const one of places) this.#removals(one, rows.courses);
    this.#take('enrollment', rows.beyond.removed);
    if (rows.beyond.removed > 0) this.#untold = true;
    for (const [kind, those] of rows.others) this.#take(kind, those.size);
    this.#rows += rows.beyond.others;
  }

  /** @param rows that take them away */
  #take(kind: SisKind, count: number, rows = count): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
    this.#rows += rows;
  }

  #place({ by, id, held }: Going): void {
    if (held === 'missing') return;
    this.#take(by, 1);
    if (held === 'unread') {
      this.#untold = true;
      return;
    }
    const section = by === 'section' ? held.sections.get(id) : undefined;
    const inside = held.enrolments.filter((one) => section === undefined || one.sectionId === section);
    this.#take('enrollment', inside.length, 0);
    if (inside.length > 0) this.#whole = true;
    if (by === 'course') this.#course(id, held, inside.length);
  }

  #removals({ place, held, rows }: ComparedPlace, deletedCourses: ReadonlySet<string>): void {
    // They go with their course.
    if (place.by === 'course' && deletedCourses.has(place.id)) return;
    const removed = rows.filter(({ effect }) => effect.does === 'removes').length;
    if (held === 'missing') {
      if (place.removing > 0 && place.by === 'course') this.#course(place.id, held, place.removing);
      return;
    }
    this.#take('enrollment', removed);
    if (removed === 0) return;
    if (held === 'unread') this.#untold = true;
    if (typeof held === 'object') this.#course(held.course.sisId, held, removed);
    else if (place.by === 'course') this.#course(place.id, held, removed);
  }

  #course(sisId: string, held: Held, deleted: number): void {
    const known = this.#courses.get(sisId);
    const found = typeof held === 'object' ? held : null;
    this.#courses.set(sisId, {
      sis_course_id: storable(sisId),
      name: found && storable(found.course.name),
      missing: held === 'missing',
      deleted: (known?.deleted ?? 0) + deleted,
      active: found && found.enrolments.filter((one) => one.state === 'active').length,
    });
  }

  deletions(): SisFile['deletions'] {
    const takes = [...this.#counts].map(([kind, count]) => ({ kind, count }));
    const all = takes.reduce((sum, { count }) => sum + count, 0);
    const courses = [...this.#courses.values()].sort((a, b) => b.deleted - a.deleted).slice(0, MOST_NAMED);
    const present = courses.filter((one) => !one.missing);
    const reason =
      deletionReason(all, present, this.#whole) ?? (this.#untold && all > 0 ? 'share-of-course' : null);
    return {
      rows: this.#rows,
      people: this.#counts.get('user') ?? 0,
      takes,
      courses,
      confirm: reason === null ? null : all,
      reason,
    };
  }
}
