/** Address of the screen of everything that goes on and has been done; `/<id>` behind it is one job. */
export const ACTIVITY_PATH = '/activity';

/** What is at a path below it: a job by its id, null for the list; undefined for any other path. */
export function activityAt(pathname: string): string | null | undefined {
  if (pathname === ACTIVITY_PATH || pathname === `${ACTIVITY_PATH}/`) return null;
  return /^\/activity\/([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\/?$/i.exec(pathname)?.[1];
}

/** At the address of an import: what would take it back is worked out at once. */
export const UNDO_HASH = '#undo';
