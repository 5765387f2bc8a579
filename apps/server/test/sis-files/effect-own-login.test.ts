/**
 * User rows about one of several logins, and data about people that the LMS does not show: the review shows
 * the login that is meant (SIS-01, SIS-06).
 */
import { expect, test } from 'vitest';
import { alma, campus, openEffects, ts } from './effect-campus.ts';
import { sent } from './removals.ts';
import { doing, effectRows, reviewed } from './support.ts';

openEffects();

const HEADER = 'user_id,login_id,full_name,email,status';

/** Finds a person with a second login that has an SIS ID. */
function withSecond(index: number) {
  const { pseudonyms, users } = ts.sandbox.world;
  const [person] = campus.strangers(20 + index, []).slice(-1);
  const first = pseudonyms.by.sis.get(person?.sis ?? '');
  if (!person || !first) throw new Error('nobody');
  const { id: _id, ...like } = first;
  const second = pseudonyms.add({
    ...like,
    unique_id: `second${index}@own.example`,
    sis_user_id: `OWN-${index}`,
    integration_id: null,
    sis_communication_channel_id: null,
  });
  return { first, second, name: users.must(first.user_id).name, email: person.email };
}

const only = async (content: string) => {
  const { id, effect } = await sent(content);
  const [row] = [
    ...(await effectRows(alma, id, { table: 'user' })).rows,
    ...(await effectRows(alma, id, { table: 'login' })).rows,
  ];
  return { row, effect };
};

test("SIS-01: a row about a second login shows that login's own old name, whatever its letter case, and not the first one's address", async () => {
  const { second, name } = withSecond(0);
  const renamed = await only(`${HEADER}\nOWN-0,new0@own.example,${name},other0@own.example,active`);
  expect(renamed.row).toMatchObject({
    does: 'changes',
    fields: [['login_id', 'second0@own.example', 'new0@own.example']],
    why: expect.stringContaining('The email address is set to "other0@own.example".'),
  });
  const upper = await only(`${HEADER}\nOWN-0,NEW0@own.example,${name},,active`);
  expect(upper.row?.fields).toEqual([['login_id', 'new0@own.example', 'NEW0@own.example']]);
  expect(second.unique_id).toBe('NEW0@own.example');
  const same = await only(`${HEADER}\nOWN-0,NEW0@own.example,${name},,active`);
  expect(same.row?.does).toBe('nothing');
});

test('SIS-01: suspending a second login affects only that login: the person still signs in with the other', async () => {
  const { first, name, email } = withSecond(1);
  const { row, effect } = await only(`${HEADER}\nOWN-1,second1@own.example,${name},,suspended`);
  expect(row).toMatchObject({
    does: 'suspends',
    why: `Only this login is suspended: they can still sign in as ${JSON.stringify(first.unique_id)}.`,
  });
  expect(effect.brake.takes).toEqual([{ kind: 'login', count: 1 }]);
  // The other login is deleted, so the remaining one is suspended.
  const main = await only(`${HEADER}\n${first.sis_user_id},${email},${name},,deleted`);
  expect(main.row?.why).toContain('The other login is suspended, so they can no longer sign in.');
  expect(main.effect.brake.takes).toEqual([{ kind: 'login', count: 1 }]);
});

test('SIS-01: a suspended login that the same file reactivates, in an earlier or later row, still gives the person access', async () => {
  for (const [index, reversed] of [
    [31, false],
    [32, true],
  ] as const) {
    const { first, name, email } = withSecond(index);
    first.workflow_state = 'suspended';
    const rows = [
      `${first.sis_user_id},${email},${name},,active`,
      `OWN-${index},second${index}@own.example,${name},,suspended`,
    ];
    const { effect, id } = await reviewed(
      alma,
      [HEADER, ...(reversed ? rows.toReversed() : rows)].join('\n'),
    );
    expect(effect.brake.takes).toEqual([{ kind: 'login', count: 1 }]);
    const [row] = (await effectRows(alma, id, { table: 'login' })).rows.concat(
      (await effectRows(alma, id, { table: 'user' })).rows.filter(({ does }) => does === 'suspends'),
    );
    expect(row?.why).toBe(
      `Only this login is suspended: they can still sign in as ${JSON.stringify(email)}.`,
    );
  }
});

