/**
 * The difference between what an admin asks for and what a course holds: which rows go into the enrolment CSV.
 * Canvas applies a `deleted` row only to the enrolment with the same section and role, and creates a deleted one where
 * none exists; so a removal is planned from the enrolments that exist, one row for each (LMS reference, removing people).
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

/** An enrolment as it is in the LMS, reduced to what planning needs. */
export interface ExistingEnrollment {
  userSisId: string | null;
  roleId: number;
  /** `active`, `invited`, `inactive`, `completed` …; `deleted` only where those are asked for as well. */
  state: EnrollmentState;
  sectionId: number;
  sisSectionId?: string | null;
  /**
   * Whether an observer has it by a link to a student. A row without that student is about another enrolment: it neither
   * removes this one nor makes it active again.
   */
  linked?: boolean;
  dates?: EnrollmentDates;
  /** Number of the import that wrote it last, where the LMS tells it. */
  writtenBy?: number;
  /** When it was last changed, in milliseconds since 1970. */
  changedAt?: number;
}

export interface KnownSection {
  id: number;
  name: string;
  sisSectionId: string | null;
  /** Whether it was cross-listed into its course from another: then it may not be the default section. */
  crossListed?: boolean;
}

export interface PlannedCourse {
  id: number;
  name: string;
  sisCourseId: string;
  sections: readonly KnownSection[];
  enrollments: readonly ExistingEnrollment[];
}

/** How the CSV row names the section: not at all (the default section), by SIS ID, or by one it is to be given first. */
export interface SectionTarget {
  /** Canvas id of the section; null for one that is made before the CSV is sent, and where it is not known. */
  sectionId: number | null;
  name: string | null;
  /** Value of `section_id` in the CSV; empty for the default section. */
  sisSectionId: string;
  /** True when the section has to be given this SIS ID before the CSV is sent. */
  assign: boolean;
}

/** Rows of one course that share a section. `people` are indexes into the list of people found. */
export interface PlannedRows {
  target: SectionTarget;
  people: number[];
  /** Who of them is in this very section already, in a state other than active: what they are before the row. */
  before?: [index: number, state: EnrollmentState][];
  /** Who of them has dates of their own, which end as the enrolment becomes active. */
  dated?: DatedPeople;
  /** How many more have the role in another section of the course, in a state other than active: that enrolment stays as it is. */
  beside?: number;
}

export interface CourseDifference {
  rows: PlannedRows[];
  /** Indexes of people who are there already (Add) or not enrolled with the role (Remove): they get no row. */
  untouched: number[];
  /** Of a removal: who is there as an observer linked to a student, which no row of ours removes. */
  linked?: number[];
}

/** An enrolment in a section that its course does not show: such rows are left out when nothing else is known of it. */
const UNKNOWN: SectionTarget = { sectionId: null, name: null, sisSectionId: '', assign: false };

/**
 * Where people who are added to the course go. A row without a section lands in the default section; but where a course
 * has none, Canvas enrols in a section that was cross-listed away from it, in whichever course that is now, and only
 * makes a default section where there is none of those either. What was cross-listed away cannot be read from the
 * course. So the section is left to Canvas only where the course shows its default section; else a section of the
 * course's name is named in the row, or one is made as Canvas would have done.
 */
export function landingOf(course: Omit<PlannedCourse, 'enrollments'>): SectionTarget {
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

/** Sections of the course's name that belong to it. */
function likeCourse({ name, sections }: Pick<PlannedCourse, 'name' | 'sections'>): KnownSection[] {
  return sections.filter((section) => section.name === name && section.crossListed !== true);
}

/**
 * The default section, which Canvas's answers do not mark: the only one of the course's name without an SIS ID. An older section
 * of that name, or without an SIS ID, may be the default section instead, so that then none is.
 */
export function ownDefault(course: Pick<PlannedCourse, 'name' | 'sections'>): KnownSection | undefined {
  const [likely, ...others] = likeCourse(course).filter(({ sisSectionId }) => !sisSectionId);
  if (!likely || others.length > 0) return undefined;
  const older = course.sections.filter(({ id, crossListed }) => id < likely.id && !crossListed);
  return older.some(({ name, sisSectionId }) => name === course.name || !sisSectionId) ? undefined : likely;
}

/** The rows without a difference: everybody, where rows on course level land. */
export function documentedRows(peopleCount: number, target: SectionTarget): CourseDifference {
  return {
    rows: [{ target, people: Array.from({ length: peopleCount }, (_, i) => i) }],
    untouched: [],
  };
}

/** Adding: people already active with the role get no row; all others one that lands in the course itself. */
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
  const target = landingOf(course);
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

/** Who of them has dates of their own in a section with the role. @param which indexes into `people` */
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

/** Who of them is in a section with the role without being active. @param which indexes into `people` */
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
 * How each section is named in a row. A section with an SIS ID: by it. The default section, where the course shows it: by leaving
 * the section out. Any other: by a generated SIS ID that it is given first,
 * since Canvas has no other way to reach it in a CSV (OP-51).
 * @param named sections that are known by their SIS ID, and so are not left out though they have lost it
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
