/** Source of generated files: random numbers, and a few people and places in the current sandbox. */
import type { Course, Group, GroupCategory, Pseudonym, Section } from '@lms-admin/sandbox/canvas/store/model';
import type { World } from '@lms-admin/sandbox/canvas/store/world';
import { Chance } from '@lms-admin/sandbox/seed/prng';
import type { GeneratedRow } from './file.ts';

export { Chance };

/** There are only a few, so that rows and successive files affect the same objects. */
const COURSES = 4;
const PEOPLE = 12;

export type Choices<T> = readonly (readonly [weight: number, make: T])[];

export class Stage {
  readonly chance: Chance;
  readonly world: World;
  readonly courses: readonly Course[];
  readonly people: readonly Pseudonym[];
  /** Ids created by rows of the same upload, for rows of later tables. */
  readonly ahead = {
    user: [] as string[],
    course: [] as string[],
    section: [] as string[],
    term: [] as string[],
  };
  /** Objects deleted by rows of the same upload. Rows of later tables use them too. */
  readonly leaving = { user: [] as string[], section: [] as string[] };
  /** People whose SIS ID is changed by the same upload, by the new one. */
  readonly renamed: { id: string; login: string }[] = [];
  /** Deleted logins of people who have another one. */
  readonly hidden: readonly Pseudonym[];
  /** Logins of people without an SIS ID. */
  readonly nameless: readonly Pseudonym[];
  readonly aheadGroups: string[] = [];
  readonly aheadCategories: string[] = [];
  readonly #name: string;
  #made = 0;

  /** @param pool courses and people shared by all files. @param name part of every new id */
  constructor(chance: Chance, world: World, pool: Pool, name: string) {
    this.chance = chance;
    this.world = world;
    this.#name = name;
    const some = <T>(items: readonly T[], count: number) =>
      Array.from({ length: count }, () => chance.pick(items));
    this.courses = some(pool.courses(world), COURSES);
    this.people = some(pool.people(world, this.courses), PEOPLE);
    this.hidden = pool.hidden(world);
    this.nameless = pool.nameless(world);
  }

  /** Returns an unused id. */
  fresh(kind: string): string {
    return `${kind}-${this.#name}-${++this.#made}`;
  }

  one<T>(choices: Choices<T>): T {
    const all = choices.reduce((sum, [weight]) => sum + weight, 0);
    let at = this.chance.next() * all;
    for (const [weight, choice] of choices) {
      at -= weight;
      if (at < 0) return choice;
    }
    return (choices.at(-1) as readonly [number, T])[1];
  }

  person(): Pseudonym {
    return this.chance.pick(this.people);
  }

  /**
   * Returns a person's SIS ID: usually one of the few people here, sometimes one created by the same upload.
   */
  personId(): string {
    const { user } = this.ahead;
    if (this.leaving.user.length > 0 && this.chance.chance(0.3)) return this.chance.pick(this.leaving.user);
    if (user.length > 0 && this.chance.chance(0.3)) return this.chance.pick(user);
    return this.person().sis_user_id ?? '';
  }

  course(): Course {
    return this.chance.pick(this.courses);
  }

  courseId(): string {
    const { course } = this.ahead;
    if (course.length > 0 && this.chance.chance(0.3)) return this.chance.pick(course);
    return this.course().sis_source_id ?? '';
  }

  /** Finds a section with an SIS ID, in or from one of the courses, or returns undefined if there is none. */
  section(course: Course = this.course()): Section | undefined {
    const { sections } = this.world;
    const named = [...sections.by.course.get(course.id), ...sections.by.nonxlist.get(course.id)].filter(
      ({ sis_source_id }) => sis_source_id !== null,
    );
    return named.length === 0 ? undefined : this.chance.pick(named);
  }

  groups(): Group[] {
    return [...this.world.groups.values()].filter(({ sis_source_id }) => sis_source_id !== null);
  }

  categories(): GroupCategory[] {
    return [...this.world.groupCategories.values()].filter(({ sis_source_id }) => sis_source_id !== null);
  }

