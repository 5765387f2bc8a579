/**
 * Excel files, written in a separate thread: the library processes a whole sheet at once, which would block the server.
 */
import { Worker } from 'node:worker_threads';

/** Null for an empty cell. */
export type SheetValue = string | number | null;

export interface Sheet {
  /** Name of the sheet; characters that Excel does not allow are replaced. */
  name: string;
  columns: readonly string[];
}

/** Next to this file, and next to the built server. */
const WORKER = new URL('./workbook-worker.mjs', import.meta.url);

/**
 * Writes a workbook with one sheet: bold grey header, borders, fitted widths, frozen header, filter; numbers stay
 * numbers, the rest is text (OP-81).
 * @param rows in batches, to avoid blocking other work
 * @throws the reason of the signal
 */
export async function workbook(
  sheet: Sheet,
  rows: AsyncIterable<readonly (readonly SheetValue[])[]> | Iterable<readonly (readonly SheetValue[])[]>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  signal.throwIfAborted();
  const worker = new Worker(WORKER, { workerData: sheet, resourceLimits: { maxOldGenerationSizeMb: 512 } });
  const answer = answerOf(worker, signal);
  // The thread may fail while rows are still being passed on.
  answer.catch(() => undefined);
  try {
    for await (const piece of rows) {
      signal.throwIfAborted();
      worker.postMessage(piece, []);
    }
    worker.postMessage(null, []);
    return await answer;
  } finally {
    void worker.terminate();
  }
}

function answerOf(worker: Worker, signal: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', (bytes: Uint8Array) => resolve(bytes));
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      // Has no effect after an answer.
      reject(new Error(`the thread that makes workbooks ended with ${code}`));
    });
  });
}
