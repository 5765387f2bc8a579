/** A small course with groups, for the tests of its plans. */
import { type CourseGroup, CourseIndex, type CoursePerson } from '../src/group-course.ts';
import type { MemberReader, RequestedMember } from '../src/group-references.ts';

export const TEAMS = { id: 10, name: 'Teams', sisId: 'C_Teams', limit: null, several: false };
export const LABS = { id: 11, name: 'Labs', sisId: 'C_Labs', limit: 2, several: false };
export const CLUBS = { id: 12, name: 'Student Groups', sisId: null, limit: null, several: true };

export function group(id: number, name: string, over: Partial<CourseGroup> = {}): CourseGroup {
  return { id, name, category: TEAMS.id, sisId: `C_${name}`, limit: null, members: 0, leader: null, ...over };
}

export function person(
  id: number,
  groups: readonly number[] = [],
  over: Partial<CoursePerson> = {},
): CoursePerson {
  return {
    id,
    name: `Person ${id}`,
    sisId: `p${id}`,
    logins: [`p${id}@school.example`],
    groups,
    sections: [1],
    ended: null,
    ...over,
  };
}

export function courseOf(groups: readonly CourseGroup[], people: readonly CoursePerson[]): CourseIndex {
  const count = (id: number) => people.filter((one) => one.groups.includes(id)).length;
  return new CourseIndex({
    categories: [TEAMS, LABS, CLUBS],
    groups: groups.map((one) => ({ ...one, members: Math.max(one.members, count(one.id)) })),
    people,
  });
}

export function readerOf(index: CourseIndex, over: Partial<MemberReader> = {}): MemberReader {
  return { index, by: 'ids', elsewhere: { people: new Map(), groups: new Map() }, ...over };
}

export const row = (n: number, who: string, where: string, status = 'accepted'): RequestedMember => ({
  row: n,
  person: who,
  group: where,
  status,
});
