/**
 * The safety matrix: every registered call × every flag on and off × scope × session × origin, and calls that
 * are not registered. It is generated from the registries, so that new calls and flags are included
 * automatically.
 */
import { randomUUID } from 'node:crypto';
import { LMS_CALLS, LMS_TYPES, type LmsCall } from '@lms-admin/contract/lms-calls';
import { TOOLS } from '@lms-admin/contract/tools';
import { FLAGS } from '@lms-admin/domain/access';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchCall } from '../../src/lms/match.ts';
import { audit } from '../../src/platform/schema.ts';
import { Browser } from '../support/browser.ts';
import {
  browserOf,
  browsers,
  categoryPayload,
  counted,
  courses,
  endMatrix,
  foreignImport,
  IN_REACH,
  lmsCalls,
  OUT_OF_REACH,
  openSession,
  ownImport,
  PERMS,
  PERSONS,
  type Person,
  quiet,
  type Reach,
  STATES,
  sectionPayload,
  startMatrix,
  test,
} from './matrix-world.ts';

/**
 * Returns whether one of the person's flags allows this call, or another call to the same address, according
 * to the tool registry.
 */
function isAdmitted(person: Person, call: LmsCall): boolean {
  const url = urlOf(call, 'in', randomUUID());
  const fitting = LMS_CALLS.filter(
    (one) => matchCall(call.type, url, (other) => other === one)?.call === one,
  );
  return TOOLS.some(
    (tool) => fitting.some(({ id }) => tool.calls.includes(id)) && person.flags.has(tool.flag),
  );
}

beforeAll(startMatrix);
afterAll(endMatrix);

/** Values for path parameters. A new name in the registry needs values here. */
const PARAMS: Record<string, (reach: Reach, own: string) => string> = {
  account: (reach) => String(reach === 'in' ? IN_REACH : OUT_OF_REACH),
  course: (reach) => String(courses[reach].id),
  section: (reach) => String(courses[reach].section.id),
  category: (reach) => String(courses[reach].category),
  import: (reach, own) => (reach === 'in' ? own : foreignImport),
  person: () => 'sis_user_id:5001001',
};
/** People do not belong to a programme. */
const WITHOUT_REACH = ['person'];

/** Payloads by call. `POST_SIS` has its own matrix. */
const PAYLOADS: Record<string, (reach: Reach) => unknown> = {
  'section-sis-id': sectionPayload,
  // Returns a category with a new name for each call, because a category can be created once.
  'group-category-create': (reach) => categoryPayload(reach, randomUUID()),
  'group-category-sis-id': (reach) => {
    const { sis_group_category_id } = categoryPayload(reach);
    return { sis_group_category_id };
  },
};

/** Required query values, by call. Without them, the call is not the registered one. */
const NEEDED: Record<string, string | ((reach: Reach) => string)> = {
  'user-by-email search_term': 'alma.reyes@northbridge.example',
  'user-search search_term': 'reyes',
  'course-details include[]': 'total_students',
  'calendar-events context_codes[]': (reach) => `course_${courses[reach].id}`,
  'calendar-events start_date': '2026-11-22',
  'calendar-events end_date': '2026-12-22',
};

function urlOf(call: LmsCall, reach: Reach, own = ''): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => PARAMS[name]?.(reach, own) ?? 'unknown');
  const query = (call.needs ?? []).map((name) => {
    const value = NEEDED[`${call.id} ${name}`] ?? '';
    return `${name}=${encodeURIComponent(typeof value === 'string' ? value : value(reach))}`;
  });
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

/** Returns whether the path or query of a call names something that can be out of scope. */
const limited = (call: LmsCall) =>
  Object.keys(call.params).some((name) => !WITHOUT_REACH.includes(name)) ||
  (call.needs ?? []).some((name) => typeof NEEDED[`${call.id} ${name}`] === 'function');
const CALLS = LMS_CALLS.filter((call) => call.id !== 'sign-out' && call.type !== 'POST_SIS');

