/**
 * Logins of people who have several, and deleted or suspended logins, shown as the LMS treats them (SIS-01,
 * SIS-06).
 */
import { describe, expect, test } from 'vitest';
import { alma, campus, ENROL, openEffects, ts, USERS } from './effect-campus.ts';
import { MEMBERS, sectioned, sent, students } from './removals.ts';
import { doing, effectRows, reviewed, zipOf } from './support.ts';

openEffects();

/** Gives a person a second login with an SIS ID. */
function second(sis: string, name: string) {
  const { pseudonyms } = ts.sandbox.world;
  const like = pseudonyms.by.sis.get(sis);
  if (!like) throw new Error('nobody');
  const { id: _id, ...fields } = like;
  const login = `${name.toLowerCase()}@logins.example`;
  pseudonyms.add({ ...fields, unique_id: login, sis_user_id: name, integration_id: null });
  return { user: like.user_id, login };
}

describe('a deleted login of a person who has another login', () => {
  test('SIS-01: is restored together with its person, by name or address', async () => {
    const { users, pseudonyms } = ts.sandbox.world;
    const [ann] = campus.strangers(1, []);
    const { user, login } = second(ann?.sis ?? '', 'LOG-A');
    const { name } = users.must(user);
    const row = (status: string, full = name) => `${USERS}\nLOG-A,${login},${full},${status}`;
    await sent(row('deleted'));
    const { id, effect } = await sent(row('active'));
    expect(doing(effect, 'user')).toEqual({ restores: 1 });
    const { rows } = await effectRows(alma, id, { table: 'user' });
    expect(rows[0]).toMatchObject({
      of: { name, page: expect.stringContaining(`users/${user}`) },
      why: expect.stringContaining(`also has the login "${ann?.email}"`),
      fields: [['status', 'deleted', 'active']],
    });
    expect(pseudonyms.by.sis.get('LOG-A')).toMatchObject({ user_id: user, workflow_state: 'active' });

    await sent(row('deleted'));
    const renamed = await sent(
      `${USERS},email\nLOG-A,other@logins.example,Renamed Person,suspended,${ann?.email}`,
    );
    expect(doing(renamed.effect, 'user')).toEqual({ restores: 1 });
    const shown = await effectRows(alma, renamed.id, { table: 'user' });
    expect(shown.rows[0]?.fields.slice(0, 3)).toEqual([
      ['status', 'deleted', 'suspended'],
      ['login_id', login, 'other@logins.example'],
      ['full_name', name, 'Renamed Person'],
    ]);
    expect(users.must(user).name).toBe('Renamed Person');
    expect(pseudonyms.by.sis.get('LOG-A')?.workflow_state).toBe('suspended');
  });

  test('SIS-06: if deleted in the same zip, still means the person in removals and groups, and unknown effects are marked', async () => {
    const { enrollments, groupMemberships, groups } = ts.sandbox.world;
    const found = sectioned()[2];
    const { course } = found ?? { course: { id: 0, sis: '' } };
    const [place, other] = await students(course.id);
    const { user, login } = second(place?.sis ?? '', 'LOG-B');
    const more = second(other?.sis ?? '', 'LOG-C');
    const { id, effect } = await sent(
      await zipOf({
        'users.csv': `${USERS}\nLOG-B,${login},x,deleted\nLOG-C,${more.login},y,deleted`,
        'enrolments.csv': [
          ENROL,
          `${course.sis},${place?.section},LOG-B,3,deleted`,
          `${course.sis},${place?.section},LOG-C,4,active`,
        ].join('\n'),
        'categories.csv': `group_category_id,course_id,category_name,status\nLOG-K,${course.sis},Logins,active`,
        'groups.csv': 'group_id,group_category_id,name,status\nLOG-G,LOG-K,Team,available',
        'members.csv': `${MEMBERS}\nLOG-G,LOG-C,accepted`,
      }),
      'all.zip',
    );
    expect(doing(effect, 'enrollment')).toEqual({ removes: 1, unknown: 1 });
    const { rows } = await effectRows(alma, id, { table: 'enrollment', does: 'unknown' });
    expect(rows[0]?.why).toContain('The login with the SIS ID "LOG-C" is deleted');
    expect(doing(effect, 'group_membership')).toEqual({ creates: 1 });
    const left = [...enrollments.by.user.get(user)].filter(
      (one) => one.course_id === course.id && one.workflow_state !== 'deleted',
    );
    expect(left).toEqual([]);
    const group = groups.by.sis.get('LOG-G');
    const members = [...groupMemberships.by.group.get(group?.id ?? 0)];
    expect(members).toMatchObject([{ user_id: more.user, workflow_state: 'accepted' }]);
  });

  test('SIS-01: among many people, a deleted login is distinguished from a login in use', async () => {
    const { pseudonyms } = ts.sandbox.world;
    const [ann, bob] = campus.strangers(2, []);
    const used = second(ann?.sis ?? '', 'LOG-D');
    const gone = second(bob?.sis ?? '', 'LOG-E');
    const login = pseudonyms.by.sis.get('LOG-E');
    if (!login) throw new Error('no login');
    pseudonyms.change(login, { workflow_state: 'deleted' });
    const rows = Array.from({ length: 120 }, (_, at) => `LOG-${at},log${at}@x.example,New,active`);
    const { id, effect } = await reviewed(
      alma,
      [USERS, ...rows, `LOG-D,${used.login},Ann,active`, `LOG-E,${gone.login},Bob,active`].join('\n'),
    );
    expect(doing(effect, 'user')).toEqual({ creates: 120, changes: 1, restores: 1 });
    const { rows: back } = await effectRows(alma, id, { table: 'user', does: 'restores' });
    expect(back[0]).toMatchObject({
      of: { id: 'LOG-E', page: expect.stringContaining(`users/${gone.user}`) },
    });
  });
});

