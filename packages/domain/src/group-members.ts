/** What adding people to groups would change (GRP-27, OP-79, OP-107): a result for each row of a file. Pure. */
import type { CourseGroup, CourseIndex, CoursePerson, EndedEnrolment } from './group-course.ts';
import {
  type MemberReader,
  type NotFound,
  type ReadMember,
  type RequestedMember,
  readMember,
} from './group-references.ts';
import { statusProblem } from './sis-row-rules.ts';

export type MemberStatus = 'accepted' | 'deleted';
/** Result for a row: see the contract's `MEMBER_FATES`. */
export type MemberFate = 'add' | 'move' | 'already' | 'remove' | 'not-member' | 'refused';
export type MemberColumn = 'group_id' | 'user_id' | 'status';

/** A row of the simulation, with its result. */
export interface MemberRow {
  row: number;
  user_id: string;
  person: string | null;
  group_id: string;
  group: string | null;
  category: string | null;
  status: MemberStatus;
  fate: MemberFate;
  from: string | null;
  column: MemberColumn | null;
  why: string | null;
  /** Which of person and group were looked up and not found. */
  not_found: readonly NotFound[];
  /** Canvas ids; null if not found. */
  who: number | null;
  where: number | null;
  /** Groups that the row makes the person leave. */
  leaves: readonly number[];
  /** Other groups of the category in which a removed person stays, because returning would mean leaving them. */
  stays: readonly number[];
  /** How the enrolment of a person added to a group has ended. */
  ended: EndedEnrolment | null;
}

/** A group in the rows. */
export interface HeadCount {
  group: CourseGroup;
  before: number;
  after: number;
}

export interface MemberDifference {
  rows: MemberRow[];
  groups: HeadCount[];
}

/** Returns whether a row changes something, and so is sent. */
export function changes({ fate }: Pick<MemberRow, 'fate'>): boolean {
  return fate === 'add' || fate === 'move' || fate === 'remove';
}

/** Returns the number of people in rows with this result: a person can have such a row in each of several categories. */
export function peopleWith(
  rows: readonly (Pick<MemberRow, 'fate'> & { user_id: string })[],
  fate: MemberFate,
): number {
  return new Set(rows.flatMap((one) => (one.fate === fate ? one.user_id : []))).size;
}

/** Returns the number of people added to groups after their enrolment in the course has ended. */
export function peopleEnded(rows: readonly (Pick<MemberRow, 'ended'> & { user_id: string })[]): number {
  return new Set(rows.flatMap((one) => (one.ended === null ? [] : one.user_id))).size;
}

/** Returns the results of the rows, in order, as in the LMS. */
export function planMembers(requested: readonly RequestedMember[], reader: MemberReader): MemberDifference {
  const seats = new Seats(reader.index);
  const earlierRows = new Map<string, { row: number; status: MemberStatus }>();
  const placed = new Map<string, { row: number; group: CourseGroup }>();
  const rows = requested.map((one): MemberRow => {
    const status = statusOf(one.status);
    const read = readMember(one, reader);
    const base = baseOf(one, status ?? 'accepted', read, reader.index);
    const problem =
      one.wrong ?? (status === null ? statusProblem(one.status, STATUSES) : null) ?? read.problem ?? null;
    if (problem || status === null || !read.person || !read.group)
      return refuse(base, columnOf(problem?.column), problem?.message ?? '');
    const { person, group } = read;
    const pair = `${person.id} ${group.id}`;
    const before = earlierRows.get(pair);
    if (before?.status === status) return refuse(base, null, `This row repeats row ${before.row}.`);
    if (before) {
      return refuse(base, 'status', `Row ${before.row} says the opposite for the same person and group.`);
    }
    const row =
      status === 'deleted' ? seats.leave(base, person, group) : seats.enter(base, person, group, placed);
    if (row.fate !== 'refused') earlierRows.set(pair, { row: one.row, status });
    return row;
  });
  return { rows, groups: seats.touched() };
}

const STATUSES: readonly MemberStatus[] = ['accepted', 'deleted'];

function statusOf(text: string): MemberStatus | null {
  return STATUSES.find((one) => one === text.toLowerCase()) ?? null;
}

function columnOf(column: string | null | undefined): MemberColumn | null {
  return column === 'group_id' || column === 'user_id' || column === 'status' ? column : null;
}

