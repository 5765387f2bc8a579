/**
 * The safety matrix of routes: each route of the running server × every flag on and off × session × origin. A
 * route declares who can call it; `matrix-calls.ts` defines how to call it.
 */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ENDPOINTS, jobStartPath, OWN_REQUEST } from '@lms-admin/contract/endpoints';
import { type Tool, toolById } from '@lms-admin/contract/tools';
import { afterAll, describe, expect, it } from 'vitest';
import type { Declaration } from '../../src/platform/route.ts';
import { Browser } from '../support/browser.ts';
import { type Ask, CALLS } from './matrix-calls.ts';
import {
  browserOf,
  browsers,
  endMatrix,
  lmsCalls,
  openSession,
  PERMS,
  PERSONS,
  type Person,
  quiet,
  startMatrix,
  test,
} from './matrix-world.ts';

await startMatrix();
afterAll(endMatrix);

async function ask(browser: Browser, route: Declaration, asked: Ask, origin?: string): Promise<Response> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => asked.params?.[name] ?? randomUUID());
  const query = asked.query ? `?${new URLSearchParams(asked.query)}` : '';
  const init = {
    method: route.method,
    ...(asked.form ? { body: asked.form } : {}),
    ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    headers: {
      ...asked.headers,
      ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(origin === undefined ? {} : { origin }),
  };
  return browser.fetch(path + query, init);
}

const nameOf = ({ method, path }: Declaration) => `${method} ${path}`;
const takesBody = ({ takes }: Declaration) => takes !== 'none' && takes.body !== undefined;
const isForm = ({ takes }: Declaration) => takes !== 'none' && takes.body === 'multipart';
const tools = ({ for: audience }: Declaration): Tool[] =>
  typeof audience === 'string' ? [] : audience.map(toolById);

/**
 * Returns whether a person has access to a tool. The system page is only for `perm` `ALL`, whatever the
 * record says.
 */
const admits = ({ flags, perm }: Person, flag: Tool['flag']): boolean =>
  flags.has(flag) && (flag !== 'system' || perm === 'ALL');

function isAdmitted(person: Person, route: Declaration): boolean {
  return typeof route.for === 'string' || tools(route).some(({ flag }) => admits(person, flag));
}

/** Creates a meaningless call that fits the route's schema. */
const EMPTY = (route: Declaration): Ask => ({
  ...(takesBody(route) ? { body: {} } : {}),
  headers: { [OWN_REQUEST.name]: OWN_REQUEST.value },
});

it('OP-98 every path of the contract has a route, and every route is in this matrix', () => {
  const routes = test.server.routes.map(nameOf);
  const unknown = routes.filter((name) => !Object.hasOwn(CALLS, name));
  expect(unknown, 'the matrix does not know how to call these: say it in CALLS').toEqual([]);
  expect(Object.keys(CALLS).filter((name) => !routes.includes(name))).toEqual([]);
  // Each kind of job that can be started has its own path.
  const started = test.server.routes.filter(({ path }) => path.startsWith(jobStartPath('')));
  const paths = new Set(test.server.routes.filter((one) => !started.includes(one)).map(({ path }) => path));
  expect([...paths].sort()).toEqual(Object.values(ENDPOINTS).sort());
});

it('PERM-07 a route is for certain tools, or is listed here as an exception', () => {
  const open = test.server.routes.filter((route) => typeof route.for === 'string');
  const named = Object.entries(CALLS).filter(([, call]) => call.for);
  expect(Object.fromEntries(open.map((route) => [nameOf(route), route.for]))).toEqual(
    Object.fromEntries(named.map(([name, call]) => [name, call.for])),
  );
});

