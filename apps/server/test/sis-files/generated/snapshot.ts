/** Everything in the practice LMS that SIS files can change: objects with their fields, named as in the files. */
import { ONLY_BETWEEN_DATES } from '@lms-admin/domain/sis-effect/date-limits';
import { shownState } from '@lms-admin/sandbox/canvas/api/json/courses';
import type { Row } from '@lms-admin/sandbox/canvas/store/model';
import type { World } from '@lms-admin/sandbox/canvas/store/world';

export type Fields = Record<string, string | null>;

/** An object in the sandbox. Field names are column names; `status` is the state that the LMS shows. */
export interface Thing {
  key: string;
  kind: ThingKind;
  id: number;
  fields: Fields;
}

export const THING_KINDS = [
  'account',
  'term',
  'abstract_course',
  'course',
  'section',
  'person',
  'login',
  'enrollment',
  'admin',
  'group_category',
  'group',
  'group_membership',
  'user_observer',
] as const;
export type ThingKind = (typeof THING_KINDS)[number];

/** States in which a person belongs to a course and has access. */
const OPEN: ReadonlySet<string | null | undefined> = new Set(['active', 'invited', 'creation_pending']);

export const isGone = (thing: Thing | undefined): boolean =>
  thing === undefined || thing.fields['status'] === 'deleted';
export const isOpen = (thing: Thing | undefined): boolean => OPEN.has(thing?.fields['status']);

export const keyOf = (kind: ThingKind, id: number | string | null): string => `${kind} ${id}`;

export class Snapshot {
  readonly things = new Map<string, Thing>();
  readonly #bySis = new Map<string, Thing>();
  /** Enrolments by section and person, memberships by group and person, observers by person and student. */
  readonly #between = new Map<string, Thing[]>();

  constructor(world: World) {
    for (const kind of THING_KINDS) for (const row of rowsOf(world, kind)) this.#add(kind, row, world);
  }

  get(key: string): Thing | undefined {
    return this.things.get(key);
  }

  /** Finds an object by its SIS ID; logins by that of the person. */
  bySis(kind: ThingKind, sisId: string): Thing | undefined {
    return this.#bySis.get(`${kind} ${sisId}`);
  }

  /** Lists objects of a kind that connects two others. */
  between(kind: ThingKind, one: number | string | null, other: number | string | null): readonly Thing[] {
    return this.#between.get(`${kind} ${one} ${other}`) ?? [];
  }

  of(kind: ThingKind): Thing[] {
    return [...this.things.values()].filter((one) => one.kind === kind);
  }

  /**
   * Finds the section that the LMS uses for rows that name only a course; returns undefined if the LMS
   * creates one.
   */
  defaultSection(courseId: number): Thing | undefined {
    const sections = this.of('section').filter((one) => !isGone(one));
    const id = String(courseId);
    const own = sections.find(
      ({ fields }) => fields['course'] === id && fields['default_section'] === 'true',
    );
    return own ?? sections.find(({ fields }) => fields['home'] === id);
  }

  /** Gives an object another SIS ID, wherever it is named. */
  rename(kind: ThingKind, from: string, to: string): void {
    const thing = this.bySis(kind, from);
    if (!thing) return;
    const columns = kind === 'login' ? [] : NAMED_BY[kind];
    for (const { fields } of columns ? this.things.values() : [])
      for (const column of columns ?? []) if (fields[column] === from) fields[column] = to;
    thing.fields['sis_id'] = to;
    this.#bySis.delete(`${kind} ${from}`);
    this.#bySis.set(`${kind} ${to}`, thing);
  }

  #add(kind: ThingKind, row: Row, world: World): void {
    const fields = FIELDS[kind](row as never, world);
    const key = keyOf(kind, row.id);
    const thing = { key, kind, id: row.id, fields };
    this.things.set(key, thing);
    const sis = fields['sis_id'];
    if (sis != null) this.#bySis.set(`${kind} ${sis}`, thing);
    const place = BETWEEN[kind];
    if (!place) return;
    const name = `${kind} ${fields[place[0]]} ${fields[place[1]]}`;
    this.#between.set(name, [...(this.#between.get(name) ?? []), thing]);
  }
}

const BETWEEN: Partial<Record<ThingKind, readonly [string, string]>> = {
  enrollment: ['section', 'user'],
  group_membership: ['group', 'user'],
  user_observer: ['observer', 'student'],
};

/** Columns in which other objects name one. */
const NAMED_BY: Partial<Record<ThingKind, readonly string[]>> = {
  account: ['account_id', 'parent_account_id'],
  term: ['term_id'],
  course: ['course_id', 'blueprint_course_id', 'like'],
  group_category: ['group_category_id'],
};

const TABLES = {
  account: 'accounts',
  term: 'terms',
  abstract_course: 'abstractCourses',
  course: 'courses',
  section: 'sections',
  person: 'users',
  login: 'pseudonyms',
  enrollment: 'enrollments',
  admin: 'accountUsers',
  group_category: 'groupCategories',
  group: 'groups',
  group_membership: 'groupMemberships',
  user_observer: 'userObservers',
} as const satisfies Record<ThingKind, keyof World>;

function rowsOf(world: World, kind: ThingKind): Iterable<Row> {
  return world[TABLES[kind]].values() as Iterable<Row>;
}

