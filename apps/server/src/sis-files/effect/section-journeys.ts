/** Moves of sections, row by row: the first section that enters an empty course becomes its default one. */
import { type CourseRef, sameCourse } from './course-ref.ts';
import type { FoundSection } from './holdings.ts';

interface Step {
  /** SIS ID of the section. */
  section: string;
  /** New course of the section; null if it is deleted. */
  into: CourseRef | null;
  /** Whether the section comes from another course: only such a section can become the default one. */
  comes: boolean;
}

const keyOf = ({ id, sisId }: FoundSection): string => sisId ?? `#${id}`;

export class SectionJourneys {
  readonly #steps: Step[] = [];

  create(section: string, into: CourseRef): void {
    this.#steps.push({ section, into, comes: false });
  }

  comes(section: string, into: CourseRef): void {
    this.#steps.push({ section, into, comes: true });
  }

  ends(section: string): void {
    this.#steps.push({ section, into: null, comes: false });
  }

  /**
   * Returns the SIS ID of the section that became the default one by moving in; null for none.
   * @param sections in the LMS
   */
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
