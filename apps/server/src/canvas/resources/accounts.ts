/** Accounts of the LMS, and the terms and authentication providers of the school. */
import { account as accountOfContract } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE, ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { z } from 'zod';
import { listed, one, type Reader } from './reading.ts';

const id = z.number().int().positive();
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

const account = accountOfContract.extend({ sis_account_id: text, integration_id: text });
export type LmsAccount = z.output<typeof account>;

const term = z.object({
  id,
  name: z.string(),
  workflow_state: z.string().default('active'),
  start_at: text,
  end_at: text,
  sis_term_id: text,
  overrides: z.record(z.string(), z.object({ start_at: text, end_at: text })).nullish(),
});
export type LmsTerm = z.output<typeof term>;
const terms = z.object({ enrollment_terms: z.array(term) });

const provider = z.object({ id, auth_type: text });
export type LmsProvider = z.output<typeof provider>;

const identity = z.object({ uuid: z.string().max(200).nullish() });
const zoned = z.object({ default_time_zone: text });
const ROOT = `accounts/${ROOT_ACCOUNT_ID}`;

/** @throws CanvasError */
export function accountAt(reader: Reader, number: number): Promise<LmsAccount> {
  return one(reader, `accounts/${number}`, account);
}

/** Returns all accounts below an account, at any depth. @throws CanvasError */
export function accountsBelow(reader: Reader, number: number): Promise<LmsAccount[]> {
  return listed(reader, `accounts/${number}/sub_accounts`, account, [['recursive', 'true']]);
}

/** Returns the UUID that identifies this LMS, or null if the LMS does not return it. @throws CanvasError */
export async function rootUuid(reader: Reader): Promise<string | null> {
  return (await one(reader, ROOT, identity)).uuid ?? null;
}

/** Returns the school's time zone, or null if the LMS does not return it. @throws CanvasError */
export async function rootZone(reader: Reader): Promise<string | null> {
  return (await one(reader, ROOT, zoned)).default_time_zone;
}

/** Returns all terms, including deleted ones, with the dates of each type of enrolment. @throws CanvasError */
export async function everyTerm({ canvas, token, signal }: Reader): Promise<LmsTerm[]> {
  const all: LmsTerm[] = [];
  const request = {
    token,
    method: 'GET' as const,
    path: `${ROOT}/terms`,
    query: [
      ['workflow_state[]', 'all'],
      ['include[]', 'overrides'],
      ['per_page', String(LMS_PAGE_SIZE)],
    ] as const,
    answer: terms,
    ...(signal ? { signal } : {}),
  };
  for await (const { data } of canvas.pages(request)) all.push(...data.enrollment_terms);
  return all;
}

/** Returns a term. @param segment its number, an id from `integrationSegment`, or `default` @throws CanvasError */
export function termAt(reader: Reader, segment: string | number): Promise<LmsTerm> {
  return one(reader, `${ROOT}/terms/${segment}`, term);
}

/** Returns the school's authentication providers. @throws CanvasError */
export function providersOf(reader: Reader): Promise<LmsProvider[]> {
  return listed(reader, `${ROOT}/authentication_providers`, provider);
}
