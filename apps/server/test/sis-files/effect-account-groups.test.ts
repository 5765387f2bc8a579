/** Groups in accounts: who leaves them when the person or the group is deleted (SIS-06). */
import { beforeAll, expect, test } from 'vitest';
import { submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, openEffects, ts, USERS } from './effect-campus.ts';
import { MEMBERS, sent } from './removals.ts';
import { effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const GROUPS = 'group_id,account_id,name,status';
/** New people, all members of a club in the root account and of one in another account. */
const CLUB = ['CLUB-1', 'CLUB-2', 'CLUB-3', 'CLUB-4', 'CLUB-5'];
const person = (sis = '', status = 'active') =>
  `${sis},${sis.toLowerCase()}@x.example,Zoë O’Neill–Łukasz,${status}`;
const [ONE, TWO, THREE, FOUR, FIVE] = CLUB;

let account: string;

beforeAll(async () => {
  const found = [...ts.sandbox.world.accounts.values()].find((one) => one.sis_source_id !== null);
  account = found?.sis_source_id ?? '';
  const members = CLUB.flatMap((sis) => [`CLUB-ROOT,${sis},accepted`, `CLUB-ACC,${sis},accepted`]);
  const made = await reviewed(
    alma,
    await zipOf({
      'users.csv': [USERS, ...CLUB.map((sis) => person(sis))].join('\n'),
      'groups.csv': [
        GROUPS,
        'CLUB-ROOT,,Root club,available',
        `CLUB-ACC,${account},Chess,available`,
        `CLUB-EMPTY,${account},Empty,available`,
      ].join('\n'),
      'members.csv': [MEMBERS, ...members].join('\n'),
    }),
    'clubs.zip',
  );
  await watch(alma, (await submitted(alma, { file: made.id })).id);
});

test('SIS-06: deleted people also lose account groups, which are named, counted and confirmed by number', async () => {
  const { id, effect } = await sent([USERS, person(ONE, 'deleted'), person(TWO, 'deleted')].join('\n'));
  expect(effect.brake.takes).toEqual([
    { kind: 'user', count: 2 },
    { kind: 'group_membership', count: 4 },
  ]);
  const { rows } = await effectRows(alma, id, { table: 'user', does: 'deletes' });
  for (const { takes, why } of rows) {
    expect(takes).toBe('with 0 enrolments in 0 courses, 2 group memberships');
    expect(why).toContain(
      'They also lose any administrator roles, and memberships in groups of courses that they are not enrolled in. LMS Admin does not count these roles and memberships.',
    );
  }
});

test('SIS-06: if a person and their account group are in one zip, each membership is counted once', async () => {
  const { id, effect } = await sent(
    await zipOf({
      'users.csv': `${USERS}\n${person(THREE, 'deleted')}`,
      'groups.csv': `${GROUPS}\nCLUB-ACC,${account},Chess,deleted`,
    }),
    'both.zip',
  );
  // Three people leave this club, and one of them also leaves the other.
  expect(effect.brake.takes).toEqual([
    { kind: 'user', count: 1 },
    { kind: 'group', count: 1 },
    { kind: 'group_membership', count: 4 },
  ]);
  const { rows } = await effectRows(alma, id, { table: 'group', does: 'deletes' });
  expect(rows).toMatchObject([{ why: 'Its members are removed from it.', in: { id: account } }]);
});

test('SIS-06: account groups that the LMS does not list cannot be counted: a number has to be confirmed', async () => {
  await campus.fault({ match: '/api/v1/accounts/*/groups', kind: 'status', status: 500 });
  const { id, effect } = await reviewed(alma, `${USERS}\n${person(FOUR, 'deleted')}`);
  expect(effect.brake).toMatchObject({ confirm: 1, reason: 'untold' });
  const { rows } = await effectRows(alma, id, { table: 'user', does: 'deletes' });
  expect(rows[0]?.takes).toContain('memberships in groups of accounts that could not be counted');
});

test('SIS-01: account groups are read once for a file that deletes people, and for no other file', async () => {
  const asked = async () =>
    (await campus.requests((one) => /\/accounts\/\d+\/groups/.test(one.path))).map(({ path }) => path);
  await campus.forgetRequests();
  await reviewed(alma, [USERS, person(FOUR), person(FIVE)].join('\n'));
  expect(await asked()).toEqual([]);
  await reviewed(alma, [USERS, person(FOUR, 'deleted'), person(FIVE, 'deleted')].join('\n'));
  const paths = await asked();
  expect(paths.length).toBeGreaterThan(1);
  expect(new Set(paths).size).toBe(paths.length);
  const emptyGroup = ts.sandbox.world.groups.by.sis.get('CLUB-EMPTY')?.id;
  expect(await campus.requests((each) => each.path.includes(`/groups/${emptyGroup}/`))).toEqual([]);
});
