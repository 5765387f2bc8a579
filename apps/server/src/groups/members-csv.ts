/** Writes the CSV of a members plan: the rows that still make the reviewed change, and messages about the others. */
import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { CourseIndex } from '@lms-admin/domain/group-course';
import { type MemberRow, planMembers } from '@lms-admin/domain/group-members';
import { changedSince, type Recheck, recheckOf } from '@lms-admin/domain/group-recheck';
import { type MemberReader, type RequestedMember, unanswered } from '@lms-admin/domain/group-references';
import { MEMBER_HEADER } from '@lms-admin/domain/group-rows';
import { membershipKey } from '@lms-admin/domain/group-undo';
import type { Admin } from '../auth/admin.ts';
import type { Reader } from '../canvas/resources/reading.ts';
import type { CopiedPeople } from '../directory/copied-people.ts';
import type { PlannedCsv } from '../imports/sources.ts';
import type { Database } from '../platform/database.ts';
import { confirmedSince } from './confirmed.ts';
import { type ChangedCopies, changedCopies } from './copied-members.ts';
import { csvOf } from './csv-of.ts';
import { type ElsewhereServices, groupsElsewhere, peopleElsewhere, requireAnswers } from './elsewhere.ts';
import { endingNow } from './leaders.ts';
import { type KeptMember, type KeptMembers, leftGroups } from './plan-parts.ts';
import { readGroupCourse } from './read-course.ts';

/** Services needed to compare a plan with the LMS. */
export type SendingServices = ElsewhereServices & { db: Database; copied: CopiedPeople };

const NO_COPIES: ChangedCopies = { rows: [], people: new Map(), messages: [] };

export async function membersCsv(
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
  const lookups = unanswered(rows.map(requestOf), { index, by });
  const elsewhere = {
    groups: await groupsElsewhere(services, admin, lookups.groups, signal),
    people: await peopleElsewhere(services.people, admin, lookups.people, by, { signal, fresh: true }),
  };
  requireAnswers(elsewhere.people);
  const copies = plan.copied ? await changedCopies(services, admin, plan.copied, signal) : NO_COPIES;
  const { whyNot, ending } = await recheck(services, reading, plan, index);
  const changed = changedSince(same, index);
  const { kept, now, leftOut, settled } = await unchangedRows(rows, [...changed, ...copies.messages], {
    whyNot,
    judge: (memberRows) => judgedWith(copies, memberRows, { index, by, elsewhere }),
  });
  const reported = new Set(changed.map(({ row }) => row));
  const outcomes = new Map(kept.map((one, at) => [one, now[at]]));
  return {
    recorded: {
      rows: rows.map((one) => ({ ...one, sent: sentAs(outcomes.get(one), index) })),
      same: same.map((one) => ({ ...one, told: reported.has(one.row) })),
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

/**
 * Evaluates rows together with those that mean another person than the directory's copy: these are not sent, but nor is
 * a row that contradicts them, because a review with current data would not have accepted it.
 */
function judgedWith(
  copies: ChangedCopies,
  rows: readonly KeptMember[],
  { elsewhere, ...reader }: MemberReader,
): (MemberRow | undefined)[] {
  if (copies.rows.length === 0) return planMembers(rows.map(requestOf), { ...reader, elsewhere }).rows;
  const people = new Map([...copies.people, ...elsewhere.people]);
  const together = [...rows, ...copies.rows].sort((a, b) => a.row - b.row).map(requestOf);
  const planned = planMembers(together, { ...reader, elsewhere: { ...elsewhere, people } }).rows;
  const results = new Map(planned.map((one) => [one.row, one]));
  return rows.map(({ row }) => results.get(row));
}

/**
 * Returns the rows that still make the reviewed change, with their current result. A skipped row changes nothing, so
 * later rows can find the groups in a different state: all rows are evaluated again until no more are skipped.
 */
async function unchangedRows(
  rows: readonly KeptMember[],
  changed: readonly RowMessage[],
  {
    whyNot,
    judge,
  }: {
    whyNot: Recheck;
    judge: (rows: readonly KeptMember[]) => readonly (MemberRow | undefined)[];
  },
) {
  const leftOut = [...changed];
  let settled = leftOut.length === 0;
  for (let kept: readonly KeptMember[] = rows; ; await yieldTurn()) {
    const now = judge(kept);
    const whys = kept.map((row, at) => whyNot(row, now[at]));
    // Rows with a different effect are skipped first: they may be why other rows are rejected, for example by filling
    // a group.
    const isRefused = (at: number) => (now[at]?.fate ?? 'refused') === 'refused';
    const onlyRefused = whys.every((why, at) => why === null || isRefused(at));
    const unchanged = kept.filter((row, at) => {
      const why = whys[at] ?? null;
      if (why === null || (isRefused(at) && !onlyRefused)) return true;
      if (!why.isDone) settled = false;
      const text = `Row ${row.row} (${row.person}, ${row.group}) was skipped: ${why.why}`;
      leftOut.push({ row: row.row, text, of: row });
      return false;
    });
    if (unchanged.length === kept.length)
      return { kept, now, leftOut: leftOut.sort((a, b) => a.row - b.row), settled };
    kept = unchanged;
  }
}

/** Returns the check for the rows, and a record of the memberships that the sent rows end. */
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
  // If the review did not know the state of a row, LMS Admin cannot tell whether others have changed it.
  const untold = new Set(led === undefined ? left : unread);
  const since = rows.flatMap(({ who, leaves }) =>
    leaves.flatMap(({ id }) => (untold.has(id) ? [] : membershipKey(who, id))),
  );
  const fresh = new Set(since.filter((key) => leading.has(key) && !known.has(key)));
  return {
    whyNot: recheckOf(rows, index, { ...(confirmed ? { confirmed } : {}), leading: fresh }),
    ending: (
      kept: readonly KeptMember[],
      now: readonly (MemberRow | undefined)[],
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

/** A message about a row, with the planned row; a row that needed no change has none. */
interface RowMessage {
  row: number;
  text: string;
  of?: KeptMember;
}

/** Stores all planned rows, with the header as row 1; skipped rows are not sent. */
function storedWith(
  rows: readonly KeptMember[],
  kept: ReadonlySet<KeptMember>,
  messages: readonly RowMessage[],
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
    // Rows that change nothing are not stored, and pasted rows may have no header.
    if (rising && one.row !== own) blank.push([own, one.row - own]);
    own = one.row + 1;
  }
  return {
    file: { blank, ...(leftOut.length > 0 ? { leftOut } : {}) },
    messages: messages.map(({ text, of }) => ({ row: of ? (at.get(of) ?? null) : null, text })),
  };
}

function sentAs(now: MemberRow | undefined, index: CourseIndex): NonNullable<KeptMember['sent']> | null {
  if (now === undefined) return null;
  const category = index.group(now.where ?? 0)?.category ?? null;
  return { fate: now.fate, category, leaves: leftGroups(now.leaves, index), stays: now.stays };
}

const requestOf = ({
  row,
  user_id: person,
  group_id: group,
  status,
}: Pick<KeptMember, 'row' | 'user_id' | 'group_id' | 'status'>): RequestedMember => ({
  row,
  person,
  group,
  status,
});