  /** Returns a word, occasionally in different letter case. */
  word(word: string): string {
    if (this.chance.chance(0.85)) return word;
    return this.chance.chance(0.5) ? word.toUpperCase() : `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  }

  name(): string {
    return this.chance.pick(NAMES);
  }

  date(): string {
    return this.chance.pick(DATES);
  }

  /**
   * Returns these columns and some others: all that a mistake needs, most of those that rows fill in, and a
   * few that none does.
   */
  columns(rows: readonly GeneratedRow[], always: readonly string[], perhaps: readonly string[]): string[] {
    const filled = (column: string) => rows.filter(({ cells }) => cells[column]);
    return [
      ...always,
      ...perhaps.filter((column) => {
        const those = filled(column);
        if (those.some(({ mistake }) => mistake !== null)) return true;
        return this.chance.chance(those.length > 0 ? 0.8 : 0.1);
      }),
    ];
  }

  /** Creates rows, occasionally with one of them repeated. */
  rows(make: () => GeneratedRow, most: number, repeat: 'mistake' | 'fine'): GeneratedRow[] {
    const rows = Array.from({ length: this.chance.between(1, most) }, make);
    if (this.chance.chance(0.12)) {
      const { cells, mistake } = this.chance.pick(rows);
      rows.push({ cells, mistake: mistake ?? (repeat === 'mistake' ? 'a repeated row' : null) });
    }
    return rows;
  }
}

export const row = (
  cells: Readonly<Record<string, string>>,
  mistake: string | null = null,
): GeneratedRow => ({
  cells,
  mistake,
});

const NAMES = [
  'Zoë O’Neill–Łukasz',
  'Ann "The Pen" Lee',
  'Ruiz, María José',
  '李小龙',
  'Łucja Żak',
  'O',
  'Jean-Luc d’Aubigné de la Tour',
  'Nguyễn Thị Minh Khai',
  'Plain Person',
  'N/A Smith',
];

const DATES = [
  '2026-09-01',
  '2027-01-31T08:00:00Z',
  '2026-12-31 23:59:59',
  '2027-02-28T10:00:00+02:00',
  '2026-10-05T07:30:00-05:00',
  '31.12.2026',
];
export const BAD_DATES = ['12/31/2026', 'soon', '2026-13-01', '2026-02-30'];
/** An id as a spreadsheet would change it. */
export const SPOILED_IDS = ['7101501.0', '7,101,501', '01.Mai', 'TRUE', '1.23E+12', '#N/A'];

const isHidden = (world: World, login: Pseudonym): boolean =>
  login.workflow_state === 'deleted' && world.loginsOf(login.user_id).length > 0;

/** Courses and people that all files use, so that each file finds what the previous one left. */
export class Pool {
  readonly #courses: number[];
  readonly #strangers: number[];
  readonly #spared: ReadonlySet<number>;

  /** @param spared ids of people who are never changed, because they sign in */
  constructor(chance: Chance, world: World, spared: ReadonlySet<number>) {
    this.#spared = spared;
    const live = [...world.courses.values()].filter(
      ({ id, sis_source_id, workflow_state }) =>
        sis_source_id !== null && workflow_state === 'available' && world.enrollments.by.course.count(id) > 4,
    );
    this.#courses = Array.from({ length: 14 }, () => chance.pick(live).id);
    const logins = [...world.pseudonyms.values()].filter(
      ({ user_id, sis_user_id }) => sis_user_id !== null && !spared.has(user_id) && user_id >= 1_300,
    );
    this.#strangers = Array.from({ length: 20 }, () => chance.pick(logins).id);
  }

  /** Lists deleted logins of people who have another one. They are used when a row identifies the person. */
  hidden(world: World): Pseudonym[] {
    return [...world.pseudonyms.values()].filter(
      (login) => login.sis_user_id !== null && !this.#spared.has(login.user_id) && isHidden(world, login),
    );
  }

  /** Lists logins in use of people without an SIS ID, to whom a row gives one. */
  nameless(world: World): Pseudonym[] {
    return [...world.pseudonyms.values()].filter(
      ({ user_id, sis_user_id, workflow_state }) =>
        sis_user_id === null &&
        workflow_state !== 'deleted' &&
        !this.#spared.has(user_id) &&
        world.loginsOf(user_id).length === 1,
    );
  }

  /** Lists the courses, including those created by files. */
  courses(world: World): Course[] {
    const made = [...world.courses.values()].filter(({ sis_source_id }) =>
      sis_source_id?.startsWith('COURSE-'),
    );
    return [...this.#courses.map((id) => world.courses.must(id)), ...made.slice(-4)];
  }

  people(world: World, courses: readonly Course[]): Pseudonym[] {
    const inside = courses.flatMap(({ id }) =>
      world.enrollments.by.course
        .get(id)
        .slice(0, 6)
        .map(({ user_id }) => user_id),
    );
    const logins = inside.flatMap((id) => world.pseudonyms.by.user.get(id));
    const made = [...world.pseudonyms.values()].filter(({ sis_user_id }) =>
      sis_user_id?.startsWith('PERSON-'),
    );
    const strangers = this.#strangers.map((id) => world.pseudonyms.must(id));
    const all = [...logins, ...logins, ...strangers, ...made.slice(-6)];
    const hidden = (login: Pseudonym) => isHidden(world, login);
    return all.filter(
      (login) => login.sis_user_id !== null && !this.#spared.has(login.user_id) && !hidden(login),
    );
  }
}
