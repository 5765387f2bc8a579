/**
 * The session as the browser sees it: the readable profile (OP-04), the one-hour check on load (AUTH-19, AUTH-20), and
 * whether the server has ended it (AUTH-21).
 */
import { COOKIES, type Profile, profile as profileSchema } from '@lms-admin/contract/session';
import { type ToolId, toolById } from '@lms-admin/contract/tools';
import { hasFlag } from '@lms-admin/domain/access';
import { SESSION_MS } from '@lms-admin/domain/constants';
import { useSyncExternalStore } from 'react';
import { readCookie, removeCookie, writeCookie } from './cookies.ts';

export interface SessionState {
  /** Null while no one is signed in. */
  profile: Profile | null;
  /** Whether a call was answered with 401: the session-expired dialog is then shown. */
  loginExpired: boolean;
}

/** Parses the profile in the text of its cookie; null when it is missing or does not match the schema. */
export function parseProfile(text: string | null): Profile | null {
  if (text === null) return null;
  try {
    const parsed = profileSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Tells whether a session that began at `time` (ms since 1970) has expired on load: older than one hour (AUTH-19). */
export function isTooOld(time: number, now: number): boolean {
  return now - time > SESSION_MS;
}

let state: SessionState = { profile: null, loginExpired: false };
const watchers = new Set<() => void>();
/** The cookie as last read. */
let followed = '';

function set(next: SessionState): void {
  state = next;
  for (const watcher of watchers) watcher();
}

/** The one session of this page. */
export const session = {
  get: (): SessionState => state,

  watch: (watcher: () => void): (() => void) => {
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
    };
  },

  /** Reads the cookie when the application loads; a session older than an hour is removed (AUTH-19). */
  load(now: number = Date.now()): Profile | null {
    const found = parseProfile(readCookie(COOKIES.profile));
    if (found && !isTooOld(found.time, now)) {
      writeCookie(COOKIES.welcome, 'false'); // AUTH-20
      set({ profile: found, loginExpired: false });
      return found;
    }
    session.remove();
    return null;
  },

  /** Stores the answer of the token exchange as the session (AUTH-11). */
  start(profile: Profile): void {
    writeCookie(COOKIES.welcome, 'false');
    set({ profile, loginExpired: false });
  },

  /** Updates the tabs after a change of access, which the server reports with its answers. */
  follow(): void {
    const { profile } = state;
    const text = profile === null ? null : readCookie(COOKIES.profile);
    if (profile === null || text === null || text === followed) return;
    followed = text;
    const found = parseProfile(text);
    const isSame = JSON.stringify(found) === JSON.stringify(profile);
    if (found?.access_token === profile.access_token && !isSame) set({ ...state, profile: found });
  },

  /** Asks for a new sign-in after a 401 (AUTH-21). The page stays as it is behind the dialog. */
  expire(): void {
    if (state.profile && !state.loginExpired) set({ ...state, loginExpired: true });
  },

  /**
   * Removes the expired session. If another tab has started a new session in the meantime, that one is kept and used
   * (AUTH-22).
   */
  removeExpired(): void {
    const kept = parseProfile(readCookie(COOKIES.profile));
    if (kept && kept.access_token !== state.profile?.access_token) return;
    session.remove();
  },

  /** Removes the cookies that scripts can access, and forgets the profile. */
  remove(): void {
    removeCookie(COOKIES.profile);
    removeCookie(COOKIES.welcome);
    set({ profile: null, loginExpired: false });
  },
} as const;

/** Goes to the sign-in, and returns to this page. */
export function renewSignIn(): void {
  session.removeExpired();
  window.location.reload();
}

/** Returns the current session; renders again when it changes. */
export function useSession(): SessionState {
  return useSyncExternalStore(session.watch, session.get);
}

/** Returns the signed-in administrator. Only for components inside the signed-in part of the console. */
export function useProfile(): Profile {
  const { profile } = useSession();
  if (!profile) throw new Error('no one is signed in');
  return profile;
}

/** Tells whether the administrator has a tool, so that a text can link to it. */
export function useHasTool(tool: ToolId): boolean {
  const { sub_account } = useProfile();
  return hasFlag(sub_account, toolById(tool).flag);
}
