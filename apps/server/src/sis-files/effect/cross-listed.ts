/** Rows with a section that their course does not have: where it was cross-listed away, the LMS follows it. */
import { mapLimited } from '../../platform/limited.ts';
import type { Held, Holding, Holdings } from './holdings.ts';
import type { NamedPlace, PlacedRow } from './named-rows.ts';

/** Sections that are looked for outside the course that rows name them with. */
const MOST_LOOKED_FOR = 100;
const AT_ONCE = 8;

/** Rows, and what the LMS holds where they land. */
export interface Landing {
  place: NamedPlace;
  held: Held;
  /** Of a section that was cross-listed away: SIS id of the course that the rows name it with. */
  from: string | null;
}

/**
 * The places with such rows taken to where the LMS carries them out; rows with sections that were not looked for, or about
 * which the LMS did not say, are taken as not read.
 * @throws CanvasError when the admin's token is refused
 */
export async function followed(places: readonly Landing[], holdings: Holdings): Promise<Landing[]> {
  const strange = places.flatMap((landing) => {
    const { place, held } = landing;
    if (place.by === 'section' || typeof held !== 'object') return [];
    const sections = new Set(place.rows.map(({ section }) => section).filter((id) => isStrange(id, held)));
    return [...sections].map((id) => ({ landing, id, home: held.course.id }));
  });
  const found = await mapLimited(strange, AT_ONCE, async ({ id, home }, at): Promise<Held> => {
    const held = at < MOST_LOOKED_FOR ? await holdings.of('section', id) : 'unread';
    // A section of another course altogether: the LMS refuses the row.
    return typeof held === 'object' && held.home !== home ? 'missing' : held;
  });
  const gone: Landing[] = strange.flatMap(({ landing: { place }, id }, at) => {
    const held = found[at] ?? 'unread';
    if (held === 'missing') return [];
    return { place: partOf(place, id), held, from: typeof held === 'object' ? place.id : null };
  });
  const left = places.map((landing) => {
    const away = new Set(
      strange.flatMap((one, at) => (one.landing === landing && found[at] !== 'missing' ? one.id : [])),
    );
    if (away.size === 0) return landing;
    const rows = landing.place.rows.filter(({ section }) => !away.has(section));
    return { ...landing, place: { ...landing.place, rows, removing: removing(rows) } };
  });
  return [...left, ...gone];
}

function isStrange(section: string, { sections }: Holding): boolean {
  return section !== '' && !sections.has(section);
}

/** The rows of a course that name a section, as rows of the section. */
function partOf(place: NamedPlace, id: string): NamedPlace {
  const rows = place.rows.filter(({ section }) => section === id);
  return { by: 'section', id, rows, removing: removing(rows) };
}

function removing(rows: readonly PlacedRow[]): number {
  return rows.filter(({ status }) => status.startsWith('deleted')).length;
}
