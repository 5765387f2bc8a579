/** What an admin sees of the tool registry: the tabs, and what is at a path. Pure. */
import { homePath, OWN_ACCESS_PATH, TOOLS, type Tool, toolAt } from '@lms-admin/contract/tools';
import { hasFlag, type Permissions } from '@lms-admin/domain/access';
import { activityAt } from '../../components/Job/activity-path.ts';

/** What is at a path for this admin (SHELL-03 to SHELL-23, OP-16 to OP-19). */
export type Place =
  | { kind: 'redirect'; to: string }
  | { kind: 'no-permission' }
  | { kind: 'not-found' }
  | { kind: 'tool'; tool: Tool }
  /** What goes on and has been done, or one job of it: for anyone who has a tool. */
  | { kind: 'activity'; job: string | null }
  /** What the person can do themselves: for everyone who is signed in. */
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

/** Whether this admin has a screen to work on, and so may have work that goes on. */
export function hasTool(record: Permissions): boolean {
  return homeOf(record) !== null;
}

/** The tabs that this admin has: those of the registry whose flag is true (SHELL-03). */
export function tabsOf(record: Permissions, recordingsUrl: string | null): Tool[] {
  return TOOLS.filter(
    ({ tab, path, flag }) =>
      tab !== null && hasFlag(record, flag) && (path !== null || recordingsUrl !== null),
  );
}

/** Every tool that this admin can go to, those without a tab too, in the order of the tabs. */
export function toolsOf(record: Permissions, recordingsUrl: string | null): Tool[] {
  return TOOLS.filter(({ path, flag }) => hasFlag(record, flag) && (path !== null || recordingsUrl !== null));
}

/** Whether a name fits what was typed: each word of it is found, without case and accents. */
export function fitsSearch(name: string, typed: string): boolean {
  const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const all = plain(name);
  return plain(typed)
    .split(/\s+/)
    .every((word) => all.includes(word));
}
