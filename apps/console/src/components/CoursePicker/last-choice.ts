/** Programme, sub-accounts and terms of last time: kept in this browser for each admin, offered and never taken unasked. */
import { z } from 'zod';
import { type Named, pickerState } from './picker-state.ts';

const shape = pickerState.pick({ subAccounts: true, terms: true }).extend({
  programme: z.object({ id: z.number(), name: z.string() }),
});
export type LastChoice = z.infer<typeof shape>;

const entry = (email: string) => `lms-admin:last-choice:${email}`;

/** Keeps a choice; a full or closed storage costs the offer of next time, nothing more. */
export function rememberChoice(email: string, choice: LastChoice, storage: Storage = localStorage): void {
  try {
    storage.setItem(entry(email), JSON.stringify(choice));
  } catch {
    // Nothing is offered next time.
  }
}

/**
 * The choice of last time as far as it may be chosen today.
 * @param programmes open to the admin @param terms of the LMS @param own ids of programmes that are their own sub-account
 * @returns null without one, or where its programme or all of its terms are gone
 */
export function lastChoice(
  email: string,
  programmes: readonly Named[],
  terms: readonly Named[],
  own: ReadonlySet<number>,
  storage: Storage = localStorage,
): LastChoice | null {
  const kept = read(email, storage);
  const programme = programmes.find(({ id }) => id === kept?.programme.id);
  if (kept === null || programme === undefined) return null;
  const ids = new Set(kept.terms.map(({ id }) => id));
  const still = terms.filter(({ id }) => ids.has(id));
  const subAccounts = own.has(programme.id) ? [programme] : kept.subAccounts;
  return still.length === 0 || subAccounts.length === 0 ? null : { programme, subAccounts, terms: still };
}

function read(email: string, storage: Storage): LastChoice | null {
  try {
    return shape.parse(JSON.parse(storage.getItem(entry(email)) ?? ''));
  } catch {
    return null;
  }
}
