/**
 * The review shows a person, but the row that is sent names an SIS ID, which can be given to another person. So the
 * review ignores cached SIS IDs that the LMS contradicts, and a row is sent only if the SIS ID still belongs to that
 * person.
 */
import { emailKey } from '@lms-admin/domain/emails';
import { shown as quoted } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../auth/admin.ts';
import { CanvasError } from '../canvas/types.ts';
import type { CopiedPeople } from '../directory/copied-people.ts';
import type { StoredPerson } from '../plans/store.ts';
import type { FoundPerson, Lookup, People, Unreachable } from '../users/people.ts';
import { nameOf } from './others-since.ts';
import type { ShownIds } from './read-lms.ts';

/** Includes the address if the person was looked up by it. */
type Known = Pick<FoundPerson, 'id' | 'sisUserId'> & { email?: string };

/**
 * Checks whether cached people have changed or have other SIS IDs: people whose enrolments contradict the cache are
 * looked up again. If so, clears the whole cache.
 * @param found people by the text they were looked up by
 * @param lookUp looks them up without the cache: the person, null if there is none, 'failed' without an answer
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
    // Without an answer, nothing can be corrected; the rows are checked again before sending.
    now === 'failed' || (now?.id === person.id && now.sisUserId === person.sisUserId);
  if (doubtful.every((one, at) => isSame(one, results[at]))) return false;
  people.forgetFound();
  return true;
}

interface ReplacedPeople {
  admin: Admin;
  people: readonly StoredPerson[];
  /** Indexes into the people in the plan. */
  wanted: ReadonlySet<number>;
  /** People who no longer have the enrolment to remove: they are only reported if their SIS ID has another owner. */
  left: ReadonlySet<number>;
  /** Whether people were requested by address. */
  byAddress: boolean;
  shown: ShownIds;
  signal: AbortSignal;
}

/**
 * Returns people with rows whose SIS ID or address now belongs to another person, each with a sentence. Enrolments that
 * were just read answer this for most people; the others are looked up. People from the directory's copy are checked
 * even without a row: with current data they might have one.
 * @throws CanvasError if the LMS does not return the owner of every SIS ID
 */
export async function peopleReplaced(
  { people: lookups, copied: copy }: { people: People; copied: CopiedPeople },
  replacedPeople: ReplacedPeople,
): Promise<ReadonlyMap<number, string>> {
  const { people, wanted, byAddress } = replacedPeople;
  const copied = people.flatMap(([, , , , isCopied], index) => (isCopied ? index : []));
  const changed = byAddress ? await changedCopies(lookups, replacedPeople, copied) : [];
  // Looking up an address also returns the SIS ID.
  const unchecked = byAddress
    ? [...wanted].filter((index) => !people[index]?.[4])
    : [...new Set([...wanted, ...copied])];
  const { replaced, logins } = await withOtherSisIds(lookups, {
    ...replacedPeople,
    wanted: new Set(unchecked),
  });
  if (byAddress) {
    const rest = new Set(unchecked.filter((index) => !replaced.has(index)));
    for (const one of await withOtherAddresses(lookups, { ...replacedPeople, wanted: rest }, logins))
      replaced.set(...one);
  }
  for (const one of changed) replaced.set(...one);
  // Makes the next review read current SIS IDs.
  if (replaced.size > 0) lookups.forgetFound();
  await copy.forget(copied.flatMap((index) => (replaced.has(index) ? (people[index]?.[3] ?? []) : [])));
  return replaced;
}

/** Returns people from the copy whom the LMS does not find by their address, or finds with a different SIS ID. */
async function changedCopies(
  lookups: People,
  { admin, people, wanted, signal }: ReplacedPeople,
  copied: readonly number[],
): Promise<[index: number, message: string][]> {
  const emails = copied.map((index) => people[index]?.[0] ?? '');
  const results = await lookups.byEmail(admin, emails, { signal, fresh: true });
  return [...copied.entries()].flatMap(([at, index]): [number, string][] => {
    const [email, name, sisId, id] = people[index] ?? ['', '', ''];
    const now = results[at] ?? 'failed';
    if (now === 'failed' && wanted.has(index)) throw unanswered('it did not return everyone in the rows');
    if (typeof now === 'object' && !('why' in now) && now.id === id && now.sisUserId === sisId) return [];
    return [[index, `${nameOf(name, sisId)} was skipped: ${whyChanged(now, id, email)}`]];
  });
}

function whyChanged(now: Lookup<FoundPerson | Unreachable>, id: number | undefined, email: string): string {
  if (now === 'failed') return 'the LMS did not return this person before the import was sent.';
  if (typeof now !== 'object') return `the LMS no longer finds anyone with the address ${quoted(email)}.`;
  if (!('why' in now))
    return now.id === id
      ? `their SIS ID is now ${quoted(now.sisUserId)}.`
      : `the address ${quoted(email)} now belongs to ${now.name}.`;
  if (now.why === 'several') return `several people now have the address ${quoted(email)}.`;
  return now.why === 'no-sis-id'
    ? `the person with the address ${quoted(email)} does not have an SIS ID any more.`
    : `the address ${quoted(email)} is no longer anyone’s login.`;
}

function unanswered(detail: string): CanvasError {
  return new CanvasError('down', { sent: 'no', detail });
}

/**
 * Returns people whose SIS ID belongs to another person or to no one, and the logins of the others who were looked
 * up.
 */
async function withOtherSisIds(
  lookups: People,
  { admin, people, wanted, left, shown, signal }: ReplacedPeople,
) {
  const open = [...new Set([...wanted, ...left])].filter((index) => {
    const [, , sisId, id] = people[index] ?? ['', '', ''];
    // Plans of earlier versions have no user ids.
    return id !== undefined && shown.ownerOf(sisId) !== id;
  });
  const sisIds = open.map((index) => people[index]?.[2] ?? '');
  const results = await lookups.bySisId(admin, sisIds, { signal, fresh: true });
  if (results.includes('failed')) throw unanswered('it did not return the owners of all SIS IDs in the rows');
  const replaced = new Map<number, string>();
  const logins = new Map<number, string | null>();
  for (const [at, index] of open.entries()) {
    const [, name, sisId, id] = people[index] ?? ['', '', ''];
    const now = results[at];
    if (typeof now === 'object' && now.id === id) {
      logins.set(index, now.login_id);
      continue;
    }
    if (typeof now !== 'object' && !wanted.has(index)) continue;
    const why =
      typeof now === 'object'
        ? `the SIS ID ${quoted(sisId)} now belongs to ${now.name}.`
        : `the LMS no longer has a person with the SIS ID ${quoted(sisId)}.`;
    replaced.set(index, `${nameOf(name, sisId)} was skipped: ${why}`);
  }
  return { replaced, logins };
}

/** Returns people whose address belongs to another person. */
async function withOtherAddresses(
  lookups: People,
  { admin, people, wanted, shown, signal }: ReplacedPeople,
  logins: ReadonlyMap<number, string | null>,
): Promise<[index: number, message: string][]> {
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
    // A person with a new address is still the person reviewed, but the address's new owner may have been meant.
    if (typeof now !== 'object' || 'why' in now || now.id === id) return [];
    const why = `the address ${quoted(email)} now belongs to ${now.name}.`;
    return [[index, `${nameOf(name, sisId)} was skipped: ${why}`]];
  });
}
