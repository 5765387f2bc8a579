/** The tool registry as an administrator sees it: the tabs, and the place at a path. Pure. */
import { homePath, OWN_ACCESS_PATH, TOOLS, type Tool, toolAt } from '@lms-admin/contract/tools';
import { hasFlag, type Permissions } from '@lms-admin/domain/access';
import { activityAt } from '../../components/Job/activity-path.ts';

/** The place at a path for this administrator (SHELL-03 to SHELL-23, OP-16 to OP-19). */
export type Place =
  | { kind: 'redirect'; to: string }
  | { kind: 'no-permission' }
  | { kind: 'not-found' }
  | { kind: 'tool'; tool: Tool }
  /** Running and finished work, or one job; for anyone who has a tool. */
  | { kind: 'activity'; job: string | null }
  /** The administrator's own access; for everyone who is signed in. */
  | { kind: 'own-access' };

/** Resolves a path; a tool without its flag does not exist. */
export function placeAt(pathname: string, record: Permissions): Place {
  if (pathname === '/') {
    const to = homeOf(record);
    return to === null ? { kind: 'no-permission' } : { kind: 'redirect', to };
  }
  if (pathname === OWN_ACCESS_PATH || pathname === `${OWN_ACCESS_PATH}/`) return { kind: 'own-access' };
  const job = activityAt(pathname);
  if (job !== undefined) return hasTool(record) ? { kind: 'activity', job } : { kind: 'not-found' };
  const tool = toolAt(pathname);
  return tool && hasFlag(record, tool.flag) ? { kind: 'tool', tool } : { kind: 'not-found' };
}

function homeOf(record: Permissions): string | null {
  return homePath((flag) => hasFlag(record, flag));
}

/** Tells whether this administrator has any tool, and so may have running work. */
export function hasTool(record: Permissions): boolean {
  return homeOf(record) !== null;
}

/** Lists the administrator's tabs: those in the registry whose flag is true (SHELL-03). */
export function tabsOf(record: Permissions, recordingsUrl: string | null): Tool[] {
  return TOOLS.filter(
    ({ tab, path, flag }) =>
      tab !== null && hasFlag(record, flag) && (path !== null || recordingsUrl !== null),
  );
}

/** Lists every tool the administrator can open, including those without a tab, in the order of the tabs. */
export function toolsOf(record: Permissions, recordingsUrl: string | null): Tool[] {
  return TOOLS.filter(({ path, flag }) => hasFlag(record, flag) && (path !== null || recordingsUrl !== null));
}

/** Tells whether a name matches the typed text: it contains each word, ignoring case and accents. */
export function fitsSearch(name: string, typed: string): boolean {
  const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const all = plain(name);
  return plain(typed)
    .split(/\s+/)
    .every((word) => all.includes(word));
}
