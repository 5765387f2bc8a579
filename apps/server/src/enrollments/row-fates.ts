/** What became of the rows of an import that the LMS broke off: enrolments are applied row by row, so they are looked up. */
import { enrollment } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import type { RowFate } from '@lms-admin/domain/import-verdict';
import { z } from 'zod';
import { type CanvasClient, CanvasError, type CanvasToken } from '../canvas/types.ts';
import type { FateOfRow } from '../imports/sources.ts';
import { mapLimited } from '../platform/limited.ts';
import type { StoredPerson } from './plan-store.ts';

/** Courses asked about at once. */
const COURSES_AT_ONCE = 8;
const STATES = ['active', 'invited', 'creation_pending', 'inactive', 'completed', 'rejected'];
const COLUMNS = ['course_id', 'user_id', 'role_id', 'status'] as const;
const enrollments = z.array(enrollment);
type Existing = z.output<typeof enrollments>;

interface SentRow {
  row: number;
  course: string;
  user: string;
  role: string;
  section: string;
  status: string;
}

/**
 * The fate of each row, in their order; null where the rows are no enrolments that can be looked up.
 * @param people those of the plan, where there is one: a person may be shown by name
 * @throws the signal's reason
 */
export async function rowFates(
  canvas: CanvasClient,
  token: CanvasToken,
  rows: AsyncIterable<CsvRow[]>,
  people: readonly StoredPerson[],
  signal: AbortSignal,
): Promise<FateOfRow[] | null> {
  const sent = await readRows(rows);
  if (sent === null) return null;
  const nameOf = new Map(people.map(([, name, sisId]) => [sisId, name]));
  const groups = new Map<string, SentRow[]>();
  for (const one of sent) {
    const key = JSON.stringify([one.course, one.role]);
    const those = groups.get(key);
    if (those) those.push(one);
    else groups.set(key, [one]);
  }
  const fates = await mapLimited([...groups.values()], COURSES_AT_ONCE, async (those) => {
    const existing = await readExisting(canvas, token, those[0], signal);
    const byUser = new Map<string, Existing>();
    for (const one of existing ?? []) {
      if (one.sis_user_id === null) continue;
      byUser.set(one.sis_user_id, [...(byUser.get(one.sis_user_id) ?? []), one]);
    }
    // Without the right to see SIS ids nobody can be told from anybody.
    const blind = existing === null || (existing.length > 0 && byUser.size === 0);
    return those.map((one): FateOfRow => {
      const fate = blind ? 'unknown' : fateOf(one, byUser.get(one.user) ?? []);
      const name = nameOf.get(one.user) ?? '';
      return { row: one.row, fate, text: textOf(fate, name === '' ? one.user : name, one) };
    });
  });
  return fates.flat().sort((a, b) => a.row - b.row);
}

async function readRows(rows: AsyncIterable<CsvRow[]>): Promise<SentRow[] | null> {
  const sent: SentRow[] = [];
  let at: Map<string, number> | null = null;
  for await (const batch of rows) {
    for (const { row, cells } of batch) {
      if (at === null) {
        at = new Map(cells.map((name, place) => [name, place]));
        if (!COLUMNS.every((name) => at?.has(name))) return null;
        continue;
      }
      const cell = (name: string) => cells[at?.get(name) ?? -1] ?? '';
      sent.push({
        row,
        course: cell('course_id'),
        user: cell('user_id'),
        role: cell('role_id'),
        section: cell('section_id'),
        status: cell('status').toLowerCase(),
      });
    }
  }
  return sent;
}

/** The enrolments of a course with a role; null when they cannot be read. */
async function readExisting(
  canvas: CanvasClient,
  token: CanvasToken,
  of: SentRow | undefined,
  signal: AbortSignal,
): Promise<Existing | null> {
  if (!of || of.course === '' || !/^\d+$/.test(of.role)) return null;
  const course = encodeURIComponent(`sis_course_id:${of.course}`).replaceAll('.', '%2E');
  try {
    return await canvas.list({
      token,
      method: 'GET',
      path: `courses/${course}/enrollments`,
      query: [
        ['role_id', of.role],
        ...STATES.map((state) => ['state[]', state] as const),
        ['per_page', String(LMS_PAGE_SIZE)],
      ],
      answer: enrollments,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CanvasError) return null;
    throw error;
  }
}

/** A row without a section is about the default one, which has no SIS id; to be added, any section of the course does. */
function fateOf({ section, status }: SentRow, existing: Existing): RowFate {
  const here = existing.filter(
    (one) => (one.sis_section_id ?? '') === section || (section === '' && status === 'active'),
  );
  if (status === 'deleted') return here.length === 0 ? 'applied' : 'not';
  if (!['active', 'completed', 'inactive'].includes(status)) return 'unknown';
  return here.some((one) => one.enrollment_state === status) ? 'applied' : 'not';
}

function textOf(fate: RowFate, who: string, { course, status }: SentRow): string {
  if (fate === 'unknown') return `Not known: ${who} in ${course} could not be looked up.`;
  const applied = fate === 'applied';
  if (status === 'deleted') {
    return applied
      ? `Applied: ${who} is not in ${course} any more.`
      : `Not applied: ${who} is still in ${course}.`;
  }
  return applied ? `Applied: ${who} is in ${course}.` : `Not applied: ${who} is not in ${course}.`;
}
