/** Reports over HTTP: values, access and the Excel file. */
import { CFB, read, utils } from '@e965/xlsx';
import { AWARD_EXPORT, fromAwardRow, listReplaced, previousList } from '@lms-admin/contract/awards';
import { ENDPOINTS, OWN_REQUEST } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  answered,
  done,
  fileOf,
  OPENING,
  practiceList,
  REFRESH,
  refreshed,
  replace,
  report,
} from './support.ts';

let ts: TestServer;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer();
  alma = await ts.signIn(PEOPLE.all);
  await ts.handle('qualtrics', { method: 'PUT', body: { exportMs: 0 } });
  const list = await practiceList(ts.sandbox);
  // A course whose name a spreadsheet would execute, and a course without enrolments.
  const more = [
    {
      Campus: 'ABD',
      Course: '@Work',
      'Course ID': 'X-1',
      Enrolled: 10,
      'Prof ID': 'XP1',
      Professor: '+Plus',
      Type: 'Core',
    },
    {
      Campus: 'ABD',
      Course: 'Nobody there',
      'Course ID': 'X-2',
      Enrolled: 0,
      'Prof ID': 'XP2',
      Professor: 'Nobody',
      Type: 'Core',
    },
  ];
  const { error } = await replace(alma, [...list, ...more]);
  expect(error?.message).toBeUndefined();
  await alma.post(ENDPOINTS.awardOpening, { opening_date: OPENING });
  const asked = await alma.fetch(REFRESH, { headers: { [OWN_REQUEST.name]: OWN_REQUEST.value } });
  expect(await asked.json()).toMatchObject({ data: { status: 'success' } });
});
afterAll(() => ts?.close());

const core = ENDPOINTS.awardCore;

describe('values', () => {
  test('BTA-20 BTA-26 OP-86 rows have the documented names, Npax from the list, and the percentage', async () => {
    const { rows, leading, createdAt, list_updated_at } = await report(alma, core.replace(':id', 'ABD'));
    const [first] = rows;
    const list = await practiceList(ts.sandbox);
    const enrolled =
      list.find(
        (row) =>
          row.Course === 'Fixed Income' && row.Campus === 'ABD' && row.Professor === 'François Nakamura',
      )?.Enrolled ?? 0;
    expect(first).toEqual({
      coreChoiceCourseName: 'Fixed Income',
      coreChoiceProfessor: 'François Nakamura',
      coreChoiceCampus: 'ABD',
      coreChoiceTotalEnrolled: enrolled,
      votes: 34,
      studentvotes: expect.any(Number),
      pvotes: Math.round((34 * 1_000) / enrolled) / 10,
    });
    expect(rows.find((row) => fromAwardRow(row).course === 'Nobody there')).toMatchObject({
      votes: 0,
      pvotes: null,
    });
    const votes = rows.map((row) => row.votes);
    expect(votes).toEqual(votes.toSorted((a, b) => b - a));
    expect(leading.rows).toBe(10);
    expect([createdAt, list_updated_at].every((at) => at !== null && Date.parse(at) <= Date.now())).toBe(
      true,
    );
    const elective = await report(alma, ENDPOINTS.awardElective.replace(':id', 'SGP'));
    expect(elective.rows[0]).toHaveProperty('electiveChoiceCourseName');
  });

  test('BTA-21 BTA-48 OP-85 reports by professor cover one campus or all, and the requested type', async () => {
    const all = await report(
      alma,
      ENDPOINTS.awardByProf.replace(':id', 'Prof'),
      '?course_type=core&user_name=x',
    );
    const nakamura = all.rows.map(fromAwardRow).find(({ professor }) => professor === 'François Nakamura');
    expect(nakamura).toMatchObject({ votes: 45, campus: 'ABD, FBL' });
    const electives = await report(alma, ENDPOINTS.awardByProf.replace(':id', 'FBL'));
    expect(
      electives.rows.map(fromAwardRow).find(({ professor }) => professor === 'François Nakamura'),
    ).toMatchObject({ votes: 25 });
  });

  test.each([
    [core.replace(':id', 'MARS'), 404, 'Invalid Campus'],
    [core.replace(':id', 'FBLSG'), 400, 'There is no report of core courses for this campus.'],
    [
      `${ENDPOINTS.awardByProf.replace(':id', 'FBL')}?course_type=core`,
      400,
      'There is no report of core courses for this campus.',
    ],
    [
      `${ENDPOINTS.awardByProf.replace(':id', 'FBL')}?course_type=lab`,
      400,
      'The request is not in the expected format.',
    ],
    [core.replace(':id', '%00%ff'), 404, null],
  ])('BTA-09 BTA-23 OP-87 %s is rejected', async (path, status, message) => {
    const got = await answered(alma.fetch(path));
    if (message !== null) expect([got.status, got.error?.message]).toEqual([status, message]);
    else expect([400, 404]).toContain(got.status);
  });
});

test('BTA-01 every call for the award needs the flag', async () => {
  const [bruno, nobody] = [await ts.signIn(PEOPLE.custom), ts.browser()];
  for (const path of [
    ENDPOINTS.awardStats,
    ENDPOINTS.awardList,
    ENDPOINTS.awardPrevious,
    core.replace(':id', 'SGP'),
  ]) {
    expect([(await bruno.fetch(path)).status, (await nobody.fetch(path)).status]).toEqual([403, 401]);
  }
  expect((await bruno.post(REFRESH, {})).status).toBe(403);
  const elsewhere = await alma.post(REFRESH, {}, { origin: 'https://elsewhere.example' });
  expect(elsewhere.status).toBe(403);
  // No path under the API's own is a page of the console.
  expect((await alma.fetch('/best-teaching-reports/api/nothing')).status).toBe(404);
});

