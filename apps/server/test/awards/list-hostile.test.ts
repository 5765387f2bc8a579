/**
 * Malicious or meaningless uploads get a clear answer and use little memory, and the current list stays in
 * place.
 */
import { CFB, utils } from '@e965/xlsx';
import { listRow } from '@lms-admin/contract/awards';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { LIST_HEADER } from '@lms-admin/domain/award-entries';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { z } from 'zod';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { protectedXls, protectedXlsx } from './protected.ts';
import { answered, bytesOf, cellsOf, checked, replace, someRows, upload, workbookOf } from './support.ts';

const INVALID = 'Upload failed: Invalid excel file';
let ts: TestServer;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer();
  alma = await ts.signIn(PEOPLE.all);
  expect((await replace(alma, someRows(5))).error).toBeNull();
});
afterAll(() => ts?.close());

const inForce = async () => z.array(listRow).parse((await answered(alma.fetch(ENDPOINTS.awardList))).data);

describe('hostile files', () => {
  async function zipOf(parts: Readonly<Record<string, Buffer | string>>): Promise<Buffer> {
    const zip = new yazl.ZipFile();
    for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name);
    zip.end();
    const pieces: Buffer[] = [];
    for await (const piece of zip.outputStream as AsyncIterable<Buffer>) pieces.push(piece);
    return Buffer.concat(pieces);
  }
  const refused = async (bytes: Buffer) => {
    const { status, error } = await answered(upload(alma, bytes));
    expect([status, error?.message]).toEqual([400, INVALID]);
    return error?.next ?? '';
  };

  test('BTA-36 a file that is not a workbook is rejected, whatever its name', async () => {
    expect(await refused(Buffer.from('Campus,Course\n=1+1,x'))).toMatch(/not an Excel file/);
    expect(await refused(Buffer.from('<html><table><tr><td>Campus</td></tr></table></html>'))).toMatch(
      /not an Excel file/,
    );
    expect(await refused(Buffer.alloc(0))).toMatch(/not an Excel file/);
    expect(await refused(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toMatch(/not an Excel file/);
    expect(await refused(await zipOf({ 'readme.txt': 'no workbook inside' }))).toMatch(
      /damaged, or it is not an Excel file/,
    );
    expect(await refused(await zipOf({ 'xl/workbook.xml': '<workbook/>' }))).toMatch(
      /not an Excel file|cannot be read/,
    );
    expect((await answered(upload(alma, Buffer.alloc(6 * 1_048_576)))).status).toBe(413);
    const form = new FormData();
    form.append('other', 'x');
    expect((await alma.fetch(ENDPOINTS.awardCheck, { method: 'POST', body: form })).status).toBe(400);
  });

  test('a password-protected workbook of either type is reported as such', async () => {
    const cells = someRows(40).map(cellsOf);
    const words =
      'The Excel file is protected by a password. Remove the password, and upload the file again.';
    const [xlsx, xls] = [protectedXlsx(workbookOf(cells)), protectedXls(workbookOf(cells, 'biff8'))];
    for (const bytes of [xlsx, xls]) {
      expect(bytes.includes(Buffer.from('Professor 3'))).toBe(false);
      expect(await refused(bytes)).toBe(words);
    }
  });

  test('a damaged .xls is reported as damaged, wherever the damage is, and never as protected', async () => {
    const whole = workbookOf(someRows(3).map(cellsOf), 'biff8');
    const broken = [whole.subarray(0, 1_200), Buffer.concat([whole.subarray(0, 8), Buffer.alloc(2_000)])];
    for (const at of [30, 56, 600]) broken.push(Buffer.from(whole).fill(0xff, at, at + 64));
    for (const bytes of broken) {
      const { error } = await answered(upload(alma, bytes));
      if (error !== null)
        expect(error.next).toMatch(/^The Excel file is damaged and cannot be read|not an Excel file/);
    }
    expect(await refused(whole.subarray(0, 1_200))).toMatch(/damaged/);
    expect(await refused(Buffer.concat([whole.subarray(0, 8), Buffer.alloc(2_000)]))).toMatch(/damaged/);
  });

  test('a file that unpacks to over 50 MB or understates its size is rejected before the library reads it', async () => {
    const bomb = await zipOf({
      'xl/workbook.xml': '<workbook/>',
      'xl/worksheets/sheet1.xml': Buffer.alloc(60 * 1_048_576, 32),
    });
    expect(bomb.length).toBeLessThan(1_048_576);
    expect(await refused(bomb)).toMatch(/more than 50 MB/);
    // The directory claims that the part is small.
    const lying = Buffer.from(bomb);
    const central = lying.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    lying.writeUInt32LE(1_000, central + 24);
    expect(await refused(lying)).toMatch(/damaged/);
  });

  test('a million empty rows, or more columns than a list has, are rejected before they use memory', async () => {
    const container = CFB.read(workbookOf(someRows(3).map(cellsOf)), { type: 'buffer' });
    const part = CFB.find(container, '/xl/worksheets/sheet1.xml');
    if (!part) throw new Error('no sheet');
    const empty = '<row/>'.repeat(1_048_571);
    const xml = Buffer.from(part.content as Uint8Array).toString();
    part.content = Buffer.from(
      xml
        .replace(/<dimension[^>]*>/, '<dimension ref="A1:G1048576"/>')
        .replace('</sheetData>', `${empty}</sheetData>`),
    );
    part.size = part.content.length;
    const high = CFB.write(container, { type: 'buffer', fileType: 'zip', compression: true }) as Buffer;
    expect(high.length).toBeLessThan(5 * 1_048_576);
    expect(await refused(high)).toMatch(/has 1,048,576 rows|cannot be read/);
    const wide = utils.book_new();
    utils.book_append_sheet(
      wide,
      utils.aoa_to_sheet([Array.from({ length: 300 }, (_, at) => `c${at}`)]),
      'List',
    );
    expect(await refused(bytesOf(wide))).toMatch(/has 300 columns/);
  });

  test('nothing from one workbook is kept for the next', async () => {
    // One id gets its zeros from its workbook's format. The other workbook lacks the format that its id
    // names.
    const [row = []] = someRows(1).map(cellsOf);
    const numbered = (type: 'xlsx' | 'biff8') => {
      const sheet = utils.aoa_to_sheet([[...LIST_HEADER], row.with(2, 42)]);
      (sheet.C2 as { z?: string }).z = '00000';
      const book = utils.book_new();
      utils.book_append_sheet(book, sheet, 'List');
      return bytesOf(book, type);
    };
    const without = numbered('biff8');
    for (let at = 0; (at = without.indexOf(Buffer.from([0x1e, 0x04]), at + 1)) > 0; )
      without.writeUInt16LE(0xe1, at);
    expect((await checked(alma, without, 'list.xls')).rows[0]?.['Course ID']).toBe('42');
    expect((await checked(alma, numbered('xlsx'))).rows[0]?.['Course ID']).toBe('00042');
    expect((await checked(alma, without, 'list.xls')).rows[0]?.['Course ID']).toBe('42');
  });

  test('any bytes inside or instead of a workbook get a clear answer, and the list stays', async () => {
    const before = await inForce();
    const whole = [workbookOf(someRows(3).map(cellsOf)), workbookOf(someRows(3).map(cellsOf), 'biff8')];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...whole),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 12 }),
        fc.nat({ max: 3 }),
        async (good, changes, cut) => {
          const bytes = Buffer.from(good);
          for (const [at, byte] of changes) bytes[8 + (at % (bytes.length - 8))] = byte;
          const { status } = await answered(
            upload(alma, cut === 0 ? bytes.subarray(0, bytes.length >> 1) : bytes),
          );
          expect([200, 400]).toContain(status);
        },
      ),
      { numRuns: 25 },
    );
    expect(await inForce()).toEqual(before);
  });

  test('any values as cells and rows get a clear answer, and the list stays', async () => {
    const before = await inForce();
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        '=1+1',
        '@SUM(A1)',
        '#N/A',
        '1.2E+05',
        '\u0000',
        '\ud800',
        '',
        '00012',
        'SGP',
        'core',
        '__proto__',
      ),
      fc.double(),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(value, { maxLength: 9 }), { maxLength: 6 }), async (rows) => {
        const good = await answered(upload(alma, workbookOf(rows)));
        expect([200, 400]).toContain(good.status);
      }),
      { numRuns: 20 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.dictionary(fc.oneof(fc.constantFrom(...LIST_HEADER), fc.string()), fc.jsonValue(), {
            maxKeys: 9,
          }),
          { maxLength: 6 },
        ),
        async (rows) => {
          expect((await replace(alma, rows)).status).toBe(400);
        },
      ),
      { numRuns: 40 },
    );
    expect(await inForce()).toEqual(before);
  });
});
