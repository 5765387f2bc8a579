/**
 * Rows about deleted objects that the LMS carries out anyway: the review does not claim that they will be
 * rejected (SIS-06).
 */
import { expect, test } from 'vitest';
import { submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, ts, USERS } from './effect-campus.ts';
import { COURSES, fullCourse, LISTINGS, MEMBERS, SECTIONS, sectioned, sent } from './removals.ts';
import { doing, effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const errors = () => ([...ts.sandbox.world.sisBatches.values()].at(-1)?.errors ?? []).map(({ row }) => row);

test('SIS-06: rows for a member of a group that the same upload deletes, or that was deleted earlier, are not announced as rejected', async () => {
  const { places, one, two, category } = await fullCourse(0);
  const [red, blue] = places;
  const { id, lost } = await sent(
    await zipOf({
      'groups.csv': `group_id,group_category_id,name,status\n${one},${category},Red,deleted`,
      'members.csv': `${MEMBERS}\n${one},${red?.sis},accepted\n${one},${blue?.sis},accepted`,
    }),
    'deleted.zip',
  );
  // The second person leaves another group of the category to join it.
  expect(lost.takes).toEqual([
    { kind: 'group', count: 1 },
    { kind: 'group_membership', count: 3 },
  ]);
  const { rows } = await effectRows(alma, id, { table: 'group_membership' });
  const told = rows.toSorted((a, b) => a.row - b.row);
  expect(told.map(({ does, takes }) => [does, takes])).toEqual([
    ['nothing', null],
    ['changes', 'leaves the group Blue'],
  ]);
  expect(told[0]?.why).toContain('where no one can see it');
  expect(errors()).toEqual([]);
  // Such a row may remove the person from another group, so it counts, although this one removes nothing.
  const after = await reviewed(alma, `${MEMBERS}\n${one},${red?.sis},accepted`);
  expect(after.effect.brake.confirm).toBe(1);
  await watch(alma, (await submitted(alma, { file: after.id, deletions: 1 })).id);
  const [later] = (await effectRows(alma, after.id, { table: 'group_membership' })).rows;
  expect(later?.why).toContain(
    'If a group with this SIS ID was deleted, the row adds the person to the deleted group',
  );
  expect(errors()).toEqual([]);
  expect(two).toBe('REM-B0');
});

test('SIS-06: a cross-listing that ends in a deleted course is not compared, and removes no one', async () => {
  const [found] = sectioned().slice(3);
  const target = campus.course(6, 163);
  const section = found?.named[0];
  await sent(`${LISTINGS}\n${target.sis},${section?.sis},active`);
  await sent(`${COURSES}\n${target.sis},x,y,deleted`);
  const { id, effect } = await sent(`${LISTINGS}\n${target.sis},${section?.sis},deleted`);
  const { rows } = await effectRows(alma, id, { table: 'xlist' });
  expect(rows).toMatchObject([
    { does: 'unknown', why: expect.stringContaining('it returns to its own course, with no one in it') },
  ]);
  expect(effect.brake.takes).toEqual([]);
  expect(ts.sandbox.world.sections.must(section?.id ?? 0).course_id).toBe(found?.course.id);
});

/** Reads enrolment rows by number: their effect, and whether the LMS had a message about them. */
async function enrolmentsOf(id: string) {
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  return rows.toSorted((a, b) => a.row - b.row).map(({ does }) => does);
}

const refusedEnrolments = () =>
  ([...ts.sandbox.world.sisBatches.values()].at(-1)?.errors ?? []).flatMap(({ row, file }) =>
    file?.endsWith('enrollments.csv') ? [row] : [],
  );

test('SIS-06: enrolments of a person deleted by the same upload are announced as created or rejected, as the LMS then treats them', async () => {
  const { enrollments } = ts.sandbox.world;
  const { places } = await fullCourse(4);
  const [student] = places;
  const other = campus.courses(86).find(({ id }) => {
    const there = enrollments.by.course.get(id).map(({ user_id }) => user_id);
    return !there.includes(student?.id ?? 0);
  });
  const held = enrollments.by.user.get(student?.id ?? 0).find(({ type, course_section_id: at }) => {
    const section = ts.sandbox.world.sections.must(at);
    return type === 'StudentEnrollment' && section.sis_source_id !== null;
  });
  const section = ts.sandbox.world.sections.must(held?.course_section_id ?? 0).sis_source_id;
  const course = ts.sandbox.world.courses.must(held?.course_id ?? 0).sis_source_id;
  const line = (role: number, status: string) => `${other?.sis_source_id},,${student?.sis},${role},${status}`;
  const before = new Set([...enrollments.values()].map(({ id }) => id));
  const { name } = ts.sandbox.world.users.must(student?.id ?? 0);
  const { id } = await sent(
    await zipOf({
      'users.csv': `${USERS}\n${student?.sis},${campus.person(student?.id ?? 0).email},x,deleted`,
      'enrollments.csv': [
        ENROL,
        line(3, 'inactive'),
        line(4, 'completed'),
        line(5, 'active'),
        line(6, 'deleted'),
        `${course},${section},${student?.sis},3,deleted`,
      ].join('\n'),
    }),
    'all.zip',
  );
  expect(await enrolmentsOf(id)).toEqual(['creates', 'creates', 'fails', 'nothing', 'fails']);
  expect(refusedEnrolments()).toEqual([4, 6]);
  const made = [...enrollments.values()].filter((one) => !before.has(one.id));
  expect(made.map((one) => one.workflow_state).filter((one) => one !== 'deleted')).toEqual([
    'inactive',
    'completed',
  ]);
  const { rows } = await effectRows(alma, id, { table: 'enrollment', does: 'creates' });
  expect(rows[0]).toMatchObject({
    of: { name },
    fields: [['status', null, expect.any(String)]],
    why: expect.stringContaining('This upload deletes the person.'),
  });
});

test('SIS-06: rows about people in a section that the same upload deletes, through its course or directly, are announced as the LMS treats them', async () => {
  const found = sectioned().at(-1);
  const section = found?.named[0];
  const users = ts.sandbox.world.enrollments.by.section
    .get(section?.id ?? 0)
    .filter(({ workflow_state, role_id }) => workflow_state === 'active' && role_id === 3)
    .map(({ user_id }) => campus.person(user_id).sis)
    .filter((sis) => sis !== '');
  expect(users.length).toBeGreaterThan(2);
  const line = (course: string, at: number, status: string) =>
    `${course},${section?.sis},${users[at]},3,${status}`;
  const { id } = await sent(
    await zipOf({
      'sections.csv': `${SECTIONS}\n${section?.sis},${found?.course.sis},Renamed,deleted`,
      'enrollments.csv': [
        ENROL,
        line(found?.course.sis ?? '', 0, 'deleted'),
        line('', 1, 'deleted'),
        line(found?.course.sis ?? '', 2, 'completed'),
        line('', 2, 'active'),
      ].join('\n'),
    }),
    'gone.zip',
  );
  expect(await enrolmentsOf(id)).toEqual(['nothing', 'nothing', 'fails', 'fails']);
  expect(refusedEnrolments()).toEqual([4, 5]);
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  for (const { does, why } of rows)
    if (does === 'nothing')
      expect(why).toBe('The enrolment ends with its section, which is deleted by this upload.');
});

test('SIS-06: rows about a section that is cross-listed elsewhere and deleted through its original course are announced as the LMS treats them', async () => {
  const found = sectioned().at(-2);
  const section = found?.named[0];
  const [one] = ts.sandbox.world.enrollments.by.section
    .get(section?.id ?? 0)
    .filter(
      ({ workflow_state, user_id }) => workflow_state === 'active' && campus.person(user_id).sis !== '',
    );
  const target = campus.course(8, 163);
  await sent(`${LISTINGS}\n${target.sis},${section?.sis},active`);
  const { id } = await sent(
    await zipOf({
      'sections.csv': `${SECTIONS}\n${section?.sis},${found?.course.sis},x,deleted`,
      'enrollments.csv': `${ENROL}\n${found?.course.sis},${section?.sis},${campus.person(one?.user_id ?? 0).sis},${one?.role_id},deleted`,
    }),
    'listed.zip',
  );
  expect(await enrolmentsOf(id)).toEqual(['nothing']);
  expect(errors()).toEqual([]);
});

test('SIS-06: people join a course restored by the same zip: the review says what the LMS does not show about its sections', async () => {
  const { world } = ts.sandbox;
  const { course, named, places } = await fullCourse(5);
  const inside = places.find(({ section }) => section === named[0]?.sis);
  const strangers = campus.strangers(3, [course.id]);
  await sent(`${COURSES}\n${course.sis},x,y,deleted`);
  for (const one of world.sections.by.course.get(course.id))
    if (one.default_section) world.sections.change(one, { workflow_state: 'deleted' });
  const rows = [
    `${course.sis},,${strangers[0]?.sis},3,active`,
    `${course.sis},${named[0]?.sis},${strangers[1]?.sis},3,active`,
    `${course.sis},NO-SUCH-S,${strangers[2]?.sis},3,active`,
    `${course.sis},${named[0]?.sis},${inside?.sis},3,deleted`,
    `${course.sis},${named[0]?.sis},NOBODY,3,active`,
  ];
  const { id, effect } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\n${course.sis},x,Back again,active`,
      'enrollments.csv': [ENROL, ...rows].join('\n'),
    }),
    'back.zip',
  );
  expect(effect.brake.takes).toEqual([]);
  const told = (await effectRows(alma, id, { table: 'enrollment' })).rows.toSorted((a, b) => a.row - b.row);
  const hidden = { does: 'unknown', why: expect.stringContaining('does not show the sections of a deleted') };
  expect(told).toMatchObject([
    {
      does: 'creates',
      why: expect.stringContaining('the LMS creates a new section, named after the course'),
    },
    hidden,
    hidden,
    { does: 'nothing', why: expect.stringContaining('is restored without its former enrolments') },
    { does: 'fails' },
  ]);
  expect(effect.notes).toContainEqual(
    expect.stringMatching(
      /is restored by this upload.* creates a new section.* for 1 row without section_id/,
    ),
  );
  expect(errors().toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([4, 6]);
  const [made] = world.sections.by.course
    .get(course.id)
    .filter((one) => one.default_section && one.workflow_state === 'active');
  expect(made?.name).toBe('Back again');
});

test('SIS-06: a row without a section that is rejected because its course is deleted says that it leaves a section behind', async () => {
  const { world } = ts.sandbox;
  const course = campus.course(11, 163);
  const [stranger] = campus.strangers(1, [course.id]);
  await sent(`${COURSES}\n${course.sis},x,y,deleted`);
  for (const one of world.sections.by.course.get(course.id))
    world.sections.change(one, { workflow_state: 'deleted' });
  const { id } = await sent(`${ENROL}\n${course.sis},,${stranger?.sis},3,active`);
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  const why = expect.stringContaining('the LMS creates a default section and rejects the row');
  expect(rows).toMatchObject([{ does: 'unknown', why }]);
  const live = world.sections.by.course.get(course.id).filter((one) => one.workflow_state === 'active');
  expect(live).toHaveLength(1);
});

test('SIS-06: the row for a member of a group whose course was deleted earlier is not compared, and the review says why', async () => {
  const { course, one, places } = await fullCourse(1);
  await sent(`${COURSES}\n${course.sis},x,y,deleted`);
  const { id, effect } = await reviewed(alma, `${MEMBERS}\n${one},${places[0]?.sis},deleted`);
  expect(doing(effect, 'group_membership')).toEqual({ unknown: 1 });
  expect(effect.brake.takes).toEqual([{ kind: 'group_membership', count: 1 }]);
  const { rows } = await effectRows(alma, id, { table: 'group_membership' });
  expect(rows[0]?.why).toContain(`The course of the group "${one}" is deleted`);
});

test('SIS-06: an observer without a student is also rejected in a course that the same zip deletes', async () => {
  const course = campus.course(8, 163);
  const [one, two] = campus.strangers(2, [course.id]);
  const { id } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\n${course.sis},x,y,deleted`,
      'enrollments.csv': [
        `${ENROL},associated_user_id`,
        `${course.sis},,${one?.sis},7,deleted,NOBODY-2`,
        `${course.sis},,${two?.sis},3,deleted,NOBODY-2`,
      ].join('\n'),
    }),
    'nobody.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  const said = rows.map(({ row, does }): [number, string] => [row, does]);
  expect(said.sort(([one], [other]) => one - other)).toEqual([
    [2, 'fails'],
    [3, 'nothing'],
  ]);
  expect(errors()).toEqual([2]);
});

