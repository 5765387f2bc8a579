/**
 * What is reviewed is a person; what is sent is an SIS ID, which may be passed on to someone else. So the review does not rest on
 * remembered SIS IDs that the LMS contradicts, and a row is sent only where the SIS ID is that person's still.
 */
import { emailKey } from '@lms-admin/domain/emails';
import { shown as quoted } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../auth/admin.ts';
import { CanvasError } from '../canvas/types.ts';
import type { StoredPerson } from '../plans/store.ts';
import type { FoundPerson, People } from '../users/people.ts';
import { nameOf } from './others-since.ts';
import type { ShownIds } from './read-lms.ts';

/** With the address where they were looked up by it. */
type Known = Pick<FoundPerson, 'id' | 'sisUserId'> & { email?: string };

/**
 * Whether people that were found are others by now, or have other SIS IDs: those of whom enrolments say otherwise are looked up
 * again. Then everybody who is remembered is forgotten.
 * @param found people by what they were looked up by
 * @param lookUp looks them up without memory: the person, null where there is none, 'failed' without an answer
 */
export async function areOutdated(
  people: People,
  found: ReadonlyMap<string, Known>,
  shown: ShownIds,
  lookUp: (keys: readonly string[]) => Promise<(Known | null | 'failed')[]>,
): Promise<boolean> {
  const doubtful = [...found].filter(([, person]) => shown.differs(person));
  const results = await lookUp(doubtful.map(([key]) => key));
  const isSame = ([, person]: [string, Known], now: Known | null | 'failed' = 'failed') =>
    // Without an answer there is nothing to correct; what is sent is checked again.
    now === 'failed' || (now?.id === person.id && now.sisUserId === person.sisUserId);
  if (doubtful.every((one, at) => isSame(one, results[at]))) return false;
  people.forgetFound();
  return true;
}

interface ReplacedPeople {
  admin: Admin;
  people: readonly StoredPerson[];
  /** Indexes into the people of the plan. */
  wanted: ReadonlySet<number>;
  /** Whether people were asked for by their addresses. */
  byAddress: boolean;
  shown: ShownIds;
  signal: AbortSignal;
}

/**
 * Of people with rows, those whose SIS ID is not theirs any more, or whose address is that of another person, each with a
 * sentence. Enrolments that were just read tell it of most; the others are looked up.
 * @throws CanvasError where the LMS does not say of everybody whose SIS ID it is
 */
export async function peopleReplaced(
  lookups: People,
  asked: ReplacedPeople,
): Promise<ReadonlyMap<number, string>> {
  const { replaced, logins } = await withOtherSisIds(lookups, asked);
  if (asked.byAddress) {
    const rest = new Set([...asked.wanted].filter((index) => !replaced.has(index)));
    for (const one of await withOtherAddresses(lookups, { ...asked, wanted: rest }, logins))
      replaced.set(...one);
  }
  // The next review shows who has which SIS ID now.
  if (replaced.size > 0) lookups.forgetFound();
  return replaced;
}

/** Whose SIS ID is another person's, or no one's; and the logins of the others who were looked up. */
async function withOtherSisIds(lookups: People, { admin, people, wanted, shown, signal }: ReplacedPeople) {
  const open = [...wanted].filter((index) => {
    const [, , sisId, id] = people[index] ?? ['', '', ''];
    // A plan of an earlier version keeps no number of a person.
    return id !== undefined && shown.ownerOf(sisId) !== id;
  });
  const sisIds = open.map((index) => people[index]?.[2] ?? '');
  const results = await lookups.bySisId(admin, sisIds, { signal, fresh: true });
  if (results.includes('failed')) {
    const detail = 'it did not say who all SIS IDs in the rows belong to';
    throw new CanvasError('down', { sent: 'no', detail });
  }
  const replaced = new Map<number, string>();
  const logins = new Map<number, string | null>();
  for (const [at, index] of open.entries()) {
    const [, name, sisId, id] = people[index] ?? ['', '', ''];
    const now = results[at];
    if (typeof now === 'object' && now.id === id) {
      logins.set(index, now.login_id);
      continue;
    }
    const why =
      typeof now === 'object'
        ? `the SIS ID ${quoted(sisId)} now belongs to ${now.name}.`
        : `the LMS no longer has a person with the SIS ID ${quoted(sisId)}.`;
    replaced.set(index, `${nameOf(name, sisId)} was skipped: ${why}`);
  }
  return { replaced, logins };
}

/** Whose address is that of another person. */
async function withOtherAddresses(
  lookups: People,
  { admin, people, wanted, shown, signal }: ReplacedPeople,
  logins: ReadonlyMap<number, string | null>,
): Promise<[index: number, said: string][]> {
  const moved = [...wanted].filter((index) => {
    const [email, , , id] = people[index] ?? ['', '', ''];
    if (id === undefined) return false;
    const login = logins.get(index) ?? shown.loginOf(id);
    return login !== null && emailKey(login) !== emailKey(email);
  });
  const emails = moved.map((index) => people[index]?.[0] ?? '');
  const holders = await lookups.byEmail(admin, emails, { signal, fresh: true });
  return [...moved.entries()].flatMap(([at, index]): [number, string][] => {
    const [email, name, sisId, id] = people[index] ?? ['', '', ''];
    const now = holders[at];
    // A person with another address is still the person who was reviewed; someone else with theirs may have been meant.
    if (typeof now !== 'object' || 'why' in now || now.id === id) return [];
    const why = `the address ${quoted(email)} now belongs to ${now.name}.`;
    return [[index, `${nameOf(name, sisId)} was skipped: ${why}`]];
  });
}
