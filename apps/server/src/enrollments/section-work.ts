/** Determines who gets a row in some sections and stores the plan: shared by Section Enrollment and undo. */

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
import { freeTargets } from './free-ids.ts';
import { isConcluded, type PlanServices, requireRows, totalsOf } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { type PlanToStore, type StoredRows, stateOf, storePlan } from './plan-store.ts';
import type { Reading } from './read-lms.ts';
import { removedWithOf, sectionEffects } from './removed-with.ts';
import {
  type Naming,
  type OwnImports,
  type PlannableSection,
  type RequestedSection,
  reachableSections,
} from './requested-sections.ts';
import type { ReadSectionDifference } from './section-difference.ts';
import {
  countResults,
  datesSet,
  findAndRead,
  type Lookups,
  type PlanEntry,
  type WorkedOut,
} from './section-reading.ts';

/** A plan of sections; an undo plan has more statuses than the tool's own plans. */
export type WorkedPlan = Omit<SectionPlan, 'entries'> & { entries: PlanEntry[] };

/** A request for a plan that has been allowed. */
export interface SectionWork<More extends object> {
  admin: Admin;
  /** The tool that the plan belongs to. */
  tool: StoredPlan['tool'];
  kind: PlanKind;
  id: string;
  requested: readonly RequestedSection[];
  naming: Naming;
  /** For an undo: people's numbers in the LMS by the SIS IDs that were sent. */
  numbers?: ReadonlyMap<string, number>;
  /** Chooses the planned and skipped sections for the review, and adds further fields. */
  review: (
    worked: readonly WorkedOut[],
    leftOut: SectionPlan['left_out'],
  ) => ReviewParts<More> | Promise<ReviewParts<More>>;
  /** Text before the label of the action. */
  prefix?: string;
}

interface ReviewParts<More extends object> {
  entries: PlanEntry[];
  left_out: SectionPlan['left_out'];
  more: More;
}

/**
 * Makes a plan and stores it for a day.
 * @throws AppError too-many-rows; the signal's reason
 */
export async function planSections<More extends object>(
  services: PlanServices,
  { admin, tool, kind, id, requested, naming, numbers, review, prefix = '' }: SectionWork<More>,
  progress: PlanProgress,
): Promise<WorkedPlan & More> {
  const { signal } = progress;
  const lms = await services.identity.lastSeen(admin.token);
  const labelOf = new Map<number, string>();
  for (const role of new Set(requested.map(({ roleId }) => roleId)))
    labelOf.set(role, await services.roles.label(admin.token, role, signal));
  const { sections, leftOut } = await reachableSections(services, { admin, requested, naming }, signal);

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
  const { more, ...parts } = await review(worked, leftOut);
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
    copied: read.copied,
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

/** Returns the sections with the SIS IDs that they get on sending. */
async function withFreeIds(
  canvas: PlanServices['canvas'],
  worked: readonly WorkedOut[],
  reading: Reading,
): Promise<WorkedOut[]> {
  // A section without rows is not changed.
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

/** Returns a review of all sections without further fields. */
export function plainReview(
  worked: readonly WorkedOut[],
  leftOut: SectionPlan['left_out'],
): ReviewParts<object> {
  return { entries: worked.map(({ entry }) => entry), left_out: leftOut, more: {} };
}

/** Selects an entry of a plan; without a role or status, the first one is used. */
export interface WhichSection {
  section: number;
  role?: number | undefined;
  status?: string | undefined;
}

/** Returns the people found for one section of a plan, in the order of entry. @throws AppError not-found */
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
  // An undo plan has a separate entry for each state that people are in before it.
  const rows = course?.rows.filter(
    (one) => one.section === entry.section.id && one.role === entry.role.id && one.status === entry.status,
  );
  if (!rows?.length || !everybody) throw noSuchPlan();
  const touched = new Set(rows.flatMap(({ people }) => people ?? [...everybody.keys()]));
  const listed = new Set(
    rows.flatMap(({ asked: requested, people }) => requested ?? people ?? [...everybody.keys()]),
  );
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

/** Returns the people in a plan, and each course with its sections, which hold indexes into the people. */
function stored(worked: readonly WorkedOut[], lookups: Lookups): Pick<PlanToStore, 'people' | 'courses'> {
  const people: StoredPerson[] = [];
  const indexOf = new Map<string, number>();
  for (const found of lookups.values()) {
    if (typeof found === 'string') continue;
    const sisId = found.sis_user_id;
    if (indexOf.has(sisId)) continue;
    const person: StoredPerson = [found.login_id ?? '', found.name, sisId, found.id];
    if (found.copied) person.push(true);
    indexOf.set(sisId, people.push(person) - 1);
  }
  const courses = new Map<number, PlanToStore['courses'][number]>();
  for (const { section, people: members, difference } of worked) {
    const { course } = section;
    const kept = courses.get(course.id) ?? {
      courseId: course.id,
      sisCourseId: course.sis_course_id,
      rows: [],
    };
    courses.set(course.id, kept);
    const requested = members.map((person) => indexOf.get(person.sisUserId) ?? -1);
    kept.rows.push({
      target: section.target,
      people: difference.rows.map((at) => requested[at] ?? -1),
      role: section.roleId,
      status: section.status,
      ...(difference.untouched.length > 0 ? { asked: requested } : {}),
      ...(difference.untouched.length > 0 && (!section.undoes || section.undoes.before === section.status)
        ? { same: difference.untouched.map((at) => requested[at] ?? -1) }
        : {}),
      ...(isConcluded(course) ? { concluded: true as const } : {}),
      ...(difference.unread === null ? {} : { unread: true as const }),
      ...(section.undoes && {
        undoes: { left: section.undoes.left, ours: knownEnds(section.undoes.ours) },
      }),
      before: beforeOf(section, difference).map(([at, state]) => [requested[at] ?? -1, state]),
      dated: (difference.dated ?? []).map(([at, dates]) => [requested[at] ?? -1, dates]),
      dates: datesSet(section, members, difference.rows).map(([at, dates]) => [requested[at] ?? -1, dates]),
    });
  }
  return { people, courses: [...courses.values()] };
}

/** Omits imports whose end the LMS did not report, because that cannot be stored. */
function knownEnds(ours: OwnImports = new Map()): [number, number | null][] {
  return [...ours].map(([number, end]) => [number, Number.isFinite(end) ? end : null]);
}

/** Returns people with a row who are not in the usual state. */
function beforeOf(
  { status, undoes }: PlannableSection,
  { rows, before = [] }: ReadSectionDifference,
): [at: number, state: string][] {
  if (!undoes) return before;
  return undoes.left === usualBefore(status) ? [] : rows.map((at) => [at, undoes.left]);
}

/**
 * Labels a plan: `Enrol 12 people in 3 sections of 2 courses`, for sections with rows.
 * @param enrol the verb, except for removals
 */
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
