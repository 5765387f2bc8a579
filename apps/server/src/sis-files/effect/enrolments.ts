/** Rows of enrolments compared with the places they name. */
import { enrolmentEffects, type RowEffect } from '@lms-admin/domain/sis-effects';
import type { Admin } from '../../auth/admin.ts';
import { readRoleNames } from '../../enrollments/role-names.ts';
import { mapLimited } from '../../platform/limited.ts';
import type { CheckServices } from '../policies/policy.ts';
import { followed, type Landing } from './cross-listed.ts';
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

/** A place where rows land, with what each of them does there. */
export interface ComparedPlace extends Landing {
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
    ? await readRoleNames(services.canvas, admin.token, signal)
    : () => [];
  const ordered = [...places].sort((a, b) => b.removing - a.removing || b.rows.length - a.rows.length);
  const read = await mapLimited(
    ordered,
    AT_ONCE,
    async (place, at): Promise<Held> => (at < MOST_PLACES ? holdings.of(place.by, place.id) : 'unread'),
  );
  const landed = await followed(
    ordered.map((place, at) => ({ place, held: read[at] ?? 'unread', from: null })),
    holdings,
  );
  const people = await unseenPeople(services, admin, landed, signal);
  return landed.map(({ place, held: found, from }) => {
    const rows = place.rows.map((one) => ({
      ...one,
      roles: one.roleId === '' ? rolesNamed(one.roleName) : [Number(one.roleId)],
    }));
    const effects = enrolmentEffects(rows, typeof found === 'object' ? seenAs(found, people) : null);
    return {
      place,
      held: found,
      from,
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
  places: readonly Landing[],
  signal: AbortSignal,
): Promise<Unseen> {
  const unseen = new Set<string>();
  for (const { place, held } of places) {
    if (typeof held !== 'object') continue;
    const shown = new Set(held.enrolments.map((one) => one.user));
    for (const { user } of place.rows) if (!shown.has(user)) unseen.add(user);
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
