/**
 * Members of course groups, including people who are not in the course any more: a section that moves to another course
 * leaves its people in the groups, and no list of the course's people shows them.
 */
import { groupsOf, membershipsOf } from '../../canvas/resources/groups.ts';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { ownText } from '../../platform/text.ts';
import { type Asking, AT_ONCE, FEW } from './ask.ts';
import type { CourseEnrolments } from './course-enrolments.ts';

/** Maximum number of groups whose memberships are read: each needs a request. */
const MOST_READ = 10 * FEW;

export interface GroupOfCourse {
  id: number;
  name: string;
}

/** Groups by person number. */
export type Members = ReadonlyMap<number, readonly GroupOfCourse[]>;

export class CourseMembers {
  readonly #asking: Asking;
  readonly #enrolments: CourseEnrolments;
  readonly #courses = new Map<number, Promise<Answer<Members>>>();
  #read = 0;

  constructor(asking: Asking, enrolments: CourseEnrolments) {
    this.#asking = asking;
    this.#enrolments = enrolments;
  }

  /** Reads the members in the LMS. @throws CanvasError when the token is refused */
  of(course: number): Promise<Answer<Members>> {
    const held = this.#courses.get(course) ?? this.#membersOf(course);
    held.catch(() => {});
    this.#courses.set(course, held);
    return held;
  }

  async #membersOf(course: number): Promise<Answer<Members>> {
    const people = await this.#enrolments.read(course);
    if (typeof people === 'string') return people;
    const groups = await answered(this.#asking, () => groupsOf(this.#asking, `courses/${course}`));
    if (typeof groups === 'string') return groups;
    const inGroup = new Map(groups.map(({ id }) => [id, new Set<number>()]));
    for (const { userId, groups: theirs } of people)
      for (const group of theirs) inGroup.get(group)?.add(userId);
    // A group with as many members as the course shows has no hidden ones.
    const hiding = groups.filter(({ id, members_count }) => members_count !== inGroup.get(id)?.size);
    this.#read += hiding.length;
    if (this.#read > MOST_READ) return 'unread';
    const lists = await mapLimited(hiding, AT_ONCE, ({ id }) =>
      answered(this.#asking, () => membershipsOf(this.#asking, id)),
    );
    for (const list of lists) {
      if (list === 'unread') return list;
      for (const { group_id, user_id } of typeof list === 'string' ? [] : list)
        inGroup.get(group_id)?.add(user_id);
    }
    const members = new Map<number, GroupOfCourse[]>();
    for (const { id, name } of groups) {
      const group = { id, name: ownText(name) };
      for (const user of inGroup.get(id) ?? []) members.set(user, [...(members.get(user) ?? []), group]);
    }
    return members;
  }
}
