/**
 * Small files that name people by logins deleted earlier: their owner is found, and the effect on that person
 * is shown (SIS-01, SIS-06).
 */
import { describe, expect, test } from 'vitest';
import { submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, ts, USERS } from './effect-campus.ts';
import { fullCourse, MEMBERS, sectioned, sent, students } from './removals.ts';
import { doing, effectRows, reviewed, zipOf } from './support.ts';

openEffects();

/** Gives a person a second login with an SIS ID that is already deleted. */
function formerLogin(sis: string, name: string): number {
  const { pseudonyms } = ts.sandbox.world;
  const like = pseudonyms.by.sis.get(sis);
  if (!like) throw new Error('nobody');
  const { id: _id, ...fields } = like;
  const login = `${name.toLowerCase()}@logins.example`;
  const state = { unique_id: login, sis_user_id: name, integration_id: null, workflow_state: 'deleted' };
  pseudonyms.add({ ...fields, ...state } as typeof fields);
  return like.user_id;
}

describe('deleted logins of people who have another login', () => {
  test('SIS-06: enrolments that the owners lose are counted', async () => {
    const { course } = sectioned()[3] ?? { course: { id: 0, sis: '' } };
    const places = (await students(course.id)).slice(0, 3);
    const [one, two, three] = places.map(({ sis }, at) => formerLogin(sis, `OLD-${at}`));
    const states = ['deleted', 'completed', 'inactive'];
    const rows = places.map(({ section }, at) => `${course.sis},${section},OLD-${at},3,${states[at]}`);
    const { effect, id, lost } = await sent(
      [ENROL, ...rows, `${course.sis},,NOBODY-AT-ALL,3,deleted`].join('\n'),
    );
    expect(doing(effect, 'enrollment')).toEqual({ removes: 1, concludes: 1, suspends: 1, fails: 1 });
    expect(effect.brake.confirm).toBe(lost.takes.reduce((sum, { count }) => sum + count, 0));
    const shown = await effectRows(alma, id, { table: 'enrollment' });
    for (const [at, user] of [one, two, three].entries())
      expect(shown.rows.find(({ row }) => row === at + 2)?.of?.page).toContain(`users/${user}`);
    const state = (user = 0) =>
      [...ts.sandbox.world.enrollments.by.user.get(user)]
        .filter((each) => each.course_id === course.id)
        .map(({ workflow_state }) => workflow_state);
    expect([state(one), state(two), state(three)]).toEqual([['deleted'], ['completed'], ['inactive']]);
  });

  test('SIS-01: a small file restores the login and its person, whatever name the row gives', async () => {
    const { users, pseudonyms } = ts.sandbox.world;
    const [ann] = campus.strangers(1, []);
    const user = formerLogin(ann?.sis ?? '', 'OLD-ANN');
    ts.server.services.people.forgetAll();
    const { name } = users.must(user);
    const { id, effect } = await sent(`${USERS}\nOLD-ANN,new-ann@x.example,Total Stranger,active`);
    expect(doing(effect, 'user')).toEqual({ restores: 1 });
    const { rows } = await effectRows(alma, id, { table: 'user' });
    expect(rows[0]?.why).toContain(`It belongs to ${name}, who also has the login`);
    expect(rows[0]?.fields).toContainEqual(['full_name', name, 'Total Stranger']);
    expect(users.must(user).name).toBe('Total Stranger');
    expect(pseudonyms.by.sis.get('OLD-ANN')).toMatchObject({ user_id: user, workflow_state: 'active' });
  });

  test('SIS-06: an enrolment by a login that the same upload restores is announced and carried out', async () => {
    const { course } = sectioned()[5] ?? { course: { id: 0, sis: '' } };
    const [place] = await students(course.id);
    const [zoe] = campus.strangers(30, [course.id]).slice(20);
    formerLogin(zoe?.sis ?? '', 'OLD-ZOE');
    ts.server.services.people.forgetAll();
    const { effect, id } = await reviewed(
      alma,
      await zipOf({
        'u.csv': `${USERS}\nOLD-ZOE,old-zoe@x.example,Zoë O’Neill–Łukasz,active`,
        'e.csv': `${ENROL}\n${course.sis},${place?.section},OLD-ZOE,3,active`,
      }),
      'both.zip',
    );
    expect(doing(effect, 'enrollment')).toEqual({ creates: 1 });
    const { rows } = await effectRows(alma, id, { table: 'enrollment' });
    expect(rows[0]?.why ?? '').not.toContain('is deleted');
    const done = await submitted(alma, { file: id, deletions: effect.brake.confirm ?? undefined });
    expect(await watch(alma, done.id)).toMatchObject({ verdict: 'done', applied: 2 });
  });

  test('SIS-01: a new login cannot have the SIS ID of such a login: the LMS rejects the row, and the review says so', async () => {
    const [ann, ben] = campus.strangers(8, []).slice(6);
    formerLogin(ann?.sis ?? '', 'OLD-TAKEN');
    ts.server.services.people.forgetAll();
    const { id } = await sent(
      [
        'user_id,login_id,existing_user_id,status',
        `OLD-TAKEN,taken@x.example,${ben?.sis},active`,
        `NOT-TAKEN,free@x.example,${ben?.sis},active`,
      ].join('\n'),
    );
    const { rows } = await effectRows(alma, id, { table: 'login' });
    expect(rows.map(({ does }) => does).sort()).toEqual(['creates', 'fails']);
    const batch = [...ts.sandbox.world.sisBatches.values()].at(-1);
    expect(batch?.errors.map(({ row }) => row)).toEqual([2]);
    expect(rows.find(({ does }) => does === 'fails')?.why).toContain('belongs to a deleted login of');
  });

  test('SIS-06: a removal from a deleted course may be rejected, and the review says so', async () => {
    const { course } = sectioned()[6] ?? { course: { id: 0, sis: '' } };
    const [place] = await students(course.id);
    formerLogin(place?.sis ?? '', 'OLD-OUT');
    ts.server.services.people.forgetAll();
    const { id } = await sent(
      await zipOf({
        'c.csv': `course_id,short_name,long_name,status\n${course.sis},x,y,deleted`,
        'e.csv': `${ENROL}\n${course.sis},${place?.section},OLD-OUT,3,deleted`,
      }),
      'out.zip',
    );
    const { rows } = await effectRows(alma, id, { table: 'enrollment' });
    expect(rows).toMatchObject([
      { does: 'nothing', why: expect.stringContaining('rejects the row if it has a deleted enrolment') },
    ]);
    const batch = [...ts.sandbox.world.sisBatches.values()].at(-1);
    expect(batch?.errors.map(({ row }) => row)).toEqual([2]);
  });

  test('SIS-06: if the owner of such a login cannot be determined, a number has to be confirmed', async () => {
    const { course } = sectioned()[4] ?? { course: { id: 0, sis: '' } };
    const [place] = await students(course.id);
    formerLogin(place?.sis ?? '', 'OLD-DARK');
    ts.server.services.people.forgetAll();
    await campus.fault({ match: '/api/v1/accounts/1/users*', kind: 'status', status: 404 });
    const { effect } = await reviewed(alma, `${ENROL}\n${course.sis},${place?.section},OLD-DARK,3,deleted`);
    expect(doing(effect, 'enrollment')).toEqual({ unknown: 1 });
    expect(effect.brake.confirm).toBe(1);
  });
});

