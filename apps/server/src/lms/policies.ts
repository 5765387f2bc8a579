/** Access policy of every registered call: its token, its scope, and the visible part of the answer. */
import {
  LMS_CALLS,
  type LmsAnswer,
  type LmsCall,
  type LmsCallId,
  type LmsPayload,
} from '@lms-admin/contract/lms-calls';
import { TOOLS, type Tool } from '@lms-admin/contract/tools';
import type { ZoomEvent } from '@lms-admin/contract/zoom';
import { assignableRoleIds, hasFlag, topAccounts } from '@lms-admin/domain/access';
import { emailKey } from '@lms-admin/domain/emails';
import { z } from 'zod';
import type { AccountTrees } from '../access/account-tree.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import { type ReachedCourse, reachedCourse } from '../canvas/resources/courses.ts';
import type { CanvasClient } from '../canvas/types.ts';
import type { Imports } from '../imports/imports.ts';
import { readPayload } from '../imports/payload.ts';
import type { Audit } from '../platform/audit.ts';
import type { Config } from '../platform/config.ts';
import { categoryInReach, createCategory, giveCategorySisId } from './group-categories.ts';
import type { MatchedCall } from './match.ts';
import { giveSectionSisId } from './section-sis-id.ts';

export interface PolicyParts {
  canvas: CanvasClient;
  config: Config;
  scope: Scope;
  trees: AccountTrees;
  imports: Pick<Imports, 'submit' | 'status'>;
  audit: Audit;
  /** Adds LMS Admin's data about their meetings to calendar events. */
  withZoom: (admin: Admin, events: readonly ZoomEvent[]) => Promise<ZoomEvent[]>;
  /** Prefetches what `withZoom` needs while the LMS answers, so that nothing waits for it afterwards. */
  beforeZoom: (admin: Admin) => void;
}

/** Details of a request besides the admin. */
export interface Asking {
  admin: Admin;
  requestId: string;
  /** Aborts when the browser has disconnected. */
  signal: AbortSignal;
}

/** A registered call with its parsed payload; null if it has none. */
export interface ReadCall<P = unknown> extends MatchedCall {
  payload: P;
}

/** `P` is the parsed payload, `D` the parsed answer. */
export interface Policy<P = never, D = never> {
  /** `root`: the token for account 1; `own`: the admin's own (OP-04). */
  token: 'root' | 'own';
  /** Parses a payload that the registry's schema alone would take too long for. @throws AppError */
  readPayload?(raw: unknown, parts: PolicyParts): Promise<unknown>;
  /**
   * Requests all pages of a list while its scope is checked, and returns nothing before the check succeeds. Only for
   * lists read with the admin's own token.
   */
  asksBeside?: true;
  /**
   * Returns whether the path and payload are in the admin's scope.
   * @throws AppError not-allowed for a missing permission
   */
  inReach?(admin: Admin, call: ReadCall<P>, parts: PolicyParts, signal: AbortSignal): Promise<boolean>;
  /** Schema of the LMS's answer if the server needs more of it than the browser gets, which is cut afterwards. */
  readonly reads?: z.ZodType;
  /** Removes the parts of an answer that the admin cannot see. */
  narrow?(admin: Admin, data: D, call: ReadCall<P>, parts: PolicyParts): unknown;
  /** Answers in place of the LMS; null passes the call to the LMS. */
  instead?(asking: Asking, call: ReadCall<P>, parts: PolicyParts): Promise<unknown>;
}

/** The registered calls and their policies. */
export interface LmsRegistry {
  readonly calls: readonly LmsCall[];
  readonly policies: Readonly<Record<string, Policy>>;
}

/** Sign-out is excluded: the route ends the session itself, whatever the LMS says. */
type OfPolicy = Exclude<LmsCallId, 'sign-out'>;

/** Answers of calls with `reads`. */
interface ServerReads {
  courses: ReachedCourse[];
  course: ReachedCourse;
}
type ReadAnswer<I extends OfPolicy> = I extends keyof ServerReads ? ServerReads[I] : LmsAnswer<I>;

