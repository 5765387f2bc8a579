/** Makes the CSV of a plan of groups, or of their members, from what still holds. Run before each sending. */
import { setImmediate as yieldTurn } from 'node:timers/promises';
import { csvLine } from '@lms-admin/domain/csv';
import type { CourseIndex } from '@lms-admin/domain/group-course';
import { type MemberRow, planMembers } from '@lms-admin/domain/group-members';
import {
  type GroupFate,
  type GroupJudgement,
  groupCells,
  judgeGroup,
  unknownGroupIds,
} from '@lms-admin/domain/group-plan';
import { changedSince, recheckOf } from '@lms-admin/domain/group-recheck';
import { type AskedMember, unanswered } from '@lms-admin/domain/group-references';
import { MEMBER_HEADER } from '@lms-admin/domain/group-rows';
import { membershipKey } from '@lms-admin/domain/group-undo';
import { shown } from '@lms-admin/domain/sis-rows';
import { GROUP_HEADER } from '@lms-admin/domain/sis-tables/groups';
import type { Admin } from '../auth/admin.ts';
import type { Reader } from '../canvas/resources/reading.ts';
import { type PlanCourse, rewriteRows } from '../imports/plan-store.ts';
import type { PlannedCsv } from '../imports/sources.ts';
import type { Database } from '../platform/database.ts';
import { confirmedSince } from './confirmed.ts';
import { type ElsewhereServices, groupsElsewhere, peopleElsewhere, requireAnswers } from './elsewhere.ts';
import { endingNow } from './leaders.ts';
import {
  type KeptGroups,
  type KeptMember,
  type KeptMembers,
  type KeptRows,
  leftGroups,
} from './plan-parts.ts';
import { readGroupCourse, readGroups } from './read-course.ts';

/** What comparing a plan with the LMS needs. */
type SendingServices = ElsewhereServices & { db: Database };

/** Rows written before other work gets its turn. */
const ROWS_AT_ONCE = 2_000;

/**
 * @param admin with the rights of now
 * @throws CanvasError when the LMS cannot be asked at the moment; AppError where it does not show SIS ids any more
 */
export async function groupPlanCsv(
  services: SendingServices,
  admin: Admin,
  planId: string,
  { courseId, sisCourseId, rows }: PlanCourse<KeptRows>,
  signal: AbortSignal,
): Promise<PlannedCsv> {
  const afresh = { ...services, scope: services.scope.afresh() };
  const course = await afresh.scope.course(admin, courseId, signal);
  if (course?.sis_course_id !== sisCourseId) {
    const why = course ? 'it has another SIS id by now.' : 'it no longer exists or is no longer yours.';
    return nothing(`Course ${shown(sisCourseId)} (${courseId}) was left out: ${why}`);
  }
  if (rows.kind === 'groups') return groupsCsv(afresh, admin, courseId, rows, signal);
  const { recorded, ...csv } = await membersCsv(afresh, admin, courseId, rows, signal);
  return {
    ...csv,
    record: await rewriteRows<KeptRows>(planId, [{ courseId, rows: { ...rows, ...recorded } }]),
  };
}

function nothing(why: string): PlannedCsv {
  return { ...csvOf([], []), leftOut: [why] };
}

async function groupsCsv(
  services: ElsewhereServices,
  admin: Admin,
  course: number,
  { category: planned, rows, same = [] }: KeptGroups,
  signal: AbortSignal,
): Promise<PlannedCsv> {
  const index = await readGroups({ canvas: services.canvas, token: admin.token, signal }, course);
  const category = index.category(planned.id);
  if (category?.sisId !== planned.sisId) {
    const why = category ? 'it has another SIS id by now.' : 'the course does not have it any more.';
    return nothing(`The group category ${shown(planned.name)} was left out: ${why}`);
  }
  const ids = unknownGroupIds(
    rows.map((one) => one.sis_group_id),
    index,
  );
  const elsewhere = await groupsElsewhere(services, admin, ids, signal);
  const leftOut = same.flatMap((one) => groupChangedSince(one, category.id, index));
  let settled = leftOut.length === 0;
  const kept = rows.filter((row) => {
    const { sis_group_id: id, name } = row;
    const now = judgeGroup({ id, name }, category, index, elsewhere);
    // A name that nobody has seen in the review is not written over.
    if (now.fate === row.fate && (index.groupWithId(id)?.name ?? null) === row.was) return true;
    if (now.fate !== 'there') settled = false;
    const why = whyNotGroup(row.fate, now);
    leftOut.push(`The group ${shown(name)} was left out: ${why}`);
    return false;
  });
  return {
    ...csvOf(
      GROUP_HEADER,
      kept.map((row) => groupCells(planned.sisId, row)),
    ),
    leftOut,
    settled,
  };
}

