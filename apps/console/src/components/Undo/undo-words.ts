/** Sentences and figures about undoing an import. Pure. */
import type { UndoPlan } from '@lms-admin/contract/enrollments';
import type { MemberUndoPlan } from '@lms-admin/contract/groups';
import type { RowStatus } from '@lms-admin/domain/enrollment-states';
import { stateWords } from '@lms-admin/domain/enrollment-states';
import { peopleWith } from '@lms-admin/domain/group-members';
import type { Figure } from '../Figures/Figures.tsx';
import type { SummaryRow } from '../SummaryTable/summary-rows.ts';
import { joined } from '../Wizard/wizard-state.ts';
import { texts } from './texts.ts';

/** Describes the effect of submitting, or explains why there is nothing to do. */
export function undoSentence(plan: UndoPlan): string {
  if (plan.totals.rows === 0) return whyNothing(plan);
  const touched = (status: RowStatus) => {
    const matching = plan.entries.filter((entry) => entry.status === status && entry.rows > 0);
    return { rows: matching.reduce((sum, { rows }) => sum + rows, 0), sections: sectionsOf(matching) };
  };
  const [removed, restored] = [touched('deleted'), touched('active')];
  const [inactive, completed] = [touched('inactive').rows, touched('completed').rows];
  return [
    ...(removed.rows > 0 ? [texts.removes(removed.rows, removed.sections)] : []),
    ...(restored.rows > 0 ? [texts.restores(restored.rows, restored.sections)] : []),
    ...(inactive > 0 ? [texts.inactive(inactive)] : []),
    ...(completed > 0 ? [texts.completed(completed)] : []),
    ...(removed.rows > 0 ? [texts.handedIn] : []),
    ...(restored.rows > 0 ? [texts.groups] : []),
  ].join(' ');
}

/** Counts the sections of the entries: several roles and states may share one section. */
export function sectionsOf(entries: UndoPlan['entries']): number {
  return new Set(entries.map(({ section }) => section.id)).size;
}

/**
 * Explains why there is nothing to do: all undone, changed by others, no answer from the LMS, or no access to the
 * courses.
 */
function whyNothing({ kept, entries }: UndoPlan): string {
  const { nothing } = texts;
  const stays = (...whys: KeptWhy[]) => kept.some(({ why }) => whys.includes(why));
  if (stays('unanswered') || entries.some(({ failed }) => failed.length > 0)) return nothing.unanswered;
  if (stays('changed', 'state', 'gone', 'unread', 'elsewhere', 'another-person', 'not-active'))
    return nothing.stays;
  return stays('out-of-reach', 'lost') ? nothing.outOfReach : nothing.asBefore;
}

/** Describes the rows left unchanged; null for none. */
export function undoStays({ totals }: UndoPlan): string | null {
  const same = totals.already + totals.not_enrolled;
  return same === 0 || totals.rows === 0 ? null : texts.stays(same);
}

/** Lists the totals of an undo. */
export function undoFigures({ totals, kept }: UndoPlan): Figure[] {
  // These students are among those whose state cannot be restored.
  const counted = kept.filter(({ why }) => why !== 'observers-unread');
  const staying = counted.reduce((sum, { people }) => sum + people, 0);
  return [
    ...(totals.remove > 0
      ? [{ label: texts.columns.remove, value: totals.remove, strong: true, takes: true }]
      : []),
    ...(totals.add > 0 ? [{ label: texts.columns.add, value: totals.add, strong: true }] : []),
    { label: texts.columns.unchanged, value: totals.already + totals.not_enrolled },
    ...(staying > 0 ? [{ label: texts.columns.stays, value: staying }] : []),
  ];
}

/** Creates one row for each section, role and new state. */
export function undoRows(plan: UndoPlan): SummaryRow[] {
  return plan.entries.map(({ course, section, role, status, ...entry }) => ({
    key: `${section.id} ${role.id} ${status}`,
    name: `${texts.of(course.name, section.name)}: ${texts.actions[status]}, ${role.label}`,
    course: course.name,
    id: section.sis_section_id || String(section.id),
    detail: joined(course.sis_course_id, course.term),
    sections: [section.name],
    role: role.label,
    action: texts.actions[status],
    count: entry.rows,
    figures: {
      change: status === 'deleted' ? entry.remove : entry.add,
      unchanged: entry.already + entry.not_enrolled,
    },
  }));
}

export type KeptWhy = UndoPlan['kept'][number]['why'];

/** In display order. */
const WHYS: readonly KeptWhy[] = [
  'changed',
  'state',
  'observer',
  'observers-unread',
  'gone',
  'not-active',
  'unread',
  'unanswered',
  'out-of-reach',
  'lost',
  'elsewhere',
  'another-person',
];

/** Groups the unchanged rows by reason: a line for each person, or for each section if no one is named. */
export function keptGroups({ kept }: UndoPlan): { why: KeptWhy; count: number; lines: string[] }[] {
  return WHYS.flatMap((why) => {
    const matching = kept.filter((one) => one.why === why);
    if (matching.length === 0) return [];
    const count = matching.reduce((sum, { people }) => sum + people, 0);
    const lines = matching.flatMap(({ course, section, people, who }) => {
      const where = texts.of(course, section);
      if (who.length === 0) return [texts.countLine(people, where)];
      return who.map(({ person, state }) => texts.kept[why].line(person, stateWords(state), where));
    });
    return [{ why, count, lines }];
  });
}

/** Describes the effect of submitting on the groups. */
export function membersSentence({
  totals,
  kept,
  members: rows,
}: Pick<MemberUndoPlan, 'totals' | 'kept' | 'members'>): string {
  const { members } = texts;
  const { asBefore, stays } = members.nothing;
  if (totals.rows === 0) return kept.length + totals.refused > 0 ? stays : asBefore;
  const parts = [
    ...(totals.remove > 0 ? [members.removes(peopleWith(rows, 'remove'))] : []),
    ...(totals.move > 0 ? [members.moves(peopleWith(rows, 'move'))] : []),
    ...(totals.add > 0 ? [members.adds(peopleWith(rows, 'add'))] : []),
  ];
  const last = parts.pop() ?? '';
  return members.willDo(parts.length === 0 ? last : `${parts.join(', ')}${members.and}${last}`);
}

/** Lists the totals of a plan of groups. */
export function membersFigures({ totals }: Pick<MemberUndoPlan, 'totals'>): Figure[] {
  const { figures } = texts.members;
  const does = (['remove', 'move', 'add'] as const).flatMap((fate) =>
    totals[fate] > 0
      ? [{ label: figures[fate], value: totals[fate], strong: true, takes: fate === 'remove' }]
      : [],
  );
  return [
    ...does,
    { label: figures.already, value: totals.already + totals.not_member },
    ...(totals.refused > 0 ? [{ label: figures.refused, value: totals.refused }] : []),
  ];
}

/** Lists the people who stay unchanged: one of them may have several rows, for the same reason or for others. */
export function membersKept({ kept }: Pick<MemberUndoPlan, 'kept'>): { people: number; lines: string[] } {
  return {
    people: new Set(kept.map(({ person }) => person)).size,
    lines: [...new Set(kept.map(({ person, group, why }) => texts.members.kept[why](person, group)))],
  };
}
