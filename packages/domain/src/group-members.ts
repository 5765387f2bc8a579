/** The difference before people are put into groups (GRP-27, OP-79, OP-107): what becomes of each row of a file. Pure. */
import type { CourseGroup, CourseIndex, CoursePerson } from './group-course.ts';
import {
  type AskedMember,
  type MemberReader,
  type NotFound,
  type ReadMember,
  readMember,
} from './group-references.ts';
import { statusProblem } from './sis-row-rules.ts';

export type MemberStatus = 'accepted' | 'deleted';
/** What becomes of a row: see the contract's `MEMBER_FATES`. */
export type MemberFate = 'add' | 'move' | 'already' | 'remove' | 'not-member' | 'refused';
export type MemberColumn = 'group_id' | 'user_id' | 'status';

/** A row of the simulation, with what it came to mean. */
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
  /** What was looked up and is not there. */
  not_found: readonly NotFound[];
  /** Canvas ids; null for what was not found. */
  who: number | null;
  where: number | null;
  /** Groups that the person leaves by it. */
  leaves: readonly number[];
  /** Other groups of the category in which someone who is removed stays, as no one can be put back without leaving them. */
  stays: readonly number[];
}

/** A group that rows touch. */
export interface HeadCount {
  group: CourseGroup;
  before: number;
  after: number;
}

export interface MemberDifference {
  rows: MemberRow[];
  groups: HeadCount[];
}

/** Whether a row changes something, and so is sent. */
export function changes({ fate }: Pick<MemberRow, 'fate'>): boolean {
  return fate === 'add' || fate === 'move' || fate === 'remove';
}

/** How many people rows of one fate are about: someone may have one in each of several categories. */
export function peopleWith(
  rows: readonly (Pick<MemberRow, 'fate'> & { user_id: string })[],
  fate: MemberFate,
): number {
  return new Set(rows.flatMap((one) => (one.fate === fate ? one.user_id : []))).size;
}

/** What the rows do, one after the other, as the LMS will do them. */
export function planMembers(asked: readonly AskedMember[], reader: MemberReader): MemberDifference {
  const seats = new Seats(reader.index);
  const said = new Map<string, { row: number; status: MemberStatus }>();
  const placed = new Map<string, { row: number; group: CourseGroup }>();
  const rows = asked.map((one): MemberRow => {
    const status = statusOf(one.status);
    const read = readMember(one, reader);
    const base = baseOf(one, status ?? 'accepted', read, reader.index);
    const problem =
      one.wrong ?? (status === null ? statusProblem(one.status, STATUSES) : null) ?? read.problem ?? null;
    if (problem || status === null || !read.person || !read.group)
      return refuse(base, columnOf(problem?.column), problem?.message ?? '');
    const { person, group } = read;
    const pair = `${person.id} ${group.id}`;
    const before = said.get(pair);
    if (before?.status === status) return refuse(base, null, `This row repeats row ${before.row}.`);
    if (before) {
      return refuse(base, 'status', `Row ${before.row} says the opposite for the same person and group.`);
    }
    const row =
      status === 'deleted' ? seats.leave(base, person, group) : seats.enter(base, person, group, placed);
    if (row.fate !== 'refused') said.set(pair, { row: one.row, status });
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

function baseOf(one: AskedMember, status: MemberStatus, read: ReadMember, index: CourseIndex): MemberRow {
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
    // A row of a wrong form is not looked up.
    not_found: one.wrong ? [] : read.notFound,
    who: person?.id ?? null,
    where: group?.id ?? null,
    leaves: [],
    stays: [],
  };
}

function refuse(row: MemberRow, column: MemberColumn | null, why: string): MemberRow {
  return { ...row, fate: 'refused', column, why };
}

/** Who is in which group, while the rows are gone through. */
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
    // Members whom the list of the course does not show take up a place too.
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
      const why = `Row ${earlier.row} puts the same person into ${earlier.group.name}, which is in the same category.`;
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
      return refuse(row, 'group_id', `The group is full: it takes ${limit}.`);
    }
    for (const id of others) this.#change(theirs, id, -1);
    this.#change(theirs, group.id, 1);
    this.#groupsOf.set(person.id, theirs);
    placed.set(key, { row: row.row, group });
    if (others.length === 0) return { ...row, fate: 'add' };
    const from = others.map((id) => this.#index.group(id)?.name ?? '').join(' and ');
    return { ...row, fate: 'move', from, leaves: others };
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

  /** Whether people may be in one group of its category only. */
  #isAlone(group: CourseGroup): boolean {
    return group.category !== null && this.#index.category(group.category)?.several !== true;
  }

  /** Other groups that someone who is put into a group leaves. */
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
