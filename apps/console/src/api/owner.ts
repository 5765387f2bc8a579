/** Owner of the work kept in this tab: one person's entries are never shown to the next person who signs in. */
import { clearStored } from './stored-state.ts';

const NAME = 'lms-admin:person';

/** Clears the kept work if it belongs to someone else, and records its new owner. */
export function keepWorkOf(userId: number): void {
  try {
    const before = sessionStorage.getItem(NAME);
    if (before !== null && before !== String(userId)) clearStored();
    sessionStorage.setItem(NAME, String(userId));
  } catch {
    // Without storage, work lasts only as long as the page, which was loaded for this person.
  }
}
