/** What an import of a plan has sent, inverted: every person goes back to the state from before, where that can be set. */
import type { UndoPlan } from '@lms-admin/contract/enrollments';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import {
  type DatedPeople,
  type EnrollmentDates,
  type EnrollmentState,
  isRowStatus,
  type RowStatus,
  usualBefore,
} from '@lms-admin/domain/enrollment-states';
import type { Admin } from '../auth/admin.ts';
import type { CanvasClient } from '../canvas/types.ts';
import {
  readPlanCourses,
  readPlanPeople,
  type StoredPerson,
  type StoredPlan,
} from '../imports/plan-store.ts';
import { refusedRows } from '../imports/refused-rows.ts';
import { storedRows } from '../imports/stored-rows.ts';
import type { Db } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';
import type { AskedSection, OwnImports, UndoneState } from './asked-sections.ts';
import { nameOf as personOf } from './others-since.ts';
import type { StoredRows } from './plan-store.ts';
import { sectionWithSisId } from './read-lms.ts';

/** Sections that are looked for by their SIS id at once. */
const AT_ONCE = 8;

/** Rows of one section with one role and status, as they were sent. */
interface SentRows {
  sisCourseId: string;
  sisSectionId: string;
  roleId: number;
  status: RowStatus;
  /** SIS ids of people. */
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
  const result: UndoneRows = {
    asked: [],
    kept: [],
    sections: [],
    nameOf: planned.nameOf,
    numbers: planned.numbers,
    asReviewed: false,
  };
  const asked = new Map<string, UndoneSection & { undoes: { dates: Dates } }>();
  const changedSections = new Set<number>();
  for (const { one: sentThere, course, place, sectionId } of found.flat()) {
    const where = { course: sentThere.sisCourseId, section: place?.name ?? sentThere.sisSectionId };
    // It stays also where the LMS carried out none of its rows.
    if (place?.what && sectionId !== null && !changedSections.has(sectionId)) {
      changedSections.add(sectionId);
      result.sections.push({ ...where, what: place.what });
    }
    const carried = sentThere.users.filter((user) => !sentThere.refused.has(user));
    const passed = carried.filter((user) => place?.passed.has(user));
    const one = { ...sentThere, users: carried.filter((user) => !place?.passed.has(user)) };
    const keep = (why: UndoPlan['kept'][number]['why'], users = one.users) =>
      result.kept.push({
        ...where,
        people: users.length,
        why,
        who: users.map((user) => ({ person: planned.nameOf.get(user) || user, state: '' })),
      });
    if (passed.length > 0) keep('another-person', passed);
    if (one.users.length === 0) continue;
    if (!course || sectionId === null) {
      keep('lost');
      continue;
    }
    if (place?.astray) {
      keep('elsewhere');
      continue;
    }
    // Everybody was sent, also those who were there: undone, that would remove them.
    if (!place || place.unread) {
      keep('unread');
      continue;
    }
    if (!place.recorded) result.asReviewed = true;
    for (const user of one.users) {
      const before = place.before.get(user) ?? usualBefore(one.status);
      const key = JSON.stringify([sectionId, one.roleId, before, one.status]);
      let section = asked.get(key);
      if (section) section.users.push(user);
      else {
        section = {
          courseId: course.id,
          sectionId,
          roleId: one.roleId,
          // No row is sent for a state that cannot be set.
          status: isRowStatus(before) ? before : 'deleted',
          users: [user],
          undoes: { before, left: one.status, dates: noDates(), ours: sent.ours },
          named: one.sisSectionId !== '',
          where,
        };
        asked.set(key, section);
      }
      const { dates } = section.undoes;
      for (const when of ['before', 'left'] as const) {
        const own = place.dates[when].get(user);
        if (own) dates[when].set(user, own);
      }
    }
  }
  result.asked = [...asked.values()];
  return result;
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

type Dates = Record<'before' | 'left', Map<string, EnrollmentDates>>;

const noDates = (): Dates => ({ before: new Map(), left: new Map() });

interface Place {
  /** SIS ids of those with a row; null for everybody. */
  who: ReadonlySet<string> | null;
  /** Number of the section; null for one that was created on sending by an earlier version, which kept none. */
  section: number | null;
  name: string | null;
  /** States before the import by SIS id, where they are not the usual ones. */
  before: ReadonlyMap<string, EnrollmentState>;
  /** Dates of their own before and after the import, by SIS id. */
  dates: Dates;
  /** Whether these are the states right before the sending; false for those of the review. */
  recorded: boolean;
  /** Whether nobody knows what was there before. */
  unread: boolean;
  /** Whether the LMS put them into another section. */
  astray: boolean;
  /** SIS ids that were another person's when the LMS worked on the rows. */
  passed: ReadonlySet<string>;
  /** What was done to the section on sending. */
  what: UndoPlan['sections'][number]['what'] | null;
}

function placeKey(sisSectionId: string, roleId: number | null, status: RowStatus | null): string {
  return `${roleId} ${status} ${sisSectionId}`;
}

/** The courses of a plan by their SIS id, each with its sections by what rows called them; and its people's names. */
async function plannedPlaces(db: Db, { id: planId, roleId, status }: Sent['plan']) {
  const people = (await readPlanPeople(db, planId)) ?? [];
  const courses = new Map<string, { id: number; places: Map<string, Place[]> }>();
  for await (const { courseId, sisCourseId, rows } of readPlanCourses<StoredRows[]>(db, planId)) {
    const places = new Map<string, Place[]>();
    for (const one of rows) {
      const { section: planned, made = null, name, sent, unread = false, astray = false } = one;
      const place: Place = {
        who: one.people && new Set(one.people.map((index) => people[index]?.[2] ?? '')),
        section: planned ?? made,
        name,
        before: statesBefore(one, people),
        dates: { before: bySisId(one.had, people), left: bySisId(one.dates, people) },
        recorded: sent !== undefined,
        unread: unread && sent === undefined,
        astray,
        passed: new Set(one.passed?.map((index) => people[index]?.[2] ?? '')),
        what: planned === null ? 'created' : one.assign ? 'named' : null,
      };
      const key = placeKey(one.as ?? one.sis, one.role ?? roleId, one.status ?? status);
      places.set(key, [...(places.get(key) ?? []), place]);
    }
    courses.set(sisCourseId, { id: courseId, places });
  }
  const seen = new Set<string>();
  const shared = new Set(people.flatMap(([, name]) => (seen.size < seen.add(name).size ? [] : name)));
  const nameOf = new Map(
    people.map(([, name, sisId]) => [sisId, shared.has(name) ? personOf(name, sisId) : name]),
  );
  const numbers = new Map(
    people.flatMap(([, , sisId, id]) => (id === undefined ? [] : [[sisId, id] as const])),
  );
  return { courses, nameOf, numbers };
}

function bySisId(dated: DatedPeople = [], people: readonly StoredPerson[]): Map<string, EnrollmentDates> {
  return new Map(dated.map(([index, dates]) => [people[index]?.[2] ?? '', dates]));
}

/** As recorded right before the sending, else as reviewed. */
function statesBefore({ sent, before }: StoredRows, people: readonly StoredPerson[]) {
  const states = new Map<string, EnrollmentState>();
  const note = (index: number, state: EnrollmentState) => states.set(people[index]?.[2] ?? '', state);
  if (sent === undefined) for (const [index, state] of before ?? []) note(index, state);
  else for (const [state, those] of Object.entries(sent)) for (const index of those) note(index, state);
  return states;
}
