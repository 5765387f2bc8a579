/** State of the page before sign-in. Works outside React, so that a code is exchanged only once. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { messages } from '@lms-admin/contract/messages';
import { COOKIES, profile } from '@lms-admin/contract/session';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { send } from '../../api/client.ts';
import { writeCookie } from '../../api/cookies.ts';
import { ApiError } from '../../api/errors.ts';
import { keepWorkOf } from '../../api/owner.ts';
import { session } from '../../api/session.ts';
import { loadSignedIn } from '../later-parts.ts';
import { texts } from '../texts.ts';
import { leaveSignInError, type SignInError, takeSignInError } from './sign-in-error.ts';
import { decideStart, ownPath, withoutSignIn } from './start.ts';

export interface Entry {
  phase: 'welcome' | 'authenticating' | 'signed-in';
  /** The message for the welcome screen. */
  error: SignInError | null;
}

const tokenAnswer = z.object({ data: profile, returnTo: z.string().default('/') });

let entry: Entry = { phase: 'welcome', error: null };
const watchers = new Set<() => void>();

function set(next: Entry): void {
  entry = next;
  for (const watcher of watchers) watcher();
}

function welcome(): void {
  writeCookie(COOKIES.welcome, 'true');
  set({ phase: 'welcome', error: takeSignInError() });
}

/** Starts the page: called once, before anything is rendered. */
export async function enter(): Promise<void> {
  const { search, pathname, hash } = window.location;
  const found = session.load();
  const start = decideStart(search, found !== null);
  if (found) keepWorkOf(found.user.id);
  // A code can be exchanged for a session, so it is first removed from the address and the history (OP-06).
  const rest = withoutSignIn(search);
  if (rest !== search) window.history.replaceState(null, '', `${pathname}${rest}${hash}`);

  switch (start.kind) {
    case 'signed-in':
      void fetchConsole();
      set({ phase: 'signed-in', error: null });
      return;
    case 'welcome':
      welcome();
      return;
    case 'refused':
      goHomeUnfinished();
      return;
    case 'exchange':
      set({ phase: 'authenticating', error: null });
      await exchange(start.code, start.state);
  }
}

/** Loads the script of the console during the first call; a failure is shown where it is rendered. */
async function fetchConsole(): Promise<void> {
  await loadSignedIn().catch(() => undefined);
}

async function exchange(code: string, state: string | null): Promise<void> {
  const coming = fetchConsole();
  try {
    const response = await send(ENDPOINTS.token, {
      method: 'POST',
      body: { grant_type: 'authorization_code', code, ...(state === null ? {} : { state }) },
      quiet401: true,
    });
    const { data, returnTo } = tokenAnswer.parse(await response.json());
    // The sign-in text stays until something can replace it.
    await coming;
    session.start(data);
    keepWorkOf(data.user.id);
    window.history.replaceState(null, '', ownPath(returnTo, window.location.origin));
    set({ phase: 'signed-in', error: null });
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 401) {
      leaveSignInError(messages.unknownUser);
      window.history.replaceState(null, '', '/');
      welcome();
      return;
    }
    goHomeUnfinished();
  }
}

/** Goes to the application home after any other failure (AUTH-12); a text of LMS Admin explains why. */
function goHomeUnfinished(): void {
  window.history.replaceState(null, '', '/');
  leaveSignInError({ heading: texts.signInUnfinished, body: texts.signInUnfinishedNext });
  welcome();
}

export function useEntry(): Entry {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => {
        watchers.delete(watcher);
      };
    },
    () => entry,
  );
}
