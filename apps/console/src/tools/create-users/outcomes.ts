/** What became of each person that was sent: who exists now, and what the LMS said about the rows. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type ImportRowMessage, importRow } from '@lms-admin/contract/imports';
import type { Answer } from '@lms-admin/contract/lms-calls';
import { type LookedUpPerson, peopleLine } from '@lms-admin/contract/people';
import { type NewUser, normalNewUser } from '@lms-admin/domain/new-users';
import { z } from 'zod';
import { getAnswer, postLines } from '../../api/client.ts';
import { enteredRow } from '../../components/ImportProgress/row-messages.ts';

export interface PersonOutcome {
  /** Id of the form's row. */
  id: number;
  /** `unknown` where the LMS did not say whether the person exists now. */
  result: 'created' | 'not-created' | 'unknown';
  /** Number of the person in the LMS. */
  canvasId: number | null;
  /** What the LMS said about the row; a person may be created all the same. */
  said: string[];
}

export interface ImportResult {
  /** People by PeopleSoft id; null for one who does not exist, missing where the LMS gave no answer. */
  people: ReadonlyMap<string, Pick<LookedUpPerson, 'id' | 'login_id'> | null>;
  /** Rows of the CSV, header being row 1, with what was said about them. */
  said: readonly Pick<ImportRowMessage, 'row' | 'messages'>[];
}

/** Joins what is known to the rows. Created is who has the PeopleSoft id and the login that were sent. Pure. */
export function outcomesOf(
  rows: readonly (NewUser & { id: number })[],
  { people, said }: ImportResult,
): PersonOutcome[] {
  const byRow = new Map(said.map(({ row, messages }) => [row === null ? null : enteredRow(row), messages]));
  return rows.map((row, index) => {
    const { psID, email } = normalNewUser(row);
    const person = people.get(psID);
    const same = person?.login_id?.toLowerCase() === email;
    return {
      id: row.id,
      result: person === undefined ? 'unknown' : same ? 'created' : 'not-created',
      canvasId: same ? (person?.id ?? null) : null,
      said: byRow.get(index + 1) ?? [],
    };
  });
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
): Promise<ImportResult> {
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
    all.push(...answer.data);
    path = answer.pagination.nextPage;
  }
  return all;
}
