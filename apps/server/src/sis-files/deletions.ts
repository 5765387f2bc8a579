/** What a file deletes: how many rows, and how much of each course's active enrolments (issue: typed number). */
import type { SisFile } from '@lms-admin/contract/sis-files';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { deletionReason, MANY_DELETIONS } from '@lms-admin/domain/sis-rows';
import type { SisTable } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import { CanvasError } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { ownText, storable } from '../platform/text.ts';
import type { CheckServices } from './policies/policy.ts';

/** Courses that are told, those that lose most first. */
const MOST_COURSES = 50;
const AT_ONCE = 16;
/** Enrolments that are counted where the LMS does not tell how many there are. */
const MOST_COUNTED = 5_000;

const entries = z.array(z.unknown());
const section = z.object({ course_id: z.number().int().positive() });

/** Rows that delete, and what they name. */
export class Deleted {
  rows = 0;
  people = 0;
  /** Rows that take somebody from a course. */
  readonly byCourse = new Map<string, number>();
  /** Those that name its section only. */
  readonly bySection = new Map<string, number>();

  note({ deletes, touches }: SisTable, header: readonly string[], cells: readonly string[]): void {
    this.rows++;
    if (deletes === 'person') this.people++;
    if (deletes !== 'enrolment') return;
    const cell = (name: string | undefined) => (name && cells[header.indexOf(name)]) || '';
    const course = cell(touches.course);
    if (course === '') count(this.bySection, cell(touches.section));
    else count(this.byCourse, course);
  }
}

function count(counts: Map<string, number>, name: string): void {
  const known = counts.get(name);
  if (known === undefined) counts.set(ownText(name), 1);
  else counts.set(name, known + 1);
}

/**
 * Tells what a checked file deletes, and whether the number has to be typed.
 * @throws CanvasError when the admin's token is refused
 */
export async function deletionsOf(
  services: CheckServices,
  admin: Admin,
  deleted: Deleted,
  signal: AbortSignal,
): Promise<SisFile['deletions']> {
  const byCourse = new Map(deleted.byCourse);
  let untold = false;
  // More rows than that are asked about anyway.
  if (deleted.rows <= MANY_DELETIONS) {
    for (const [id, count] of deleted.bySection) {
      const course = await orNull(() => courseOfSection(services, admin, id, signal));
      if (course === 'failed') untold = true;
      else if (course) byCourse.set(course, (byCourse.get(course) ?? 0) + count);
    }
  }
  const most = [...byCourse].sort((a, b) => b[1] - a[1]).slice(0, MOST_COURSES);
  const courses = await mapLimited(most, AT_ONCE, async ([sisId, count]) => {
    const known = await orNull(() => services.scope.courseBySisId(admin, sisId, signal));
    const active =
      known && known !== 'failed' ? await orNull(() => activeIn(services, admin, known.id, signal)) : known;
    if (active === 'failed') untold = true;
    return {
      sis_course_id: storable(sisId),
      name: known && known !== 'failed' ? storable(known.name) : null,
      missing: known === null,
      deleted: count,
      active: typeof active === 'number' ? active : null,
    };
  });
  // A share that could not be found out may be a large one.
  const reason = deletionReason(deleted.rows, courses) ?? (untold ? 'share-of-course' : null);
  return {
    rows: deleted.rows,
    people: deleted.people,
    courses,
    confirm: reason === null ? null : deleted.rows,
    reason,
  };
}

/** The answer; null where what was asked about does not exist or cannot be counted; `failed` where nobody knows. */
async function orNull<T>(ask: () => Promise<T | null>): Promise<T | null | 'failed'> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CanvasError) || error.ofToken) throw error;
    return error.kind === 'not-found' ? null : 'failed';
  }
}

async function courseOfSection(
  { canvas, scope }: CheckServices,
  admin: Admin,
  sisId: string,
  signal: AbortSignal,
): Promise<string | null> {
  const id = encodeURIComponent(`sis_section_id:${sisId}`).replaceAll('.', '%2E');
  const { data } = await canvas.call({
    token: admin.token,
    method: 'GET',
    path: `sections/${id}`,
    answer: section,
    signal,
  });
  return (await scope.course(admin, data.course_id, signal))?.sis_course_id ?? null;
}

/** Active enrolments of a course; null when there are more than can be counted in a moment. */
async function activeIn(
  { canvas }: CheckServices,
  admin: Admin,
  courseId: number,
  signal: AbortSignal,
): Promise<number | null> {
  const request = {
    token: admin.token,
    method: 'GET',
    path: `courses/${courseId}/enrollments`,
    query: [
      ['state[]', 'active'],
      ['per_page', String(LMS_PAGE_SIZE)],
    ] as const,
    answer: entries,
    signal,
  } as const;
  const first = await canvas.call(request);
  if (first.next === null) return first.data.length;
  if (first.last !== null) {
    const last = await canvas.call({ ...request, query: [...request.query, ['page', String(first.last)]] });
    return (first.last - 1) * LMS_PAGE_SIZE + last.data.length;
  }
  let count = 0;
  for await (const { data } of canvas.pages(request)) {
    count += data.length;
    if (count > MOST_COUNTED) return null;
  }
  return count;
}
