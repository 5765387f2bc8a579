/** Looks up the people in some sections, reads the sections and determines who gets a row in each. */
import type { CopiedPeople, Dated, UndoPlan } from '@lms-admin/contract/enrollments';
import type { LookedUpPerson } from '@lms-admin/contract/people';
import { type DatedPeople, type EnrollmentDates, isRowStatus } from '@lms-admin/domain/enrollment-states';
import type { Admin } from '../auth/admin.ts';
import { mapLimited } from '../platform/limited.ts';
import { copiedBySisId, type PersonOrCopy } from '../users/copied-lookups.ts';
import type { Lookup, LookupOptions } from '../users/people.ts';
import { isConcluded, type PlanServices } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { ShownIds } from './read-lms.ts';
import type { PlannableSection } from './requested-sections.ts';
import { areOutdated } from './same-people.ts';
import { type ReadSectionDifference, type RequestedPerson, sectionDifference } from './section-difference.ts';

/** Number of sections read at once; the client limits the calls in flight. */
const SECTIONS_AT_ONCE = 32;

/** A person with the SIS ID that rows use. */
type Reachable = PersonOrCopy & { sis_user_id: string };

/** Results by requested SIS ID; for an undo, by the SIS ID that was sent. */
export type Lookups = ReadonlyMap<string, Lookup<Reachable>>;

export type PlanEntry = UndoPlan['entries'][number];

/** One section of the plan with its rows. `people` are those found, without duplicates, in the order of entry. */
export interface WorkedOut {
  section: PlannableSection;
  people: RequestedPerson[];
  difference: ReadSectionDifference;
  entry: PlanEntry;
}

interface FindAndRead {
  admin: Admin;
  sections: readonly PlannableSection[];
  /** For an undo: people's numbers in the LMS by the SIS IDs that were sent. They are not cached. */
  numbers: ReadonlyMap<string, number> | undefined;
  labelOf: ReadonlyMap<number, string>;
}

/**
 * Looks people up and reads the sections. Repeats this without the directory's copy if the sections show that cached SIS
 * IDs are outdated, or if there are no rows: without rows nothing is sent, so nothing would check the copy.
 */
export async function findAndRead(
  services: PlanServices,
  of: FindAndRead,
  progress: PlanProgress,
  isRetry = false,
): Promise<{ lookups: Lookups; worked: WorkedOut[]; copied: CopiedPeople | null }> {
  const { admin, sections, numbers, labelOf } = of;
  const { signal, onStep } = progress;
  const { lookups, copied } = await findPeople(services, of, progress, isRetry);
  const counts = countResults(lookups);
  let done = 0;
  const line = () => onStep({ reading: 'places', done, total: sections.length, ...counts });
  line();
  const shown = new ShownIds();
  const worked = await mapLimited(sections, SECTIONS_AT_ONCE, async (section): Promise<WorkedOut> => {
    const people = peopleOf(section, lookups);
    const reading = { admin, signal, shown };
    const difference = await sectionDifference(services.canvas, section, people, reading);
    done++;
    line();
    const role = { id: section.roleId, label: labelOf.get(section.roleId) ?? `Role ${section.roleId}` };
    return { section, people, difference, entry: entryOf(section, role, lookups, people, difference) };
  });
  if (numbers === undefined && !isRetry) {
    const found = new Map(
      [...lookups].flatMap(([sisUserId, one]) =>
        typeof one === 'object' ? [[sisUserId, { id: one.id, sisUserId }] as const] : [],
      ),
    );
    const lookUp = async (keys: readonly string[]) =>
      (await services.people.bySisId(admin, keys, { signal, fresh: true })).map((one, at) =>
        typeof one === 'object' ? { id: one.id, sisUserId: keys[at] ?? '' } : one === 'failed' ? one : null,
      );
    const isUnchecked = copied !== null && worked.every(({ difference: { rows } }) => rows.length === 0);
    if (isUnchecked || (await areOutdated(services.people, found, shown, lookUp)))
      return findAndRead(services, of, progress, true);
  }
  return { lookups, worked, copied };
}

