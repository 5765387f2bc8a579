/** The people and groups in rows of group members: by SIS IDs in a file, by anything common in pasted text. Pure. */
import {
  type CourseGroup,
  type CourseIndex,
  type CoursePerson,
  type GroupElsewhere,
  type PersonElsewhere,
} from './group-course.ts';
import { fits } from './group-plan.ts';
import { nameKey } from './groups.ts';
import { type SisProblem, shown } from './sis-rows.ts';
import { spreadsheetId } from './spreadsheet-values.ts';

/** A row as sent: the texts for a person and a group. */
export interface RequestedMember {
  row: number;
  person: string;
  group: string;
  status: string;
  /** A problem in the form of the row. */
  wrong?: SisProblem;
  /** Name of a person in the course without an SIS ID for a row. */
  name?: string;
}

/** Rules for reading rows. */
export interface MemberReader {
  index: CourseIndex;
  /**
   * `ids`: only SIS IDs. Otherwise a person by email, login or SIS ID, and a group by SIS ID or name; with a category
   * (Canvas id) only names of its groups count, and they take precedence over an SIS ID elsewhere.
   */
  by: 'ids' | { category: number | null };
  /** The LMS's answers about texts that match nothing in the course; a text missing here is not in the LMS. */
  elsewhere: {
    people: ReadonlyMap<string, PersonElsewhere | 'failed'>;
    groups: ReadonlyMap<string, GroupElsewhere>;
  };
}

/** A row with the person and group that it refers to. */
export interface ReadMember {
  person: CoursePerson | null;
  /** The person's SIS ID in the row. */
  userId: string | null;
  /** Name of a person outside the course. */
  name: string | null;
  group: CourseGroup | null;
  /** Name of a group that was found but that rows cannot name. */
  groupName: string | null;
  /** Which of person and group were looked up and not found. */
  notFound: readonly NotFound[];
  problem: SisProblem | null;
}

export type NotFound = 'person' | 'group';