test("BTA-19 OP-81 the Excel file has the report's rows, numeric figures and formatting, and nothing executable", async () => {
  const job = await done(alma, AWARD_EXPORT, { view: 'by-campus', campus: 'A', type: 'core' });
  expect(job).toMatchObject({
    outcome: 'done',
    label: 'Best Teaching Award Report: Abu Dhabi - Core Course',
  });
  expect(job.note).toBe('3 votes that do not match the list are not in the file.');
  expect(job.files[0]?.name).toBe('Abu Dhabi - Core Course.xlsx');
  const bytes = await fileOf(alma, job);
  const book = read(bytes, { cellStyles: true, cellNF: true });
  const sheet = book.Sheets[book.SheetNames[0] ?? ''] ?? {};
  const [head, ...rows] = utils.sheet_to_json<unknown[]>(sheet, { header: 1, defval: null });
  expect(head).toEqual(['Course Name', 'Faculty', 'Campus', 'Npax (Excel)', 'Nvotes', '% of Votes']);
  const { rows: reported } = await report(alma, core.replace(':id', 'ABD'));
  expect(rows).toEqual(
    reported
      .map(fromAwardRow)
      .map(({ course, professor, campus, enrolled, votes, percent }) => [
        course,
        professor,
        campus,
        enrolled,
        votes,
        percent,
      ]),
  );
  const cells = Object.entries(sheet).filter(([at]) => !at.startsWith('!')) as [
    string,
    { t: string; f?: string; v?: unknown },
  ][];
  expect(cells.filter(([, { f }]) => f !== undefined)).toEqual([]);
  expect(cells.filter(([, { v }]) => v === '@Work' || v === '+Plus').map(([, { t }]) => t)).toEqual([
    's',
    's',
  ]);
  expect(sheet['E2']).toMatchObject({ t: 'n', v: 34 });
  const styles = partOf(bytes, 'xl/styles.xml');
  expect(styles).toMatch(/<b\/>/);
  expect(styles).toMatch(/d9d9d9/i);
  expect(styles).toMatch(/<left style="thin"/);
  expect(
    (await done(alma, AWARD_EXPORT, { view: 'by-prof', campus: 'Prof', type: 'elective' })).files[0]?.name,
  ).toBe('Elective Course  - By Prof.xlsx');
  const wrong = await answered(
    alma.post('/api/jobs/start/award-export', {
      key: 'k'.repeat(10),
      input: { view: 'by-campus', campus: 'MARS', type: 'core' },
    }),
  );
  expect(wrong.status).toBe(404);
});

test('BTA-19 OP-89 an Excel file is created only from the figures that are shown', async () => {
  const choice = { view: 'by-campus', campus: 'ABD', type: 'core' };
  const seen = (await report(alma, core.replace(':id', 'ABD'))).digest;
  const listed = await practiceList(ts.sandbox);
  const changed = listed.map((row) =>
    row.Course === 'Fixed Income' && row.Campus === 'ABD' ? { ...row, Enrolled: 999 } : row,
  );
  const { list, previous } = listReplaced.parse((await replace(alma, changed)).data);
  expect(list.version).not.toBe(previous?.version);
  const refused = await done(alma, AWARD_EXPORT, { ...choice, digest: seen });
  expect(refused).toMatchObject({ outcome: 'failed', files: [] });
  expect(refused.problem?.message).toContain('The figures have changed since this page was loaded');

  const now = (await report(alma, core.replace(':id', 'ABD'))).digest;
  expect(now).not.toBe(seen);
  const made = await done(alma, AWARD_EXPORT, { ...choice, digest: now });
  const book = read(await fileOf(alma, made));
  const rows = utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0] ?? ''] ?? {}, { header: 1 });
  expect(rows.filter(([course]) => course === 'Fixed Income').every((row) => row[3] === 999)).toBe(true);
  // Restoring another list does not change these figures.
  await answered(alma.post(ENDPOINTS.awardRestore, { version: previous?.version }));
  expect(await done(alma, AWARD_EXPORT, { ...choice, digest: seen })).toMatchObject({ outcome: 'done' });
});

function partOf(bytes: Buffer, name: string): string {
  const part = CFB.find(CFB.read(bytes, { type: 'buffer' }), `/${name}`);
  return Buffer.from((part?.content ?? []) as Uint8Array).toString();
}

test('OP-89 OP-90 a report that was read earlier shows a new list, a restored list and new votes immediately', async () => {
  const path = core.replace(':id', 'ABD');
  const enrolled = async () =>
    (await report(alma, path)).rows
      .map(fromAwardRow)
      .filter(({ course }) => course === 'Nobody there')
      .map((row) => row.enrolled);
  expect(await enrolled()).toEqual([0]);
  const before = await report(alma, path);
  const list = await practiceList(ts.sandbox);
  const other = {
    ...list[0],
    Campus: 'ABD',
    Course: 'Nobody there',
    'Course ID': 'X-2',
    Enrolled: 7,
    Type: 'Core',
  };
  expect((await replace(alma, [...list, other])).error).toBeNull();
  expect(await enrolled()).toEqual([7]);
  const { previous } = previousList.parse((await answered(alma.fetch(ENDPOINTS.awardPrevious))).data);
  expect(
    (await answered(alma.post(ENDPOINTS.awardRestore, { version: previous?.version }))).error,
  ).toBeNull();
  expect(await enrolled()).toEqual([0]);
  expect((await report(alma, path)).rows).toEqual(before.rows);

  await alma.post(ENDPOINTS.awardOpening, { opening_date: '2026-12-01' });
  await refreshed(alma);
  const empty = await report(alma, path);
  expect(empty.createdAt).not.toBe(before.createdAt);
  expect(empty.rows.map(fromAwardRow).every(({ votes }) => votes === 0)).toBe(true);
});
