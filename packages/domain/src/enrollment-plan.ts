/**
 * The difference between what an admin asks for and what a course holds: which rows go into the enrolment CSV.
 * Canvas applies a `deleted` row only to the enrolment with the same section and role, and creates a deleted one where
 * none exists; so a removal is planned from the enrolments that exist, one row for each (LMS reference, removing people).
 */
import { generatedSectionSisId } from './sections.ts';

export type EnrollmentStatus = 'active' | 'deleted';

/** An enrolment as it stands in the LMS, reduced to what planning needs. */
export interface ExistingEnrollment {
  userSisId: string | null;
  roleId: number;
  /** `active`, `invited`, `inactive`, `completed` …; never `deleted`. */
  state: string;
  sectionId: number;
}

export interface KnownSection {
  id: number;
  name: string;
  sisSectionId: string | null;
}

export interface PlannedCourse {
  name: string;
  sisCourseId: string;
  sections: readonly KnownSection[];
  enrollments: readonly ExistingEnrollment[];
}

/** How the CSV row names the section: not at all (the default section), by SIS id, or by one it is to be given first. */
export interface SectionTarget {
  /** Canvas id of the section; null for a row that leaves the section to Canvas. */
  sectionId: number | null;
  name: string | null;
  /** Value of `section_id` in the CSV; empty for the default section. */
  sisSectionId: string;
  /** True when the section has to be given this SIS id before the CSV is sent. */
  assign: boolean;
}

/** Rows of one course that share a section. `people` are indexes into the list of people found. */
export interface PlannedRows {
  target: SectionTarget;
  people: number[];
}

export interface CourseDifference {
  rows: PlannedRows[];
  /** Indexes of people who are there already (Add) or not enrolled with the role (Remove): they get no row. */
  untouched: number[];
}

const COURSE_LEVEL: SectionTarget = { sectionId: null, name: null, sisSectionId: '', assign: false };

/** The documented rows, without a difference: everybody, on course level. */
export function documentedRows(peopleCount: number): CourseDifference {
  return {
    rows: [{ target: COURSE_LEVEL, people: Array.from({ length: peopleCount }, (_, i) => i) }],
    untouched: [],
  };
}

/** Adding: people already active with the role get no row; all others one on course level. */
export function planAdditions(
  course: PlannedCourse,
  people: readonly string[],
  roleId: number,
): CourseDifference {
  const active = new Set<string>();
  for (const one of course.enrollments) {
    if (one.roleId === roleId && one.state === 'active' && one.userSisId !== null) active.add(one.userSisId);
  }
  const add: number[] = [];
  const untouched: number[] = [];
  people.forEach((sisId, index) => (active.has(sisId) ? untouched : add).push(index));
  return { rows: add.length > 0 ? [{ target: COURSE_LEVEL, people: add }] : [], untouched };
}

/** Removing: one row for each enrolment with the role, whatever its state; people without one are untouched. */
export function planRemovals(
  course: PlannedCourse,
  people: readonly string[],
  roleId: number,
): CourseDifference {
  const indexOf = new Map(people.map((sisId, index) => [sisId, index]));
  const targets = sectionTargets(course);
  const bySection = new Map<string, PlannedRows>();
  const seen = new Set<string>();
  const touched = new Set<number>();
  for (const one of course.enrollments) {
    const index = one.userSisId === null ? undefined : indexOf.get(one.userSisId);
    if (index === undefined || one.roleId !== roleId || one.state === 'deleted') continue;
    const target = targets.get(one.sectionId) ?? COURSE_LEVEL;
    const key = target.sisSectionId;
    if (seen.has(`${index} ${key}`)) continue;
    seen.add(`${index} ${key}`);
    touched.add(index);
    const rows = bySection.get(key) ?? { target, people: [] };
    rows.people.push(index);
    bySection.set(key, rows);
  }
  return {
    rows: [...bySection.values()],
    untouched: people.map((_, index) => index).filter((index) => !touched.has(index)),
  };
}

/**
 * How each section is named in a row. A section with a SIS id: by it. The default section (the only one without a SIS id
 * that bears the course's name): by leaving the section out. Any other: by a generated SIS id that it is given first,
 * since Canvas has no other way to reach it in a CSV (OP-51).
 */
export function sectionTargets(
  course: Pick<PlannedCourse, 'name' | 'sisCourseId' | 'sections'>,
): Map<number, SectionTarget> {
  const unnamed = course.sections.filter((section) => !section.sisSectionId);
  const likeCourse = unnamed.filter((section) => section.name === course.name);
  const defaultId = likeCourse.length === 1 ? likeCourse[0]?.id : undefined;
  const taken = new Set(course.sections.map((section) => section.sisSectionId).filter((id) => id !== null));
  const targets = new Map<number, SectionTarget>();
  for (const section of course.sections) {
    if (section.sisSectionId) {
      targets.set(section.id, {
        sectionId: section.id,
        name: section.name,
        sisSectionId: section.sisSectionId,
        assign: false,
      });
    } else if (section.id === defaultId) {
      targets.set(section.id, { sectionId: section.id, name: section.name, sisSectionId: '', assign: false });
    } else {
      const sisSectionId = generatedSectionSisId(section, course.sisCourseId, taken);
      taken.add(sisSectionId);
      targets.set(section.id, { sectionId: section.id, name: section.name, sisSectionId, assign: true });
    }
  }
  return targets;
}