type RowOf<K extends ThingKind> = World[(typeof TABLES)[K]] extends { values(): Iterable<infer T> }
  ? T
  : never;

const text = (value: string | number | boolean | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** The names of each field in files, or LMS numbers if files have no word for it. */
const FIELDS: { [K in ThingKind]: (row: RowOf<K>, world: World) => Fields } = {
  account: (row, { accounts, rootAccount }) => ({
    sis_id: row.sis_source_id,
    status: row.workflow_state,
    name: row.name,
    parent_account_id: sisOrId(accounts.get(row.parent_account_id), rootAccount),
    integration_id: row.integration_id,
  }),
  term: (row) => ({
    sis_id: row.sis_source_id,
    status: row.workflow_state,
    name: row.name,
    start_date: row.start_at,
    end_date: row.end_at,
    integration_id: row.integration_id,
    ...Object.fromEntries(
      Object.entries(row.overrides).flatMap(([kind, { start_at, end_at }]) => [
        [`${kind} date_override_enrollment_type`, kind],
        [`${kind} start_date`, start_at],
        [`${kind} end_date`, end_at],
      ]),
    ),
  }),
  abstract_course: (row) => ({
    sis_id: row.sis_source_id,
    status: row.workflow_state,
    long_name: row.name,
    short_name: row.short_name,
    account: text(row.account_id),
    term: text(row.enrollment_term_id),
  }),
  course: (row, { accounts, rootAccount, terms, defaultTerm, courses, abstractCourses }) => ({
    sis_id: row.sis_source_id,
    status: shownState(row),
    long_name: row.name,
    short_name: row.course_code,
    account_id: sisOrId(accounts.get(row.account_id), rootAccount),
    term_id: sisOrId(terms.get(row.enrollment_term_id), defaultTerm),
    start_date: row.start_at,
    end_date: row.conclude_at,
    [ONLY_BETWEEN_DATES]: row.restrict_enrollments_to_course_dates ? 'yes' : 'no',
    integration_id: row.integration_id,
    course_format: row.course_format,
    grade_passback_setting: row.grade_passback_setting,
    homeroom_course: text(row.homeroom_course),
    blueprint_course_id: sisOrId(courses.get(row.blueprint_course_id)),
    like: sisOrId(courses.get(row.template_course_id)),
    abstract_course_id: sisOrId(abstractCourses.get(row.abstract_course_id)),
  }),
  section: (row, { courses }) => ({
    sis_id: row.sis_source_id,
    status: row.workflow_state,
    name: row.name,
    course_id: sisOrId(courses.get(row.course_id)),
    start_date: row.start_at,
    end_date: row.end_at,
    [ONLY_BETWEEN_DATES]: row.restrict_enrollments_to_section_dates ? 'yes' : 'no',
    integration_id: row.integration_id,
    course: text(row.course_id),
    home: text(row.nonxlist_course_id),
    default_section: text(row.default_section),
  }),
  person: (row, world) => ({
    status: world.loginsOf(row.id).length === 0 ? 'deleted' : 'active',
    full_name: row.name,
    sortable_name: row.sortable_name,
    short_name: row.short_name,
    pronouns: row.pronouns,
    email: world.emailOf(row.id),
  }),
  login: (row) => ({
    sis_id: row.sis_user_id,
    status: row.workflow_state,
    login_id: row.unique_id,
    integration_id: row.integration_id,
    declared_user_type: row.declared_user_type,
    user: text(row.user_id),
  }),
  enrollment: (row) => ({
    status: row.workflow_state,
    start_date: row.start_at,
    end_date: row.end_at,
    limit_section_privileges: text(row.limit_privileges_to_course_section),
    course: text(row.course_id),
    section: text(row.course_section_id),
    user: text(row.user_id),
    role: text(row.role_id),
    associated: text(row.associated_user_id),
  }),
  admin: (row) => ({ status: row.workflow_state, user: text(row.user_id), account: text(row.account_id) }),
  group_category: (row, { accounts, courses, rootAccount }) => ({
    sis_id: row.sis_source_id,
    status: row.deleted_at === null ? 'active' : 'deleted',
    category_name: row.name,
    place: `${row.context_type} ${row.context_id}`,
    course_id: row.context_type === 'Course' ? sisOrId(courses.get(row.context_id)) : null,
    account_id: row.context_type === 'Account' ? sisOrId(accounts.get(row.context_id), rootAccount) : null,
  }),
  group: (row, { groupCategories }) => ({
    sis_id: row.sis_source_id,
    status: row.workflow_state,
    name: row.name,
    group_category_id: sisOrId(groupCategories.get(row.group_category_id)),
    place: `${row.context_type} ${row.context_id}`,
  }),
  group_membership: (row) => ({
    status: row.workflow_state,
    group: text(row.group_id),
    user: text(row.user_id),
  }),
  user_observer: (row) => ({
    status: row.workflow_state,
    observer: text(row.observer_id),
    student: text(row.user_id),
  }),
};

type Named = { id: number; sis_source_id: string | null };

/** @param blank the object without an SIS ID that an empty cell means, in files and in the review */
function sisOrId(row: Named | undefined, blank?: Named): string | null {
  if (row === undefined || (row.id === blank?.id && row.sis_source_id === null)) return null;
  return row.sis_source_id ?? `#${row.id}`;
}
