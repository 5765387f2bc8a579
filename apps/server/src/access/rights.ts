/** What an admin may do: by flag, by LMS call, by role. Whether a thing lies in their reach is `scope.ts`. */
import type { LmsCallId } from '@lms-admin/contract/lms-calls';
import { TOOLS, type ToolId, toolById } from '@lms-admin/contract/tools';
import { assignableRoleIds, hasFlag, type RoleLevel } from '@lms-admin/domain/access';
import type { Admin } from '../auth/admin.ts';
import { AppError } from '../platform/errors.ts';

/** An admin may use a tool when their record carries the tool's flag. */
export function mayUse(admin: Pick<Admin, 'record'>, toolId: ToolId): boolean {
  return hasFlag(admin.record, toolById(toolId).flag);
}

/** Whether the admin may use this tool, or one of these. @throws AppError not-allowed */
export function requireTool(admin: Pick<Admin, 'record'>, ...tools: readonly ToolId[]): void {
  if (!tools.some((tool) => mayUse(admin, tool))) throw new AppError('not-allowed');
}

/** An admin may make a call of the LMS when a tool of theirs makes it. */
export function mayCall(admin: Pick<Admin, 'record'>, call: LmsCallId): boolean {
  return TOOLS.some((tool) => tool.calls.includes(call) && hasFlag(admin.record, tool.flag));
}

/** An admin may give a role when the list of that level names it; `ALL` may give the default roles. */
export function mayGiveRole(admin: Pick<Admin, 'record'>, roleId: number, level: RoleLevel): boolean {
  return assignableRoleIds(admin.record, level).includes(roleId);
}

/** Which of a record's lists of roles counts for a tool. */
export function roleLevelOf(tool: string): RoleLevel {
  return tool === 'section-enrollment' ? 'section' : 'course';
}
