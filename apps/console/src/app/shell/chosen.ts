/**
 * Clears choices on a press of a tab (SHELL-25, OP-20): the course data, the summary and the sub-account with
 * everything that depends on them. Typed entries stay, and cleared choices can be restored.
 */
import { putBack, type StoredTexts, storedTexts } from '../../api/stored-state.ts';

type Typed = Readonly<Partial<Record<string, readonly string[]>>>;

/** The cleared texts by tool, with the texts that stayed. */
export type Cleared = ReadonlyMap<string, { gone: StoredTexts; kept: StoredTexts }>;

/** Parts that depend on the exact entries: with other people they would show the wrong review. */
const TIED: readonly string[] = ['wizard', 'prepared', 'preparing', 'submission', 'knownMissing', 'draft'];

/**
 * Clears the choices of every tool. Work that has been sent is complete, so it is cleared entirely.
 * @param typed the parts of each tool that stay
 * @returns the cleared parts that can be restored; null if there were none, or only finished work
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

/** Restores the cleared parts; entries typed since then stay. */
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

/** Tells whether the work has ended, so that it can be found in Activity. */
function isEnded(parts: StoredTexts): boolean {
  return isSent(parts) && /"logged":\[[^\]]*"ended"/.test(parts.get('submission') ?? '');
}

function isSent(parts: StoredTexts): boolean {
  return /"view":"progress"/.test(parts.get('wizard') ?? '');
}
