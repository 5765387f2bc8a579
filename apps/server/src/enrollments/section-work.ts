/** Works out who gets a row in each of some sections, and keeps that as a plan: what Section Enrollment and undoing share. */
import type { SectionPerson, SectionPlan, UndoPlan } from '@lms-admin/contract/enrollments';
import type { LookedUpPerson } from '@lms-admin/contract/people';
import { isRowStatus, usualBefore } from '@lms-admin/domain/enrollment-states';
import type { Admin } from '../auth/admin.ts';
import {
  noSuchPlan,
  readPlanCourse,
  readPlanPeople,
  type StoredPerson,
  type StoredPlan,
} from '../imports/plan-store.ts';
import type { Db } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';
import { counted } from '../platform/text.ts';
import type { Lookup } from '../users/people.ts';
import {
  type AskedSection,
  type Naming,
  type PlannableSection,
  reachableSections,
} from './asked-sections.ts';
import { type PlanServices, requireRows, totalsOf } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { type PlanToStore, type StoredRows, stateOf, storePlan } from './plan-store.ts';
import { removedWithOf, sectionEffects } from './removed-with.ts';
import { type AskedPerson, type ReadSectionDifference, sectionDifference } from './section-difference.ts';

/** Sections being read at once; the client decides how many calls of them are in flight. */
const SECTIONS_AT_ONCE = 32;

type Lookups = ReadonlyMap<string, Lookup<LookedUpPerson>>;

type PlanEntry = UndoPlan['entries'][number];

/** A plan of sections; one of undoing has more statuses than the tool's own. */
export type WorkedPlan = Omit<SectionPlan, 'entries'> & { entries: PlanEntry[] };

/** One section of the plan, worked out. `people` are those found, each once, in the order of entry. */
export interface WorkedOut {
  section: PlannableSection;
  people: AskedPerson[];
  difference: ReadSectionDifference;
  entry: PlanEntry;
}

/** What is planned, once it has been allowed. */
export interface SectionWork<More extends object> {
  admin: Admin;
  /** The tool whose plan it is. */
  tool: StoredPlan['tool'];
  id: string;
  asked: readonly AskedSection[];
  naming: Naming;
  /** Whether people are looked up without what is remembered of them: their SIS ids may be old. */
  fresh?: boolean;
  /** Which of the sections and left-out ones the review lists, and what else it holds. */
  review: (worked: readonly WorkedOut[], leftOut: SectionPlan['left_out']) => ReviewParts<More>;
  /** What comes before the label of what is done. */
  prefix?: string;
}

interface ReviewParts<More extends object> {
  entries: PlanEntry[];
  left_out: SectionPlan['left_out'];
  more: More;
}

/**
 * The plan, stored for a day.
 * @throws AppError too-many-rows; the signal's reason
 */
export async function planSections<More extends object>(
  services: PlanServices,
  { admin, tool, id, asked, naming, fresh = false, review, prefix = '' }: SectionWork<More>,
  { signal, onStep }: PlanProgress,
): Promise<WorkedPlan & More> {
  const lms = await services.identity.lastSeen(admin.token);
  const labelOf = new Map<number, string>();
  for (const role of new Set(asked.map(({ roleId }) => roleId)))
    labelOf.set(role, await services.labels.label(admin, role, signal));
  const { sections, leftOut } = await reachableSections(services, { admin, asked, naming }, signal);

  const lookups = await findPeople(services, admin, sections, { signal, fresh }, onStep);
  const counts = countResults(lookups);
  let done = 0;
  const line = () => onStep({ reading: 'places', done, total: sections.length, ...counts });
  line();
  const worked = await mapLimited(sections, SECTIONS_AT_ONCE, async (section): Promise<WorkedOut> => {
    const people = peopleOf(section, lookups);
    const difference = await sectionDifference(services.canvas, section, people, { admin, signal });
    done++;
    line();
    const role = { id: section.roleId, label: labelOf.get(section.roleId) ?? `Role ${section.roleId}` };
    return { section, people, difference, entry: entryOf(section, role, lookups, people, difference) };
  });

  const effects = await sectionEffects(services.canvas, worked, { admin, signal });
  const { more, ...parts } = review(worked, leftOut);
  const different = new Set([...lookups.values()].flatMap((one) => (typeof one === 'string' ? [] : one.id)));
  const summary = {
    ...more,
    id,
    created_at: new Date().toISOString(),
    ...parts,
    removed_with: removedWithOf(effects),
    people: { asked: different.size + counts.not_found + counts.failed, found: different.size, ...counts },
    totals: totalsOf(parts.entries),
  };
  requireRows(summary.totals.rows, services.config.maxEnrollmentRows);
  signal.throwIfAborted();
  const { people, courses } = stored(worked, lookups);
  const label = `${prefix}${planLabel(worked, prefix === '' ? 'Enrol' : 'Restore')}`;
  await storePlan(services.db.db, {
    login: admin.login,
    tool,
    roleId: null,
    status: null,
    label,
    lms,
    summary,
    people,
    courses,
  });
  return { ...summary, import_id: null };
}

