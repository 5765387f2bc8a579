/** Groups of a course that people leave with their last place in it, or by rows that meet no enrolment of theirs. */
import { counted } from '@lms-admin/domain/numbers';
import { begins } from '@lms-admin/domain/sis-effect';
import type { EnrolmentEffect, EnrolmentRow } from '@lms-admin/domain/sis-effect/held-place';
import { LEAVES_GROUPS, MAY_LEAVE_GROUPS } from '@lms-admin/domain/sis-effect/place-words';
import type { GroupOfCourse } from './course-members.ts';
import type { Evaluation } from './evaluation.ts';
import type { FoundPlace } from './landed-place.ts';
import type { Place } from './landings.ts';

export interface LeftGroups {
  /** Ends the memberships that end with a row. @returns the effect with them, and what ends beside the enrolment in words */
  end: (effect: EnrolmentEffect) => { effect: EnrolmentEffect; takes: string | null };
}

type GroupsOf = (person: number) => readonly GroupOfCourse[] | 'unread';

/** What the effects on a place take people out of. Asks nothing where no one leaves a group. */
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
  return {
    end(effect) {
      const { leaves = [], observers = 0, onlyGroups = false } = effect;
      const left: string[] = [];
      let unread = false;
      for (const person of leaves) {
        const groups = groupsOf(person);
        if (groups === 'unread') {
          unread = true;
          if (!untold.has(person)) tally.uncompared('group_membership');
          untold.add(person);
        } else
          for (const { id, name } of groups)
            if (tally.losses.endMembership(id, person, course)) left.push(name);
      }
      const takes = takenWords(left, observers);
      if (onlyGroups && unread)
        return { effect: { ...effect, does: 'unknown', why: MAY_LEAVE_GROUPS }, takes };
      if (onlyGroups && left.length > 0)
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
  // Of a section that this upload brings here the groups are those of the course that it leaves.
  const shown = new Map(
    holding.enrolments.flatMap(({ userId, groups, moves }) =>
      leaving.has(userId) && !moves ? [[userId, groups]] : [],
    ),
  );
  const asks = [...leaving].some((person) => shown.get(person)?.length !== 0);
  // What a deleted course has does not show.
  const members = asks && course.id !== null && !restored ? await courseMembers.of(course.id) : 'missing';
  return (person) => {
    if (typeof members === 'object') return members.get(person) ?? [];
    const groups = shown.get(person)?.map((id) => ({ id, name: String(id) }));
    return groups ?? (members === 'unread' ? members : []);
  };
}

function takenWords(groups: readonly string[], observers: number): string | null {
  const words = [
    ...(groups.length > 0
      ? [`leaves the ${groups.length === 1 ? 'group' : 'groups'} ${groups.join(', ')}`]
      : []),
    ...(observers > 0 ? [`with ${counted(observers, 'observer')}`] : []),
  ];
  return words.length === 0 ? null : words.join(', ');
}

/** Counts the group memberships of people whom rows that were not compared may take out of the course. */
export async function countPerhapsLeft(
  { courseMembers, tally }: Evaluation,
  { course, people, restored }: FoundPlace,
  rows: readonly EnrolmentRow[],
  effects: readonly EnrolmentEffect[],
): Promise<void> {
  const leaving = new Set(
    rows.flatMap(({ user, status }, at) =>
      effects[at]?.does === 'unknown' && begins(status, 'deleted') ? (people.get(user)?.id ?? []) : [],
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
