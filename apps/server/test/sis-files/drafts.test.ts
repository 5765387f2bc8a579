/**
 * Correcting a rejected file in place: grouped problems, immediate checks, and a final check (SIS-05, OP-53).
 */
import { type DraftCorrection, draftCorrection, sisDraft } from '@lms-admin/contract/sis-drafts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sisDrafts } from '../../src/platform/schema.ts';
import { submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  corrected,
  drafted,
  draftOf,
  draftPath,
  ENROLL,
  finished,
  person,
  rowsOfDraft,
  USERS,
  upload,
  uploaded,
  zipOf,
} from './support.ts';

let ts: TestServer;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

const many = (count: number, row: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => row(at));

describe('SIS-05, corrections in place: the problems', () => {
  test('equal problems are shown once with their number, values and first rows; all of them are known', async () => {
    const rows = many(250, (at) => person(at, at < 240 ? 'actif' : 'weg'));
    const answer = await upload(alma, `${USERS}\n${rows.join('\n')}\n${person(900)}\n`, 'people.csv');
    expect([answer.status, answer.error?.code, answer.error?.details?.length]).toEqual([
      400,
      'bad-request',
      100,
    ]);
    expect(answer.error?.next).toMatch(/Correct it here/);
    const draft = await draftOf(alma, answer.error?.draft ?? '');
    expect(draft).toMatchObject({
      name: 'people.csv',
      version: 1,
      kind: 'user',
      rows: 251,
      left_out: 0,
      header: [],
      wrong: 250,
      listed: 250,
      last: null,
      groups: [
        {
          column: 3,
          name: 'status',
          message: 'The status should be active, suspended or deleted, not …',
          kind: 'The status should be active, suspended or deleted, not …',
          rows: 250,
          first: [2, 3, 4, 5, 6],
          values: [
            { value: 'actif', rows: 240 },
            { value: 'weg', rows: 10 },
          ],
          different: 2,
        },
      ],
    });
    const last = await rowsOfDraft(alma, draft.id, '?page=2');
    expect([last.total, last.rows.length, last.rows[0]?.row]).toEqual([250, 50, 202]);
    expect(last.rows[0]).toMatchObject({
      cells: person(200, 'actif').split(','),
      problems: [{ column: 3, group: 0 }],
    });
  });

  test.each([1, 99, 100, 101, 5_000])(
    '%i rows with problems are all counted and all listed',
    async (count) => {
      const draft = await drafted(alma, `${USERS}\n${many(count, (at) => person(at, 'x')).join('\n')}`);
      expect([draft.wrong, draft.listed, draft.groups[0]?.rows]).toEqual([count, count, count]);
      // Messages that all rows share are shown in full.
      expect(draft.groups[0]?.message).toBe('The status should be active, suspended or deleted, not "x".');
      expect(draft.groups[0]?.kind).toBe('The status should be active, suspended or deleted, not …');
      const page = Math.ceil(count / 100) - 1;
      const { rows, total } = await rowsOfDraft(alma, draft.id, `?page=${page}`);
      expect([total, rows.at(-1)?.row]).toEqual([count, count + 1]);
    },
  );

  test('500,000 rows with problems need little memory and a small answer, and one action corrects them', async () => {
    async function* text() {
      yield `${ENROLL}\n`;
      for (let at = 0; at < 500_000; at += 1_000)
        yield many(1_000, (one) => `C${at},U${at + one},3,aktiv\n`).join('');
    }
    let content = '';
    for await (const piece of text()) content += piece;
    const answer = await upload(alma, content);
    expect(JSON.stringify(answer.error).length).toBeLessThan(40_000);
    const draft = await draftOf(alma, answer.error?.draft ?? '');
    expect([draft.rows, draft.wrong, draft.listed]).toEqual([500_000, 500_000, 20_000]);
    expect(draft.groups[0]?.values).toEqual([{ value: 'aktiv', rows: 500_000 }]);
    expect(JSON.stringify(draft).length).toBeLessThan(20_000);
    const tooMany = await alma.post(draftPath('sisDraftCorrections', draft.id), {
      version: 1,
      step: { does: 'leave-out-group', group: 0 },
    });
    expect((await tooMany.json()).error).toMatchObject({ code: 'bad-request', message: /10,000 rows/ });
    const correctedFile = await corrected(alma, draft, {
      does: 'replace',
      column: 3,
      from: 'aktiv',
      to: 'active',
    });
    expect([correctedFile.wrong, correctedFile.groups]).toEqual([0, []]);
  }, 120_000);

  test('unreadable and unsupported files are still rejected and not kept', async () => {
    const { db } = ts.server.services.db;
    const before = await db.$count(sisDrafts);
    for (const content of [
      '',
      `${USERS}\n`,
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 13]),
      `${USERS}\n${person(1, 'x')}\n1,"a"b,c,active\n`,
      'user_id,account_id,role,status\n1,,AccountAdmin,active',
    ]) {
      const { status, error } = await upload(alma, content);
      expect([status, error?.draft]).toEqual([400, undefined]);
    }
    const zip = await upload(alma, await zipOf({ 'a.csv': `${USERS}\n${person(1, 'x')}` }), 'a.zip');
    expect([zip.status, zip.error?.draft, zip.error?.next]).toEqual([
      400,
      undefined,
      expect.stringMatching(/upload the file with the problems separately/),
    ]);
    expect(await db.$count(sisDrafts)).toBe(before);
  });
});

