/** The list of professors and courses over HTTP: checked, replaced and restored, whatever is uploaded. */
import { readFileSync } from 'node:fs';
import { utils } from '@e965/xlsx';
import { listReplaced, listRow, previousList, type SheetRecord } from '@lms-admin/contract/awards';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { LIST_HEADER } from '@lms-admin/domain/award-entries';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  answered,
  bytesOf,
  cellsOf,
  checked,
  practiceList,
  replace,
  someRows,
  upload,
  workbookOf,
} from './support.ts';

let ts: TestServer;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer();
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

const inForce = async () => z.array(listRow).parse((await answered(alma.fetch(ENDPOINTS.awardList))).data);
const read = async (path: string) => (await answered(alma.fetch(path))).data;
const rowOf = (change: Partial<Record<keyof SheetRecord, unknown>>) => ({ ...someRows(1)[0], ...change });

describe('the opening date', () => {
  const set = (opening_date: unknown) =>
    answered(alma.post(ENDPOINTS.awardOpening, { opening_date, created_by: 'Nobody', updated_at: '1999' }));

  test('BTA-40 BTA-42 BTA-43 OP-88 OP-99 is a single record whose fields are set by the server', async () => {
    expect(await read(`${ENDPOINTS.awardOpening}?user_name=somebody`)).toEqual([]);
    const [first] = (await set('2026-03-05')).data as Record<string, string>[];
    expect(first).toMatchObject({
      opening_date: '2026-03-05',
      created_by: 'Alma Reyes',
      updated_by: 'Alma Reyes',
    });
    const [second] = (await set('2026-03-06')).data as Record<string, string>[];
    expect(second?.['created_at']).toBe(first?.['created_at']);
    expect(await read(ENDPOINTS.awardOpening)).toEqual([second]);
    // Sending the same date again is not a change.
    expect((await set('2026-03-06')).data).toEqual([second]);
  });

  test.each(['', '2', '0002-03-05', '2026-02-30', '05/03/2026', '2026-03-05T00:00', 'x'.repeat(90)])(
    'OP-88 %s is not a complete date',
    async (text) => {
      const { status, error } = await set(text);
      expect([status, error?.message]).toEqual([400, 'This is not a complete date.']);
    },
  );
});

