/** Address of the screen with all running and finished work. `/<id>` at its end is one job. */
export const ACTIVITY_PATH = '/activity';

/** Finds the target of a path: the ID of a job, null for the list, undefined for any other path. */
export function activityAt(pathname: string): string | null | undefined {
  if (pathname === ACTIVITY_PATH || pathname === `${ACTIVITY_PATH}/`) return null;
  return /^\/activity\/([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\/?$/i.exec(pathname)?.[1];
}

/** In the address of an import: opens the review of its undo immediately. */
export const UNDO_HASH = '#undo';
