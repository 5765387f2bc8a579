/** A course as the plans of its groups see it: categories, groups, and the people with the groups that they are in. Pure. */
import { emailKey } from './emails.ts';

export interface CourseCategory {
  /** Canvas id, as everywhere here. */
  id: number;
  name: string;
  sisId: string | null;
  /** Most members of a group that has no limit of its own. */
  limit: number | null;
  /** Whether people may be in several of its groups; elsewhere anyone who is put into one leaves the others (OP-107). */
  several: boolean;
}

export interface CourseGroup {
  id: number;
  name: string;
  category: number | null;
  sisId: string | null;
  limit: number | null;
  /** Head count that the LMS tells. */
  members: number;
  /** Canvas id of the person who leads it. */
  leader: number | null;
}

export interface CoursePerson {
  id: number;
  name: string;
  sisId: string | null;
  /** Login and email, as far as the LMS tells them. */
  logins: readonly string[];
  /** Groups of this course. */
  groups: readonly number[];
  /** Sections where they are students, active or invited; empty for everybody else. */
  sections: readonly number[];
}

export interface GroupCourse {
  categories: readonly CourseCategory[];
  groups: readonly CourseGroup[];
  /** In the order of their names. */
  people: readonly CoursePerson[];
}

/** A group id that is not the course's. `course` is the name of the other one, null where it is not to be told. */
export interface GroupElsewhere {
  course: string | null;
}

/** Someone whom the list of the course does not name by what was asked. */
export interface PersonElsewhere {
  id: number;
  name: string;
  sisId: string | null;
}

/** The course with its ways to find things. */
export class CourseIndex {
  readonly course: GroupCourse;
  readonly #categories: ReadonlyMap<number, CourseCategory>;
  readonly #groups: ReadonlyMap<number, CourseGroup>;
  readonly #groupsBySis: ReadonlyMap<string, CourseGroup>;
  readonly #groupsByName = new Map<string, CourseGroup[]>();
  readonly #groupsBySpacing = new Map<string, CourseGroup[]>();
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
    for (const group of course.groups) {
      put(this.#groupsByName, nameKey(group.name), group);
      put(this.#groupsBySpacing, spacingKey(group.name), group);
    }
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

  /** Groups of this name, in whatever letter case; failing that, with other spaces in it, which pages do not show. */
  groupsNamed(name: string): readonly CourseGroup[] {
    return this.#groupsByName.get(nameKey(name)) ?? this.#groupsBySpacing.get(spacingKey(name)) ?? [];
  }

  person(id: number): CoursePerson | null {
    return this.#people.get(id) ?? null;
  }

  personWithId(sisId: string): CoursePerson | null {
    return this.#peopleBySis.get(sisId) ?? null;
  }

  /** Everybody who has this SIS ID, login or email. */
  peopleCalled(text: string): CoursePerson[] {
    const bySis = this.personWithId(text);
    return [...new Set([...(bySis ? [bySis] : []), ...(this.#peopleByLogin.get(emailKey(text)) ?? [])])];
  }

  /** Most members of a group; null without a limit, as the students' own ones are. */
  limitOf(group: CourseGroup): number | null {
    const category = this.category(group.category);
    return category?.several ? null : (group.limit ?? category?.limit ?? null);
  }
}

export function nameKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

const spacingKey = (name: string) => nameKey(name.replace(/\s+/g, ' '));

function put<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const those = map.get(key);
  if (those) those.push(value);
  else map.set(key, [value]);
}
