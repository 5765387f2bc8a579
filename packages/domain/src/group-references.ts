/** Whom and what the rows of group members mean: by SIS IDs in a file, by anything people use in what is pasted. Pure. */
import {
  type CourseGroup,
  type CourseIndex,
  type CoursePerson,
  type GroupElsewhere,
  nameKey,
  type PersonElsewhere,
} from './group-course.ts';
import { fits } from './group-plan.ts';
import { type SisProblem, shown } from './sis-rows.ts';
import { spreadsheetId } from './spreadsheet-values.ts';

/** A row as it came: what a person and a group are called. */
export interface AskedMember {
  row: number;
  person: string;
  group: string;
  status: string;
  /** What is wrong with its form. */
  wrong?: SisProblem;
  /** Name of a person of the course who has no SIS ID by which a row could name them. */
  name?: string;
}

/** How rows are understood. */
export interface MemberReader {
  index: CourseIndex;
  /**
   * `ids`: SIS IDs only. Otherwise a person by email, login or SIS ID, a group by SIS ID or name; with a category (Canvas id) only
   * names of its groups count.
   */
  by: 'ids' | { category: number | null };
  /** What the LMS said of what the course does not answer; what is missing here it does not have. */
  elsewhere: {
    people: ReadonlyMap<string, PersonElsewhere | 'failed'>;
    groups: ReadonlyMap<string, GroupElsewhere>;
  };
}

/** What a row means. */
export interface ReadMember {
  person: CoursePerson | null;
  /** The SIS ID by which the row names the person. */
  userId: string | null;
  /** Name of someone who is not in the course. */
  name: string | null;
  group: CourseGroup | null;
  /** Name of a group that was found and that no row can name. */
  groupName: string | null;
  /** What was looked up and is not there. */
  notFound: readonly NotFound[];
  problem: SisProblem | null;
}

export type NotFound = 'person' | 'group';

export function readMember(one: AskedMember, reader: MemberReader): ReadMember {
  const group = readGroup(one.group, reader);
  const person = readPerson(one.person, reader);
  return {
    person: person.person ?? null,
    userId: person.userId ?? null,
    name: person.name ?? null,
    group: group.group ?? null,
    groupName: group.name ?? null,
    notFound: [...(person.unknown ? ['person' as const] : []), ...(group.unknown ? ['group' as const] : [])],
    problem: problemOf('group_id', group.why) ?? problemOf('user_id', person.why),
  };
}

function problemOf(column: string, why: string | undefined): SisProblem | null {
  return why === undefined ? null : { column, message: why };
}

/** What rows name that the course does not answer, so that the LMS has to be asked: each once. */
export function unanswered(
  asked: readonly AskedMember[],
  { index, by }: Pick<MemberReader, 'index' | 'by'>,
): { people: string[]; groups: string[] } {
  const people = new Set<string>();
  const groups = new Set<string>();
  for (const { person, group, wrong } of asked) {
    if (wrong) continue;
    if (notMeant(person) === null && candidates(person, index, by).length === 0) people.add(person);
    const known = index.groupWithId(group) ?? (by === 'ids' ? null : index.groupsNamed(group)[0]);
    if (!known && notMeant(group) === null) groups.add(group);
  }
  return { people: [...people], groups: [...groups] };
}

function candidates(text: string, index: CourseIndex, by: MemberReader['by']): CoursePerson[] {
  if (by !== 'ids') return index.peopleCalled(text);
  const one = index.personWithId(text);
  return one ? [one] : [];
}

interface PersonRead {
  person?: CoursePerson;
  userId?: string;
  name?: string;
  why?: string;
  /** It was looked up and is not there. */
  unknown?: true;
}

function readPerson(text: string, { index, by, elsewhere }: MemberReader): PersonRead {
  if (text === '') return { why: 'The person is missing.' };
  const odd = notMeant(text);
  if (odd !== null) return { why: odd };
  const found = candidates(text, index, by);
  const [only] = found;
  if (found.length > 1) {
    const names = found.map(({ name }) => name).join(' and ');
    return { why: `${shown(text)} matches ${names}. Enter the SIS ID of the right person.` };
  }
  if (only) return named(only, only.sisId);
  const other = elsewhere.people.get(text);
  if (other === 'failed') return { why: `The LMS did not say whether ${shown(text)} exists. Try again.` };
  if (!other) return { unknown: true, why: by === 'ids' ? noSuchId(text) : noSuchPerson(text, index) };
  // Someone with several SIS IDs or logins, of which the list shows one.
  const here = index.person(other.id);
  if (here) return named(here, by === 'ids' ? text : (here.sisId ?? other.sisId));
  const why = `${other.name} is not in the course. Enrol them there first.`;
  return { name: other.name, ...(other.sisId === null ? {} : { userId: other.sisId }), why };
}

