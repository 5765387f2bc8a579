/** The CSV of a plan of members: the rows that still do what was reviewed, and what is said of the others. */
import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { CourseIndex } from '@lms-admin/domain/group-course';
import { type MemberRow, planMembers } from '@lms-admin/domain/group-members';
import { changedSince, recheckOf } from '@lms-admin/domain/group-recheck';
import { type AskedMember, unanswered } from '@lms-admin/domain/group-references';
import { MEMBER_HEADER } from '@lms-admin/domain/group-rows';
import { membershipKey } from '@lms-admin/domain/group-undo';
import type { Admin } from '../auth/admin.ts';
import type { Reader } from '../canvas/resources/reading.ts';
import type { PlannedCsv } from '../imports/sources.ts';
import type { Database } from '../platform/database.ts';
import { confirmedSince } from './confirmed.ts';
import { csvOf } from './csv-of.ts';
import { type ElsewhereServices, groupsElsewhere, peopleElsewhere, requireAnswers } from './elsewhere.ts';
import { endingNow } from './leaders.ts';
import { type KeptMember, type KeptMembers, leftGroups } from './plan-parts.ts';
import { readGroupCourse } from './read-course.ts';

/** What comparing a plan with the LMS needs. */
export type SendingServices = ElsewhereServices & { db: Database };

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
  const lookups = unanswered(rows.map(askedOf), { index, by });
  const elsewhere = {
    groups: await groupsElsewhere(services, admin, lookups.groups, signal),
    people: await peopleElsewhere(services.people, admin, lookups.people, by, { signal, fresh: true }),
  };
  requireAnswers(elsewhere.people);
  const { whyNot, ending } = await recheck(services, reading, plan, index);
  const changed = changedSince(same, index);
  const { kept, now, leftOut, settled } = await stillHolding(rows, changed, {
    whyNot,
    judge: (those) => planMembers(those.map(askedOf), { index, by, elsewhere }).rows,
  });
  const told = new Set(changed.map(({ row }) => row));
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

/**
 * The rows that still do what was reviewed, and how they are judged now. What is left out changes nothing, so that those after
 * it may find other groups than they were judged by: they are judged again until nothing more is left out.
 */
async function stillHolding(
  rows: readonly KeptMember[],
  changed: readonly Said[],
  {
    whyNot,
    judge,
  }: {
    whyNot: (row: KeptMember, now: MemberRow | undefined) => string | null;
    judge: (rows: readonly KeptMember[]) => readonly MemberRow[];
  },
) {
  const leftOut = [...changed];
  let settled = leftOut.length === 0;
  for (let kept: readonly KeptMember[] = rows; ; await yieldTurn()) {
    const now = judge(kept);
    const whys = kept.map((row, at) => whyNot(row, now[at]));
    // What would do something else than was told is left out first: the place that it holds may be what others are refused for.
    const isRefused = (at: number) => (now[at]?.fate ?? 'refused') === 'refused';
    const onlyRefused = whys.every((why, at) => why === null || isRefused(at));
    const still = kept.filter((row, at) => {
      const why = whys[at] ?? null;
      if (why === null || (isRefused(at) && !onlyRefused)) return true;
      if (!isDone(row, now[at])) settled = false;
      const text = `Row ${row.row} (${row.person}, ${row.group}) was skipped: ${why}`;
      leftOut.push({ row: row.row, text, of: row });
      return false;
    });
    if (still.length === kept.length)
      return { kept, now, leftOut: leftOut.sort((a, b) => a.row - b.row), settled };
    kept = still;
  }
}

/** Whether others have done what the row would do. */
function isDone(row: KeptMember, now: MemberRow | undefined): boolean {
  const { fate, who, where } = now ?? {};
  return (
    fate === (row.fate === 'remove' ? 'not-member' : 'already') && who === row.who && where === row.where
  );
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
  // Of what the review could not tell, no one knows whether others have changed it.
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
