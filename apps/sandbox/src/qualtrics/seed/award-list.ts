/** The list of professors and courses that the award is voted on: what someone uploads before the vote, and the survey offers. */

import { plannedCourses } from '../../seed/courses.ts';
import { chanceOfSchool, type RolledPerson, rollOfSchool } from '../../seed/people.ts';
import { Chance } from '../../seed/prng.ts';

export type AwardRow = {
  /** Its place in the list, which is the recode of its choice. */
  row: number;
  type: 'Core' | 'Elective';
  /** `FBLSG`: taught at both. */
  campus: string;
  course: string;
  courseId: string;
  professor: string;
  professorId: string;
  enrolled: number;
};

const CORE = new Set(['FIN', 'ACC', 'ECO', 'STR', 'OPS']);
/** Of one course at one campus at most so many rows: two have two professors. */
const MOST_ALIKE = 2;
const TEACHERS = 26;
/** So many people are on the roll before the first student. */
const STAFF = 252;

/** The rows of the list; the last one was taken off it after the survey was made. */
function makeRows(): { list: AwardRow[]; retired: AwardRow } {
  const chance = new Chance(20_261_907);
  const roll = rollOfSchool(chanceOfSchool());
  const teachers = Array.from({ length: TEACHERS }, roll);
  const alike = new Map<string, string[]>();
  const rows: Omit<AwardRow, 'row'>[] = [];
  for (const { sis, title, state, campus: at } of plannedCourses('default')) {
    if (!sis?.startsWith('MBA26-') || state === 'claimed' || state === 'deleted') continue;
    const type = CORE.has(sis.split('-')[2]?.slice(0, 3) ?? '') ? 'Core' : 'Elective';
    const campus = type === 'Elective' && at !== 'ABD' && title === 'Digital Platforms' ? 'FBLSG' : at;
    const taken = alike.get(`${campus} ${title}`) ?? [];
    const teacher = chance.pick(teachers);
    if (taken.length >= MOST_ALIKE || taken.includes(nameOf(teacher))) continue;
    alike.set(`${campus} ${title}`, [...taken, nameOf(teacher)]);
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
  // Core first, as the office keeps its list.
  const sorted = [
    ...rows.filter(({ type }) => type === 'Core'),
    ...rows.filter(({ type }) => type === 'Elective'),
  ];
  const numbered = sorted.map((row, at) => ({ row: at + 1, ...row }));
  return { list: numbered.slice(0, -1), retired: numbered.at(-1) as AwardRow };
}

const made = makeRows();

/** What the office would upload. */
export const AWARD_LIST: readonly AwardRow[] = made.list;
/** Still a choice of the survey, and not on the list any more. */
export const RETIRED: AwardRow = made.retired;

/** The students who vote; the same every time. */
export function rollOfVoters(): () => RolledPerson {
  const roll = rollOfSchool(chanceOfSchool());
  for (let skipped = 0; skipped < STAFF; skipped++) roll();
  return roll;
}

/** What the drop-down shows of a row. */
export function labelOf({ course, professor, campus }: AwardRow): string {
  return `${course} – ${professor} (${campus})`;
}

function nameOf({ first, last }: RolledPerson): string {
  return `${first} ${last}`;
}
