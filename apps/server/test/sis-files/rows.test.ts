/** LMS messages next to the admin's own rows, and the failed rows as a file (SIS-06). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { importRow } from '@lms-admin/contract/imports';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { importMessages } from '../../src/platform/schema.ts';
import { Campus, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { corrected, drafted, finished, problemsOf, upload, uploaded, zipOf } from './support.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

const rowsOf = async (id: string, page = 1, browser = alma) => {
  const response = await browser.fetch(`${ENDPOINTS.importRows.replace(':import', id)}?page=${page}`);
  const body = await response.json();
  return {
    status: response.status,
    rows: response.status === 200 ? z.array(importRow).parse(body.data) : [],
    next: body.pagination?.nextPage ?? null,
  };
};
const failedOf = (id: string, file?: string, browser = alma) =>
  browser.fetch(
    `${ENDPOINTS.importFailedRows.replace(':import', id)}${file === undefined ? '' : `?file=${encodeURIComponent(file)}`}`,
  );
/** Reads the text with its byte order mark, which `text()` would remove. */
const textOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString('utf8');

describe('a CSV', () => {
  test('SIS-06: messages are shown next to the admin’s own rows, counting empty rows; the failed rows can be uploaded again', async () => {
    const { sis, id } = campus.course(0);
    const [good, other] = campus.strangers(2, [id]);
    const file = await uploaded(
      alma,
      [
        '',
        'course_id;user_id;role_id;status',
        '',
        `${sis};${good?.sis};3;active`,
        ';;;',
        `${sis};NOBODY-1;3;active`,
        `NO "COURSE", REALLY;${other?.sis};3;active`.replace(
          'NO "COURSE", REALLY',
          '"NO ""COURSE"", REALLY"',
        ),
      ].join('\n'),
      'Spring term’s list.csv',
    );
    expect(file.rows).toBe(3);
    const done = await watch(alma, (await submitted(alma, { file: file.id })).id);
    expect(done).toMatchObject({
      workflow_state: 'imported_with_messages',
      data: { counts: { enrollments: 1 } },
    });
    const header = ['course_id', 'user_id', 'role_id', 'status'];
    expect((await rowsOf(done.id)).rows).toEqual([
      {
        file: null,
        row: 6,
        header,
        cells: [sis, 'NOBODY-1', '3', 'active'],
        messages: [expect.stringContaining("No person in the LMS has the SIS ID 'NOBODY-1'")],
        fates: [],
        left_out: false,
        to_correct: true,
      },
      {
        file: null,
        row: 7,
        header,
        cells: ['NO "COURSE", REALLY', other?.sis, '3', 'active'],
        messages: [expect.stringContaining('NO "COURSE", REALLY')],
        fates: [],
        left_out: false,
        to_correct: true,
      },
    ]);
    const response = await failedOf(done.id);
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="Spring_term_s_list-failed-rows.csv"; filename*=UTF-8\'\'Spring%20term%E2%80%99s%20list-failed-rows.csv',
    );
    const text = await textOf(response);
    expect(text).toBe(
      `\ufeff${header.join(';')}\n${sis};NOBODY-1;3;active\n"NO ""COURSE"", REALLY";${other?.sis};3;active`,
    );
    const again = await uploaded(alma, text.replace('NOBODY-1', other?.sis ?? ''));
    expect(again).toMatchObject({ rows: 2, parts: [{ header }] });
    // The rows are available only to people who can see the import.
    const carla = await ts.signIn(PEOPLE.records);
    expect((await rowsOf(done.id, 1, carla)).status).toBe(404);
    expect((await failedOf(done.id, undefined, carla)).status).toBe(404);
    const dev = await ts.signIn(PEOPLE.helpDesk);
    expect((await rowsOf(done.id, 1, dev)).status).toBe(403);
    expect((await failedOf(done.id, undefined, dev)).status).toBe(403);
  });

  test('OP-81 SIS-06: cells that a spreadsheet would execute are escaped in the file of failed rows, and unescaped on upload', async () => {
    const { sis } = campus.course(0);
    const header = 'course_id,user_id,role_id,status';
    const file = await uploaded(alma, `${header}\n${sis},-NOBODY,3,active\n${sis},@NOBODY,3,active`);
    const done = await watch(alma, (await submitted(alma, { file: file.id })).id);
    const text = await textOf(await failedOf(done.id));
    expect(text).toBe(`\ufeff${header}\n${sis},'-NOBODY,3,active\n${sis},'@NOBODY,3,active`);
    const [part] = (await uploaded(alma, text)).parts;
    expect(part?.preview.map((cells) => cells[1])).toEqual(['-NOBODY', '@NOBODY']);
  });

  test('SIS-06: failed rows have the separator of their original file, whether corrected or not, and a byte order mark', async () => {
    const { sis } = campus.course(0);
    const row = (id: string, status: string) => `"${sis}";${id};3;${status}`;
    const header = 'course_id;user_id;role_id;status';
    const lines = [header, row('"NO;BODY"', 'active'), row('NOBÖDY', 'active')];
    const file = await uploaded(alma, lines.join('\n'));
    const done = await watch(alma, (await submitted(alma, { file: file.id })).id);
    const text = await textOf(await failedOf(done.id));
    const wanted = `\ufeff${header}\n${sis};"NO;BODY";3;active\n${sis};NOBÖDY;3;active`;
    expect(text).toBe(wanted);
    expect((await uploaded(alma, text)).parts).toMatchObject([{ delimiter: ';', rows: 2 }]);

    let draft = await drafted(alma, lines.join('\n').replaceAll('active', 'aktiv'));
    draft = await corrected(alma, draft, { does: 'replace', column: 3, from: 'aktiv', to: 'active' });
    const { file: right } = await finished(alma, draft);
    const again = await watch(alma, (await submitted(alma, { file: right?.id ?? '' })).id);
    expect(await textOf(await failedOf(again.id))).toBe(wanted);
  });

  test('SIS-06: several messages about a row are one entry; pages hold a hundred; messages without a row come first', async () => {
    const { sis } = campus.course(1);
    const rows = Array.from({ length: 230 }, (_, at) => `${sis},NOBODY-${at},3,active`);
    const file = await uploaded(alma, `course_id,user_id,role_id,status\n${rows.join('\n')}`);
    const done = await watch(alma, (await submitted(alma, { file: file.id })).id);
    const { db } = ts.server.services.db;
    await db.insert(importMessages).values([
      { importId: done.id, seq: 50_001, file: 'x.csv', message: 'Something else', row: 2 },
      { importId: done.id, seq: 50_002, file: 'x_deduplicated.csv', message: 'Elsewhere', row: 7 },
      { importId: done.id, seq: 50_003, file: null, message: 'Malformed', row: null },
    ]);
    const pages = [await rowsOf(done.id), await rowsOf(done.id, 2), await rowsOf(done.id, 3)];
    const all = pages.flatMap((page) => page.rows);
    expect(all).toHaveLength(232);
    expect(all.slice(0, 2).map(({ row, cells, messages }) => [row, cells, messages])).toEqual([
      [null, null, ['Elsewhere']],
      [null, null, ['Malformed']],
    ]);
    expect(all[2]).toMatchObject({
      row: 2,
      messages: [expect.stringContaining('NOBODY-0'), 'Something else'],
    });
    expect(all.slice(2).map(({ cells }) => cells?.[1])).toEqual(rows.map((_, at) => `NOBODY-${at}`));
    expect(pages.map((page) => page.next !== null)).toEqual([true, true, false]);
  });

  test('SIS-06: an import without messages has no failed rows', async () => {
    const { sis, id } = campus.course(2);
    const [person] = campus.strangers(1, [id]);
    const file = await uploaded(alma, `course_id,user_id,role_id,status\n${sis},${person?.sis},3,active`);
    const done = await watch(alma, (await submitted(alma, { file: file.id })).id);
    expect((await rowsOf(done.id)).rows).toEqual([]);
    expect((await failedOf(done.id)).status).toBe(404);
  });

  test('SIS-06: rows of imports from every tool can be found', async () => {
    const { sis } = campus.course(3);
    const made = await submitted(alma, `course_id,user_id,role_id,status\n${sis},NOBODY-9,3,active`);
    await watch(alma, made.id);
    expect((await rowsOf(made.id)).rows).toMatchObject([{ row: 2, cells: [sis, 'NOBODY-9', '3', 'active'] }]);
    expect(await textOf(await failedOf(made.id))).toContain(`${sis},NOBODY-9,3,active`);
  });
});