/** A review of all sections, and nothing else. */
export function plainReview(
  worked: readonly WorkedOut[],
  leftOut: SectionPlan['left_out'],
): ReviewParts<object> {
  return { entries: worked.map(({ entry }) => entry), left_out: leftOut, more: {} };
}

/** Which of the entries of a plan: without a role or a status the first one counts. */
export interface WhichSection {
  section: number;
  role?: number | undefined;
  status?: string | undefined;
}

/** The people found of one section of a plan, in the order they were entered. @throws AppError not-found */
export async function sectionPeople(
  db: Db,
  plan: Pick<WorkedPlan, 'id' | 'entries'>,
  which: WhichSection,
): Promise<SectionPerson[]> {
  const entry = plan.entries.find(
    (one) =>
      one.section.id === which.section &&
      (which.role === undefined || one.role.id === which.role) &&
      (which.status === undefined || one.status === which.status),
  );
  if (!entry) throw noSuchPlan();
  const [course, everybody] = await Promise.all([
    readPlanCourse<StoredRows[]>(db, plan.id, entry.course.id),
    readPlanPeople(db, plan.id),
  ]);
  // An undo has one for each state from which people get this one.
  const rows = course?.rows.filter(
    (one) => one.section === entry.section.id && one.role === entry.role.id && one.status === entry.status,
  );
  if (!rows?.length || !everybody) throw noSuchPlan();
  const touched = new Set(rows.flatMap(({ people }) => people ?? [...everybody.keys()]));
  const listed = new Set(rows.flatMap(({ asked, people }) => asked ?? people ?? [...everybody.keys()]));
  const states = new Map(rows.flatMap(({ before }) => before ?? []));
  const [change, none] =
    entry.status === 'deleted' ? (['remove', 'not-enrolled'] as const) : (['add', 'already'] as const);
  return [...listed].map((index) => {
    const [email, name, sisUserId] = everybody[index] ?? ['', '', ''];
    return {
      email,
      name,
      sis_user_id: sisUserId,
      change: touched.has(index) ? change : none,
      ...stateOf(states, index),
    };
  });
}

/** Everybody asked for in any of the sections, looked up once. */
async function findPeople(
  services: PlanServices,
  admin: Admin,
  sections: readonly PlannableSection[],
  how: { signal: AbortSignal; fresh: boolean },
  onStep: PlanProgress['onStep'],
): Promise<Lookups> {
  const sisIds = [...new Set(sections.flatMap((section) => section.users))];
  const state = { done: 0, not_found: 0, failed: 0 };
  const line = () => onStep({ reading: 'people', total: sisIds.length, ...state });
  line();
  const results = await services.people.bySisId(admin, sisIds, {
    ...how,
    onResult(result) {
      state.done++;
      if (result === 'not-found') state.not_found++;
      if (result === 'failed') state.failed++;
      line();
    },
  });
  return new Map(sisIds.map((sisId, index) => [sisId, results[index] ?? 'failed']));
}

