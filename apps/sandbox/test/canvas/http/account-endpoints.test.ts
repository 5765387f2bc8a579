import { describe, expect, test } from 'vitest';
import { links, useSandbox } from './client.ts';

const client = useSandbox();
const ids = (body: unknown) => (body as { id: number }[]).map(({ id }) => id);
const names = (body: unknown) => (body as { name: string }[]).map(({ name }) => name);

describe('§6.1 sub-accounts', () => {
  test('§6.1 lists an account’s direct children by id, without the account itself, and gives a total', async () => {
    const answer = await client.api('/accounts/1/sub_accounts?per_page=100');
    expect(ids(answer.body)).toEqual([2, 66, 73, 83, 86, 120, 138, 140, 163, 167, 210, 222, 230, 269]);
    expect(links(answer).map(([rel]) => rel)).toEqual(['current', 'first', 'last']);
  });

  test('§6.1 order=name sorts by name; recursive lists every level and gives no total', async () => {
    const byName = await client.api('/accounts/1/sub_accounts?per_page=100&order=name');
    expect(names(byName.body)[0]).toBe('BFC');
    const all = await client.api('/accounts/86/sub_accounts?recursive=true&per_page=2');
    expect(ids(all.body)).toEqual([301, 302]);
    expect(links(all).map(([rel]) => rel)).toEqual(['current', 'next', 'first']);
  });

  test('§6.1 the root account has no SIS keys; a sub-account has them', async () => {
    const root = await client.api('/accounts/1');
    expect(root.body).toMatchObject({ id: 1, parent_account_id: null, root_account_id: null });
    expect(root.body).not.toHaveProperty('sis_account_id');
    const [child] = (
      await client.api('/accounts/86/sub_accounts?include[]=course_count&include[]=sub_account_count')
    ).body;
    expect(child).toMatchObject({
      id: 301,
      parent_account_id: 86,
      root_account_id: 1,
      workflow_state: 'active',
      sis_account_id: 'MBA-OFFICE-301',
      sis_import_id: null,
      sub_account_count: 0,
    });
    expect(child?.['course_count']).toBeGreaterThan(0);
  });
});

describe('§9.1 authentication providers', () => {
  test('§9.1 lists the active ones with their types', async () => {
    const answer = await client.api('/accounts/1/authentication_providers');
    expect(answer.body).toEqual([{ id: expect.any(Number), auth_type: 'canvas', position: 1 }]);
  });
});

describe('§6.2 terms', () => {
  test('§6.2 lists undated terms first, then by latest start', async () => {
    const terms = (await client.api('/accounts/1/terms?per_page=100')).body['enrollment_terms'];
    expect(names(terms).slice(0, 3)).toEqual(['Default Term', 'EXED Archive', 'MBA 2026-27 P5']);
    expect(terms).toHaveLength(28);
    expect(terms?.[0]).toMatchObject({ id: 1, start_at: null, end_at: null, sis_term_id: null });
  });

  test('§6.2 a sub-account does not have its own terms', async () => {
    const answer = await client.api('/accounts/86/terms');
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ message: 'Terms only belong to root_accounts.' });
  });

  test('§6.2 filters by term_name and workflow_state, and includes overrides on request', async () => {
    const found = await client.api(
      '/accounts/1/terms?term_name=gemba&workflow_state[]=all&workflow_state[]=odd',
    );
    expect(found.body).toEqual({ enrollment_terms: [] });
    const one = await client.api('/accounts/1/terms?term_name=EMBA%202026&include[]=overrides');
    expect(one.body['enrollment_terms']?.[0]).toMatchObject({ name: 'EMBA 2026', overrides: {} });
  });
});

