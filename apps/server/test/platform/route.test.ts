/** Declarations that each route must have, and their effect: nothing undeclared gets in or out. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { errorEnvelope } from '@lms-admin/contract/errors';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bare, data, file, lines, redirect } from '../../src/platform/answers.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { answer, createHttp } from '../../src/platform/http.ts';
import { createLog } from '../../src/platform/log.ts';
import { addPublicFiles, addRoute, type Declaration } from '../../src/platform/route.ts';

const config = loadConfig({
  LMS_URL: 'http://localhost:1',
  LMS_CLIENT_ID: '10',
  LMS_CLIENT_SECRET: 'a-long-secret',
  LMS_ADMIN_KEY: 'a'.repeat(64),
  LMS_ADMIN_ACCESS: 'config/access.json',
});
let app: FastifyInstance;
beforeEach(async () => {
  app = await createHttp(config, createLog('silent'), { origin: '' });
});

const whole = {
  method: 'GET',
  path: ENDPOINTS.plan,
  for: ['course-enrollment'],
  takes: { params: z.object({ plan: z.string() }) },
  answers: data(z.object({ id: z.string() })),
} as const;

describe('the server does not start with a route that', () => {
  /** Creates a function that adds a declaration that the compiler would reject. */
  const adding = (wrong: Record<string, unknown>) => () =>
    addRoute(app, { ...whole, ...wrong }, () => answer({ id: 'x' }));

  it.each<[string, Record<string, unknown>, string]>([
    ['does not say whom it is for', { for: undefined }, 'whom it is for'],
    ['is for no tool at all', { for: [] }, 'whom it is for'],
    ['is for a tool that does not exist', { for: ['course-enrolment'] }, 'whom it is for'],
    ['uses an unknown word for everyone', { for: 'all' }, 'whom it is for'],
    ['does not say what it accepts', { takes: undefined }, 'what it takes'],
    ['does not declare its parameter', { takes: 'none' }, 'what :plan is'],
    ['takes a body with GET', { takes: { ...whole.takes, body: z.object({}) } }, 'how a GET has a body'],
    ['does not say what it returns', { answers: {} }, 'what it answers'],
  ])('%s', (_, wrong, words) => {
    expect(adding(wrong)).toThrow(`GET ${ENDPOINTS.plan} cannot be a route: it does not say ${words}`);
    expect(app.declared).toEqual([]);
  });

  it('was added without a declaration, anywhere', async () => {
    expect(() => app.get('/api/open', () => 'x')).toThrow(
      'GET /api/open cannot be a route: it does not say how',
    );
    await expect(
      app.register(async (inner) => {
        inner.post('/inner', () => 'x');
      }),
    ).rejects.toThrow('POST /inner cannot be a route');
  });

  it('answers with a schema that accepts everything', () => {
    expect(() => data(z.unknown())).toThrow('removes nothing');
    expect(() => lines(z.any())).toThrow('removes nothing');
  });

  it('except that public files need no schema', async () => {
    await addPublicFiles(app, async (files) => {
      files.get('/a.css', () => 'x');
    });
    expect(() => app.get('/b.css', () => 'x')).toThrow('does not say');
    expect((await app.inject('/a.css')).body).toBe('x');
    expect(app.declared).toEqual([]);
  });
});

