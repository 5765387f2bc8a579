/**
 * Access checks that name no role or place: they ask about any of them, and a record that names none allows
 * nothing.
 */
import type { AccessAnswer, AccessWho, PersonAccess } from '@lms-admin/contract/access';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, expect, it } from 'vitest';
import { PEOPLE, startTestServer } from '../support/harness.ts';

const custom = (login: string, more: object) => ({ login, email: login, perm: 'CUSTOM', ...more });
const [WITHOUT_ROLE, WITHOUT_PROGRAMME, WITH_BOTH] = ['role', 'programme', 'both'].map(
  (name) => `${name}@northbridge.example`,
) as [string, string, string];
const enrols = { course_level_admin: true, sis_import: true, export_course_students: true };

const test = await startTestServer({
  access: {
    admins: [
      { login: PEOPLE.all, email: PEOPLE.all, perm: 'ALL', access_admin: true, course_level_admin: true },
      custom(WITHOUT_ROLE, { ...enrols, sub_accounts: '86' }),
      custom(WITHOUT_PROGRAMME, { ...enrols, roles: '3' }),
      custom(WITH_BOTH, { ...enrols, sub_accounts: '120,86', roles: '3', system: true }),
    ],
  },
});
afterAll(() => test.close());
const alma = await test.signIn(PEOPLE.all);

async function get<T>(path: string, query: Record<string, string>): Promise<T> {
  const body = await (await alma.fetch(`${path}?${new URLSearchParams(query)}`)).json();
  return body.data as T;
}
const question = (person: string, query: Record<string, string>) =>
  get<AccessAnswer>(ENDPOINTS.accessQuestion, { person, ...query });

it.each([
  [WITHOUT_ROLE, 'course-add', false, 'The record has no role for courses.'],
  [WITHOUT_ROLE, 'student-export', true, 'The record covers at least one programme.'],
  [WITHOUT_PROGRAMME, 'course-remove', false, 'The record covers no programme.'],
  [WITHOUT_PROGRAMME, 'student-export', false, 'The record covers no programme.'],
  // New people in a file belong to no programme.
  [WITHOUT_PROGRAMME, 'sis-file', true, 'The record has the tool SIS Import.'],
  [WITH_BOTH, 'course-add', true, 'The record covers at least one programme.'],
  [PEOPLE.all, 'course-add', true, 'The record covers the whole school.'],
])('%s, %s with any role and anywhere: %s', async (person, action, may, words) => {
  expect(await question(person, { action })).toMatchObject({ may, decides: { words } });
  const { people } = await get<AccessWho>(ENDPOINTS.accessWho, { action });
  expect(people.some(({ login }) => login === person)).toBe(may);
});

it('only the programme that covers a place is named', async () => {
  const { accounts } = (await get(ENDPOINTS.accessPlaces, {})) as {
    accounts: { id: number; name: string }[];
  };
  const nameOf = (id: number) => accounts.find((one) => one.id === id)?.name;
  const words = async (account: number) =>
    (await question(WITH_BOTH, { action: 'student-export', account: String(account) })).decides.words;
  expect(await words(86)).toBe(`The record covers ${nameOf(86)}.`);
  expect(await words(301)).toBe(`The record covers ${nameOf(301)} through ${nameOf(86)}.`);
  expect(await words(163)).toBe(`The record covers only ${nameOf(120)}, ${nameOf(86)}.`);
});

it('a tool of the record that needs access to the whole school is not reported as missing from the record', async () => {
  const { tools } = await get<PersonAccess>(ENDPOINTS.accessCheck, { person: WITH_BOTH });
  const wholeSchool = 'only for people with access to the whole school';
  expect(tools.find(({ tool }) => tool === 'system')).toMatchObject({
    may: false,
    words: expect.stringContaining(wholeSchool),
  });
  const answer = await question(WITH_BOTH, { action: 'system' });
  expect(answer).toMatchObject({ may: false, decides: { words: expect.stringContaining('whole school') } });
});
