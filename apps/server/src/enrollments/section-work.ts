/** Works out who gets a row in each of some sections, and keeps that as a plan: what Section Enrollment and undoing share. */

import type { SectionPerson, SectionPlan } from '@lms-admin/contract/enrollments';
import type { PlanKind } from '@lms-admin/contract/plan-kinds';
import { usualBefore } from '@lms-admin/domain/enrollment-states';
import { counted } from '@lms-admin/domain/numbers';
import type { Admin } from '../auth/admin.ts';
import {
  noSuchPlan,
  readPlanCourse,
  readPlanPeople,
  type StoredPerson,
  type StoredPlan,
} from '../plans/store.ts';
import type { Db } from '../platform/database.ts';
import { addedWithOf, type StateRows } from './added-with.ts';
import {
  type AskedSection,
  type Naming,
  type OwnImports,
  type PlannableSection,
  reachableSections,
} from './asked-sections.ts';
import { freeTargets } from './free-ids.ts';
import { isConcluded, type PlanServices, requireRows, totalsOf } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { type PlanToStore, type StoredRows, stateOf, storePlan } from './plan-store.ts';
import type { Reading } from './read-lms.ts';
import { removedWithOf, sectionEffects } from './removed-with.ts';
import type { ReadSectionDifference } from './section-difference.ts';
import {
  countResults,
  datesSet,
  findAndRead,
  type Lookups,
  type PlanEntry,
  type WorkedOut,
} from './section-reading.ts';

/** A plan of sections; one of undoing has more statuses than the tool's own. */
export type WorkedPlan = Omit<SectionPlan, 'entries'> & { entries: PlanEntry[] };

/** What is planned, once it has been allowed. */
export interface SectionWork<More extends object> {
  admin: Admin;
  /** The tool whose plan it is. */
  tool: StoredPlan['tool'];
  kind: PlanKind;
  id: string;
  asked: readonly AskedSection[];
  naming: Naming;
  /** Of an undo: the numbers of people in the LMS, by the SIS IDs that they had when they were sent. */
  numbers?: ReadonlyMap<string, number>;
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
  { admin, tool, kind, id, asked, naming, numbers, review, prefix = '' }: SectionWork<More>,
  progress: PlanProgress,
): Promise<WorkedPlan & More> {
  const { signal } = progress;
  const lms = await services.identity.lastSeen(admin.token);
  const labelOf = new Map<number, string>();
  for (const role of new Set(asked.map(({ roleId }) => roleId)))
    labelOf.set(role, await services.roles.label(admin.token, role, signal));
  const { sections, leftOut } = await reachableSections(services, { admin, asked, naming }, signal);

  const read = await findAndRead(services, { admin, sections, numbers, labelOf }, progress);
  const { lookups } = read;
  const worked = await withFreeIds(services.canvas, read.worked, { admin, signal });
  const counts = countResults(lookups);

  const effects = await sectionEffects(services.canvas, worked, { admin, signal });
  const addedWith = await addedWithOf(services, worked.flatMap(setStates), {
    admin,
    signal,
    onStep: (done, total) => progress.onStep({ reading: 'observers', done, total, ...counts }),
  });
  const { more, ...parts } = review(worked, leftOut);
  const different = new Set([...lookups.values()].flatMap((one) => (typeof one === 'string' ? [] : one.id)));
  const summary = {
    ...more,
    id,
    created_at: new Date().toISOString(),
    ...parts,
    removed_with: removedWithOf(effects),
    added_with: addedWith,
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
    kind,
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

/** The sections with the SIS IDs that they get on sending. */
async function withFreeIds(
  canvas: PlanServices['canvas'],
  worked: readonly WorkedOut[],
  reading: Reading,
): Promise<WorkedOut[]> {
  // A section without rows is left alone.
  const named = worked.filter(({ difference }) => difference.rows.length > 0);
  const free = await freeTargets(
    canvas,
    named.map(({ section }) => section),
    reading,
  );
  return worked.map((one) => {
    const target = free(one.section.courseId, one.section.target);
    const shown = { ...one.entry.section, sis_section_id: target.sisSectionId };
    return { ...one, section: { ...one.section, target }, entry: { ...one.entry, section: shown } };
  });
}

function setStates({
  section: { roleId, status, sectionId },
  people,
  difference: { rows },
}: WorkedOut): StateRows[] {
  if (status === 'deleted') return [];
  return [{ roleId, status, sectionId, people: rows.flatMap((at) => people[at] ?? []) }];
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
  const linked = new Set(entry.linked);
  const [change, none] =
    entry.status === 'deleted' ? (['remove', 'not-enrolled'] as const) : (['add', 'already'] as const);
  return [...listed].map((index) => {
    const [email, name, sisUserId] = everybody[index] ?? ['', '', ''];
    return {
      email,
      name,
      sis_user_id: sisUserId,
      change: touched.has(index) ? change : linked.has(name) ? 'linked' : none,
      ...stateOf(states, index),
    };
  });
}

/** The people of a plan, and for each course its sections with indexes into them. */
function stored(worked: readonly WorkedOut[], lookups: Lookups): Pick<PlanToStore, 'people' | 'courses'> {
  const people: StoredPerson[] = [];
  const indexOf = new Map<string, number>();
  for (const found of lookups.values()) {
    if (typeof found === 'string') continue;
    const sisId = found.sis_user_id;
    if (!indexOf.has(sisId))
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
      ...(difference.untouched.length > 0 && (!section.undoes || section.undoes.before === section.status)
        ? { same: difference.untouched.map((at) => asked[at] ?? -1) }
        : {}),
      ...(isConcluded(course) ? { concluded: true as const } : {}),
      ...(difference.unread === null ? {} : { unread: true as const }),
      ...(section.undoes && {
        undoes: { left: section.undoes.left, ours: toldEnds(section.undoes.ours) },
      }),
      before: beforeOf(section, difference).map(([at, state]) => [asked[at] ?? -1, state]),
      dated: (difference.dated ?? []).map(([at, dates]) => [asked[at] ?? -1, dates]),
      dates: datesSet(section, those, difference.rows).map(([at, dates]) => [asked[at] ?? -1, dates]),
    });
  }
  return { people, courses: [...courses.values()] };
}

/** Without those whose end the LMS did not tell: it cannot be stored. */
function toldEnds(ours: OwnImports = new Map()): [number, number | null][] {
  return [...ours].map(([number, end]) => [number, Number.isFinite(end) ? end : null]);
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