/** Looks up everyone requested for any section once, with the SIS ID that rows use. */
async function findPeople(
  services: PlanServices,
  { admin, sections, numbers }: FindAndRead,
  { signal, onStep }: PlanProgress,
  isRetry: boolean,
): Promise<{ lookups: Lookups; copied: CopiedPeople | null }> {
  const { people } = services;
  const sisIds = [...new Set(sections.flatMap((section) => section.users))];
  const state = { done: 0, not_found: 0, failed: 0 };
  const line = () => onStep({ reading: 'people', total: sisIds.length, ...state });
  line();
  const found = new Map<string, Lookup<Reachable>>();
  const keep = (sisId: string, result: Lookup<Reachable>) => {
    found.set(sisId, result);
    state.done++;
    if (result === 'not-found') state.not_found++;
    if (result === 'failed') state.failed++;
    line();
  };
  // Two SIS IDs can belong to one person.
  const byNumber = new Map<string, string[]>();
  for (const sisId of sisIds) {
    const number = String(numbers?.get(sisId) ?? '');
    if (number !== '') byNumber.set(number, [...(byNumber.get(number) ?? []), sisId]);
  }
  await people.byNumber(admin, [...byNumber.keys()], {
    signal,
    onResult(result, number) {
      for (const sisId of byNumber.get(number) ?? []) keep(sisId, reachable(result));
    },
  });
  const others = sisIds.filter((sisId) => !numbers?.has(sisId));
  const options: LookupOptions<PersonOrCopy> = {
    signal,
    fresh: numbers !== undefined,
    onResult: (result, sisId) =>
      keep(sisId, typeof result === 'object' ? { ...result, sis_user_id: sisId } : result),
  };
  let copied: CopiedPeople | null = null;
  // An undo needs current data about people.
  if (isRetry || numbers !== undefined) await people.bySisId(admin, others, options);
  else ({ copied } = await copiedBySisId(services, admin, others, options));
  return { lookups: new Map(sisIds.map((sisId) => [sisId, found.get(sisId) ?? 'failed'])), copied };
}

/** Treats a person without an SIS ID as not found, because rows cannot name them. */
function reachable(result: Lookup<LookedUpPerson>): Lookup<Reachable> {
  if (typeof result === 'string') return result;
  return result.sis_user_id ? { ...result, sis_user_id: result.sis_user_id } : 'not-found';
}

/**
 * Returns the people found for a section. Two SIS IDs of one person count as one person with the first ID requested,
 * whichever the LMS shows first.
 */
function peopleOf(section: PlannableSection, lookups: Lookups): RequestedPerson[] {
  const people = new Map<number, RequestedPerson>();
  for (const sisUserId of section.users) {
    const found = lookups.get(sisUserId);
    if (typeof found !== 'object' || people.has(found.id)) continue;
    people.set(found.id, {
      id: found.id,
      sisUserId: found.sis_user_id,
      requestedId: sisUserId,
      name: found.name,
    });
  }
  return [...people.values()];
}

export function countResults(lookups: Lookups): { not_found: number; failed: number } {
  const results = [...lookups.values()];
  return {
    not_found: results.filter((one) => one === 'not-found').length,
    failed: results.filter((one) => one === 'failed').length,
  };
}

function entryOf(
  section: PlannableSection,
  role: PlanEntry['role'],
  lookups: Lookups,
  people: readonly RequestedPerson[],
  { rows, untouched, before, dated = [], linked = [], unread }: ReadSectionDifference,
): PlanEntry {
  const { course, target, status } = section;
  const adding = status !== 'deleted';
  const notFound = section.users.filter((sisId) => lookups.get(sisId) === 'not-found');
  const failed = section.users.filter((sisId) => lookups.get(sisId) === 'failed');
  return {
    course: {
      id: course.id,
      name: course.name,
      sis_course_id: course.sis_course_id,
      term: course.term?.name ?? null,
      concluded: isConcluded(course),
    },
    section: {
      id: section.sectionId,
      name: target.name ?? '',
      sis_section_id: target.sisSectionId,
      assign: target.assign,
    },
    role,
    status,
    asked: people.length + notFound.length + failed.length,
    found: people.length,
    add: adding ? rows.length : 0,
    reactivated: adding ? (before?.length ?? 0) : 0,
    already: adding ? untouched.length : 0,
    remove: adding ? 0 : rows.length,
    not_enrolled: adding ? 0 : withoutLinked(untouched, linked),
    unrestorable: (before ?? []).flatMap(([at, state]) =>
      isRowStatus(state) ? [] : [{ person: people[at]?.name ?? '', section: target.name ?? '', state }],
    ),
    dates_end: dated.map(([at, dates]) => datedPerson(people[at]?.name, target.name, dates)),
    dates_set: datesSet(section, people, rows).map(([at, dates]) =>
      datedPerson(people[at]?.name, target.name, dates),
    ),
    linked: linked.map((at) => people[at]?.name ?? ''),
    rows: rows.length,
    not_found: notFound,
    failed,
    unread,
  };
}

/** Finds people whose enrolment gets its former dates back, for an undo. @param rows indexes of people with a row */
export function datesSet(
  { status, undoes }: PlannableSection,
  people: readonly RequestedPerson[],
  rows: readonly number[],
): DatedPeople {
  if (status === 'deleted' || !undoes?.dates) return [];
  return rows.flatMap((at): DatedPeople => {
    const dates = undoes.dates?.before.get(people[at]?.requestedId ?? '');
    return dates ? [[at, dates]] : [];
  });
}

/** Counts people without a row who are not enrolled. Linked observers are enrolled and stay. */
export function withoutLinked(untouched: readonly number[], linked: readonly number[]): number {
  const staying = new Set(linked);
  return untouched.filter((at) => !staying.has(at)).length;
}

/** Describes a person whose enrolment has its own dates, for the review. */
export function datedPerson(
  person: string | undefined,
  section: string | null,
  [start, end]: EnrollmentDates,
): Dated {
  return { person: person ?? '', section: section ?? '', start, end };
}
