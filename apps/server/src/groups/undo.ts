/** Undo of a group members import: a separate plan, compared with the course, reviewed and submitted like any other. */

import type { UndoRequest } from '@lms-admin/contract/enrollments';
import type { MemberUndoPlan } from '@lms-admin/contract/groups';
import { UNDO_KINDS } from '@lms-admin/contract/plan-kinds';
import type { CourseIndex } from '@lms-admin/domain/group-course';
import type { MemberRow } from '@lms-admin/domain/group-members';
import { type SameMember, type SentMember, turnMembers } from '@lms-admin/domain/group-undo';
import { planTurned } from '@lms-admin/domain/group-undo-order';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { refusedRows } from '../imports/refused-rows.ts';
import { storedRows } from '../imports/stored-rows.ts';
import { noSuchPlan, readPlan, readPlanCourses } from '../plans/store.ts';
import { requireUndoable, type Undoable } from '../plans/undo.ts';
import type { Db } from '../platform/database.ts';
import { confirmedSince } from './confirmed.ts';
import {
  type GroupPlanProgress,
  type GroupServices,
  type KeptMember,
  type KeptRows,
  openCourse,
  TOOL,
} from './plan-parts.ts';
import { readGroupCourse } from './read-course.ts';
import { writeMemberPlan } from './write-members.ts';

