/** The data of a course that group plans need: categories, groups, and people with their groups. Pure. */
import { emailKey } from './emails.ts';
import { nameKey } from './groups.ts';

export interface CourseCategory {
  /** Canvas id, like all ids here. */
  id: number;
  name: string;
  sisId: string | null;
  /** Maximum number of members of a group without its own limit. */
  limit: number | null;
  /** Whether people can be in several of its groups; otherwise joining one means leaving the others (OP-107). */
  several: boolean;
}

export interface CourseGroup {
  id: number;
  name: string;
  category: number | null;
  sisId: string | null;
  limit: number | null;
  /** Number of members according to the LMS. */
  members: number;
  /** Canvas id of the group leader. */
  leader: number | null;
}

export interface CoursePerson {
  id: number;
  name: string;
  sisId: string | null;
  /** Login and email, if the LMS returns them. */
  logins: readonly string[];
  /** Groups of this course. */
  groups: readonly number[];
  /** Sections where they are active or invited students; empty for everyone else. */
  sections: readonly number[];
  /**
   * How all enrolments of the person in the course have ended; null if one has not. People whose enrolments have
   * ended can still be group members.
   */
  ended: EndedEnrolment | null;
}

export const ENDED_ENROLMENTS = ['concluded', 'inactive'] as const;
export type EndedEnrolment = (typeof ENDED_ENROLMENTS)[number];

export interface GroupCourse {
  categories: readonly CourseCategory[];
  groups: readonly CourseGroup[];
  /** In the order of names. */
  people: readonly CoursePerson[];
}

/** A group id of another course. `course` is its name, or null if the person is not allowed to see it. */
export interface GroupElsewhere {
  course: string | null;
}

/** A person who was not found in the course's list under the requested text. */
export interface PersonElsewhere {
  id: number;
  name: string;
  sisId: string | null;
}

/** Finds groups and people of the course. */
export class CourseIndex {
  readonly course: GroupCourse;
  readonly #categories: ReadonlyMap<number, CourseCategory>;
  readonly #groups: ReadonlyMap<number, CourseGroup>;
  readonly #groupsBySis: ReadonlyMap<string, CourseGroup>;
  readonly #groupsByName = new Map<string, CourseGroup[]>();
  readonly #people: ReadonlyMap<number, CoursePerson>;
  readonly #peopleBySis: ReadonlyMap<string, CoursePerson>;
  readonly #peopleByLogin = new Map<string, CoursePerson[]>();

  constructor(course: GroupCourse) {
    this.course = course;
    this.#categories = new Map(course.categories.map((one) => [one.id, one]));
    this.#groups = new Map(course.groups.map((one) => [one.id, one]));
    this.#groupsBySis = new Map(
      course.groups.flatMap((one) => (one.sisId === null ? [] : [[one.sisId, one]])),
    );
    this.#people = new Map(course.people.map((one) => [one.id, one]));
    this.#peopleBySis = new Map(
      course.people.flatMap((one) => (one.sisId === null ? [] : [[one.sisId, one]])),
    );
    for (const group of course.groups) put(this.#groupsByName, nameKey(group.name), group);
    for (const person of course.people) {
      for (const login of new Set(person.logins.map(emailKey))) put(this.#peopleByLogin, login, person);
    }
  }

  category(id: number | null): CourseCategory | null {
    return id === null ? null : (this.#categories.get(id) ?? null);
  }

  group(id: number): CourseGroup | null {
    return this.#groups.get(id) ?? null;
  }

  groupWithId(sisId: string): CourseGroup | null {
    return this.#groupsBySis.get(sisId) ?? null;
  }

  /** Returns the groups with this name, as pages show it. */
  groupsNamed(name: string): readonly CourseGroup[] {
    return this.#groupsByName.get(nameKey(name)) ?? [];
  }

  person(id: number): CoursePerson | null {
    return this.#people.get(id) ?? null;
  }

  personWithId(sisId: string): CoursePerson | null {
    return this.#peopleBySis.get(sisId) ?? null;
  }

  /** Returns everyone with this SIS ID, login or email. */
  peopleCalled(text: string): CoursePerson[] {
    const bySis = this.personWithId(text);
    return [...new Set([...(bySis ? [bySis] : []), ...(this.#peopleByLogin.get(emailKey(text)) ?? [])])];
  }

  /** Returns the maximum number of members of a group; null for no limit, as in student groups. */
  limitOf(group: CourseGroup): number | null {
    const category = this.category(group.category);
    return category?.several ? null : (group.limit ?? category?.limit ?? null);
  }
}

function put<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const members = map.get(key);
  if (members) members.push(value);
  else map.set(key, [value]);
}
