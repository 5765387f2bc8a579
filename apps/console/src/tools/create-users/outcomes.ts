/** What became of each person that was sent: who exists now, and what the LMS said about the rows. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type ImportRowMessage, importRow, type SisImport } from '@lms-admin/contract/imports';
import type { Answer } from '@lms-admin/contract/lms-calls';
import { type LookedUpPerson, peopleLine } from '@lms-admin/contract/people';
import { NEW_LOGINS } from '@lms-admin/domain/import-states';
import { type NewUser, normalNewUser } from '@lms-admin/domain/new-users';
import { z } from 'zod';
import { getAnswer, postLines } from '../../api/client.ts';
import { enteredRow } from '../../components/ImportProgress/row-messages.ts';

export interface PersonOutcome {
  /** Id of the form's row. */
  id: number;
  /** `unknown` where the LMS did not say whether the person exists now; `existed` of someone whom the row changed. */
  result: 'created' | 'existed' | 'not-created' | 'unknown';
  /** Number of the person in the LMS. */
  canvasId: number | null;
  /** What the LMS said about the row; a person may be created anyway. */
  said: string[];
}

export interface ImportResult {
  /** People by PeopleSoft id; null for one who does not exist, missing where the LMS gave no answer. */
  people: ReadonlyMap<string, Pick<LookedUpPerson, 'id' | 'login_id' | 'created_at'> | null>;
  /** Rows of the CSV, header being row 1, with what was said about them. */
  said: readonly Pick<ImportRowMessage, 'row' | 'messages' | 'left_out'>[];
  /** How many of the rows that the LMS applied created a person; null where it did not tell. */
  made: { rows: number; people: number } | null;
}

/** How sentences on what became of a row begin: the outcome says it already. */
const FATE = /^(Applied|Not applied|Not known): /;

/** Joins what is known to the rows. Created is who has the PeopleSoft id and the login of a row that was sent. Pure. */
export function outcomesOf(
  rows: readonly (NewUser & { id: number })[],
  { people, said, made }: ImportResult,
): PersonOutcome[] {
  const byRow = new Map(said.map((one) => [one.row === null ? null : enteredRow(one.row), one]));
  const sent = rows.flatMap((row, index) => (byRow.get(index + 1)?.left_out ? [] : normalNewUser(row).psID));
  const before = existedBefore(sent, people, made);
  return rows.map((row, index) => {
    const { psID, email } = normalNewUser(row);
    const person = people.get(psID);
    const { messages = [], left_out: leftOut = false } = byRow.get(index + 1) ?? {};
    const same = !leftOut && person?.login_id?.toLowerCase() === email;
    return {
      id: row.id,
      result:
        person === undefined && !leftOut
          ? 'unknown'
          : same
            ? before.has(psID)
              ? 'existed'
              : 'created'
            : 'not-created',
      canvasId: same ? (person?.id ?? null) : null,
      said: messages,
    };
  });
}

/** Whom others made while the import was on its way: it made fewer people than rows, and they are the oldest. */
function existedBefore(
  sent: readonly string[],
  people: ImportResult['people'],
  made: ImportResult['made'],
): Set<string> {
  const count = made === null ? 0 : Math.max(0, made.rows - made.people);
  const dated = sent.flatMap((psID) => {
    const at = people.get(psID)?.created_at;
    return at ? [[psID, Date.parse(at)] as const] : [];
  });
  const oldest = dated.sort(([, one], [, other]) => one - other).slice(0, count);
  return new Set(oldest.map(([psID]) => psID));
}

/** Of an import: how many of its rows of people the LMS applied, and how many people they made. */
export function madeBy({ data }: Pick<SisImport, 'data'>): ImportResult['made'] {
  const { users: rows, [NEW_LOGINS]: people } = data.counts;
  return rows === undefined || people === undefined ? null : { rows, people };
}

/**
 * Asks who exists now, and for what was said about the rows.
 * @param withMessages false for an import without any
 * @throws ApiError, AbortError
 */
export async function readResult(
  importId: string,
  psIDs: readonly string[],
  withMessages: boolean,
  signal: AbortSignal,
): Promise<Omit<ImportResult, 'made'>> {
  const [people, said] = await Promise.all([
    readPeople(psIDs, signal),
    withMessages ? readRows(importId, signal) : [],
  ]);
  return { people, said };
}

async function readPeople(psIDs: readonly string[], signal: AbortSignal): Promise<ImportResult['people']> {
  const people = new Map<string, LookedUpPerson | null>();
  const lines = postLines(ENDPOINTS.peopleLookup, { sis_ids: psIDs }, peopleLine, { signal });
  for await (const line of lines) {
    if ('by' in line && line.result !== 'failed') people.set(line.asked, line.person);
  }
  return people;
}

async function readRows(importId: string, signal: AbortSignal): Promise<ImportRowMessage[]> {
  const all: ImportRowMessage[] = [];
  let path: string | null = ENDPOINTS.importRows.replace(':import', encodeURIComponent(importId));
  while (path !== null) {
    const answer: Answer<ImportRowMessage[]> = await getAnswer(path, z.array(importRow), { signal });
    // Of an import that was broken off, the server has looked the people up, too.
    all.push(
      ...answer.data.map((one) => ({ ...one, messages: one.messages.filter((text) => !FATE.test(text)) })),
    );
    path = answer.pagination.nextPage;
  }
  return all;
}
