/** Ways of sections through an upload, row by row: the LMS takes one that comes into a course without a section for its default one. */
import { type CourseRef, sameCourse } from './course-enrolments.ts';
import type { FoundSection } from './holdings.ts';

interface Step {
  /** SIS ID of the section. */
  section: string;
  /** The course that it is in by it; null where it is deleted. */
  into: CourseRef | null;
  /** Whether it comes from another course: a section that was created there is not the default one. */
  comes: boolean;
}

const keyOf = ({ id, sisId }: FoundSection): string => sisId ?? `#${id}`;

export class SectionJourneys {
  readonly #steps: Step[] = [];

  made(section: string, into: CourseRef): void {
    this.#steps.push({ section, into, comes: false });
  }

  comes(section: string, into: CourseRef): void {
    this.#steps.push({ section, into, comes: true });
  }

  ends(section: string): void {
    this.#steps.push({ section, into: null, comes: false });
  }

  /** SIS ID of the section that is the default one of a course since it came into it; null for none. @param sections as the LMS has them */
  defaultIn(course: CourseRef, sections: readonly FoundSection[]): string | null {
    const inside = new Set(sections.map(keyOf));
    let first: string | null = null;
    for (const { section, into, comes } of this.#steps) {
      const here = into !== null && sameCourse(into, course);
      if (here && comes && inside.size === 0) first = section;
      if (here) inside.add(section);
      else if (inside.delete(section) && first === section) first = null;
    }
    return first;
  }
}
