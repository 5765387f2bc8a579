/**
 * The session as the browser sees it: the readable profile (OP-04), the one-hour check on load (AUTH-19, AUTH-20)
 * and whether the server has said that it is over (AUTH-21).
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
  /** True once any call was answered with 401: the session-expired dialog is shown. */
  loginExpired: boolean;
}

/** The profile in the text of its cookie; null when it is missing or not in the agreed shape. */
export function parseProfile(text: string | null): Profile | null {
  if (text === null) return null;
  try {
    const parsed = profileSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Whether a session that began at `time` (ms since 1970) is over on load: older than one hour (AUTH-19). */
export function isTooOld(time: number, now: number): boolean {
  return now - time > SESSION_MS;
}

let state: SessionState = { profile: null, loginExpired: false };
const watchers = new Set<() => void>();
/** The cookie as it was looked at last. */
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

  /** Takes the answer of the token exchange as the session (AUTH-11). */
  start(profile: Profile): void {
    writeCookie(COOKIES.welcome, 'false');
    set({ profile, loginExpired: false });
  },

  /** With its answers the server says when what the person may do has changed: the tabs follow. */
  follow(): void {
    const { profile } = state;
    const text = profile === null ? null : readCookie(COOKIES.profile);
    if (profile === null || text === null || text === followed) return;
    followed = text;
    const found = parseProfile(text);
    const isSame = JSON.stringify(found) === JSON.stringify(profile);
    if (found?.access_token === profile.access_token && !isSame) set({ ...state, profile: found });
  },

  /** The server answered 401: ask for a new sign-in (AUTH-21). The page stays as it is behind the dialog. */
  expire(): void {
    if (state.profile && !state.loginExpired) set({ ...state, loginExpired: true });
  },

  /** Removes the session that has expired. One that began in another tab since then is kept: the page opens with it (AUTH-22). */
  removeExpired(): void {
    const kept = parseProfile(readCookie(COOKIES.profile));
    if (kept && kept.access_token !== state.profile?.access_token) return;
    session.remove();
  },

  /** Removes the cookies that a page may remove, and forgets the profile. */
  remove(): void {
    removeCookie(COOKIES.profile);
    removeCookie(COOKIES.welcome);
    set({ profile: null, loginExpired: false });
  },
} as const;

/** Leads to the sign-in, and back to this page. */
export function signInAgain(): void {
  session.removeExpired();
  window.location.reload();
}

/** The session as it is now; renders again when it changes. */
export function useSession(): SessionState {
  return useSyncExternalStore(session.watch, session.get);
}

/** The signed-in admin. Only for what is rendered inside the signed-in part of the console. */
export function useProfile(): Profile {
  const { profile } = useSession();
  if (!profile) throw new Error('no one is signed in');
  return profile;
}

/** Whether the signed-in admin has a tool: only then may a text send them there. */
export function useHasTool(tool: ToolId): boolean {
  const { sub_account } = useProfile();
  return hasFlag(sub_account, toolById(tool).flag);
}
