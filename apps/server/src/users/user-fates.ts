/** Outcomes for new people whose import was interrupted: the LMS creates them row by row. */
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { emailKey } from '@lms-admin/domain/emails';
import type { RowFate } from '@lms-admin/domain/import-verdict';
import { sisHeader } from '@lms-admin/domain/sis-rows';
import { z } from 'zod';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from '../canvas/types.ts';
import type { FateOfRow } from '../imports/sources.ts';
import { mapLimited } from '../platform/limited.ts';

/** People looked up at a time. */
const AT_ONCE = 16;
const person = z.object({ id: z.number().int(), login_id: z.string().nullish() });

interface SentPerson {
  row: number;
  id: string;
  login: string;
  name: string;
}

/**
 * Returns the outcome of each row. The SIS ID was unused, so a person with this SIS ID and login is new.
 * @throws the signal's reason
 */
export async function newUserFates(
  canvas: CanvasClient,
  token: CanvasToken,
  rows: AsyncIterable<CsvRow[]>,
  signal: AbortSignal,
): Promise<FateOfRow[]> {
  return mapLimited(await readPeople(rows), AT_ONCE, async ({ row, id, login, name }) => {
    const holder = await holderOf(canvas, token, id, signal);
    const who = `${name} (${id})`;
    if (holder === 'unread') return fate(row, 'unknown', `Unknown: ${who} could not be looked up.`);
    if (holder === null) return fate(row, 'not', `Not applied: ${who} is not in the LMS.`);
    if (emailKey(holder.login_id ?? '') !== emailKey(login))
      return fate(
        row,
        'not',
        `Not applied: the SIS ID of ${who} belongs to a person with a different login.`,
      );
    return fate(row, 'applied', `Applied: ${who} is in the LMS.`);
  });
}

const fate = (row: number, what: RowFate, text: string): FateOfRow => ({ row, fate: what, text });

async function readPeople(rows: AsyncIterable<CsvRow[]>): Promise<SentPerson[]> {
  const people: SentPerson[] = [];
  let header: readonly string[] | null = null;
  for await (const batch of rows) {
    for (const { row, cells } of batch) {
      if (header === null) {
        header = sisHeader(cells);
        continue;
      }
      const names = header;
      const cell = (name: string) => cells[names.indexOf(name)] ?? '';
      people.push({ row, id: cell('user_id'), login: cell('login_id'), name: cell('short_name') });
    }
  }
  return people;
}

/** Returns the person with an SIS ID; null for none, `unread` if unknown. */
async function holderOf(canvas: CanvasClient, token: CanvasToken, sisId: string, signal: AbortSignal) {
  try {
    const path = `users/${sisSegment('user', sisId)}`;
    return (await canvas.call({ token, method: 'GET', path, answer: person, signal })).data;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CanvasError)) throw error;
    return error.kind === 'not-found' ? null : 'unread';
  }
}
