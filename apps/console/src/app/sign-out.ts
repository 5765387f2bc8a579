/** Signing out (AUTH-24 to AUTH-26, OP-11). */
import { invoke } from '../api/client.ts';
import { session } from '../api/session.ts';
import { clearStored } from '../api/stored-state.ts';

/** Milliseconds to wait for the LMS; the browser forgets the session in any case. */
const TIMEOUT_MS = 8_000;

/** Ends the session on the server if possible, forgets everything here, and goes to the application home. */
export async function signOut(): Promise<void> {
  try {
    await invoke('sign-out', {}, [], { quiet401: true, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    // Failures show no message (AUTH-26): the administrator is signed out in any case.
  }
  clearStored();
  session.remove();
  // A full page load, so that nothing about one person stays in memory for the next.
  window.location.assign('/');
}
