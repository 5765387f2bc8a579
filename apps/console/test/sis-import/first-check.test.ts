import { MAX_SIS_FILE_BYTES } from '@lms-admin/contract/sis-files';
import { SIS_TEMPLATES } from '@lms-admin/domain/sis-tables';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstCheck } from '../../src/tools/sis-import/first-check.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const look = (bytes: Uint8Array, { name = 'a.csv', size = bytes.length, limited = false } = {}) =>
  firstCheck({ name, size }, bytes, limited);
const HEADER = 'course_id,user_id,role_id,section_id,status';

function utf16(text: string, little: boolean, mark: boolean): Uint8Array {
  const whole = mark ? `\ufeff${text}` : text;
  const view = new DataView(new ArrayBuffer(whole.length * 2));
  for (let at = 0; at < whole.length; at++) view.setUint16(at * 2, whole.charCodeAt(at), little);
  return new Uint8Array(view.buffer);
}

describe('the first check of a file', () => {
  test.each([
    ['commas', utf8(HEADER)],
    ['semicolons', utf8(HEADER.replaceAll(',', ';'))],
    ['tabs', utf8(HEADER.replaceAll(',', '\t'))],
    ['a mark', utf8(`\ufeff${HEADER}\r\n1,2,3,4,active`)],
    ['quotes, spaces and capitals', utf8(' "Course_ID" , "USER_ID","role_id",status\r\n')],
    ['the separator line of Excel', utf8(`sep=;\r\n${HEADER.replaceAll(',', ';')}\r\n`)],
    ['blank lines above', utf8(`\r\n  \r\n,,,\n${HEADER}\n`)],
    ['UTF-16 with a mark', utf16(`${HEADER}\nC1,7,3,,active`, true, true)],
    ['UTF-16, the other way round', utf16(HEADER, false, true)],
    ['UTF-16 without a mark', utf16(HEADER, true, false)],
    ['Windows-1252 in a row', new Uint8Array([...utf8(`${HEADER}\nZo`), 0xeb])],
    ['a letter that is cut at the end', utf8(`${HEADER}\nZoë`).slice(0, -1)],
  ])('SIS-03 SIS-04 recognises an enrolments file with %s', (_, bytes) => {
    expect(look(bytes)).toEqual({
      kind: 'enrollment',
      zip: false,
      problem: null,
      unmatched: null,
      missing: [],
    });
  });

  test('SIS-05 a file that cannot be an SIS file is reported immediately, with advice', () => {
    expect(look(new Uint8Array()).problem).toContain('empty');
    expect(look(utf8('\n \n')).problem).toContain('empty');
    expect(look(utf8('A letter to the dean\n1,2')).problem).toContain('A letter to the dean');
    expect(look(utf8(HEADER), { size: MAX_SIS_FILE_BYTES }).problem).toBeNull();
    expect(look(utf8(HEADER), { size: MAX_SIS_FILE_BYTES + 1 }).problem).toContain('128 MB');
  });

  test('SIS-05 a table with another header is accepted: its columns are matched after the upload', () => {
    expect(look(utf8('PeopleSoft ID;E-mail\n1;2'))).toEqual({
      kind: null,
      zip: false,
      problem: null,
      unmatched: ['PeopleSoft ID', 'E-mail'],
      missing: [],
    });
  });

  test('SIS-05 a header without a required column is not accepted silently: the missing column is named', () => {
    expect(look(utf8('user_id,login_id,full_name\n1,a,B'))).toMatchObject({
      kind: 'user',
      missing: ['status'],
    });
    expect(look(utf8('course_id,user_id\nC,1'))).toMatchObject({
      kind: 'enrollment',
      missing: ['role_id or role', 'status'],
    });
    for (const { columns } of SIS_TEMPLATES) expect(look(utf8(columns.join(','))).missing).toEqual([]);
  });

  test('SIS-05 a picture or a PDF is identified as such, and its bytes are not displayed', () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
    const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46]);
    for (const bytes of [png, jpeg, utf8('%PDF-1.7\nobj')]) {
      expect(look(bytes).problem).toMatch(/^This is not a CSV file/);
    }
  });

  test('SIS-04 a workbook is distinguished from a zip, whatever its name', () => {
    const zip = [0x50, 0x4b, 3, 4];
    expect(look(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0])).problem).toContain('spreadsheet, not a CSV');
    expect(look(new Uint8Array([...zip, ...utf8('...[Content_Types].xml')])).problem).toContain('Excel');
    expect(look(new Uint8Array(zip), { name: 'Sheet.XLSX' }).problem).toContain('Excel');
    expect(look(new Uint8Array(zip), { name: 'all.zip' })).toEqual({
      kind: null,
      zip: true,
      problem: null,
      unmatched: null,
      missing: [],
    });
  });

  test('OP-53 an administrator with limited access learns immediately what they cannot send; no one can send administrators', () => {
    const courses = utf8('course_id,short_name,long_name,status');
    const admins = utf8('user_id,account_id,role,status');
    expect(look(courses)).toMatchObject({ kind: 'course', problem: null });
    expect(look(courses, { limited: true }).problem).toContain('courses');
    expect(look(utf8('user_id,login_id,status'), { limited: true })).toMatchObject({ kind: 'user' });
    expect(look(utf8(HEADER), { limited: true })).toMatchObject({ kind: 'enrollment' });
    expect(look(new Uint8Array([0x50, 0x4b, 3, 4]), { limited: true }).problem).toContain('zip');
    expect(look(admins).problem).toContain('administrators');
  });

  test('SIS-05 any bytes lead to a result: a kind, a zip, columns to match, or a problem in words', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (bytes, limited) => {
        const { kind, zip, problem, unmatched } = look(bytes, { limited });
        expect(
          [kind !== null, zip, unmatched !== null, problem !== null && problem !== ''].filter(Boolean),
        ).toHaveLength(1);
      }),
    );
  });
});
