import { type Identity, newIdentity } from './identity.ts';
import type {
  AbstractCourse,
  Account,
  AccountReport,
  AccountUser,
  AuthenticationProvider,
  CalendarEvent,
  CommunicationChannel,
  Course,
  Enrollment,
  EventNotice,
  FileObject,
  Group,
  GroupCategory,
  GroupMembership,
  Progress,
  Pseudonym,
  Role,
  Row,
  Section,
  SisRow,
  StuckFields,
  Term,
  Timestamp,
  Timetable,
  TimetableEvent,
  User,
  UserObserver,
} from './model.ts';
import type { SisBatch } from './sis-batch.ts';
import { type AnyIndex, ManyIndex, Table, UniqueIndex } from './table.ts';
import { uuidOf } from './uuid.ts';

/** Formats a time (in milliseconds) as Canvas prints it. */
export function timestamp(ms: number): Timestamp {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

const MOST_USERS = 2 ** 26;

/** Combines section and user in one number, which takes less memory in an index than text would. */
export function placeKey(sectionId: number, userId: number): number {
  return sectionId * MOST_USERS + userId;
}

const bySis = <T extends SisRow>() => new UniqueIndex<T>((row) => row.sis_source_id);
const byIntegration = <T extends { integration_id: string | null }>() =>
  new UniqueIndex<T>((row) => row.integration_id);
const context = (row: { context_type: string; context_id: number }) =>
  `${row.context_type}_${row.context_id}`;

/**
 * Everything in one practice LMS, in memory: one table per kind, with the indexes that routes and importers need. Read
 * through `get`, `by.<index>.get` and the methods below; write through `Table.add` and `Table.change`.
 */
export class World {
  /** Milliseconds since 1970. Tests replace it with their own clock. */
  clock: () => number = Date.now;
  /** Changes with each reset. */
  identity: Identity = newIdentity();
  #second = -1;
  #now: Timestamp = '';
  readonly #resetListeners: (() => void)[] = [];

  /** Returns the current time in Canvas's form. Whole seconds share one string object, which saves memory. */
  readonly now = (): Timestamp => {
    const ms = this.clock();
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#now = timestamp(ms);
    }
    return this.#now;
  };

  /** Creates a table of one kind, in two steps, so that the kind is explicit and the indexes are inferred. */
  readonly #table =
    <T extends Row>() =>
    <I extends Record<string, AnyIndex<T>>>(by: I) =>
      new Table<T, I>(this.now, by);

  readonly accounts = this.#table<Account>()({
    sis: bySis<Account>(),
    integration: byIntegration<Account>(),
    parent: new ManyIndex<Account>((a) => a.parent_account_id),
  });
  readonly terms = this.#table<Term>()({ sis: bySis<Term>(), integration: byIntegration<Term>() });
  readonly abstractCourses = this.#table<AbstractCourse>()({ sis: bySis<AbstractCourse>() });
  readonly roles = this.#table<Role>()({
    name: new ManyIndex<Role>((r) => r.name),
    account: new ManyIndex<Role>((r) => r.account_id),
  });
  readonly users = this.#table<User>()({});
  readonly pseudonyms = this.#table<Pseudonym>()({
    sis: new UniqueIndex<Pseudonym>((p) => p.sis_user_id),
    integration: new UniqueIndex<Pseudonym>((p) => p.integration_id),
    /** Lower-cased. Several logins can have the same name, because deleted logins free theirs. */
    login: new ManyIndex<Pseudonym>((p) => p.unique_id.toLowerCase()),
    user: new ManyIndex<Pseudonym>((p) => p.user_id),
  });
  readonly channels = this.#table<CommunicationChannel>()({
    user: new ManyIndex<CommunicationChannel>((c) => c.user_id),
    /** Lower-cased address. */
    path: new ManyIndex<CommunicationChannel>((c) => c.path.toLowerCase()),
  });
  readonly courses = this.#table<Course>()({
    sis: bySis<Course>(),
    integration: byIntegration<Course>(),
    account: new ManyIndex<Course>((c) => c.account_id),
    term: new ManyIndex<Course>((c) => c.enrollment_term_id),
    template: new ManyIndex<Course>((c) => c.template_course_id),
  });
  readonly sections = this.#table<Section>()({
    sis: bySis<Section>(),
    integration: byIntegration<Section>(),
    course: new ManyIndex<Section>((s) => s.course_id),
    /** Sections cross-listed into another course, by their original course. */
    nonxlist: new ManyIndex<Section>((s) => s.nonxlist_course_id),
  });
  readonly enrollments = this.#table<Enrollment>()({
    course: new ManyIndex<Enrollment>((e) => e.course_id),
    section: new ManyIndex<Enrollment>((e) => e.course_section_id),
    user: new ManyIndex<Enrollment>((e) => e.user_id),
    /** Enrolments of one person in one section, by `placeKey`. */
    place: new ManyIndex<Enrollment>((e) => placeKey(e.course_section_id, e.user_id)),
  });
  readonly groupCategories = this.#table<GroupCategory>()({
    sis: bySis<GroupCategory>(),
    /** Such as `Course_42`, `Account_1`. */
    context: new ManyIndex<GroupCategory>(context),
  });
  readonly groups = this.#table<Group>()({
    sis: bySis<Group>(),
    category: new ManyIndex<Group>((g) => g.group_category_id),
    /** Such as `Course_42`, `Account_1`. */
    context: new ManyIndex<Group>(context),
  });
  readonly groupMemberships = this.#table<GroupMembership>()({
    group: new ManyIndex<GroupMembership>((m) => m.group_id),
    user: new ManyIndex<GroupMembership>((m) => m.user_id),
  });
  readonly userObservers = this.#table<UserObserver>()({
    student: new ManyIndex<UserObserver>((o) => o.user_id),
    observer: new ManyIndex<UserObserver>((o) => o.observer_id),
  });
  readonly accountUsers = this.#table<AccountUser>()({
    account: new ManyIndex<AccountUser>((a) => a.account_id),
    user: new ManyIndex<AccountUser>((a) => a.user_id),
  });
  readonly calendarEvents = this.#table<CalendarEvent>()({
    context: new ManyIndex<CalendarEvent>((e) => e.context_code),
    parent: new ManyIndex<CalendarEvent>((e) => e.parent_calendar_event_id),
  });
  readonly eventNotices = this.#table<EventNotice>()({});
  readonly timetableEvents = this.#table<TimetableEvent>()({
    context: new ManyIndex<TimetableEvent>((e) => e.context_code),
  });
  readonly timetables = this.#table<Timetable>()({
    course: new UniqueIndex<Timetable>((t) => t.course_id),
  });
  readonly sisBatches = this.#table<SisBatch>()({});
  readonly files = this.#table<FileObject>()({});
  readonly progresses = this.#table<Progress>()({});
  readonly reports = this.#table<AccountReport>()({});
  readonly authenticationProviders = this.#table<AuthenticationProvider>()({});

  /** Returns the account above all others: the first one without a parent. */
  get rootAccount(): Account {
    for (const account of this.accounts.values()) if (account.parent_account_id === null) return account;
    throw new Error('The world has no root account yet');
  }

  /**
   * Returns the account's uuid: the root account's is the sandbox's own, and the others are derived from it
   * to be unique.
   */
  uuidOfAccount(account: Account): string {
    const { uuid } = this.identity;
    return account.parent_account_id === null ? uuid : uuidOf(uuid, account.id);
  }

  /** Returns the term of courses without one. */
  get defaultTerm(): Term {
    for (const term of this.terms.values()) if (term.default_term) return term;
    throw new Error('The world has no default term yet');
  }

  /** Returns the account and the accounts above it, root account last. */
  accountChain(accountId: number): Account[] {
    const chain: Account[] = [];
    for (let at = this.accounts.get(accountId); at; at = this.accounts.get(at.parent_account_id))
      chain.push(at);
    return chain;
  }

  /** Returns the IDs of the account and everything below it, including deleted accounts. */
  accountTree(accountId: number): number[] {
    const ids = [accountId];
    for (let i = 0; i < ids.length; i++)
      for (const child of this.accounts.by.parent.get(ids[i])) ids.push(child.id);
    return ids;
  }

  readonly #courses = new Map<number, { version: number; courses: readonly Course[] }>();

  /**
   * Returns the courses of the account and the accounts below it by ID, including deleted ones (§6.3), and
   * courses with a section cross-listed from this account. The list is cached until a course, section or
   * account changes; do not write to the array.
   */
  coursesUnder(accountId: number): readonly Course[] {
    const version = this.accounts.version + this.courses.version + this.sections.by.nonxlist.changes;
    const held = this.#courses.get(accountId);
    if (held?.version === version) return held.courses;
    const found = new Set<Course>();
    for (const id of this.accountTree(accountId))
      for (const course of this.courses.by.account.get(id)) {
        found.add(course);
        for (const section of this.sections.by.nonxlist.get(course.id))
          if (section.workflow_state !== 'deleted') found.add(this.courses.must(section.course_id));
      }
    const courses = [...found].sort((a, b) => a.id - b.id);
    this.#courses.set(accountId, { version, courses });
    return courses;
  }

  /**
   * Returns whether a role can be used in the account: built-in, or active and custom in it or an account
   * above (§9.5).
   */
  isRoleAvailable(role: Role, accountId: number): boolean {
    if (role.workflow_state === 'built_in') return true;
    if (role.workflow_state !== 'active') return false;
    return this.accountChain(accountId).some((account) => account.id === role.account_id);
  }

  /** Returns the active logins of a user, oldest first. */
  loginsOf(userId: number): Pseudonym[] {
    return this.pseudonyms.by.user.get(userId).filter((p) => p.workflow_state !== 'deleted');
  }

  /** Returns the email address shown for a user: the first one that is not retired. */
  emailOf(userId: number): string | null {
    let best: CommunicationChannel | undefined;
    for (const channel of this.channels.by.user.get(userId))
      if (channel.workflow_state !== 'retired' && (!best || channel.position < best.position)) best = channel;
    return best?.path ?? null;
  }

  /**
   * Returns the default section of a course; without one, the first that was cross-listed to another course
   * (§9.5), or a new one with the course's name (§6.7).
   */
  defaultSection(course: Course): Section {
    for (const section of this.sections.by.course.get(course.id))
      if (section.default_section && section.workflow_state !== 'deleted') return section;
    const away = this.sections.by.nonxlist.get(course.id).filter((s) => s.workflow_state !== 'deleted');
    if (away.length > 0) return away.reduce((first, section) => (section.id < first.id ? section : first));
    return this.sections.add({
      course_id: course.id,
      name: course.name,
      workflow_state: 'active',
      default_section: true,
      sis_source_id: null,
      integration_id: null,
      sis_batch_id: null,
      start_at: null,
      end_at: null,
      restrict_enrollments_to_section_dates: false,
      nonxlist_course_id: null,
      stuck_sis_fields: null,
    });
  }

  /**
   * Returns the new fields of a section that moves to a course, where it becomes the default section if there
   * is no other (§9.4).
   */
  moveTo(courseId: number, nonxlistCourseId: number | null) {
    const others = this.sections.by.course.get(courseId).some((each) => each.workflow_state === 'active');
    return { course_id: courseId, nonxlist_course_id: nonxlistCourseId, default_section: !others };
  }

  /** Moves a section's enrolments to its course. */
  followSection(section: Section): void {
    for (const enrollment of this.enrollments.by.section.get(section.id))
      if (enrollment.course_id !== section.course_id)
        this.enrollments.change(enrollment, { course_id: section.course_id });
  }

  /** Calls back before every `reset`, for code that keeps rows or timers of its own (queues, tokens). */
  onReset(listener: () => void): void {
    this.#resetListeners.push(listener);
  }

  /** Returns all tables by their names. */
  tables(): Record<string, Table<Row>> {
    return Object.fromEntries(Object.entries(this).filter(([, value]) => value instanceof Table));
  }

  /** Empties all tables, restarts the IDs at 1, and lets `fill` write the seed: a new sandbox. */
  reset(fill: (world: World) => void): void {
    for (const listener of this.#resetListeners) listener();
    for (const table of Object.values(this.tables())) table.clear();
    this.#courses.clear();
    this.identity = newIdentity();
    fill(this);
  }
}

/** Marks fields as changed by a person, so that imports leave them alone (§10). */
export function stick(row: { stuck_sis_fields: StuckFields }, ...fields: string[]): void {
  row.stuck_sis_fields ??= new Set();
  for (const field of fields) row.stuck_sis_fields.add(field);
}
