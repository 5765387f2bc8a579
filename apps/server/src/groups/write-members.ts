/** Writes a members plan with its differences, whatever the source of its rows, and stores it for a day. */

import { type MemberPlan, plannedMember } from '@lms-admin/contract/groups';
import { MEMBER_PLAN, UNDO_KINDS } from '@lms-admin/contract/plan-kinds';
import type { CourseIndex } from '@lms-admin/domain/group-course';
import { changes, type MemberDifference, type MemberRow } from '@lms-admin/domain/group-members';
import type { UnchangedMember } from '@lms-admin/domain/group-recheck';
import type { MemberReader } from '@lms-admin/domain/group-references';
import { counted } from '@lms-admin/domain/numbers';
import type { Admin } from '../auth/admin.ts';
import { writePlan } from '../plans/store.ts';
import { copiedElsewhere, type FoundElsewhere, groupsElsewhere, peopleElsewhere } from './elsewhere.ts';
import { leadersOf } from './leaders.ts';
import {
  counting,
  type GroupPlanProgress,
  type GroupServices,
  type KeptMember,
  type KeptMembers,
  type KeptRows,
  leftGroups,
  type OpenCourse,
  TOOL,
} from './plan-parts.ts';

export interface MembersToWrite<More> {
  id: string;
  lms: string;
  course: OpenCourse;
  source: string;
  index: CourseIndex;
  difference: MemberDifference;
  /** Rows that are not sent because of people in the directory's copy. */
  copied?: NonNullable<KeptMembers['copied']>;
  /** Additional fields of the review, and the text before its label. */
  more?: More;
  prefix?: string;
  /**
   * The import that the rows undo, and the keys of memberships of people who led a group until it ended the membership.
   */
  undone?: string;
  led?: ReadonlySet<string>;
}

/** Stores a plan for a day. @throws CanvasError if a token is refused; the signal's reason */
export async function writeMemberPlan<More extends object = object>(
  { db, canvas }: GroupServices,
  admin: Admin,
  members: MembersToWrite<More>,
  signal: AbortSignal,
): Promise<MemberPlan & More> {
  const { lms, course, index, difference, copied, more, prefix = '', undone, led } = members;
  const { rows } = difference;
  const reading = { canvas, token: admin.token, signal };
  const found = await leadersOf(reading, rows, index, led ?? new Set());
  const summary = { ...summaryOf(members, found.leaders), ...(more ?? ({} as More)) };
  signal.throwIfAborted();
  const what = labelOf(difference);
  await writePlan<KeptRows>(db.db, {
    login: admin.login,
    tool: TOOL,
    kind: undone === undefined ? MEMBER_PLAN : UNDO_KINDS[TOOL],
    roleId: null,
    status: null,
    label: `${prefix}${what} in ${course.name}`,
    lms,
    summary,
    people: [],
    courses: [
      {
        courseId: course.id,
        sisCourseId: course.sis_course_id,
        rowCount: summary.totals.rows,
        rows: {
          kind: 'members',
          ...(undone === undefined ? {} : { undoes: undone }),
          led: found.led,
          again: found.again,
          unread: found.unread,
          rows: rows.filter(changes).map((row) => keptOf(row, index)),
          same: rows.flatMap((row) => sameOf(row, index)),
          ...(copied && { copied }),
        },
      },
    ],
  });
  return { ...summary, import_id: null };
}

function summaryOf(
  { id, course, source, index, difference: { rows, groups } }: MembersToWrite<object>,
  leaders: MemberPlan['leaders'],
): Omit<MemberPlan, 'import_id'> {
  return {
    id,
    created_at: new Date().toISOString(),
    course,
    source,
    // Removes fields that are not part of the API.
    members: rows.map((row) => plannedMember.parse(row)),
    groups: groups.map(({ group, before, after }) => ({
      id: group.id,
      sis_group_id: group.sisId ?? '',
      name: group.name,
      category: index.category(group.category)?.name ?? '',
      before,
      after,
    })),
    totals: totalsOf(rows),
    leaders,
    unsent: [],
    unfilled: [],
    copied: null,
  };
}

function keptOf(row: MemberRow, index: CourseIndex): KeptMember {
  return {
    row: row.row,
    user_id: row.user_id,
    group_id: row.group_id,
    status: row.status,
    fate: row.fate,
    who: row.who ?? 0,
    where: row.where ?? 0,
    category: index.group(row.where ?? 0)?.category ?? null,
    person: row.person ?? '',
    group: row.group ?? '',
    leaves: leftGroups(row.leaves, index),
    stays: row.stays,
    ended: row.ended,
  };
}

/** Returns a row that changes nothing. Omits it if another row of the file removes the person from the group. */
function sameOf({ row, fate, who, where, person, group }: MemberRow, index: CourseIndex): UnchangedMember[] {
  if ((fate !== 'already' && fate !== 'not-member') || who === null || where === null) return [];
  const isThere = index.person(who)?.groups.includes(where) === true;
  if (isThere !== (fate === 'already')) return [];
  return [{ row, fate, who, where, person: person ?? '', group: group ?? '' }];
}

/** Looks up groups that the course does not have. @throws CanvasError */
export function lookUpGroups(
  services: GroupServices,
  admin: Admin,
  ids: readonly string[],
  progress: GroupPlanProgress,
): Promise<MemberReader['elsewhere']['groups']> {
  const onResult = counting(progress, { stage: 'Looking up groups', unit: 'groups' }, ids.length);
  return groupsElsewhere(services, admin, ids, progress.signal, { onResult });
}

/** Looks up people who are not in the course's list, without the directory's copy if requested. @throws CanvasError */
export async function lookUpPeople(
  services: GroupServices,
  admin: Admin,
  texts: readonly string[],
  reader: Pick<MemberReader, 'by' | 'index'>,
  progress: GroupPlanProgress & { isRetry: boolean },
): Promise<FoundElsewhere> {
  const { signal, isRetry } = progress;
  const onResult = counting(progress, { stage: 'Looking up people', unit: 'people' }, texts.length);
  const options = { signal, onResult };
  if (!isRetry) return copiedElsewhere(services, admin, texts, reader, options);
  return {
    people: await peopleElsewhere(services.people, admin, texts, reader.by, options),
    copied: null,
  };
}

function totalsOf(rows: readonly MemberRow[]): MemberPlan['totals'] {
  const count = (fate: MemberRow['fate']) => rows.filter((one) => one.fate === fate).length;
  const sent = rows.filter(changes);
  return {
    add: count('add'),
    move: count('move'),
    already: count('already'),
    remove: count('remove'),
    not_member: count('not-member'),
    refused: count('refused'),
    rows: sent.length,
    people: new Set(sent.map(({ who }) => who)).size,
  };
}

/** Labels a plan: `Add 40 people to 8 groups, move 3, remove 2`. */
function labelOf({ rows }: MemberDifference): string {
  const parts: string[] = [];
  for (const [fate, verb, to] of [
    ['add', 'add', 'to'],
    ['move', 'move', 'to'],
    ['remove', 'remove', 'from'],
  ] as const) {
    const matching = rows.filter((one) => one.fate === fate);
    if (matching.length === 0) continue;
    const people = new Set(matching.map(({ who }) => who)).size;
    const groups = new Set(matching.map(({ where }) => where)).size;
    parts.push(
      parts.length === 0
        ? `${verb} ${counted(people, 'person', 'people')} ${to} ${counted(groups, 'group')}`
        : `${verb} ${people}`,
    );
  }
  const label = parts.length === 0 ? 'nothing to change' : parts.join(', ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}
