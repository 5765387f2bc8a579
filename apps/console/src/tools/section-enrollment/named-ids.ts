/** The ids of a section with who stands behind them. Pure. */
import type { LookedUpPerson } from '@lms-admin/contract/people';
import type { Looked } from '../../components/PeopleLookup/lookup-store.ts';
import type { ReadIds } from './assignments.ts';
import { texts } from './texts.ts';

export interface NamedId {
  id: string;
  state: Looked['result'] | 'invalid' | 'looking';
  person: LookedUpPerson | null;
}

export interface NamedIds {
  people: NamedId[];
  failed: string[];
  /** Whether nothing is on its way. */
  settled: boolean;
  /** `12 found · 1 not found`, or how far the lookups are. */
  words: string;
}

/** A list as short as this is seen at once, so it keeps the order of the text. */
const SHORT = 6;
const ORDER: Readonly<Record<NamedId['state'], number>> = {
  invalid: 0,
  failed: 1,
  'not-found': 2,
  looking: 3,
  found: 3,
};

/** Everybody in a text, what is wrong first when the list is long. */
export function listPeople({ ids, invalid }: ReadIds, known: (id: string) => Looked | undefined): NamedIds {
  const counts = { found: 0, 'not-found': 0, failed: 0, invalid: 0, looking: 0 };
  const people: NamedId[] = [];
  for (const id of invalid) people.push({ id, state: 'invalid', person: null });
  for (const id of ids) {
    const looked = known(id);
    const state = looked?.result ?? 'looking';
    people.push({ id, state, person: looked?.result === 'found' ? looked.person : null });
  }
  for (const { state } of people) counts[state]++;
  if (people.length > SHORT) people.sort((a, b) => ORDER[a.state] - ORDER[b.state]);
  const { section } = texts;
  const parts = [
    ...(counts.looking > 0 ? [section.asking(ids.length - counts.looking, ids.length)] : []),
    ...(counts.found > 0 ? [section.foundOf(counts.found)] : []),
    ...(counts['not-found'] > 0 ? [section.notFoundOf(counts['not-found'])] : []),
    ...(counts.failed > 0 ? [section.failedOf(counts.failed)] : []),
    ...(counts.invalid > 0 ? [section.invalidOf(counts.invalid)] : []),
  ];
  return {
    people,
    failed: people.filter(({ state }) => state === 'failed').map(({ id }) => id),
    settled: counts.looking === 0,
    words: parts.join(' · '),
  };
}
