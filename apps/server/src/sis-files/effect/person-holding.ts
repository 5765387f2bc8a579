/** Losses of a deleted person: enrolments, group memberships, and the enrolments of their observers. */
import { counted } from '@lms-admin/domain/numbers';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { type LmsLogin, loginsOf } from '../../canvas/resources/users.ts';
import { endEnrolments } from './course-enrolments.ts';
import type { Evaluation } from './evaluation.ts';
import { enrolmentsOf, type FoundEnrolment } from './holdings.ts';
import { grouped } from './upload-rows.ts';

export interface PersonHolding {
  logins: Answer<LmsLogin[]>;
  enrolments: Answer<FoundEnrolment[]>;
  /** Numbers of the person's account groups; course groups end with the enrolments. */
  groups: Answer<readonly number[]>;
  /** Enrolments of each observer of the person, including those for other students. */
  observers: Answer<FoundEnrolment[][]>;
}

/** Returns the person's logins that are not deleted. @throws CanvasError when the token is refused */
export async function loginsHeld({ asking }: Evaluation, person: number): Promise<Answer<LmsLogin[]>> {
  return answered(asking, async () => {
    const all = await loginsOf(asking, person);
    return all.filter(({ workflow_state }) => workflow_state !== 'deleted');
  });
}

/** @throws CanvasError when the token is refused */
export async function holdingOfPerson(evaluation: Evaluation, person: number): Promise<PersonHolding> {
  const { asking, observers: links, accountGroups } = evaluation;
  const [logins, enrolments, groups, observers] = await Promise.all([
    loginsHeld(evaluation, person),
    enrolmentsOf(asking, `users/${person}`),
    accountGroups.of(person),
    links.of(person),
  ]);
  if (typeof observers === 'string') return { logins, enrolments, groups, observers };
  const theirs: FoundEnrolment[][] = [];
  for (const observer of observers) {
    const held = await enrolmentsOf(asking, `users/${observer}`);
    if (typeof held === 'string') return { logins, enrolments, groups, observers: held };
    theirs.push(held);
  }
  return { logins, enrolments, groups, observers: theirs };
}

/**
 * Ends everything that depends on a person's last login.
 * @returns a description of what ends
 */
export function endWithPerson(
  { tally }: Evaluation,
  person: number,
  { enrolments, groups, observers }: PersonHolding,
): string {
  const { losses } = tally;
  if ([enrolments, groups, observers].some((found) => typeof found === 'string')) tally.untold = true;
  if (typeof enrolments === 'string')
    return 'with enrolments and group memberships that could not be counted';
  const sum = { enrolments: 0, members: 0, observers: 0 };
  for (const group of typeof groups === 'string' ? [] : groups)
    if (losses.endMembership(group, person, null)) sum.members++;
  const byCourse = (all: readonly FoundEnrolment[]) =>
    grouped(all, ({ courseId }) => String(courseId)).values();
  const courses = new Set<number>();
  for (const courseEnrolments of byCourse(enrolments)) {
    const ended = endEnrolments(losses, courseEnrolments, courseEnrolments, 'deleted');
    sum.enrolments += ended.enrolments;
    sum.members += ended.members;
    if (ended.enrolments > 0) courses.add(courseEnrolments[0]?.courseId ?? 0);
    describe(losses, courseEnrolments);
  }
  const places = new Set(enrolments.map(({ sectionId, userId }) => `${sectionId} ${userId}`));
  for (const all of typeof observers === 'string' ? [] : observers)
    for (const courseEnrolments of byCourse(all)) {
      const following = courseEnrolments.filter((one) => places.has(`${one.sectionId} ${one.observes}`));
      const ended = endEnrolments(losses, courseEnrolments, following, 'deleted');
      sum.observers += ended.enrolments;
      sum.members += ended.members;
      describe(losses, courseEnrolments);
    }
  const words = [
    `with ${counted(sum.enrolments, 'enrolment')} in ${counted(courses.size, 'course')}`,
    ...(sum.members > 0 ? [counted(sum.members, 'group membership')] : []),
    ...(typeof groups === 'string' ? ['memberships in groups of accounts that could not be counted'] : []),
    ...(sum.observers > 0 ? [`${counted(sum.observers, 'enrolment')} of observers`] : []),
  ];
  return words.join(', ');
}

function describe(losses: Evaluation['tally']['losses'], [first]: readonly FoundEnrolment[]): void {
  if (first) losses.describe(first.courseId, { sisId: first.courseSisId });
}
