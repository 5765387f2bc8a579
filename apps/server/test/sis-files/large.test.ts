/** Large uploads: streamed with constant memory while the server continues to answer (SIS-08, SIS-09). */
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { notInArray } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readPieces } from '../../src/files/pieces.ts';
import { tidy } from '../../src/imports/housekeeping.ts';
import { filePieces, sisDrafts, sisFiles } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { answered, uploaded } from './support.ts';

let ts: TestServer;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());
afterEach(async () => {
  const { db } = ts.server.services.db;
  await db.delete(sisFiles);
  await db.delete(sisDrafts);
  await db.delete(filePieces);
});

const BOUNDARY = 'a-boundary-of-a-form';
const HEADER = 'course_id,short_name,long_name,status\n';

/**
 * Sends a form whose file is generated meanwhile. Written by hand, because `fetch` buffers what it has sent
 * until the answer.
 */
async function streamed(
  pieces: () => AsyncGenerator<string>,
  end = true,
  signal?: AbortSignal,
): Promise<Response> {
  async function* form() {
    yield `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="large.csv"\r\n\r\n`;
    yield* pieces();
    if (end) yield `\r\n--${BOUNDARY}--\r\n`;
  }
  const asking = request(new URL(ENDPOINTS.sisFiles, ts.url), {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      origin: ts.url,
      cookie: [...alma.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    ...(signal ? { signal } : {}),
  });
  const answer = new Promise<Response>((resolve, reject) => {
    asking.once('error', reject).once('response', (response) => {
      text(response).then(
        (body) => resolve(new Response(body, { status: response.statusCode ?? 0 })),
        reject,
      );
    });
  });
  const [got] = await Promise.all([answer, pipeline(Readable.from(form(), { objectMode: false }), asking)]);
  return got;
}

const nothingKept = async () => {
  const { db } = ts.server.services.db;
  const drafts = db.select({ id: sisDrafts.id }).from(sisDrafts);
  const pieces = await db.$count(filePieces, notInArray(filePieces.fileId, drafts));
  return (await db.$count(sisFiles)) === 0 && pieces === 0;
};
/** Creates courses with names as long as the LMS allows, so that there are many bytes and not too many rows. */
async function* courses(bytes: number): AsyncGenerator<string> {
  yield HEADER;
  const name = 'x'.repeat(255);
  let row = 0;
  for (let sent = HEADER.length; sent < bytes; ) {
    let rows = '';
    for (let at = 0; at < 128; at++) rows += `C-${++row},${name},${name},active\n`;
    sent += rows.length;
    yield rows;
  }
}

describe('100 MB', () => {
  test('SIS-01, SIS-08: are accepted with constant memory, while other requests are answered', async () => {
    // Memory that is still in use, as opposed to not yet collected.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = () => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = used();
    const samples: number[] = [];
    let done = false;
    const upload = streamed(() => courses(100_000_000)).then(answered);
    void upload.finally(() => {
      done = true;
    });
    let others = 0;
    while (!done) {
      expect((await alma.fetch(ENDPOINTS.imports)).status).toBe(200);
      if (others++ % 10 === 0) samples.push(used() - before);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { file, status } = await upload;
    expect(status).toBe(200);
    expect(file?.size).toBeGreaterThanOrEqual(100_000_000);
    expect(others).toBeGreaterThan(10);
    expect(Math.max(...samples)).toBeLessThan(40_000_000);
    let size = 0;
    const { db } = ts.server.services.db;
    for await (const bytes of readPieces(db, file?.id ?? '')) size += bytes.length;
    expect(size).toBe((file?.size ?? 0) - 1);
  });

  test('SIS-09: an upload rejected early, or over 128 MB, is read completely so that the browser sees the answer', async () => {
    const answer = await answered(
      await streamed(async function* () {
        yield 'unknown,header\n';
        const piece = `${'y'.repeat(63)}\n`.repeat(2_048);
        for (let sent = 0; sent < 20_000_000; sent += piece.length) yield piece;
      }),
    );
    expect([answer.status, answer.error?.code]).toEqual([400, 'bad-request']);
    const large = await answered(
      await streamed(async function* () {
        // The file is stored unread, because it begins like a zip.
        yield 'PK\u0003\u0004';
        const piece = 'z'.repeat(1_048_576);
        for (let number = 0; number < 129; number++) yield piece;
      }),
    );
    expect([large.status, large.error?.code]).toEqual([413, 'too-large']);
    expect(await nothingKept()).toBe(true);
  });
});

test('SIS-09: a cancelled upload leaves nothing behind', async () => {
  const leaving = new AbortController();
  const upload = streamed(
    async function* () {
      yield* courses(3_000_000);
      leaving.abort();
      yield* courses(1_000_000);
    },
    true,
    leaving.signal,
  );
  await expect(upload).rejects.toThrow();
  await expect.poll(nothingKept).toBe(true);
});

test('SIS-09: a form that breaks off is rejected, and nothing is kept', async () => {
  const answer = await answered(await streamed(() => courses(2_000_000), false));
  expect([answer.status, answer.error?.code]).toEqual([400, 'bad-request']);
  expect(answer.error?.message).toMatch(/The upload stopped before the file was/);
  await expect.poll(nothingKept).toBe(true);
});

test('SIS-01: a file is kept for a day; expired files and orphaned pieces are deleted', async () => {
  const { db } = ts.server.services.db;
  const file = await uploaded(alma, `${HEADER}C1,C1,C1,active`);
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
  await db.update(filePieces).set({ createdAt: hours(5) });
  await tidy(ts.server.services.db.db);
  expect(await db.$count(filePieces)).toBe(1);
  await db.update(sisFiles).set({ expiresAt: hours(0.5) });
  const gone = await alma.fetch(ENDPOINTS.sisFile.replace(':file', file.id));
  expect(gone.status).toBe(404);
  await tidy(ts.server.services.db.db);
  expect(await db.$count(filePieces)).toBe(1);
  await db.update(sisFiles).set({ expiresAt: hours(2) });
  await tidy(ts.server.services.db.db);
  expect(await nothingKept()).toBe(true);
});

test('SIS-01: the latest twenty files that are never submitted are kept', async () => {
  for (let number = 0; number < 22; number++) await uploaded(alma, `${HEADER}C${number},C,C,active`);
  const { db } = ts.server.services.db;
  expect(await db.$count(sisFiles)).toBe(20);
  expect(await db.$count(filePieces)).toBe(20);
});
