/** Results of the rows of groups or their members in an import that the LMS aborted, looked up in the LMS. */
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import type { RowFate } from '@lms-admin/domain/import-verdict';
import { sisHeader } from '@lms-admin/domain/sis-rows';
import { deletes, type SisTable, sisTableFor } from '@lms-admin/domain/sis-tables';
import { groupsOf, membersOf, writersOf } from '../canvas/resources/groups.ts';
import { userIdsOf } from '../canvas/resources/user-ids.ts';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from '../canvas/types.ts';
import type { FateOfRow } from '../imports/sources.ts';
import { mapLimited } from '../platform/limited.ts';
import type { KeptMember } from './plan-parts.ts';

/** Number of categories or groups looked up at once. */
const AT_ONCE = 16;
interface SentRow {
  row: number;
  /** Place read from the LMS: the category of a group, or the group of a person. */
  place: string;
  id: string;
  /** Expected name of the group. */
  name: string;
  deleted: boolean;
}

/** Kinds of rows that are looked up. */
const KINDS = {
  group: {
    place: 'group_category_id',
    id: 'group_id',
    path: 'group_categories',
    segment: 'group_category',
  },
  group_membership: { place: 'group_id', id: 'user_id', path: 'groups', segment: 'group' },
} as const;
type Kind = keyof typeof KINDS;

/**
 * Returns the result of each row in order, or null if the rows are of neither kind.
 * @param of the import's id in the LMS, which is recorded in the groups and memberships that it wrote; and people's
 * names and user ids by SIS ID, as far as a plan has them
 * @throws the signal's reason
 */
export async function groupRowFates(
  canvas: CanvasClient,
  token: CanvasToken,
  rows: AsyncIterable<CsvRow[]>,
  { importId, people }: { importId: number; people: ReadonlyMap<string, Pick<KeptMember, 'person' | 'who'>> },
  signal: AbortSignal,
): Promise<FateOfRow[] | null> {
  const sent = await readRows(rows);
  if (sent === null) return null;
  const { kind } = sent;
  const fates = await mapLimited([...byPlace(sent.rows)], AT_ONCE, async ([place, groupRows]) => {
    const present = place === '' ? null : await readPresent(canvas, token, kind, place, signal);
    const isListed = ({ id }: SentRow) => id === '' || present === null || present.bySisId.has(id);
    const unlisted =
      kind === 'group' ? [] : groupRows.flatMap((one) => (isListed(one) || people.has(one.id) ? [] : one.id));
    const looked = await userIdsOf(canvas, token, new Set(unlisted), signal);
    return groupRows.map((one): FateOfRow => {
      const who = people.get(one.id)?.who ?? looked.get(one.id);
      const there =
        present?.bySisId.get(one.id) ?? (typeof who === 'number' ? present?.byNumber.get(who) : undefined);
      const fate = present === null || who === 'unread' ? 'unknown' : fateOf(one, there, importId);
      return { row: one.row, fate, text: textOf(kind, fate, one, there, people.get(one.id)?.person) };
    });
  });
  return fates.flat().sort((a, b) => a.row - b.row);
}

function byPlace(rows: readonly SentRow[]): Map<string, SentRow[]> {
  const places = new Map<string, SentRow[]>();
  for (const one of rows) {
    const groupRows = places.get(one.place);
    if (groupRows) groupRows.push(one);
    else places.set(one.place, [one]);
  }
  return places;
}

async function readRows(rows: AsyncIterable<CsvRow[]>): Promise<{ kind: Kind; rows: SentRow[] } | null> {
  const sent: SentRow[] = [];
  let read: { kind: Kind; table: SisTable; header: string[] } | null = null;
  for await (const batch of rows) {
    for (const { row, cells } of batch) {
      if (read === null) {
        const header = sisHeader(cells);
        const table = sisTableFor(header);
        if (table?.kind !== 'group' && table?.kind !== 'group_membership') return null;
        read = { kind: table.kind, table, header };
        continue;
      }
      const { kind, table, header } = read;
      const cell = (name: string) => cells[header.indexOf(name)] ?? '';
      sent.push({
        row,
        place: cell(KINDS[kind].place),
        id: cell(KINDS[kind].id),
        name: cell('name'),
        deleted: deletes(table, cell('status').toLowerCase()),
      });
    }
  }
  return read && { kind: read.kind, rows: sent };
}

interface Found {
  name: string;
  /** The import that last wrote the entry: null for none, missing if the LMS does not return it. */
  by?: number | null | undefined;
}

/** Current entries by SIS ID, and people also by user id, because the list only shows one of their SIS IDs. */
interface Present {
  bySisId: ReadonlyMap<string, Found>;
  byNumber: ReadonlyMap<number, Found>;
}

type Listed = Found & { sis: string | null | undefined; id?: number };

/** Returns the current entries, or null if they are unknown. A place that was deleted has none. */
async function readPresent(
  canvas: CanvasClient,
  token: CanvasToken,
  kind: Kind,
  place: string,
  signal: AbortSignal,
): Promise<Present | null> {
  const reader = { canvas, token, signal };
  const { path, segment } = KINDS[kind];
  const at = sisSegment(segment, place);
  const listGroups = async (): Promise<Listed[]> =>
    (await groupsOf(reader, `${path}/${at}`)).map((one) => ({
      sis: one.sis_group_id,
      name: one.name,
      by: one.sis_import_id,
    }));
  const listMembers = async (): Promise<Listed[]> => {
    const [all, writers] = await Promise.all([membersOf(reader, at), writersOf(reader, at)]);
    return all.map((one) => ({
      sis: one.sis_user_id,
      name: one.name,
      id: one.id,
      by: writers.get(one.id),
    }));
  };
  try {
    const found = kind === 'group' ? await listGroups() : await listMembers();
    // Without permission to see SIS IDs, entries cannot be identified.
    if (found.length > 0 && found.every(({ sis }) => sis === undefined)) return null;
    return {
      bySisId: new Map(found.flatMap((one) => (one.sis ? [[one.sis, one] as const] : []))),
      byNumber: new Map(found.flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const]))),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CanvasError)) throw error;
    return error.kind === 'not-found' ? { bySisId: new Map(), byNumber: new Map() } : null;
  }
}

/** Determines a row's result. The LMS does not show removed members, so it cannot show which import removed them. */
function fateOf({ id, name, deleted }: SentRow, there: Found | undefined, importId: number): RowFate {
  if (id === '') return 'unknown';
  if (deleted) return there === undefined ? 'applied' : 'not';
  if (there === undefined || (name !== '' && there.name !== name)) return 'not';
  return there.by === undefined || there.by === importId ? 'applied' : 'not';
}

function textOf(
  kind: Kind,
  fate: RowFate,
  { place, id, name, deleted }: SentRow,
  there: Found | undefined,
  planned: string | undefined,
): string {
  const what = kind === 'group' ? `the group ${name}` : (there?.name ?? planned ?? id);
  if (kind === 'group' && fate === 'not' && !deleted && there !== undefined && there.name !== name)
    return `Not applied: the group to be renamed to ${name} is still called ${there.name}.`;
  if (fate === 'unknown') return `Unknown: ${what} in ${place} could not be looked up.`;
  if (fate === 'not' && !deleted && there !== undefined)
    return `Not applied: ${what} is in ${place}, but not by this import.`;
  const isThere = deleted ? fate === 'not' : fate === 'applied';
  return `${fate === 'applied' ? 'Applied' : 'Not applied'}: ${what} is ${isThere ? '' : 'not '}in ${place}.`;
}
