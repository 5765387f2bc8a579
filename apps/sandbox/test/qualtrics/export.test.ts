/** The export in three calls (Qualtrics reference §4, §5, §13). */
import { expect, test } from 'vitest';
import { DAY, DRAFT, entryOf, rowsIn, SURVEY, useQualtrics } from './client.ts';

const qualtrics = useQualtrics();
const csv = { format: 'csv' };

test('§4 an export starts, shows no progress, and ends with a file that has another id', async () => {
  await qualtrics.set({ exportMs: 3000 });
  const started = await qualtrics.start(csv);
  expect(started.text).toContain('"percentComplete":0.0');
  expect(started.result).toEqual({
    progressId: expect.stringMatching(/^ES_[A-Za-z0-9]{15}$/),
    percentComplete: 0,
    status: 'inProgress',
  });
  const id = started.result['progressId'];
  expect((await qualtrics.progress(id)).result).toEqual({ percentComplete: 0, status: 'inProgress' });
  qualtrics.clock.at += 2500;
  const nearly = (await qualtrics.progress(id)).result;
  expect(nearly).toEqual({ percentComplete: 0, status: 'inProgress' });
  qualtrics.clock.at += 500;
  const done = await qualtrics.progress(id);
  expect(done.text).toContain('"percentComplete":100.0');
  expect(done.result).toEqual({
    fileId: expect.stringMatching(/^[0-9a-f-]{36}-def$/),
    percentComplete: 100,
    status: 'complete',
  });
});

test('§5 the file is a zip with one entry, whose sizes follow the data', async () => {
  const { response, bytes } = await qualtrics.fetchExport(csv);
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename=Best+Teaching+Award+2026.zip',
  );
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  expect(bytes.readUInt16LE(6)).toBe(0x0808);
  // Deflated; neither size is known at this point.
  expect([bytes.readUInt16LE(8), bytes.readUInt32LE(18), bytes.readUInt32LE(22)]).toEqual([8, 0, 0]);
  expect((await entryOf(bytes)).name).toBe('Best Teaching Award 2026.csv');
});

test('§4 without compression, the answer is the file itself', async () => {
  const { response, bytes } = await qualtrics.fetchExport({ ...csv, compress: false });
  expect(response.headers.get('content-type')).toBe('text/csv');
  expect(rowsIn(bytes.toString('utf8'))).toHaveLength(422);
});

test('§4 every start is a separate job; a file can be downloaded again within a week', async () => {
  const [one, two] = [await qualtrics.start(csv), await qualtrics.start(csv)];
  expect(one.result['progressId']).not.toBe(two.result['progressId']);
  const { result } = await qualtrics.progress(one.result['progressId']);
  const [first, again] = [await qualtrics.file(result['fileId']), await qualtrics.file(result['fileId'])];
  expect(Buffer.from(await again.arrayBuffer())).toEqual(Buffer.from(await first.arrayBuffer()));
  qualtrics.clock.at += 7 * DAY - 1;
  expect((await qualtrics.file(result['fileId'])).status).toBe(200);
  qualtrics.clock.at += 1;
  expect((await qualtrics.file(result['fileId'])).status).toBe(404);
  expect(await qualtrics.progress(one.result['progressId'])).toMatchObject({ status: 404 });
});

test('§13 a progress id is not a file id, a file does not exist before completion, and jobs belong to their survey', async () => {
  await qualtrics.set({ exportMs: 1000 });
  const { result } = await qualtrics.start(csv);
  expect((await qualtrics.file(result['progressId'])).status).toBe(404);
  qualtrics.clock.at += 1000;
  const done = (await qualtrics.progress(result['progressId'])).result;
  expect((await qualtrics.file(result['progressId'])).status).toBe(404);
  expect((await qualtrics.file(done['fileId'], DRAFT)).status).toBe(404);
  expect(await qualtrics.progress(result['progressId'], DRAFT)).toMatchObject({ status: 404 });
  expect(await qualtrics.progress('ES_unknown00000')).toMatchObject({
    status: 404,
    meta: { httpStatus: '404 - Not Found' },
  });
  qualtrics.clock.at -= 1;
  expect((await qualtrics.file(done['fileId'])).status).toBe(404);
});

