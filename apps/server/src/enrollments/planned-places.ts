/** Changes of a plan by place, with the names used in the rows: the basis of its undo. */
import type { UndoPlan } from '@lms-admin/contract/enrollments';
import type {
  DatedPeople,
  EnrollmentDates,
  EnrollmentState,
  RowStatus,
} from '@lms-admin/domain/enrollment-states';
import { readPlanCourses, readPlanPeople, type StoredPerson, type StoredPlan } from '../plans/store.ts';
import type { Db } from '../platform/database.ts';
import { nameOf as personOf } from './others-since.ts';
import type { StoredRows } from './plan-store.ts';

export type Dates = Record<'before' | 'left', Map<string, EnrollmentDates>>;

export const noDates = (): Dates => ({ before: new Map(), left: new Map() });

export interface Place {
  /** SIS IDs of people with a row; null for everyone. */
  who: ReadonlySet<string> | null;
  /** Number of the section; null if an earlier version created it on sending and did not record its number. */
  section: number | null;
  name: string | null;
  /** People's states before the import by SIS ID, unless they were in the usual state. */
  before: ReadonlyMap<string, EnrollmentState>;
  /** Enrolments' own dates before and after the import, by SIS ID. */
  dates: Dates;
  /** True if these states were recorded right before sending, false if they are from the review. */
  recorded: boolean;
  /** Whether the previous states are unknown. */
  unread: boolean;
  /** Whether the LMS put the people into another section. */
  astray: boolean;
  /** SIS IDs that belonged to another person when the LMS applied the rows. */
  passed: ReadonlySet<string>;
  /** What was done to the section on sending. */
  what: UndoPlan['sections'][number]['what'] | null;
}

export function placeKey(sisSectionId: string, roleId: number | null, status: RowStatus | null): string {
  return `${roleId} ${status} ${sisSectionId}`;
}

/** Returns a plan's courses by SIS ID, each with its sections by their names in the rows; and its people's names. */
export async function plannedPlaces(
  db: Db,
  { id: planId, roleId, status }: Pick<StoredPlan, 'id' | 'roleId' | 'status'>,
) {
  const people = (await readPlanPeople(db, planId)) ?? [];
  const courses = new Map<string, { id: number; places: Map<string, Place[]> }>();
  for await (const { courseId, sisCourseId, rows } of readPlanCourses<StoredRows[]>(db, planId)) {
    const places = new Map<string, Place[]>();
    for (const one of rows) {
      const { section: planned, made: created = null, name, sent, unread = false, astray = false } = one;
      const place: Place = {
        who: one.people && new Set(one.people.map((index) => people[index]?.[2] ?? '')),
        section: planned ?? created,
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

/** Uses the states recorded right before sending, or those from the review. */
function statesBefore({ sent, before }: StoredRows, people: readonly StoredPerson[]) {
  const states = new Map<string, EnrollmentState>();
  const note = (index: number, state: EnrollmentState) => states.set(people[index]?.[2] ?? '', state);
  if (sent === undefined) for (const [index, state] of before ?? []) note(index, state);
  else for (const [state, indices] of Object.entries(sent)) for (const index of indices) note(index, state);
  return states;
}
