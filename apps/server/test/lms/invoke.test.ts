/** The LMS wrapper on the practice LMS: what each call returns, and paging (requirements LMS). */
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

/** Fields of a course that the browser gets: the server decides whether the course is over. */
const COURSE_FIELDS = ['account_id', 'course_code', 'enrollment_term_id', 'id', 'name', 'sis_course_id'];

describe('lists', () => {
  it('LMS-04 for perm ALL, programmes are the direct children of the root, reduced to their declared fields', async () => {
    const { data, pagination } = await ok(all, lmsUrl('programmes', {}, [['per_page', '100']]));
    expect(data.length).toBeGreaterThanOrEqual(12);
    expect(Object.keys(data[0]).sort()).toEqual(['id', 'name', 'parent_account_id']);
    expect(pagination).toEqual({ nextPage: null });
  });

  it('PERM-09, OP-27 for perm CUSTOM, programmes are exactly the listed accounts', async () => {
    const { data } = await ok(custom, lmsUrl('programmes', {}, [['per_page', '100']]));
    expect(data.map((one: { id: number }) => one.id)).toEqual([86, 120]);
  });

  it('LMS-05 sub-accounts of a programme are listed on all levels', async () => {
    const url = lmsUrl('sub-accounts', { account: 86 }, [['recursive', 'true']]);
    const { data } = await ok(custom, url);
    expect(data.length).toBeGreaterThan(0);
  });

  it('LMS-06 terms come in the same wrapper as in the LMS', async () => {
    const { data } = await ok(custom, lmsUrl('terms', {}, [['per_page', '100']]));
    expect(data.enrollment_terms.length).toBeGreaterThanOrEqual(25);
    expect(Object.keys(data.enrollment_terms[0]).sort()).toEqual(['id', 'name']);
  });

  it('LMS-07, LMS-08, OP-97 courses come in pages with a relative nextPage that can be requested', async () => {
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
        expect(Object.keys(course.term ?? {}).sort()).toEqual(['id', 'name']);
        expect(Object.keys(course).sort()).toEqual([...COURSE_FIELDS, 'term'].sort());
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

  it('LMS-09, PERM-12 for perm ALL, roles are those that it can give', async () => {
    const { data } = await ok(all, lmsUrl('roles', {}, [['per_page', '100']]));
    const ids = data.map((one: { id: number }) => one.id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.every((id: number) => DEFAULT_ROLE_IDS.includes(id))).toBe(true);
  });

  it('PERM-10, OP-34 for perm CUSTOM, roles are those on its lists', async () => {
    const { data } = await ok(custom, lmsUrl('roles'));
    expect(data.map((one: { id: number }) => one.id)).toEqual([3, 5]);
  });

  it('LMS-10, LMS-26, OP-45 a person is found by email only if it is exactly the login', async () => {
    const { data } = await ok(
      custom,
      lmsUrl('user-by-email', {}, [['search_term', 'ann@northbridge.example']]),
    );
    expect(data.map((one: { login_id: string }) => one.login_id)).toEqual(['ann@northbridge.example']);
    expect(Object.keys(data[0]).sort()).toEqual(['id', 'login_id', 'name', 'sis_user_id']);
  });

  it('LMS-23, USR-04, OP-96 a search by text finds everyone who matches, including by address, with five fields; never without a text', async () => {
    const helpDesk = await test.signIn(PEOPLE.helpDesk);
    const search = (term: string) => lmsUrl('user-search', {}, [['search_term', term]]);
    const { data } = await ok(helpDesk, search('ann@northbridge.example'));
    expect(data.length).toBeGreaterThan(1);
    expect(Object.keys(data[0]).sort()).toEqual(['created_at', 'id', 'login_id', 'name', 'sis_user_id']);
    for (const url of [
      'accounts/1/users',
      'accounts/1/users?per_page=100',
      search('an'),
      search('a  '),
      search('ann\n'),
    ]) {
      expect((await helpDesk.invoke(url)).status).toBe(403);
    }
    // A name may look like a value that a spreadsheet has changed.
    const ada = test.sandbox.world.users.must(data[0].id);
    test.sandbox.world.users.change(ada, { name: 'Ada #N/A', sortable_name: '#N/A, Ada' });
    const named = await ok(helpDesk, search('#N/A'));
    expect(named.data.map((one: { id: number }) => one.id)).toEqual([ada.id]);
  });
});

describe('single objects', () => {
  const first = async () => {
    const { data } = await ok(custom, lmsUrl('courses', { account: 86 }, [['per_page', '100']]));
    return data.find((one: { sis_course_id: string | null }) => one.sis_course_id !== null);
  };

  it('LMS-20 a course is read by its id', async () => {
    const course = await first();
    const { data } = await ok(custom, lmsUrl('course', { course: course.id }));
    expect(data).toMatchObject({ id: course.id, name: course.name, account_id: course.account_id });
    expect(Object.keys(data).sort()).toEqual(COURSE_FIELDS);
  });

  it('LMS-13 the sections of a course are read', async () => {
    const { data } = await ok(
      custom,
      lmsUrl('sections', { course: (await first()).id }, [['per_page', '100']]),
    );
    for (const section of data) {
      expect(Object.keys(section).sort()).toEqual([
        'course_id',
        'id',
        'name',
        'sis_course_id',
        'sis_section_id',
      ]);
    }
  });

  it('OP-14 a course out of scope gives the same answer as a missing one', async () => {
    const { data } = await ok(all, lmsUrl('courses', { account: 163 }, [['per_page', '100']]));
    const answers = [data[0].id, 99_999_999].map(async (id) => {
      const response = await custom.invoke(lmsUrl('course', { course: id }));
      const { error } = await response.json();
      return { status: response.status, code: error.code, message: error.message, next: error.next };
    });
    const [foreign, missing] = await Promise.all(answers);
    expect(foreign).toEqual(missing);
    expect(foreign).toMatchObject({ status: 404, code: 'not-found' });
  });

  it('LMS-11, LMS-12, LMS-25, LMS-27, IMP-04 rows become an import that can be read by its id', async () => {
    const csv = `course_id,user_id,role_id,status\n${(await first()).sis_course_id},9000101,3,active`;
    const url = lmsUrl('sis-import-create', {}, [['override_sis_stickiness', 'true']]);
    const { data } = await (await custom.invoke(url, 'POST_SIS', csv)).json();
    expect(typeof data.id).toBe('string');
    await expect
      .poll(async () => (await ok(custom, lmsUrl('sis-import-status', { import: data.id }))).data, {
        timeout: 60_000,
      })
      .toMatchObject({ workflow_state: 'imported', final: true, data: { counts: { enrollments: 1 } } });
  });
});

describe('the envelope', () => {
  it('LMS-02, LMS-03, OP-04 a bearer token in `header` is accepted and ignored', async () => {
    const response = await custom.post(ENDPOINTS.invoke, {
      url: 'accounts/1/terms?per_page=100&page=1',
      type: 'GET',
      header: { Authorization: 'Bearer sandbox-admin-token' },
    });
    expect(response.status).toBe(200);
    const stranger = await test.browser().post(ENDPOINTS.invoke, {
      url: 'accounts/1/terms',
      type: 'GET',
      header: { Authorization: 'Bearer sandbox-admin-token' },
    });
    expect(stranger.status).toBe(401);
  });

  it('LMS-06, LMS-28 a page of terms past the end is empty and has no next page', async () => {
    const { data, pagination } = await ok(all, 'accounts/1/terms?per_page=100&page=99');
    expect(data).toEqual({ enrollment_terms: [] });
    expect(pagination.nextPage).toBeNull();
  });

  it('K-03, OP-26 a list without a page size is read in pages of a hundred', async () => {
    await test.handle('requests', { method: 'DELETE' });
    await ok(all, 'accounts/1/roles');
    expect(JSON.stringify(await test.handle('requests'))).toContain('per_page=100');
  });

  it('PERM-08 perm ALL sees the courses of every programme', async () => {
    for (const account of [86, 163, 269]) {
      expect((await ok(all, `accounts/${account}/courses?per_page=100`)).data.length).toBeGreaterThan(0);
    }
  });
});