test('§4 invalid bodies are rejected', async () => {
  const filterId = '00000000-0000-4000-a000-000000000000';
  const wrong: unknown[] = [
    {},
    [],
    'no JSON',
    { format: 'pdf' },
    { format: 'spss' },
    { ...csv, startDate: '2026-09-07' },
    { ...csv, startDate: '2026-09-07T10:00:00' },
    { ...csv, endDate: 'today' },
    { ...csv, startDate: '2026-09-31T00:00:00Z' },
    { ...csv, endDate: '2026-02-29T00:00:00+01:00' },
    { ...csv, startDate: '2026-09-08T00:00:00Z', endDate: '2026-09-07T00:00:00Z' },
    { ...csv, limit: 0 },
    { ...csv, timeZone: 'Paris' },
    { ...csv, seenUnansweredRecode: '' },
    { ...csv, useLabels: true, includeLabelColumns: true },
    { ...csv, allowContinuation: true, continuationToken: 'x' },
    { ...csv, continuationToken: 'unknown' },
    { ...csv, filterId },
    { ...csv, questionIds: ['QID99'] },
    { ...csv, surveyMetadataIds: ['Status'] },
    { ...csv, embeddedDataIds: ['nothing'] },
    { ...csv, colour: 'blue' },
    { format: 'json', useLabels: true },
    { format: 'json', timeZone: 'Asia/Singapore' },
    { format: 'ndjson', newlineReplacement: ' ' },
  ];
  for (const body of wrong) {
    const { status, meta } = await qualtrics.call('POST', `/surveys/${SURVEY}/export-responses`, body);
    expect({ body, status }).toEqual({ body, status: 400 });
    expect(meta.error?.['errorMessage']).toBeTruthy();
  }
  const filters = await qualtrics.call('GET', `/surveys/${SURVEY}/filters`);
  const [known] = filters.result['elements'] as { filterId: string }[];
  for (const other of [{ allowContinuation: true }, { sortByLastModifiedDate: true }])
    expect(await qualtrics.start({ ...csv, filterId: known?.filterId, ...other })).toMatchObject({
      status: 400,
    });
});

test('§4 a saved filter selects its responses', async () => {
  const filters = await qualtrics.call('GET', `/surveys/${SURVEY}/filters`);
  const [filter] = filters.result['elements'] as { filterId: string }[];
  expect(await qualtrics.rows({ filterId: filter?.filterId })).toHaveLength(422 - 15);
});

test('an export excludes responses recorded after its start, and includes those deleted since', async () => {
  const kept = await qualtrics.add({ recordedDate: '2026-10-01T08:00:00Z' }, DRAFT);
  const { result } = await qualtrics.start(csv, DRAFT);
  const late = await qualtrics.add({}, DRAFT);
  await qualtrics.handle('DELETE', `/sandbox/qualtrics/responses/${kept}`);
  const { result: done } = await qualtrics.progress(result['progressId'], DRAFT);
  const response = await qualtrics.file(done['fileId'], DRAFT);
  const { text } = await entryOf(Buffer.from(await response.arrayBuffer()));
  expect(rowsIn(text).map((row) => row['ResponseId'])).toEqual([kept]);
  expect((await qualtrics.rows({}, DRAFT)).map((row) => row['ResponseId'])).toEqual([late]);
  const { result: survey } = await qualtrics.call('GET', `/surveys/${DRAFT}`);
  expect(survey['responseCounts']).toEqual({ auditable: 2, generated: 0, deleted: 1 });
});

test('§9 exports may lag behind recording', async () => {
  await qualtrics.set({ lagMs: 30_000 });
  const count = (await qualtrics.rows()).length;
  await qualtrics.add({});
  expect(await qualtrics.rows()).toHaveLength(count);
  qualtrics.clock.at += 30_000;
  expect(await qualtrics.rows()).toHaveLength(count + 1);
});

test('§4 a continuation token returns what has arrived since, and a new token', async () => {
  const follow = async (body: object) => {
    const { result } = await qualtrics.start({ ...csv, ...body }, DRAFT);
    const done = (await qualtrics.progress(result['progressId'], DRAFT)).result;
    const response = await qualtrics.file(done['fileId'], DRAFT);
    const { text } = await entryOf(Buffer.from(await response.arrayBuffer()));
    return {
      ids: rowsIn(text).map((row) => row['ResponseId']),
      continuationToken: done['continuationToken'],
    };
  };
  expect((await follow({})).continuationToken).toBeUndefined();
  const all = await follow({ allowContinuation: true });
  const one = await qualtrics.add({}, DRAFT);
  const next = await follow({ continuationToken: all.continuationToken });
  expect(next.ids).toEqual([one]);
  const two = await qualtrics.add({}, DRAFT);
  expect((await follow({ continuationToken: next.continuationToken })).ids).toEqual([two]);
  const other = await qualtrics.start({ ...csv, continuationToken: next.continuationToken });
  expect(other.status).toBe(400);
  qualtrics.clock.at += 7 * DAY;
  const over = await qualtrics.start({ ...csv, continuationToken: next.continuationToken }, DRAFT);
  expect(over.status).toBe(400);
});