export interface MemberUndo {
  /** @throws AppError not-allowed; not-found if they have no such import; conflict if it cannot be undone now */
  check(admin: Admin, request: UndoRequest): Promise<{ label: string }>;
  /** Makes the plan and stores it for a day. @throws like `check`; CanvasError; the signal's reason */
  make(admin: Admin, request: UndoRequest, id: string, progress: GroupPlanProgress): Promise<MemberUndoPlan>;
  /** Returns an undo plan that this admin made. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<MemberUndoPlan>;
}

export function createMemberUndo(services: GroupServices): MemberUndo {
  const { db, identity } = services;
  const read = (admin: Admin, request: UndoRequest) => requireUndoable(services, admin, TOOL, request.import);

  return {
    async check(admin, request) {
      const { row } = await read(admin, request);
      return { label: `Review: undo “${row.label}”` };
    },

    async make(admin, request, id, progress) {
      return makeUndo(services, admin, { undone: await read(admin, request), id, progress });
    },

    async get(admin, id) {
      requireTool(admin, TOOL);
      const plan = await readPlan<MemberUndoPlan>(db.db, admin.login, UNDO_KINDS[TOOL], id, identity.known());
      if (!plan) throw noSuchPlan();
      return plan;
    },
  };
}

async function makeUndo(
  services: GroupServices,
  admin: Admin,
  {
    undone: { row, plan, prefix },
    id,
    progress,
  }: { undone: Undoable; id: string; progress: GroupPlanProgress },
): Promise<MemberUndoPlan> {
  const { canvas, db, identity } = services;
  const { signal } = progress;
  const lms = await identity.lastSeen(admin.token);
  const { courseId, sent, led, asReviewed } = await sentMembers(db.db, row.id, plan.id);
  const course = await openCourse(services, admin, courseId, signal);
  const reading = { stage: 'Reading the course', unit: 'people', total: null } as const;
  progress.onStep({ ...reading, done: 0 });
  const reader = { canvas, token: admin.token, signal };
  const index = await readGroupCourse(reader, course.id, (done) => progress.onStep({ ...reading, done }));
  const entered = sent.flatMap(({ fate, where }) => (fate === 'remove' ? [] : where));
  const confirmed = await confirmedSince(reader, db.db, row.id, entered, index);
  const { turned, difference: change } = planTurned(
    turnMembers(distinguished(sent), index, confirmed),
    index,
  );
  const { rows, groups } = change;
  const same = turned.same.map((one, at) => sameRow(one, rows.length + at + 1, index));
  const named = rows.map((row, at) => ({
    ...row,
    why: [whyBack(row, turned.requested[at]?.of, index), row.why].filter(Boolean).join(' ') || null,
  }));
  const difference = { rows: [...named, ...same], groups };
  const undoes = { import: row.id, label: row.label };
  const more = { undoes, kept: turned.kept, as_reviewed: asReviewed };
  const source = `Undo of ${row.label}`;
  return writeMemberPlan(
    services,
    admin,
    {
      id,
      lms,
      course,
      source,
      index,
      difference,
      more,
      prefix,
      undone: row.id,
      led,
    },
    signal,
  );
}

/** Adds the SIS ID to people with the same name, because the review can name them without showing the row. */
function distinguished(sent: readonly SentMember[]): SentMember[] {
  const having = new Map<string, Set<number>>();
  for (const { person, who } of sent) having.set(person, (having.get(person) ?? new Set()).add(who));
  return sent.map((one) =>
    having.get(one.person)?.size === 1 ? one : { ...one, person: `${one.person} (${one.user_id})` },
  );
}

/** Names a group that others have deleted: people who were moved into it are now in no group. */
function whyBack({ fate }: MemberRow, sent: SentMember | undefined, index: CourseIndex): string | null {
  if (fate !== 'add' || sent === undefined || index.group(sent.where) !== null) return null;
  return `The group ${sent.group} is no longer in the course.`;
}

/** Returns an unchanged membership as a row of the review that is not sent. */
function sameRow({ fate, ...one }: SameMember, row: number, index: CourseIndex): MemberRow {
  const group = index.group(one.where);
  return {
    ...one,
    row,
    category: (group && index.category(group.category)?.name) ?? null,
    status: fate === 'already' ? 'accepted' : 'deleted',
    fate,
    from: null,
    column: null,
    why: group === null ? 'The group is no longer in the course.' : null,
    leaves: [],
    stays: [],
    ended: null,
    not_found: [],
  };
}

/** Stored rows are counted from 1, and the first is the header. */
const FIRST_ROW = 2;

/**
 * Returns the rows of an import that the LMS applied, with the effect of each. Rows skipped at the last moment or
 * rejected by the LMS had no effect: if the course matches them anyway, others made the change.
 */
async function sentMembers(
  db: Db,
  importId: string,
  planId: string,
): Promise<{ courseId: number; sent: SentMember[]; led: ReadonlySet<string>; asReviewed: boolean }> {
  const refused = await refusedRows(db, importId);
  for await (const { courseId, rows } of readPlanCourses<KeptRows>(db, planId)) {
    if (rows.kind !== 'members') continue;
    const led = new Set(rows.ledSent ?? rows.led);
    if (rows.rows.every((one) => one.sent === undefined))
      return {
        courseId,
        sent: await sentAsReviewed(db, importId, rows.rows, refused),
        led,
        asReviewed: true,
      };
    const sent = rows.rows.flatMap((one, at) =>
      one.sent && !refused.has(at + FIRST_ROW) ? [{ ...one, ...one.sent }] : [],
    );
    return { courseId, sent, led, asReviewed: false };
  }
  return { courseId: 0, sent: [], led: new Set(), asReviewed: false };
}

/**
 * Reads rows like `sentMembers`, for an import of an earlier version, which only stored the reviewed effect of its
 * rows.
 */
async function sentAsReviewed(
  db: Db,
  importId: string,
  rows: readonly KeptMember[],
  refused: ReadonlySet<number>,
): Promise<SentMember[]> {
  const keyOf = (group: string, user: string, status: string) => JSON.stringify([group, user, status]);
  const planned = new Map(rows.map((one) => [keyOf(one.group_id, one.user_id, one.status), one]));
  const sent: SentMember[] = [];
  let header: readonly string[] = [];
  for await (const batch of storedRows(db, importId)) {
    for (const { row, cells } of batch) {
      if (row === 1) {
        header = cells;
        continue;
      }
      const cell = (name: string) => cells[header.indexOf(name)] ?? '';
      const known = planned.get(keyOf(cell('group_id'), cell('user_id'), cell('status')));
      if (known && !refused.has(row)) sent.push(known);
    }
  }
  return sent;
}
