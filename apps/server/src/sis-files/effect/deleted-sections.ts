/** Deleted sections: the LMS shows only their names, but a row with the SIS ID restores one (LMS reference §6.4). */
import { everSections } from '../../canvas/resources/courses.ts';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { sectionById } from '../../canvas/resources/sections.ts';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE, FEW } from './ask.ts';
import { type Evaluation, removes } from './evaluation.ts';
import type { FoundSection } from './holdings.ts';
import type { CellsRow } from './upload-rows.ts';

export interface DeletedSection {
  start: string | null;
  end: string | null;
}

/** Finds deleted sections with the names of rows whose section the LMS does not have, in the first courses only. */
export async function deletedSections(
  { asking, courses }: Evaluation,
  rows: readonly CellsRow[],
  held: ReadonlyMap<string, Answer<FoundSection>>,
): Promise<(cell: CellsRow['cell']) => DeletedSection | null> {
  const wanted = new Map<number, Set<string>>();
  // If several rows have the name of one deleted section, LMS Admin cannot tell which row refers to it.
  const ids = new Map<string, Set<string>>();
  for (const { cell } of rows) {
    const home = courses.of(cell('course_id') ?? '');
    if (held.get(cell('section_id') ?? '') !== 'missing' || removes('section', cell)) continue;
    if (typeof home !== 'object' || home.state === 'deleted') continue;
    const key = keyOf(home.id, cell('name') ?? '');
    ids.set(key, (ids.get(key) ?? new Set<string>()).add(cell('section_id') ?? ''));
    const names = wanted.get(home.id) ?? new Set();
    wanted.set(home.id, names.add(cell('name') ?? ''));
  }
  const found = new Map<string, DeletedSection>();
  await mapLimited([...wanted].slice(0, FEW), AT_ONCE, async ([number, names]) => {
    const read = await answered(asking, () => everSections(asking, number));
    if (typeof read === 'string') return;
    for (const { id: of, name, start_at, end_at } of read) {
      if (!names.has(name)) continue;
      const now = await answered(asking, () => sectionById(asking, of));
      if (now === 'missing') found.set(keyOf(number, name), { start: start_at, end: end_at });
    }
  });
  return (cell) => {
    const home = courses.of(cell('course_id') ?? '');
    const key = typeof home === 'object' ? keyOf(home.id, cell('name') ?? '') : '';
    return ids.get(key)?.size === 1 ? (found.get(key) ?? null) : null;
  };
}

const keyOf = (number: number, name: string) => `${number} ${name}`;
