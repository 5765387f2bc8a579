/** Who asks, and what may be asked about them. Every read and every CSV row passes through these (OP-13, OP-14, OP-34). */
import type { Course } from '@lms-admin/contract/canvas-objects';
import type { LmsCallId } from '@lms-admin/contract/lms-calls';
import type { SubAccount } from '@lms-admin/contract/session';
import { TOOLS, type ToolId, toolById } from '@lms-admin/contract/tools';
import { assignableRoleIds, hasFlag, type RoleLevel } from '@lms-admin/domain/access';
import type { CanvasToken } from '../canvas/types.ts';

/** A signed-in administrator, as every service gets to know them. */
export interface Admin {
  /** Login in the LMS, lower case. */
  login: string;
  name: string;
  canvasUserId: number;
  /** The access record: flags, reach and roles. */
  record: SubAccount;
  /** Handle of the session in logs; not the cookie's value. */
  sessionId: string;
  /** Grant that holds the admin's LMS tokens; outlives the session while an import is followed. */
  grantId: string;
  /** Token for calls on the root account: the service token where there is one, else the admin's own. */
  token: CanvasToken;
}

/** What lies in an admin's reach. Out of reach answers like not existing (OP-14). */
export interface Scope {
  account(admin: Admin, id: number, signal?: AbortSignal): Promise<boolean>;
  course(admin: Admin, id: number, signal?: AbortSignal): Promise<Course | null>;
  courseBySisId(admin: Admin, sisId: string, signal?: AbortSignal): Promise<Course | null>;
  /** Those of the courses that exist in reach, by id. */
  courses(admin: Admin, ids: readonly number[], signal?: AbortSignal): Promise<Map<number, Course>>;
  /** Those of the courses that exist in reach, by SIS id as asked. */
  coursesBySisId(admin: Admin, sisIds: readonly string[], signal?: AbortSignal): Promise<Map<string, Course>>;
  /** Takes courses that were just read, so that they need not be asked for again. */
  remember(courses: readonly Course[]): void;
}

/** An admin may use a tool when their record carries the tool's flag. */
export function mayUse(admin: Pick<Admin, 'record'>, toolId: ToolId): boolean {
  return hasFlag(admin.record, toolById(toolId).flag);
}

/** An admin may make a call of the LMS when a tool of theirs makes it. */
export function mayCall(admin: Pick<Admin, 'record'>, call: LmsCallId): boolean {
  return TOOLS.some((tool) => tool.calls.includes(call) && hasFlag(admin.record, tool.flag));
}

/** An admin may give a role when the list of that level names it; `ALL` may give the default roles. */
export function mayGiveRole(admin: Pick<Admin, 'record'>, roleId: number, level: RoleLevel): boolean {
  return assignableRoleIds(admin.record, level).includes(roleId);
}
