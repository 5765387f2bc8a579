/**
 * The award's list of professors and courses. The office uploads it before the vote, and the survey offers
 * its entries as choices.
 */

import { plannedCourses } from '../../seed/courses.ts';
import { chanceOfSchool, type RolledPerson, rollOfSchool } from '../../seed/people.ts';
import { Chance } from '../../seed/prng.ts';

export type AwardRow = {
  /** Position in the list, which is the recode value of its choice. */
  row: number;
  type: 'Core' | 'Elective';
  /** `FBLSG`: taught at both campuses. */
  campus: string;
  course: string;
  courseId: string;
  professor: string;
  professorId: string;
  enrolled: number;
};

const CORE = new Set(['FIN', 'ACC', 'ECO', 'STR', 'OPS']);
/** Maximum number of rows that one course can have at one campus; a course with two rows has two professors there. */
const MAX_SIMILAR = 2;
const TEACHERS = 26;
/** Number of people on the roll before the first student. */
const STAFF = 252;

/** Creates the rows of the list. The last one was removed from it after the survey was created. */
function makeRows(): { list: AwardRow[]; retired: AwardRow } {
  const chance = new Chance(20_261_907);
  const roll = rollOfSchool(chanceOfSchool());
  const teachers = Array.from({ length: TEACHERS }, roll);
  const similar = new Map<string, string[]>();
  const rows: Omit<AwardRow, 'row'>[] = [];
  for (const { sis, title, state, campus: at } of plannedCourses('default')) {
    if (!sis?.startsWith('MBA26-') || state === 'claimed' || state === 'deleted') continue;
    const type = CORE.has(sis.split('-')[2]?.slice(0, 3) ?? '') ? 'Core' : 'Elective';
    const campus = type === 'Elective' && at !== 'ABD' && title === 'Digital Platforms' ? 'FBLSG' : at;
    const taken = similar.get(`${campus} ${title}`) ?? [];
    const teacher = chance.pick(teachers);
    if (taken.length >= MAX_SIMILAR || taken.includes(nameOf(teacher))) continue;
    similar.set(`${campus} ${title}`, [...taken, nameOf(teacher)]);
    rows.push({
      type,
      campus,
      course: title,
      courseId: sis,
      professor: nameOf(teacher),
      professorId: String(5_000_000 + teacher.id),
      enrolled: chance.between(38, 96),
    });
  }
  // Core courses first, as in the office's list.
  const sorted = [
    ...rows.filter(({ type }) => type === 'Core'),
    ...rows.filter(({ type }) => type === 'Elective'),
  ];
  const numbered = sorted.map((row, at) => ({ row: at + 1, ...row }));
  return { list: numbered.slice(0, -1), retired: numbered.at(-1) as AwardRow };
}

const candidates = makeRows();

/** The list that the office would upload. */
export const AWARD_LIST: readonly AwardRow[] = candidates.list;
/** A row that was removed from the list but is still a choice in the survey. */
export const RETIRED: AwardRow = candidates.retired;

/** Creates the students who vote, identical every time. */
export function rollOfVoters(): () => RolledPerson {
  const roll = rollOfSchool(chanceOfSchool());
  for (let skipped = 0; skipped < STAFF; skipped++) roll();
  return roll;
}

/** Returns the drop-down's text for a row. */
export function labelOf({ course, professor, campus }: AwardRow): string {
  return `${course} – ${professor} (${campus})`;
}

function nameOf({ first, last }: RolledPerson): string {
  return `${first} ${last}`;
}
