/** Who is who in the LMS, for one upload: asked one by one where few are named, else read from the list of everybody. */
import { type HeldPerson, sameLogin } from '@lms-admin/domain/sis-effect/people';
import { z } from 'zod';
import { integrationSegment, sisSegment } from '../../canvas/sis-path.ts';
import { mapLimited } from '../../platform/limited.ts';
import { ownText } from '../../platform/text.ts';
import { type Answer, type Asking, AT_ONCE, answered, FEW, id, one, text, walked } from './ask.ts';

const user = z.object({
  id,
  name: z.string(),
  sortable_name: text,
  short_name: text,
  sis_user_id: text,
  login_id: text,
  integration_id: z.string().nullish(),
  email: z.string().nullish(),
  /** Of the list with deleted people: all that somebody ever had. */
  sis_user_ids: z.string().nullish(),
  login_ids: z.string().nullish(),
});
type User = z.output<typeof user>;

/** People asked about by their integration id: no list shows these. */
const MOST_BY_INTEGRATION_ID = 10 * FEW;

export type Found = Answer<HeldPerson>;

export class PeopleOfLms {
  readonly #asking: Asking;
  readonly #byId = new Map<string, HeldPerson>();
  /** By login in lower case. */
  readonly #byLogin = new Map<string, HeldPerson>();
  /** Logins whose holder the list does not tell for certain. */
  readonly #doubtful = new Set<string>();
  readonly #asked = new Map<string, Found>();
  /** Whether the list was read to its end: then who is not in it does not exist. */
  #whole = false;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** How many people there are; null where they were not all read. */
  get all(): number | null {
    return this.#whole ? this.#count : null;
  }
  #count = 0;

  /**
   * Gets ready for questions about these.
   * @param ids SIS ids
   * @param logins in lower case
   */
  async prepare(ids: ReadonlySet<string>, logins: ReadonlySet<string>): Promise<void> {
    const questions = ids.size + logins.size;
    if (questions <= FEW || this.#asking.admin.record.perm !== 'ALL') return;
    const wanted = (
      texts: string | null | undefined,
      those: ReadonlySet<string>,
      map: (one: string) => string,
    ) =>
      (texts ?? '')
        .split(',')
        .map(map)
        .filter((one) => those.has(one));
    let every = true;
    const read = await walked(
      this.#asking,
      'accounts/1/users',
      user,
      [
        ['include[]', 'email'],
        ['include_deleted_users', 'true'],
      ],
      questions,
      (found) => {
        // Where the LMS does not tell every id, who is not found is asked about.
        if (typeof found.sis_user_ids !== 'string' || typeof found.login_ids !== 'string') every = false;
        // Who has neither is deleted: their ids are free, or bring them back.
        if (found.sis_user_id === null && found.login_id === null) return;
        this.#count++;
        const named = new Set(wanted([found.sis_user_ids, found.sis_user_id].join(), ids, (one) => one));
        const login = new Set(
          wanted([found.login_ids, found.login_id].join(), logins, (one) => one.toLowerCase()),
        );
        if (named.size === 0 && login.size === 0) return;
        const person = heldAs(found);
        for (const each of named) this.#byId.set(ownText(each), person);
        for (const each of login) {
          if (sameLogin(found.login_id, each)) this.#byLogin.set(ownText(each), person);
          // Another login of theirs, or one that was deleted: then it is free.
          else this.#doubtful.add(ownText(each));
        }
      },
    );
    this.#whole = read && every;
  }

  /** People by SIS id. @throws CanvasError when the token is refused */
  async byId(ids: Iterable<string>): Promise<(sisId: string) => Found> {
    await this.#each(
      [...new Set(ids)].filter((sisId) => !this.#whole && !this.#byId.has(sisId)),
      (sisId) => `id ${sisId}`,
      (sisId) => sisSegment('user', sisId),
    );
    return (sisId) =>
      this.#byId.get(sisId) ?? (this.#whole ? 'missing' : (this.#asked.get(`id ${sisId}`) ?? 'unread'));
  }

  /** People by login, in any letter case. @throws like `byId` */
  async byLogin(logins: Iterable<string>): Promise<(login: string) => Found> {
    const distinct = new Set([...logins].map((login) => login.toLowerCase()));
    await this.#each(
      [...distinct].filter(
        (login) => !this.#byLogin.has(login) && (!this.#whole || this.#doubtful.has(login)),
      ),
      (login) => `login ${login}`,
      (login) => sisSegment('login', login),
    );
    return (login) => {
      const key = login.toLowerCase();
      return (
        this.#byLogin.get(key) ?? this.#asked.get(`login ${key}`) ?? (this.#whole ? 'missing' : 'unread')
      );
    };
  }

  /** People by integration id, each asked about; beyond a number of them nobody is. @throws like `byId` */
  async byIntegrationId(ids: Iterable<string>): Promise<(integrationId: string) => Found> {
    const distinct = [...new Set(ids)].slice(0, MOST_BY_INTEGRATION_ID);
    await this.#each(distinct, (one) => `integration ${one}`, integrationSegment);
    return (integrationId) => this.#asked.get(`integration ${integrationId}`) ?? 'unread';
  }

  async #each(keys: readonly string[], nameOf: (key: string) => string, segmentOf: (key: string) => string) {
    const open = keys.filter((key) => !this.#asked.has(nameOf(key)));
    await mapLimited(open, AT_ONCE, async (key) => {
      const found = await answered(this.#asking, () => one(this.#asking, `users/${segmentOf(key)}`, user));
      this.#asked.set(nameOf(key), typeof found === 'object' ? heldAs(found) : found);
    });
  }
}

function heldAs(found: User): HeldPerson {
  return {
    id: found.id,
    name: ownText(found.name),
    sortableName: found.sortable_name,
    shortName: found.short_name,
    sisUserId: found.sis_user_id,
    login: found.login_id,
    // What is not shown is not compared.
    email: found.email,
    integrationId: found.integration_id,
  };
}
