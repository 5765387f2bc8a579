/** Whose work this tab keeps: what one person has entered is never shown to the next who signs in here. */
import { clearStored } from './stored-state.ts';

const NAME = 'lms-admin:person';

/** Clears the kept work when it belongs to someone else, and notes to whom it belongs from now on. */
export function keepWorkOf(userId: number): void {
  try {
    const before = sessionStorage.getItem(NAME);
    if (before !== null && before !== String(userId)) clearStored();
    sessionStorage.setItem(NAME, String(userId));
  } catch {
    // Without storage nothing is kept beyond this page, and the page began with this person.
  }
}
