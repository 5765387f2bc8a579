/** The access policy of every registered call: whose token, what must be in reach, what of the answer may be seen. */
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
import type { AccountTrees } from '../access/account-tree.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
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
  /** Calendar events with what is known of their meetings. */
  withZoom: (admin: Admin, events: readonly ZoomEvent[]) => Promise<ZoomEvent[]>;
  /** Begins what `withZoom` needs beside the LMS's answer, so that no one waits for it afterwards. */
  beforeZoom: (admin: Admin) => void;
}

/** Who asks, beside the admin. */
export interface Asking {
  admin: Admin;
  requestId: string;
  /** Aborts when the browser has gone. */
  signal: AbortSignal;
}

/** A registered call with its payload, read by the registry's schema; null where it has none. */
export interface ReadCall<P = unknown> extends MatchedCall {
  payload: P;
}

/** `P` is what the payload's schema makes of a payload, `D` what the answer's schema makes of an answer. */
export interface Policy<P = never, D = never> {
  /** `root`: the token for account 1; `own`: the admin's own (OP-04). */
  token: 'root' | 'own';
  /** Reads a payload where the registry's schema alone would take too long. @throws AppError */
  readPayload?(raw: unknown, parts: PolicyParts): Promise<unknown>;
  /**
   * All pages of a list are asked for while its reach is checked, and nothing of them is given before that is known: for
   * lists that are read with the admin's own token only.
   */
  askedBeside?: true;
  /** Whether what path and payload name lies in the admin's reach. @throws AppError not-allowed for a right that is missing */
  inReach?(admin: Admin, call: ReadCall<P>, parts: PolicyParts, signal: AbortSignal): Promise<boolean>;
  /** Cuts an answer down to what the admin may see. */
  narrow?(admin: Admin, data: D, call: ReadCall<P>, parts: PolicyParts): unknown;
  /** Answers instead of the LMS; null leaves the call to it. */
  instead?(asking: Asking, call: ReadCall<P>, parts: PolicyParts): Promise<unknown>;
}

/** The calls there are and the policy of each. */
export interface LmsRegistry {
  readonly calls: readonly LmsCall[];
  readonly policies: Readonly<Record<string, Policy>>;
}

/** The route ends the session itself, whatever the LMS says. */
type OfPolicy = Exclude<LmsCallId, 'sign-out'>;

const POLICIES: { readonly [I in OfPolicy]: Policy<LmsPayload<I>, LmsAnswer<I>> } = {
  programmes: {
    token: 'root',
    // A limited admin sees exactly the listed accounts that exist, however deep they lie (OP-27).
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
    // Canvas finds every person whose name, login or id contains the text; one person was asked for (OP-45).
    narrow(_admin, users, call) {
      const email = emailKey(call.query.find(([name]) => name === 'search_term')?.[1] ?? '');
      return users.filter(({ login_id }) => login_id != null && emailKey(login_id) === email);
    },
  },
  // People belong to no programme: anyone who may search, searches the whole school (OP-96).
  'user-search': { token: 'root' },
  // People belong to no programme; anyone who enrols by SIS ID, or creates people, may ask whether one exists (OP-50, OP-55).
  'user-by-sis-id': { token: 'root' },
  // The record of an import is ours; the LMS is asked in the background.
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
    askedBeside: true,
    // One context that is out of reach, and the LMS would refuse all of them too.
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

/** The tool whose flag admits this call to this admin; null when no flag of theirs does. */
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