/** Why a group that was reviewed is not sent as it was. */
function whyNotGroup(planned: GroupFate, now: GroupJudgement): string | null {
  if (now.fate === 'new') return 'The group that was to be renamed is not there any more.';
  if (now.fate !== 'there') return now.why;
  return planned === 'new'
    ? 'It is there already: others have made it.'
    : 'It has this name already: others have renamed it.';
}

/** A sentence for a group that was there at the review, and that others have changed since. */
function groupChangedSince(
  { sis_group_id: id, name }: NonNullable<KeptGroups['same']>[number],
  category: number,
  index: CourseIndex,
): string[] {
  const group = index.groupWithId(id);
  if (group?.name === name && group.category === category) return [];
  const is =
    group?.category === category ? `is called ${shown(group.name)} now` : 'is not in its category any more';
  return [
    `The group ${shown(name)} was there at the review and ${is}: others have changed it. LMS Admin left it as it is.`,
  ];
}

async function membersCsv(
  services: SendingServices,
  admin: Admin,
  course: number,
  plan: KeptMembers,
  signal: AbortSignal,
): Promise<PlannedCsv & { recorded: Partial<KeptMembers> }> {
  const { rows, same = [] } = plan;
  const reading = { canvas: services.canvas, token: admin.token, signal };
  const index = await readGroupCourse(reading, course);
  const by = 'ids' as const;
  const lookups = unanswered(rows.map(askedOf), { index, by });
  const elsewhere = {
    groups: await groupsElsewhere(services, admin, lookups.groups, signal),
    people: await peopleElsewhere(services.people, admin, lookups.people, by, { signal, fresh: true }),
  };
  requireAnswers(elsewhere.people);
  const { whyNot, ending } = await recheck(services, reading, plan, index);
  const leftOut: Said[] = changedSince(same, index);
  const told = new Set(leftOut.map(({ row }) => row));
  let settled = leftOut.length === 0;
  // What is left out changes nothing, so that those after it may find other groups than they were judged by: once more.
  for (let kept: readonly KeptMember[] = rows; ; await yieldTurn()) {
    const now = planMembers(kept.map(askedOf), { index, by, elsewhere }).rows;
    const whys = kept.map((row, at) => whyNot(row, now[at]));
    // What would do something else than was told is left out first: the place that it holds may be what others are refused for.
    const isRefused = (at: number) => (now[at]?.fate ?? 'refused') === 'refused';
    const onlyRefused = whys.every((why, at) => why === null || isRefused(at));
    const still = kept.filter((row, at) => {
      const why = whys[at] ?? null;
      if (why === null || (isRefused(at) && !onlyRefused)) return true;
      // Others may have done the same.
      const { fate, who, where } = now[at] ?? {};
      const isDone = fate === (row.fate === 'remove' ? 'not-member' : 'already');
      if (!isDone || who !== row.who || where !== row.where) settled = false;
      const text = `Row ${row.row} (${row.person}, ${row.group}) was left out: ${why}`;
      leftOut.push({ row: row.row, text, of: row });
      return false;
    });
    if (still.length < kept.length) {
      kept = still;
      continue;
    }
    leftOut.sort((a, b) => a.row - b.row);
    const did = new Map(kept.map((one, at) => [one, now[at]]));
    return {
      recorded: {
        rows: rows.map((one) => ({ ...one, sent: sentAs(did.get(one), index) })),
        same: same.map((one) => ({ ...one, told: told.has(one.row) })),
        ...ending(kept, now),
      },
      ...csvOf(
        MEMBER_HEADER,
        rows.map((one) => [one.group_id, one.user_id, one.status]),
      ),
      rows: kept.length,
      kept: storedWith(rows, new Set(kept), leftOut),
      leftOut: leftOut.map(({ text }) => text),
      settled,
    };
  }
}

