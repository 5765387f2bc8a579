/** Tools that the administrator has lost since the page was loaded: their screens say so. */
import { TOOLS, type ToolId } from '@lms-admin/contract/tools';
import { hasFlag } from '@lms-admin/domain/access';
import { session } from '../../api/session.ts';

const had = new Set<ToolId>();

/** Records the tools that the administrator has now. */
export function noteTools(): void {
  const { profile } = session.get();
  if (profile === null) return had.clear();
  for (const { id, flag } of TOOLS) if (hasFlag(profile.sub_account, flag)) had.add(id);
}

/** Tells whether the administrator had a tool and has lost it. */
export function wasLost(tool: ToolId): boolean {
  return had.has(tool);
}

noteTools();
