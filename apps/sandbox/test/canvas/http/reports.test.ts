/** Account reports (reference §17), compared with the lists of the same sandbox. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { form, useSandbox } from './client.ts';

const clock = { ms: Date.parse('2026-11-10T09:00:00Z') };
const client = useSandbox({ reportMs: 0, now: () => new Date(clock.ms) });
const slow = useSandbox({ reportMs: 3_600_000 });

const REPORTS = '/accounts/1/reports';
type Row = Record<string, string>;

/** Starts a report and waits for it to end. */
async function ended(kind: string, parameters: Record<string, string>, account: string | number = 1) {
  const fields = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [`parameters[${name}]`, value]),
  );
  const path = `/accounts/${account}/reports/${kind}`;
  const begun = await client.api(path, form(fields));
  expect(begun.status).toBe(200);
  expect(begun.body).toMatchObject({ report: kind, status: 'created', progress: 0 });
  expect(begun.body).not.toHaveProperty('attachment');
  const status = async () => (await client.api(`${path}/${begun.body.id}`)).body;
  await expect.poll(async () => (await status()).status).toMatch(/^(complete|error)$/);
  return status();
}

async function rowsOf(
  kind: string,
  table: string,
  more: Record<string, string> = {},
  account: string | number = 1,
) {
  const done = await ended(kind, { [table]: 'true', ...more }, account);
  const { text } = await client.ask(String(done.attachment?.url), { token: null });
  return { done, text, rows: parse(text, { columns: true }) as Row[] };
}

test('§17.1 the kinds are listed with their parameters and last run', async () => {
  const before = await client.api(REPORTS);
  const find = (all: { report: string }[]) => all.find(({ report }) => report === 'sis_export_csv');
  expect(find(before.body as never)).toMatchObject({
    title: 'SIS Export',
    last_run: null,
    parameters: { users: { required: false } },
  });
  const { id } = await ended('sis_export_csv', { terms: 'true' });
  expect(find((await client.api(REPORTS)).body as never)).toMatchObject({
    last_run: { id, status: 'complete' },
  });
});

test('§17.1 one table is a CSV; its link ends after an hour, and the report has a new one', async () => {
  const { done } = await rowsOf('provisioning_csv', 'accounts');
  expect(done).toMatchObject({ status: 'complete', progress: 100, user: { id: expect.any(Number) } });
  expect(String(done.attachment?.filename)).toMatch(/^provisioning_csv_10_Nov_2026_\d+\.csv$/);
  expect(done.parameters).toMatchObject({ accounts: 'true', extra_text: expect.any(String) });
  expect(Date.parse(String(done.started_at))).toBeLessThanOrEqual(Date.parse(String(done.ended_at)));
  const before = clock.ms;
  clock.ms += 3_601_000;
  const url = String(done.attachment?.url);
  expect((await client.ask(url, { token: null })).status).toBe(403);
  const again = (await client.api(`${REPORTS}/provisioning_csv/${done.id}`)).body;
  expect((await client.ask(String(again.attachment?.url), { token: null })).status).toBe(200);
  clock.ms = before;
});

test('§17.1 several tables are a zip; no table is an error without a file', async () => {
  const zip = await ended('provisioning_csv', { users: 'true', courses: '1', sections: 'false' });
  expect(String(zip.attachment?.filename)).toMatch(/\.zip$/);
  const response = await fetch(String(zip.attachment?.url));
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  expect(bytes.includes('users.csv') && bytes.includes('courses.csv')).toBe(true);
  expect(bytes.includes('sections.csv')).toBe(false);
  const none = await ended('provisioning_csv', {});
  expect(none).toMatchObject({ status: 'error', progress: 100, file_url: null });
  expect(none.parameters).toEqual({ extra_text: expect.stringContaining('failed to generate a file') });
  expect(none).not.toHaveProperty('attachment');
});

test('§17.1 an unknown report, a missing permission and an unknown term are rejected', async () => {
  expect((await client.api(`${REPORTS}/no_such_report`, form({}))).status).toBe(404);
  expect((await client.api(`${REPORTS}/provisioning_csv/999999`)).status).toBe(404);
  const term = await client.api(
    `${REPORTS}/provisioning_csv`,
    form({ 'parameters[users]': 'true', 'parameters[enrollment_term_id]': 'sis_term_id:NONE' }),
  );
  expect([term.status, term.body]).toEqual([400, { error: "invalid enrollment_term_id 'sis_term_id:NONE'" }]);
  expect((await client.api(REPORTS, { token: null })).status).toBe(401);
});

