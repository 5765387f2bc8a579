/** Side effects of rows are shown as the LMS carries them out (SIS-06). */
import { expect, test } from 'vitest';
import { alma, campus, ENROL, openEffects, ts, USERS } from './effect-campus.ts';
import { COURSES, fullCourse, LISTINGS, MEMBERS, SECTIONS, sectioned, sent, students } from './removals.ts';
import { effectRows, zipOf } from './support.ts';

openEffects();

type Kind =
  | 'user'
  | 'course'
  | 'section'
  | 'group'
  | 'term'
  | 'enrollment'
  | 'group_membership'
  | 'user_observer';

/** Reads rows of one table in a sent file, in order. */
async function rowsOf(id: string, table: Kind) {
  const { rows } = await effectRows(alma, id, { table });
  return rows.toSorted((a, b) => a.row - b.row);
}

const errors = () => [...ts.sandbox.world.sisBatches.values()].at(-1)?.errors ?? [];

test('SIS-06: a person without an SIS ID who is suspended by a row with their login is shown and counted as suspended', async () => {
  const { pseudonyms, users } = ts.sandbox.world;
  const [ann] = campus.strangers(1, []);
  const login = pseudonyms.by.user.get(ann?.id ?? 0)[0];
  if (!ann || !login) throw new Error('nobody');
  pseudonyms.change(login, { sis_user_id: null });
  const other = login.unique_id.toUpperCase();
  const { id, lost } = await sent(
    `user_id,login_id,full_name,email,status\nCLAIMED,${other},,claimed@x.example,suspended`,
  );
  expect(lost.takes).toEqual([{ kind: 'user', count: 1 }]);
  const [row] = await rowsOf(id, 'user');
  expect(row).toMatchObject({
    does: 'suspends',
    of: { name: users.must(ann.id).name },
    fields: [
      ['user_id', null, 'CLAIMED'],
      ['login_id', other.toLowerCase(), other],
    ],
    why: expect.stringContaining('The email address "claimed@x.example" is added'),
  });
  expect([login.sis_user_id, login.workflow_state, login.unique_id]).toEqual(['CLAIMED', 'suspended', other]);
});