test('SIS-01: suspending the last active login locks the person out', async () => {
  const { first, name, email } = withSecond(2);
  const { effect } = await reviewed(
    alma,
    `${HEADER}\nOWN-2,second2@own.example,${name},,suspended\n${first.sis_user_id},${email},${name},,suspended`,
  );
  expect(effect.brake.takes).toEqual([
    { kind: 'user', count: 1 },
    { kind: 'login', count: 1 },
  ]);
});

test('SIS-01: if one file has both logins of a person, each row mentions the other, and everything is removed once', async () => {
  const { first, second, name, email } = withSecond(9);
  const { world } = ts.sandbox;
  const held = () =>
    [...world.enrollments.by.user.get(first.user_id)].filter((one) => one.workflow_state !== 'deleted')
      .length;
  const enrolments = held();
  const { id, effect, lost } = await sent(
    `${HEADER}\nOWN-9,second9@own.example,${name},,deleted\n${first.sis_user_id},${email},${name},,deleted`,
  );
  const [one] = (await effectRows(alma, id, { table: 'login' })).rows;
  expect(one?.why).toBe(
    `Row 3 of this file deletes their other login, ${JSON.stringify(email)}, and with it every enrolment.`,
  );
  expect(effect.brake.takes).toEqual(expect.arrayContaining([...lost.takes]));
  expect(effect.brake.takes).toEqual(
    expect.arrayContaining([
      { kind: 'user', count: 1 },
      { kind: 'login', count: 1 },
      ...(enrolments > 0 ? [{ kind: 'enrollment', count: enrolments }] : []),
    ]),
  );
  expect([first.workflow_state, second.workflow_state, held()]).toEqual(['deleted', 'deleted', 0]);
});

test('SIS-01: suspending one login before deleting the other locks the person out', async () => {
  const { first, name, email } = withSecond(10);
  const { effect, id } = await sent(
    `${HEADER}\nOWN-10,second10@own.example,${name},,suspended\n${first.sis_user_id},${email},${name},,deleted`,
  );
  expect(effect.brake.takes).toEqual([
    { kind: 'user', count: 1 },
    { kind: 'login', count: 1 },
  ]);
  const [row] = (await effectRows(alma, id, { table: 'user' })).rows;
  expect(row?.why).toContain('After that they can no longer sign in');
});

test('SIS-01: if two rows name one person, the second starts from the result of the first', async () => {
  const { first, name, email } = withSecond(11);
  const { id } = await sent(
    `${HEADER}\n${first.sis_user_id},${email},Zoë O’Neill–Łukasz,,active\nOWN-11,second11@own.example,${name},,active`,
  );
  const { rows } = await effectRows(alma, id, { table: 'user' });
  expect(rows.map(({ does, fields }) => [does, fields[0]])).toEqual([
    ['changes', ['full_name', name, 'Zoë O’Neill–Łukasz']],
    ['changes', ['full_name', 'Zoë O’Neill–Łukasz', name]],
  ]);
  expect(ts.sandbox.world.users.must(first.user_id).name).toBe(name);
});

test('SIS-01: an address in different letter case is a change', async () => {
  const { first, name, email } = withSecond(3);
  const upper = email.toUpperCase();
  const { row } = await only(`${HEADER}\n${first.sis_user_id},${email},${name},${upper},active`);
  expect(row).toMatchObject({ does: 'changes', fields: [['email', email, upper]] });
  expect(ts.sandbox.world.emailOf(first.user_id)).toBe(upper);
});

