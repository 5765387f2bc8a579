/** Account reports of the LMS (reference §17). */
import { ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { z } from 'zod';
import { CanvasError } from '../types.ts';
import { one, type Reader } from './reading.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const report = z.object({
  id: z.number().int().positive(),
  /** A status of `error` also has a progress of 100. */
  status: z.string(),
  progress: z
    .number()
    .nullish()
    .transform((value) => value ?? 0),
  created_at: text,
  started_at: text,
  /** Present once the report is complete. The address expires after an hour. */
  attachment: z.object({ url: z.string() }).nullish(),
});
export type LmsReport = z.output<typeof report>;

const PATH = `accounts/${ROOT_ACCOUNT_ID}/reports/provisioning_csv`;
/** Status if the same report is already running; the answer then describes the running one. */
const RUNS_ALREADY = 409;

/**
 * Starts a provisioning report of the whole school, or joins a running one with the same tables.
 * @returns the report, and whether it was started here
 * @throws CanvasError
 */
export async function beginReport(
  { canvas, token, signal }: Reader,
  tables: readonly string[],
): Promise<{ report: LmsReport; own: boolean }> {
  const chosen = Object.fromEntries(tables.map((table) => [table, true]));
  const { data, status } = await canvas.call({
    token,
    method: 'POST',
    path: PATH,
    body: { parameters: { ...chosen, skip_message: true } },
    answer: report,
    alsoRead: RUNS_ALREADY,
    ...(signal ? { signal } : {}),
  });
  return { report: data, own: status !== RUNS_ALREADY };
}

/** Returns the state of a report, or null if the LMS no longer has it. @throws CanvasError */
export async function readReport(reader: Reader, id: number): Promise<LmsReport | null> {
  try {
    return await one(reader, `${PATH}/${id}`, report);
  } catch (error) {
    if (error instanceof CanvasError && error.kind === 'not-found') return null;
    throw error;
  }
}

/** Aborts a report that is not complete. @throws CanvasError, including for one that has ended */
export async function abortReport({ canvas, token, signal }: Reader, id: number): Promise<void> {
  const path = `${PATH}/${id}/abort`;
  await canvas.call({ token, method: 'PUT', path, answer: z.unknown(), ...(signal ? { signal } : {}) });
}
