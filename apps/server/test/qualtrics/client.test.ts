/**
 * The Qualtrics client with the practice system: credentials, the export in its three calls, and every
 * failure by name.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import yazl from 'yazl';
import type { OutsideError } from '../../src/outbound/errors.ts';
import type { QualtricsSettings } from '../../src/platform/qualtrics-settings.ts';
import { createQualtricsClient, type QualtricsClient } from '../../src/qualtrics/client.ts';
import { unzipped } from '../../src/qualtrics/unzipped.ts';

let sandbox: Sandbox;
const open: QualtricsClient[] = [];
const folder = mkdtempSync(join(tmpdir(), 'lms-admin-exports-'));
/** Lists files left in the export folder. */
const left = () => readdirSync(join(folder, 'uploads'));

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, mode: 'test' });
  await handle('qualtrics', 'PUT', { exportMs: 0 });
});
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()));
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

async function handle(path: string, method: string, body?: object): Promise<void> {
  const response = await fetch(`${sandbox.url}/sandbox/${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  expect(response.status).toBeLessThan(300);
}

function client(settings: Partial<QualtricsSettings> = {}): QualtricsClient {
  const base = `${sandbox.url}/qualtrics`;
  const made = createQualtricsClient(
    {
      apiUrl: `${base}/API/v3`,
      tokenUrl: `${base}/oauth2/token`,
      survey: 'SV_bta2026practice',
      credentials: { token: 'sandbox-qualtrics-token' },
      ...settings,
    },
    folder,
  );
  open.push(made);
  return made;
}

/** Reads the whole export, once it is ready. */
async function exported(of: QualtricsClient): Promise<string[][]> {
  const id = await of.startExport();
  let fileId = '';
  await expect
    .poll(async () => {
      const state = await of.exportState(id);
      if (state.state === 'complete') fileId = state.fileId;
      return state.state;
    })
    .toBe('complete');
  const rows: string[][] = [];
  for await (const batch of of.rows(fileId)) rows.push(...batch.map(({ cells }) => cells));
  return rows;
}

const failure = async (work: Promise<unknown>): Promise<Pick<OutsideError, 'kind' | 'detail'>> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const { kind, detail } = error as OutsideError;
  return { kind, detail };
};

describe('the export', () => {
  test('OP-105 has every response, but only the personal data needed for counting', async () => {
    const rows = await exported(client());
    expect(rows).toHaveLength(3 + 422);
    const ids = rows[2]?.map((cell) => (JSON.parse(cell) as { ImportId: string }).ImportId);
    expect(ids).toEqual(expect.arrayContaining(['_recordId', 'status', 'coreChoiceCourseName']));
    expect(ids).not.toEqual(expect.arrayContaining(['ipAddress']));
    expect(
      ids?.filter((id) => /address|name$|latitude|_TEXT/i.test(id) && !id.includes('CourseName')),
    ).toEqual([]);
  });

  test('works in the same way for an OAuth app, and without columns that the survey lacks', async () => {
    const app = { clientId: 'sandbox-qualtrics-client', clientSecret: 'sandbox-qualtrics-secret' };
    expect(await exported(client({ credentials: app }))).toEqual(await exported(client()));
    const [, , ids] = await exported(client({ survey: 'SV_bta2026noname' }));
    expect(ids?.join()).not.toContain('recipientEmail');
  });

  test('an unknown progress id means that the export was deleted, and an export may fail', async () => {
    const one = client();
    expect(await one.exportState('ES_unknown')).toEqual({ state: 'gone' });
    await handle('faults', 'POST', { system: 'qualtrics', kind: 'export-fail' });
    expect(await one.exportState(await one.startExport())).toEqual({ state: 'failed' });
  });
});

describe('failures', () => {
  const wrong = { token: 'sandbox-qualtrics-wrong' };
  const app = (clientSecret: string) => ({ clientId: 'sandbox-qualtrics-client', clientSecret });
  test.each<[string, Partial<QualtricsSettings>, string]>([
    ['a rejected token', { credentials: wrong }, 'token-refused'],
    ['a rejected app', { credentials: app('another-secret') }, 'token-refused'],
    ['a survey that is not shared', { credentials: { token: 'sandbox-qualtrics-guest-token' } }, 'refused'],
    ['a survey that does not exist', { survey: 'SV_nothing' }, 'not-found'],
    ['nobody there', { apiUrl: 'http://localhost:9/API/v3' }, 'down'],
  ])('%s is reported under its own name, without a token in the text', async (_, settings, kind) => {
    const got = await failure(client(settings).startExport());
    expect(got.kind).toBe(kind);
    expect(got.detail).not.toMatch(/sandbox-qualtrics|another-secret/);
    expect(await client(settings).check()).toMatchObject({ state: 'down' });
  });

  test('too many calls are reported as throttled', async () => {
    await handle('qualtrics', 'PUT', { limits: { perMinute: { start: 0 } } });
    try {
      const got = await failure(client().startExport());
      expect(got.kind).toBe('throttled');
    } finally {
      await handle('qualtrics', 'PUT', { limits: false });
    }
  });

  test('without an account no call is made, and the readiness check says so', async () => {
    const none = createQualtricsClient(null, folder);
    expect(none.survey).toBeNull();
    expect(await none.check()).toMatchObject({ state: 'not-configured' });
    expect((await failure(none.startExport())).kind).toBe('refused');
  });
});

describe('the zip', () => {
  const most = 1_000_000;

  /** Creates a zip as Qualtrics does, with sizes after the data; or as requested. */
  async function zip(files: Readonly<Record<string, Buffer>>, compress = true): Promise<Buffer> {
    const made = new yazl.ZipFile();
    for (const [name, content] of Object.entries(files)) made.addBuffer(content, name, { compress });
    made.end();
    const pieces: Buffer[] = [];
    for await (const piece of made.outputStream as AsyncIterable<Buffer>) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async function* cut(bytes: Buffer, size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  async function unpacked(bytes: Buffer, size = 1_000): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of unzipped(folder, cut(bytes, size), most)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  test('is read however it is split into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5_000 }),
        fc.integer({ min: 1, max: 900 }),
        async (content, size) => {
          const bytes = Buffer.from(content);
          expect((await unpacked(await zip({ 'a.csv': bytes }), size)).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('if only a part arrives, or any bit is changed, it is rejected or gives the same result', async () => {
    const content = Buffer.from('name,votes\r\n'.repeat(200));
    const whole = await zip({ 'a.csv': content });
    for (let end = 0; end < whole.length; end += 3) {
      expect((await failure(unpacked(whole.subarray(0, end)))).kind).toBe('odd');
    }
    for (let at = 0; at < whole.length; at++) {
      const turned = Buffer.from(whole);
      turned[at] = (turned[at] ?? 0) ^ 4;
      const got = await unpacked(turned).catch((error: unknown) => (error as OutsideError).kind);
      const same = Buffer.isBuffer(got) && got.equals(content);
      expect(same || got === 'odd' || got === 'too-much').toBe(true);
    }
  });

  test('several files, a file that is too large, and a file that is not a zip are rejected by name', async () => {
    const two = await zip({ 'a.csv': Buffer.from('a'), 'b.csv': Buffer.from('b') });
    expect(await failure(unpacked(two))).toEqual({
      kind: 'odd',
      detail: 'the zip has 2 files instead of one',
    });
    const large = await zip({ 'a.csv': Buffer.alloc(most + 1) });
    expect((await failure(unpacked(large))).kind).toBe('too-much');
    expect((await unpacked(await zip({ 'a.csv': Buffer.from('a') }, false))).toString()).toBe('a');
    expect((await failure(unpacked(deflateRawSync('a,b')))).kind).toBe('odd');
    expect((await failure(unpacked(Buffer.alloc(0)))).kind).toBe('odd');
    expect(left()).toEqual([]);
  });

  test('a survey can have any name, and content larger than announced is rejected', async () => {
    const content = Buffer.from('a,b\r\n'.repeat(500));
    const whole = await zip({ 'aa/aaaa.csv': content });
    const named = Buffer.from(whole.toString('latin1').replaceAll('aa/aaaa.csv', '../C:\\.csv '), 'latin1');
    expect((await unpacked(named)).equals(content)).toBe(true);
    const lying = Buffer.from(whole);
    const directory = lying.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    lying.writeUInt32LE(10, directory + 24);
    expect((await failure(unpacked(lying))).kind).toBe('odd');
  });

  test('a download that breaks off, or is not read to its end, leaves nothing behind', async () => {
    const whole = await zip({ 'a.csv': Buffer.alloc(300_000, 'a,b\r\n') });
    async function* broken() {
      yield whole.subarray(0, whole.length >> 1);
      throw new Error('the connection broke');
    }
    const reading = unzipped(folder, broken(), most)[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toThrow('the connection broke');
    expect(left()).toEqual([]);
    for await (const piece of unzipped(folder, cut(whole, 1_000), most)) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(left()).toEqual([]);
  });
});
