import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseDate } from '../../../src/canvas/sis/csv/dates.ts';
import { detectKind } from '../../../src/canvas/sis/csv/detect.ts';
import { Client, errors, warnings, zip } from './client.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
});
afterAll(() => client.sandbox.close());

describe('§8.1 matching rules', () => {
  test.each([
    ['old_id,new_id,type', 'change_sis_id'],
    ['account_id,parent_account_id,name,status', 'account'],
    ['term_id,name,status', 'term'],
    ['abstract_course_id,short_name,long_name,status', 'abstract_course'],
    ['course_id,short_name,long_name,abstract_course_id', 'course'],
    ['section_id,course_id,name,status', 'section'],
    ['xlist_course_id,section_id,status', 'xlist'],
    ['user_id,login_id,status', 'user'],
    ['user_id,login_id,existing_user_id', 'login'],
    ['course_id,user_id,role_id,section_id,status', 'enrollment'],
    ['section_id,user_integration_id,role,status', 'enrollment'],
    ['user_id,account_id,role,status', 'admin'],
    ['group_category_id,category_name,status', 'group_category'],
    ['group_category_id,group_id,name,status', 'group'],
    ['group_id,user_id,status', 'group_membership'],
    ['enrollment_id,grade_publishing_status', 'grade_publishing_results'],
    ['observer_id,student_id,status', 'user_observer'],
    ['group_id,user_id,course_id,status', 'enrollment'],
    ['group_id,user_id,account_id,status', 'admin'],
    ['group_id,user_id,name,status', 'group'],
    [' user_id,login_id,status', null],
    ['a,b,c', null],
  ])('§8.1 %s is %s', (header, kind) => {
    expect(detectKind(header.split(','))).toBe(kind);
  });
});

describe('§8.1 how a file is matched to its importer', () => {
  beforeEach(() => client.sandbox.reset());

  test('§8.1 column names match in any case and order, and unknown columns are ignored', async () => {
    const read = await client.csv('STATUS,colour,Login_ID,USER_id,', 'active,red,u1,U1,x');
    expect(read.workflow_state).toBe('imported');
    expect(read.data.counts['users']).toBe(1);
  });

  test('§8.1 a file that matches no rule is rejected', async () => {
    const read = await client.csv('who,what', 'a,b');
    expect(read.workflow_state).toBe('failed_with_messages');
    expect(errors(read)).toEqual(["Couldn't find Canvas CSV import headers"]);
    expect(read).not.toHaveProperty('processing_warnings');
    expect(read.data.counts).toMatchObject({ error_count: 1, warning_count: 0 });
  });

  test('§8.1 files in a zip run in Canvas’s order, whatever their names', async () => {
    const archive = zip({
      'a/enrolments.csv': 'course_id,user_id,role,status\nZ1,ZU1,student,active\n',
      'people.csv': 'user_id,login_id,status\nZU1,zu1,active\n',
      'z.csv': 'course_id,short_name,long_name,status\nZ1,Z,Zoology,active\n',
      '__MACOSX/._z.csv': 'junk',
      '.hidden.csv': 'junk',
      'readme.txt': 'hello',
    });
    const read = await client.import(archive, {}, 'all.zip');
    expect(read.data.supplied_batches).toEqual(['course', 'user', 'enrollment']);
    expect(read.data.counts).toMatchObject({ courses: 1, users: 1, enrollments: 1 });
    expect(read.processing_warnings).toEqual([['readme.txt', 'Skipping unknown file type']]);
    expect(read.csv_attachments?.map((file) => file.display_name).sort()).toEqual([
      'enrolments.csv',
      'people.csv',
      'z.csv',
    ]);
  });

  test('§7.3 one bad file fails the import, but the rows of the other files are applied', async () => {
    const archive = zip({
      'bad.csv': 'user_id,login_id,status\n"x',
      'good.csv': 'user_id,login_id,status\nG1,g1,active\n',
    });
    const read = await client.import(archive, {}, 'all.zip');
    expect(read.workflow_state).toBe('failed_with_messages');
    expect(read.processing_errors).toEqual([['bad.csv', 'Malformed CSV']]);
    expect(read.data.counts['users']).toBe(1);
    expect(read.progress).not.toBe(100);
    expect((await client.fetch('/users/sis_user_id:G1/profile')).status).toBe(200);
  });
});

