/** Makes the CSV of a plan: sees to the sections that rows name, then writes the rows. May be run again. */
import { setImmediate as yieldTurn } from 'node:timers/promises';
import { type EnrollmentBlock, enrollmentCsv } from '@lms-admin/domain/enrollment-csv';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import type { PlannedCsv } from '../imports/sources.ts';
import type { Db } from '../platform/database.ts';
import { nameSections, type SectionToName } from './name-sections.ts';
import {
  planBlocks,
  readPlanCourses,
  readPlanHead,
  readPlanPeople,
  type StoredCourse,
} from './plan-store.ts';

/** Rows written before other work gets its turn. */
const ROWS_AT_ONCE = 2_000;

/** @throws CanvasError when sections cannot be named at the moment */
export async function planCsv(
  { db, canvas }: { db: Db; canvas: CanvasClient },
  token: CanvasToken,
  owner: { login: string; planId: string },
  signal: AbortSignal,
): Promise<PlannedCsv> {
  const plan = await readPlanHead(db, owner.login, owner.planId, { evenIfOld: true });
  const people = await readPlanPeople(db, owner.planId);
  if (!plan || !people) throw new Error(`plan ${owner.planId} is gone`);
  const courses: StoredCourse[] = [];
  for await (const course of readPlanCourses(db, owner.planId)) courses.push(course);
  const named = await nameSections(canvas, token, courses.flatMap(sectionsToName), signal);
  const sisIds = people.map(([, , sisUserId]) => sisUserId);
  const blocks = courses.flatMap((course) => planBlocks(plan, course, sisIds, named.ids));
  return {
    rows: blocks.reduce((total, block) => total + block.users.length, 0),
    texts: unhurried(blocks),
    leftOut: named.failures,
  };
}

/** Where rows land; a section without rows is left alone (OP-51). */
function sectionsToName(course: StoredCourse): SectionToName[] {
  return course.rows.flatMap(({ section, name, sis, assign, people }) =>
    people?.length === 0
      ? []
      : [{ courseId: course.courseId, id: section, name: name ?? '', sisSectionId: sis, assign }],
  );
}

/** The CSV in pieces, with a pause for other work after each. */
export async function* unhurried(blocks: readonly EnrollmentBlock[]): AsyncGenerator<string, void, void> {
  for (const text of enrollmentCsv(blocks, ROWS_AT_ONCE)) {
    yield text;
    await yieldTurn();
  }
}
