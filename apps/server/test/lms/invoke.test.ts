/** The LMS wrapper on the practice campus: what each call answers, and how pages travel (area LMS). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { DEFAULT_ROLE_IDS } from '@lms-admin/domain/constants';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let test: TestServer;
let all: Browser;
let custom: Browser;

beforeAll(async () => {
  test = await startTestServer();
  [all, custom] = await Promise.all([test.signIn(PEOPLE.all), test.signIn(PEOPLE.custom)]);
});
afterAll(() => test.close());

async function ok(browser: Browser, url: string) {
  const response = await browser.invoke(url);
  const body = await response.json();
  expect({ status: response.status, body }).toMatchObject({ status: 200, body: { status: 200 } });
  return body;
}

async function lines(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('lists', () => {
  it('LMS-04 programmes: the direct children of the root for perm ALL, cut to the fields', async () => {
    const { data, pagination } = await ok(all, lmsUrl('programmes', {}, [['per_page', '100']]));
    expect(data.length).toBeGreaterThanOrEqual(12);
    expect(Object.keys(data[0]).sort()).toEqual(['id', 'name', 'parent_account_id']);
    expect(pagination).toEqual({ nextPage: null });
  });

  it('PERM-09, OP-27 programmes: exactly the listed accounts for perm CUSTOM', async () => {
    const { data } = await ok(custom, lmsUrl('programmes', {}, [['per_page', '100']]));
    expect(data.map((one: { id: number }) => one.id)).toEqual([86, 120]);
  });

  it('LMS-05 sub-accounts of a programme, all levels', async () => {
    const url = lmsUrl('sub-accounts', { account: 86 }, [['recursive', 'true']]);
    const { data } = await ok(custom, url);
    expect(data.length).toBeGreaterThan(0);
  });

  it('LMS-06 terms, in the wrapper of the LMS', async () => {
    const { data } = await ok(custom, lmsUrl('terms', {}, [['per_page', '100']]));
    expect(data.enrollment_terms.length).toBeGreaterThanOrEqual(25);
  });

  it('LMS-07, LMS-08, OP-97 courses: paged by a relative nextPage that can be asked for', async () => {
    let url: string | null = lmsUrl('courses', { account: 86 }, [
      ['per_page', '100'],
      ['include[]', 'term'],
    ]);
    const seen = new Set<number>();
    let pages = 0;
    while (url !== null) {
      expect(url.startsWith('accounts/86/courses?')).toBe(true);
      const {
        data,
        pagination,
      }: { data: { id: number; term?: unknown }[]; pagination: { nextPage: string | null } } = await ok(
        custom,
        url,
      );
      for (const course of data) {
        expect(course.term).toBeDefined();
        seen.add(course.id);
      }
      url = pagination.nextPage;
      pages++;
    }
    expect(pages).toBeGreaterThan(1);
    const answer = await custom.post(ENDPOINTS.invokePages, {
      url: lmsUrl('courses', { account: 86 }, [['include[]', 'term']]),
      type: 'GET',
    });
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
    const got = await lines(answer);
    expect(got.at(-1)).toEqual({ done: true, pages });
    const ids = got.slice(0, -1).flatMap((line) => (line.data as { id: number }[]).map((one) => one.id));
    expect(ids).toEqual([...seen]);
  });

  it('LMS-09, PERM-12 roles: those that perm ALL may give', async () => {
    const { data } = await ok(all, lmsUrl('roles', {}, [['per_page', '100']]));
    const ids = data.map((one: { id: number }) => one.id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.every((id: number) => DEFAULT_ROLE_IDS.includes(id))).toBe(true);
  });

  it('PERM-10, OP-34 roles: those of the lists for perm CUSTOM', async () => {
    const { data } = await ok(custom, lmsUrl('roles'));
    expect(data.map((one: { id: number }) => one.id)).toEqual([3, 5]);
  });

  it('LMS-10, LMS-26, OP-45 a person by e-mail: only the exact login', async () => {
    const { data } = await ok(
      custom,
      lmsUrl('user-by-email', {}, [['search_term', 'ann@northbridge.example']]),
    );
    expect(data.map((one: { login_id: string }) => one.login_id)).toEqual(['ann@northbridge.example']);
    expect(Object.keys(data[0]).sort()).toEqual(['id', 'login_id', 'name', 'sis_user_id']);
  });
});
