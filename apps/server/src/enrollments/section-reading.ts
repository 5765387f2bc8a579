/** Looks up the people of some sections, reads the sections, and works out who gets a row in each. */
import type { Dated, UndoPlan } from '@lms-admin/contract/enrollments';
import type { LookedUpPerson } from '@lms-admin/contract/people';
import { type DatedPeople, type EnrollmentDates, isRowStatus } from '@lms-admin/domain/enrollment-states';
import type { Admin } from '../auth/admin.ts';
import { mapLimited } from '../platform/limited.ts';
import type { Lookup } from '../users/people.ts';
import type { PlannableSection } from './asked-sections.ts';
import { isConcluded, type PlanServices } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { ShownIds } from './read-lms.ts';
import { areOutdated } from './same-people.ts';
import { type AskedPerson, type ReadSectionDifference, sectionDifference } from './section-difference.ts';

/** Sections being read at once; the client decides how many calls of them are in flight. */
const SECTIONS_AT_ONCE = 32;

/** Someone with the SIS ID that rows name them by. */
type Reachable = LookedUpPerson & { sis_user_id: string };

/** By the SIS IDs that were asked for; of an undo, by those that people had when they were sent. */
export type Lookups = ReadonlyMap<string, Lookup<Reachable>>;

export type PlanEntry = UndoPlan['entries'][number];

/** One section of the plan, worked out. `people` are those found, each once, in the order of entry. */
export interface WorkedOut {
  section: PlannableSection;
  people: AskedPerson[];
  difference: ReadSectionDifference;
  entry: PlanEntry;
}

interface FindAndRead {
  admin: Admin;
  sections: readonly PlannableSection[];
  /** Of an undo: the numbers of people in the LMS, by the SIS IDs that they had when they were sent. No one is answered from memory. */
  numbers: ReadonlyMap<string, number> | undefined;
  labelOf: ReadonlyMap<number, string>;
}

/** Looks people up and reads the sections; again where the sections show that people were remembered by old SIS IDs. */
export async function findAndRead(
  services: PlanServices,
  of: FindAndRead,
  progress: PlanProgress,
  isAgain = false,
): Promise<{ lookups: Lookups; worked: WorkedOut[] }> {
  const { admin, sections, numbers, labelOf } = of;
  const { signal, onStep } = progress;
  const lookups = await findPeople(services, of, progress);
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
  if (numbers === undefined && !isAgain) {
    const found = new Map(
      [...lookups].flatMap(([sisUserId, one]) =>
        typeof one === 'object' ? [[sisUserId, { id: one.id, sisUserId }] as const] : [],
      ),
    );
    const lookUp = async (keys: readonly string[]) =>
      (await services.people.bySisId(admin, keys, { signal, fresh: true })).map((one, at) =>
        typeof one === 'object' ? { id: one.id, sisUserId: keys[at] ?? '' } : one === 'failed' ? one : null,
      );
    if (await areOutdated(services.people, found, shown, lookUp))
      return findAndRead(services, of, progress, true);
  }
  return { lookups, worked };
}

/** Everybody asked for in any of the sections, looked up once, each with the SIS ID that rows name them by. */
async function findPeople(
  { people }: PlanServices,
  { admin, sections, numbers }: FindAndRead,
  { signal, onStep }: PlanProgress,
): Promise<Lookups> {
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
  // Two SIS IDs may be those of one person.
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
  await people.bySisId(
    admin,
    sisIds.filter((sisId) => !numbers?.has(sisId)),
    {
      signal,
      fresh: numbers !== undefined,
      onResult: (result, sisId) =>
        keep(sisId, typeof result === 'object' ? { ...result, sis_user_id: sisId } : result),
    },
  );
  return new Map(sisIds.map((sisId) => [sisId, found.get(sisId) ?? 'failed']));
}

/** Who has no SIS ID (any more) is not there for rows. */
function reachable(result: Lookup<LookedUpPerson>): Lookup<Reachable> {
  if (typeof result === 'string') return result;
  return result.sis_user_id ? { ...result, sis_user_id: result.sis_user_id } : 'not-found';
}

/**
 * The people found of a section. Two SIS IDs of one person are one person, by the first of them: that is the id that was
 * asked for, whatever id the LMS shows first.
 */
function peopleOf(section: PlannableSection, lookups: Lookups): AskedPerson[] {
  const people = new Map<number, AskedPerson>();
  for (const sisUserId of section.users) {
    const found = lookups.get(sisUserId);
    if (typeof found !== 'object' || people.has(found.id)) continue;
    people.set(found.id, {
      id: found.id,
      sisUserId: found.sis_user_id,
      asked: sisUserId,
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
  people: readonly AskedPerson[],
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

/** Of an undo: who gets dates of their own again, which they had before the import. @param rows indexes of those with a row */
export function datesSet(
  { status, undoes }: PlannableSection,
  people: readonly AskedPerson[],
  rows: readonly number[],
): DatedPeople {
  if (status === 'deleted' || !undoes?.dates) return [];
  return rows.flatMap((at): DatedPeople => {
    const dates = undoes.dates?.before.get(people[at]?.asked ?? '');
    return dates ? [[at, dates]] : [];
  });
}

/** How many of those without a row are not there; linked observers are, and stay. */
export function withoutLinked(untouched: readonly number[], linked: readonly number[]): number {
  const staying = new Set(linked);
  return untouched.filter((at) => !staying.has(at)).length;
}

/** Someone whose enrolment has dates of its own, for the review. */
export function datedPerson(
  person: string | undefined,
  section: string | null,
  [start, end]: EnrollmentDates,
): Dated {
  return { person: person ?? '', section: section ?? '', start, end };
}
