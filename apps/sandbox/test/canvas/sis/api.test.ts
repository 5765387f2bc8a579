import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, errors, type SisImport, warnings } from './client.ts';

const USERS = 'user_id,login_id,status\nU1,u1,active\n';
let client: Client;

beforeAll(async () => {
  client = await Client.start();
});
afterAll(() => client.sandbox.close());
beforeEach(() => client.sandbox.reset());

const raw = (body: string, type: string | null, query = ''): Promise<Response> =>
  client.fetch(`${client.imports}${query}`, {
    method: 'POST',
    body: Buffer.from(body),
    headers: type === null ? {} : { 'content-type': type },
  });

describe('§7 permission to import', () => {
  test('§7 a sub-account answers 400', async () => {
    const response = await client.fetch('/accounts/86/sis_imports');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      errors: ['SIS imports can only be executed on root accounts'],
    });
  });

  test('§7 a root account without the SIS setting answers 403', async () => {
    client.world.accounts.change(client.world.rootAccount, { allow_sis_import: false });
    const response = await client.post(USERS);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ errors: ['SIS imports are not enabled for this account'] });
  });

  test('§3 a call without a token answers 401', async () => {
    const response = await fetch(client.imports, { method: 'POST', body: USERS });
    expect(response.status).toBe(401);
  });
});

