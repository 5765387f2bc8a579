/** Interprets answers of Qualtrics: its envelope, and its error names (reference of Qualtrics §2). */
import { z } from 'zod';
import type { OutboundAnswer } from '../outbound/answer.ts';
import { OutsideError } from '../outbound/errors.ts';
import { storable } from '../platform/text.ts';

/** Name in texts. */
export const QUALTRICS = 'Qualtrics';

/** Reported for missing credentials, and when Qualtrics does not recognise the ones sent. */
const NO_CREDENTIALS = 'ATP_2';
const LONGEST_DETAIL = 300;

const refusal = z.object({
  meta: z.object({
    error: z.object({ errorMessage: z.string().default(''), errorCode: z.string().nullish() }),
  }),
});

/** Reads the `result` of an answer. @throws OutsideError for an error, or an answer of unexpected form */
export function resultOf<T>(answer: OutboundAnswer, result: z.ZodType<T>): T {
  if (answer.status < 200 || answer.status >= 300) throw failureOf(answer);
  const read = z.object({ result }).safeParse(json(answer.text));
  if (read.success) return read.data.result;
  const fields = read.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new OutsideError(QUALTRICS, 'odd', {
    status: answer.status,
    sent: 'answered',
    detail: `the answer does not contain ${fields || 'all'}`,
  });
}

/** Converts an unsuccessful answer to an error, by its name. */
export function failureOf(answer: OutboundAnswer): OutsideError {
  const { status } = answer;
  const read = refusal.safeParse(json(answer.text));
  const { errorMessage = '', errorCode = null } = read.data?.meta.error ?? {};
  const detail = storable(errorMessage.slice(0, LONGEST_DETAIL)) || `HTTP ${status}`;
  return new OutsideError(QUALTRICS, kindOf(status, errorCode ?? null), { status, sent: 'answered', detail });
}

function kindOf(status: number, code: string | null) {
  if (status === 401 || code === NO_CREDENTIALS) return 'token-refused';
  if (status === 403) return 'refused';
  if (status === 404) return 'not-found';
  if (status >= 500) return 'down';
  return status >= 400 ? 'rejected' : 'odd';
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