describe('an upload', () => {
  test('BTA-31 BTA-34 the list linked from the front page of the practice LMS needs no corrections', async () => {
    const page = await (await fetch(ts.sandbox.url)).text();
    const link = /href="([^"]+)">the award list</.exec(page)?.[1] ?? '';
    const file = await fetch(new URL(link, ts.sandbox.url));
    const check = await checked(alma, new Uint8Array(await file.arrayBuffer()), 'award-list.xlsx');
    expect(check).toMatchObject({ problems: [], hints: [], ignored: [] });
    expect(check.rows).toEqual(await practiceList(ts.sandbox));
  });

  test('BTA-34 BTA-39 BTA-41 BTA-45 BTA-46 BTA-47 BTA-51 OP-89 a valid list shows what changes, and then replaces the list in one step', async () => {
    expect(await read(ENDPOINTS.awardUpdated)).toEqual([]);
    expect(await read(ENDPOINTS.awardCampuses)).toEqual([]);
    for (const [type, name] of [
      ['xlsx', 'list.xlsx'],
      ['biff8', 'list.xls'],
    ] as const) {
      const check = await checked(alma, workbookOf(someRows(9).map(cellsOf), type), name);
      expect(check).toMatchObject({ file: name, sheet: 'List', problems: [], hints: [], version: 0 });
      expect(check.rows).toEqual(someRows(9));
      expect(check.changes?.added).toHaveLength(9);
    }
    const first = listReplaced.parse((await replace(alma, someRows(9), '?version=0')).data);
    expect(first).toMatchObject({ list: { version: 1, rows: 9, updated_by: 'Alma Reyes' }, previous: null });
    const [row] = await inForce();
    expect(row).toMatchObject({
      campus: 'SGP',
      course: 'Course 0',
      course_id: 'C00000',
      enrolled: 20,
      professor_id: 'P0',
      type: 'core',
    });
    expect(await read(ENDPOINTS.awardUpdated)).toEqual([
      { updated_by: 'Alma Reyes', updated_at: row?.updated_at },
    ]);
    expect(await read(`${ENDPOINTS.awardCampuses}?user_id=x`)).toEqual(['FBL', 'SGP', 'FBLSG', 'ABD']);

    const next = [
      ...someRows(10).slice(1, 8),
      ...someRows(10).slice(9),
      { ...someRows(9)[8], Enrolled: 99 },
    ] as SheetRecord[];
    const check = await checked(alma, workbookOf(next.map(cellsOf)));
    expect(check.changes).toMatchObject({
      added: [{ course_id: 'C00009' }],
      changed: [{ entry: { course_id: 'C00008' }, fields: [{ column: 'Enrolled', from: 28, to: 99 }] }],
      gone: [{ course_id: 'C00000' }],
      unchanged: 7,
    });
    const second = listReplaced.parse((await replace(alma, check.rows, `?version=${check.version}`)).data);
    expect([second.list.version, second.previous?.version]).toEqual([2, 1]);
    // Sent by a person who compared their list with the former one.
    expect((await replace(alma, check.rows, '?version=1')).status).toBe(409);
  });

  test('one action restores the previous list, and the same action undoes this', async () => {
    const now = await inForce();
    const before = previousList.parse(await read(ENDPOINTS.awardPrevious));
    expect(before).toMatchObject({
      list: { version: 2 },
      previous: { version: 1, rows: 9 },
      changes: { gone: [{ course_id: 'C00009' }] },
    });
    const restore = (version: number) => answered(alma.post(ENDPOINTS.awardRestore, { version }));
    expect((await restore(7)).status).toBe(409);
    expect((await restore(1)).status).toBe(200);
    expect((await inForce()).map(({ course_id }) => course_id)).toEqual(
      someRows(9).map((row) => row['Course ID']),
    );
    expect((await restore(1)).status).toBe(409);
    expect((await restore(2)).status).toBe(200);
    expect((await inForce()).map((row) => ({ ...row, updated_at: '' }))).toEqual(
      now.map((row) => ({ ...row, updated_at: '' })),
    );
  });

  test('OP-89 a list with mistakes names their rows and columns, and cannot be sent', async () => {
    const rows = [
      rowOf({ Campus: 'Paris' }),
      rowOf({ 'Course ID': 'C1', Enrolled: '12.5' }),
      rowOf({ 'Course ID': 'C2', Professor: ' ' }),
      rowOf({ 'Course ID': 'C3', Type: 'Seminar' }),
      rowOf({}),
      rowOf({}),
    ] as SheetRecord[];
    const before = await inForce();
    const check = await checked(alma, workbookOf(rows.map(cellsOf)));
    expect(check.problems.map(({ row, column }) => [row, column])).toEqual([
      [2, 'Campus'],
      [3, 'Enrolled'],
      [4, 'Professor'],
      [5, 'Type'],
      [7, 'Course ID'],
    ]);
    expect([check.rows, check.changes]).toEqual([[], null]);
    const { status, error } = await replace(alma, rows);
    expect([status, error?.message]).toEqual([
      400,
      'The list has 5 problems. The current list is not changed.',
    ]);
    expect(await inForce()).toEqual(before);
  });

  test('BTA-35 a file without the header is not based on the template; columns can be in any order', async () => {
    const of = async (bytes: Buffer) => (await answered(upload(alma, bytes))).data;
    expect(await of(workbookOf([['SGP']], 'xlsx', ['Campus', 'Course']))).toMatchObject({
      template: false,
      message: 'The first row does not contain Course ID, Enrolled, Prof ID, Professor, Type.',
    });
    expect(await of(workbookOf([[], LIST_HEADER], 'xlsx', []))).toMatchObject({
      template: false,
      message: 'The first row is empty.',
    });
    expect((await replace(alma, [])).error?.message).toBe('Template not valid');
    expect((await replace(alma, [{ Campus: 'SGP' }])).error?.message).toBe('Template not valid');
    const turned = someRows(2).map((row) => [...cellsOf(row).toReversed(), 'x']);
    const check = await checked(alma, workbookOf(turned, 'xlsx', [...LIST_HEADER.toReversed(), 'Remarks']));
    expect([check.rows, check.ignored]).toEqual([someRows(2), ['Remarks']]);
  });

  test('cells are read as Excel shows them: leading zeros in ids, dates, errors and formulas', async () => {
    const sheet = utils.aoa_to_sheet([[...LIST_HEADER], ...someRows(4).map(cellsOf)]);
    const cell = (at: string, one: object) => Object.assign(sheet, { [at]: one });
    cell('C2', { t: 'n', v: 123, z: '00000' });
    cell('C3', { t: 'n', v: 46_024, z: 'm/d/yy' });
    cell('C4', { t: 'e', v: 42 });
    cell('D5', { t: 'n', v: 20, f: '10+10' });
    const book = utils.book_new();
    utils.book_append_sheet(book, sheet, 'List');
    const check = await checked(alma, bytesOf(book));
    expect(check.problems.map(({ row, column }) => [row, column])).toEqual([
      [3, 'Course ID'],
      [4, 'Course ID'],
      [5, 'Enrolled'],
    ]);
    expect(check.problems[0]?.message).toBe(
      'Course ID is a date. A spreadsheet turns a text such as 1-2 into a date.',
    );
    expect(check.problems[2]?.message).toBe('Enrolled is calculated by a formula.');
    cell('C3', { t: 's', v: '1/2/26' });
    cell('C4', { t: 's', v: 'C4' });
    cell('D5', { t: 'n', v: 20 });
    for (const type of ['xlsx', 'biff8'] as const) {
      const { rows } = await checked(alma, bytesOf(book, type));
      expect(rows.map((row) => row['Course ID']).slice(0, 2)).toEqual(['00123', '1/2/26']);
    }
  });

  test('BTA-30 OP-92 the template is a real .xls without data rows', async () => {
    const bytes = readFileSync('apps/console/public/Template_Setup_DDMMYYYY.xls');
    expect(bytes.subarray(0, 4).toString('hex')).toBe('d0cf11e0');
    const check = await checked(alma, bytes, 'Template_Setup_DDMMYYYY.xls');
    expect(check.problems.map(({ row, message }) => [row, message])).toEqual([
      [null, 'There are no rows below the header.'],
    ]);
    expect(check.ignored).toEqual([]);
  });
});