describe('§7.1 three ways to send data', () => {
  test('§7.1 multipart keeps the name of the upload', async () => {
    const read = await client.import(USERS, {}, 'my users.csv');
    expect(read.workflow_state).toBe('imported');
    expect(read.csv_attachments?.[0]?.display_name).toBe('my users.csv');
    const again = await fetch(read.csv_attachments?.[0]?.url ?? '');
    expect(await again.text()).toBe(USERS);
  });

  test('§7.1 multipart without the attachment answers 400', async () => {
    const form = new FormData();
    form.append('import_type', 'instructure_csv');
    const response = await client.fetch(client.imports, { method: 'POST', body: form });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: true, error_message: 'Missing attachment' });
  });

  test('§7.1 an upload without a boundary has no attachment; a truncated one is not imported', async () => {
    const send = async (type: string, body: string) => {
      const headers = { 'content-type': type };
      const response = await client.fetch(client.imports, { method: 'POST', headers, body });
      return [response.status, await response.json()];
    };
    const part = '--b\r\nContent-Disposition: form-data; name="attachment"; filename="a.csv"\r\n\r\nuser_id';
    expect(await send('multipart/form-data', part)).toEqual([
      400,
      { error: true, error_message: 'Missing attachment' },
    ]);
    const before = client.world.sisBatches.size;
    expect(await send('multipart/form-data; boundary=b', part)).toEqual([
      400,
      { errors: [{ message: 'An error occurred.', error_code: 'bad_request' }] },
    ]);
    expect(client.world.sisBatches.size).toBe(before);
  });

  test.each([
    ['text/csv', ''],
    ['text/csv; charset=utf-8', ''],
    ['text/plain', ''],
    ['application/x-www-form-urlencoded', '?extension=csv'],
    ['application/json', '?extension=csv'],
    ['application/octet-stream', '?extension=csv'],
    [null, '?extension=csv'],
  ])('§7.1 raw %s %s is a CSV', async (type, query) => {
    const { id } = (await (await raw(USERS, type, query)).json()) as SisImport;
    const read = await client.finished(id);
    expect(read.workflow_state).toBe('imported');
    expect(read.data.counts['users']).toBe(1);
  });

  test.each([
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'application/json',
    'nonsense',
    null,
  ])('§7.1 raw %s without an extension is treated as a zip and fails', async (type) => {
    const { id } = (await (await raw(USERS, type)).json()) as SisImport;
    const read = await client.finished(id);
    expect(read.workflow_state).toBe('failed_with_messages');
    expect(read.processing_errors?.[0]?.[0]).toBeNull();
    expect(errors(read)[0]).toMatch(
      /^Error while importing CSV\. Please contact support\. \(Error report \d+\)$/,
    );
  });

  test('§7.1 another charset answers 400', async () => {
    const response = await raw(USERS, 'text/csv; charset=latin1');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'Invalid content type, UTF-8 required' });
  });

  test('§7.1 a single file of another type imports nothing', async () => {
    const read = await client.import('<xml/>', {}, 'data.xml');
    expect(read.workflow_state).toBe('imported');
    expect(read.data.supplied_batches).toEqual([]);
  });

  test.each([
    ['batch_mode=1', 'Batch mode specified, but the given batch_mode_term_id cannot be found.'],
    [
      'batch_mode=1&batch_mode_term_id=9999',
      'Batch mode specified, but the given batch_mode_term_id cannot be found.',
    ],
    ['multi_term_batch_mode=1', 'change_threshold is required to use multi term_batch mode.'],
    ['batch_mode_enrollment_drop_status=x', 'Invalid batch_mode_enrollment_drop_status'],
    ['diffing_drop_status=x', 'Invalid diffing_drop_status'],
    ['diffing_user_remove_status=x', 'Invalid diffing_user_remove_status'],
  ])('§7.1 %s answers 400', async (query, message) => {
    const response = await raw(USERS, 'text/csv', `?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message });
  });

  test('§7.1 an unknown import_type is an unhandled 500', async () => {
    expect((await raw(USERS, 'text/csv', '?import_type=other')).status).toBe(500);
  });
});

describe('§7.2 the SisImport object', () => {
  test('§7.2 right after the POST there are no counts yet', async () => {
    const created = (await (await client.post(USERS)).json()) as SisImport;
    expect(created).toMatchObject({
      workflow_state: 'created',
      progress: 0,
      data: { import_type: 'instructure_csv' },
      started_at: null,
      ended_at: null,
      batch_mode: null,
      batch_mode_term_id: null,
      multi_term_batch_mode: null,
      override_sis_stickiness: null,
      add_sis_stickiness: null,
      clear_sis_stickiness: null,
      skip_deletes: false,
      update_sis_id_if_login_claimed: false,
      diffing_data_set_identifier: null,
      diffing_remaster: null,
      diffed_against_import_id: null,
      diffing_drop_status: null,
      diffing_user_remove_status: null,
      change_threshold: null,
      diff_row_count_threshold: null,
      user: { id: expect.any(Number), name: expect.any(String) },
    });
    expect(created.data).toEqual({ import_type: 'instructure_csv' });
    for (const key of ['processing_warnings', 'processing_errors', 'errors_attachment', 'csv_attachments'])
      expect(created).not.toHaveProperty(key);
  });

  test('§7.2 counts and statistics of a new user with an email', async () => {
    const read = await client.csv('user_id,login_id,email,status', 'U1,u1,u1@example.com,active');
    expect(read.data).toMatchObject({
      supplied_batches: ['user'],
      completed_importers: ['user'],
      running_immediately: true,
      counts: { users: 1, enrollments: 0, error_count: 0, warning_count: 0 },
      statistics: {
        total_state_changes: 2,
        Pseudonym: { created: 1, restored: 0, deleted: 0 },
        CommunicationChannel: { created: 1 },
      },
    });
    expect(Object.keys(read.data.statistics['Enrollment'] ?? {})).toEqual([
      'created',
      'restored',
      'concluded',
      'deactivated',
      'deleted',
    ]);
  });

  test('§7.2 the object has 24 warnings and a 25th line about the rest', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `U${i},,active`);
    const read = await client.csv('user_id,login_id,status', ...lines);
    expect(read.processing_warnings).toHaveLength(25);
    expect(read.processing_warnings?.[24]).toEqual([
      'and 6 more warnings that were not included',
      'Download the error file to see all warnings.',
    ]);
    expect(read.data.counts['warning_count']).toBe(30);
  });

  test('§7.2 the errors attachment has one line per message and needs no token', async () => {
    const read = await client.csv('user_id,login_id,status', 'U1,u1,active', 'U2,,active');
    expect(read.errors_attachment?.display_name).toBe(`sis_errors_attachment_${read.id}.csv`);
    const text = await (await fetch(read.errors_attachment?.url ?? '')).text();
    expect(text).toBe(
      `sis_import_id,file,message,row\n${read.id},data.csv,No login_id given for user U2,3\n`,
    );
  });

  test('§7.2 passwords are not kept for download', async () => {
    const read = await client.csv('user_id,login_id,password,status', 'U1,u1,secret-word,active');
    expect(read.csv_attachments?.[0]?.display_name).toBe('data_filtered.csv');
    const text = await (await fetch(read.csv_attachments?.[0]?.url ?? '')).text();
    expect(text).toBe('user_id,login_id,status\nU1,u1,active\n');
  });
});

describe('§7 lists', () => {
  test('§7 imports are listed newest first, can be filtered, and have no last link', async () => {
    const first = await client.import(USERS);
    const second = await client.csv('user_id,login_id,status', 'U2,,active');
    const response = await client.fetch(`${client.imports}?per_page=1`);
    const { sis_imports: page } = (await response.json()) as { sis_imports: SisImport[] };
    expect(page.map((each) => each.id)).toEqual([second.id]);
    expect(response.headers.get('link')).not.toContain('rel="last"');
    const filtered = await client.json<{ sis_imports: SisImport[] }>(
      `${client.imports}?workflow_state[]=imported`,
    );
    expect(filtered.sis_imports.map((each) => each.id)).toEqual([first.id]);
    const none = await client.json<{ sis_imports: SisImport[] }>(
      `${client.imports}?created_since=2999-01-01`,
    );
    expect(none.sis_imports).toEqual([]);
  });

  test('§7 errors of one import and of the account are listed with their rows, newest first', async () => {
    const read = await client.csv('user_id,login_id,status', 'U1,,active', '', ',u2,active');
    const own = await client.json(`${client.imports}/${read.id}/errors`);
    expect(own).toEqual({
      sis_import_errors: [
        { sis_import_id: read.id, file: 'data.csv', message: 'No user_id given for a user', row: 3 },
        { sis_import_id: read.id, file: 'data.csv', message: 'No login_id given for user U1', row: 2 },
      ],
    });
    expect(await client.json('/accounts/1/sis_import_errors')).toEqual(own);
    expect(await client.json(`${client.imports}/${read.id}/errors?failure=true`)).toEqual({
      sis_import_errors: [],
    });
    expect(warnings(read)).toEqual(['No login_id given for user U1', 'No user_id given for a user']);
  });

  test('§7 an unknown import is a 404', async () => {
    const response = await client.fetch(`${client.imports}/999`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      errors: [{ message: 'The specified resource does not exist.' }],
    });
  });

  test('§7 a finished import cannot be aborted, which is a 404', async () => {
    const read = await client.import(USERS);
    expect((await client.fetch(`${client.imports}/${read.id}/abort`, { method: 'PUT' })).status).toBe(404);
  });
});
