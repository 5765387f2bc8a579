/** What an admin sees of the tool registry: the tabs, and what stands at a path. Pure. */
import { homePath, TOOLS, type Tool, toolAt } from '@lms-admin/contract/tools';
import { hasFlag, type Permissions } from '@lms-admin/domain/access';

/** What stands at a path for this admin (SHELL-03 to SHELL-23, OP-16 to OP-19). */
export type Place =
  | { kind: 'redirect'; to: string }
  | { kind: 'no-permission' }
  | { kind: 'not-found' }
  | { kind: 'tool'; tool: Tool };

/** Resolves a path; a tool without its flag does not exist. */
export function placeAt(pathname: string, record: Permissions): Place {
  if (pathname === '/') {
    const to = homePath((flag) => hasFlag(record, flag));
    return to === null ? { kind: 'no-permission' } : { kind: 'redirect', to };
  }
  const tool = toolAt(pathname);
  return tool && hasFlag(record, tool.flag) ? { kind: 'tool', tool } : { kind: 'not-found' };
}

/** The tabs that this admin has: those of the registry whose flag is true (SHELL-03). */
export function tabsOf(record: Permissions, recordingsUrl: string | null): Tool[] {
  return TOOLS.filter(
    ({ tab, path, flag }) =>
      tab !== null && hasFlag(record, flag) && (path !== null || recordingsUrl !== null),
  );
}