test('SIS-01: a declared user type is set, and the LMS does not show the previous one', async () => {
  const { first, name, email } = withSecond(4);
  const header = 'user_id,login_id,full_name,status,declared_user_type';
  const { row } = await only(`${header}\n${first.sis_user_id},${email},${name},active,student`);
  expect(row).toMatchObject({
    does: 'changes',
    why: expect.stringContaining('The declared_user_type is set to "student".'),
  });
  const made = await only(`${header}\nOWN-NEW,own.new@own.example,Nia New,active,teacher`);
  expect(made.row?.fields).toContainEqual(['declared_user_type', null, 'teacher']);
});

test('SIS-01: for a person who is restored, the address is shown', async () => {
  const { pseudonyms } = ts.sandbox.world;
  const { second, first, name, email } = withSecond(5);
  pseudonyms.change(second, { workflow_state: 'deleted' });
  await sent(`${HEADER}\n${first.sis_user_id},${email},${name},,deleted`);
  const { row, effect } = await only(
    `${HEADER}\n${first.sis_user_id},${email},${name},back5@own.example,active`,
  );
  expect(doing(effect, 'user')).toEqual({ restores: 1 });
  expect(row?.why).toContain('The email address is set to "back5@own.example".');
});

test('SIS-01: a login that an earlier row gives up still belongs to its owner: two files are needed, and the row says so', async () => {
  const one = withSecond(6);
  const other = withSecond(7);
  const { id, effect } = await reviewed(
    alma,
    `user_id,login_id,status\n${one.first.sis_user_id},freed6@own.example,active\n${other.first.sis_user_id},${one.email},active`,
  );
  expect(effect.refused).toBe(1);
  const { rows } = await effectRows(alma, id, { table: 'user', does: 'fails' });
  expect(rows[0]?.why).toContain(
    'Row 2 of this file will free this login. Send that row first, in a separate file',
  );
});

test('SIS-01: if logins are swapped in a circle, the row says in which order to send them, and which temporary login is needed', async () => {
  const { pseudonyms } = ts.sandbox.world;
  const people = [8, 9, 10].map((index) => withSecond(index).first);
  const [a, b, c] = people.map(({ sis_user_id, unique_id }) => ({ sis: sis_user_id, login: unique_id }));
  const file = (...rows: string[]) => ['user_id,login_id,status', ...rows].join('\n');
  const row = (who: typeof a, login = '') => `${who?.sis},${login},active`;
  const why = async (content: string) => {
    const { id, effect } = await reviewed(alma, content);
    const { rows } = await effectRows(alma, id, { table: 'user', does: 'fails' });
    expect(rows).toHaveLength(effect.refused);
    return rows.map((one) => one.why ?? '');
  };
  const swap = await why(file(row(a, b?.login), row(b, a?.login)));
  expect(swap[0]).toContain(
    `Row 3 of this file will free this login, but takes the login that this row frees. First send a file that gives ${JSON.stringify(a?.sis)} another login that no one has. Then send these rows in separate files, in this order: row 3 of this file, then this row.`,
  );
  const round = await why(file(row(a, b?.login), row(b, c?.login), row(c, a?.login)));
  expect(round[0]).toContain(
    'in separate files, in this order: row 4 of this file, then row 3 of this file, then this row.',
  );
  const chain = await why(file(row(a, b?.login), row(b, c?.login), row(c, 'free10@own.example')));
  expect(chain[0]).toContain(
    'needs a login that another row frees. Send these rows in separate files, in this order: row 4 of this file, then row 3 of this file, then this row.',
  );
  const stuck = await why(file(row(a, b?.login), row(b, c?.login)));
  expect(stuck[0]).toContain(
    'but that row cannot be sent itself. Correct that row first, and send this row after it.',
  );
  // The order follows the advice in the rows of the swap.
  await sent(file(row(a, 'between@own.example')));
  await sent(file(row(b, a?.login)));
  await sent(file(row(a, b?.login)));
  expect(pseudonyms.by.sis.get(a?.sis ?? '')?.unique_id).toBe(b?.login);
  expect(pseudonyms.by.sis.get(b?.sis ?? '')?.unique_id).toBe(a?.login);
});
