/** The request or job for which LMS Admin is working. Other systems get its ID, so that logs can be compared. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Header with the ID, in answers to the browser and in calls to other systems. */
export const REQUEST_ID = 'x-request-id';

const origins = new AsyncLocalStorage<string>();

/** Does work, and everything that it starts, for this request or job. */
export function workFor<T>(id: string, work: () => T): T {
  return origins.run(id, work);
}

/** Returns the ID of the request or job; undefined for work of the server itself. */
export function workingFor(): string | undefined {
  return origins.getStore();
}