describe('a zip (OP-53, perm ALL)', () => {
  test('SIS-05: all files in a zip are checked before any problem is shown', async () => {
    const row = (id: string, status = 'active') =>
      `${id},${id.toLowerCase()}@northbridge.example,x,${status}`;
    const header = 'user_id,login_id,full_name,status';
    const zip = await zipOf({
      'a.csv': `${header}\n${row('ALL-1', '#N/A')}\n${row('ALL-2')}`,
      'b.csv': `${header},more\n"x`,
      'c.csv': 'shoe,size\n1,42',
      'd.csv': `${header}\n${row('ALL-2')}\n${row('')}`,
    });
    const told = problemsOf(await upload(alma, zip, 'all.zip')).map(([at, , message]) => [
      at,
      message.slice(0, 6),
      message.includes('already in row 3 of a.csv'),
    ]);
    expect(told).toEqual(
      expect.arrayContaining([
        [2, 'a.csv:', false],
        [2, 'b.csv:', false],
        [1, 'c.csv:', false],
        [2, 'd.csv:', true],
        [3, 'd.csv:', false],
      ]),
    );
  });

  test('SIS-06: an id can appear once in all files of a type, and the file with the other row is named', async () => {
    const users = (id: string, login: string) =>
      `user_id,login_id,full_name,status\n${id},${login}@x.example,Ann,active`;
    const zip = await zipOf({ 'a.csv': users('TWICE-1', 'one'), 'b.csv': users('TWICE-1', 'ONE') });
    const repeat = (what: string) =>
      `b.csv: "${what}" is already in row 2 of a.csv. Keep one of the two rows.`;
    expect(problemsOf(await upload(alma, zip, 'all.zip'))).toEqual([
      [2, 'user_id', repeat('TWICE-1')],
      [2, 'login_id', repeat('ONE@x.example')],
    ]);
    const other = await zipOf({
      'users.csv': users('ONCE-1', 'two'),
      'logins.csv': 'user_id,login_id,existing_user_id,status\nONCE-2,two@x.example,ONCE-1,active',
    });
    expect((await upload(alma, other, 'all.zip')).status).toBe(200);
  });

  test('SIS-01, OP-42: the files of a zip are checked, sent once as one import, and distinguished in the messages', async () => {
    const { sis, id } = campus.course(4);
    const zip = await zipOf({
      'terms/users.csv':
        `user_id;login_id;full_name;status\n\n960001;zoe.one@northbridge.example;Zoë One;active\n960002;;No Login;active`.replace(
          ';;',
          ';zoe.two@northbridge.example;',
        ),
      'enrollments.csv': `course_id,user_id,role_id,status\n${sis},960001,3,active\n\n${sis},NOBODY-3,3,active`,
      '__MACOSX/terms/._users.csv': 'x',
      'terms/.DS_Store': 'x',
    });
    const file = await uploaded(alma, zip, 'start of term.zip');
    expect(file).toMatchObject({
      zip: true,
      rows: 4,
      name: 'start of term.zip',
      parts: [
        { name: 'users.csv', kind: 'user', rows: 2, delimiter: ';' },
        { name: 'enrollments.csv', kind: 'enrollment', rows: 2 },
      ],
    });
    expect(file.notices.every((one) => /^(users|enrollments)\.csv: /.test(one))).toBe(true);
    await campus.forgetRequests();
    const [one, two] = await Promise.all([
      submitted(alma, { file: file.id }),
      submitted(alma, { file: file.id }),
    ]);
    expect(two.id).toBe(one.id);
    const done = await watch(alma, one.id);
    expect(done).toMatchObject({
      workflow_state: 'imported_with_messages',
      data: { counts: { users: 2, enrollments: 1 } },
    });
    expect((await submitted(alma, { file: file.id })).id).toBe(one.id);
    const posts = await campus.requests(
      (each) => each.method === 'POST' && each.path.includes('/sis_imports'),
    );
    expect(posts).toHaveLength(1);
    expect(await campus.importsNamed(one.id)).toHaveLength(1);
    expect((await campus.enrolments(id, 3)).length).toBeGreaterThan(0);
    expect((await rowsOf(one.id)).rows).toMatchObject([
      { file: 'enrollments.csv', row: 4, cells: [sis, 'NOBODY-3', '3', 'active'] },
    ]);
    expect((await failedOf(one.id)).status).toBe(400);
    expect(await textOf(await failedOf(one.id, 'enrollments.csv'))).toContain('NOBODY-3');
    expect((await failedOf(one.id, 'users.csv')).status).toBe(404);
  });

  test('OP-42: after a lost answer a zip is found by the names of its files, and not sent again', async () => {
    const { sis, id } = campus.course(5);
    const [person] = campus.strangers(1, [id]);
    const zip = await zipOf({ 'a.csv': `course_id,user_id,role_id,status\n${sis},${person?.sis},3,active` });
    const file = await uploaded(alma, zip, 'a.zip');
    await campus.forgetRequests();
    await campus.fault({
      match: '/api/v1/accounts/1/sis_imports',
      method: 'POST',
      kind: 'drop',
      when: 'after',
      count: 1,
    });
    const done = await watch(alma, (await submitted(alma, { file: file.id })).id);
    expect(done.workflow_state).toBe('imported');
    expect(
      await campus.requests((one) => one.method === 'POST' && one.path.includes('/sis_imports')),
    ).toHaveLength(1);
    await campus.clearFaults();
  });

  test('OP-53: a zip is rejected if the form or its contents are not allowed', async () => {
    const good = 'user_id,login_id,status\n1,a,active';
    const carla = await ts.signIn(PEOPLE.records);
    const cases: [RegExp, Buffer, Browser?][] = [
      [/not zip files/, await zipOf({ 'a.csv': good }), carla],
      [/no CSV file/, await zipOf({ '.hidden.csv': good })],
      [/spreadsheet, not a CSV/, await zipOf({ 'docs/a.txt': 'x', 'xl/workbook.xml': '<x/>' })],
      [/cannot be read/, (await zipOf({ 'a.csv': good })).subarray(0, 60)],
      [
        /more than 50 files/,
        await zipOf(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`${at}.csv`, good]))),
      ],
      [/times its own size/, await zipOf({ 'a.csv': Buffer.alloc(20_000_000, 'a') })],
    ];
    for (const [message, zip, browser] of cases) {
      const answer = await upload(browser ?? alma, zip, 'a.zip');
      expect(answer.status).toBe(400);
      expect(answer.error?.message).toMatch(message);
    }
    const other = await upload(alma, await zipOf({ 'a.csv': good, 'notes.txt': 'x' }), 'a.zip');
    expect(problemsOf(other)).toEqual([[null, null, 'notes.txt is not a CSV file.']]);
    const admins = await upload(
      alma,
      await zipOf({ 'a.csv': good, 'b.csv': 'user_id,account_id,role,status\n1,,x,active' }),
    );
    expect(problemsOf(admins)[0]).toEqual([1, null, expect.stringMatching(/^b\.csv: /)]);
  });
});