test('SIS-06: a row that removes the owner of a deleted login from a deleted course says when the LMS rejects it', async () => {
  const course = campus.course(9, 163);
  const [was, never] = campus.strangers(2, [course.id]);
  if (!was || !never) throw new Error('the campus has no such people');
  await sent(`${ENROL}\n${course.sis},,${was.sis},3,active`);
  const section = ts.sandbox.world.enrollments.by.user
    .get(was.id)
    .find(({ course_id }) => course_id === course.id)?.course_section_id;
  ts.sandbox.world.sections.change(ts.sandbox.world.sections.must(section ?? 0), { sis_source_id: 'LEFT-1' });
  await sent(`${COURSES}\n${course.sis},x,y,deleted`);
  await sent(`${USERS}\n${was.sis},${was.email},A B,deleted\n${never.sis},${never.email},A B,deleted`);
  const { id } = await sent(
    `${ENROL}\n${course.sis},LEFT-1,${was.sis},3,deleted\n${course.sis},LEFT-1,${never.sis},3,deleted`,
  );
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  const why = expect.stringContaining('belongs to a deleted login whose owner never had this role');
  expect(rows).toMatchObject([
    { does: 'nothing', why },
    { does: 'nothing', why },
  ]);
  expect(errors()).toEqual([2]);
});

test('SIS-06: people of a section that the same zip cross-lists away from a deleted course are not announced as rejected', async () => {
  const found = sectioned().at(-1);
  const section = found?.named[0];
  const course = found?.course;
  if (!course || !section?.sis) throw new Error('the campus has no such section');
  const [person] = campus.strangers(1, [course.id]);
  await sent(`${COURSES}\n${course.sis},x,y,deleted`);
  const { id } = await sent(
    await zipOf({
      'x.csv': `${LISTINGS}\nMOVED-1,${section.sis},active`,
      'e.csv': `${ENROL}\n${course.sis},${section.sis},${person?.sis},3,active`,
    }),
    'moved.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows).toMatchObject([
    { does: 'unknown', why: expect.stringContaining('cross-lists a deleted section') },
  ]);
  expect(errors()).toEqual([]);
  expect(campus.stateOf(person?.id ?? 0, section.id, 3)).toBe('active');
});