test('SIS-06: people who join a group hidden by the LMS may leave another one, so a number has to be confirmed', async () => {
  const { groups, groupMemberships } = ts.sandbox.world;
  const { places, one, two } = await fullCourse(5);
  await sent(`group_id,name,status\n${two},Blue,deleted`);
  const red = groups.by.sis.get(one)?.id ?? 0;
  const inRed = () =>
    [...groupMemberships.by.group.get(red)].filter(({ workflow_state }) => workflow_state === 'accepted');
  const before = inRed().length;
  expect(before).toBe(2);
  const content = [MEMBERS, `${two},${places[0]?.sis},accepted`, `${two},${places[2]?.sis},accepted`].join(
    '\n',
  );
  const { id, effect } = await reviewed(alma, content);
  expect(doing(effect, 'group_membership')).toEqual({ unknown: 2 });
  expect(effect.brake.confirm).toBe(2);
  const done = await submitted(alma, { file: id, deletions: 2 });
  await watch(alma, done.id);
  expect(inRed()).toEqual([]);
});

test('OP-36: a row that enrols no one, because the login is deleted, is not counted as applied', async () => {
  const { pseudonyms } = ts.sandbox.world;
  const { course } = sectioned()[6] ?? { course: { sis: '' } };
  const [, gone] = campus.strangers(2, []);
  const login = pseudonyms.by.sis.get(gone?.sis ?? '');
  if (!login) throw new Error('nobody');
  const { id } = await reviewed(alma, `${ENROL}\n${course.sis},,${gone?.sis},3,active`);
  pseudonyms.change(login, { workflow_state: 'deleted' });
  const done = await submitted(alma, { file: id });
  const record = await watch(alma, done.id);
  expect(JSON.stringify(record)).toContain('Attempted enrolling of deleted user');
  expect(record).toMatchObject({ applied: 0, verdict: 'failed' });
});

test('SIS-06: a person whose unknown SIS ID is deleted and enrolled in one zip joins a group of the course, as the review says', async () => {
  const { groups, groupMemberships, pseudonyms } = ts.sandbox.world;
  const { course } = sectioned()[6] ?? { course: { id: 0, sis: '' } };
  const { effect } = await sent(
    await zipOf({
      'users.csv':
        'user_id,login_id,status\nNEVER-1,never-1@x.example,deleted\nNEVER-2,never-2@x.example,deleted',
      'enrolments.csv': `${ENROL}\n${course.sis},,NEVER-1,3,completed`,
      'categories.csv': `group_category_id,course_id,category_name,status\nNEVER-K,${course.sis},Never,active`,
      'groups.csv': 'group_id,group_category_id,name,status\nNEVER-G,NEVER-K,Team,available',
      'members.csv': `${MEMBERS}\nNEVER-G,NEVER-1,accepted\nNEVER-G,NEVER-2,accepted`,
    }),
    'never.zip',
  );
  expect(doing(effect, 'group_membership')).toEqual({ creates: 1, fails: 1 });
  const group = groups.by.sis.get('NEVER-G')?.id ?? 0;
  const user_id = pseudonyms.by.sis.get('NEVER-1')?.user_id;
  expect([...groupMemberships.by.group.get(group)]).toMatchObject([{ user_id }]);
});
