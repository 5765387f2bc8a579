/**
 * GraphQL nodes (reference §17.2, end). Fields that the caller may not see are null, according to the
 * permissions of the REST calls; expensive fields are computed on request.
 */

import type { FastifyRequest } from 'fastify';
import { visibleSections } from '../api/enrollment-sight.ts';
import { placeOf } from '../api/group-places.ts';
import { avatarUrl, mainLogin } from '../api/json/users.ts';
import { compareNames } from '../api/lists.ts';
import { currentCaller, currentUser, hasRight } from '../http/auth.ts';
import { viewOf } from '../http/view.ts';
import type {
  Account,
  Course,
  Enrollment,
  Group,
  GroupCategory,
  GroupMembership,
  Section,
  Term,
  User,
} from '../store/model.ts';
import { connectionOf, globalId, numberIn, type PageArgs } from './connections.ts';
import { type PeopleFilter, peopleOf, type RosterFilter, rosterOf } from './people.ts';

type Node = Record<string, unknown> & { id: string };
type Filtered<F> = PageArgs & { filter?: F | null };

/** Nodes of one request. */
export class Nodes {
  readonly #request: FastifyRequest;

  constructor(request: FastifyRequest) {
    this.#request = request;
  }

  get world() {
    return currentCaller(this.#request).world;
  }

  account = (account: Account): Node => {
    const { world } = this;
    const { sis } = viewOf(this.#request, account);
    const children = () => world.accounts.by.parent.get(account.id).filter(isActive);
    const courses = () =>
      hasRight(this.#request, account, 'read_course_list')
        ? world.coursesUnder(account.id).filter((course) => course.workflow_state !== 'deleted')
        : null;
    return {
      ...head('Account', account.id),
      name: account.name,
      workflowState: account.workflow_state,
      sisId: sis ? account.sis_source_id : null,
      rootAccount: () => this.account(world.rootAccount),
      coursesConnection: (args: PageArgs) => pages(courses(), args, this.course),
      subAccountsConnection: (args: PageArgs) => pages(children(), args, this.account),
      parentAccountsConnection: (args: PageArgs) =>
        pages(world.accountChain(account.id).slice(1), args, this.account),
    };
  };

  term = (term: Term): Node => {
    const { sis } = viewOf(this.#request, this.world.rootAccount);
    const sisId = sis ? term.sis_source_id : null;
    const { name, start_at: startAt, end_at: endAt } = term;
    return { ...head('Term', term.id), name, sisId, sisTermId: sisId, startAt, endAt };
  };

  course = (course: Course): Node => {
    const { world } = this;
    const may = (right: 'read_roster' | 'manage_groups') => hasRight(this.#request, course, right);
    const sections = () =>
      world.sections.by.course
        .get(course.id)
        .filter(isActive)
        .sort((a, b) => compareNames(a.name, b.name) || a.id - b.id);
    const sets = () => (may('manage_groups') ? this.#setsOf(course) : null);
    const roster = () => (may('read_roster') ? this.#rosterOf(course) : null);
    return {
      ...head('Course', course.id),
      ...stamps(course),
      name: course.name,
      courseCode: course.course_code,
      sisId: viewOf(this.#request, course).sis ? course.sis_source_id : null,
      state: course.workflow_state,
      account: () => this.account(world.accounts.must(course.account_id)),
      term: () => this.term(world.terms.must(course.enrollment_term_id)),
      enrollmentsConnection: ({ filter, ...args }: Filtered<RosterFilter>) => {
        const all = roster();
        return pages(all && rosterOf(all, filter ?? {}), args, this.enrollment);
      },
      usersConnection: ({ filter, ...args }: Filtered<PeopleFilter>) => {
        const all = roster();
        const view = viewOf(this.#request, course);
        return pages(all && peopleOf(view, all, filter ?? {}), args, (user) => this.user(user, course));
      },
      groupSets: () => sets()?.map(this.groupSet) ?? null,
      groupSetsConnection: (args: PageArgs) => pages(sets(), args, this.groupSet),
      groupsConnection: (args: PageArgs) =>
        pages(may('read_roster') ? this.#groupsOf(course) : null, args, this.group),
      sectionCount: () => sections().length,
      sectionsConnection: (args: PageArgs) => pages(sections(), args, this.section),
    };
  };

  section = (section: Section): Node => {
    const { world } = this;
    const { sis } = viewOf(this.#request, world.courses.must(section.course_id));
    const live = () =>
      world.enrollments.by.section.get(section.id).filter((e) => e.workflow_state === 'active');
    return {
      ...head('Section', section.id),
      ...stamps(section),
      name: section.name,
      sisId: sis ? section.sis_source_id : null,
      userCount: () => new Set(live().map((e) => e.user_id)).size,
    };
  };

  groupSet = (set: GroupCategory): Node => {
    const place = placeOf(this.world, set);
    const all = () =>
      this.world.groups.by.category
        .get(set.id)
        .filter((group) => group.workflow_state === 'available')
        .sort((a, b) => compareNames(a.name, b.name) || a.id - b.id);
    const shown = () => (hasRight(this.#request, place, 'manage_groups') ? all() : null);
    const self = currentUser(this.#request).id;
    const current = () => all().find((group) => this.#membersOf(group).some((one) => one.user_id === self));
    return {
      ...head('GroupSet', set.id),
      name: set.name,
      sisId: viewOf(this.#request, place).sis ? set.sis_source_id : null,
      memberLimit: set.group_limit,
      selfSignup: set.self_signup ?? 'disabled',
      autoLeader: set.auto_leader,
      nonCollaborative: false,
      currentGroup: () => nodeOr(current(), this.group),
      groups: () => shown()?.map(this.group) ?? null,
      groupsConnection: (args: PageArgs) => pages(shown(), args, this.group),
    };
  };

  group = (group: Group): Node => {
    const place = placeOf(this.world, group);
    const members = () => (hasRight(this.#request, place, 'read_roster') ? this.#membersOf(group) : null);
    const memberBy = (userId: string) => members()?.find((one) => one.user_id === numberIn('User', userId));
    const set = () => this.world.groupCategories.get(group.group_category_id);
    return {
      ...head('Group', group.id),
      ...stamps(group),
      name: group.name,
      sisId: viewOf(this.#request, place).sis ? group.sis_source_id : null,
      membersCount: () => this.#membersOf(group).filter((one) => one.workflow_state === 'accepted').length,
      nonCollaborative: false,
      groupSet: () => nodeOr(set(), this.groupSet),
      member: ({ userId }: { userId: string }) => nodeOr(memberBy(userId), this.membership),
      membersConnection: (args: PageArgs) => pages(members(), args, this.membership),
    };
  };

  membership = (one: GroupMembership) => {
    const group = this.world.groups.must(one.group_id);
    return {
      ...stamps(one),
      _id: String(one.id),
      state: one.workflow_state,
      user: () => this.user(this.world.users.must(one.user_id), placeOf(this.world, group)),
      group: () => this.group(group),
    };
  };

  enrollment = (one: Enrollment): Node => {
    const { world } = this;
    const course = world.courses.must(one.course_id);
    const section = world.sections.must(one.course_section_id);
    const view = viewOf(this.#request, course);
    const isGone = course.workflow_state === 'deleted' || section.workflow_state === 'deleted';
    const seesActivity = view.reports || one.user_id === view.selfId;
    return {
      ...head('Enrollment', one.id),
      ...stamps(one),
      type: one.type,
      state: one.workflow_state,
      enrollmentState: isGone ? 'deleted' : one.workflow_state,
      limitPrivilegesToCourseSection: one.limit_privileges_to_course_section,
      userId: String(one.user_id),
      user: () => this.user(world.users.must(one.user_id), course),
      associatedUser: () =>
        nodeOr(world.users.get(one.associated_user_id), (user) => this.user(user, course)),
      course: () => this.course(course),
      courseSectionId: String(one.course_section_id),
      section: () => this.section(section),
      startAt: one.start_at,
      endAt: one.end_at,
      lastActivityAt: seesActivity ? one.last_activity_at : null,
      totalActivityTime: seesActivity ? one.total_activity_time : null,
      sisImportId: view.manageSis ? one.sis_batch_id : null,
      sisRole: world.roles.get(one.role_id)?.workflow_state === 'built_in' ? sisWord(one) : null,
    };
  };

  /** @param place where the person is shown: its permissions decide what the caller sees */
  user = (user: User, place: Account | Course = this.world.rootAccount): Node => {
    const { world } = this;
    const view = viewOf(this.#request, place);
    const isSelf = user.id === view.selfId;
    const login = mainLogin(view, user.id);
    const readable = (e: Enrollment) =>
      isSelf || hasRight(this.#request, world.courses.must(e.course_id), 'read_roster');
    return {
      ...head('User', user.id),
      ...stamps(user),
      name: user.name,
      sortableName: user.sortable_name,
      shortName: user.short_name,
      pronouns: user.pronouns,
      avatarUrl: avatarUrl(view, user),
      email: view.emails || isSelf ? world.emailOf(user.id) : null,
      loginId: view.logins ? (login?.unique_id ?? null) : null,
      sisId: view.sis ? (login?.sis_user_id ?? null) : null,
      integrationId: view.sis ? (login?.integration_id ?? null) : null,
      enrollments: ({ courseId }: { courseId?: string | null }) =>
        world.enrollments.by.user
          .get(user.id)
          .filter((e) => e.workflow_state !== 'deleted')
          .filter((e) => !courseId || e.course_id === numberIn('Course', courseId))
          .filter((e) => world.courses.must(e.course_id).workflow_state !== 'deleted' && readable(e))
          .map(this.enrollment),
      // Shows groups only for the caller's own node.
      groups: () => (isSelf ? this.#ownGroups(user).map(this.group) : null),
    };
  };

  /** Returns the group sets that people created, without Canvas's own. */
  #setsOf(course: Course): GroupCategory[] {
    return this.world.groupCategories.by.context
      .get(`Course_${course.id}`)
      .filter((set) => set.deleted_at === null && set.role === null)
      .sort((a, b) => a.id - b.id);
  }

  #groupsOf(course: Course): Group[] {
    const setOf = (group: Group) => this.world.groupCategories.must(group.group_category_id);
    return this.world.groups.by.context
      .get(`Course_${course.id}`)
      .filter((group) => group.workflow_state === 'available')
      .sort(
        (a, b) => compareNames(setOf(a).name, setOf(b).name) || compareNames(a.name, b.name) || a.id - b.id,
      );
  }

  #membersOf(group: Group): GroupMembership[] {
    return this.world.groupMemberships.by.group
      .get(group.id)
      .filter((one) => one.workflow_state !== 'deleted');
  }

  #ownGroups(user: User): Group[] {
    return this.world.groupMemberships.by.user
      .get(user.id)
      .filter((one) => one.workflow_state === 'accepted')
      .map((one) => this.world.groups.must(one.group_id))
      .filter((group) => group.workflow_state === 'available');
  }

  #rosterOf(course: Course): Enrollment[] {
    const sections = visibleSections(this.#request, course);
    return this.world.enrollments.by.course
      .get(course.id)
      .filter((e) => e.workflow_state !== 'deleted' && (!sections || sections.has(e.course_section_id)));
  }
}

function head(type: string, id: number) {
  return { __typename: type, id: globalId(type, id), _id: String(id) };
}

function stamps({ created_at, updated_at }: { created_at: string; updated_at: string }) {
  return { createdAt: created_at, updatedAt: updated_at };
}

function isActive({ workflow_state }: { workflow_state: string }): boolean {
  return workflow_state === 'active';
}

function nodeOr<T, N>(item: T | undefined, nodeOf: (item: T) => N): N | null {
  return item === undefined ? null : nodeOf(item);
}

/** Creates a page of the items, or returns null if the caller cannot see them. */
function pages<T, N>(items: readonly T[] | null, args: PageArgs, nodeOf: (item: T) => N) {
  return items && connectionOf(items, args, nodeOf);
}

function sisWord({ type }: Enrollment): string {
  return type.replace(/(?:View)?Enrollment$/, '').toLowerCase();
}