describe('SIS-05, corrections in place: making corrections', () => {
  test('cells are corrected, one value is set in all rows, spaces are removed, rows are skipped, and the last step is undone; then the file is imported', async () => {
    const rows = [
      person(1, 'actif'),
      person(2, 'actif'),
      '9703,p97 03@northbridge.example,"Three, Anna",active',
      ',p9704@northbridge.example,Four,active',
      '',
      person(1),
      person(6),
    ];
    let draft = await drafted(alma, `${USERS}\r\n${rows.join('\r\n')}\r\n`.replaceAll('97', '98'));
    expect(draft.groups.map(({ name, rows: count }) => [name, count])).toEqual([
      ['status', 2],
      ['login_id', 1],
      ['user_id', 1],
      ['user_id', 1],
      ['login_id', 1],
    ]);
    const refused = await finished(alma, draft);
    expect([refused.status, refused.error?.draft]).toEqual([400, draft.id]);
    draft = await draftOf(alma, draft.id);

    draft = await corrected(alma, draft, { does: 'replace', column: 3, from: 'actif', to: 'active' });
    expect(draft.groups.map(({ message, first }) => [message, first])).toContainEqual([
      '"981" is already in row 2. Keep one of the two rows.',
      [7],
    ]);
    draft = await corrected(alma, draft, { does: 'join', column: 1 });
    draft = await corrected(alma, draft, { does: 'cells', cells: [{ row: 5, column: 0, value: ' 9804 ' }] });
    draft = await corrected(alma, draft, { does: 'leave-out', rows: [7] });
    expect([draft.wrong, draft.left_out, draft.rows, draft.last]).toEqual([0, 1, 5, 'leave-out']);
    draft = await corrected(alma, draft, { does: 'undo' });
    expect([draft.left_out, draft.last]).toEqual([0, 'cells']);
    expect(draft.wrong).toBeGreaterThan(0);
    draft = await corrected(alma, draft, { does: 'leave-out', rows: [7] });

    const csv = await alma.fetch(draftPath('sisDraftCsv', draft.id));
    expect(csv.headers.get('content-disposition')).toContain('file-corrected.csv');
    const text = Buffer.from(await csv.arrayBuffer()).toString('utf8');
    expect(text).toBe(
      `\ufeff${[
        USERS,
        '981,p981@northbridge.example,Zoë O’Neill–Łukasz 1,active',
        '982,p982@northbridge.example,Zoë O’Neill–Łukasz 2,active',
        '9803,p9803@northbridge.example,"Three, Anna",active',
        '9804,p9804@northbridge.example,Four,active',
        '986,p986@northbridge.example,Zoë O’Neill–Łukasz 6,active',
        '',
      ].join('\r\n')}`,
    );
    const again = await uploaded(alma, text);
    const { file } = await finished(alma, draft);
    expect(file?.parts).toEqual(again.parts.map((part) => ({ ...part, name: 'file.csv' })));
    expect(file?.notices).toEqual(['You have skipped 1 row.', '1 empty row was skipped.']);
    const done = await watch(alma, (await submitted(alma, { file: file?.id ?? '' })).id);
    expect(done).toMatchObject({ workflow_state: 'imported', rows: 5 });
  });

  test('a header that no SIS file has is matched, and columns are skipped and added; only then are rows checked', async () => {
    const content =
      'PeopleSoft ID;E-mail;Name;Shoe size\n99001;s1@northbridge.example;"A;B";42\n99002;s 2@northbridge.example;C;43\n';
    let draft = await drafted(alma, content, 'list.csv');
    expect(draft).toMatchObject({ kind: null, rows: 2, groups: [], wrong: 0 });
    expect(draft.header[0]?.message).toMatch(/do not match any SIS file type/);
    expect(draft.columns.map((one) => one.header)).toEqual(['PeopleSoft ID', 'E-mail', 'Name', 'Shoe size']);
    expect(draft.sample[0]).toEqual(['99001', 's1@northbridge.example', 'A;B', '42']);
    const step = { does: 'columns', names: ['user_id', 'login_id', 'full_name', ''], added: [] } as const;
    draft = await corrected(alma, draft, { ...step, names: [...step.names], added: [] });
    expect(draft.header).toEqual([{ column: 'status', message: 'The column status is missing.' }]);
    draft = await corrected(alma, draft, {
      ...step,
      names: [...step.names],
      added: [{ name: 'status', value: 'active' }],
    });
    expect([draft.kind, draft.header, draft.wrong]).toEqual(['user', [], 1]);
    const { rows } = await rowsOfDraft(alma, draft.id);
    expect(rows[0]).toMatchObject({
      row: 3,
      cells: ['99002', 's 2@northbridge.example', 'C', '43', 'active'],
    });
    draft = await corrected(alma, draft, {
      does: 'cells',
      cells: [{ row: 3, column: 1, value: 's2@northbridge.example' }],
    });
    const csv = await (await alma.fetch(draftPath('sisDraftCsv', draft.id))).text();
    expect(csv.split('\r\n')[1]).toBe('99001;s1@northbridge.example;"A;B";active');
    const { file } = await finished(alma, draft);
    expect(file?.parts[0]?.header).toEqual(['user_id', 'login_id', 'full_name', 'status']);
    expect(file?.parts[0]?.preview[0]).toEqual(['99001', 's1@northbridge.example', 'A;B', 'active']);
  });

  test('cells beyond the header are a problem with the row, and can be emptied', async () => {
    let draft = await drafted(alma, `${USERS}\n${person(1)},,extra\n`);
    expect(draft.columns).toHaveLength(6);
    expect(draft.groups[0]).toMatchObject({ column: null, rows: 1 });
    draft = await corrected(alma, draft, { does: 'cells', cells: [{ row: 2, column: 5, value: '' }] });
    expect(draft.wrong).toBe(0);
  });

  test('Excel’s separator line, UTF-16 and empty rows at the top do not count as rows of the file', async () => {
    const lines = ['sep=;', '', USERS, person(1, 'actif'), person(2)].map((one) => one.replaceAll(',', ';'));
    let draft = await drafted(alma, Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le'));
    expect(draft).toMatchObject({ kind: 'user', rows: 2, wrong: 1, groups: [{ first: [3] }] });
    draft = await corrected(alma, draft, { does: 'replace', column: 3, from: 'actif', to: 'active' });
    const csv = Buffer.from(
      await (await alma.fetch(draftPath('sisDraftCsv', draft.id))).arrayBuffer(),
    ).toString();
    expect(csv).toBe(`\ufeff${[USERS, person(1), person(2), ''].join('\r\n').replaceAll(',', ';')}`);
    expect((await finished(alma, draft)).file?.rows).toBe(2);
  });

  test('if two tabs correct the file, the later one gets a message, and none of its corrections is kept', async () => {
    const draft = await drafted(alma, `${USERS}\n${person(1, 'x')}`);
    const step = { does: 'cells', cells: [{ row: 2, column: 3, value: 'active' }] };
    const both = await Promise.all(
      [1, 2].map(() => alma.post(draftPath('sisDraftCorrections', draft.id), { version: 1, step })),
    );
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    const late = await alma.post(draftPath('sisDraftCorrections', draft.id), { version: 1, step });
    expect((await late.json()).error).toMatchObject({ code: 'conflict', message: /another tab/ });
    expect((await finished(alma, draft)).status).toBe(409);
    expect(await draftOf(alma, draft.id)).toMatchObject({ version: 2, steps: 1, wrong: 0 });
  });

  test('a correction repeated after a lost answer is applied once; with another key it counts as coming from another tab', async () => {
    let draft = await drafted(alma, `${USERS}\n${person(1, 'x')}\n${person(2, 'x')}`);
    const key = '6f0c5f0e-7d0f-4d63-9a1b-2f9f6d9f0a01';
    const step = { does: 'leave-out', rows: [3] };
    const send = (version: number, own: string) =>
      alma.post(draftPath('sisDraftCorrections', draft.id), { version, key: own, step });
    const first = await (await send(1, key)).json();
    const repeat = await (await send(1, key)).json();
    expect(repeat).toEqual(first);
    expect(repeat.data).toMatchObject({ version: 2, steps: 1, left_out: 1 });
    expect((await send(1, '6f0c5f0e-7d0f-4d63-9a1b-2f9f6d9f0a02')).status).toBe(409);
    draft = await corrected(alma, await draftOf(alma, draft.id), { does: 'undo' });
    expect([draft.version, draft.left_out]).toEqual([3, 0]);
    expect((await send(1, key)).status).toBe(409);
    expect((await send(2, key)).status).toBe(409);
  });

  test('passwords are never shown or corrected, but are sent with the file', async () => {
    const header = 'user_id,login_id,password,status';
    let draft = await drafted(alma, `${header}\n99101,pw@northbridge.example,Secret-Word-1,actif\n`);
    const { rows } = await rowsOfDraft(alma, draft.id);
    expect(rows[0]?.cells[2]).toBe('••••');
    expect(JSON.stringify([draft, rows])).not.toContain('Secret-Word-1');
    const wrong = await alma.post(draftPath('sisDraftCorrections', draft.id), {
      version: 1,
      step: { does: 'replace', column: 2, from: '••••', to: 'x' },
    });
    expect(wrong.status).toBe(400);
    draft = await corrected(alma, draft, { does: 'replace', column: 3, from: 'actif', to: 'active' });
    expect(await (await alma.fetch(draftPath('sisDraftCsv', draft.id))).text()).toContain('Secret-Word-1');
  });

  test('correcting other cells does not change a value that a spreadsheet would execute', async () => {
    let draft = await drafted(alma, `course_id,short_name,long_name,status\nA-1,'=x,''=y,=1+1\n`);
    const { rows } = await rowsOfDraft(alma, draft.id);
    expect(rows[0]?.cells).toEqual(['A-1', '=x', "'=y", '=1+1']);
    draft = await corrected(alma, draft, { does: 'cells', cells: [{ row: 2, column: 3, value: 'active' }] });
    draft = await corrected(alma, draft, { does: 'cells', cells: [{ row: 2, column: 1, value: 'x' }] });
    const csv = await (await alma.fetch(draftPath('sisDraftCsv', draft.id))).text();
    expect(csv).toContain("A-1,x,''=y,active");
  });
});

test('SIS-05: any request as a correction gets an answer, never an internal error', async () => {
  let draft = await drafted(alma, `${USERS}\n${many(5, (at) => person(at, 'x')).join('\n')}`);
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('x', 'active', '', '=1', '"', '\u0000', '\ud800'),
  );
  const small = fc.oneof(fc.integer({ min: -2, max: 9 }), fc.integer(), fc.double());
  const step = fc.oneof(
    fc.record({
      does: fc.constant('cells'),
      cells: fc.array(fc.record({ row: small, column: small, value: text })),
    }),
    fc.record({ does: fc.constant('replace'), column: small, from: text, to: text }),
    fc.record({ does: fc.constant('join'), column: small }),
    fc.record({ does: fc.constant('leave-out'), rows: fc.array(small) }),
    fc.record({ does: fc.constant('leave-out-group'), group: small }),
    fc.record({
      does: fc.constant('columns'),
      names: fc.array(text),
      added: fc.array(fc.record({ name: text, value: text })),
    }),
    fc.record({ does: fc.constantFrom('undo', 'x', '__proto__') }),
    fc.anything(),
  );
  await fc.assert(
    fc.asyncProperty(step, async (one) => {
      const response = await alma.post(draftPath('sisDraftCorrections', draft.id), {
        version: draft.version,
        step: one,
      });
      expect([200, 400]).toContain(response.status);
      const { data } = await response.json();
      const asked = JSON.parse(JSON.stringify({ version: draft.version, step: one })) as DraftCorrection;
      if (response.status !== 200) return;
      expect(draftCorrection.safeParse(asked).success).toBe(true);
      draft = sisDraft.parse(data);
      expect(draft.wrong).toBeLessThanOrEqual(draft.rows);
    }),
    { numRuns: 150 },
  );
});