/**
 * The people found of a section. Two SIS ids of one person are one person, by the first of them: that is the id that was
 * asked for, whatever id the LMS shows first.
 */
function peopleOf(section: PlannableSection, lookups: Lookups): AskedPerson[] {
  const people = new Map<number, AskedPerson>();
  for (const sisUserId of section.users) {
    const found = lookups.get(sisUserId);
    if (typeof found !== 'object' || people.has(found.id)) continue;
    people.set(found.id, { id: found.id, sisUserId, name: found.name });
  }
  return [...people.values()];
}

function countResults(lookups: Lookups): { not_found: number; failed: number } {
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
  { rows, untouched, before, linked = [], unread }: ReadSectionDifference,
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
    not_enrolled: adding ? 0 : untouched.length,
    unrestorable: (before ?? []).flatMap(([at, state]) =>
      isRowStatus(state) ? [] : [{ person: people[at]?.name ?? '', section: target.name ?? '', state }],
    ),
    linked: linked.map((at) => people[at]?.name ?? ''),
    rows: rows.length,
    not_found: notFound,
    failed,
    unread,
  };
}

/** The people of a plan, and for each course its sections with indexes into them. */
function stored(worked: readonly WorkedOut[], lookups: Lookups): Pick<PlanToStore, 'people' | 'courses'> {
  const people: StoredPerson[] = [];
  const indexOf = new Map<string, number>();
  for (const [sisId, found] of lookups) {
    if (typeof found === 'string') continue;
    indexOf.set(sisId, people.push([found.login_id ?? '', found.name, sisId, found.id]) - 1);
  }
  const courses = new Map<number, PlanToStore['courses'][number]>();
  for (const { section, people: those, difference } of worked) {
    const { course } = section;
    const kept = courses.get(course.id) ?? {
      courseId: course.id,
      sisCourseId: course.sis_course_id,
      rows: [],
    };
    courses.set(course.id, kept);
    const asked = those.map((person) => indexOf.get(person.sisUserId) ?? -1);
    kept.rows.push({
      target: section.target,
      people: difference.rows.map((at) => asked[at] ?? -1),
      role: section.roleId,
      status: section.status,
      ...(difference.untouched.length > 0 ? { asked } : {}),
      ...(difference.untouched.length > 0 && !section.undoes
        ? { same: difference.untouched.map((at) => asked[at] ?? -1) }
        : {}),
      ...(difference.unread === null ? {} : { unread: true as const }),
      before: beforeOf(section, difference).map(([at, state]) => [asked[at] ?? -1, state]),
    });
  }
  return { people, courses: [...courses.values()] };
}

/** Who of those with a row is in another state than usual. */
function beforeOf(
  { status, undoes }: PlannableSection,
  { rows, before = [] }: ReadSectionDifference,
): [at: number, state: string][] {
  if (!undoes) return before;
  return undoes.left === usualBefore(status) ? [] : rows.map((at) => [at, undoes.left]);
}

/** `Enrol 12 people in 3 sections of 2 courses`, of those with rows. @param enrol the verb for everything but removals */
function planLabel(worked: readonly WorkedOut[], enrol: string): string {
  const touched = worked.filter((one) => one.difference.rows.length > 0);
  const distinct = (removed: boolean) =>
    new Set(
      touched.flatMap(({ section, people, difference }) =>
        (section.status === 'deleted') === removed ? difference.rows.map((at) => people[at]?.id) : [],
      ),
    ).size;
  const sections = new Set(touched.map((one) => one.section.sectionId)).size;
  const courses = new Set(touched.map((one) => one.section.courseId)).size;
  const [added, removed] = [distinct(false), distinct(true)];
  const where = `${counted(sections, 'section')} of ${counted(courses, 'course')}`;
  if (removed === 0) return `${enrol} ${counted(added, 'person', 'people')} in ${where}`;
  if (added === 0) return `Remove ${counted(removed, 'person', 'people')} from ${where}`;
  return `${enrol} ${added} and remove ${counted(removed, 'person', 'people')} in ${where}`;
}
