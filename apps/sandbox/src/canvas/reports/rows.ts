/** The rows of account reports (reference §17.2): each a record of all that any of the two kinds shows. */
import { wallClock } from '../../http/time-zones.ts';
import type { Account, Course, Enrollment, EnrollmentType, Pseudonym, Timestamp } from '../store/model.ts';
import type { World } from '../store/world.ts';
import type { ReportTable } from './kinds.ts';

export type ReportRow = Readonly<Record<string, string | number | boolean | null>>;

export interface Asked {
  account: Account;
  /** Numbers of the terms that narrow courses and what is in them; null: all. */
  terms: ReadonlySet<number> | null;
  includeDeleted: boolean;
  /** Only what imports have made. */
  createdBySis: boolean;
  types: ReadonlySet<string> | null;
  states: ReadonlySet<string> | null;
}

const SIS_WORDS: Readonly<Record<EnrollmentType, string>> = {
  StudentEnrollment: 'student',
  TeacherEnrollment: 'teacher',
  TaEnrollment: 'ta',
  ObserverEnrollment: 'observer',
  DesignerEnrollment: 'designer',
};

/** What a report sees of a campus. */
export class ReportRows {
  readonly #world: World;
  readonly #asked: Asked;
  readonly #accounts: ReadonlySet<number>;

  constructor(world: World, asked: Asked) {
    this.#world = world;
    this.#asked = asked;
    this.#accounts = new Set(world.accountTree(asked.account.id));
  }

  /** The rows of a table. */
  of(table: ReportTable): Iterable<ReportRow> {
    const tables: Record<ReportTable, () => Iterable<ReportRow>> = {
      users: () => this.#users(),
      accounts: () => this.#subAccounts(),
      terms: () => this.#terms(),
      courses: () => this.#courseRows(),
      sections: () => this.#sections(),
      enrollments: () => this.#enrollments(),
      groups: () => this.#groups(),
      group_membership: () => this.#memberships(),
      group_categories: () => this.#categories(),
      xlist: () => this.#crossListings(),
      user_observers: () => this.#observers(),
      admins: () => this.#admins(),
    };
    return tables[table]();
  }