async function ask(browser: Browser, call: LmsCall, reach: Reach, init: { origin?: string } = {}) {
  const own = call.params.import && reach === 'in' ? await ownImport(browser) : foreignImport;
  return counted(() => browser.invoke(urlOf(call, reach, own), call.type, PAYLOADS[call.id]?.(reach), init));
}

it('OP-02 every parameter of the registry has values in this matrix', () => {
  const names = LMS_CALLS.flatMap((call) => Object.keys(call.params));
  expect(names.filter((name) => !(name in PARAMS))).toEqual([]);
  const needed = LMS_CALLS.flatMap(({ id, needs }) => (needs ?? []).map((name) => `${id} ${name}`));
  expect(needed.filter((name) => !(name in NEEDED))).toEqual([]);
  const payloads = CALLS.filter((call) => call.payload !== null).map(({ id }) => id);
  expect(payloads.filter((id) => !(id in PAYLOADS))).toEqual([]);
});

for (const call of CALLS) {
  describe(`${call.type} ${call.path}`, () => {
    for (const flag of FLAGS) {
      for (const state of STATES) {
        for (const perm of PERMS) {
          it(`OP-02, PERM-05 ${flag} ${state}, ${perm}, in scope`, async () => {
            const [person, browser] = browserOf(flag, state, perm);
            const got = await ask(browser, call, 'in');
            if (isAdmitted(person, call)) expect(got).toMatchObject({ status: 200, code: null });
            else expect(got).toMatchObject({ status: 403, code: 'not-allowed', called: 0 });
          });
          if (!limited(call)) continue;
          it(`OP-14 ${flag} ${state}, ${perm}, out of scope`, async () => {
            const [person, browser] = browserOf(flag, state, perm);
            const got = await ask(browser, call, 'out');
            if (!isAdmitted(person, call))
              expect(got).toMatchObject({ status: 403, code: 'not-allowed', called: 0 });
            else if (perm === 'ALL') expect(got).toMatchObject({ status: 200, code: null });
            else expect(got).toMatchObject({ status: 404, code: 'not-found' });
          });
        }
      }
    }
    const [anyone] = PERSONS.filter((person) => isAdmitted(person, call));
    if (!anyone) return;

    it('OP-09 without a session it is a 401, and nothing reaches the LMS', async () => {
      const got = await ask(new Browser(test.url), call, 'in');
      expect(got).toMatchObject({ status: 401, code: 'signed-out', called: 0 });
    });
    it('OP-08 with a session from an hour ago it is a 401, and nothing reaches the LMS', async () => {
      const got = await ask(await openSession(anyone, Date.now() - 3_600_000, randomUUID()), call, 'in');
      expect(got).toMatchObject({ status: 401, code: 'signed-out', called: 0 });
    });
    it('OP-06 from another site it is a 403, and nothing reaches the LMS', async () => {
      const browser = browsers.get(anyone.login) as Browser;
      const got = await ask(browser, call, 'out', { origin: 'https://evil.example' });
      expect(got).toMatchObject({ status: 403, code: 'foreign-origin', called: 0 });
    });
  });
}

