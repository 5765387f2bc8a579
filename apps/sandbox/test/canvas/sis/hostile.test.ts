import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Client, errors, warnings, zip } from './client.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
});
afterAll(() => client.sandbox.close());
afterEach(async () => {
  // Whatever is uploaded, the sandbox keeps answering and importing.
  const read = await client.csv('user_id,login_id,status', 'AFTER,after,active');
  expect(read.workflow_state).toBe('imported');
});

const MB = 1024 * 1024;
const CRASH = /^Error while importing CSV\. Please contact support\. \(Error report \d+\)$/;

describe('§7, §8 hostile uploads', () => {
  test('§8.2 other requests are answered while 100 MB are imported', { timeout: 300_000 }, async () => {
    const row = 'C-NONE,U-NONE,student,,active,some more text to make it long\n';
    const body = Buffer.from(`course_id,user_id,role,section_id,status,note\n${row}`.padEnd(100 * MB, 'x'));
    let served = 0;
    const timer = setInterval(() => {
      void client.fetch('/accounts/1').then(async (response) => {
        await response.arrayBuffer();
        served++;
      });
    }, 50);
    const read = await client.import(body);
    clearInterval(timer);
    const meanwhile = served;
    expect(read.workflow_state).toBe('imported_with_messages');
    expect(read.csv_attachments?.[0]?.size).toBe(100 * MB);
    // A request that waited for the whole import would be answered only after it.
    expect(meanwhile).toBeGreaterThan(2);
  });

  test('§7.1 a zip bomb fails the import', async () => {
    const read = await client.import(zip({ 'users.csv': Buffer.alloc(50 * MB, 'a') }), {}, 'bomb.zip');
    expect(read.workflow_state).toBe('failed_with_messages');
    expect(errors(read)[0]).toMatch(CRASH);
  });

  test('§7.1 a zip that states false sizes fails the import', async () => {
    const archive = zip({ 'users.csv': `user_id,login_id,status\n${'Z1,z1,active\n'.repeat(90)}` });
    const lying = Buffer.from(archive);
    const directory = lying.indexOf('PK\x01\x02', 0, 'latin1');
    lying.writeUInt32LE(30, directory + 24);
    const read = await client.import(lying, {}, 'liar.zip');
    expect(read.workflow_state).toBe('failed_with_messages');
    expect(errors(read)[0]).toMatch(CRASH);
  });

  test.each([
    ['an empty zip', zip({})],
    ['not a zip at all', Buffer.from('hello')],
    ['noise', randomBytes(100_000)],
    ['half a zip', zip({ 'a.csv': 'user_id,login_id,status\n' }).subarray(0, 60)],
    ['nothing', Buffer.alloc(0)],
  ])('§7.1 %s as .zip ends', async (what, bytes) => {
    const read = await client.import(bytes, {}, 'data.zip');
    expect(read.workflow_state).toBe(what === 'an empty zip' ? 'imported' : 'failed_with_messages');
  });

  test('§8.2 an empty file imports nothing', async () => {
    const read = await client.import('');
    expect(read.workflow_state).toBe('imported');
    expect(read.data.supplied_batches).toEqual([]);
  });

  test('§8.2 NUL bytes: in users they cause a warning, in other kinds they crash the worker', async () => {
    const users = await client.csv('user_id,login_id,status', 'N1,n\0one,active', 'N2,ntwo,active');
    expect(warnings(users)).toEqual(['Some of the fields contain NULL character']);
    expect(users.data.counts['users']).toBe(1);
    const others = await client.csv('course_id,user_id,role,status', 'C\0,U1,student,active');
    expect(others.workflow_state).toBe('failed_with_messages');
    expect(errors(others)[0]).toMatch(CRASH);
  });

  test('§8.2 UTF-16 without a byte order mark has no known header', async () => {
    const read = await client.import(Buffer.from('user_id,login_id,status\nU1,u1,active\n', 'utf16le'));
    expect(errors(read)).toEqual(["Couldn't find Canvas CSV import headers"]);
  });

  test('§8.2 a file with 1,000 columns is imported', async () => {
    const extra = Array.from({ length: 1000 }, (_, i) => `column_${i}`);
    const read = await client.csv(
      `user_id,login_id,status,${extra.join(',')}`,
      `W1,wide1,active,${extra.join(',')}`,
    );
    expect(read.data.counts['users']).toBe(1);
  });

  test('§8.2 a cell of 10 MB is reported, and the other rows are imported', async () => {
    const read = await client.csv(
      'user_id,login_id,full_name,status',
      `B1,big1,${'x'.repeat(10 * MB)},active`,
      'B2,big2,Bob,active',
    );
    expect(warnings(read)).toEqual([
      "Could not save the user with user_id: 'B1'. Unknown reason: name is too long (maximum is 255 characters)",
    ]);
    expect(read.data.counts['users']).toBe(1);
  });

  test('§8.2 10 MB after an opening quote are rejected as malformed', async () => {
    const read = await client.import(`user_id,login_id,status\n"${'a,\n'.repeat(3 * MB)}`);
    expect(errors(read)).toEqual(['Malformed CSV']);
  });

  test('§9 names of Object’s own properties are plain values', async () => {
    const read = await client.csv(
      'user_id,login_id,status,__proto__,constructor',
      '__proto__,constructor,active,x,y',
      'toString,hasOwnProperty,active,x,y',
    );
    expect(read.data.counts['users']).toBe(2);
    const enrolments = await client.csv(
      'course_id,user_id,role,status',
      '__proto__,toString,constructor,active',
    );
    expect(warnings(enrolments)[0]).toMatch(/^Neither course nor section existed/);
  });

  test('§7 a connection cut in the middle of an upload does no harm', async () => {
    const headers = { authorization: 'Bearer sandbox-admin-token', 'content-type': 'text/csv' };
    const upload = request(client.imports, { method: 'POST', headers });
    upload.on('error', () => undefined);
    upload.write(Buffer.alloc(2 * MB, 'a'));
    await setTimeout(200);
    upload.destroy();
    await setTimeout(100);
  });
});