/** How the rows are looked at again, and what is recorded of the memberships that end by those that are sent. */
async function recheck(
  { db }: SendingServices,
  reading: Reader,
  { rows, undoes, led, unread = [] }: KeptMembers,
  index: CourseIndex,
) {
  const left = rows.flatMap((one) => one.leaves.map(({ id }) => id));
  const confirmed =
    undoes === undefined ? undefined : await confirmedSince(reading, db.db, undoes, left, index);
  const known = new Set(led);
  const { leading, writers } = await endingNow(reading, rows, index, known);
  // Of what the review could not tell, nobody knows whether others have changed it.
  const untold = new Set(led === undefined ? left : unread);
  const since = rows.flatMap(({ who, leaves }) =>
    leaves.flatMap(({ id }) => (untold.has(id) ? [] : membershipKey(who, id))),
  );
  const fresh = new Set(since.filter((key) => leading.has(key) && !known.has(key)));
  return {
    whyNot: recheckOf(rows, index, { ...(confirmed ? { confirmed } : {}), leading: fresh }),
    ending: (
      kept: readonly KeptMember[],
      now: readonly MemberRow[],
    ): Pick<KeptMembers, 'ledSent' | 'writers'> => {
      const keys = kept.flatMap(({ who }, at) => (now[at]?.leaves ?? []).map((id) => membershipKey(who, id)));
      const sent = new Set(keys);
      return {
        ledSent: keys.filter((key) => leading.has(key)),
        writers: [...writers].filter(([key]) => sent.has(key)),
      };
    },
  };
}

/** What is said of a row, and which of the planned ones it is; one that needed no row is not among them. */
interface Said {
  row: number;
  text: string;
  of?: KeptMember;
}

/** All planned rows are stored, the header being row 1; those that are left out are not sent. */
function storedWith(
  rows: readonly KeptMember[],
  kept: ReadonlySet<KeptMember>,
  said: readonly Said[],
): PlannedCsv['kept'] {
  const at = new Map(rows.map((one, place) => [one, place + 2]));
  const leftOut: [row: number, count: number][] = [];
  const blank: [row: number, count: number][] = [];
  const rising = rows.every((one, place) => place === 0 || one.row > (rows[place - 1]?.row ?? 0));
  let own = 2;
  for (const one of rows) {
    const place = at.get(one) ?? 0;
    const last = leftOut.at(-1);
    if (!kept.has(one)) {
      if (last && last[0] + last[1] === place) last[1]++;
      else leftOut.push([place, 1]);
    }
    // Rows that change nothing are not stored; what was pasted may have no header.
    if (rising && one.row !== own) blank.push([own, one.row - own]);
    own = one.row + 1;
  }
  return {
    file: { blank, ...(leftOut.length > 0 ? { leftOut } : {}) },
    said: said.map(({ text, of }) => ({ row: of ? (at.get(of) ?? null) : null, text })),
  };
}

function sentAs(now: MemberRow | undefined, index: CourseIndex): NonNullable<KeptMember['sent']> | null {
  if (now === undefined) return null;
  const category = index.group(now.where ?? 0)?.category ?? null;
  return { fate: now.fate, category, leaves: leftGroups(now.leaves, index), stays: now.stays };
}

const askedOf = ({ row, user_id: person, group_id: group, status }: KeptMember): AskedMember => ({
  row,
  person,
  group,
  status,
});

/** Columns, rows and their number. */
function csvOf(header: readonly string[], rows: readonly (readonly string[])[]) {
  return { rows: rows.length, texts: unhurried([header, ...rows]), things: 'rows' };
}

/** In pieces, with a pause for other work after each. */
async function* unhurried(lines: readonly (readonly string[])[]): AsyncGenerator<string, void, void> {
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE) {
    const text = lines
      .slice(at, at + ROWS_AT_ONCE)
      .map(csvLine)
      .join('\n');
    yield at === 0 ? text : `\n${text}`;
    await yieldTurn();
  }
}
