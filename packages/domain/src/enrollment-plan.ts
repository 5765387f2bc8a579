/**
 * The difference between an administrator's request and a course's contents, as rows of the enrolment CSV. Canvas
 * applies a `deleted` row only to the enrolment with the same section and role, and creates a deleted one if none
 * exists; so a removal is planned from existing enrolments, one row for each (LMS reference, removing people).
 */
import {
  type DatedPeople,
  datesIn,
  type EnrollmentDates,
  type EnrollmentState,
  statesBySection,
} from './enrollment-states.ts';
import { generatedSectionSisId } from './sections.ts';

export type EnrollmentStatus = 'active' | 'deleted';

/** An enrolment in the LMS, reduced to the fields for planning. */
export interface ExistingEnrollment {
  userSisId: string | null;
  roleId: number;
  /** `active`, `invited`, `inactive`, `completed` …; `deleted` only if requested. */
  state: EnrollmentState;
  sectionId: number;
  sisSectionId?: string | null;
  /**
   * Whether the enrolment is an observer's and linked to a student. A row without that student affects another
   * enrolment: it neither removes this one nor activates it.
   */
  linked?: boolean;
  dates?: EnrollmentDates;
  /** Number of the import that wrote it last, if the LMS returns it. */
  writtenBy?: number;
  /** Time of the last change, in milliseconds since 1970. */
  changedAt?: number;
}

export interface KnownSection {
  id: number;
  name: string;
  sisSectionId: string | null;
  /** Whether the section was cross-listed into its course from another: it then cannot be the default section. */
  crossListed?: boolean;
}

export interface PlannedCourse {
  id: number;
  name: string;
  sisCourseId: string;
  sections: readonly KnownSection[];
  enrollments: readonly ExistingEnrollment[];
}

/** How a CSV row names the section: not at all (the default section), by SIS ID, or by one to be assigned first. */
export interface SectionTarget {
  /** Canvas id of the section; null for one to be created before the CSV is sent, and if unknown. */
  sectionId: number | null;
  name: string | null;
  /** Value of `section_id` in the CSV; empty for the default section. */
  sisSectionId: string;
  /** True when the section must get this SIS ID before the CSV is sent. */
  assign: boolean;
}

/** Rows of one course that share a section. `people` are indexes in the list of people found. */
export interface PlannedRows {
  target: SectionTarget;
  people: number[];
  /** People already in this section in a state other than active, with that state. */
  before?: [index: number, state: EnrollmentState][];
  /** People with dates of their own, which end when the enrolment becomes active. */
  dated?: DatedPeople;
  /**
   * Number of people with the role in another section of the course, but not active: those enrolments stay unchanged.
   */
  beside?: number;
}

export interface CourseDifference {
  rows: PlannedRows[];
  /** Indexes of people already active (Add) or not enrolled with the role (Remove): they get no row. */
  untouched: number[];
  /** For a removal: observers linked to a student, whom our rows do not remove. */
  linked?: number[];
}

/** An enrolment in a section that its course does not show: without other information, such rows are skipped. */
const UNKNOWN: SectionTarget = { sectionId: null, name: null, sisSectionId: '', assign: false };

/**
 * Returns the section for people added to the course. A row without a section uses the default section; but in a
 * course without one, Canvas enrols in a section that was cross-listed from it, in whatever course that is now, and
 * creates a default section only if there is no such section. The course does not show sections cross-listed from it.
 * So Canvas chooses the section only if the course shows its default section; otherwise the row names a section with
 * the course's name, or a new one like Canvas's is created.
 */
export function targetOf(course: Omit<PlannedCourse, 'enrollments'>): SectionTarget {
  const own = ownDefault(course);
  if (own) return { sectionId: own.id, name: own.name, sisSectionId: '', assign: false };
  const [first] = likeCourse(course).sort((a, b) => a.id - b.id);
  const taken = new Set(course.sections.flatMap(({ sisSectionId }) => sisSectionId ?? []));
  const { id, name } = first ?? course;
  return {
    sectionId: first?.id ?? null,
    name,
    sisSectionId: first?.sisSectionId || generatedSectionSisId({ id, name }, course.sisCourseId, taken),
    assign: !first?.sisSectionId,
  };
}

/** Returns the sections of the course that have its name. */
function likeCourse({ name, sections }: Pick<PlannedCourse, 'name' | 'sections'>): KnownSection[] {
  return sections.filter((section) => section.name === name && section.crossListed !== true);
}

/**
 * Returns the default section, which Canvas's answers do not mark: the only one with the course's name and without an
 * SIS ID. If an older section has that name, or no SIS ID, it may be the default section instead, and none is
 * returned.
 */
export function ownDefault(course: Pick<PlannedCourse, 'name' | 'sections'>): KnownSection | undefined {
  const [likely, ...others] = likeCourse(course).filter(({ sisSectionId }) => !sisSectionId);
  if (!likely || others.length > 0) return undefined;
  const older = course.sections.filter(({ id, crossListed }) => id < likely.id && !crossListed);
  return older.some(({ name, sisSectionId }) => name === course.name || !sisSectionId) ? undefined : likely;
}