function baseOf(one: RequestedMember, status: MemberStatus, read: ReadMember, index: CourseIndex): MemberRow {
  const { person, group } = read;
  return {
    row: one.row,
    user_id: read.userId ?? one.person,
    person: person?.name ?? read.name ?? one.name ?? null,
    group_id: group?.sisId ?? one.group,
    group: group?.name ?? read.groupName,
    category: (group && index.category(group.category)?.name) ?? null,
    status,
    fate: 'refused',
    from: null,
    column: null,
    why: null,
    // Invalid rows are not looked up.
    not_found: one.wrong ? [] : read.notFound,
    who: person?.id ?? null,
    where: group?.id ?? null,
    leaves: [],
    stays: [],
    ended: null,
  };
}

function refuse(row: MemberRow, column: MemberColumn | null, why: string): MemberRow {
  return { ...row, fate: 'refused', column, why };
}

const endedNote = (ended: EndedEnrolment) =>
  `Their enrolment in the course is ${ended}. The LMS still accepts them in a group.`;

/** People and their groups while the rows are processed. */
class Seats {
  readonly #index: CourseIndex;
  readonly #groupsOf: Map<number, Set<number>>;
  readonly #count: Map<number, number>;
  readonly #before: ReadonlyMap<number, number>;
  readonly #touched = new Set<number>();

  constructor(index: CourseIndex) {
    const { people, groups } = index.course;
    this.#index = index;
    this.#groupsOf = new Map(people.map((one) => [one.id, new Set(one.groups)]));
    const seen = new Map<number, number>();
    for (const one of people) for (const id of one.groups) seen.set(id, (seen.get(id) ?? 0) + 1);
    // Members outside the course's list count too.
    this.#count = new Map(groups.map(({ id, members }) => [id, Math.max(members, seen.get(id) ?? 0)]));
    this.#before = new Map(this.#count);
  }

  enter(
    row: MemberRow,
    person: CoursePerson,
    group: CourseGroup,
    placed: Map<string, { row: number; group: CourseGroup }>,
  ): MemberRow {
    const key = `${person.id} ${group.category}`;
    const earlier = this.#isAlone(group) ? placed.get(key) : undefined;
    if (earlier) {
      const why = `Row ${earlier.row} adds the same person to ${earlier.group.name}, which is in the same category.`;
      return refuse(row, 'group_id', why);
    }
    const theirs = this.#groupsOf.get(person.id) ?? new Set();
    const others = this.#othersOf(theirs, group);
    if (theirs.has(group.id)) {
      placed.set(key, { row: row.row, group });
      return { ...row, fate: 'already' };
    }
    const limit = this.#index.limitOf(group);
    if (limit !== null && (this.#count.get(group.id) ?? 0) >= limit) {
      return refuse(row, 'group_id', `The group is full. Its limit is ${limit}.`);
    }
    for (const id of others) this.#change(theirs, id, -1);
    this.#change(theirs, group.id, 1);
    this.#groupsOf.set(person.id, theirs);
    placed.set(key, { row: row.row, group });
    const { ended } = person;
    const noted = { ...row, ended, why: ended === null ? null : endedNote(ended) };
    if (others.length === 0) return { ...noted, fate: 'add' };
    const from = others.map((id) => this.#index.group(id)?.name ?? '').join(' and ');
    return { ...noted, fate: 'move', from, leaves: others };
  }

  leave(row: MemberRow, person: CoursePerson, group: CourseGroup): MemberRow {
    const theirs = this.#groupsOf.get(person.id);
    if (!theirs?.has(group.id)) return { ...row, fate: 'not-member' };
    this.#change(theirs, group.id, -1);
    return { ...row, fate: 'remove', leaves: [group.id], stays: this.#othersOf(theirs, group) };
  }

  touched(): HeadCount[] {
    return this.#index.course.groups
      .filter(({ id }) => this.#touched.has(id))
      .map((group) => ({
        group,
        before: this.#before.get(group.id) ?? 0,
        after: this.#count.get(group.id) ?? 0,
      }));
  }

  /** Returns whether people can be in only one group of its category. */
  #isAlone(group: CourseGroup): boolean {
    return group.category !== null && this.#index.category(group.category)?.several !== true;
  }

  /** Finds the other groups that a person leaves on joining a group. */
  #othersOf(theirs: ReadonlySet<number>, group: CourseGroup): number[] {
    if (!this.#isAlone(group)) return [];
    return [...theirs].filter((id) => id !== group.id && this.#categoryOf(id) === group.category);
  }

  #categoryOf(id: number): number | null | undefined {
    return this.#index.group(id)?.category;
  }

  #change(theirs: Set<number>, group: number, by: 1 | -1): void {
    if (by === 1) theirs.add(group);
    else theirs.delete(group);
    this.#count.set(group, (this.#count.get(group) ?? 0) + by);
    this.#touched.add(group);
  }
}
