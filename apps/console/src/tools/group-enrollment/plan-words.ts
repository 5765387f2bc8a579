/** Texts for a simulation, and for why something cannot be sent. Pure. */
import type { GroupPlan, MemberFate, MemberPlan, PlannedMember } from '@lms-admin/contract/groups';
import { groupEnrollmentMessages as words } from '@lms-admin/contract/messages/group-enrollment';
import { peopleEnded, peopleWith } from '@lms-admin/domain/group-members';
import { type NoPlan, whyNoPlan } from '../../components/Planning/texts.ts';
import { texts as shared } from '../../components/Review/texts.ts';
import type { GroupsPart, Way } from './course-work.ts';
import { rangesThatCount } from './requests.ts';
import { listed, planningWords, texts } from './texts.ts';

/** Describes the effect of creating these groups in sentences, followed by the rows left unchanged. */
export function groupSentences({ totals, category }: Pick<GroupPlan, 'totals' | 'category'>): string[] {
  const does = [
    ...(totals.new > 0 ? [texts.groups.makesNew(totals.new)] : []),
    ...(totals.renamed > 0 ? [texts.groups.renames(totals.renamed)] : []),
  ];
  return [
    ...(does.length > 0 ? [texts.groups.will(listed(does), category.name)] : []),
    ...(totals.new > 0 ? [texts.groups.mayComeBack(totals.new)] : []),
    ...(totals.there > 0 ? [texts.groups.there(totals.there)] : []),
    ...(totals.refused > 0 ? [texts.groups.refused(totals.refused)] : []),
  ];
}

/**
 * Explains why 'Create Groups' cannot be pressed; null otherwise (GRP-18, OP-78).
 * @param plan null until it has been prepared
 */
export function groupsBlocked(
  part: Pick<GroupsPart, 'category' | 'ranges' | 'simulate'>,
  plan: Pick<GroupPlan, 'totals'> | null,
  work: NoPlan,
): string | null {
  if (part.category === null) return texts.groups.needCategory;
  if (rangesThatCount(part).length === 0) return texts.groups.needRow;
  if (!part.simulate) return texts.groups.needSimulation;
  if (plan === null) return whyNoPlan(work, planningWords);
  const { rows, refused } = plan.totals;
  if (rows > 0) return null;
  return refused > 0 ? texts.groups.nothingRefused : texts.groups.nothing;
}

/** Describes the effect of enrolling these people in sentences, followed by the rows left unchanged. */
export function memberSentences({
  totals,
  members: rows,
  unsent = [],
  unfilled = [],
}: Pick<MemberPlan, 'totals' | 'members'> & Partial<Pick<MemberPlan, 'unsent' | 'unfilled'>>): string[] {
  const { members } = texts;
  const does = [
    ...(totals.add > 0 ? [members.adds(totals.add)] : []),
    ...(totals.move > 0 ? [members.moves(peopleWith(rows, 'move'))] : []),
    ...(totals.remove > 0 ? [members.removes(totals.remove)] : []),
  ];
  const already = peopleWith(rows, 'already');
  const notMember = peopleWith(rows, 'not-member');
  return [
    ...(does.length > 0 ? [members.will(listed(does))] : []),
    ...(already > 0 ? [members.already(already)] : []),
    ...(notMember > 0 ? [members.notMember(notMember)] : []),
    ...(totals.refused > 0 ? [members.refused(totals.refused)] : []),
    ...(unsent.length > 0 ? [texts.file.ignored(unsent)] : []),
    ...(unfilled.length > 0 ? [texts.spread.unfilled(unfilled)] : []),
  ];
}

/**
 * Lists the sentences for the confirmation: those of `memberSentences`, and the warning that the table shows as a
 * notice.
 */
export function confirmSentences(plan: Parameters<typeof memberSentences>[0]): string[] {
  const ended = peopleEnded(plan.members);
  return [...memberSentences(plan), ...(ended > 0 ? [`${shared.endedTitle(ended)}.`] : [])];
}

/** Describes the people whom the plan removes from a group; empty if none. */
export function takesOf({ members }: Pick<MemberPlan, 'members'>): string {
  return texts.members.takes(peopleWith(members, 'remove'), peopleWith(members, 'move'));
}

/** What each way of assigning people needs first (GRP-29). */
const NEED: Readonly<Record<Way, string>> = {
  csv: words.members.needFile,
  pasted: texts.pasted.need,
  spread: texts.spread.need,
};

/** Label of the checkbox for the simulation. */
export const SIMULATE: Readonly<Record<Way, string>> = {
  csv: words.members.simulate,
  pasted: texts.pasted.simulate,
  spread: texts.spread.simulate,
};

/** Explains why 'Enroll Users' cannot be pressed; null otherwise. @param given whether there is anything to plan */
export function membersBlocked(
  { way, simulate }: { way: Way; simulate: boolean },
  given: boolean,
  plan: Pick<MemberPlan, 'totals'> | null,
  work: NoPlan,
): string | null {
  if (!given) return NEED[way];
  if (!simulate) return texts.members.needSimulation(SIMULATE[way]);
  if (plan === null) return whyNoPlan(work, planningWords);
  const { rows, refused } = plan.totals;
  if (rows > 0) return null;
  return refused > 0 ? texts.members.nothingRefused : texts.members.nothing;
}

/** Rows that need attention come first. */
const ORDER: readonly MemberFate[] = ['refused', 'remove', 'move', 'add', 'not-member', 'already'];

/** Sorts the rows by importance; within an outcome those with a warning first, otherwise in their original order. */
export function mostSevereFirst(members: readonly PlannedMember[]): PlannedMember[] {
  const rank = ({ fate, ended }: PlannedMember) => 2 * ORDER.indexOf(fate) + (ended === null ? 1 : 0);
  return [...members].sort((a, b) => rank(a) - rank(b));
}
