/** Rows in the same upload as id changes are compared by the new ids (SIS-06). */
import { expect, test } from 'vitest';
import { alma, campus, ENROL, openEffects, ts, USERS } from './effect-campus.ts';
import { COURSES, SECTIONS, sectioned, sent, students } from './removals.ts';
import { doing, effectRows, zipOf } from './support.ts';

openEffects();

const errors = () => [...ts.sandbox.world.sisBatches.values()].at(-1)?.errors ?? [];

test('SIS-06: people, courses and sections are found by their new ids, and lose exactly what is announced', async () => {
  const { world } = ts.sandbox;
  const found = sectioned()[0];
  if (!found) throw new Error('the campus has no such course');
  const { course, named } = found;
  const places = await students(course.id);
  const [one, two, three] = places;
  const name = world.users.must(two?.id ?? 0).name;
  const { id, effect } = await sent(
    await zipOf({
      'change.csv': [
        'type,old_id,new_id',
        `user,${one?.sis},CHA-1`,
        'user,CHA-1,CHA-2',
        `user,${two?.sis},CHA-3`,
        `course,${course.sis},CHA-C`,
        `section,${named[0]?.sis},CHA-S`,
      ].join('\n'),
      'courses.csv': `${COURSES}\nCHA-C,x,Another name,active`,
      'sections.csv': `${SECTIONS}\nCHA-S,CHA-C,Another section,active`,
      'users.csv': `${USERS}\nCHA-3,${campus.person(two?.id ?? 0).email},New name,active`,
      'enrolments.csv': [
        ENROL,
        `CHA-C,${one?.section},CHA-2,3,deleted`.replace(named[0]?.sis ?? '-', 'CHA-S'),
        `CHA-C,${three?.section},${three?.sis},3,deleted`.replace(named[0]?.sis ?? '-', 'CHA-S'),
        `${course.sis},,${three?.sis},3,active`,
        `CHA-C,,${one?.sis},3,active`,
      ].join('\n'),
    }),
    'all.zip',
  );
  expect(effect.notes).toEqual([expect.stringContaining('created for a cross-listing')]);
  expect(doing(effect, 'change_sis_id')).toEqual({ changes: 5 });
  expect(doing(effect, 'enrollment')).toEqual({ removes: 2, fails: 2 });
  expect(effect.brake.takes[0]).toEqual({ kind: 'enrollment', count: 2 });
  expect(effect.brake.courses).toMatchObject([{ sis_course_id: 'CHA-C', taken: 2 }]);
  const fieldsOf = async (table: 'user' | 'course' | 'section') =>
    (await effectRows(alma, id, { table })).rows[0]?.fields[0];
  expect(await fieldsOf('user')).toEqual(['full_name', name, 'New name']);
  expect(await fieldsOf('course')).toEqual(['long_name', course.name, 'Another name']);
  expect(await fieldsOf('section')).toEqual(['name', named[0]?.name, 'Another section']);
  expect(errors().map(({ row }) => row)).toEqual([4, 5]);
  expect(world.pseudonyms.by.sis.get('CHA-2')?.user_id).toBe(one?.id);
  expect(world.pseudonyms.by.sis.get('CHA-3')).toMatchObject({ user_id: two?.id });
});

test('SIS-06: an old id is free, and the owner of the row’s login is named with the new id', async () => {
  const [ann, bob] = campus.strangers(2, []);
  const files = await zipOf({
    'change.csv': `type,old_id,new_id\nuser,${ann?.sis},CHA-5`,
    'users.csv': [
      USERS,
      `${ann?.sis},free@x.example,Somebody new,active`,
      `CHA-5,${ann?.email},x,deleted`,
      `${bob?.sis},${bob?.email},x,active`,
    ].join('\n'),
  });
  const { effect } = await sent(files, 'all.zip');
  expect(doing(effect, 'user')).toEqual({ creates: 1, deletes: 1, changes: 1 });
  expect(errors()).toEqual([]);
});

