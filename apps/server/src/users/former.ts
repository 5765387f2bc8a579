/** People with a deleted login: a row with its SIS ID restores them, whatever name it has (LMS reference §9.1). */
import type { LookedUpPerson } from '@lms-admin/contract/people';
import type { Admin } from '../auth/admin.ts';
import { users } from '../canvas/resources/users.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { Shared } from '../platform/shared.ts';
import { ownText } from '../platform/text.ts';

/** How long the list is reused while people are entered, in milliseconds; it is read again right before sending. */
const KNOWN_MS = 300_000;

/** All logins that a person ever had, as the list with deleted people shows them. */
interface EveryLogin {
  sis_user_id: string | null;
  sis_user_ids?: string | null | undefined;
  login_ids?: string | null | undefined;
}

/** Lists a person's SIS IDs besides their current one, each with its login if known; deleted ones are included. */
export function otherLogins(found: EveryLogin): { sisId: string; login: string | null }[] {
  const [sisIds = [], logins] = [found.sis_user_ids, found.login_ids].map((all) => (all ?? '').split(','));
  return sisIds.flatMap((sisId, at) => {
    if (sisId === '' || sisId === found.sis_user_id) return [];
    // Both lists cover the same logins if none lacks an SIS ID.
    return [{ sisId, login: sisIds.length === logins?.length ? (logins[at] ?? null) : null }];
  });
}

/** A person found by the SIS ID of a login other than their current one. */
export interface FormerOwner {
  person: LookedUpPerson;
  sortableName: string | null;
  shortName: string | null;
  /** Their current login; null for a person who is deleted altogether. */
  keeps: string | null;
}
type Former = ReadonlyMap<string, FormerOwner>;

/**
 * Deleted people by SIS ID. No search of the LMS finds them, so the list of all people is read: once for all callers,
 * and cached for a short time.
 */
export class FormerPeople {
  readonly #canvas: CanvasClient;
  readonly #lists = new Map<string, { begun: number; read: Shared<Former> }>();

  constructor(canvas: CanvasClient) {
    this.#canvas = canvas;
  }

  forgetAll(): void {
    this.#lists.clear();
  }

  /**
   * Finds the former owner of an unused SIS ID; null if there is none, or if unknown.
   * @param since reads the list again if its reading began before this moment
   * @throws CanvasError when the list cannot be read; the signal's reason
   */
  async withSisId(
    admin: Admin,
    sisId: string,
    options: { signal: AbortSignal; since?: number | undefined },
  ): Promise<LookedUpPerson | null> {
    return (await this.owner(admin, sisId, options))?.person ?? null;
  }

  /** Finds a person like `withSisId`, with other data about the person from the list. @throws like `withSisId` */
  async owner(
    admin: Admin,
    sisId: string,
    { signal, since = Date.now() - KNOWN_MS }: { signal: AbortSignal; since?: number | undefined },
  ): Promise<FormerOwner | null> {
    // The contents depend on the permissions of the token.
    const key = admin.token.bucket;
    const known = this.#lists.get(key);
    const list = known !== undefined && known.begun >= since ? known : this.#begin(admin, key);
    return (await list.read.read(signal)).get(sisId) ?? null;
  }

  #begin(admin: Admin, key: string) {
    const list = {
      begun: Date.now(),
      read: new Shared(
        (signal) => this.#read(admin, signal),
        (done) => {
          if (!done && this.#lists.get(key) === list) this.#lists.delete(key);
        },
      ),
    };
    this.#lists.set(key, list);
    return list;
  }

  async #read({ token }: Admin, signal: AbortSignal): Promise<Former> {
    const former = new Map<string, FormerOwner>();
    for await (const { data } of users({ canvas: this.#canvas, token, signal }, { deleted: true })) {
      for (const one of data) {
        for (const { sisId, login } of otherLogins(one)) {
          const person = { id: one.id, name: ownText(one.name), login_id: login, sis_user_id: null };
          const { sortable_name: sortableName, short_name: shortName, login_id: keeps } = one;
          former.set(ownText(sisId), { person, sortableName, shortName, keeps });
        }
      }
    }
    return former;
  }
}
