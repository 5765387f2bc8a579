/** What taking an import back does, in words and figures. Pure. */
import type { UndoPlan } from '@lms-admin/contract/enrollments';
import type { MemberUndoPlan } from '@lms-admin/contract/groups';
import { messages } from '@lms-admin/contract/messages';
import type { Figure } from '../Figures/Figures.tsx';
import type { SummaryRow } from '../SummaryTable/summary-rows.ts';
import { counted, joined } from '../Wizard/wizard-state.ts';
import { texts } from './texts.ts';

/** What the press will do. */
export function undoSentence(plan: UndoPlan): string {
  if (plan.totals.rows === 0) return texts.nothing;
  const part = (status: 'active' | 'deleted') => {
    const touched = plan.entries.filter((entry) => entry.status === status && entry.rows > 0);
    if (touched.length === 0) return [];
    const rows = touched.reduce((sum, entry) => sum + entry.rows, 0);
    const say = status === 'active' ? texts.adds : texts.removes;
    return [say(counted(rows, 'enrolment', 'enrolments'), counted(touched.length, 'section', 'sections'))];
  };
  const [removes, adds] = [part('deleted'), part('active')];
  const sentence = texts.willDo([...removes, ...adds].join(texts.and));
  return [
    sentence,
    ...(removes.length > 0 ? [texts.handedIn] : []),
    ...(adds.length > 0 ? [texts.groups] : []),
  ].join(' ');
}

/** What it leaves alone; null for nothing. */
export function undoStays({ totals }: UndoPlan): string | null {
  const same = totals.already + totals.not_enrolled;
  return same === 0 || totals.rows === 0
    ? null
    : texts.stays(counted(same, 'enrolment is', 'enrolments are'));
}

/** The totals. */
export function undoFigures({ totals, people }: UndoPlan): Figure[] {
  return [
    ...(totals.remove > 0
      ? [{ label: texts.columns.remove, value: totals.remove, strong: true, takes: true }]
      : []),
    ...(totals.add > 0 ? [{ label: texts.columns.add, value: totals.add, strong: true }] : []),
    { label: texts.columns.unchanged, value: totals.already + totals.not_enrolled },
    { label: 'People', value: people.found },
  ];
}

/** One row for each section and role. */
export function undoRows(plan: UndoPlan): SummaryRow[] {
  return plan.entries.map(({ course, section, role, status, ...entry }) => ({
    key: `${section.id} ${role.id}`,
    name: texts.of(course.name, section.name),
    course: course.name,
    detail: joined(course.sis_course_id, course.term),
    sections: [section.name],
    role: role.label,
    action: messages.enrollment.actions[status],
    count: entry.rows,
    figures: {
      change: status === 'active' ? entry.add : entry.remove,
      unchanged: entry.unread === null ? entry.already + entry.not_enrolled : null,
    },
  }));
}

/** What stays as the import left it, a line each. */
export function keptLines({ kept }: UndoPlan): string[] {
  return kept.map(({ course, section, people, why }) =>
    texts.kept[why](counted(people, 'person', 'people'), texts.of(course, section)),
  );
}

/** What the press will do to groups. */
export function membersSentence({ totals }: Pick<MemberUndoPlan, 'totals'>): string {
  const { members } = texts;
  if (totals.rows === 0) return texts.nothing;
  const parts = [
    ...(totals.remove > 0 ? [members.removes(totals.remove)] : []),
    ...(totals.move > 0 ? [members.moves(totals.move)] : []),
    ...(totals.add > 0 ? [members.adds(totals.add)] : []),
  ];
  const last = parts.pop() ?? '';
  return members.willDo(parts.length === 0 ? last : `${parts.join(', ')}${texts.and}${last}`);
}

/** The totals of a plan of groups. */
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