const noSuchId = (text: string) => `No person in the LMS has the SIS ID ${shown(text)}.`;

/** Who is pasted by name may well be in the LMS: names are not looked up, as several people may have one. */
function noSuchPerson(text: string, index: CourseIndex): string {
  const isName = /\s/.test(text) || index.course.people.some(({ name }) => nameKey(name) === nameKey(text));
  return isName
    ? `${shown(text)} is not an email, a login or an SIS ID, and names are not looked up. Give one of these instead.`
    : `The LMS has no email, login or SIS ID ${shown(text)}.`;
}

function named(person: CoursePerson, sisId: string | null): PersonRead {
  if (sisId !== null) return { person, userId: sisId };
  return { person, why: `${person.name} has no SIS ID, so an import cannot name them.` };
}

interface GroupRead {
  group?: CourseGroup;
  name?: string;
  why?: string;
  unknown?: true;
}

/** The group, or why it cannot be used. */
function readGroup(text: string, { index, by, elsewhere }: MemberReader): GroupRead {
  if (text === '') return { why: 'The group is missing.' };
  const bySis = index.groupWithId(text);
  if (bySis) return { group: bySis };
  if (by !== 'ids') {
    const found = groupNamed(text, index, by.category);
    if (found !== null) return found;
  }
  const odd = notMeant(text);
  if (odd !== null) return { why: odd };
  const foreign = elsewhere.groups.get(text);
  if (foreign?.course)
    return { why: `${shown(text)} is a group of another course, ${shown(foreign.course)}.` };
  const why = `The course has no group ${by === 'ids' ? 'with the SIS ID ' : ''}${shown(text)}.`;
  return { why, unknown: true };
}

/** The one group of this name, in the category if one was chosen; why it cannot be used; null when the course has none. */
function groupNamed(text: string, index: CourseIndex, category: number | null): GroupRead | null {
  const all = index.groupsNamed(text);
  if (all.length === 0) return null;
  const likely = category === null ? all : all.filter((one) => one.category === category);
  if (likely.length === 0) {
    const why = `${shown(index.category(category)?.name ?? '')} has no group ${shown(text)}, but ${categoriesOf(all, index)} has: choose another category, or give the SIS ID of the group.`;
    return { why, unknown: true };
  }
  const exact = likely.filter(({ name }) => name.trim() === text);
  const meant = exact.length === 1 ? exact : likely;
  const [only] = meant;
  if (!only) return null;
  if (meant.length > 1) return { name: only.name, why: severalCalled(text, meant, index) };
  if (only.sisId !== null) return { group: only };
  const why = `The group ${shown(only.name)} has no SIS ID, so an import cannot name it. Change its members in the LMS.`;
  return { name: only.name, why };
}

/** What to do about groups of one name depends on what tells them apart. */
function severalCalled(text: string, groups: readonly CourseGroup[], index: CourseIndex): string {
  const categories = new Set(groups.map(({ category }) => category));
  const head = `Several groups are called ${shown(text)}, in ${categoriesOf(groups, index)}`;
  const ids = groups.flatMap(({ sisId }) => sisId ?? []);
  if (ids.length === 0)
    return `${head}. None has an SIS ID, so an import cannot name them. Change their members in the LMS.`;
  if (categories.size > 1) return `${head}: choose the category, or give the SIS ID of the group.`;
  const others = ids.length < groups.length ? ' Those without an SIS ID can be changed only in the LMS.' : '';
  return `${head}: give the SIS ID of the group, ${ids.map((id) => shown(id)).join(' or ')}.${others}`;
}

function categoriesOf(groups: readonly CourseGroup[], index: CourseIndex): string {
  const names = [...new Set(groups.map(({ category }) => index.category(category)?.name ?? ''))];
  return names.map((name) => shown(name)).join(' and ');
}

/** Why no one can mean this text; null for what can be looked for. */
function notMeant(text: string): string | null {
  const made = spreadsheetId(text);
  if (made !== null) return `${shown(text)} is ${made}. Enter the original value.`;
  if (fits(text) && /[\p{L}\p{N}]/u.test(text)) return null;
  return `${shown(text)} is not a valid person or group.`;
}
