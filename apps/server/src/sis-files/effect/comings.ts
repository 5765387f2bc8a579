/** People who join or leave a course through rows of an upload, besides the enrolments that the LMS shows. */
import { type CourseRef, courseKey } from './course-ref.ts';

interface Joined {
  /** Whether a row certainly enrols the person. */
  certain: boolean;
  /** Students whom they observe there, by number; null for an enrolment of their own. */
  observing: Set<number | null>;
}

export class Comings {
  /** People who join, by course and person. */
  readonly #joined = new Map<string, Map<string, Joined>>();
  readonly #perhapsOut = new Set<string>();
  readonly #out = new Set<string>();

  /**
   * Records that a row enrols, or may enrol, a person.
   * @param certain false if the row could not be compared
   * @param student number of the student whom they observe; null for none
   */
  join(course: CourseRef, person: string, certain: boolean, student: number | null = null): void {
    const people = this.#joined.get(courseKey(course)) ?? new Map<string, Joined>();
    this.#joined.set(courseKey(course), people);
    const known = people.get(person) ?? { certain: false, observing: new Set() };
    known.certain ||= certain;
    known.observing.add(student);
    people.set(person, known);
  }

  /** Returns whether rows enrol a person in a course. */
  joins(course: CourseRef, person: string): 'yes' | 'perhaps' | 'no' {
    const joined = this.#joined.get(courseKey(course))?.get(person);
    if (joined === undefined || joined.observing.size === 0) return 'no';
    return joined.certain ? 'yes' : 'perhaps';
  }

  /** Records that a row which could not be compared may remove a person. */
  perhapsLeaves(course: CourseRef, person: string): void {
    this.#perhapsOut.add(`${courseKey(course)} ${person}`);
  }

  mayHaveLeft(course: CourseRef, person: string): boolean {
    return this.#perhapsOut.has(`${courseKey(course)} ${person}`);
  }

  /**
   * Ends the enrolments that rows gave an observer of a student.
   * @param others keys of courses in which the LMS shows the observer
   * @param isInside whether an enrolment of the LMS keeps the observer in a course
   */
  endLink(
    observer: string,
    student: number,
    others: Iterable<string>,
    isInside: (course: string) => boolean,
  ): void {
    const left = new Set(others);
    for (const [course, people] of this.#joined)
      if (people.get(observer)?.observing.delete(student)) left.add(course);
    for (const course of left) {
      const stays = (this.#joined.get(course)?.get(observer)?.observing.size ?? 0) > 0 || isInside(course);
      if (!stays) this.#out.add(`${course} ${observer}`);
    }
  }

  /** Returns whether an observer left a course with a link, and so lost the group memberships in it. */
  leftWithLink(course: CourseRef, person: string): boolean {
    return this.#out.has(`${courseKey(course)} ${person}`);
  }
}