describe('§8.2 parsing', () => {
  const HEADER = 'user_id,login_id,full_name,status';
  const users = (text: string | Buffer) => client.import(text);
  beforeEach(() => client.sandbox.reset());

  test.each([
    ['a byte-order mark', `\uFEFF${HEADER}\nU1,u1,Ann,active\n`],
    ['CRLF', `${HEADER}\r\nU1,u1,Ann,active\r\n`],
    ['CR alone', `${HEADER}\rU1,u1,Ann,active\r`],
    ['no line break at the end', `${HEADER}\nU1,u1,Ann,active`],
    ['white space around values', `${HEADER}\n U1 ,\tu1,  Ann , active \n`],
    ['quotes', `${HEADER}\n"U1","u1","Ann, the ""Boss""",active\n`],
    ['a line break in quotes', `${HEADER}\nU1,u1,"Ann\nLee",active\n`],
    ['blank lines and empty rows', `${HEADER}\n\n,,,\nU1,u1,Ann,active\n\n`],
    ['a short row', 'user_id,login_id,status,full_name\nU1,u1,active\n'],
    ['a long row', `${HEADER}\nU1,u1,Ann,active,more,and,more\n`],
  ])('§8.2 %s', async (_what, text) => {
    const read = await users(text);
    expect(read.workflow_state).toBe('imported');
    expect(read.data.counts).toMatchObject({ users: 1, warning_count: 0, error_count: 0 });
  });

  test.each([
    ['an open quote', `${HEADER}\nU1,u1,Ann,active\nU2,"u2,Bob,active\n`],
    ['text after a closing quote', `${HEADER}\nU1,u1,Ann,active\nU2,"u2"x,Bob,active\n`],
    ['a quote inside a value', `${HEADER}\nU1,u1,Ann,active\nU2,u"2,Bob,active\n`],
    ['a different line break outside quotes', `${HEADER}\nU1,u1,Ann,active\nU2,u2,Bo\rb,active\n`],
  ])('§8.2 %s rejects the whole file', async (_what, text) => {
    const read = await users(text);
    expect(read.workflow_state).toBe('failed_with_messages');
    expect(errors(read)).toEqual(['Malformed CSV']);
    expect((await client.fetch('/users/sis_user_id:U1/profile')).status).toBe(404);
  });

  test.each([
    ['Latin-1', Buffer.from(`${HEADER}\nU1,u1,Andr\xe9,active\n`, 'latin1')],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${HEADER}\nU1,u1,Ann,active\n`, 'utf16le')],
    ['a truncated character', Buffer.concat([Buffer.from(`${HEADER}\nU1,u1,`), Buffer.from([0xe2, 0x82])])],
  ])('§8.2 %s is not UTF-8', async (_what, bytes) => {
    const read = await users(bytes);
    expect(read.workflow_state).toBe('failed_with_messages');
    expect(errors(read)).toEqual(['Invalid UTF-8']);
  });

  test('§8.2 a header without rows is imported and listed', async () => {
    const read = await users(`${HEADER}\n`);
    expect(read).toMatchObject({ workflow_state: 'imported', progress: 100 });
    expect(read.data.supplied_batches).toEqual(['user']);
    expect(read.data.completed_importers).toEqual([]);
    expect(read.data.counts['users']).toBe(0);
  });

  test('§8.2 100 exact duplicates are removed first, and the last one is kept', async () => {
    const same = Array.from({ length: 101 }, () => 'U1,u1,Ann,active');
    const read = await users([HEADER, ...same, 'U2,,Bob,active', ''].join('\n'));
    expect(read.data.counts).toMatchObject({ users: 1, warning_count: 1 });
    expect(read.processing_warnings).toEqual([['data_deduplicated.csv', 'No login_id given for user U2']]);
    expect(read.csv_attachments?.[0]?.display_name).toBe('data_deduplicated.csv');
  });

  test('§8.2 fewer duplicates are all applied and all counted', async () => {
    const read = await users([HEADER, ...Array.from({ length: 99 }, () => 'U1,u1,Ann,active')].join('\n'));
    expect(read.data.counts['users']).toBe(99);
  });
});

describe('§8.2 dates', () => {
  test.each([
    ['2011-1-05 00:00:00', '2011-01-05T00:00:00Z'],
    ['1985-08-24', '1985-08-24T00:00:00Z'],
    ['2012-01-08T12:00:00Z', '2012-01-08T12:00:00Z'],
    ['2012-01-08T12:00:00+02:00', '2012-01-08T10:00:00Z'],
    ['24 August 1985', '1985-08-24T00:00:00Z'],
    ['2011-02-30', undefined],
    ['tomorrow-ish', undefined],
    ['12', undefined],
  ])('§8.2 date %s', (text, expected) => {
    expect(parseDate(text)).toBe(expected);
  });
});

describe('§8.3 messages', () => {
  beforeEach(() => client.sandbox.reset());

  test('§8.3 the row number counts non-empty lines, including rows of empty cells', async () => {
    const read = await client.csv('user_id,login_id,status', '', ',,', 'U1,,active', '', '', 'U2,,active');
    const { sis_import_errors: list } = await client.json<{ sis_import_errors: { row: number }[] }>(
      `${client.imports}/${read.id}/errors`,
    );
    expect(list.map((error) => error.row)).toEqual([4, 3]);
  });

  test('§8.3 status checks read only the beginning', async () => {
    const read = await client.csv(
      'user_id,login_id,status',
      'U1,u1,Active',
      'U2,u2,activexyz',
      'U3,u3,inactive',
    );
    expect(read.data.counts['users']).toBe(2);
    expect(warnings(read)).toEqual(['Improper status for user U3']);
  });
});
