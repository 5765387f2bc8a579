/** Rows of enrolments compared with the places they name. */
import { enrolmentEffects, type RowEffect } from '@lms-admin/domain/sis-effects';
import type { Admin } from '../../auth/admin.ts';
import { mapLimited } from '../../platform/limited.ts';
import type { CheckServices } from '../policies/policy.ts';
import { readRoleNames } from '../role-names.ts';
import type { Held, Holding, Holdings } from './holdings.ts';
import type { NamedPlace, PlacedRow } from './named-rows.ts';

/** Places that are read for one upload: those that lose most first. */
const MOST_PLACES = 200;
const AT_ONCE = 8;
/** People who are asked about because the places do not show them under the SIS id of the row. */
const MOST_ASKED = 500;

export interface ComparedRow {
  place: NamedPlace;
  one: PlacedRow;
  effect: RowEffect;
  /** Nobody in the LMS has the SIS id. */
  nobody: boolean;
}

export interface ComparedPlace {
  place: NamedPlace;
  held: Held;
  rows: ComparedRow[];
}

/** @throws CanvasError when the admin's token is refused */
export async function compareEnrolments(
  services: CheckServices,
  admin: Admin,
  places: readonly NamedPlace[],
  holdings: Holdings,
  signal: AbortSignal,
): Promise<ComparedPlace[]> {
  const rolesNamed = places.some(({ rows }) => rows.some(({ roleName }) => roleName !== ''))
    ? await readRoleNames(services.canvas, admin, signal)
    : () => [];
  const ordered = [...places].sort((a, b) => b.removing - a.removing || b.rows.length - a.rows.length);
  const held = await mapLimited(
    ordered,
    AT_ONCE,
    async (place, at): Promise<Held> => (at < MOST_PLACES ? holdings.of(place.by, place.id) : 'unread'),
  );
  const people = await unseenPeople(services, admin, ordered, held, signal);
  return ordered.map((place, at) => {
    const found = held[at] ?? 'unread';
    const rows = place.rows.map((one) => ({
      ...one,
      roles: one.roleId === '' ? rolesNamed(one.roleName) : [Number(one.roleId)],
    }));
    const effects = enrolmentEffects(rows, typeof found === 'object' ? seenAs(found, people) : null);
    return {
      place,
      held: found,
      rows: place.rows.map((one, index) => ({
        place,
        one,
        effect: effects[index] ?? { does: 'works' },
        nobody: people.get(one.user) === null,
      })),
    };
  });
}

/** Numbers of people by SIS id; null for nobody, `unsure` where it was not asked, or not said. */
type Unseen = ReadonlyMap<string, number | null | 'unsure'>;

/** An enrolment may show another of a person's SIS ids, or none: whom a place does not show is asked about. */
async function unseenPeople(
  { people }: CheckServices,
  admin: Admin,
  places: readonly NamedPlace[],
  held: readonly Held[],
  signal: AbortSignal,
): Promise<Unseen> {
  const unseen = new Set<string>();
  for (const [at, { rows }] of places.entries()) {
    const found = held[at];
    if (typeof found !== 'object') continue;
    const shown = new Set(found.enrolments.map((one) => one.user));
    for (const { user } of rows) if (!shown.has(user)) unseen.add(user);
  }
  const asked = [...unseen].slice(0, MOST_ASKED);
  const answers = await people.bySisId(admin, asked, { signal });
  const known = new Map<string, number | null | 'unsure'>([...unseen].map((id) => [id, 'unsure']));
  for (const [at, id] of asked.entries()) {
    const answer = answers[at];
    if (answer === 'not-found') known.set(id, null);
    else if (typeof answer === 'object') known.set(id, answer.id);
  }
  return known;
}

/** The place as the rows name its people. */
function seenAs({ enrolments, sections, defaultSection }: Holding, people: Unseen) {
  const nameOf = new Map<number, string>();
  for (const [sisId, id] of people) if (typeof id === 'number') nameOf.set(id, sisId);
  return {
    enrolments: enrolments.map((one) => ({ ...one, user: nameOf.get(one.userId) ?? one.user })),
    sections,
    defaultSection,
    unsure: (user: string) => people.get(user) === 'unsure',
  };
}
