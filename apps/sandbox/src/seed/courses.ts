/** The plan of the practice school's courses, shared by all systems. */

import {
  CAMPUSES,
  type Campus,
  type Office,
  PROGRAMMES,
  type Programme,
  SUBJECTS,
  TERMS,
  type TermPlan,
} from './school.ts';

export type SchoolSize = 'default' | 'large';

export type CoursePlan = {
  id: number;
  programme: Programme;
  /** Position among the courses of its programme. */
  place: number;
  accountId: number;
  term: TermPlan | null;
  name: string;
  title: string;
  code: string;
  campus: Campus;
  letter: string;
  /** Null: created by hand in Canvas. */
  sis: string | null;
  state: 'available' | 'claimed' | 'completed' | 'deleted';
};

const LETTERS = 'ABCDEFGH';

/** Plans all courses in the order of their IDs, identical every time. */
export function plannedCourses(size: SchoolSize): CoursePlan[] {
  const plans: CoursePlan[] = [];
  let id = 1000;
  for (const programme of PROGRAMMES) {
    const terms = TERMS.filter((term) => term.name.startsWith(`${programme.terms} `));
    const accounts = [programme.id, programme.id, ...programme.offices.flatMap(officeIds)];
    for (let place = 0; place < programme.courses[size]; place++) {
      id++;
      const term = terms[place % terms.length] ?? TERMS[0] ?? null;
      const { sis, ...plan } = planCourse(programme, place, term?.start ?? null);
      const byHand = id % 26 === 0;
      plans.push({
        ...plan,
        id,
        programme,
        place,
        accountId: accounts[place % accounts.length] as number,
        term,
        name: byHand ? `${plan.title} (working copy)` : `${plan.title} ${plan.letter} ${plan.campus}`,
        sis: byHand ? null : sis,
        state: stateOf(id, term?.end ?? null),
      });
    }
  }
  return plans;
}

function officeIds(office: Office): number[] {
  return [office.id, ...(office.children ?? []).flatMap(officeIds)];
}

/**
 * Plans the n-th course of a programme: subjects first, then campuses, then letters, so that no SIS ID
 * repeats.
 */
function planCourse(programme: Programme, n: number, start: string | null) {
  const subject = SUBJECTS[n % SUBJECTS.length] as (typeof SUBJECTS)[number];
  let rest = Math.floor(n / SUBJECTS.length);
  const campus = CAMPUSES[rest % CAMPUSES.length] as Campus;
  rest = Math.floor(rest / CAMPUSES.length);
  const letter = LETTERS[rest % LETTERS.length] as string;
  rest = Math.floor(rest / LETTERS.length);
  const number = 101 + rest * 10 + (n % subject.titles.length);
  const title = subject.titles[n % subject.titles.length] as string;
  const code = `${subject.code}${number}`;
  const year = (start ?? '2026').slice(2, 4);
  return { sis: `${programme.code}${year}-${campus}-${code}-${letter}`, title, code, letter, campus };
}

function stateOf(id: number, end: string | null): CoursePlan['state'] {
  if (id % 53 === 0) return 'deleted';
  if (id % 17 === 0) return 'claimed';
  return end !== null && end < '2026-07' && id % 3 === 0 ? 'completed' : 'available';
}
