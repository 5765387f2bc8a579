/**
 * The difference between what an admin asks for in one section and what it holds (Section Enrollment). Rows always name
 * the section: a row without one would go to the default section of the course.
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

/** Who gets a row and who does not, as indexes into the people asked about; each of them is in one of the two. */
export interface SectionDifference {
  rows: number[];
  /** Active in the section with the role (Add), or not there with it (Remove). */
  untouched: number[];
  /** Who of those with a row is there already, in a state other than active: what they are before it. */
  before?: [index: number, state: EnrollmentState][];
  /** Of an adding: who of those with a row has dates of their own, which end with it. */
  dated?: DatedPeople;
  /** Of a removal: who is there as an observer linked to a student, which no row of ours removes. */
  linked?: number[];
}

/**
 * Adding: everybody who is not active with the role in this very section. Removing: everybody who has any enrolment with
 * the role here, since Canvas would create a deleted one for the others.
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

/** Who of a section gets a row that undoes another, as indexes into the people asked about; each of them is in one of the four. */
export interface UndoDifference extends SectionDifference {
  /** Whom others have changed since, with the state that they have now. */
  changed: [index: number, state: EnrollmentState][];
  /** Whose former state no row can set; they stay as the import left them. */
  stays: number[];
}

/** What others have done to people of a section, in words, by SIS ID. */
export type Touched = Readonly<Record<'before' | 'left', ReadonlyMap<string, string>>>;
const UNTOUCHED: Touched = { before: new Map(), left: new Map() };

/**
 * Undoing in one section: a row only for people who are exactly as the import left them.
 * @param people SIS IDs, each once
 * @param touched what others have done since to enrolments that are in the same state anyway, in words, by SIS ID: in the state that
 * the import left, or in the one from before it
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
 * How rows name each section: by its SIS ID, or by a generated one that it is given first, the default section too
 * (SE-12, OP-51). No two generated ids are the same, and none is one of `taken`.
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