const POLICIES: { readonly [I in OfPolicy]: Policy<LmsPayload<I>, ReadAnswer<I>> } = {
  programmes: {
    token: 'root',
    // A limited admin sees exactly the listed accounts that exist, however deep in the tree (OP-27).
    async instead({ admin, signal }, call, { trees }) {
      const listed = topAccounts(admin.record);
      if (listed === 'all') return null;
      if (pageOf(call) > 1) return [];
      const { accounts } = await trees.tree(admin, undefined, signal);
      return listed.flatMap((id) => accounts.get(id) ?? []);
    },
  },
  'sub-accounts': { token: 'own', inReach: accountOfPath },
  terms: { token: 'root' },
  courses: {
    token: 'own',
    inReach: accountOfPath,
    reads: z.array(reachedCourse),
    // Canvas also lists courses of other accounts that have a section here.
    async narrow(admin, courses, _call, { scope }) {
      scope.remember(courses);
      const seen = await Promise.all(courses.map((course) => scope.account(admin, course.account_id)));
      return courses.filter((_, index) => seen[index]);
    },
  },
  roles: {
    token: 'root',
    narrow(admin, roles) {
      const may = new Set([
        ...assignableRoleIds(admin.record, 'course'),
        ...assignableRoleIds(admin.record, 'section'),
      ]);
      return roles.filter((role) => may.has(role.id));
    },
  },
  'user-by-email': {
    token: 'root',
    // Canvas finds every person whose name, login or id contains the text; the request is for one person (OP-45).
    narrow(_admin, users, call) {
      const email = emailKey(call.query.find(([name]) => name === 'search_term')?.[1] ?? '');
      return users.filter(({ login_id }) => login_id != null && emailKey(login_id) === email);
    },
  },
  // People belong to no programme: anyone who can search, searches the whole school (OP-96).
  'user-search': { token: 'root' },
  // People belong to no programme: anyone who enrols by SIS ID or creates people can look them up (OP-50, OP-55).
  'user-by-sis-id': { token: 'root' },
  // LMS Admin keeps the record of an import; the LMS is asked in the background.
  'sis-import-create': {
    token: 'own',
    readPayload: (raw, { config }) => readPayload(raw, config.maxEnrollmentRows),
    instead: (asking, { payload }, { imports }) => imports.submit(asking.admin, payload, asking),
  },
  'sis-import-status': {
    token: 'own',
    instead: ({ admin, signal }, { params }, { imports }) =>
      imports.status(admin, params.import ?? '', signal),
  },
  'section-sis-id': {
    token: 'own',
    instead: ({ admin, signal }, { params, payload }, parts) =>
      giveSectionSisId(parts, admin, Number(params.section), payload, signal),
  },
  sections: { token: 'own', inReach: courseOfPath },
  course: {
    token: 'own',
    inReach: courseOfPath,
    reads: reachedCourse,
    narrow(_admin, course, _call, { scope }) {
      scope.remember([course]);
      return course;
    },
  },
  'course-details': { token: 'own', inReach: courseOfPath },
  'group-categories': { token: 'own', inReach: courseOfPath },
  'group-category-create': {
    token: 'own',
    instead: (asking, { params, payload }, parts) =>
      createCategory(parts, asking, Number(params.course), payload),
  },
  'group-category-sis-id': {
    token: 'own',
    instead: (asking, { params, payload }, parts) =>
      giveCategorySisId(parts, asking, Number(params.category), payload.sis_group_category_id),
  },
  'calendar-events': {
    token: 'own',
    asksBeside: true,
    // If one context is out of scope, all of them are rejected, as in the LMS.
    async inReach(admin, { query }, { scope, beforeZoom }, signal) {
      beforeZoom(admin);
      const codes = query.flatMap(([name, value]) => (name === 'context_codes[]' ? [value] : []));
      const courses = codes.map((code) => scope.course(admin, Number(code.replace('course_', '')), signal));
      return (await Promise.all(courses)).every((course) => course !== null);
    },
    narrow: (admin, events, _call, reads) => reads.withZoom(admin, events),
  },
  'category-groups': {
    token: 'own',
    inReach: (admin, { params }, parts, signal) =>
      categoryInReach(parts, admin, Number(params.category), signal),
  },
};

export const REGISTRY: LmsRegistry = { calls: LMS_CALLS, policies: POLICIES };

/** Returns the tool whose flag permits this call for the admin; null if none does. */
export function admittingTool(admin: Admin, call: LmsCall): Tool | null {
  return TOOLS.find((tool) => tool.calls.includes(call.id) && hasFlag(admin.record, tool.flag)) ?? null;
}

function accountOfPath(
  admin: Admin,
  { params }: MatchedCall,
  { scope }: PolicyParts,
  signal: AbortSignal,
): Promise<boolean> {
  return scope.account(admin, Number(params.account), signal);
}

async function courseOfPath(
  admin: Admin,
  { params }: MatchedCall,
  { scope }: PolicyParts,
  signal: AbortSignal,
): Promise<boolean> {
  return (await scope.course(admin, Number(params.course), signal)) !== null;
}

function pageOf({ query }: MatchedCall): number {
  const page = query.find(([name]) => name === 'page')?.[1] ?? '1';
  return Number(page) || 1;
}
