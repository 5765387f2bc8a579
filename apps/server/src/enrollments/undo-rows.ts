/** What an import of a plan has sent, inverted: every person goes back to the state from before, where that can be set. */
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
import type { AskedSection, OwnImports, UndoneState } from './asked-sections.ts';
import { type Dates, noDates, type Place, placeKey, plannedPlaces } from './planned-places.ts';
import { sectionWithSisId } from './read-lms.ts';

/** Sections that are looked for by their SIS ID at once. */
const AT_ONCE = 8;

/** Rows of one section with one role and status, as they were sent. */
interface SentRows {
  sisCourseId: string;
  sisSectionId: string;
  roleId: number;
  status: RowStatus;
  /** SIS IDs of people. */
  users: string[];
  /** Those of them whose row the LMS did not carry out. */
  refused: Set<string>;
}

/** A section that is to be undone, as people call it. */
export interface UndoneSection extends AskedSection {
  undoes: UndoneState;
  where: { course: string; section: string };
}

export interface UndoneRows {
  asked: UndoneSection[];
  kept: UndoPlan['kept'];
  sections: UndoPlan['sections'];
  /** Names of people, with the SIS ID where several have the same name, and their numbers in the LMS where they are kept, by their SIS IDs at the import. */
  nameOf: ReadonlyMap<string, string>;
  numbers: ReadonlyMap<string, number>;
  /** Whether the states from before are those of the review, as in imports of earlier versions. */
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
 * What has to be asked for so that an import is undone, and what of it stays as it is. By the rows that were sent and that the LMS did not
 * reject: what was left out at the last moment was never done.
 * @throws CanvasError when the LMS cannot be asked at the moment
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

/** Rows of one place of the import, with the part of the plan that held them and the section where it is now. */
interface FoundRows {
  one: SentRows;
  place?: Place;
  course: { id: number } | undefined;
  sectionId: number | null;
}

type WhyKept = UndoPlan['kept'][number]['why'];
type Where = UndoneSection['where'];

/** Gathers what becomes of each place of an import. */
class Undone {
  readonly #planned: Awaited<ReturnType<typeof plannedPlaces>>;
  readonly #ours: OwnImports;
  readonly #asked = new Map<string, UndoneSection & { undoes: { dates: Dates } }>();
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
    // It stays also where the LMS carried out none of its rows.
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
    // Everybody was sent, also those who were there: undone, that would remove them.
    if (!place || place.unread) return this.#keep(where, 'unread', users);
    if (!place.recorded) this.#asReviewed = true;
    const to = { courseId: course.id, sectionId, where };
    for (const user of users) this.#ask(user, one, place, to);
  }

  rows(): UndoneRows {
    return {
      asked: [...this.#asked.values()],
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

  /** Asks for the state that one person had before. */
  #ask(
    user: string,
    one: SentRows,
    place: Place,
    to: { courseId: number; sectionId: number; where: Where },
  ): void {
    const before = place.before.get(user) ?? usualBefore(one.status);
    const key = JSON.stringify([to.sectionId, one.roleId, before, one.status]);
    let section = this.#asked.get(key);
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
      this.#asked.set(key, section);
    }
    const { dates } = section.undoes;
    for (const when of ['before', 'left'] as const) {
      const own = place.dates[when].get(user);
      if (own) dates[when].set(user, own);
    }
  }
}

/** The rows of an import by place, as they were sent. */
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

/** The rows of one place of the import by the parts of the plan that held them: an undo has one for each state it takes back. */
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
