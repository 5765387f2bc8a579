/** Checks of what an admin can do, by flag, LMS call and role. Accounts and courses are checked in `scope.ts`. */
import type { LmsCallId } from '@lms-admin/contract/lms-calls';
import { TOOLS, type ToolId, toolById } from '@lms-admin/contract/tools';
import { assignableRoleIds, hasFlag, type RoleLevel } from '@lms-admin/domain/access';
import type { Admin } from '../auth/admin.ts';
import { AppError } from '../platform/errors.ts';

/** Returns whether an admin can use a tool: their record must have the tool's flag. */
export function mayUse(admin: Pick<Admin, 'record'>, toolId: ToolId): boolean {
  return hasFlag(admin.record, toolById(toolId).flag);
}

/** Requires access to at least one of these tools. @throws AppError not-allowed */
export function requireTool(admin: Pick<Admin, 'record'>, ...tools: readonly ToolId[]): void {
  if (!tools.some((tool) => mayUse(admin, tool))) throw new AppError('not-allowed');
}

/** Returns whether an admin can make an LMS call: one of their tools must use it. */
export function mayCall(admin: Pick<Admin, 'record'>, call: LmsCallId): boolean {
  return TOOLS.some((tool) => tool.calls.includes(call) && hasFlag(admin.record, tool.flag));
}

/** Returns whether an admin can assign a role: that level's list must name it. `ALL` allows the default roles. */
export function mayGiveRole(admin: Pick<Admin, 'record'>, roleId: number, level: RoleLevel): boolean {
  return assignableRoleIds(admin.record, level).includes(roleId);
}

/** Returns the record's list of roles that applies to a tool. */
export function roleLevelOf(tool: string): RoleLevel {
  return tool === 'section-enrollment' ? 'section' : 'course';
}
