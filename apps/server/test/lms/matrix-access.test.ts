/**
 * 'Can X do Y?' gives the same answer as the calls: every flag × perm × scope × role, first asked, then
 * tried.
 */
import { randomUUID } from 'node:crypto';
import { type AccessAnswer, type AccessWho, type PersonAccess } from '@lms-admin/contract/access';
import { ACTIONS, type ActionId } from '@lms-admin/contract/access-actions';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { STUDENT_EXPORT } from '@lms-admin/contract/student-export';
import { TOOLS } from '@lms-admin/contract/tools';
import { ZOOM_RUN_REVIEW } from '@lms-admin/contract/zoom-runs';
import { afterAll, describe, expect, it } from 'vitest';
import { askPlan, askSectionPlan } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import {
  browserOf,
  browsers,
  courses,
  endMatrix,
  PERSONS,
  type Person,
  type Reach,
  rowsFor,
  startMatrix,
  test,
} from './matrix-world.ts';

await startMatrix();
afterAll(endMatrix);

const [, asker] = browserOf('access_admin', 'on', 'ALL');
const browserFor = ({ login }: Person) => browsers.get(login) as Browser;
/** Role 3 is on everyone's list here; role 4 is one that `ALL` can give. */
const ROLES = [3, 4];

async function get<T>(path: string, query: Record<string, string>): Promise<T> {
  const response = await asker.fetch(`${path}?${new URLSearchParams(query)}`);
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return body.data as T;
}

const isOk = async (response: Promise<Response>) => (await response).status === 200;
const started = (kind: string, input: object) => (browser: Browser) =>
  isOk(browser.post(jobStartPath(kind), { key: randomUUID(), input }));

type Try = (browser: Browser, reach: Reach, role: number) => Promise<boolean>;

const inCourse =
  (status: 'active' | 'deleted'): Try =>
  async (browser, reach, role_id) => {
    const emails = ['alma.reyes@northbridge.example'];
    const { plan } = await askPlan(browser, { role_id, status, courses: [courses[reach].id], emails });
    return (plan?.courses.length ?? 0) > 0;
  };
const inSection =
  (status: 'active' | 'deleted'): Try =>
  async (browser, reach, role_id) => {
    const { id, section } = courses[reach];
    const one = { course: id, section: section.id, role_id, status, users: ['5001001'] };
    const { plan } = await askSectionPlan(browser, { sections: [one] });
    return (plan?.entries.length ?? 0) > 0;
  };

/** Every action that is tried. Recordings are only a link, and new people are in `matrix-submit.test.ts`. */
const TRIES: Partial<Record<ActionId, Try>> = {
  'course-add': inCourse('active'),
  'course-remove': inCourse('deleted'),
  'section-add': inSection('active'),
  'section-remove': inSection('deleted'),
  'zoom-links': (browser, reach) =>
    isOk(browser.fetch(ENDPOINTS.zoomOpenChanges.replace(':course', String(courses[reach].id)))),
  groups: (browser, reach) =>
    isOk(browser.fetch(ENDPOINTS.groupImports.replace(':course', String(courses[reach].id)))),
  'student-export': (browser, reach) =>
    started(STUDENT_EXPORT, { course: courses[reach].id, groups: false, format: 'csv', time_zone: null })(
      browser,
    ),
  'zoom-update': (browser, reach) =>
    started(ZOOM_RUN_REVIEW, { course: courses[reach].id, days: 30 })(browser),
  'sis-file': (browser, reach) => {
    const form = new FormData();
    form.set('file', new File([rowsFor(reach).join('\n')], 'file.csv'));
    return isOk(browser.fetch(ENDPOINTS.sisFiles, { method: 'POST', body: form }));
  },
  'people-search': (browser) => isOk(browser.invoke('accounts/1/users?search_term=alma&per_page=100')),
  images: (browser) => isOk(browser.fetch(ENDPOINTS.images)),
  award: (browser) => isOk(browser.fetch(ENDPOINTS.awardCampuses)),
  access: (browser) => isOk(browser.fetch(ENDPOINTS.accessPeople)),
  system: (browser) => isOk(browser.fetch(ENDPOINTS.system)),
};

/**
 * People with only one flag, and people with every flag except one, so that each flag is on once and off
 * once.
 */
const SOME = PERSONS.filter(
  ({ login }) => login.includes('.on.') || login.startsWith('course_level_admin.off'),
);

describe.each(ACTIONS.filter(({ id }) => TRIES[id]))('$words', (action) => {
  it('the answer matches the call, for everyone, in scope and out of it', async () => {
    const attempt = TRIES[action.id];
    for (const person of SOME)
      for (const reach of action.place ? (['in', 'out'] as const) : (['in'] as const))
        for (const role of action.level === null ? [3] : ROLES) {
          const said = await get<AccessAnswer>(ENDPOINTS.accessQuestion, {
            person: person.login,
            action: action.id,
            role: String(role),
            ...(action.place ? { course: String(courses[reach].id) } : {}),
          });
          const asked = { login: person.login, reach, role };
          expect({ ...asked, may: said.may }).toEqual({
            ...asked,
            may: (await attempt?.(browserFor(person), reach, role)) ?? null,
          });
          expect(said.decides).toEqual(said.rules.find(({ holds }) => !holds) ?? said.rules.at(-1));
        }
  });

  it('the reverse question names exactly the people whose answer is yes', async () => {
    const query = { action: action.id, role: '3', course: String(courses.in.id) };
    const { people, of } = await get<AccessWho>(ENDPOINTS.accessWho, query);
    const named = new Set(people.map(({ login }) => login));
    expect(of).toBeGreaterThanOrEqual(PERSONS.length);
    for (const { login } of PERSONS) {
      const { may } = await get<AccessAnswer>(ENDPOINTS.accessQuestion, { ...query, person: login });
      expect([login, named.has(login)]).toEqual([login, may]);
    }
  });
});

it('every tool in the answer about a person matches the guard of its routes', async () => {
  const routes = TOOLS.flatMap(({ id }) => {
    const route = test.server.routes.find(
      ({ for: audience }) => Array.isArray(audience) && audience[0] === id && audience.length === 1,
    );
    return route ? [{ id, route }] : [];
  });
  expect(routes.length).toBeGreaterThan(8);
  for (const person of PERSONS) {
    const { tools } = await get<PersonAccess>(ENDPOINTS.accessCheck, { person: person.login });
    for (const { id, route } of routes) {
      const path = route.path.replace(/:\w+/g, () => randomUUID());
      const write = route.method !== 'GET';
      const { status } = write
        ? await browserFor(person).post(path, {})
        : await browserFor(person).fetch(path);
      const asked = { login: person.login, tool: id };
      expect({ ...asked, may: tools.find(({ tool }) => tool === id)?.may }).toEqual({
        ...asked,
        may: status !== 403,
      });
    }
  }
});

it('everyone sees their own access as others see it', async () => {
  for (const person of SOME) {
    const own = await (await browserFor(person).fetch(ENDPOINTS.accessMe)).json();
    expect(own.data).toEqual(await get<PersonAccess>(ENDPOINTS.accessCheck, { person: person.login }));
  }
});
