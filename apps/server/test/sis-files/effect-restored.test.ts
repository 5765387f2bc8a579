/**
 * Losses that another row of the same upload reverses: they are not announced, and do not hold back the file
 * (SIS-06).
 */
import { expect, test } from 'vitest';
import { alma, ENROL, openEffects, ts } from './effect-campus.ts';
import { COURSES, fullCourse, MEMBERS, sectioned, sent, students } from './removals.ts';
import { doing, effectRows, zipOf } from './support.ts';

openEffects();

const stateIn = (course: number, person = 0) =>
  ts.sandbox.world.enrollments.by.user
    .get(person)
    .flatMap((one) => (one.course_id === course ? [one.workflow_state] : []));

test('SIS-06: a zip that concludes a course and keeps a person active in it is sent with the number that was shown', async () => {
  const { course } = sectioned()[0] ?? {};
  if (!course) throw new Error('no course');
  const [kept, ...others] = await students(course.id);
  const code = ts.sandbox.world.courses.must(course.id).course_code;
  const { effect } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\n${course.sis},"${code}","${course.name}",completed`,
      'enrollments.csv': `${ENROL}\n${course.sis},${kept?.section},${kept?.sis},3,active`,
    }),
    'concluded.zip',
  );
  const ended = effect.brake.takes.find(({ kind }) => kind === 'enrollment')?.count ?? 0;
  expect(ended).toBeGreaterThanOrEqual(others.length);
  expect(stateIn(course.id, kept?.id)).toContain('active');
});

test('SIS-06: a zip that also removes a person from another course is sent with the number that was shown', async () => {
  const [first, second] = sectioned().slice(1, 3);
  if (!first || !second) throw new Error('no course');
  const [kept] = await students(first.course.id);
  const [removed] = await students(second.course.id);
  const code = ts.sandbox.world.courses.must(first.course.id).course_code;
  await sent(
    await zipOf({
      'courses.csv': `${COURSES}\n${first.course.sis},"${code}","${first.course.name}",completed`,
      'enrollments.csv': [
        ENROL,
        `${first.course.sis},${kept?.section},${kept?.sis},3,active`,
        `${second.course.sis},${removed?.section},${removed?.sis},3,deleted`,
      ].join('\n'),
    }),
    'both.zip',
  );
  expect(stateIn(first.course.id, kept?.id)).toContain('active');
});

test('SIS-06: a group membership that ends with an enrolment and is created again is not counted as lost', async () => {
  const { course, places, one, two } = await fullCourse(4);
  const [red, blue, third] = places;
  const changed = (place: typeof red) => [
    `${course.sis},${place?.section},${place?.sis},3,deleted`,
    `${course.sis},${place?.section},${place?.sis},5,active`,
  ];
  const { id, lost, effect } = await sent(
    await zipOf({
      'enrollments.csv': [ENROL, ...changed(red), ...changed(blue), ...changed(third)].join('\n'),
      // The first person returns, the second joins the other group, the third is removed.
      'members.csv': `${MEMBERS}\n${one},${red?.sis},accepted\n${one},${blue?.sis},accepted`,
    }),
    'roles.zip',
  );
  expect(two).toBe('REM-B4');
  expect(lost.takes).toEqual([
    { kind: 'enrollment', count: 3 },
    { kind: 'group_membership', count: 2 },
  ]);
  expect(doing(effect, 'group_membership')).toEqual({ nothing: 1, creates: 1 });
  const { rows } = await effectRows(alma, id, { table: 'group_membership', does: 'nothing' });
  expect(rows[0]?.why).toContain('and this row adds them again');
});

test('SIS-06: in a chain of groups only the last row shows which group the person leaves, and no row does if nothing changes', async () => {
  const { places, one, two } = await fullCourse(5);
  const [red, blue] = places;
  const { id, lost } = await sent(
    [
      MEMBERS,
      `${two},${red?.sis},accepted`,
      `${one},${red?.sis},accepted`,
      `${one},${blue?.sis},accepted`,
      `${two},${blue?.sis},accepted`,
      `${one},${blue?.sis},accepted`,
    ].join('\n'),
  );
  expect(lost.takes).toEqual([{ kind: 'group_membership', count: 1 }]);
  const { rows } = await effectRows(alma, id, { table: 'group_membership' });
  const told = new Map(rows.map(({ row, does, takes }) => [row, [does, takes]]));
  expect([2, 3, 4, 5, 6].map((row) => told.get(row))).toEqual([
    ['nothing', null],
    ['nothing', null],
    ['nothing', null],
    ['nothing', null],
    ['creates', 'leaves the group Blue'],
  ]);
});