for (const route of test.server.routes) {
  const { for: audience } = route;
  const call = CALLS[nameOf(route)];
  const others = PERSONS.filter((person) => !isAdmitted(person, route));
  /** One person for each tool and scope without other flags; a signed-in admin; a browser without a session. */
  const callers: [Person | null, Browser][] =
    audience === 'public'
      ? [[null, new Browser(test.url)]]
      : PERMS.flatMap((perm) =>
          audience === 'signed-in'
            ? [browserOf('course_level_admin', 'on', perm)]
            : tools(route).flatMap(({ flag }) => {
                const caller = browserOf(flag, 'on', perm);
                return admits(caller[0], flag) ? [caller] : [];
              }),
        );

  describe(nameOf(route), () => {
    it('PERM-05, PERM-07 admits exactly the people whose flags allow it', async () => {
      await quiet();
      for (const person of PERSONS) {
        const before = lmsCalls();
        const response = await ask(browsers.get(person.login) as Browser, route, EMPTY(route));
        const text = await response.text();
        if (isAdmitted(person, route)) {
          expect([200, 302, 400, 404]).toContain(response.status);
        } else {
          expect({ person, status: response.status }).toEqual({ person, status: 403 });
          expect(JSON.parse(text).error.code).toBe('not-allowed');
        }
        const asks = audience === 'public' || (call?.asksLms === true && isAdmitted(person, route));
        if (!asks) expect(lmsCalls()).toBe(before);
      }
    });

    it('OP-97 answers people with access, with the declared data and nothing else', async () => {
      for (const [person, browser] of callers) {
        const response = await ask(browser, route, await asked(person, browser));
        const text = await response.text();
        expect({ person, status: response.status, text }).toMatchObject({ status: call?.status ?? 200 });
        expect(response.headers.get('cache-control')).toBe('no-store');
        const { schema } = route.answers;
        if (!schema || response.status !== 200) continue;
        const inLines = response.headers.get('content-type')?.includes('ndjson');
        // A list in lines can be empty.
        for (const line of inLines ? text.split('\n').filter((one) => one !== '') : [text]) {
          const got = JSON.parse(line);
          const data = 'pagination' in got ? got.data : got;
          expect(schema.parse(data)).toEqual(data);
        }
      }
    });

    async function asked(person: Person | null, browser: Browser): Promise<Ask> {
      return call ? call.ask(person ?? (PERSONS[0] as Person), browser) : {};
    }

    const foreign = call?.foreign;
    if (foreign) {
      it('OP-14 another person’s objects are treated as missing', async () => {
        for (const [person, browser] of callers) {
          const response = await ask(browser, route, await foreign.ask(person as Person));
          const { seenByAll = false } = foreign;
          const seen = seenByAll !== false && person?.perm === 'ALL';
          const named = typeof seenByAll !== 'string' || person?.flags.has(seenByAll);
          expect({ person, status: response.status }).toEqual({
            person,
            status: !seen ? 404 : named ? (foreign.status ?? call.status ?? 200) : 403,
          });
        }
      });
    }

    if (route.method !== 'GET') {
      it('OP-06 rejects requests from another site', async () => {
        for (const [person, browser] of callers) {
          const response = await ask(browser, route, await asked(person, browser), 'https://evil.example');
          expect([response.status, (await response.json()).error.code]).toEqual([403, 'foreign-origin']);
        }
      });
    }

    if (audience === 'public') return;

    it('OP-08, OP-09 rejects requests without a session, or with one from an hour ago', async () => {
      const [[anybody] = [null]] = callers;
      const old = await openSession(anybody as Person, Date.now() - 3_600_000, randomUUID());
      for (const browser of [new Browser(test.url), old]) {
        const response = await ask(browser, route, EMPTY(route));
        expect([response.status, (await response.json()).error.code]).toEqual([401, 'signed-out']);
      }
    });

    if (!takesBody(route)) return;

    it('OP-09, PERM-07 permissions are checked before the body is read', async () => {
      const [refused] = others;
      const cases: [Browser, number][] = [
        [new Browser(test.url), 401],
        ...(refused ? [[browsers.get(refused.login) as Browser, 403] as [Browser, number]] : []),
      ];
      for (const [browser, status] of cases)
        expect(await statusWithoutBody(browser, route, 1_000)).toBe(status);
    });

    // The handler limits a form as it reads it.
    if (isForm(route)) return;
    it('a body larger than the route allows is rejected unread', async () => {
      const [[, browser] = [null, new Browser(test.url)]] = callers;
      const bytes = route.bodyLimit ?? 1_048_576;
      expect(await statusWithoutBody(browser, route, bytes + 1)).toBe(413);
    });
  });
}

/** Returns the status of the answer to a request whose body is announced but never sent. */
async function statusWithoutBody(
  browser: Browser,
  { method, path }: Declaration,
  bytes: number,
): Promise<number> {
  const { hostname, port, host, origin } = new URL(test.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  socket.write(
    [
      `${method} ${path} HTTP/1.1`,
      `host: ${host}`,
      `origin: ${origin}`,
      `cookie: ${cookies}`,
      'content-type: application/json',
      `content-length: ${bytes}`,
      '\r\n',
    ].join('\r\n'),
  );
  const [first]: Buffer[] = await once(socket, 'data');
  socket.destroy();
  return Number(/^HTTP\/1.1 (\d+)/.exec(String(first))?.[1]);
}
