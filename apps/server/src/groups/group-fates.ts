/** What became of the rows of groups, or of their members, of an import that the LMS broke off: looked up in the LMS. */
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import type { RowFate } from '@lms-admin/domain/import-verdict';
import { sisHeader } from '@lms-admin/domain/sis-rows';
import { deletes, type SisTable, sisTableFor } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from '../canvas/types.ts';
import type { FateOfRow } from '../imports/sources.ts';
import { mapLimited } from '../platform/limited.ts';

/** Categories, or groups, asked about at once. */
const AT_ONCE = 16;
const groups = z.array(z.object({ name: z.string(), sis_group_id: z.string().nullish() }));
const members = z.array(z.object({ name: z.string(), sis_user_id: z.string().nullish() }));

interface SentRow {
  row: number;
  /** What is asked about: the category of a group, or the group of a person. */
  place: string;
  id: string;
  /** Name that the group should have. */
  name: string;
  deleted: boolean;
}

/** The kinds of rows that are looked up. */
const KINDS = {
  group: {
    place: 'group_category_id',
    id: 'group_id',
    path: 'group_categories',
    segment: 'group_category',
    list: 'groups',
  },
  group_membership: { place: 'group_id', id: 'user_id', path: 'groups', segment: 'group', list: 'users' },
} as const;
type Kind = keyof typeof KINDS;

/**
 * The fate of each row, in their order; null where the rows are of neither kind.
 * @param names of people by SIS id, as far as a plan knows them
 * @throws the signal's reason
 */
export async function groupRowFates(
  canvas: CanvasClient,
  token: CanvasToken,
  rows: AsyncIterable<CsvRow[]>,
  names: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<FateOfRow[] | null> {
  const sent = await readRows(rows);
  if (sent === null) return null;
  const { kind } = sent;
  const fates = await mapLimited([...byPlace(sent.rows)], AT_ONCE, async ([place, those]) => {
    const present = place === '' ? null : await readPresent(canvas, token, kind, place, signal);
    return those.map((one): FateOfRow => {
      const fate = fateOf(one, present);
      const name = present?.get(one.id) ?? names.get(one.id) ?? one.id;
      return { row: one.row, fate, text: textOf(kind, fate, one, name) };
    });
  });
  return fates.flat().sort((a, b) => a.row - b.row);
}

function byPlace(rows: readonly SentRow[]): Map<string, SentRow[]> {
  const places = new Map<string, SentRow[]>();
  for (const one of rows) {
    const those = places.get(one.place);
    if (those) those.push(one);
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

/** Names by SIS id of what is there; null where that cannot be known. Of a place that is gone, nothing is there. */
async function readPresent(
  canvas: CanvasClient,
  token: CanvasToken,
  kind: Kind,
  place: string,
  signal: AbortSignal,
): Promise<Map<string, string> | null> {
  const { path, segment, list } = KINDS[kind];
  const request = {
    token,
    method: 'GET',
    path: `${path}/${sisSegment(segment, place)}/${list}`,
    query: [['per_page', String(LMS_PAGE_SIZE)]],
    signal,
  } as const;
  try {
    const found: [id: string | null | undefined, name: string][] =
      kind === 'group'
        ? (await canvas.list({ ...request, answer: groups })).map((one) => [one.sis_group_id, one.name])
        : (await canvas.list({ ...request, answer: members })).map((one) => [one.sis_user_id, one.name]);
    // Without the right to see SIS ids nothing can be told from anything.
    if (found.length > 0 && found.every(([id]) => id === undefined)) return null;
    return new Map(found.flatMap(([id, name]) => (id ? [[id, name] as const] : [])));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CanvasError)) throw error;
    return error.kind === 'not-found' ? new Map() : null;
  }
}

function fateOf({ id, name, deleted }: SentRow, present: ReadonlyMap<string, string> | null): RowFate {
  if (present === null || id === '') return 'unknown';
  const there = present.get(id);
  if (deleted) return there === undefined ? 'applied' : 'not';
  return there !== undefined && (name === '' || there === name) ? 'applied' : 'not';
}

function textOf(kind: Kind, fate: RowFate, { place, name, deleted }: SentRow, who: string): string {
  const what = kind === 'group' ? `the group ${name}` : who;
  if (fate === 'unknown') return `Not known: ${what} in ${place} could not be looked up.`;
  const isThere = deleted ? fate === 'not' : fate === 'applied';
  return `${fate === 'applied' ? 'Applied' : 'Not applied'}: ${what} is ${isThere ? '' : 'not '}in ${place}.`;
}
