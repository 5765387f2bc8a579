/** Results of the rows in an import that the LMS aborted: enrolments are applied row by row, so each row is looked up. */
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import type { RowFate } from '@lms-admin/domain/import-verdict';
import { enrollmentsOf, type LmsEnrollment } from '../canvas/resources/enrollments.ts';
import { Roles } from '../canvas/resources/roles.ts';
import { userIdsOf } from '../canvas/resources/user-ids.ts';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from '../canvas/types.ts';
import type { FateOfRow } from '../imports/sources.ts';
import type { StoredPerson } from '../plans/store.ts';
import { mapLimited } from '../platform/limited.ts';

/** Number of courses looked up at once. */
const COURSES_AT_ONCE = 8;

interface SentRow {
  row: number;
  course: string;
  user: string;
  /** Roles that the row's role name can mean. */
  roles: readonly number[];
  section: string;
  status: string;
}

/**
 * Returns the result of each row in order, or null if the rows are not enrolments that can be looked up.
 * @param of the import's id in the LMS, which is recorded in the enrolments that it wrote; and the plan's people, if
 * any, for their names
 * @throws the signal's reason
 */
export async function rowFates(
  canvas: CanvasClient,
  token: CanvasToken,
  rows: AsyncIterable<CsvRow[]>,
  { importId, people }: { importId: number; people: readonly StoredPerson[] },
  signal: AbortSignal,
): Promise<FateOfRow[] | null> {
  const sent = await readRows(rows, () => new Roles(canvas).named(token, signal));
  if (sent === null) return null;
  const planned = new Map(people.map(([, name, sisId, id]) => [sisId, { name, id }]));
  const groups = new Map<string, SentRow[]>();
  for (const one of sent) {
    const key = JSON.stringify([placeOf(one), one.roles]);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  const fates = await mapLimited([...groups.values()], COURSES_AT_ONCE, async (group) => {
    const existing = await readExisting(canvas, token, group[0], signal);
    // An enrolment only shows one of a person's SIS IDs.
    const idOf = new Map<string, number | 'unread'>();
    const ofPerson = new Map<number, LmsEnrollment[]>();
    for (const one of existing ?? []) {
      if (one.sis_user_id !== null) idOf.set(one.sis_user_id, one.user_id);
      ofPerson.set(one.user_id, [...(ofPerson.get(one.user_id) ?? []), one]);
    }
    // Without permission to see SIS IDs, people cannot be identified.
    const blind = existing === null || (existing.length > 0 && idOf.size === 0);
    for (const [sisId, { id }] of planned) if (id !== undefined) idOf.set(sisId, id);
    const unlisted = blind ? [] : group.flatMap(({ user }) => (user === '' || idOf.has(user) ? [] : user));
    for (const [sisId, id] of await userIdsOf(canvas, token, new Set(unlisted), signal)) idOf.set(sisId, id);
    return group.map((one): FateOfRow => {
      const id = idOf.get(one.user);
      const isUnknown = blind || one.user === '' || id === 'unread';
      const { fate, byOthers = false } = isUnknown
        ? { fate: 'unknown' as const }
        : fateOf(one, ofPerson.get(id ?? 0) ?? [], importId);
      const name = planned.get(one.user)?.name ?? '';
      return { row: one.row, fate, text: textOf(fate, name === '' ? one.user : name, one, byOthers) };
    });
  });
  return fates.flat().sort((a, b) => a.row - b.row);
}

type RoleNames = Awaited<ReturnType<Roles['named']>>;

/** @param readNames reads the names of roles, if a row names its role */
async function readRows(
  rows: AsyncIterable<CsvRow[]>,
  readNames: () => Promise<RoleNames>,
): Promise<SentRow[] | null> {
  const sent: SentRow[] = [];
  let at: Map<string, number> | null = null;
  let names: RoleNames | null = null;
  for await (const batch of rows) {
    for (const { row, cells } of batch) {
      if (at === null) {
        at = new Map(cells.map((name, place) => [name, place]));
        if (!isLookedUp(at)) return null;
        continue;
      }
      const cell = (name: string) => cells[at?.get(name) ?? -1] ?? '';
      const [roleId, roleName] = [cell('role_id'), cell('role')];
      if (roleId === '' && roleName !== '') names ??= await readNames();
      sent.push({
        row,
        course: cell('course_id'),
        user: cell('user_id'),
        roles: /^\d+$/.test(roleId) ? [Number(roleId)] : roleId === '' ? (names?.(roleName) ?? []) : [],
        section: cell('section_id'),
        status: cell('status').toLowerCase(),
      });
    }
  }
  return sent;
}

/** Returns whether the columns describe enrolments with person, place and role. */
function isLookedUp(columns: ReadonlyMap<string, number>): boolean {
  const one = (...names: string[]) => names.some((name) => columns.has(name));
  return one('user_id') && one('status') && one('course_id', 'section_id') && one('role_id', 'role');
}

/** Returns the path of the place whose enrolments show the row's result, or null if the row names none. */
function placeOf({ course, section }: SentRow): string | null {
  if (course !== '') return `courses/${sisSegment('course', course)}`;
  return section === '' ? null : `sections/${sisSegment('section', section)}`;
}

/** Returns the enrolments of a place with one of the roles, or null if they cannot be read. */
async function readExisting(
  canvas: CanvasClient,
  token: CanvasToken,
  of: SentRow | undefined,
  signal: AbortSignal,
): Promise<LmsEnrollment[] | null> {
  const place = of ? placeOf(of) : null;
  if (!of || place === null || of.roles.length === 0) return null;
  try {
    // The LMS can filter by one role; if a name can mean several, all enrolments are read.
    const roleId = of.roles.length === 1 ? of.roles[0] : undefined;
    const found = await enrollmentsOf({ canvas, token, signal }, place, { roleId, deleted: true });
    return found.filter((one) => of.roles.includes(one.role_id));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CanvasError) return null;
    throw error;
  }
}

