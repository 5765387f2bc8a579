/** Courses of the LMS and of an upload, which have no number yet. */

export interface CourseRef {
  /** Null for a course of the same upload. */
  id: number | null;
  sisId: string;
}

/** Returns the key of a course: its number, or its SIS ID if the same upload creates it. */
export const courseKey = ({ id, sisId }: CourseRef): string => (id === null ? `new ${sisId}` : String(id));

export function sameCourse(a: CourseRef, b: CourseRef): boolean {
  return a.id !== null || b.id !== null ? a.id === b.id : a.sisId === b.sisId;
}
