/** The refusals that every tool begins with. */
import type { ToolId } from '@lms-admin/contract/tools';
import { AppError } from '../platform/errors.ts';
import { type Admin, mayUse } from './admin.ts';

/** Whether the admin may use this tool, or one of these. @throws AppError not-allowed */
export function requireTool(admin: Admin, ...tools: readonly ToolId[]): void {
  if (!tools.some((tool) => mayUse(admin, tool))) throw new AppError('not-allowed');
}
