/** People whose login was deleted: a row with its SIS ID brings them back, under whatever name it has (LMS reference §9.1). */
import type { LookedUpPerson } from '@lms-admin/contract/people';
import type { Admin } from '../auth/admin.ts';
import { users } from '../canvas/resources/users.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { Shared } from '../platform/shared.ts';
import { ownText } from '../platform/text.ts';

/** Milliseconds for which the list is good enough while people are entered; it is read again right before something is sent. */
const KNOWN_MS = 300_000;

/** What the list with deleted people tells of all that someone ever had. */
interface EveryLogin {
  sis_user_id: string | null;
  sis_user_ids?: string | null | undefined;
  login_ids?: string | null | undefined;
}

/** SIS IDs of someone beside the one that they go by, each with its login where that is known: deleted ones are among them. */
export function otherLogins(found: EveryLogin): { sisId: string; login: string | null }[] {
  const [sisIds = [], logins] = [found.sis_user_ids, found.login_ids].map((all) => (all ?? '').split(','));
  return sisIds.flatMap((sisId, at) => {
    if (sisId === '' || sisId === found.sis_user_id) return [];
    // The two lists are of the same logins where no one lacks an SIS ID.
    return [{ sisId, login: sisIds.length === logins?.length ? (logins[at] ?? null) : null }];
  });
}

/** A person by the SIS ID of a login that is not the one that they go by. */
export interface FormerOwner {
  person: LookedUpPerson;
  sortableName: string | null;
  shortName: string | null;
  /** The login that they go by; null for someone who is deleted altogether. */
  keeps: string | null;
}
type Former = ReadonlyMap<string, FormerOwner>;

/**
 * Deleted people by SIS ID. The LMS finds them by no search for it, so the list of everybody is read: once for all who ask, and
 * remembered for a short time.
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
   * Who had this SIS ID, which no one has now; null for no one, and where the LMS does not tell.
   * @param since the list is read again where it was begun before this moment
   * @throws CanvasError when the list cannot be read; the signal's reason
   */
  async withSisId(
    admin: Admin,
    sisId: string,
    options: { signal: AbortSignal; since?: number | undefined },
  ): Promise<LookedUpPerson | null> {
    return (await this.owner(admin, sisId, options))?.person ?? null;
  }

  /** The same, with what else the list tells of them. @throws like `withSisId` */
  async owner(
    admin: Admin,
    sisId: string,
    { signal, since = Date.now() - KNOWN_MS }: { signal: AbortSignal; since?: number | undefined },
  ): Promise<FormerOwner | null> {
    // What is told depends on the rights of the token.
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
