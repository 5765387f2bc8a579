/**
 * The difference between an administrator's request for one section and its contents (Section Enrollment). Rows always
 * name the section: a row without one would go to the course's default section.
 */
import {
  datedIn,
  type EnrollmentStatus,
  type ExistingEnrollment,
  type KnownSection,
  notActiveIn,
  type SectionTarget,
} from './enrollment-plan.ts';
import {
  type DatedPeople,
  type EnrollmentState,
  type RowStatus,
  type SectionStates,
  undoStep,
} from './enrollment-states.ts';
import { generatedSectionSisId } from './sections.ts';

/** People with and without a row, as indexes of the requested people; each of them is in one of the two. */
export interface SectionDifference {
  rows: number[];
  /** Active in the section with the role (Add), or not enrolled in it with the role (Remove). */
  untouched: number[];
  /** People with a row who are there in a state other than active, with that state. */
  before?: [index: number, state: EnrollmentState][];
  /** For an addition: people with a row whose enrolment loses its own dates. */
  dated?: DatedPeople;
  /** For a removal: observers linked to a student, whom our rows do not remove. */
  linked?: number[];
}

/**
 * Plans the rows of a section. When adding: everyone who is not active with the role in this section. Removing:
 * everyone with any enrolment with the role here, because Canvas would create a deleted one for the others.
 * @param people SIS IDs, each once
 */
export function planSection(
  enrollments: readonly ExistingEnrollment[],
  people: readonly string[],
  { sectionId, roleId, status }: { sectionId: number; roleId: number; status: EnrollmentStatus },
): SectionDifference {
  const counts =
    status === 'active' ? (state: string) => state === 'active' : (state: string) => state !== 'deleted';
  const there = new Set<string>();
  const observing = new Set<string>();
  for (const one of enrollments) {
    if (one.sectionId !== sectionId || one.roleId !== roleId || !counts(one.state)) continue;
    if (one.userSisId === null) continue;
    (one.linked === true && status === 'deleted' ? observing : there).add(one.userSisId);
  }
  const [rows, untouched]: [number[], number[]] = [[], []];
  for (const [index, sisId] of people.entries()) {
    const touched = there.has(sisId) === (status === 'deleted');
    (touched ? rows : untouched).push(index);
  }
  const before = notActiveIn(enrollments, people, rows, { roleId, sectionId });
  const linked = people.flatMap((sisId, index) => (observing.has(sisId) ? [index] : []));
  return {
    rows,
    untouched,
    ...(before.length > 0 ? { before } : {}),
    ...(status === 'active' ? datedIn(enrollments, people, rows, { roleId, sectionId }) : {}),
    ...(linked.length > 0 ? { linked } : {}),
  };
}

/** People in a section who get a row that undoes another, as indexes; each person is in one of the four. */
export interface UndoDifference extends SectionDifference {
  /** People whom others have changed since, with their current state. */
  changed: [index: number, state: EnrollmentState][];
  /** People whose previous state no row can set; they stay as the import left them. */
  stays: number[];
}

/** Descriptions of changes by others to people in a section, by SIS ID. */
export type Touched = Readonly<Record<'before' | 'left', ReadonlyMap<string, string>>>;
const UNTOUCHED: Touched = { before: new Map(), left: new Map() };

/**
 * Plans the undo in one section: a row only for people who are exactly as the import left them.
 * @param people SIS IDs, each once
 * @param touched later changes by others to enrolments whose state is nevertheless the same, in words, by SIS ID: the
 * state after the import, or before it
 */
export function undoSection(
  states: SectionStates,
  people: readonly string[],
  { before, left }: { before: EnrollmentState; left: RowStatus },
  touched: Touched = UNTOUCHED,
): UndoDifference {
  const found: UndoDifference = { rows: [], untouched: [], changed: [], stays: [] };
  for (const [index, sisId] of people.entries()) {
    const now = states.get(sisId) ?? 'deleted';
    const { does } = undoStep({ before, left, now });
    const words = touched[does === 'nothing' ? 'before' : 'left'].get(sisId);
    switch (words !== undefined ? 'leave' : does) {
      case 'restore':
        found.rows.push(index);
        break;
      case 'nothing':
        found.untouched.push(index);
        break;
      case 'leave':
        found.changed.push([index, words ?? now]);
        break;
      case 'cannot':
        found.stays.push(index);
    }
  }
  return found;
}

/**
 * Determines the name of each section in rows: its SIS ID, or a generated one that is assigned first, even for the
 * default section (SE-12, OP-51). Generated ids are unique, and not in `taken`.
 * @param wanted sections, each once, with the SIS ID of their course
 * @param taken SIS IDs of the sections known
 */
export function namedTargets(
  wanted: readonly { section: KnownSection; sisCourseId: string }[],
  taken: Iterable<string>,
): Map<number, SectionTarget> {
  const used = new Set(taken);
  const targets = new Map<number, SectionTarget>();
  for (const { section, sisCourseId } of wanted) {
    const sisSectionId = section.sisSectionId || generatedSectionSisId(section, sisCourseId, used);
    used.add(sisSectionId);
    targets.set(section.id, {
      sectionId: section.id,
      name: section.name,
      sisSectionId,
      assign: !section.sisSectionId,
    });
  }
  return targets;
}
