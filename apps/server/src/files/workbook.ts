/** Excel files, made in a thread of their own: the library works on all of a sheet at once, and others wait for answers. */
import { Worker } from 'node:worker_threads';

/** Null: the cell stays empty. */
export type SheetValue = string | number | null;

export interface Sheet {
  /** Name of the sheet; characters that Excel refuses in it are replaced. */
  name: string;
  columns: readonly string[];
}

/** Beside this file, and beside the built server. */
const WORKER = new URL('./workbook-worker.mjs', import.meta.url);

/**
 * A workbook of one sheet: bold grey header, borders, widths that fit, header frozen, filter on; numbers are numbers, and all else is text (OP-81).
 * @param rows in pieces, so that handing them over holds no one up
 * @throws the reason of the signal
 */
export async function workbook(
  sheet: Sheet,
  rows: AsyncIterable<readonly (readonly SheetValue[])[]> | Iterable<readonly (readonly SheetValue[])[]>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  signal.throwIfAborted();
  const worker = new Worker(WORKER, { workerData: sheet, resourceLimits: { maxOldGenerationSizeMb: 512 } });
  const made = answerOf(worker, signal);
  // It may fail while rows are still handed over.
  made.catch(() => undefined);
  try {
    for await (const piece of rows) {
      signal.throwIfAborted();
      worker.postMessage(piece, []);
    }
    worker.postMessage(null, []);
    return await made;
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
      // After an answer this changes nothing.
      reject(new Error(`the thread that makes workbooks ended with ${code}`));
    });
  });
}
