/** Groups that people leave with their last enrolment in a course, or by rows that match no enrolment of theirs. */
import { counted } from '@lms-admin/domain/numbers';
import { begins } from '@lms-admin/domain/sis-effect';
import type { EnrolmentEffect, EnrolmentRow } from '@lms-admin/domain/sis-effect/held-place';
import { LEAVES_GROUPS, MAY_LEAVE_GROUPS } from '@lms-admin/domain/sis-effect/place-words';
import type { GroupOfCourse } from './course-members.ts';
import type { Place } from './enrolment-targets.ts';
import type { Evaluation } from './evaluation.ts';
import type { FoundPlace } from './landed-place.ts';

export interface LeftGroups {
  /**
   * Ends the group memberships that a row ends.
   * @returns the effect with these memberships, and a description of them
   */
  end: (effect: EnrolmentEffect, person: number | null) => { effect: EnrolmentEffect; takes: string | null };
}

type GroupsOf = (person: number) => readonly GroupOfCourse[] | 'unread';

/** Determines the group memberships that end in a place. Sends no request if nothing can end. */
export async function leftGroups(
  evaluation: Evaluation,
  place: Place,
  effects: readonly EnrolmentEffect[],
): Promise<LeftGroups> {
  if (typeof place === 'string') return { end: (effect) => ({ effect, takes: null }) };
  const { tally } = evaluation;
  const course = place.course.id;
  const groupsOf = await groupsBefore(evaluation, place, effects);
  const untold = new Set<number>();
  const names = new Map(place.holding.enrolments.map(({ userId, name }) => [userId, name]));
  const nameOf = (person: number) => names.get(person) ?? 'an observer';
  return {
    end(effect, own) {
      const { leaves = [], observers = 0, onlyGroups = false } = effect;
      const left = new Map<number, string[]>();
      let unread = false;
      for (const person of leaves) {
        const groups = groupsOf(person);
        if (groups === 'unread') {
          unread = true;
          if (!untold.has(person)) tally.uncompared('group_membership');
          untold.add(person);
        } else
          for (const { id, name } of groups)
            if (tally.losses.endMembership(id, person, course))
              left.set(person, [...(left.get(person) ?? []), name]);
      }
      const takes = takenWords(left, own, observers, nameOf);
      if (onlyGroups && unread)
        return { effect: { ...effect, does: 'unknown', why: MAY_LEAVE_GROUPS }, takes };
      if (onlyGroups && left.size > 0)
        return { effect: { ...effect, does: 'changes', why: LEAVES_GROUPS }, takes };
      return { effect, takes };
    },
  };
}

async function groupsBefore(
  { courseMembers }: Evaluation,
  { course, holding, restored }: FoundPlace,
  effects: readonly EnrolmentEffect[],
): Promise<GroupsOf> {
  const leaving = new Set(effects.flatMap(({ leaves }) => leaves ?? []));
  // If this upload moves a section here, the groups are those of its previous course.
  const shown = new Map(
    holding.enrolments.flatMap(({ userId, groups, moves }) =>
      leaving.has(userId) && !moves ? [[userId, groups]] : [],
    ),
  );
  const asks = [...leaving].some((person) => shown.get(person)?.length !== 0);
  // The LMS hides the contents of a deleted course.
  const members = asks && course.id !== null && !restored ? await courseMembers.of(course.id) : 'missing';
  return (person) => {
    if (typeof members === 'object') return members.get(person) ?? [];
    const groups = shown.get(person)?.map((id) => ({ id, name: String(id) }));
    return groups ?? (members === 'unread' ? members : []);
  };
}

/** Groups by person; for observers who leave together with a student the student is named. */
function takenWords(
  left: ReadonlyMap<number, readonly string[]>,
  own: number | null,
  observers: number,
  nameOf: (person: number) => string,
): string | null {
  const leaves = (groups: readonly string[]) =>
    `leaves the ${groups.length === 1 ? 'group' : 'groups'} ${groups.join(', ')}`;
  const ofOthers = [...left].filter(([person]) => person !== own);
  const theirs = left.get(own ?? 0);
  const words = [
    ...(theirs ? [leaves(theirs)] : []),
    ...(observers > 0 ? [`with ${counted(observers, 'observer')}`] : []),
    ...ofOthers.map(([person, groups]) => `${nameOf(person)} ${leaves(groups)}`),
  ];
  return words.length === 0 ? null : words.join(', ');
}

/** Counts the group memberships of people whom uncompared rows may remove from the course. */
export async function countPerhapsLeft(
  { courseMembers, tally }: Evaluation,
  { course, people, restored }: FoundPlace,
  rows: readonly EnrolmentRow[],
  effects: readonly EnrolmentEffect[],
): Promise<void> {
  const leaving = new Set(
    rows.flatMap(({ user, status }, at) =>
      effects[at]?.does === 'unknown' && begins(status, 'deleted')
        ? [people.get(user)?.id ?? [], ...(effects[at]?.perhapsLeaves ?? [])].flat()
        : [],
    ),
  );
  if (leaving.size === 0 || course.id === null || restored) return;
  const members = await courseMembers.of(course.id);
  if (members === 'missing') return;
  let perhaps = 0;
  for (const person of leaving) {
    const groups = members === 'unread' ? [] : (members.get(person) ?? []);
    perhaps += groups.filter(({ id }) => !tally.losses.hasEnded(id, person)).length;
  }
  if (members === 'unread') tally.untold = true;
  if (perhaps > 0) tally.uncompared('group_membership', perhaps);
}
