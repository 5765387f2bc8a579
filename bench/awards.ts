/**
 * The award: counting the survey, compared with only unpacking and parsing it; a report from the database; an uploaded list,
 * compared with the library alone.
 */
import { tmpdir } from 'node:os';
import { createInflateRaw } from 'node:zlib';
import { read, utils, write } from '@e965/xlsx';
import type { AwardStats, SheetRecord } from '@lms-admin/contract/awards';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { LIST_HEADER } from '@lms-admin/domain/award-entries';
import { parse } from 'csv-parse';
import { countedVotes } from '../apps/server/src/awards/counting.ts';
import { exportRows } from '../apps/server/src/qualtrics/client.ts';
import { Bench, type Figure, healthFigure, median, seconds, timed, times } from './support.ts';

const SURVEY = 'SV_bta2026large';
const RESPONSES = 50_000;
const LIST_ROWS = 300;
const UPLOAD_ROWS = 5_000;
const ROUNDS = 7;
const REPORTS = 200;
/** Bytes of a file's local header in a zip, before the name of the file. */
const HEAD = 30;

/** Measures 50,000 responses refreshed and counted, a report with 300 rows, and an upload of 5,000 rows. */
export async function awards(): Promise<Figure[]> {
  const bench = await Bench.open({ BTA_SURVEY_ID: SURVEY, SANDBOX_QUALTRICS_LIMITS: 'off' });
  try {
    await sandbox(bench, '/sandbox/qualtrics', { method: 'PUT', body: { exportMs: 0 } });
    const list = await listOf(bench, LIST_ROWS);
    await bench.fetch(ENDPOINTS.awardList, list);
    return [...(await counting(bench)), await reports(bench), await upload(bench)];
  } finally {
    await bench.close();
  }
}

async function counting(bench: Bench): Promise<Figure[]> {
  const zip = await exported(bench);
  const ours: number[] = [];
  const alone: number[] = [];
  let rows = 0;
  let counted = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(
      (
        await timed(
          async () => (counted = (await countedVotes(exportRows(tmpdir(), inPieces(zip)), null)).total),
        )
      ).ms,
    );
    alone.push((await timed(async () => (rows = await aloneRows(zip)))).ms);
  }
  await refreshed(bench, '2026-01-01');
  const watched = await bench.watched(() => refreshed(bench, '2026-01-02'));
  const ratio = median(ours.map((ms, at) => ms / (alone[at] ?? ms)));
  return [
    {
      work: `${RESPONSES.toLocaleString('en')} responses unpacked, read and counted`,
      reached: `${times(ratio)} of unpacking and csv-parse alone (${seconds(median(ours))} against ${seconds(median(alone))})`,
      target: 'within 1.6×',
      met: ratio <= 1.6 && counted === rows && watched.result.total === counted,
      note: `the whole refresh of the practice survey takes ${seconds(watched.ms)}`,
    },
    {
      work: 'memory meanwhile',
      reached: `${Math.round(watched.above / 1e6)} MB above idle`,
      target: 'under 100 MB',
      met: watched.above < 100e6,
    },
    healthFigure(watched, 'a survey is counted'),
  ];
}

async function reports(bench: Bench): Promise<Figure> {
  const paths = [
    ENDPOINTS.awardByProf.replace(':id', 'Prof'),
    ENDPOINTS.awardElective.replace(':id', 'FBLSG'),
    ENDPOINTS.awardCore.replace(':id', 'SGP'),
  ];
  const taken: number[] = [];
  for (let at = 0; at < REPORTS; at += 1) {
    const path = paths[at % paths.length] ?? '';
    taken.push((await timed(async () => (await bench.fetch(path)).text())).ms);
  }
  const ms = median(taken.slice(REPORTS / 10));
  return {
    work: `a report with a list of ${LIST_ROWS} rows`,
    reached: `${ms.toFixed(1)} ms at the median of ${REPORTS}`,
    target: 'under 20 ms',
    met: ms < 20,
  };
}