/**
 * Determines the outcome of a row. Without a section, it refers to the default one, which has no SIS ID. For an
 * addition, any section counts.
 */
function fateOf(
  { section, status }: SentRow,
  existing: readonly LmsEnrollment[],
  importId: number,
): { fate: RowFate; byOthers?: boolean } {
  const all = existing.filter(
    (one) => (one.sis_section_id ?? '') === section || (section === '' && status === 'active'),
  );
  const here = all.filter((one) => one.enrollment_state !== 'deleted');
  if (!['active', 'completed', 'inactive', 'deleted'].includes(status)) return { fate: 'unknown' };
  const as = status === 'deleted' ? all : here.filter((one) => one.enrollment_state === status);
  if (status === 'deleted' ? here.length > 0 : as.length === 0) return { fate: 'not' };
  // Without permission to see SIS data, the LMS does not show which import wrote an enrolment.
  const isOurs = as.length === 0 || as.some(({ sis_import_id: by }) => by === undefined || by === importId);
  return isOurs ? { fate: 'applied' } : { fate: 'not', byOthers: true };
}

function textOf(
  fate: RowFate,
  who: string,
  { course: named, section, status }: SentRow,
  byOthers: boolean,
): string {
  const course = named === '' ? section : named;
  if (byOthers)
    return status === 'deleted'
      ? `Not applied: another import or someone in the LMS has removed ${who} from ${course}.`
      : `Not applied: another import or someone in the LMS has added ${who} to ${course}.`;
  if (fate === 'unknown') return `Unknown: ${who} in ${course} could not be looked up.`;
  const applied = fate === 'applied';
  if (status === 'deleted') {
    return applied
      ? `Applied: ${who} is no longer in ${course}.`
      : `Not applied: ${who} is still in ${course}.`;
  }
  return applied ? `Applied: ${who} is in ${course}.` : `Not applied: ${who} is not in ${course}.`;
}
