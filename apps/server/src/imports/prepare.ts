/** Makes the CSV of a planned import: sees to the sections that rows name, then writes the rows. May be run again. */
import { setImmediate as breathe } from 'node:timers/promises';
import { type EnrollmentBlock, enrollmentCsv } from '@lms-admin/domain/enrollment-csv';
import { and, eq, lt } from 'drizzle-orm';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import {
  planBlocks,
  readPlanCourses,
  readPlanHead,
  readPlanPeople,
  type StoredCourse,
} from '../enrollments/plan-store.ts';
import type { Db } from '../platform/database.ts';
import { importMessages } from '../platform/schema.ts';
import { storeCsv } from './csv-store.ts';
import { nameSections, type SectionToName } from './sections.ts';

/** Rows written before other work gets its turn. */
const ROWS_AT_ONCE = 2_000;
/** Sections left out that an import's note names. */
const MOST_TOLD = 5;

export interface Prepared {
  rows: number;
  /** What happened to sections, for people; null when nothing is to be told. */
  sectionsNote: string | null;
}

/**
 * Writes the CSV of a plan.
 * @throws CanvasError when sections cannot be named at the moment
 */
export async function preparePlan(
  db: Db,
  canvas: CanvasClient,
  token: CanvasToken,
  importId: string,
  owner: { login: string; planId: string },
  signal: AbortSignal,
): Promise<Prepared> {
  const plan = await readPlanHead(db, owner.login, owner.planId, { evenIfOld: true });
  const people = await readPlanPeople(db, owner.planId);
  if (!plan || !people) throw new Error(`plan ${owner.planId} is gone`);
  const courses: StoredCourse[] = [];
  for await (const course of readPlanCourses(db, owner.planId)) courses.push(course);
  const named = await nameSections(canvas, token, courses.flatMap(sectionsToName), signal);
  await storeOwnMessages(db, importId, named.failures);
  const sisIds = people.map(([, , sisUserId]) => sisUserId);
  const blocks = courses.flatMap((course) => planBlocks(plan, course, sisIds, named.ids));
  await storeCsv(db, importId, unhurried(blocks));
  return {
    rows: blocks.reduce((total, block) => total + block.users.length, 0),
    sectionsNote: noteOf(named.failures),
  };
}

/** Sections that rows name; one without rows is left alone (OP-51), and so is the default section that no row names. */
function sectionsToName(course: StoredCourse): SectionToName[] {
  return course.rows.flatMap(({ section, name, sis, assign, people }) =>
    section !== null && sis !== '' && people?.length !== 0
      ? [{ courseId: course.courseId, id: section, name: name ?? '', sisSectionId: sis, assign }]
      : [],
  );
}

/** What the import says about sections, in short; all of it is among its messages. */
function noteOf(failures: readonly string[]): string | null {
  if (failures.length === 0) return null;
  const more = failures.length - MOST_TOLD;
  return [
    ...failures.slice(0, MOST_TOLD),
    ...(more > 0 ? [`${more} more sections were left out.`] : []),
  ].join(' ');
}

/** The CSV in pieces, with a pause for other work after each. */
export async function* unhurried(blocks: readonly EnrollmentBlock[]): AsyncGenerator<string, void, void> {
  for (const text of enrollmentCsv(blocks, ROWS_AT_ONCE)) {
    yield text;
    await breathe();
  }
}

/** Our own messages stand before those of the LMS, which are numbered from 1. */
async function storeOwnMessages(db: Db, importId: string, texts: readonly string[]): Promise<void> {
  await db
    .delete(importMessages)
    .where(and(eq(importMessages.importId, importId), lt(importMessages.seq, 1)));
  if (texts.length === 0) return;
  await db.insert(importMessages).values(
    texts.map((message, index) => ({
      importId,
      seq: index - texts.length,
      file: null,
      message,
      row: null,
    })),
  );
}
