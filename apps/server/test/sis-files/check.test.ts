/**
 * The check of an uploaded file: what it accepts, converts and rejects (SIS-04, SIS-05, SIS-07, OP-53,
 * OP-33).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { notInArray } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { filePieces, sisDrafts, sisFiles } from '../../src/platform/schema.ts';
import { Campus, submit } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { answered, ENROLL, problemsOf, USERS, upload, uploaded } from './support.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
/** Has perm CUSTOM: programme 138, role 3. */
let carla: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false }, env: { MAX_ENROLLMENT_ROWS: '300' } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  carla = await ts.signIn(PEOPLE.records);
});
afterAll(() => ts?.close());
beforeEach(() => campus.forgetRequests());
afterEach(() => campus.clearFaults());

const posts = () => campus.requests((one) => one.method === 'POST' && one.path.includes('/sis_imports'));
const kept = async () => {
  const { db } = ts.server.services.db;
  // The part of a rejected file that is stored is tested in drafts.test.ts.
  const drafts = db.select({ id: sisDrafts.id }).from(sisDrafts);
  return {
    files: await db.$count(sisFiles),
    chunks: await db.$count(filePieces, notInArray(filePieces.fileId, drafts)),
  };
};

describe('files from spreadsheets', () => {
  const text = `${USERS}\r\n910001,renee.one@northbridge.example,Renée Œuvré €,active\r\n`;
  const wide = (bytes: Buffer) => bytes;
  const windows1252 = Buffer.from(
    Array.from(text, (sign) => ({ Œ: 0x8c, '€': 0x80 })[sign] ?? sign.charCodeAt(0)),
  );
  test.each([
    ['UTF-8', wide(Buffer.from(text)), 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
    ['UTF-16 LE with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 LE without', Buffer.from(text, 'utf16le'), 'utf-16le'],
    ['UTF-16 BE with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'utf-16be'],
    ['UTF-16 BE without', Buffer.from(text, 'utf16le').swap16(), 'utf-16be'],
    ['Windows-1252', windows1252, 'windows-1252'],
  ])('SIS-04: %s is read', async (_name, bytes, encoding) => {
    const file = await uploaded(alma, bytes);
    expect(file.parts[0]).toMatchObject({
      kind: 'user',
      encoding,
      header: ['user_id', 'login_id', 'full_name', 'status'],
      preview: [['910001', 'renee.one@northbridge.example', 'Renée Œuvré €', 'active']],
    });
    expect(file.notices).toHaveLength(encoding === 'utf-8' ? 0 : 1);
  });

  test.each([
    [';', '\r\n'],
    ['\t', '\n'],
    [',', '\r'],
    ['|', '\n'],
  ])('SIS-04: cells can be separated by %j, and lines by %j', async (delimiter, end) => {
    const lines = [
      ' Course_ID,"USER_ID",role_id,status,',
      '',
      'X1,"u,1",3,active,,',
      ',,,',
      'X1,u2,3,active',
    ];
    const inside = delimiter === '\t' ? ',' : delimiter;
    const content = lines
      .map((line) => line.replace('u,1', 'u~1').replaceAll(',', delimiter).replace('u~1', `u${inside}1`))
      .join(end);
    const file = await uploaded(alma, content);
    expect(file.parts[0]).toMatchObject({
      header: ['course_id', 'user_id', 'role_id', 'status'],
      rows: 2,
      delimiter,
      preview: [
        ['X1', `u${inside}1`, '3', 'active'],
        ['X1', 'u2', '3', 'active'],
      ],
    });
    expect(file.notices.some((one) => one.includes('2 empty rows'))).toBe(true);
    expect(file.notices.some((one) => /semicolons|tabs|vertical bars/.test(one))).toBe(delimiter !== ',');
  });

  test('SIS-04: Excel’s separator line is not a header, a line break in a name does not end a line, and all empty rows are counted', async () => {
    const lines = [
      'sep=;',
      USERS,
      '910002,a2@x.example,"Anna\nBerg",active',
      ',,,',
      '910003,a3@x.example,B,active',
    ];
    const content = `${lines.join('\r\n').replaceAll(',', ';')}\r\n;;;\r\n\r\n`;
    const file = await uploaded(alma, content);
    expect(file.parts[0]).toMatchObject({
      rows: 2,
      delimiter: ';',
      preview: [
        ['910002', 'a2@x.example', 'Anna Berg', 'active'],
        ['910003', 'a3@x.example', 'B', 'active'],
      ],
    });
    expect(file.notices).toEqual([
      expect.stringContaining('semicolons'),
      '3 empty rows were skipped.',
      '1 cell had a line break. LMS Admin sends a space instead.',
    ]);
    const wrong = await upload(alma, `sep=,\n${ENROLL}\nX,,3,active`);
    // A spreadsheet does not show this line, so it is not numbered.
    expect(problemsOf(wrong).map(([row, field]) => [row, field])).toEqual([[2, 'user_id']]);
  });

  test('SIS-04: letters that can be read in several ways are shown in each reading', async () => {
    const rows = (name: string) => Buffer.from(`${USERS}\n910009,a9@x.example,${name},active`, 'latin1');
    const czech = await uploaded(alma, rows('Dvo\xf8\xe1k'));
    expect(czech.warnings).toEqual([expect.stringMatching(/Dvoøák.*Dvořák in Windows-1250/)]);
    const euro = await uploaded(alma, rows('Caf\xe9\x80\x94'));
    expect(euro.warnings).toEqual([expect.stringMatching(/read it as UTF-8.*Café€” in Windows-1252/)]);
    expect((await uploaded(alma, rows('M\xfcller'))).warnings).toEqual([]);
  });

  test('SIS-04: a letter that is split between two pieces is not lost', async () => {
    const rows = Array.from(
      { length: 9_000 },
      (_, at) => `92${at},p${at}@northbridge.example,ÄÖÜ—${at}é,active`,
    );
    const file = await uploaded(alma, `${USERS}\n${rows.join('\n')}`);
    expect(file.rows).toBe(9_000);
    expect(file.parts[0]?.encoding).toBe('utf-8');
  });
});

describe('the error about a rejected file names row and column, and the file is not kept', () => {
  test.each<[string, string | Uint8Array, (string | number | null | RegExp)[]]>([
    ['an empty file', '', [null, null, /empty/]],
    ['blank rows only', '\n\n , \n', [null, null, /empty/]],
    ['a header without rows', `${ENROLL}\n`, [null, null, /no rows/]],
    ['an unknown header', 'name,colour\na,b', [1, null, /do not match any SIS file type/]],
    [
      'administrators, also for ALL',
      'user_id,account_id,role,status\n1,,AccountAdmin,active',
      [1, null, /admin/],
    ],
    [
      'a picture',
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 13]),
      [null, null, /not a CSV file/],
    ],
    ['a column that appears twice', `${ENROLL},status\nX,u,3,active,active`, [1, 'status', /twice/]],
    ['no role column', 'course_id,user_id,status\nX,u,active', [1, 'role_id', /missing/]],
    ['no person', `${ENROLL}\nX,u,3,active\n\nX,,3,active`, [4, 'user_id', /missing/]],
    ['a role that the person cannot give', `${ENROLL}\nX,u,1,active`, [2, 'role_id', /role 1/]],
    [
      'a role that the LMS does not have',
      `${ENROLL}\nX,u,99,active`,
      [2, 'role_id', /The LMS has no role 99/],
    ],
    [
      'a role name that the person cannot give',
      'course_id,user_id,role,status\nX,u,AccountAdmin,active',
      [2, 'role', /role/],
    ],
    ['an unknown status', `${ENROLL}\nX,u,3,gone`, [2, 'status', /gone/]],
    ['the status of a user', `${USERS}\n1,a,b,completed`, [2, 'status', /completed/]],
    ['more cells than the header', `${ENROLL}\nX,u,3,active,5`, [2, null, /5 cells/]],
    ['a line break in an id', `${ENROLL}\n"X\nY",u,3,active`, [2, 'course_id', /line break/]],
    [
      'a quote in the middle of a cell',
      `${ENROLL}\nX,u,3,active\nX"Y,u,3,active`,
      [3, null, /quotation mark/],
    ],
    [
      'a quote that is never closed',
      `${ENROLL}\nX,u,3,active\n"X,u,3,active\nX,u,3,active`,
      [3, null, /quotation mark/],
    ],
    ['a shortened number', `${ENROLL}\nX,"7,1015E+06",3,active`, [2, 'user_id', /scientific notation/]],
    ['an error value', `${ENROLL}\nX,u,3,active\n#N/A,u,3,active`, [3, 'course_id', /error value/]],
    ['a formula', `${USERS}\n1,a,"=HYPERLINK(""x"")",active`, [2, 'full_name', /formula/]],
    ['a space in a login', `${USERS}\n1,a b,x,active`, [2, 'login_id', /space/]],
    [
      'a person who appears twice',
      `${USERS}\n1,a,x,active\n1,b,y,active`,
      [3, 'user_id', /already in row 2.*Keep one/],
    ],
    [
      'a login that appears twice',
      `${USERS}\n1,a,x,active\n\n2,A,y,active`,
      [4, 'login_id', /already in row 2/],
    ],
    [
      'a course that appears twice',
      'course_id,short_name,long_name,status\nC1,a,b,active\nC1,a,c,active',
      [3, 'course_id', /already in row 2/],
    ],
    ['a very long line', `${ENROLL}\n${'x'.repeat(30_000)}`, [2, null, /longer/]],
    ['a NUL', `${ENROLL}\nX\u0000,u,3,active`, [2, 'course_id', /character/]],
    [
      'a broken letter after valid ones',
      Buffer.concat([
        Buffer.from(`${ENROLL}\nÄ,u,3,active\nX`),
        Buffer.from([0xff]),
        Buffer.from(',u,3,active'),
      ]),
      [3, null, /encoding/],
    ],
  ])('SIS-04, OP-53: %s', async (_name, content, expected) => {
    const before = await kept();
    const answer = await upload(alma, content);
    expect(answer.status).toBe(400);
    const [row, field, message] = expected;
    const [first] = problemsOf(answer);
    expect(first?.slice(0, 2)).toEqual([row, field]);
    expect(first?.[2]).toMatch(message as RegExp);
    expect(await kept()).toEqual(before);
    expect(await posts()).toEqual([]);
  });

  test('SIS-04: every cell of a meaningless row is named', async () => {
    const answer = await upload(alma, `${USERS}\n"7,1E+06",a b,#NV,active`);
    expect(problemsOf(answer).map(([row, field]) => [row, field])).toEqual([
      [2, 'user_id'],
      [2, 'login_id'],
      [2, 'full_name'],
    ]);
  });

  test('SIS-04: all problems are listed, up to a hundred', async () => {
    const some = await upload(alma, `${ENROLL}\nX,u,3,active\nX,,3,active\nX,u,99,active\nX,u,3,no`);
    expect(problemsOf(some).map(([row, field]) => [row, field])).toEqual([
      [3, 'user_id'],
      [4, 'role_id'],
      [5, 'status'],
    ]);
    const one = await upload(alma, `${ENROLL},start_date\n"7,101,501",,99,no,12/31/2026`);
    expect(problemsOf(one).map(([row, field]) => [row, field])).toEqual([
      [2, 'user_id'],
      [2, 'status'],
      [2, 'start_date'],
      [2, 'role_id'],
      [2, 'course_id'],
    ]);
    const many = await upload(alma, `${ENROLL}\n${'X,,3,active\n'.repeat(250)}`);
    expect(problemsOf(many)).toHaveLength(100);
  });

  test('K-04, OP-33: more enrolment rows than one submission can have are rejected', async () => {
    const answer = await upload(alma, `${ENROLL}\n${'X,u,3,active\n'.repeat(301)}`);
    expect([answer.status, answer.error?.code]).toEqual([413, 'too-many-rows']);
  });

  test.each([
    [
      'xlsx',
      Buffer.concat([
        Buffer.from('PK\u0003\u0004', 'latin1'),
        Buffer.alloc(26),
        Buffer.from('[Content_Types].xml'),
      ]),
    ],
    [
      'ods',
      Buffer.concat([
        Buffer.from('PK\u0003\u0004', 'latin1'),
        Buffer.alloc(26),
        Buffer.from('mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK'),
      ]),
    ],
    ['xls', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(500)])],
  ])('SIS-04: a spreadsheet is recognised: %s', async (_name, bytes) => {
    const answer = await upload(carla, bytes, 'people.csv');
    expect(answer.status).toBe(400);
    expect(answer.error?.message).toBe('This is a spreadsheet, not a CSV file. Save it as CSV UTF-8.');
  });

  test('SIS-05: a form without a file, with two files, or with the file in another field is rejected, and so is a request without a form', async () => {
    const before = await kept();
    const send = async (fill: (form: FormData) => void) => {
      const form = new FormData();
      fill(form);
      return answered(await alma.fetch(ENDPOINTS.sisFiles, { method: 'POST', body: form }));
    };
    const good = () => new File([`${USERS}\n1,a,b,active`], 'a.csv');
    const answers = [
      await send(() => {}),
      await send((form) => form.set('url', 'x')),
      await send((form) => form.set('attachment', good())),
      await send((form) => {
        form.append('file', good());
        form.append('file', good());
      }),
      await answered(await alma.post(ENDPOINTS.sisFiles, { file: 'x' })),
      await answered(
        await alma.fetch(ENDPOINTS.sisFiles, {
          method: 'POST',
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
          body: `--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${USERS}\n1,a,`,
        }),
      ),
      await answered(
        await alma.fetch(ENDPOINTS.sisFiles, {
          method: 'POST',
          headers: { 'content-type': 'multipart/form-data' },
          body: 'x',
        }),
      ),
    ];
    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
      answers.map(() => [400, 'bad-request']),
    );
    expect(await kept()).toEqual(before);
  });
});

