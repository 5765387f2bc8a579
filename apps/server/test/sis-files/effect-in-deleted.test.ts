/** Rows about what is deleted, which the LMS carries out anyway: they are not said to be refused for certain (SIS-06). */
import { expect, test } from 'vitest';
import { submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, ts, USERS } from './effect-campus.ts';
import { COURSES, fullCourse, LISTINGS, MEMBERS, SECTIONS, sectioned, sent } from './removals.ts';
import { effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const errors = () => ([...ts.sandbox.world.sisBatches.values()].at(-1)?.errors ?? []).map(({ row }) => row);

test('SIS-06: a member of a group that the same upload deletes, and of one that was deleted before', async () => {
  const { places, one, two, category } = await fullCourse(0);
  const [red, blue] = places;
  const { id, lost } = await sent(
    await zipOf({
      'groups.csv': `group_id,group_category_id,name,status\n${one},${category},Red,deleted`,
      'members.csv': `${MEMBERS}\n${one},${red?.sis},accepted\n${one},${blue?.sis},accepted`,
    }),
    'deleted.zip',
  );
  // The second one leaves the other group of the category for it.
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
  expect(told[0]?.why).toContain('where no one sees it');
  expect(errors()).toEqual([]);
  // Whether it takes them out of another group is not shown: it counts, though this one takes nothing.
  const after = await reviewed(alma, `${MEMBERS}\n${one},${red?.sis},accepted`);
  expect(after.effect.brake.confirm).toBe(1);
  await watch(alma, (await submitted(alma, { file: after.id, deletions: 1 })).id);
  const [later] = (await effectRows(alma, after.id, { table: 'group_membership' })).rows;
  expect(later?.why).toContain('If one with this SIS ID was deleted, the row adds the person to that one');
  expect(errors()).toEqual([]);
  expect(two).toBe('REM-B0');
});

test('SIS-06: a cross-listing that ends in a deleted course is not compared, and removes nobody', async () => {
  const [found] = sectioned().slice(3);
  const target = campus.course(6, 163);
  const section = found?.named[0];
  await sent(`${LISTINGS}\n${target.sis},${section?.sis},active`);
  await sent(`${COURSES}\n${target.sis},x,y,deleted`);
  const { id, effect } = await sent(`${LISTINGS}\n${target.sis},${section?.sis},deleted`);
  const { rows } = await effectRows(alma, id, { table: 'xlist' });
  expect(rows).toMatchObject([
    { does: 'unknown', why: expect.stringContaining('it goes back to its own course, with no one in it') },
  ]);
  expect(effect.brake.takes).toEqual([]);
  expect(ts.sandbox.world.sections.must(section?.id ?? 0).course_id).toBe(found?.course.id);
});

/** Rows of enrolments by their number: what they do, and whether the LMS had something to say about them. */
async function enrolmentsOf(id: string) {
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  return rows.toSorted((a, b) => a.row - b.row).map(({ does }) => does);
}

const refusedEnrolments = () =>
  ([...ts.sandbox.world.sisBatches.values()].at(-1)?.errors ?? []).flatMap(({ row, file }) =>
    file?.endsWith('enrollments.csv') ? [row] : [],
  );

test('SIS-06: enrolments of somebody whom the same upload deletes: made where the LMS makes them, refused where it does', async () => {
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

test('SIS-06: rows about people in a section that the same upload deletes, by its course and by itself', async () => {
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

test('SIS-06: rows about a section that is cross-listed elsewhere and deleted, by the course that it came from', async () => {
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

test('SIS-06: people come into a course that the same zip restores: what the LMS does not show of its sections is said', async () => {
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

test('SIS-06: a row that is refused since its course is deleted says that it leaves a section behind', async () => {
  const { world } = ts.sandbox;
  const course = campus.course(11, 163);
  const [stranger] = campus.strangers(1, [course.id]);
  await sent(`${COURSES}\n${course.sis},x,y,deleted`);
  for (const one of world.sections.by.course.get(course.id))
    world.sections.change(one, { workflow_state: 'deleted' });
  const { id } = await sent(`${ENROL}\n${course.sis},,${stranger?.sis},3,active`);
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  const why = expect.stringContaining('the LMS creates one in the deleted course and refuses the row');
  expect(rows).toMatchObject([{ does: 'fails', why }]);
  const live = world.sections.by.course.get(course.id).filter((one) => one.workflow_state === 'active');
  expect(live).toHaveLength(1);
});