describe('a declared route', () => {
  /** Adds a route without parameters. */
  function add<G>(answers: Declaration<'none', G>['answers'], give: () => G): void {
    addRoute(app, { method: 'GET', path: ENDPOINTS.settings, for: 'public', takes: 'none', answers }, give);
  }
  const get = (url: string = ENDPOINTS.settings) => app.inject(url);

  it('is listed once, and also answers HEAD', async () => {
    addRoute(app, { ...whole, for: 'public' }, () => answer({ id: 'x' }));
    expect(app.declared.map(({ method, path }) => [method, path])).toEqual([['GET', ENDPOINTS.plan]]);
    expect((await app.inject({ method: 'HEAD', url: '/api/enrollments/plans/1' })).statusCode).toBe(200);
  });

  it('returns what it declares: everything else is removed, however deeply nested', async () => {
    const person = z.object({ id: z.number() });
    const given = [{ id: 1, token: 'secret' }];
    add(data(z.array(z.object({ person }))), () =>
      answer(
        given.map((one) => ({ person: one })),
        'next',
        207,
      ),
    );
    expect((await get()).json()).toEqual({
      status: 207,
      data: [{ person: { id: 1 } }],
      pagination: { nextPage: 'next' },
    });
  });

  it('also removes undeclared data without the envelope, and in every line', async () => {
    const given = { id: 1, token: 'secret' };
    add(bare(z.object({ id: z.number() })), () => given);
    async function* rest() {
      yield given;
      yield { ...given, id: 2 };
    }
    addRoute(
      app,
      { ...whole, for: 'public', takes: whole.takes, answers: lines(z.object({ id: z.number() })) },
      () => ({ rest: rest(), what: 'x' }),
    );
    expect((await get()).json()).toEqual({ id: 1 });
    expect((await get('/api/enrollments/plans/1')).body).toBe('{"id":1}\n{"id":2}\n');
  });

  it('OP-97 reports an internal error if its answer does not match, and shows none of the answer', async () => {
    const given: { id: string } = JSON.parse('{"id":17,"name":"Ann"}');
    add(data(z.object({ id: z.string() })), () => answer(given));
    async function* rest() {
      yield { id: 'first' };
      yield given;
    }
    addRoute(app, { ...whole, for: 'public', answers: lines(z.object({ id: z.string() })) }, () => ({
      rest: rest(),
      what: 'x',
    }));
    const response = await get();
    expect(response.statusCode).toBe(500);
    expect(errorEnvelope.parse(response.json()).error.code).toBe('internal');
    expect(response.body).not.toContain('Ann');
    const [first, last] = (await get('/api/enrollments/plans/1')).body.trimEnd().split('\n');
    expect(first).toBe('{"id":"first"}');
    expect(JSON.parse(last ?? '').error.code).toBe('internal');
  });

  it('receives only the input that it declares', async () => {
    const seen: unknown[] = [];
    addRoute(
      app,
      {
        method: 'POST',
        path: ENDPOINTS.plan,
        for: 'public',
        takes: {
          params: z.object({ plan: z.string() }),
          query: z.object({ page: z.coerce.number() }),
          body: z.object({ name: z.string() }),
        },
        answers: data(z.object({})),
      },
      ({ params, query, body }) => {
        seen.push(params, query, body);
        return answer({});
      },
    );
    const post = (payload: unknown, url = '/api/enrollments/plans/1?page=2&admin=1') =>
      app.inject({ method: 'POST', url, payload: payload as object });
    expect((await post({ name: 'x', role: 'owner' })).statusCode).toBe(200);
    expect(seen).toEqual([{ plan: '1' }, { page: 2 }, { name: 'x' }]);
    expect((await post({})).statusCode).toBe(400);
    expect((await post({ name: 'x' }, '/api/enrollments/plans/1?page=x')).statusCode).toBe(400);
  });

  it('sends a file under its name, and a redirect', async () => {
    async function* content() {
      yield 'a,b\n';
    }
    add(file, () => ({ name: 'Größe (1).csv', type: 'text/csv; charset=utf-8', content: content() }));
    addRoute(app, { ...whole, for: 'public', answers: redirect }, () => '/elsewhere');
    const saved = await get();
    expect(saved.body).toBe('a,b\n');
    expect(saved.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(saved.headers['content-disposition']).toBe(
      'attachment; filename="Gr_e_1_.csv"; filename*=UTF-8\'\'Gr%C3%B6%C3%9Fe%20%281%29.csv',
    );
    const sent = await get('/api/enrollments/plans/1');
    expect([sent.statusCode, sent.headers.location]).toEqual([302, '/elsewhere']);
  });
});
