/** Whom and what the rows of group members mean: by SIS ids in a file, by anything people use in what is pasted. Pure. */
import type {
  CourseGroup,
  CourseIndex,
  CoursePerson,
  GroupElsewhere,
  PersonElsewhere,
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
}

/** How rows are understood. */
export interface MemberReader {
  index: CourseIndex;
  /**
   * `ids`: SIS ids only. `anything`: a person by e-mail, login or SIS id, a group by SIS id or name; of several groups with
   * one name the one in the category with this Canvas id.
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
  /** The SIS id by which the row names the person. */
  userId: string | null;
  /** Name of somebody who is not in the course. */
  name: string | null;
  group: CourseGroup | null;
  problem: SisProblem | null;
}

export function readMember(one: AskedMember, reader: MemberReader): ReadMember {
  const group = readGroup(one.group, reader);
  const person = readPerson(one.person, reader);
  return {
    person: person.person ?? null,
    userId: person.userId ?? null,
    name: person.name ?? null,
    group: typeof group === 'string' ? null : group,
    problem:
      typeof group === 'string'
        ? { column: 'group_id', message: group }
        : person.why === undefined
          ? null
          : { column: 'user_id', message: person.why },
  };
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
}

function readPerson(text: string, { index, by, elsewhere }: MemberReader): PersonRead {
  if (text === '') return { why: 'The person is missing.' };
  const odd = notMeant(text);
  if (odd !== null) return { why: odd };
  const found = candidates(text, index, by);
  const [only] = found;
  if (found.length > 1) {
    const names = found.map(({ name }) => name).join(' and ');
    return { why: `${shown(text)} may be ${names}: give the SIS id of the one that is meant.` };
  }
  if (only) return named(only, only.sisId);
  const other = elsewhere.people.get(text);
  if (other === 'failed') return { why: `The LMS did not say whether ${shown(text)} exists. Try again.` };
  if (!other)
    return { why: `The LMS knows nobody ${by === 'ids' ? 'with the SIS id' : 'as'} ${shown(text)}.` };
  // Somebody with several SIS ids or logins, of which the list shows one.
  const here = index.person(other.id);
  if (here) return named(here, by === 'ids' ? text : (here.sisId ?? other.sisId));
  const why = `${other.name} is not in the course. Enrol them there first.`;
  return { name: other.name, ...(other.sisId === null ? {} : { userId: other.sisId }), why };
}

function named(person: CoursePerson, sisId: string | null): PersonRead {
  if (sisId !== null) return { person, userId: sisId };
  return { person, why: `${person.name} has no SIS id, so that a file cannot name them.` };
}

/** The group, or why there is none. */
function readGroup(text: string, { index, by, elsewhere }: MemberReader): CourseGroup | string {
  if (text === '') return 'The group is missing.';
  const bySis = index.groupWithId(text);
  if (bySis) return bySis;
  if (by !== 'ids') {
    const found = groupNamed(text, index, by.category);
    if (found !== null) return found;
  }
  const odd = notMeant(text);
  if (odd !== null) return odd;
  const foreign = elsewhere.groups.get(text);
  if (foreign?.course) return `${shown(text)} is a group of another course, ${shown(foreign.course)}.`;
  return `The course has no group ${by === 'ids' ? 'with the SIS id ' : ''}${shown(text)}.`;
}

/** The one group of this name; of several the one of the category; why not; null when there is none at all. */
function groupNamed(text: string, index: CourseIndex, category: number | null): CourseGroup | string | null {
  const all = index.groupsNamed(text);
  const inCategory = all.filter((one) => one.category === category);
  const likely = inCategory.length > 0 ? inCategory : all;
  const exact = likely.filter(({ name }) => name.trim() === text);
  const meant = exact.length === 1 ? exact : likely;
  const [only] = meant;
  if (!only) return null;
  if (meant.length > 1) {
    const where = [...new Set(meant.map((one) => index.category(one.category)?.name ?? ''))];
    const names = where.map((name) => shown(name)).join(' and ');
    return `Several groups are called ${shown(text)}, in ${names}: choose the category, or give the SIS id of the group.`;
  }
  if (only.sisId === null)
    return `The group ${shown(only.name)} has no SIS id, so that a file cannot name it.`;
  return only;
}

/** Why nobody can mean this text; null for what can be looked for. */
function notMeant(text: string): string | null {
  const made = spreadsheetId(text);
  if (made !== null) return `${shown(text)} is ${made}. Put the value itself there.`;
  if (fits(text) && /[\p{L}\p{N}]/u.test(text)) return null;
  return `${shown(text)} names nothing.`;
}