describe('OP-02 an unregistered call is rejected with 403, recorded, and does not reach the LMS', () => {
  const everything = PERSONS.find((person) => person.perm === 'ALL' && person.flags.size > 1) as Person;

  /** Ways to get past a registered path. */
  const bend: Record<string, (url: string) => string> = {
    'a leading slash': (url) => `/${url}`,
    'the API prefix': (url) => `/api/v1/${url}`,
    'an absolute URL': (url) => `https://evil.example/${url}`,
    'an absolute URL of the LMS': (url) => `${test.config.lms.url}/api/v1/${url}`,
    'a host without a scheme': (url) => `//evil.example/${url}`,
    'dots before': (url) => `../${url}`,
    'dots inside': (url) => url.replace('/', '/x/../'),
    'encoded dots': (url) => url.replace('/', '/%2e%2e/'),
    'encoded dots, twice': (url) => url.replace('/', '/%252e%252e/'),
    'an encoded slash': (url) => url.replace('/', '%2f'),
    'an encoded backslash': (url) => url.replace('/', '%5C'),
    'a backslash': (url) => url.replace('/', '\\'),
    'a double slash': (url) => url.replace('/', '//'),
    'a further segment': (url) => `${url}/users`,
    'a slash at the end': (url) => `${url}/`,
    'a format': (url) => `${url}.json`,
    'upper case': (url) => url.toUpperCase(),
    'a fragment': (url) => `${url}#x`,
    'a line break': (url) => `${url}\nx`,
    'a blank': (url) => ` ${url}`,
    'a NUL': (url) => `${url}\u0000`,
    'an empty query': (url) => `${url}?`,
    'another person': (url) => `${url}?as_user_id=1`,
    'a token in the query': (url) => `${url}?access_token=x`,
    'a query name of Object': (url) => `${url}?constructor=x`,
    'an encoded query name': (url) => `${url}?%61s_user_id=1`,
    'a second question mark': (url) => `${url}?per_page=100?x`,
    'a name twice': (url) => `${url}?per_page=100&per_page=100`,
    'a larger page size': (url) => `${url}?per_page=1000`,
    'a broken encoding': (url) => `${url}?page=%E0%A4%A`,
    'other includes': (url) => `${url}?include[]=permissions`,
    'an SIS ID in the path': (url) => url.replace(/\d+/, 'sis_account_id:x'),
  };

  /** Checks that each call is rejected, leaves one audit line and causes no LMS call. */
  async function refused(asked: { url: string; type: string; payload?: unknown }[]) {
    const { login } = everything;
    await quiet();
    const [before, calls] = [await refusals(login), lmsCalls()];
    for (const { url, type, payload } of asked) {
      const response = await (browsers.get(login) as Browser).invoke(url, type, payload);
      expect({ url, type, status: response.status, body: await response.json() }).toMatchObject({
        status: 403,
        body: { status: 403, error: { code: 'not-allowed' } },
      });
    }
    expect(lmsCalls()).toBe(calls);
    expect(await refusals(login)).toBe(before + asked.length);
  }

  for (const call of LMS_CALLS) {
    const { type } = call;
    it(`${type} ${call.path}, distorted`, async () => {
      const [path = '', query] = urlOf(call, 'in', foreignImport).split('?');
      const asked = Object.entries(bend).flatMap(([name, change]) => {
        const bent = change(path);
        // Some distortions do not change a path without digits, and an SIS ID may end like a file extension.
        if (bent === path || (name === 'a format' && call.params.person)) return [];
        return {
          url: query === undefined ? bent : `${bent}${bent.includes('?') ? '&' : '?'}${query}`,
          type,
        };
      });
      expect(asked.length).toBeGreaterThan(20);
      await refused(asked);
    });
    it(`${type} ${call.path} with other methods`, async () => {
      const url = urlOf(call, 'in', foreignImport);
      const others = [...LMS_TYPES, 'PATCH', 'HEAD', 'OPTIONS', 'get', 'POST_sis', 'constructor'];
      await refused(
        others.filter((other) => matchCall(other, url) === null).map((other) => ({ url, type: other })),
      );
    });
    if (call.payload === null) {
      it(`${type} ${call.path} with a payload`, async () => {
        await refused([{ url: urlOf(call, 'in', foreignImport), type, payload: { name: 'x' } }]);
      });
    }
  }

  it('calls to Canvas that the console does not make', async () => {
    const urls = [
      'users/self',
      'accounts/1/admins',
      'accounts/self/terms',
      'courses/1/users',
      'graphql',
      '*',
    ];
    await refused(urls.flatMap((url) => LMS_TYPES.map((type) => ({ url, type }))));
  });

  async function refusals(login: string): Promise<number> {
    const where = and(eq(audit.login, login), eq(audit.event, 'LMS call refused'));
    return test.server.services.db.db.$count(audit, where);
  }
});