async function upload(bench: Bench): Promise<Figure> {
  const list = await listOf(bench, UPLOAD_ROWS);
  const sheet = utils.aoa_to_sheet([
    [...LIST_HEADER],
    ...list.map((row) => LIST_HEADER.map((name) => row[name])),
  ]);
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'List');
  const bytes = write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
  const [ours, alone]: number[][] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    // Measured until the answer arrives, because the client has to read the answer in any case.
    const checked = await timed(() => check(bench, bytes));
    const { data } = JSON.parse(checked.result) as { data?: { rows: unknown[] } };
    if (data?.rows.length !== UPLOAD_ROWS) throw new Error(checked.result.slice(0, 300));
    const library = await timed(() => {
      const { Sheets, SheetNames } = read(bytes, { type: 'buffer', dense: true });
      return utils.sheet_to_json(Sheets[SheetNames[0] ?? ''] ?? {}, { header: 1 }).length;
    });
    // The first round only warms up the code of both.
    if (round === 0) continue;
    ours?.push(checked.ms);
    alone?.push(library.ms);
  }
  const ratio = median((ours ?? []).map((ms, at) => ms / (alone?.[at] ?? ms)));
  return {
    work: `a list of ${UPLOAD_ROWS.toLocaleString('en')} rows uploaded, checked and compared`,
    reached: `${times(ratio)} of reading it with the library alone (${seconds(median(ours ?? []))} against ${seconds(median(alone ?? []))})`,
    target: 'within 1.5×',
    met: ratio <= 1.5,
  };
}

async function check(bench: Bench, bytes: Buffer): Promise<string> {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(bytes)], 'list.xlsx'));
  const headers = { cookie: bench.cookie, origin: bench.campus.url };
  const url = bench.campus.url + ENDPOINTS.awardCheck;
  return (await fetch(url, { method: 'POST', headers, body: form })).text();
}

/** Sets another opening date, so that the numbers are outdated. */
async function refreshed(bench: Bench, opening_date: string): Promise<AwardStats> {
  await bench.fetch(ENDPOINTS.awardOpening, { opening_date });
  await bench.fetch(ENDPOINTS.awardRefresh.replace(':survey', SURVEY), {});
  for (;;) {
    const { data } = (await (await bench.fetch(ENDPOINTS.awardStats)).json()) as { data: AwardStats };
    if (data.failed) throw new Error(data.failed.message);
    if (data.refresh === null) return data;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns the list of the practice award, extended to this number of rows. */
async function listOf(bench: Bench, count: number): Promise<SheetRecord[]> {
  const own = (await sandbox(bench, '/sandbox/qualtrics/award-list')) as SheetRecord[];
  const more = Array.from({ length: count - own.length }, (_, at) => ({
    Campus: ['SGP', 'FBL', 'ABD'][at % 3] ?? '',
    Course: `Course ${at % 400} of many`,
    'Course ID': `MANY-${at % 400}`,
    Enrolled: at % 90,
    'Prof ID': `MP${at}`,
    Professor: `Professor ${at}`,
    Type: at % 2 === 0 ? 'Core' : 'Elective',
  }));
  return [...own, ...more];
}

async function sandbox(
  bench: Bench,
  path: string,
  init: { method?: string; body?: object } = {},
): Promise<unknown> {
  const response = await fetch(bench.campus.lms + path, {
    method: init.method ?? 'GET',
    headers: { 'content-type': 'application/json', 'x-api-token': 'sandbox-qualtrics-token' },
    ...(init.body ? { body: JSON.stringify(init.body) } : {}),
  });
  return response.headers.get('content-type')?.includes('json')
    ? response.json()
    : Buffer.from(await response.arrayBuffer());
}

/** Downloads the zip of the export that the server requests. */
async function exported(bench: Bench): Promise<Buffer> {
  const path = `/qualtrics/API/v3/surveys/${SURVEY}/export-responses`;
  const body = { format: 'csv', questionIds: [] };
  const begun = (await sandbox(bench, path, { method: 'POST', body })) as { result: { progressId: string } };
  const state = (await sandbox(bench, `${path}/${begun.result.progressId}`)) as {
    result: { fileId: string };
  };
  return (await sandbox(bench, `${path}/${state.result.fileId}/file`)) as Buffer;
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** Unpacks and parses the export, and does nothing else. @returns the number of responses */
async function aloneRows(zip: Buffer): Promise<number> {
  const begins = HEAD + zip.readUInt16LE(26) + zip.readUInt16LE(28);
  const inflate = createInflateRaw();
  const parser = parse();
  let rows = 0;
  parser.on('data', () => {
    rows += 1;
  });
  const ended = new Promise((resolve, reject) => parser.once('end', resolve).once('error', reject));
  inflate.pipe(parser);
  inflate.end(zip.subarray(begins));
  await ended;
  return rows - 3;
}