describe('§17.1 while a report runs', () => {
  const KIND = `${REPORTS}/provisioning_csv`;
  const users = form({ 'parameters[users]': 'true' });

  test('starting the same report again is a 409 that refers to the first; a different report waits its turn; each can be aborted once', async () => {
    const first = await slow.api(KIND, users);
    await expect.poll(async () => (await slow.api(`${KIND}/${first.body.id}`)).body.status).toBe('running');
    const again = await slow.api(KIND, users);
    expect([again.status, again.body.id]).toEqual([409, first.body.id]);
    expect(again.headers.get('location')).toContain(`/api/v1${KIND}/${first.body.id}`);
    const other = await slow.api(KIND, form({ 'parameters[terms]': 'true' }));
    expect(other.status).toBe(200);
    expect((await slow.api(`${KIND}/${other.body.id}`)).body.status).toBe('created');
    expect((await slow.api(KIND)).body.map(({ id }) => id)).toEqual([other.body.id, first.body.id]);
    const aborted = await slow.api(`${KIND}/${first.body.id}/abort`, { method: 'PUT' });
    expect(aborted.body).toMatchObject({ status: 'aborted' });
    expect((await slow.api(`${KIND}/${first.body.id}/abort`, { method: 'PUT' })).status).toBe(404);
    await expect.poll(async () => (await slow.api(`${KIND}/${other.body.id}`)).body.status).toBe('running');
    // An aborted run does not prevent a new one.
    expect((await slow.api(KIND, users)).status).toBe(200);
  });

  test('a deleted run is not found', async () => {
    const made = await slow.api(`${REPORTS}/sis_export_csv`, users);
    const path = `${REPORTS}/sis_export_csv/${made.body.id}`;
    expect((await slow.api(path, { method: 'DELETE' })).body.status).toBe('deleted');
    expect((await slow.api(path)).status).toBe(404);
    expect((await slow.api(`${REPORTS}/sis_export_csv`)).body).toEqual([]);
  });
});