describe('access', () => {
  test('AUTH-21, SIS-01, OP-40: only a signed-in person with the flag can upload, and the file belongs to that person', async () => {
    const nobody = await upload(ts.browser(), `${USERS}\n1,a,b,active`);
    expect(nobody.status).toBe(401);
    const bruno = await ts.signIn(PEOPLE.custom);
    expect((await upload(bruno, `${USERS}\n1,a,b,active`)).status).toBe(403);
    const file = await uploaded(alma, `${USERS}\n1,a,b,active`);
    const path = ENDPOINTS.sisFile.replace(':file', file.id);
    expect((await bruno.fetch(path)).status).toBe(403);
    expect((await carla.fetch(path)).status).toBe(404);
    expect((await submit(carla, { file: file.id })).status).toBe(404);
    expect((await submit(bruno, { file: file.id })).status).toBe(403);
    expect(await posts()).toEqual([]);
  });

  test('OP-06: a form from another site is rejected', async () => {
    const form = new FormData();
    form.set('file', new File(['x'], 'a.csv'));
    const response = await alma.fetch(ENDPOINTS.sisFiles, {
      method: 'POST',
      body: form,
      origin: 'https://elsewhere.example',
    });
    expect(response.status).toBe(403);
  });
});

describe('fuzzing', () => {
  test('SIS-07: any bytes uploaded as a file get a clear answer, and nothing is sent', async () => {
    const header = fc.constantFrom(
      `${ENROLL}\n`,
      `${USERS}\n`,
      'course_id;user_id;role;status\r\n',
      '\ufeff',
      '',
    );
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('3', 'active', 'deleted', '"', ',', '\n', '\r\n', ';', '\u0000'),
    );
    const text = fc
      .tuple(header, fc.array(cell, { maxLength: 30 }))
      .map(([first, cells]) => Buffer.from(first + cells.join(',')));
    const bytes = fc.uint8Array({ maxLength: 400 }).map((some) => Buffer.from(some));
    const zip = bytes.map((some) => Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), some]));
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, bytes, zip), fc.string(), fc.boolean(), async (content, name, all) => {
        const answer = await upload(all ? alma : carla, content, name);
        expect([200, 400, 413]).toContain(answer.status);
        if (answer.status !== 200) expect(answer.error?.message.length).toBeGreaterThan(5);
      }),
      { numRuns: 60 },
    );
    expect(await posts()).toEqual([]);
  });
});
