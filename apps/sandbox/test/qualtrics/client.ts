/** A client of the practice Qualtrics for the tests in one file, with its own clock. */

import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import yauzl from 'yauzl';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/server.ts';

/** Any JSON: each test checks what it expects. */
export type Json = Record<string, unknown>;

export type Answer = {
  status: number;
  headers: Headers;
  result: Json;
  meta: { httpStatus?: string; requestId?: string; notice?: string; error?: Json };
  text: string;
};

export const SURVEY = 'SV_bta2026practice';
export const LARGE = 'SV_bta2026large';
export const ANONYMISED = 'SV_bta2026noname';
export const DRAFT = 'SV_bta2027draft';
/** Another user's survey. */
export const FOREIGN = 'SV_deansoffice1';

export const TOKEN = { 'X-API-TOKEN': 'sandbox-qualtrics-token' };
export const GUEST = { 'x-api-token': 'sandbox-qualtrics-guest-token' };

/** The time at which each test starts, after the vote. */
export const START = Date.parse('2026-10-12T08:00:00Z');
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

const AS_AT_THE_START = { exportMs: 0, lagMs: 0, language: 'EN', elsewhere: false };

/** A row of a table, keyed by the first header row. */
export type Row = Record<string, string>;

/**
 * Starts a sandbox for the tests in one file, by default with instant exports and without limits. Added
 * responses stay.
 */
export function useQualtrics(options: Partial<SandboxOptions> = {}) {
  let sandbox: Sandbox;
  const clock = { at: START };
  beforeAll(async () => {
    sandbox = await startSandbox({
      port: 0,
      mode: 'test',
      qualtricsLimits: false,
      now: () => new Date(clock.at),
      ...options,
    });
  });
  afterAll(() => sandbox.close());
  beforeEach(async () => {
    clock.at = START;
    await handle('DELETE', '/sandbox/faults');
    await set({ ...AS_AT_THE_START, limits: options.qualtricsLimits ?? false });
  });

  const handle = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${sandbox.url}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return (await response.json()) as Json;
  };
  const set = (settings: object) => handle('PUT', '/sandbox/qualtrics', settings);

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = TOKEN,
  ): Promise<Answer> {
    const response = await fetch(`${sandbox.url}/qualtrics/API/v3${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { result, meta } = JSON.parse(text) as Pick<Answer, 'result' | 'meta'>;
    return { status: response.status, headers: response.headers, result, meta, text };
  }

  const start = (body: object, survey = SURVEY) => call('POST', `/surveys/${survey}/export-responses`, body);
  const progress = (id: unknown, survey = SURVEY) =>
    call('GET', `/surveys/${survey}/export-responses/${String(id)}`);
  const file = (id: unknown, survey = SURVEY) =>
    fetch(`${sandbox.url}/qualtrics/API/v3/surveys/${survey}/export-responses/${String(id)}/file`, {
      headers: TOKEN,
    });

  /** Sends the three calls. @throws if one of them fails */
  async function fetchExport(body: object, survey = SURVEY): Promise<{ response: Response; bytes: Buffer }> {
    const started = await start(body, survey);
    if (started.status !== 200) throw new Error(started.text);
    const { result } = await progress(started.result['progressId'], survey);
    const response = await file(result['fileId'], survey);
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  /** Reads the text of the only file in the archive. */
  async function text(body: object, survey = SURVEY): Promise<string> {
    return (await entryOf((await fetchExport(body, survey)).bytes)).text;
  }

  /** Reads the rows of a CSV, without its header rows. */
  async function rows(body: object = {}, survey = SURVEY): Promise<Row[]> {
    return rowsIn(await text({ format: 'csv', ...body }, survey));
  }

  return {
    clock,
    get sandbox() {
      return sandbox;
    },
    get url() {
      return sandbox.url;
    },
    call,
    start,
    progress,
    file,
    fetchExport,
    text,
    rows,
    set,
    handle,
    state: () => handle('GET', '/sandbox/qualtrics'),
    add: async (response: object, survey = SURVEY) =>
      String(
        (await handle('POST', `/sandbox/qualtrics/surveys/${survey}/responses`, response))['responseId'],
      ),
    fault: (fault: object) => handle('POST', '/sandbox/faults', { system: 'qualtrics', ...fault }),
  };
}

/** Reads the table of a CSV or TSV file, keyed by its first header row. */
export function rowsIn(text: string, delimiter = ','): Row[] {
  const [names = [], , , ...records] = parse(text, { delimiter });
  return records.map((record) => Object.fromEntries(names.map((name, at) => [name, record[at] ?? ''])));
}

/** Reads the header rows of a file. */
export function headersIn(text: string): string[][] {
  return parse(text).slice(0, 3);
}

/** Reads the only file in an archive. @throws if the number of files is not one */
export async function entryOf(bytes: Buffer): Promise<{ name: string; text: string }> {
  const files = await filesIn(bytes);
  const [file] = files;
  if (!file || files.length > 1) throw new Error(`${files.length} entries`);
  return file;
}

/** Reads the files in an archive. */
export async function filesIn(bytes: Buffer): Promise<{ name: string; text: string }[]> {
  const files: { name: string; text: string }[] = [];
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error: Error | null, zip) => {
      if (error) return reject(error);
      zip.on('error', reject).on('end', () => resolve(files));
      zip.on('entry', (entry: yauzl.Entry) => {
        zip.openReadStream(entry, (failed: Error | null, stream) => {
          if (failed) return reject(failed);
          const parts: Buffer[] = [];
          stream
            .on('error', reject)
            .on('data', (part: Buffer) => parts.push(part))
            .on('end', () => {
              files.push({ name: entry.fileName, text: Buffer.concat(parts).toString('utf8') });
              zip.readEntry();
            });
        });
      });
      zip.readEntry();
    });
  });
}
