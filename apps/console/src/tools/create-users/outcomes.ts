/** The result for each person sent: who exists now, and the LMS's messages about the rows. */
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
  /** ID of the form's row. */
  id: number;
  /** `unknown` if the LMS did not say whether the person exists; `existed` if the row changed an existing person. */
  result: 'created' | 'existed' | 'not-created' | 'unknown';
  /** Canvas ID of the person. */
  canvasId: number | null;
  /** The LMS's messages about the row; the person may have been created anyway. */
  messages: string[];
}

export interface ImportResult {
  /** People by PeopleSoft ID; null for a person who does not exist, missing if the LMS did not answer. */
  people: ReadonlyMap<string, Pick<LookedUpPerson, 'id' | 'login_id' | 'created_at'> | null>;
  /** Rows of the CSV with their messages; the header is row 1. */
  messages: readonly Pick<ImportRowMessage, 'row' | 'messages' | 'left_out'>[];
  /** How many of the applied rows created a person; null if the LMS did not report it. */
  created: { rows: number; people: number } | null;
}

/** Combines answers and rows: a person with the PeopleSoft ID and login of a sent row counts as created. Pure. */
export function outcomesOf(
  rows: readonly (NewUser & { id: number })[],
  { people, messages: rowMessages, created }: ImportResult,
): PersonOutcome[] {
  const byRow = new Map(rowMessages.map((one) => [one.row === null ? null : enteredRow(one.row), one]));
  const sent = rows.flatMap((row, index) => (byRow.get(index + 1)?.left_out ? [] : normalNewUser(row).psID));
  const before = existedBefore(sent, people, created);
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
      messages,
    };
  });
}

/**
 * Finds the people whom others created during the import: if the import created fewer people than it has rows, the
 * people created first.
 */
function existedBefore(
  sent: readonly string[],
  people: ImportResult['people'],
  created: ImportResult['created'],
): Set<string> {
  const count = created === null ? 0 : Math.max(0, created.rows - created.people);
  const dated = sent.flatMap((psID) => {
    const at = people.get(psID)?.created_at;
    return at ? [[psID, Date.parse(at)] as const] : [];
  });
  const oldest = dated.sort(([, one], [, other]) => one - other).slice(0, count);
  return new Set(oldest.map(([psID]) => psID));
}

/** Counts the rows of people that the LMS applied in an import, and the people whom these rows created. */
export function createdBy({ data }: Pick<SisImport, 'data'>): ImportResult['created'] {
  const { users: rows, [NEW_LOGINS]: people } = data.counts;
  return rows === undefined || people === undefined ? null : { rows, people };
}

/**
 * Looks up who exists now, and reads the messages about the rows.
 * @param withMessages false for an import without messages
 * @throws ApiError, AbortError
 */
export async function readResult(
  importId: string,
  psIDs: readonly string[],
  withMessages: boolean,
  signal: AbortSignal,
): Promise<Omit<ImportResult, 'created'>> {
  const [people, rowMessages] = await Promise.all([
    readPeople(psIDs, signal),
    withMessages ? readRows(importId, signal) : [],
  ]);
  return { people, messages: rowMessages };
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
