/** The access policy of every registered call: whose token, what must be in reach, what of the answer may be seen. */
import type { Account, Course, Role, User } from '@lms-admin/contract/canvas-objects';
import type { LmsCall, LmsCallId } from '@lms-admin/contract/lms-calls';
import { TOOLS, type Tool } from '@lms-admin/contract/tools';
import { assignableRoleIds, hasFlag, topAccounts } from '@lms-admin/domain/access';
import type { AccountTrees } from '../access/account-tree.ts';
import type { Admin, Scope } from '../access/admin.ts';
import type { MatchedCall } from './match.ts';

export interface PolicyParts {
  scope: Scope;
  trees: AccountTrees;
}

export interface Policy {
  /** `root`: the token for account 1; `own`: the admin's own (OP-04). */
  token: 'root' | 'own';
  /** Whether what the path names lies in the admin's reach. */
  inReach?(admin: Admin, call: MatchedCall, parts: PolicyParts, signal: AbortSignal): Promise<boolean>;
  /** Cuts an answer down to what the admin may see. */
  narrow?(admin: Admin, data: never, call: MatchedCall, parts: PolicyParts): unknown;
  /** Answers instead of the LMS; null leaves the call to it. */
  instead?(admin: Admin, call: MatchedCall, parts: PolicyParts): Promise<unknown[] | null>;
}

/** Calls that the wrapper hands to other parts of the back end, and so need no policy here. */
const HANDED_ON = [
  'sis-import-create',
  'sis-import-status',
  'section-sis-id',
  'sign-out',
] as const satisfies LmsCallId[];
type HandedOn = (typeof HANDED_ON)[number];

/** Whether the wrapper hands this call on. */
export function isHandedOn(id: LmsCallId): id is HandedOn {
  return HANDED_ON.some((one) => one === id);
}

export const POLICIES: Readonly<Record<Exclude<LmsCallId, HandedOn>, Policy>> = {
  programmes: {
    token: 'root',
    // A limited admin sees exactly the listed accounts that exist, however deep they lie (OP-27).
    async instead(admin, call, { trees }) {
      const listed = topAccounts(admin.record);
      if (listed === 'all') return null;
      if (pageOf(call) > 1) return [];
      const { accounts } = await trees.tree(admin);
      return listed.flatMap((id) => accounts.get(id) ?? []) satisfies Account[];
    },
  },
  'sub-accounts': { token: 'own', inReach: accountOfPath },
  terms: { token: 'root' },
  courses: {
    token: 'own',
    inReach: accountOfPath,
    // Canvas also lists courses of other accounts that have a section here.
    async narrow(admin, courses: Course[], _call, { scope }) {
      scope.remember(courses);
      const seen = await Promise.all(courses.map((course) => scope.account(admin, course.account_id)));
      return courses.filter((_, index) => seen[index]);
    },
  },
  roles: {
    token: 'root',
    narrow(admin, roles: Role[]) {
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
    narrow(_admin, users: User[], call) {
      const email = call.query.find(([name]) => name === 'search_term')?.[1].toLowerCase();
      return users.filter((user) => user.login_id?.toLowerCase() === email);
    },
  },
  // People belong to no programme: whoever may search, searches the whole school (OP-96).
  'user-search': { token: 'root' },
  // People belong to no programme; whoever enrols by SIS id, or creates people, may ask whether one exists (OP-50, OP-55).
  'user-by-sis-id': { token: 'root' },
  sections: { token: 'own', inReach: courseOfPath },
  course: {
    token: 'own',
    inReach: courseOfPath,
    narrow(_admin, course: Course, _call, { scope }) {
      scope.remember([course]);
      return course;
    },
  },
};

/** The tool whose flag admits this call to this admin; null when no flag of theirs does. */
export function admittingTool(admin: Admin, call: LmsCall): Tool | null {
  return TOOLS.find((tool) => tool.calls.includes(call.id) && hasFlag(admin.record, tool.flag)) ?? null;
}

function accountOfPath(admin: Admin, { params }: MatchedCall, { scope }: PolicyParts): Promise<boolean> {
  return scope.account(admin, Number(params.account));
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
