import { profile } from '@lms-admin/contract/session';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { getJson, invoke, invokePages, postLines } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/errors.ts';
import { session } from '../../src/api/session.ts';

const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
const someone = profile.parse({
  access_token: 'handle',
  time: 1,
  user: { id: 7, name: 'Alma Reyes' },
  userProfile: { avatar_url: null, time_zone: null },
  sub_account: { perm: 'ALL', email: 'alma.reyes@northbridge.example' },
});

beforeEach(() => {
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('window', { location: { protocol: 'http:' } });
  vi.stubGlobal('fetch', fetched);
  session.start(someone);
});
afterEach(() => {
  fetched.mockReset();
  vi.unstubAllGlobals();
});

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const failure = (status: number, code: string) =>
  json(status, { status, error: { code, message: 'what happened', next: 'what to do', requestId: 'req-1' } });
const lines = (...all: unknown[]) =>
  new Response(all.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''));
const course = { id: 9, name: 'Finance', account_id: 86, enrollment_term_id: 3, extra: 'cut' };
const term = { id: 3, name: 'MBA 2026' };

async function thrown(work: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('calls to the LMS', () => {
  it('LMS-02 LMS-03 send type and path from the registry, encoded, and parse the answer', async () => {
    fetched.mockResolvedValue(json(200, { status: 200, data: [course], pagination: { nextPage: '2' } }));
    const query: [string, string][] = [
      ['per_page', '100'],
      ['include[]', 'term'],
    ];
    const { data, pagination } = await invoke('courses', { account: 86 }, query);
    expect(JSON.parse(fetched.mock.calls[0]?.[1].body as string)).toEqual({
      url: 'accounts/86/courses?per_page=100&include[]=term',
      type: 'GET',
    });
    expect(data).toEqual([
      { id: 9, name: 'Finance', account_id: 86, enrollment_term_id: 3, sis_course_id: null, course_code: '' },
    ]);
    expect(pagination.nextPage).toBe('2');
  });

  it('OP-97 an answer with the wrong shape is a failure, not data', async () => {
    fetched.mockResolvedValue(json(200, { status: 200, data: [{ id: 'x' }] }));
    expect(await thrown(invoke('courses', { account: 86 }))).toMatchObject({ code: 'odd-answer' });
  });

  it('LMS-28 a list is read page by page, in order, to its end', async () => {
    fetched.mockResolvedValue(
      lines(
        { page: 1, data: { enrollment_terms: [term] } },
        '\n',
        { page: 2, data: { enrollment_terms: [] } },
        {
          done: true,
          pages: 2,
        },
      ),
    );
    const pages = await all(invokePages('terms'));
    expect(pages.map(({ page, data }) => [page, data.enrollment_terms.length])).toEqual([
      [1, 1],
      [2, 0],
    ]);
  });

  it('a list that breaks off is never mistaken for the whole', async () => {
    fetched.mockResolvedValue(lines({ page: 1, data: [course] }));
    expect(await thrown(all(invokePages('courses', { account: 86 })))).toMatchObject({ code: 'unreachable' });
  });

  it('a failure in the middle of a list is thrown with its own message', async () => {
    const error = {
      code: 'lms-down',
      message: 'The LMS does not answer.',
      next: 'Wait.',
      requestId: 'req-2',
    };
    fetched.mockResolvedValue(lines({ page: 1, data: [course] }, { error }));
    expect(await thrown(all(invokePages('courses', { account: 86 })))).toMatchObject({
      code: 'lms-down',
      requestId: 'req-2',
    });
  });
});

describe('failures', () => {
  it('AUTH-21 any 401 marks the login as expired', async () => {
    fetched.mockResolvedValue(failure(401, 'signed-out'));
    expect(await thrown(getJson('/api/x', z.object({})))).toMatchObject({ status: 401, code: 'signed-out' });
    expect(session.get().loginExpired).toBe(true);
  });

  it('AUTH-21 a 401 after the first lines also marks the login as expired', async () => {
    const error = { code: 'signed-out', message: 'a', next: 'b', requestId: 'c' };
    fetched.mockResolvedValue(lines({ error }));
    await thrown(all(postLines('/api/x', {}, z.object({}))));
    expect(session.get().loginExpired).toBe(true);
  });

  it('OP-09 OP-11 a 401 when signing out does not mark the login as expired', async () => {
    fetched.mockResolvedValue(failure(401, 'signed-out'));
    await thrown(invoke('sign-out', {}, [], { quiet401: true }));
    expect(session.get().loginExpired).toBe(false);
  });

  it('say what happened, what to do and which reference to quote', async () => {
    fetched.mockResolvedValue(failure(503, 'lms-throttled'));
    expect(await thrown(getJson('/api/x', z.object({})))).toMatchObject({
      message: 'what happened',
      next: 'what to do',
      requestId: 'req-1',
    });
  });

  it.each([
    [413, 'does not accept uploads of this size', 'uploads of 100 MB'],
    [503, 'not running at the moment', 'in a minute'],
    [200, 'unexpected response', 'Reload the page'],
  ])("a proxy's %d answer comes with advice on what to do", async (status, message, next) => {
    fetched.mockResolvedValue(new Response('<h1>nginx</h1>', { status }));
    expect(await thrown(getJson('/api/x', z.object({})))).toMatchObject({
      code: 'odd-answer',
      message: expect.stringContaining(message),
      next: expect.stringContaining(next),
    });
  });

  it('a page from a proxy in front of the server is identified as such', async () => {
    const headers = { 'x-request-id': 'req-9' };
    fetched.mockResolvedValue(new Response('<h1>Bad gateway</h1>', { status: 502, headers }));
    expect(await thrown(getJson('/api/x', z.object({})))).toMatchObject({
      status: 502,
      code: 'odd-answer',
      requestId: 'req-9',
    });
  });

  it('no answer is a separate kind of error, and leaving the page is not a failure', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect(await thrown(getJson('/api/x', z.object({})))).toMatchObject({ status: 0, code: 'unreachable' });
    const left = new DOMException('left', 'AbortError');
    fetched.mockRejectedValueOnce(left);
    await expect(getJson('/api/x', z.object({}))).rejects.toBe(left);
  });
});