test('SIS-06: the review says that a deleted login may have an integration id, because the LMS does not show it', async () => {
  const { pseudonyms, sisBatches } = ts.sandbox.world;
  const [ann, bob] = campus.strangers(2, []);
  const login = pseudonyms.by.sis.get(ann?.sis ?? '');
  if (!login) throw new Error('nobody');
  pseudonyms.change(login, { integration_id: 'LOG-INT', workflow_state: 'deleted' });
  const { id } = await sent(
    `user_id,login_id,status,integration_id\n${bob?.sis},${bob?.email},active,LOG-INT`,
  );
  const { rows } = await effectRows(alma, id, { table: 'user' });
  expect(rows[0]?.why).toContain('If a deleted login has this integration ID, the LMS rejects the row');
  expect([...sisBatches.values()].at(-1)?.errors).toMatchObject([{ row: 2 }]);
});

test('SIS-01: a login that differs only in letter case is the same login, and is rewritten', async () => {
  const { pseudonyms } = ts.sandbox.world;
  const [ann] = campus.strangers(1, []);
  const upper = (ann?.email ?? '').toUpperCase();
  const { id, effect } = await sent(`user_id,login_id,status\n${ann?.sis},${upper},active`);
  expect(doing(effect, 'user')).toEqual({ changes: 1 });
  const { rows } = await effectRows(alma, id, { table: 'user' });
  expect(rows[0]?.fields).toEqual([['login_id', ann?.email, upper]]);
  expect(pseudonyms.by.sis.get(ann?.sis ?? '')?.unique_id).toBe(upper);
});

describe('a suspended login', () => {
  test('SIS-06: an active row gives the person access again, and the review says so', async () => {
    const { pseudonyms } = ts.sandbox.world;
    const [ann, bob, carl] = campus.strangers(3, []);
    const state = (one: typeof ann) => pseudonyms.by.sis.get(one?.sis ?? '')?.workflow_state;
    const row = (one: typeof ann, status: string, short = '') =>
      `${one?.sis},${one?.email},${status},${short}`;
    const header = 'user_id,login_id,status,short_name';
    await sent(`${header}\n${row(ann, 'suspended')}\n${row(bob, 'suspended')}`);
    expect([state(ann), state(bob)]).toEqual(['suspended', 'suspended']);

    const { id, effect } = await sent(
      [header, row(ann, 'active'), row(bob, 'Active', 'Bobby'), row(carl, 'active')].join('\n'),
    );
    expect(doing(effect, 'user')).toEqual({ restores: 2, nothing: 1 });
    expect(effect.brake.takes).toEqual([]);
    const { rows } = await effectRows(alma, id, { table: 'user', does: 'restores' });
    expect(rows[0]).toMatchObject({ fields: [['status', 'suspended', 'active']] });
    expect(rows[0]?.why).toBe(
      'The login was suspended. After this row the person can sign in again. Enrolments stay as they are.',
    );
    expect(rows[1]?.fields.map(([field]) => field)).toEqual(['status', 'short_name']);
    expect([state(ann), state(bob), state(carl)]).toEqual(['active', 'active', 'active']);
  });

  test('SIS-06: the review says that the state of a login was not looked up', async () => {
    const people = [...ts.sandbox.world.pseudonyms.values()].filter(
      ({ sis_user_id, workflow_state }) => sis_user_id !== null && workflow_state === 'active',
    );
    const rows = people.map((one) => `${one.sis_user_id},${one.unique_id},active`);
    expect(rows.length).toBeGreaterThan(1000);
    const { id } = await reviewed(alma, ['user_id,login_id,status', ...rows].join('\n'));
    const last = Math.ceil(rows.length / 100);
    const { rows: shown } = await effectRows(alma, id, { table: 'user', page: last });
    expect(shown.at(-1)?.why).toContain(
      'If the login is suspended, this row lets the person sign in again. LMS Admin did not check this in the LMS, and did not compare the authentication provider.',
    );
  });
});