  get #isRoot(): boolean {
    return this.#asked.account.parent_account_id === null;
  }

  /** Whether something in this state, made so, is in the report. */
  #shows(state: string, sisBatch: number | null): boolean {
    if (state === 'deleted' && !this.#asked.includeDeleted) return false;
    return sisBatch !== null || !this.#asked.createdBySis;
  }

  /** ISO with the offset of the account's zone. */
  #date(moment: Timestamp | null): string | null {
    if (moment === null) return null;
    const ms = Date.parse(moment);
    const local = wallClock(ms, this.#asked.account.default_time_zone);
    const minutes = Math.round((local - ms) / 60_000);
    const two = (value: number) => String(value).padStart(2, '0');
    const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
    return `${new Date(local).toISOString().slice(0, 19)}${minutes === 0 ? 'Z' : offset}`;
  }

  #login(user: number, preferred: number | null = null): Pseudonym | undefined {
    const { pseudonyms } = this.#world;
    const own = preferred === null ? undefined : pseudonyms.get(preferred);
    const all = pseudonyms.by.user.get(user);
    return own ?? all.find((one) => one.workflow_state !== 'deleted' && one.sis_user_id) ?? all[0];
  }

  #sisAccount(id: number | null): string | null {
    return this.#world.accounts.get(id)?.sis_source_id ?? null;
  }

  /** People of a sub-account are those in courses of it, and its admins. */
  #peopleHere(): ReadonlySet<number> | null {
    if (this.#isRoot) return null;
    const { accountUsers, enrollments } = this.#world;
    const people = new Set<number>();
    for (const id of this.#accounts)
      for (const one of accountUsers.by.account.get(id)) people.add(one.user_id);
    for (const course of this.#world.coursesUnder(this.#asked.account.id))
      for (const one of enrollments.by.course.get(course.id)) people.add(one.user_id);
    return people;
  }

  *#users(): Generator<ReportRow> {
    const here = this.#peopleHere();
    for (const login of this.#world.pseudonyms.values()) {
      if (here !== null && !here.has(login.user_id)) continue;
      if (!this.#shows(login.workflow_state, login.sis_batch_id)) continue;
      const user = this.#world.users.must(login.user_id);
      const [last = '', first = ''] = user.sortable_name.split(/,\s*(.*)/s);
      yield {
        canvas_user_id: user.id,
        user_id: login.sis_user_id,
        integration_id: login.integration_id,
        authentication_provider_id: login.authentication_provider_id,
        login_id: login.unique_id,
        password: null,
        first_name: first,
        last_name: last,
        full_name: user.name,
        sortable_name: user.sortable_name,
        short_name: user.short_name,
        email: this.#world.emailOf(user.id),
        status: login.workflow_state,
        created_by_sis: login.sis_batch_id !== null,
      };
    }
  }

  /** Of a sub-account its direct children only. */
  *#subAccounts(): Generator<ReportRow> {
    const { accounts } = this.#world;
    const all = this.#isRoot ? accounts.values() : accounts.by.parent.get(this.#asked.account.id);
    for (const one of all) {
      if (one.parent_account_id === null || !this.#shows(one.workflow_state, one.sis_batch_id)) continue;
      yield {
        canvas_account_id: one.id,
        account_id: one.sis_source_id,
        canvas_parent_id: one.parent_account_id,
        parent_account_id: this.#sisAccount(one.parent_account_id),
        name: one.name,
        status: one.workflow_state,
        created_by_sis: one.sis_batch_id !== null,
      };
    }
  }

  *#terms(): Generator<ReportRow> {
    for (const one of this.#world.terms.values()) {
      if (!this.#shows(one.workflow_state, one.sis_batch_id)) continue;
      yield {
        canvas_term_id: one.id,
        term_id: one.sis_source_id,
        name: one.name,
        status: one.workflow_state,
        start_date: this.#date(one.start_at),
        end_date: this.#date(one.end_at),
        created_by_sis: one.sis_batch_id !== null,
      };
    }
  }

  /** Courses of the account and below, of the terms that are asked for. */
  *#courses(): Generator<Course> {
    const { terms } = this.#asked;
    for (const one of this.#world.courses.values())
      if (this.#accounts.has(one.account_id) && (terms === null || terms.has(one.enrollment_term_id)))
        yield one;
  }

  *#courseRows(): Generator<ReportRow> {
    const { terms, courses } = this.#world;
    for (const one of this.#courses()) {
      const state = courseState(one);
      const gone = state === 'concluded' ? 'deleted' : state;
      if (!this.#shows(gone, one.sis_batch_id)) continue;
      const dates = one.restrict_enrollments_to_course_dates;
      yield {
        canvas_course_id: one.id,
        course_id: one.sis_source_id,
        integration_id: one.integration_id,
        short_name: one.course_code,
        long_name: one.name,
        canvas_account_id: one.account_id,
        account_id: this.#sisAccount(one.account_id),
        canvas_term_id: one.enrollment_term_id,
        term_id: terms.must(one.enrollment_term_id).sis_source_id,
        status: state,
        start_date: dates ? this.#date(one.start_at) : null,
        end_date: dates ? this.#date(one.conclude_at) : null,
        course_format: one.course_format,
        canvas_blueprint_course_id: one.blueprint_course_id,
        blueprint_course_id: courses.get(one.blueprint_course_id)?.sis_source_id ?? null,
        created_by_sis: one.sis_batch_id !== null,
      };
    }
  }

  /** A section that is cross-listed is shown in the course that it comes from. */
  *#sections(): Generator<ReportRow> {
    const { courses, sections } = this.#world;
    for (const course of this.#courses()) {
      const own = sections.by.course.get(course.id).filter((one) => one.nonxlist_course_id === null);
      for (const one of [...own, ...sections.by.nonxlist.get(course.id)]) {
        const holds = courses.must(one.course_id);
        const state = holds.workflow_state === 'deleted' ? 'deleted' : one.workflow_state;
        if (!this.#shows(state, one.sis_batch_id)) continue;
        const dates = one.restrict_enrollments_to_section_dates;
        yield {
          canvas_section_id: one.id,
          section_id: one.sis_source_id,
          canvas_course_id: course.id,
          course_id: course.sis_source_id,
          integration_id: one.integration_id,
          name: one.name,
          status: state,
          start_date: dates ? this.#date(one.start_at) : null,
          end_date: dates ? this.#date(one.end_at) : null,
          canvas_account_id: course.account_id,
          account_id: this.#sisAccount(course.account_id),
          created_by_sis: one.sis_batch_id !== null,
        };
      }
    }
  }

  *#enrollments(): Generator<ReportRow> {
    const { sections, roles, enrollments } = this.#world;
    const { types, states } = this.#asked;
    for (const course of this.#courses())
      for (const one of enrollments.by.course.get(course.id)) {
        const section = sections.must(one.course_section_id);
        const state = enrollmentState(course, section.workflow_state, one);
        const gone = state === 'concluded' ? 'deleted' : state;
        if (!this.#shows(gone, one.sis_batch_id)) continue;
        if ((types && !types.has(one.type)) || (states && !states.has(state))) continue;
        const role = roles.must(one.role_id);
        yield {
          canvas_course_id: course.id,
          course_id: course.sis_source_id,
          canvas_user_id: one.user_id,
          user_id: this.#login(one.user_id, one.sis_pseudonym_id)?.sis_user_id ?? null,
          role: role.workflow_state === 'built_in' ? SIS_WORDS[one.type] : role.name,
          role_id: one.role_id,
          canvas_section_id: section.id,
          section_id: section.sis_source_id,
          status: state,
          canvas_associated_user_id: one.associated_user_id,
          associated_user_id:
            one.associated_user_id === null
              ? null
              : (this.#login(one.associated_user_id)?.sis_user_id ?? null),
          created_by_sis: one.sis_batch_id !== null,
          base_role_type: one.type,
          limit_section_privileges: one.limit_privileges_to_course_section,
          canvas_enrollment_id: one.id,
        };
      }
  }

  /** Where a group or a category is; null where that is not in the account. */
  #placeOf({ context_type, context_id }: { context_type: string; context_id: number }) {
    const course = context_type === 'Course' ? this.#world.courses.must(context_id) : null;
    const account = course?.account_id ?? context_id;
    if (!this.#accounts.has(account)) return null;
    return {
      canvas_account_id: course ? null : account,
      account_id: course ? null : this.#sisAccount(account),
      canvas_course_id: course?.id ?? null,
      course_id: course?.sis_source_id ?? null,
      context_id,
      context_type,
    };
  }

  *#groups(): Generator<ReportRow> {
    const { groups, groupCategories } = this.#world;
    for (const one of groups.values()) {
      const place = this.#placeOf(one);
      if (place === null || !this.#shows(one.workflow_state, one.sis_batch_id)) continue;
      yield {
        canvas_group_id: one.id,
        group_id: one.sis_source_id,
        canvas_group_category_id: one.group_category_id,
        group_category_id: groupCategories.get(one.group_category_id)?.sis_source_id ?? null,
        ...place,
        name: one.name,
        status: one.workflow_state,
        created_by_sis: one.sis_batch_id !== null,
        max_membership: one.max_membership,
      };
    }
  }

  *#memberships(): Generator<ReportRow> {
    const { groups, groupMemberships } = this.#world;
    for (const group of groups.values()) {
      if (this.#placeOf(group) === null) continue;
      for (const one of groupMemberships.by.group.get(group.id)) {
        const state = group.workflow_state === 'deleted' ? 'deleted' : one.workflow_state;
        if (!this.#shows(state, one.sis_batch_id)) continue;
        yield {
          canvas_group_id: group.id,
          group_id: group.sis_source_id,
          canvas_user_id: one.user_id,
          user_id: this.#login(one.user_id)?.sis_user_id ?? null,
          status: state,
          created_by_sis: one.sis_batch_id !== null,
        };
      }
    }
  }

  *#categories(): Generator<ReportRow> {
    for (const one of this.#world.groupCategories.values()) {
      const place = this.#placeOf(one);
      const state = one.deleted_at === null ? 'active' : 'deleted';
      if (place === null || !this.#shows(state, one.sis_batch_id)) continue;
      yield {
        canvas_group_category_id: one.id,
        group_category_id: one.sis_source_id,
        ...place,
        name: one.name,
        category_name: one.name,
        role: one.role,
        self_signup: one.self_signup,
        group_limit: one.group_limit,
        auto_leader: one.auto_leader,
        status: state,
      };
    }
  }

  *#crossListings(): Generator<ReportRow> {
    const { courses, sections } = this.#world;
    for (const home of this.#courses())
      for (const one of sections.by.nonxlist.get(home.id)) {
        if (!this.#shows(one.workflow_state, one.sis_batch_id)) continue;
        const target = courses.must(one.course_id);
        yield {
          canvas_xlist_course_id: target.id,
          xlist_course_id: target.sis_source_id,
          canvas_section_id: one.id,
          section_id: one.sis_source_id,
          status: one.workflow_state,
          canvas_nonxlist_course_id: home.id,
          nonxlist_course_id: home.sis_source_id,
        };
      }
  }

  *#observers(): Generator<ReportRow> {
    const here = this.#peopleHere();
    for (const one of this.#world.userObservers.values()) {
      if (here !== null && !here.has(one.observer_id)) continue;
      if (!this.#shows(one.workflow_state, one.sis_batch_id)) continue;
      yield {
        canvas_observer_id: one.observer_id,
        observer_id: this.#login(one.observer_id)?.sis_user_id ?? null,
        canvas_student_id: one.user_id,
        student_id: this.#login(one.user_id)?.sis_user_id ?? null,
        status: one.workflow_state,
        created_by_sis: one.sis_batch_id !== null,
      };
    }
  }

  *#admins(): Generator<ReportRow> {
    const { accountUsers, roles } = this.#world;
    for (const one of accountUsers.values()) {
      if (!this.#accounts.has(one.account_id)) continue;
      if (!this.#shows(one.workflow_state, one.sis_batch_id)) continue;
      yield {
        canvas_user_id: one.user_id,
        user_id: this.#login(one.user_id)?.sis_user_id ?? null,
        canvas_account_id: one.account_id,
        account_id: this.#sisAccount(one.account_id),
        role_id: one.role_id,
        role: roles.must(one.role_id).name,
        status: one.workflow_state,
        created_by_sis: one.sis_batch_id !== null,
      };
    }
  }
}

function courseState({ workflow_state: state }: Course): string {
  if (state === 'completed') return 'concluded';
  if (state === 'available') return 'active';
  return state === 'deleted' ? 'deleted' : 'unpublished';
}

/** The state of an enrolment, which goes with its course and its section. */
function enrollmentState(course: Course, section: string, { workflow_state: state }: Enrollment): string {
  if (course.workflow_state === 'deleted' || section === 'deleted') return 'deleted';
  if (state === 'completed') return 'concluded';
  return state === 'creation_pending' ? 'invited' : state;
}
