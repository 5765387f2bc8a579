/** People by e-mail address: one search each, of which only an exact login with a SIS id counts (OP-45, OP-48). */
import { user } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { emailKey } from '@lms-admin/domain/emails';
import { z } from 'zod';
import type { Admin } from '../access/admin.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import { mapLimited } from './limited.ts';

export interface FoundPerson {
  /** Id in the LMS. */
  id: number;
  name: string;
  sisUserId: string;
}

/** What a search said: the person, that there is none, or nothing because it failed. */
export type Lookup = FoundPerson | 'not-found' | 'failed';

export interface LookupOptions {
  signal: AbortSignal;
  /** Called after each address. */
  onResult?: (result: Lookup) => void;
}

/** Milliseconds that a person found stays known; people not found are asked for again, they may be created any moment. */
const KNOWN_MS = 300_000;
/** Most people kept known. */
const MAX_KNOWN = 200_000;
/** Searches handed to the client at once; the client decides how many of them are in flight. */
const AT_ONCE = 64;

const users = z.array(user);

/** Looks people up and remembers those found for a short time. One for the process. */
export class PeopleLookup {
  readonly #canvas: CanvasClient;
  readonly #known = new Map<string, { person: FoundPerson; until: number }>();

  constructor(canvas: CanvasClient) {
    this.#canvas = canvas;
  }

  /**
   * Looks up every address, in the order given.
   * @throws the signal's reason, or CanvasError `signed-out`: then no other search would succeed either
   */
  find(admin: Admin, emails: readonly string[], options: LookupOptions): Promise<Lookup[]> {
    return mapLimited(emails, AT_ONCE, async (email) => {
      const result = this.#remembered(admin, email) ?? (await this.#ask(admin, email, options.signal));
      options.onResult?.(result);
      return result;
    });
  }

  #remembered(admin: Admin, email: string): FoundPerson | undefined {
    const known = this.#known.get(keyOf(admin, email));
    return known && known.until > Date.now() ? known.person : undefined;
  }

  async #ask(admin: Admin, email: string, signal: AbortSignal): Promise<Lookup> {
    try {
      const matches = await this.#canvas.list({
        token: admin.token,
        method: 'GET',
        path: 'accounts/1/users',
        query: [
          ['search_term', email],
          ['per_page', String(LMS_PAGE_SIZE)],
        ],
        answer: users,
        signal,
      });
      const result = exactMatch(matches, email);
      if (result !== 'not-found') this.#remember(keyOf(admin, email), result);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CanvasError) || error.kind === 'signed-out') throw error;
      return 'failed';
    }
  }

  #remember(key: string, person: FoundPerson) {
    // The oldest go first: a Map keeps the order of entry.
    this.#known.delete(key);
    while (this.#known.size >= MAX_KNOWN) {
      const oldest = this.#known.keys().next();
      if (oldest.done) break;
      this.#known.delete(oldest.value);
    }
    this.#known.set(key, { person, until: Date.now() + KNOWN_MS });
  }
}

/** The one person whose login is the address; anything else than exactly one with a SIS id is nobody. */
function exactMatch(matches: readonly z.output<typeof user>[], email: string): FoundPerson | 'not-found' {
  const wanted = emailKey(email);
  const exact = matches.filter((match) => match.login_id !== null && emailKey(match.login_id) === wanted);
  const [only] = exact;
  return exact.length === 1 && only?.sis_user_id
    ? { id: only.id, name: only.name, sisUserId: only.sis_user_id }
    : 'not-found';
}

/** What is found depends on the rights of the token, so nothing is shared between the tokens. */
function keyOf(admin: Admin, email: string): string {
  return `${admin.token.bucket}\n${emailKey(email)}`;
}