test('SIS-06: files with the same name in two folders of a zip are distinguished by folder, everywhere', async () => {
  const { sis } = campus.course(0);
  const header = 'course_id,user_id,role_id,status';
  const rows = (id: string) => `${header}\n${sis},${id},3,active`;
  const file = await uploaded(
    alma,
    await zipOf({
      'all/autumn/people.csv': rows('NOBODY-F1'),
      'all/spring/people.csv': rows('NOBODY-F2'),
      'all/spring/more.csv': rows('NOBODY-F3'),
    }),
    'all.zip',
  );
  const names = ['all/autumn/people.csv', 'all/spring/people.csv', 'more.csv'];
  expect(file.parts.map(({ name }) => name)).toEqual(names);
  const done = await watch(alma, (await submitted(alma, { file: file.id })).id);
  const { rows: said } = await rowsOf(done.id);
  expect(said.map((one) => [one.file, one.cells?.[1]])).toEqual([
    [names[0], 'NOBODY-F1'],
    [names[1], 'NOBODY-F2'],
    [names[2], 'NOBODY-F3'],
  ]);
  const response = await failedOf(done.id, names[1]);
  expect(response.headers.get('content-disposition')).toContain('all-spring-people-failed-rows.csv');
  expect(await textOf(response)).toContain('NOBODY-F2');
  const wrong = await upload(alma, await zipOf({ 'a/x.csv': rows(''), 'b/x.csv': rows('') }), 'x.zip');
  expect(problemsOf(wrong).map(([, , message]) => message.slice(0, 8))).toEqual(['a/x.csv:', 'b/x.csv:']);
});