test('SIS-06: a login given to a login from the same upload belongs to that person', async () => {
  const { groups, groupMemberships } = ts.sandbox.world;
  const { course } = sectioned()[4] ?? { course: { id: 0, sis: '' } };
  const [place] = await students(course.id);
  const { id, effect } = await sent(
    await zipOf({
      'logins.csv': [
        'user_id,login_id,existing_user_id,status',
        `CHAIN-1,chain-1@x.example,${place?.sis},active`,
        'CHAIN-2,chain-2@x.example,CHAIN-1,active',
      ].join('\n'),
      'categories.csv': `group_category_id,course_id,category_name,status\nCHAIN-K,${course.sis},Chain,active`,
      'groups.csv': 'group_id,group_category_id,name,status\nCHAIN-G,CHAIN-K,Team,available',
      'members.csv': `${MEMBERS}\nCHAIN-G,CHAIN-2,accepted`,
    }),
    'chain.zip',
  );
  expect(doing(effect, 'group_membership')).toEqual({ creates: 1 });
  const { rows } = await effectRows(alma, id, { table: 'login' });
  for (const { of } of rows) expect(of?.page).toContain(`users/${place?.id}`);
  const group = groups.by.sis.get('CHAIN-G')?.id ?? 0;
  expect([...groupMemberships.by.group.get(group)]).toMatchObject([{ user_id: place?.id }]);
});

test('SIS-06: login rows find logins as the user rows in the same zip leave them', async () => {
  const header = 'user_id,login_id,existing_user_id,status';
  const login = (name: string) => `${name.toLowerCase()}@left.example`;
  const people = ['LEFT-A', 'LEFT-B', 'LEFT-C'].map((one) => `${one},${login(one)},Person ${one},active`);
  await sent([USERS, ...people].join('\n'));
  await sent(
    `${header}\nLEFT-A2,${login('LEFT-A2')},LEFT-A,active\nLEFT-B2,${login('LEFT-B2')},LEFT-B,active`,
  );
  const taking = ['LEFT-A', 'LEFT-A2', 'LEFT-B', 'LEFT-B2', 'LEFT-C', 'LEFT-C-NEW', 'LEFT-D'];
  const { id } = await sent(
    await zipOf({
      'users.csv': [
        USERS,
        `LEFT-A,${login('LEFT-A')},Person LEFT-A,deleted`,
        `LEFT-B2,${login('LEFT-B2')},Person LEFT-B,deleted`,
        `LEFT-C,${login('LEFT-C-NEW')},Person LEFT-C,active`,
        `LEFT-D,${login('LEFT-D')},Person LEFT-D,active`,
      ].join('\n'),
      'logins.csv': [
        header,
        ...taking.map((one, at) => `LEFT-${at},${login(one).toUpperCase()},LEFT-D,active`),
      ].join('\n'),
    }),
    'left.zip',
  );
  const batch = [...ts.sandbox.world.sisBatches.values()].at(-1);
  const refused = (batch?.errors ?? []).map(({ row }) => taking[(row ?? 0) - 2]);
  const names = ['LEFT-A2', 'LEFT-B', 'LEFT-C-NEW', 'LEFT-D'];
  expect(new Set(refused)).toEqual(new Set(names));
  expect(refused).toHaveLength(names.length);
  const { rows } = await effectRows(alma, id, { table: 'login', does: 'fails' });
  expect(new Set(rows.map(({ row }) => taking[row - 2]))).toEqual(new Set(refused));
  expect(rows).toHaveLength(refused.length);
});