describe('§17.2 contents', () => {
  test('users have a row for each login, with its own ids; deleted ones are included only on request', async () => {
    const { world } = client;
    const { rows, text } = await rowsOf('provisioning_csv', 'users');
    expect(text.split('\n')[0]).toBe(
      'canvas_user_id,user_id,integration_id,authentication_provider_id,login_id,first_name,last_name,full_name,sortable_name,short_name,email,status,created_by_sis',
    );
    const live = [...world.pseudonyms.values()].filter((one) => one.workflow_state !== 'deleted');
    expect(rows).toHaveLength(live.length);
    const one = live.find(({ sis_user_id }) => sis_user_id !== null);
    const user = world.users.must(one?.user_id ?? 0);
    expect(rows.find(({ user_id }) => user_id === one?.sis_user_id)).toMatchObject({
      canvas_user_id: String(user.id),
      login_id: one?.unique_id,
      full_name: user.name,
      sortable_name: user.sortable_name,
      email: world.emailOf(user.id),
      status: one?.workflow_state,
    });
    const gone = live.at(-1);
    if (!gone) throw new Error('nobody');
    const state = gone.workflow_state;
    world.pseudonyms.change(gone, { workflow_state: 'deleted' });
    const without = await rowsOf('provisioning_csv', 'users');
    expect(without.rows).toHaveLength(live.length - 1);
    const all = await rowsOf('provisioning_csv', 'users', { include_deleted: 'true' });
    expect(all.rows.filter(({ status }) => status === 'deleted').length).toBeGreaterThan(0);
    world.pseudonyms.change(gone, { workflow_state: state });
  });

  test('an account’s courses include those below it; concluded ones appear only together with deleted ones', async () => {
    const { world } = client;
    const [account] = [...world.accounts.values()].filter((one) => one.parent_account_id === 1);
    const { rows } = await rowsOf('provisioning_csv', 'courses', {}, account?.id);
    const tree = new Set(world.accountTree(account?.id ?? 0));
    const here = [...world.courses.values()].filter((one) => tree.has(one.account_id));
    const open = here.filter((one) => !['completed', 'deleted'].includes(one.workflow_state));
    expect(rows.map((row) => Number(row['canvas_course_id'])).sort((a, b) => a - b)).toEqual(
      open.map(({ id }) => id).sort((a, b) => a - b),
    );
    const all = await rowsOf('provisioning_csv', 'courses', { include_deleted: 'true' }, account?.id);
    expect(all.rows).toHaveLength(here.length);
    for (const { status } of all.rows) expect(status).toMatch(/^(active|unpublished|concluded|deleted)$/);
  });

  test('a course has dates only if it restricts access to them, with the account’s UTC offset', async () => {
    const { world } = client;
    const [one, other] = [...world.courses.values()].filter(
      ({ workflow_state, start_at }) => workflow_state === 'available' && start_at !== null,
    );
    if (!one || !other) throw new Error('no courses');
    world.courses.change(one, {
      restrict_enrollments_to_course_dates: true,
      start_at: '2026-07-01T06:00:00Z',
    });
    world.courses.change(other, { restrict_enrollments_to_course_dates: false });
    const { rows } = await rowsOf('provisioning_csv', 'courses');
    const of = (id: number) => rows.find((row) => row['canvas_course_id'] === String(id))?.['start_date'];
    const zone = world.rootAccount.default_time_zone;
    expect(of(other.id)).toBe('');
    expect(Date.parse(of(one.id) ?? '')).toBe(Date.parse('2026-07-01T06:00:00Z'));
    expect(of(one.id)).toMatch(zone === 'UTC' ? /Z$/ : /[+-]\d\d:\d\d$/);
  });

  test('enrolments have SIS words, states, sections, terms and kinds', async () => {
    const { world } = client;
    const [some] = [...world.courses.values()].filter(
      ({ id, workflow_state }) => workflow_state === 'available' && world.enrollments.by.course.count(id) > 5,
    );
    const term = world.terms.must(some?.enrollment_term_id ?? 0);
    const { rows } = await rowsOf('provisioning_csv', 'enrollments', {
      enrollment_term_id: `sis_term_id:${term.sis_source_id}`,
    });
    const courses = new Set(rows.map((row) => Number(row['canvas_course_id'])));
    expect(courses.has(some?.id ?? 0)).toBe(true);
    for (const id of courses) expect(world.courses.must(id).enrollment_term_id).toBe(term.id);
    for (const { status, role, base_role_type } of rows) {
      expect(status).toMatch(/^(active|invited|inactive|rejected)$/);
      if (base_role_type === 'StudentEnrollment') expect(role).toMatch(/^(student|[A-Z].*)$/);
    }
    const teachers = await rowsOf('provisioning_csv', 'enrollments', {
      enrollment_term_id: String(term.id),
      'enrollment_filter][': 'TeacherEnrollment',
    });
    expect(teachers.rows.length).toBeGreaterThan(0);
    expect(new Set(teachers.rows.map((row) => row['base_role_type']))).toEqual(
      new Set(['TeacherEnrollment']),
    );
  });

  test('groups and their people have the ids of both systems', async () => {
    const { world } = client;
    const groups = await rowsOf('provisioning_csv', 'groups');
    const group = [...world.groups.values()].find(({ sis_source_id }) => sis_source_id !== null);
    expect(groups.rows.find((row) => row['canvas_group_id'] === String(group?.id))).toMatchObject({
      group_id: group?.sis_source_id,
      canvas_group_category_id: String(group?.group_category_id),
      context_type: group?.context_type,
    });
    const { rows } = await rowsOf('provisioning_csv', 'group_membership');
    const members = [...world.groupMemberships.values()].filter(
      (one) =>
        one.workflow_state !== 'deleted' && world.groups.must(one.group_id).workflow_state !== 'deleted',
    );
    expect(rows).toHaveLength(members.length);
  });

  test('an SIS export has the columns of an import, and only objects with an SIS ID', async () => {
    const { world } = client;
    const { rows, text } = await rowsOf('sis_export_csv', 'users');
    expect(text.split('\n')[0]).toBe(
      'user_id,integration_id,authentication_provider_id,login_id,password,first_name,last_name,full_name,sortable_name,short_name,email,status',
    );
    const named = [...world.pseudonyms.values()].filter(
      ({ sis_user_id, workflow_state }) => sis_user_id && workflow_state !== 'deleted',
    );
    expect(rows).toHaveLength(named.length);
    // The LMS imports the unchanged file, and nothing changes.
    const before = JSON.stringify(
      [...world.users.values()].map(({ name, short_name }) => [name, short_name]),
    );
    const sent = await client.ask(
      '/api/v1/accounts/1/sis_imports?import_type=instructure_csv&extension=csv',
      {
        method: 'POST',
        body: text,
        headers: { 'content-type': 'text/csv' },
      },
    );
    const path = `/accounts/1/sis_imports/${sent.body.id}`;
    await expect.poll(async () => (await client.api(path)).body.workflow_state).toMatch(/^(imported|failed)/);
    expect((await client.api(path)).body.workflow_state).toBe('imported');
    expect(JSON.stringify([...world.users.values()].map(({ name, short_name }) => [name, short_name]))).toBe(
      before,
    );
  });
});
