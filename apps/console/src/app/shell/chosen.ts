/**
 * What a press on a tab clears (SHELL-25, OP-20): the course data, the summary and the sub-account with all that depends on
 * them. What people typed stays, and what was cleared can be had back.
 */
import { putBack, type StoredTexts, storedTexts } from '../../api/stored-state.ts';

type Typed = Readonly<Partial<Record<string, readonly string[]>>>;

/** What was cleared, by tool, with what was kept beside it then. */
export type Cleared = ReadonlyMap<string, { gone: StoredTexts; kept: StoredTexts }>;

/** Parts that belong to exactly what was entered then: with other people they would show a plan that is not theirs. */
const TIED: readonly string[] = ['wizard', 'prepared', 'preparing', 'submission', 'knownMissing', 'draft'];

/**
 * Clears what was chosen in every tool. What was sent already is no one's unfinished work, and is cleared with all of it.
 * @param typed the parts of each tool that stay
 * @returns what was cleared and may be wanted back; null when there was nothing, or only work that has ended
 */
export function clearChosen(typed: Typed, storage?: Storage): Cleared | null {
  const cleared = new Map<string, { gone: StoredTexts; kept: StoredTexts }>();
  for (const [tool, parts] of storedTexts(storage)) {
    const stays = isSent(parts) ? [] : (typed[tool] ?? []);
    const gone = new Map([...parts].filter(([part]) => !stays.includes(part)));
    const kept = new Map([...parts].filter(([part]) => stays.includes(part)));
    if (gone.size === 0) continue;
    if (!isEnded(parts)) cleared.set(tool, { gone, kept });
    putBack(tool, new Map([...gone.keys()].map((part) => [part, null])), storage);
  }
  return cleared.size === 0 ? null : cleared;
}

/** Puts back what was cleared; what has been typed since stays as it is. */
export function bringBack(cleared: Cleared, typed: Typed, storage?: Storage): void {
  const now = storedTexts(storage);
  for (const [tool, { gone, kept }] of cleared) {
    const parts = now.get(tool) ?? new Map<string, string>();
    const stays = typed[tool] ?? [];
    const same = stays.every((part) => parts.get(part) === kept.get(part));
    const back = [...gone].filter(([part]) => same || (!TIED.includes(part) && !parts.has(part)));
    putBack(tool, new Map(isSent(gone) && !same ? [] : back), storage);
  }
}

/** Ended work is found in Activity. */
function isEnded(parts: StoredTexts): boolean {
  return isSent(parts) && /"logged":\[[^\]]*"ended"/.test(parts.get('submission') ?? '');
}

function isSent(parts: StoredTexts): boolean {
  return /"view":"progress"/.test(parts.get('wizard') ?? '');
}
