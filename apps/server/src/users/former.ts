/** People whose login was deleted: a row with its SIS id brings them back, under whatever name it has (LMS reference §9.1). */
import { user } from '@lms-admin/contract/canvas-objects';
import type { LookedUpPerson } from '@lms-admin/contract/people';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { Shared } from '../platform/shared.ts';
import { ownText } from '../platform/text.ts';

/** Milliseconds for which the list is good enough while people are entered; it is read again right before something is sent. */
const KNOWN_MS = 300_000;

/** What the list with deleted people tells of all that somebody ever had. */
interface EveryLogin {
  sis_user_id: string | null;
  sis_user_ids?: string | null | undefined;
  login_ids?: string | null | undefined;
}

/** SIS ids of somebody beside the one that they go by, each with its login where that is known: deleted ones are among them. */
export function otherLogins(found: EveryLogin): { sisId: string; login: string | null }[] {
  const [sisIds = [], logins] = [found.sis_user_ids, found.login_ids].map((all) => (all ?? '').split(','));
  return sisIds.flatMap((sisId, at) => {
    if (sisId === '' || sisId === found.sis_user_id) return [];
    // The two lists are of the same logins where nobody lacks a SIS id.
    return [{ sisId, login: sisIds.length === logins?.length ? (logins[at] ?? null) : null }];
  });
}

const listed = z.array(
  user.extend({
    sis_user_ids: z.string().nullish(),
    login_ids: z.string().nullish(),
    sortable_name: z.string().nullish(),
    short_name: z.string().nullish(),
  }),
);

/** A person by the SIS id of a login that is not the one that they go by. */
export interface FormerOwner {
  person: LookedUpPerson;
  sortableName: string | null;
  shortName: string | null;
  /** The login that they go by; null for somebody who is deleted altogether. */
  keeps: string | null;
}
type Former = ReadonlyMap<string, FormerOwner>;

/**
 * Deleted people by SIS id. The LMS finds them by no search for it, so the list of everybody is read: once for all who ask, and
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
   * Who had this SIS id, which nobody has now; null for nobody, and where the LMS does not tell.
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
    const pages = this.#canvas.pages({
      token,
      method: 'GET',
      path: 'accounts/1/users',
      query: [
        ['include_deleted_users', 'true'],
        ['per_page', String(LMS_PAGE_SIZE)],
      ],
      answer: listed,
      signal,
    });
    for await (const { data } of pages) {
      for (const one of data) {
        for (const { sisId, login } of otherLogins(one)) {
          const person = { id: one.id, name: ownText(one.name), login_id: login, sis_user_id: null };
          const [sortableName, shortName] = [one.sortable_name ?? null, one.short_name ?? null];
          former.set(ownText(sisId), { person, sortableName, shortName, keeps: one.login_id });
        }
      }
    }
    return former;
  }
}