describe('§6.3 and §6.4 courses', () => {
  test('§6.3 a programme lists the courses of the accounts below it, by id', async () => {
    const answer = await client.api('/accounts/86/courses?per_page=100');
    const accounts = new Set(answer.body.map((course) => Number(course['account_id'])));
    expect(accounts.has(86) && accounts.has(311)).toBe(true);
    expect(ids(answer.body)).toEqual([...ids(answer.body)].sort((a, b) => a - b));
  });

  test('§6.3 lists claimed courses as unpublished, and deleted ones only on request', async () => {
    const usual = (await client.api('/accounts/86/courses?per_page=100')).body;
    const states = new Set(usual.map((course) => String(course['workflow_state'])));
    expect(states).toEqual(new Set(['available', 'completed', 'unpublished']));
    const deleted = (await client.api('/accounts/86/courses?per_page=100&state[]=deleted')).body;
    expect(deleted.length).toBeGreaterThan(0);
    expect((await client.api(`/courses/${deleted[0]?.['id']}`)).status).toBe(404);
    expect((await client.api(`/courses/${deleted[0]?.['id']}?include[]=all_courses`)).status).toBe(200);
  });

  test('§6.3 filters by term id and SIS ID; a single unknown term is a 404', async () => {
    const byId = await client.api('/accounts/1/courses?enrollment_term_id=15&per_page=100&include[]=term');
    expect(new Set(byId.body.map((course) => String(course['term']?.['name'])))).toEqual(
      new Set(['MBA 2026-27 P1']),
    );
    const bySis = await client.api(
      '/accounts/1/courses?enrollment_term_id=sis_term_id:MBA-2627-P1&per_page=100',
    );
    expect(ids(bySis.body)).toEqual(ids(byId.body));
    const several = await client.api(
      '/accounts/1/courses?enrollment_term_id[]=15&enrollment_term_id[]=99999&per_page=100',
    );
    expect(ids(several.body)).toEqual(ids(byId.body));
    expect((await client.api('/accounts/1/courses?enrollment_term_id=99999')).status).toBe(404);
  });

  test('§6.3 searches name, code, SIS ID and exact id; a search term that is too short is a 400', async () => {
    const bySis = await client.api('/accounts/1/courses?search_term=mba25-fbl-fin101&by_subaccounts[]=86');
    expect(ids(bySis.body)).toEqual([1001]);
    expect(ids((await client.api('/accounts/1/courses?search_term=1001')).body)).toContain(1001);
    const short = await client.api('/accounts/1/courses?search_term=a');
    expect(short.status).toBe(400);
    expect(short.body).toEqual({
      errors: [{ field: 'search_term', code: 'invalid', message: '2 or more characters is required' }],
    });
  });

  test('§6.3 order works only together with sort', async () => {
    const sorted = await client.api('/accounts/86/courses?sort=course_name&order=desc&per_page=5');
    const shown = names(sorted.body);
    expect(shown).toEqual(
      [...shown].sort(new Intl.Collator('en', { sensitivity: 'base' }).compare).toReversed(),
    );
    const alone = await client.api('/accounts/86/courses?order=desc&per_page=5');
    expect(ids(alone.body)[0]).toBe(1001);
  });

  test('§6.3 courses created by hand have no SIS ID; the list ignores sections and permissions', async () => {
    const answer = await client.api(
      '/accounts/86/courses?per_page=100&include[]=sections&include[]=permissions',
    );
    expect(answer.body.some((course) => course['sis_course_id'] === null)).toBe(true);
    expect(answer.body[0]).not.toHaveProperty('sections');
    expect(answer.body[0]).not.toHaveProperty('permissions');
    expect(answer.body[0]).not.toHaveProperty('enrollments');
  });

  test('§6.4 a single course includes its sections (without SIS IDs), total_students and term on request', async () => {
    const answer = await client.api(
      '/courses/1002?include[]=sections&include[]=total_students&include[]=term',
    );
    expect(Object.keys(answer.body['sections']?.[0] ?? {})).toEqual(['id', 'name', 'start_at', 'end_at']);
    expect(answer.body['total_students']).toBe(0);
    expect(answer.body['term']?.['id']).toBe(11);
  });
});

describe('§6.5 roles', () => {
  test('§6.5 lists built-in roles first, then custom ones, with the documented ids', async () => {
    const answer = await client.api('/accounts/1/roles?per_page=100');
    expect(ids(answer.body)).toEqual([1, 3, 4, 5, 6, 7, 12, 21, 23, 56, 58, 59, 166, 169]);
    expect(answer.body[0]).not.toHaveProperty('account');
    expect(answer.body[7]).toMatchObject({
      role: 'Programme Coordinator',
      label: 'Programme Coordinator',
      account: { id: 1 },
    });
    expect(answer.body[1]).toMatchObject({
      role: 'StudentEnrollment',
      label: 'Student',
      workflow_state: 'built_in',
    });
  });

  test('§6.5 lists inactive and inherited roles', async () => {
    expect(ids((await client.api('/accounts/1/roles?state[]=inactive')).body)).toEqual([40]);
    expect(ids((await client.api('/accounts/86/roles?per_page=100')).body)).toEqual([1, 3, 4, 5, 6, 7]);
    expect(ids((await client.api('/accounts/86/roles?per_page=100&show_inherited=true')).body)).toContain(
      169,
    );
  });
});
