/**
 * What is reviewed is a person; what is sent is a SIS ID, which may be passed on to somebody else. So the review does not rest on
 * remembered SIS IDs that the LMS contradicts, and a row is sent only where the SIS ID is that person's still.
 */
import { emailKey } from '@lms-admin/domain/emails';
import { shown as quoted } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../auth/admin.ts';
import { CanvasError } from '../canvas/types.ts';
import type { StoredPerson } from '../imports/plan-store.ts';
import type { FoundPerson, People } from '../users/people.ts';
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

/**
 * Of people with rows, those whose SIS ID is not theirs any more, or whose address is that of another person, each with a
 * sentence. Enrolments that were just read tell it of most; the others are looked up.
 * @param wanted indexes into the people of the plan
 * @param byAddress whether people were asked for by their addresses
 * @throws CanvasError where the LMS does not say of everybody whose SIS ID it is
 */
export async function peopleReplaced(
  lookups: People,
  {
    admin,
    people,
    wanted,
    byAddress,
    shown,
    signal,
  }: {
    admin: Admin;
    people: readonly StoredPerson[];
    wanted: ReadonlySet<number>;
    byAddress: boolean;
    shown: ShownIds;
    signal: AbortSignal;
  },
): Promise<ReadonlyMap<number, string>> {
  const open = [...wanted].filter((index) => {
    const [, , sisId, id] = people[index] ?? ['', '', ''];
    // A plan of an earlier version keeps no number of a person.
    return id !== undefined && shown.ownerOf(sisId) !== id;
  });
  const sisIds = open.map((index) => people[index]?.[2] ?? '');
  const results = await lookups.bySisId(admin, sisIds, { signal, fresh: true });
  if (results.includes('failed')) {
    const detail = 'it did not say of everybody whose SIS ID is in the rows';
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
        ? `the SIS ID ${quoted(sisId)} is that of ${now.name} by now.`
        : `the LMS has no person with the SIS ID ${quoted(sisId)} any more.`;
    replaced.set(index, `${name === '' ? sisId : `${name} (${sisId})`} was skipped: ${why}`);
  }
  if (byAddress) {
    const moved = [...wanted].filter((index) => {
      const [email, , , id] = people[index] ?? ['', '', ''];
      if (id === undefined || replaced.has(index)) return false;
      const login = logins.get(index) ?? shown.loginOf(id);
      return login !== null && emailKey(login) !== emailKey(email);
    });
    const emails = moved.map((index) => people[index]?.[0] ?? '');
    const holders = await lookups.byEmail(admin, emails, { signal, fresh: true });
    for (const [at, index] of moved.entries()) {
      const [email, name, sisId, id] = people[index] ?? ['', '', ''];
      const now = holders[at];
      // A person with another address is still the person who was reviewed; somebody else with theirs may have been meant.
      if (typeof now !== 'object' || 'why' in now || now.id === id) continue;
      replaced.set(
        index,
        `${name === '' ? sisId : `${name} (${sisId})`} was skipped: the address ${quoted(email)} is that of ${now.name} by now.`,
      );
    }
  }
  // The next review shows who has which SIS ID now.
  if (replaced.size > 0) lookups.forgetFound();
  return replaced;
}