test('SIS-06: other rows are compared with the changed integration ids', async () => {
  const { pseudonyms } = ts.sandbox.world;
  const [ann, bob] = campus.strangers(2, []);
  const login = pseudonyms.by.sis.get(ann?.sis ?? '');
  if (!login) throw new Error('nobody');
  pseudonyms.change(login, { integration_id: 'CHA-OLD' });
  const row = (one: typeof ann, integration: string) => `${one?.sis},${one?.email},${integration},active`;
  const { id, effect } = await sent(
    await zipOf({
      'change.csv': `type,old_id,new_integration_id\nuser,${ann?.sis},CHA-NEW`,
      'users.csv': `user_id,login_id,integration_id,status\n${row(ann, 'CHA-NEW')}\n${row(bob, 'CHA-OLD')}`,
    }),
    'all.zip',
  );
  expect(doing(effect, 'user')).toEqual({ nothing: 1, changes: 1 });
  const { rows } = await effectRows(alma, id, { table: 'change_sis_id' });
  expect(rows[0]?.fields).toEqual([['integration_id', 'CHA-OLD', 'CHA-NEW']]);
  expect(errors()).toEqual([]);
});

test('SIS-06: if an integration id is itself the text "<delete>", the LMS rejects rows that remove an integration id', async () => {
  const { pseudonyms } = ts.sandbox.world;
  const [ann, bob] = campus.strangers(2, []);
  const change = (sis = '', integration_id: string) => {
    const login = pseudonyms.by.sis.get(sis);
    if (login) pseudonyms.change(login, { integration_id });
  };
  change(ann?.sis, '<delete>');
  change(bob?.sis, 'CHA-BOB');
  const header = 'type,old_id,old_integration_id,new_integration_id';
  const clears = `user,${bob?.sis},,<delete>`;
  const refused = await sent(`${header}\n${clears}\nuser,${ann?.sis},,<delete>\naccount,NO-SUCH,,<delete>`);
  const told = (await effectRows(alma, refused.id, { table: 'change_sis_id' })).rows;
  const columns = told.map(({ does, problems }) => [does, problems.map(({ column }) => column)]);
  expect(columns).toEqual([
    ['fails', ['new_integration_id']],
    ['fails', ['new_integration_id']],
    ['fails', ['old_id']],
  ]);
  expect(told[0]?.why).toContain('"<delete>" is itself the integration ID of a user');
  expect(errors().map(({ row }) => row)).toEqual([2, 3, 4]);
  // An earlier row of the file has changed the id, so it does not get in the way.
  const taken = await sent(`${header}\nuser,,<delete>,CHA-ANN\n${clears}`);
  expect(doing(taken.effect, 'change_sis_id')).toEqual({ changes: 2 });
  expect(errors()).toEqual([]);
  expect(pseudonyms.by.sis.get(bob?.sis ?? '')?.integration_id).toBeNull();
});

test('SIS-06: an id that an earlier row changed, naming the object by its other id, is free for later rows', async () => {
  const { pseudonyms } = ts.sandbox.world;
  const [ann, bob] = campus.strangers(4, []).slice(2);
  const login = pseudonyms.by.sis.get(ann?.sis ?? '');
  if (login) pseudonyms.change(login, { integration_id: 'CHA-FREE' });
  const { id, effect } = await sent(
    [
      'type,old_id,old_integration_id,new_id,new_integration_id',
      `user,${ann?.sis},,,CHA-LATER`,
      `user,${bob?.sis},,,CHA-FREE`,
      'user,,CHA-LATER,CHA-MOVED,',
      `user,${bob?.sis},,${ann?.sis},`,
      'user,CHA-MOVED,,,CHA-LAST',
    ].join('\n'),
  );
  expect(doing(effect, 'change_sis_id')).toEqual({ changes: 5 });
  expect(errors()).toEqual([]);
  const { rows } = await effectRows(alma, id, { table: 'change_sis_id' });
  expect(rows.map(({ fields }) => fields[0])).toEqual([
    ['integration_id', 'CHA-FREE', 'CHA-LATER'],
    ['integration_id', bob?.sis, 'CHA-FREE'],
    ['id', ann?.sis, 'CHA-MOVED'],
    ['id', bob?.sis, ann?.sis],
    ['integration_id', 'CHA-LATER', 'CHA-LAST'],
  ]);
});
