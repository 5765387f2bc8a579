/** State of a practice LMS after it is stopped, killed, reset and started again. */

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../../scripts/free-port.mjs';
import { makePlace, Process } from './process.ts';

interface SisImport {
  id: number;
  workflow_state: string;
  progress: number;
  data: { counts: Record<string, number>; statistics: Record<string, Record<string, number>> };
  processing_warnings?: [string, string][];
  errors_attachment?: { url: string };
}

let place: Awaited<ReturnType<typeof makePlace>>;
let port: number;
let campus: Process;

beforeAll(async () => {
  place = await makePlace();
  port = await freePort();
});

beforeEach(async () => {
  await campus?.kill();
  rmSync(place.data, { recursive: true, force: true });
  campus = new Process(place, port);
  await campus.start();
});

afterAll(async () => {
  await campus.kill();
  place.remove();
});

const campusId = async () => (await campus.json<{ uuid: string }>('/api/v1/accounts/1')).uuid;
const importOf = (id: number) => campus.json<SisImport>(`/api/v1/accounts/1/sis_imports/${id}`);

async function finished(id: number): Promise<SisImport> {
  for (;;) {
    const read = await importOf(id);
    if (!['created', 'importing', 'cleanup_batch'].includes(read.workflow_state)) return read;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const users = (count: number, name = 'Person') =>
  [
    'user_id,login_id,full_name,status',
    ...Array.from(
      { length: count },
      (_, at) => `NEW-${at},new${at}@northbridge.example,${name} ${at},active`,
    ),
  ].join('\n');

/** Signs Alma in as the console does, and returns her tokens and the browser's cookie. */
async function signIn() {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(campus.url + path, { redirect: 'manual', ...init });
  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
  const redirect_uri = 'http://localhost:8080/callback';
  const query = new URLSearchParams({ client_id: '10', response_type: 'code', redirect_uri });
  const start = await ask(`/login/oauth2/auth?${query}`);
  const request = new URL(start.headers.get('location') ?? '', campus.url).searchParams.get('request') ?? '';
  const login = 'alma.reyes@northbridge.example';
  const signedIn = await ask('/login/oauth2/login', form({ login, request }));
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const accepted = await ask('/login/oauth2/accept', {
    ...form({ decision: 'allow', request }),
    headers: { cookie },
  });
  const code = new URL(accepted.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const client = { client_id: '10', client_secret: 'sandbox-client-secret' };
  const answer = await ask(
    '/login/oauth2/token',
    form({ grant_type: 'authorization_code', code, ...client }),
  );
  const tokens = (await answer.json()) as { access_token: string; refresh_token: string };
  return {
    tokens,
    cookie,
    /** Checks whether each of the three is still valid, and returns the statuses. */
    async holds() {
      const self = '/api/v1/users/self';
      const byToken = await ask(self, { headers: { authorization: `Bearer ${tokens.access_token}` } });
      const byCookie = await ask(self, { headers: { cookie } });
      const { refresh_token } = tokens;
      const renewed = await ask(
        '/login/oauth2/token',
        form({ grant_type: 'refresh_token', refresh_token, ...client }),
      );
      return [byToken.status, byCookie.status, renewed.status];
    },
  };
}

const firstCourse = async () =>
  (await campus.json<{ id: number }[]>('/api/v1/accounts/1/courses?per_page=1'))[0]?.id ?? 0;

/** Makes changes of many kinds. Each call was answered, so no change can be lost. */
async function work() {
  const alma = await signIn();
  const course = await firstCourse();
  await campus.send('PUT', `/api/v1/courses/${course}`, { course: { name: 'Renamed by hand' } });
  const event = await campus.send<{ id: number }>('POST', '/api/v1/calendar_events', {
    calendar_event: { context_code: `course_${course}`, title: 'Welcome', start_at: '2026-10-01T09:00:00Z' },
  });
  const category = await campus.send<{ id: number }>('POST', `/api/v1/courses/${course}/group_categories`, {
    name: 'Teams',
  });
  const group = await campus.send<{ id: number }>('POST', `/api/v1/group_categories/${category.id}/groups`, {
    name: 'Team A',
  });
  const { id } = await campus.upload<SisImport>(`${users(60)}\nX,,Nobody,active`);
  const done = await finished(id);
  return { alma, course, event, category, group, done };
}

test.each(['stop', 'kill', 'orphan'] as const)('everything is still there afterwards (%s)', async (how) => {
  const before = await campusId();
  const { alma, course, event, category, group, done } = await work();
  const list = '/api/v1/accounts/1/users?search_term=NEW-&per_page=100';
  const people = await campus.json<{ id: number }[]>(list);
  await campus[how]();
  await campus.start();

  expect(await campusId()).toBe(before);
  expect(await alma.holds()).toEqual([200, 200, 200]);
  expect(await campus.json(`/api/v1/courses/${course}`)).toMatchObject({ name: 'Renamed by hand' });
  expect(await campus.json(`/api/v1/calendar_events/${event.id}`)).toMatchObject({ title: 'Welcome' });
  expect(await campus.json(`/api/v1/group_categories/${category.id}/groups`)).toMatchObject([
    { id: group.id, name: 'Team A' },
  ]);
  expect(await campus.json(list)).toEqual(people);
  expect(people).toHaveLength(60);
  const again = await importOf(done.id);
  const { errors_attachment: errors, ...rest } = again;
  expect(rest).toEqual({ ...done, errors_attachment: undefined, csv_attachments: expect.anything() });
  expect(await (await fetch(errors?.url ?? '')).text()).toContain('sis_import_id,file,message,row');
  // An earlier link is valid for a full hour, despite the restart.
  expect((await fetch(done.errors_attachment?.url ?? '')).status).toBe(200);

  const { id: next } = await campus.upload<SisImport>(users(1));
  expect(next).toBe(done.id + 1);
  expect((await finished(next)).workflow_state).toBe('imported');
  expect(campus.said).toMatch(/^Practice LMS ready on \S+\n$/);
});

test('a reset is saved: the sandbox has its seed again, and no sessions', async () => {
  const before = await campusId();
  const { alma, course, done } = await work();
  await campus.json('/sandbox/reset', { method: 'POST' });
  const between = await campusId();
  expect(between).not.toBe(before);
  for (const how of ['kill', 'stop'] as const) {
    await campus[how]();
    await campus.start();
    expect(await campusId()).toBe(between);
    expect(await alma.holds()).toEqual([401, 401, 400]);
    await expect(importOf(done.id)).rejects.toThrow('404');
    expect(await campus.json(`/api/v1/courses/${course}`)).not.toMatchObject({ name: 'Renamed by hand' });
  }
  expect((await campus.upload<SisImport>(users(1))).id).toBe(1);
});

test.each(['stop', 'kill'] as const)('an import interrupted by a %s continues afterwards', async (how) => {
  await campus.stop();
  campus = new Process(place, port, { SANDBOX_IMPORT_PACE: '400' });
  await campus.start();
  const csv = `${users(900)}\n,,Without an id,active`;
  const running = await campus.upload<SisImport>(csv);
  const waiting = await campus.upload<SisImport>(users(20, 'Renamed'));
  for (const share of [10, 40, 70]) {
    while ((await importOf(running.id)).progress < share)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await campus[how]();
    await campus.start();
  }
  const ended = await finished(running.id);
  expect(ended).toMatchObject({
    workflow_state: 'imported_with_messages',
    progress: 100,
    data: { counts: { users: 900, warning_count: 1, error_count: 0 } },
  });
  expect(ended.data.statistics['Pseudonym']).toMatchObject({ created: 900 });
  expect(ended.processing_warnings).toHaveLength(1);
  expect(await finished(waiting.id)).toMatchObject({
    workflow_state: 'imported',
    data: { counts: { users: 20 } },
  });
  const people = await campus.json<{ id: number; name: string }[]>(
    '/api/v1/accounts/1/users?search_term=Renamed&per_page=100',
  );
  expect(people).toHaveLength(20);
  expect(new Set(people.map(({ id }) => id)).size).toBe(20);
});

test('only one sandbox at a time can use a folder', async () => {
  const second = new Process(place, await freePort());
  await expect(second.start()).rejects.toThrow(
    /in use by process \d+ on \S+ Stop it first\..* set LMS_ADMIN_DATA/,
  );
  await campus.kill();
  await second.start();
  await second.stop();
  await campus.start();
});

test('a sandbox without a usable folder reports this and still works', async () => {
  const odd = new Process({ ...place, data: `${place.main}/data` }, await freePort());
  await odd.start();
  expect(odd.said).toContain('cannot use the folder');
  expect(await odd.json('/api/v1/accounts/1')).toMatchObject({ id: 1 });
  await odd.stop();
});