export function readMember(one: RequestedMember, reader: MemberReader): ReadMember {
  const group = readGroup(one.group, reader);
  const person = readPerson(one, reader);
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

/** Returns the texts in rows that match nothing in the course, so that the LMS must be asked; each once. */
export function unanswered(
  requested: readonly RequestedMember[],
  { index, by }: Pick<MemberReader, 'index' | 'by'>,
): { people: string[]; groups: string[] } {
  const people = new Set<string>();
  const groups = new Set<string>();
  for (const { person, group, wrong } of requested) {
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
  /** Whether the text was looked up and not found. */
  unknown?: true;
}

function readPerson(
  { person: text, status }: RequestedMember,
  { index, by, elsewhere }: MemberReader,
): PersonRead {
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
  if (other === 'failed')
    return { why: `LMS Admin could not check whether ${shown(text)} exists. Try again.` };
  if (!other) return { unknown: true, why: by === 'ids' ? noSuchId(text) : noSuchPerson(text, index) };
  // A person with several SIS IDs or logins, one of which is in the list.
  const here = index.person(other.id);
  if (here) return named(here, by === 'ids' ? text : (here.sisId ?? other.sisId));
  const next = /^deleted$/i.test(status)
    ? ', so an import cannot change their groups.'
    : '. Enrol them there first.';
  const why = `${other.name} is not in the course${next}`;
  return { name: other.name, ...(other.sisId === null ? {} : { userId: other.sisId }), why };
}

const noSuchId = (text: string) => `No person in the LMS has the SIS ID ${shown(text)}.`;

/**
 * Describes the problem of an unknown person. A person pasted by name may well be in the LMS: names are not looked up,
 * because several people can share one.
 */
function noSuchPerson(text: string, index: CourseIndex): string {
  const isName = /\s/.test(text) || index.course.people.some(({ name }) => nameKey(name) === nameKey(text));
  return isName
    ? `LMS Admin does not look up names. Enter an email, a login or an SIS ID instead of ${shown(text)}.`
    : `No one in the LMS has the email, login or SIS ID ${shown(text)}.`;
}

function named(person: CoursePerson, sisId: string | null): PersonRead {
  if (sisId !== null) return { person, userId: sisId };
  return { person, why: `${person.name} has no SIS ID, so an import cannot change their groups.` };
}

interface GroupRead {
  group?: CourseGroup;
  name?: string;
  why?: string;
  unknown?: true;
}

/** Returns the group, or why it cannot be used. */
function readGroup(text: string, { index, by, elsewhere }: MemberReader): GroupRead {
  if (text === '') return { why: 'The group is missing.' };
  const found = by === 'ids' ? withId(text, index) : groupCalled(text, index, by.category);
  if (found !== null) return found;
  const odd = notMeant(text);
  if (odd !== null) return { why: odd };
  const foreign = elsewhere.groups.get(text);
  if (foreign?.course)
    return { why: `${shown(text)} is a group of another course, ${shown(foreign.course)}.` };
  const why = `The course has no group ${by === 'ids' ? 'with the SIS ID ' : ''}${shown(text)}.`;
  return { why, unknown: true };
}

function withId(text: string, index: CourseIndex): GroupRead | null {
  const group = index.groupWithId(text);
  return group && { group };
}

/** Returns the group with this SIS ID or name. If these are two groups, neither is used, unless the category decides. */
function groupCalled(text: string, index: CourseIndex, category: number | null): GroupRead | null {
  const bySis = index.groupWithId(text);
  if (bySis === null) return groupNamed(text, index, category);
  const others = index.groupsNamed(text).filter((one) => one !== bySis);
  const isLikely = (one: CourseGroup) => category !== null && one.category === category;
  if ([bySis, ...others].some(isLikely)) {
    if (!isLikely(bySis)) return groupNamed(text, index, category);
    const rivals = others.filter(isLikely);
    return rivals.length === 0 ? { group: bySis } : { why: idAndName(text, bySis, rivals, index) };
  }
  return others.length === 0 ? { group: bySis } : { why: idAndName(text, bySis, others, index) };
}

function idAndName(
  text: string,
  bySis: CourseGroup,
  named: readonly CourseGroup[],
  index: CourseIndex,
): string {
  const [owner, others] = [categoriesOf([bySis], index), categoriesOf(named, index)];
  const those = named.length === 1 ? 'a group' : `${named.length} groups`;
  const head = `${shown(text)} is the SIS ID of the group ${shown(bySis.name)} in ${owner}, and the name of ${those} in ${others}`;
  if (named.every((one) => one.category !== bySis.category))
    return `${head}. Choose the category of the right one.`;
  const ids = named.flatMap(({ sisId }) => (sisId === null ? [] : [shown(sisId)]));
  const byId = ids.length === 0 ? '' : ` or the SIS ID ${ids.join(' or ')}`;
  const byHand =
    ids.length < named.length ? ' A group without an SIS ID can be changed only in the LMS.' : '';
  return `${head}. Enter the name ${shown(bySis.name)}${byId} instead.${byHand}`;
}

/**
 * Returns the only group with this name, in the selected category; why it cannot be used; null if the course has
 * none.
 */
function groupNamed(text: string, index: CourseIndex, category: number | null): GroupRead | null {
  const all = index.groupsNamed(text);
  if (all.length === 0) return null;
  const likely = category === null ? all : all.filter((one) => one.category === category);
  if (likely.length === 0) {
    const why = `${shown(index.category(category)?.name ?? '')} has no group ${shown(text)}, but there is one in ${categoriesOf(all, index)}. Choose another category, or enter the SIS ID of the group.`;
    return { why, unknown: true };
  }
  const exact = likely.filter(({ name }) => name.trim() === text);
  const meant = exact.length === 1 ? exact : likely;
  const [only] = meant;
  if (!only) return null;
  if (meant.length > 1) return { name: only.name, why: severalCalled(text, meant, index) };
  if (only.sisId !== null) return { group: only };
  const why = `The group ${shown(only.name)} has no SIS ID, so an import cannot change it. Change its members in the LMS.`;
  return { name: only.name, why };
}

/** Gives advice about groups with the same name, which depends on how they differ. */
function severalCalled(text: string, groups: readonly CourseGroup[], index: CourseIndex): string {
  const categories = new Set(groups.map(({ category }) => category));
  const head = `Several groups are called ${shown(text)}, in ${categoriesOf(groups, index)}`;
  const ids = groups.flatMap(({ sisId }) => sisId ?? []);
  if (ids.length === 0)
    return `${head}. None has an SIS ID, so an import cannot change them. Change their members in the LMS.`;
  if (categories.size > 1) return `${head}. Choose the category, or enter the SIS ID of the group.`;
  const others = ids.length < groups.length ? ' Those without an SIS ID can be changed only in the LMS.' : '';
  return `${head}. Enter the SIS ID of the group, ${ids.map((id) => shown(id)).join(' or ')}.${others}`;
}

function categoriesOf(groups: readonly CourseGroup[], index: CourseIndex): string {
  const names = [...new Set(groups.map(({ category }) => index.category(category)?.name ?? ''))];
  return names.map((name) => shown(name)).join(' and ');
}

/** Returns why this text cannot be an id or name; null if it can be looked up. */
function notMeant(text: string): string | null {
  const converted = spreadsheetId(text);
  if (converted !== null) return `${shown(text)} is ${converted}. Enter the original value.`;
  if (fits(text) && /[\p{L}\p{N}]/u.test(text)) return null;
  return `${shown(text)} is not a valid person or group.`;
}
