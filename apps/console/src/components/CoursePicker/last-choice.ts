/** The last programme, sub-accounts and terms: kept in this browser for each administrator. */
import { z } from 'zod';
import { type Named, pickerState } from './picker-state.ts';

const shape = pickerState.pick({ subAccounts: true, terms: true }).extend({
  programme: z.object({ id: z.number(), name: z.string() }),
});
export type LastChoice = z.infer<typeof shape>;

const entry = (email: string) => `lms-admin:last-choice:${email}`;

/** Stores a choice. If storage is full or blocked, the choice is not offered next time. */
export function rememberChoice(email: string, choice: LastChoice, storage: Storage = localStorage): void {
  try {
    storage.setItem(entry(email), JSON.stringify(choice));
  } catch {
    // The choice was not stored, so it is not offered next time.
  }
}

/**
 * Finds the parts of the last choice that are still possible.
 * @param programmes open to the administrator
 * @param terms of the LMS
 * @param own programmes that are sub-accounts
 * @returns null without one, or if its programme or all its terms have become unavailable
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
  const remaining = terms.filter(({ id }) => ids.has(id));
  const subAccounts = own.has(programme.id) ? [programme] : kept.subAccounts;
  return remaining.length === 0 || subAccounts.length === 0
    ? null
    : { programme, subAccounts, terms: remaining };
}

function read(email: string, storage: Storage): LastChoice | null {
  try {
    return shape.parse(JSON.parse(storage.getItem(entry(email)) ?? ''));
  } catch {
    return null;
  }
}
