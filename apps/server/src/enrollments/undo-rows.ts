/** The reverse of an import's rows: each person returns to their previous state if it can be set. */
import type { UndoPlan } from '@lms-admin/contract/enrollments';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { isRowStatus, type RowStatus, usualBefore } from '@lms-admin/domain/enrollment-states';
import type { Admin } from '../auth/admin.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { refusedRows } from '../imports/refused-rows.ts';
import { storedRows } from '../imports/stored-rows.ts';
import type { StoredPlan } from '../plans/store.ts';
import type { Db } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';
import { type Dates, noDates, type Place, placeKey, plannedPlaces } from './planned-places.ts';
import { sectionWithSisId } from './read-lms.ts';
import type { OwnImports, RequestedSection, UndoneState } from './requested-sections.ts';

/** Number of sections looked up by SIS ID at once. */
const AT_ONCE = 8;

/** Rows of one section with one role and status, as sent. */
interface SentRows {
  sisCourseId: string;
  sisSectionId: string;
  roleId: number;
  status: RowStatus;
  /** SIS IDs of people. */
  users: string[];
  /** People whose rows the LMS did not apply. */
  refused: Set<string>;
}

/** A section to undo, with its name for people. */
export interface UndoneSection extends RequestedSection {
  undoes: UndoneState;
  where: { course: string; section: string };
}

export interface UndoneRows {
  requested: UndoneSection[];
  kept: UndoPlan['kept'];
  sections: UndoPlan['sections'];
  /** People's names by SIS ID at the import (with the SIS ID if several share a name), and their user ids if known. */
  nameOf: ReadonlyMap<string, string>;
  numbers: ReadonlyMap<string, number>;
  /** Whether the previous states are from the review, as in imports of earlier versions. */
  asReviewed: boolean;
}

interface Sent {
  admin: Admin;
  importId: string;
  ours: OwnImports;
  plan: Pick<StoredPlan, 'id' | 'roleId' | 'status'>;
  signal: AbortSignal;
}

/**
 * Returns the changes that undo an import, and the parts that stay. Based on the rows that were sent and not rejected
 * by the LMS: rows skipped at the last moment had no effect.
 * @throws CanvasError if the LMS is unavailable
 */
export async function undoneRows(
  services: { db: Db; canvas: CanvasClient },
  sent: Sent,
): Promise<UndoneRows> {
  const { db, canvas } = services;
  const rows = await sentRowsOf(db, sent.importId);
  const planned = await plannedPlaces(db, sent.plan);
  const found = await mapLimited(rows, AT_ONCE, async (one) => {
    const course = planned.courses.get(one.sisCourseId);
    const places = course?.places.get(placeKey(one.sisSectionId, one.roleId, one.status));
    const sectionId =
      course && (places?.[0]?.section ?? (await sectionWithSisId(canvas, one.sisSectionId, course.id, sent)));
    return byPlace(one, places).map((part) => ({ ...part, course, sectionId: sectionId ?? null }));
  });
  const undone = new Undone(planned, sent.ours);
  for (const place of found.flat()) undone.add(place);
  return undone.rows();
}

/** Rows of one place of the import, with the part of the plan that held them and the section's current number. */
interface FoundRows {
  one: SentRows;
  place?: Place;
  course: { id: number } | undefined;
  sectionId: number | null;
}

type WhyKept = UndoPlan['kept'][number]['why'];
type Where = UndoneSection['where'];

/** Collects the result for each place of an import. */
class Undone {
  readonly #planned: Awaited<ReturnType<typeof plannedPlaces>>;
  readonly #ours: OwnImports;
  readonly #requested = new Map<string, UndoneSection & { undoes: { dates: Dates } }>();
  readonly #kept: UndoPlan['kept'] = [];
  readonly #sections: UndoPlan['sections'] = [];
  readonly #changedSections = new Set<number>();
  #asReviewed = false;

  constructor(planned: Awaited<ReturnType<typeof plannedPlaces>>, ours: OwnImports) {
    this.#planned = planned;
    this.#ours = ours;
  }

