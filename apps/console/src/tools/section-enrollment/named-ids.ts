/** The ids of a section with who stands behind them. Pure. */
import type { LookupResult } from '../../components/PeopleLookup/lookup-store.ts';
import { texts } from './texts.ts';

export interface NamedIds {
  /** Ids that are not those of somebody, once everybody has been looked up; before that nothing moves. */
  wrong: ReadonlySet<string>;
  /** Whether a lookup failed, which says nothing about the person. */
  failed: boolean;
  /** Whether nothing is on its way. */
  settled: boolean;
  /** `12 found · 1 not found`, or how far the lookups are. */
  words: string;
}

/** What is known of everybody in a section. */
export function nameIds(ids: readonly string[], known: (id: string) => LookupResult | undefined): NamedIds {
  const found = { found: 0, 'not-found': 0, failed: 0 };
  const wrong = new Set<string>();
  for (const id of ids) {
    const result = known(id)?.result;
    if (result === undefined) continue;
    found[result]++;
    if (result !== 'found') wrong.add(id);
  }
  const done = found.found + found['not-found'] + found.failed;
  const { section } = texts;
  const parts = [
    ...(done < ids.length ? [section.asking(done, ids.length)] : []),
    ...(found.found > 0 ? [section.foundOf(found.found)] : []),
    ...(found['not-found'] > 0 ? [section.notFoundOf(found['not-found'])] : []),
    ...(found.failed > 0 ? [section.failedOf(found.failed)] : []),
  ];
  const settled = done === ids.length;
  return { wrong: settled ? wrong : new Set(), failed: found.failed > 0, settled, words: parts.join(' · ') };
}