/** Creates the rows without a comparison: everyone gets one for the course's own section. */
export function documentedRows(peopleCount: number, target: SectionTarget): CourseDifference {
  return {
    rows: [{ target, people: Array.from({ length: peopleCount }, (_, i) => i) }],
    untouched: [],
  };
}

/**
 * Plans the addition of people: those already active with the role get no row; all others get one for the course's own
 * section.
 */
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
  if (add.length === 0) return { rows: [], untouched };
  const target = targetOf(course);
  const before = notActiveIn(course.enrollments, people, add, { roleId, sectionId: target.sectionId });
  const others = new Set<string>();
  for (const one of course.enrollments) {
    const elsewhere = one.linked === true || one.sectionId !== target.sectionId;
    const counts = one.roleId === roleId && elsewhere && one.state !== 'deleted';
    if (counts && one.userSisId !== null) others.add(one.userSisId);
  }
  const here = new Set(before.map(([index]) => index));
  const beside = add.filter((index) => !here.has(index) && others.has(people[index] ?? '')).length;
  return {
    rows: [
      {
        target,
        people: add,
        ...(before.length > 0 ? { before } : {}),
        ...datedIn(course.enrollments, people, add, { roleId, sectionId: target.sectionId }),
        ...(beside > 0 ? { beside } : {}),
      },
    ],
    untouched,
  };
}

/** Returns the people with their own dates in a section with the role. @param which indexes in `people` */
export function datedIn(
  enrollments: readonly ExistingEnrollment[],
  people: readonly string[],
  which: readonly number[],
  place: { roleId: number; sectionId: number | null },
): { dated?: DatedPeople } {
  const dates = datesIn(enrollments, place);
  const dated = which.flatMap((index): DatedPeople => {
    const own = dates.get(people[index] ?? '');
    return own ? [[index, own]] : [];
  });
  return dated.length > 0 ? { dated } : {};
}

/** Returns the people who are in a section with the role but not active. @param which indexes in `people` */
export function notActiveIn(
  enrollments: readonly ExistingEnrollment[],
  people: readonly string[],
  which: readonly number[],
  { roleId, sectionId }: { roleId: number; sectionId: number | null },
): [index: number, state: EnrollmentState][] {
  const states = sectionId === null ? null : statesBySection(enrollments, roleId).get(sectionId);
  return which.flatMap((index): [number, EnrollmentState][] => {
    const state = states?.get(people[index] ?? '') ?? 'active';
    return state === 'active' ? [] : [[index, state]];
  });
}

/** Plans the removal of people: one row for each enrolment with the role, in any state; people without one get none. */
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
  const linked = new Set<number>();
  for (const one of course.enrollments) {
    const index = one.userSisId === null ? undefined : indexOf.get(one.userSisId);
    if (index === undefined || one.roleId !== roleId || one.state === 'deleted') continue;
    if (one.linked === true) {
      linked.add(index);
      continue;
    }
    const target = targets.get(one.sectionId) ?? UNKNOWN;
    const key = target.sisSectionId;
    if (seen.has(`${index} ${key}`)) continue;
    seen.add(`${index} ${key}`);
    touched.add(index);
    const rows = bySection.get(key) ?? { target, people: [] };
    rows.people.push(index);
    bySection.set(key, rows);
  }
  return {
    rows: [...bySection.values()].map((rows) => {
      const { sectionId } = rows.target;
      const before =
        sectionId === null ? [] : notActiveIn(course.enrollments, people, rows.people, { roleId, sectionId });
      return before.length > 0 ? { ...rows, before } : rows;
    }),
    untouched: people.map((_, index) => index).filter((index) => !touched.has(index)),
    ...(linked.size > 0 ? { linked: [...linked] } : {}),
  };
}

/**
 * Determines the name of each section in rows. A section with an SIS ID is named by that ID. The default section, if
 * the course shows it, is represented by an empty cell. Any other section is given a generated SIS ID first, because a
 * CSV cannot name it otherwise (OP-51).
 * @param named sections known by their SIS ID, which must be named even after losing it
 */
export function sectionTargets(
  course: Pick<PlannedCourse, 'name' | 'sisCourseId' | 'sections'>,
  named: ReadonlySet<number> = new Set(),
): Map<number, SectionTarget> {
  const defaultId = ownDefault(course)?.id;
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
    } else if (section.id === defaultId && !named.has(section.id)) {
      targets.set(section.id, { sectionId: section.id, name: section.name, sisSectionId: '', assign: false });
    } else {
      const sisSectionId = generatedSectionSisId(section, course.sisCourseId, taken);
      taken.add(sisSectionId);
      targets.set(section.id, { sectionId: section.id, name: section.name, sisSectionId, assign: true });
    }
  }
  return targets;
}
