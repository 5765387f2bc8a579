/** What an import of a plan has sent, turned round: who was added is removed, who was removed is added. */
import { section } from '@lms-admin/contract/canvas-objects';
import type { UndoPlan } from '@lms-admin/contract/enrollments';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import type { EnrollmentStatus } from '@lms-admin/domain/enrollment-plan';
import type { Admin } from '../auth/admin.ts';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import { readPlanCourses, readPlanPeople, type StoredPlan } from '../imports/plan-store.ts';
import { storedRows } from '../imports/stored-rows.ts';
import type { Db } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';
import type { AskedSection } from './asked-sections.ts';
import type { StoredRows } from './plan-store.ts';

/** Sections that are looked for by their SIS id at once. */
const AT_ONCE = 8;

/** Rows of one section with one role and status, as they were sent. */
interface SentRows {
  sisCourseId: string;
  sisSectionId: string;
  roleId: number;
  status: EnrollmentStatus;
  /** SIS ids of people. */
  users: string[];
}

interface Turned {
  asked: AskedSection[];
  kept: UndoPlan['kept'];
}

interface Sent {
  admin: Admin;
  importId: string;
  plan: Pick<StoredPlan, 'id' | 'roleId'>;
  signal: AbortSignal;
}

/**
 * What has to be asked for so that an import is taken back, and what of it stays as it is. By the rows that were sent, not by
 * those that were planned: what was left out at the last moment was never done.
 * @throws CanvasError when the LMS cannot be asked at the moment
 */
export async function turnedRows(services: { db: Db; canvas: CanvasClient }, sent: Sent): Promise<Turned> {
  const { db } = services;
  const rows = await sentRowsOf(db, sent.importId);
  const planned = await plannedPlaces(db, sent.plan);
  const found = await mapLimited(rows, AT_ONCE, async (one) => {
    const course = planned.get(one.sisCourseId);
    const place = course?.places.get(placeKey(one.sisSectionId, one.roleId));
    const sectionId =
      course && (place?.section ?? (await sectionNamed(services.canvas, one.sisSectionId, course.id, sent)));
    return { one, course, place, sectionId: sectionId ?? null };
  });
  const asked = new Map<string, AskedSection>();
  const kept: UndoPlan['kept'] = [];
  for (const { one, course, place, sectionId } of found) {
    const where = { course: one.sisCourseId, section: place?.name ?? one.sisSectionId };
    if (!course || sectionId === null) {
      kept.push({ ...where, people: one.users.length, why: 'lost' });
      continue;
    }
    // Everybody was sent, also those who were there: turned round, that would remove them.
    if (place?.unread) {
      kept.push({ ...where, people: one.users.length, why: 'unread' });
      continue;
    }
    const users = one.users.filter((user) => !place?.before.has(user));
    const before = one.users.length - users.length;
    if (before > 0) kept.push({ ...where, people: before, why: 'not-active' });
    const key = `${sectionId} ${one.roleId}`;
    const same = asked.get(key);
    if (same) same.users.push(...users);
    else if (users.length > 0) {
      asked.set(key, {
        courseId: course.id,
        sectionId,
        roleId: one.roleId,
        status: one.status === 'active' ? 'deleted' : 'active',
        users,
      });
    }
  }
  return { asked: [...asked.values()], kept };
}

/** The rows of an import by place, as they were sent. */
async function sentRowsOf(db: Db, importId: string): Promise<SentRows[]> {
  const places = new Map<string, SentRows>();
  let header: readonly string[] = [];
  for await (const batch of storedRows(db, importId)) {
    for (const row of batch) {
      if (row.row === 1) header = row.cells;
      else take(places, header, row);
    }
  }
  return [...places.values()];
}

function take(places: Map<string, SentRows>, header: readonly string[], { cells }: CsvRow): void {
  const cell = (name: string) => cells[header.indexOf(name)] ?? '';
  const status = cell('status');
  if (status !== 'active' && status !== 'deleted') return;
  const [sisCourseId, sisSectionId, roleId] = [
    cell('course_id'),
    cell('section_id'),
    Number(cell('role_id')),
  ];
  const key = JSON.stringify([sisCourseId, sisSectionId, roleId, status]);
  const place = places.get(key) ?? { sisCourseId, sisSectionId, roleId, status, users: [] };
  place.users.push(cell('user_id'));
  places.set(key, place);
}

interface Place {
  /** Number of the section; null for one that was made on sending. */
  section: number | null;
  name: string | null;
  /** SIS ids of those who were there without being active. */
  before: ReadonlySet<string>;
  /** Whether nobody knows who was there before. */
  unread: boolean;
}

function placeKey(sisSectionId: string, roleId: number | null): string {
  return `${roleId} ${sisSectionId}`;
}

/** The courses of a plan by their SIS id, each with its sections by what rows called them. */
async function plannedPlaces(db: Db, { id: planId, roleId }: Sent['plan']) {
  const people = (await readPlanPeople(db, planId)) ?? [];
  const courses = new Map<string, { id: number; places: Map<string, Place> }>();
  for await (const { courseId, sisCourseId, rows } of readPlanCourses<StoredRows[]>(db, planId)) {
    const places = new Map<string, Place>();
    for (const one of rows) {
      const before = new Set((one.before ?? []).map(([index]) => people[index]?.[2] ?? ''));
      const { section, name, unread = false } = one;
      places.set(placeKey(one.sis, one.role ?? roleId), { section, name, before, unread });
    }
    courses.set(sisCourseId, { id: courseId, places });
  }
  return courses;
}

/** Number of a section that was given its SIS id on sending; null when its course no longer has it. */
async function sectionNamed(
  canvas: CanvasClient,
  sisSectionId: string,
  courseId: number,
  { admin, signal }: Sent,
): Promise<number | null> {
  if (sisSectionId === '') return null;
  try {
    const { data } = await canvas.call({
      token: admin.token,
      method: 'GET',
      path: `sections/${sisSegment('section', sisSectionId)}`,
      answer: section,
      signal,
    });
    return data.course_id === courseId ? data.id : null;
  } catch (error) {
    if (error instanceof CanvasError && error.kind === 'not-found') return null;
    throw error;
  }
}
