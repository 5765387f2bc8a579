/** Entries with the people whom they identify. Pure. */
import type { LookupResult } from './lookup-store.ts';
import { texts } from './texts.ts';

export interface NamedEntries {
  /** Entries that match no person; none until all lookups have ended, so that nothing moves. */
  wrong: ReadonlySet<string>;
  /** Whether a lookup failed, which says nothing about the person. */
  failed: boolean;
  /** Whether all lookups have ended. */
  settled: boolean;
  /** `12 found · 1 not found`, or the progress of the lookups. */
  words: string;
  /** When the copy was created, if it provides people until the LMS has answered; null otherwise. */
  asOf: number | null;
}

/** Finds the lookup results of all entries in a field. */
export function nameEntries(
  entries: readonly string[],
  known: (entry: string) => LookupResult | undefined,
): NamedEntries {
  const counts = { found: 0, there: 0, 'not-found': 0, failed: 0 };
  const wrong = new Set<string>();
  let copied = 0;
  let asOf: number | null = null;
  for (const entry of entries) {
    const looked = known(entry);
    if (looked === undefined) continue;
    counts[looked.result === 'not-found' && looked.why !== undefined ? 'there' : looked.result]++;
    if (looked.result !== 'found') wrong.add(entry);
    else if (looked.asOf !== undefined) {
      copied++;
      asOf = looked.asOf;
    }
  }
  const done = counts.found - copied + counts.there + counts['not-found'] + counts.failed;
  const parts = [
    ...(done < entries.length ? [texts.asking(done, entries.length)] : []),
    ...(counts.found > 0 ? [texts.foundOf(counts.found)] : []),
    ...(counts['not-found'] > 0 ? [texts.notFoundOf(counts['not-found'])] : []),
    ...(counts.there > 0 ? [texts.thereOf(counts.there)] : []),
    ...(counts.failed > 0 ? [texts.failedOf(counts.failed)] : []),
  ];
  const settled = done === entries.length;
  return {
    wrong: settled ? wrong : new Set(),
    failed: counts.failed > 0,
    settled,
    words: parts.join(' · '),
    asOf,
  };
}

/** Returns the person's name or the problem, for the chip and for screen readers. Empty if there is nothing to say. */
export function wordsOf(looked: LookupResult | undefined): string {
  if (looked === undefined) return texts.looking;
  if (looked.result === 'found') return looked.person.name;
  if (looked.result === 'failed') return texts.failed;
  const { why, person } = looked;
  if (why === undefined) return texts.notFound;
  return person ? `${person.name}: ${texts.why[why]}` : texts.why[why];
}