  add(found: FoundRows): void {
    const { one, course, place, sectionId } = found;
    const where = { course: one.sisCourseId, section: place?.name ?? one.sisSectionId };
    // The change to the section remains even if the LMS applied none of its rows.
    if (place?.what && sectionId !== null && !this.#changedSections.has(sectionId)) {
      this.#changedSections.add(sectionId);
      this.#sections.push({ ...where, what: place.what });
    }
    const carried = one.users.filter((user) => !one.refused.has(user));
    const passed = carried.filter((user) => place?.passed.has(user));
    const users = carried.filter((user) => !place?.passed.has(user));
    if (passed.length > 0) this.#keep(where, 'another-person', passed);
    if (users.length === 0) return;
    if (!course || sectionId === null) return this.#keep(where, 'lost', users);
    if (place?.astray) return this.#keep(where, 'elsewhere', users);
    // Rows were sent for everyone, including people already enrolled, whom an undo would remove.
    if (!place || place.unread) return this.#keep(where, 'unread', users);
    if (!place.recorded) this.#asReviewed = true;
    const to = { courseId: course.id, sectionId, where };
    for (const user of users) this.#ask(user, one, place, to);
  }

  rows(): UndoneRows {
    return {
      requested: [...this.#requested.values()],
      kept: this.#kept,
      sections: this.#sections,
      nameOf: this.#planned.nameOf,
      numbers: this.#planned.numbers,
      asReviewed: this.#asReviewed,
    };
  }

  #keep(where: Where, why: WhyKept, users: readonly string[]): void {
    const who = users.map((user) => ({ person: this.#planned.nameOf.get(user) || user, state: '' }));
    this.#kept.push({ ...where, people: users.length, why, who });
  }

  /** Requests the state that one person had before the import. */
  #ask(
    user: string,
    one: SentRows,
    place: Place,
    to: { courseId: number; sectionId: number; where: Where },
  ): void {
    const before = place.before.get(user) ?? usualBefore(one.status);
    const key = JSON.stringify([to.sectionId, one.roleId, before, one.status]);
    let section = this.#requested.get(key);
    if (section) section.users.push(user);
    else {
      section = {
        ...to,
        roleId: one.roleId,
        // No row is sent for a state that cannot be set.
        status: isRowStatus(before) ? before : 'deleted',
        users: [user],
        undoes: { before, left: one.status, dates: noDates(), ours: this.#ours },
        named: one.sisSectionId !== '',
      };
      this.#requested.set(key, section);
    }
    const { dates } = section.undoes;
    for (const when of ['before', 'left'] as const) {
      const own = place.dates[when].get(user);
      if (own) dates[when].set(user, own);
    }
  }
}

/** Returns the rows of an import by place, as they were sent. */
async function sentRowsOf(db: Db, importId: string): Promise<SentRows[]> {
  const places = new Map<string, SentRows>();
  const refused = await refusedRows(db, importId);
  let header: readonly string[] = [];
  for await (const batch of storedRows(db, importId)) {
    for (const row of batch) {
      if (row.row === 1) header = row.cells;
      else take(places, header, row, refused.has(row.row));
    }
  }
  return [...places.values()];
}

function take(
  places: Map<string, SentRows>,
  header: readonly string[],
  { cells }: CsvRow,
  isRefused: boolean,
): void {
  const cell = (name: string) => cells[header.indexOf(name)] ?? '';
  const status = cell('status');
  if (!isRowStatus(status)) return;
  const [sisCourseId, sisSectionId, roleId] = [
    cell('course_id'),
    cell('section_id'),
    Number(cell('role_id')),
  ];
  const key = JSON.stringify([sisCourseId, sisSectionId, roleId, status]);
  const fresh = { sisCourseId, sisSectionId, roleId, status, users: [], refused: new Set<string>() };
  const place: SentRows = places.get(key) ?? fresh;
  place.users.push(cell('user_id'));
  if (isRefused) place.refused.add(cell('user_id'));
  places.set(key, place);
}

/** Splits the rows of one place by the parts of the plan that held them: an undo has a part for each state. */
function byPlace(one: SentRows, places: readonly Place[] | undefined): { one: SentRows; place?: Place }[] {
  if (places === undefined) return [{ one }];
  const parts = new Map<Place | undefined, string[]>();
  for (const user of one.users) {
    const place = places.find(({ who }) => who === null || who.has(user)) ?? places[0];
    const users = parts.get(place);
    if (users) users.push(user);
    else parts.set(place, [user]);
  }
  return [...parts].map(([place, users]) => ({ one: { ...one, users }, ...(place && { place }) }));
}