test('SIS-06: rows that delete a person, a section or a group show what else they change, even if the course is kept', async () => {
  const { world } = ts.sandbox;
  const { course, places, one, two, category } = await fullCourse(0);
  const [ann] = campus.strangers(1, [course.id]);
  const person = world.users.must(ann?.id ?? 0);
  const was = person.name;
  const deleted = await sent(`${USERS}\n${ann?.sis},${ann?.email},Renamed By Deleting,deleted`);
  expect((await rowsOf(deleted.id, 'user'))[0]?.fields).toEqual([
    ['full_name', was, 'Renamed By Deleting'],
    ['sortable_name', expect.any(String), 'Deleting, Renamed By'],
  ]);
  expect(person.name).toBe('Renamed By Deleting');
  const group = await sent(`group_id,group_category_id,name,status\n${one},${category},Renamed Red,deleted`);
  expect((await rowsOf(group.id, 'group'))[0]?.fields).toEqual([['name', 'Red', 'Renamed Red']]);
  expect(two).toBe('REM-B0');

  // A cross-listing in the same upload restores the course.
  const target = world.courses.must(campus.course(9, 163).id);
  const section = sectioned()[1]?.named[0];
  const code = target.course_code;
  const back = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\n${target.sis_source_id},NEWCODE,"${target.name}",deleted`,
      'xlists.csv': `${LISTINGS}\n${target.sis_source_id},${section?.sis},active`,
    }),
    'back.zip',
  );
  expect((await rowsOf(back.id, 'course'))[0]?.fields).toEqual([
    ['status', expect.any(String), 'deleted'],
    ['short_name', code, 'NEWCODE'],
  ]);
  expect([target.workflow_state, target.course_code]).toEqual(['claimed', 'NEWCODE']);
  expect(places.length).toBeGreaterThan(0);
});

test('SIS-06: a section moved and deleted by one row does not change the groups of its course', async () => {
  const { world } = ts.sandbox;
  const { named } = await fullCourse(2);
  const target = campus.course(10, 163);
  const { id } = await sent(`${SECTIONS}\n${named[0]?.sis},${target.sis},Renamed section,deleted`);
  const [row] = await rowsOf(id, 'section');
  expect(row?.does).toBe('deletes');
  expect(row?.fields.map(([field]) => field)).toEqual(
    expect.arrayContaining(['status', 'name', 'course_id']),
  );
  const section = world.sections.must(named[0]?.id ?? 0);
  expect([section.course_id, section.name, section.workflow_state]).toEqual([
    target.id,
    'Renamed section',
    'deleted',
  ]);
});

test('SIS-06: the text mentions a term’s integration_id, which the LMS does not show', async () => {
  await sent('term_id,name,status\nBESIDE-T,Beside,active');
  const term = ts.sandbox.world.terms.by.sis.get('BESIDE-T');
  const given = await sent('term_id,name,status,integration_id\nBESIDE-T,Beside,active,BESIDE-I');
  expect((await rowsOf(given.id, 'term'))[0]).toMatchObject({
    does: 'changes',
    why: expect.stringContaining('set to "BESIDE-I"'),
  });
  expect(term?.integration_id).toBe('BESIDE-I');
  const none = await sent('term_id,name,status\nBESIDE-T,Beside,active');
  expect((await rowsOf(none.id, 'term'))[0]?.why).toContain('the row clears it');
  expect(term?.integration_id).toBeNull();
});

test('SIS-06: which group a person leaves depends on the categories that rows in the same upload give to groups', async () => {
  const { course, places, one, two, category } = await fullCourse(3);
  const [red, blue] = places;
  const other = `${category}-OTHER`;
  await sent(
    await zipOf({
      'categories.csv': `group_category_id,course_id,category_name,status\n${other},${course.sis},Others,active`,
      'groups.csv': `group_id,group_category_id,name,status\n${one}-O,${other},Other,available`,
    }),
    'other.zip',
  );
  const groups = (group: string, of: string, name: string) =>
    `group_id,group_category_id,name,status\n${group},${of},${name},available`;
  const into = await sent(
    await zipOf({
      'groups.csv': groups(one, other, 'Red'),
      'members.csv': `${MEMBERS}\n${one}-O,${red?.sis},accepted`,
    }),
    'into.zip',
  );
  expect(into.lost.takes).toEqual([{ kind: 'group_membership', count: 1 }]);
  expect((await rowsOf(into.id, 'group_membership'))[0]?.takes).toBe('leaves the group Red');
  const away = await sent(
    await zipOf({
      'groups.csv': groups(two, other, 'Blue'),
      'members.csv': `${MEMBERS}\n${one},${blue?.sis},accepted`,
    }),
    'away.zip',
  );
  // Both groups are now in the other category.
  expect((await rowsOf(away.id, 'group_membership'))[0]?.takes).toBe('leaves the group Blue');
  const apart = await sent(
    await zipOf({
      'groups.csv': groups(one, category, 'Red'),
      'members.csv': `${MEMBERS}\n${two},${blue?.sis},accepted`,
    }),
    'apart.zip',
  );
  expect(apart.lost.takes).toEqual([]);
});

test('SIS-06: a new person who gets a second login in the same upload is one person under both SIS IDs', async () => {
  const { world } = ts.sandbox;
  const { course, one, two } = await fullCourse(5);
  const { id } = await sent(
    await zipOf({
      'users.csv': `${USERS}\nTWO-1,two1@x.example,Two Logins,active`,
      'logins.csv': 'user_id,login_id,existing_user_id,status\nTWO-2,two2@x.example,TWO-1,active',
      'enrollments.csv': `${ENROL}\n${course.sis},,TWO-1,4,active\n${course.sis},,TWO-2,4,completed`,
      'members.csv': `${MEMBERS}\n${one},TWO-1,accepted\n${two},TWO-2,accepted`,
      'observers.csv': 'observer_id,student_id,status\nTWO-2,TWO-1,active',
    }),
    'two.zip',
  );
  expect((await rowsOf(id, 'enrollment')).map(({ does }) => does)).toEqual(['nothing', 'creates']);
  expect((await rowsOf(id, 'group_membership')).map(({ does }) => does)).toEqual(['nothing', 'creates']);
  expect((await rowsOf(id, 'user_observer')).map(({ does }) => does)).toEqual(['fails']);
  expect(errors().map(({ message }) => message)).toEqual([expect.stringContaining('observe yourself')]);
  const person = world.pseudonyms.by.sis.get('TWO-2')?.user_id ?? 0;
  const there = world.enrollments.by.user.get(person).map(({ workflow_state }) => workflow_state);
  expect(there).toEqual(['completed']);
});

test('SIS-06: observers who return because of an existing link, another link, or a change to the student are named', async () => {
  const { world } = ts.sandbox;
  const found = sectioned().at(-3);
  const course = found?.course;
  const [student] = (await students(course?.id ?? 0)).slice(-1);
  const [raj, dmitri] = campus.strangers(30, [course?.id ?? 0]).slice(-2);
  const link = (observer: typeof raj) =>
    `observer_id,student_id,status\n${observer?.sis},${student?.sis},active`;
  const here = (observer: typeof raj) =>
    world.enrollments.by.user
      .get(observer?.id ?? 0)
      .filter((one) => one.course_id === course?.id && one.associated_user_id === student?.id);
  const place = (user: string | undefined, role: number, status: string, of = '') =>
    `${ENROL},associated_user_id\n${course?.sis},${student?.section},${user},${role},${status},${of}`;
  await sent(link(raj));
  expect(here(raj).map((one) => one.workflow_state)).toContain('active');
  await sent(place(raj?.sis, 7, 'deleted', student?.sis));
  const again = await sent(link(raj));
  expect((await rowsOf(again.id, 'user_observer'))[0]).toMatchObject({
    does: 'restores',
    why: expect.stringContaining('in 1 course, with the same state as the student'),
  });
  expect(here(raj).map((one) => one.workflow_state)).toContain('active');
  const still = await sent(link(raj));
  expect((await rowsOf(still.id, 'user_observer'))[0]?.does).toBe('nothing');

  await sent(place(raj?.sis, 7, 'completed', student?.sis));
  const another = await sent(link(dmitri));
  const [row] = await rowsOf(another.id, 'user_observer');
  expect(row?.why).toContain(world.users.must(raj?.id ?? 0).name);
  expect(here(raj).map((one) => one.workflow_state)).toContain('active');

  await sent(place(raj?.sis, 7, 'deleted', student?.sis));
  const ended = await sent(place(student?.sis, 3, 'completed'));
  expect((await rowsOf(ended.id, 'enrollment'))[0]?.why).toContain('If a linked observer was removed');
  expect(here(raj).map((one) => one.workflow_state)).toContain('completed');
});
