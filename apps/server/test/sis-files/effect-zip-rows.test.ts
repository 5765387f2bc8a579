/**
 * Rows in a zip: texts name the file of another row, and the review counts everyone whom a row names
 * (SIS-06).
 */
import { expect, test } from 'vitest';
import { alma, campus, ENROL, openEffects } from './effect-campus.ts';
import { COURSES, fullCourse, MEMBERS, sectioned, sent } from './removals.ts';
import { effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const why = async (id: string, table: 'enrollment' | 'group_membership') =>
  Object.fromEntries(
    (await effectRows(alma, id, { table })).rows.map((one) => [`${one.file} ${one.row}`, one.why]),
  );

test("SIS-06: a row that depends on another row, or repeats it, names that row's file", async () => {
  const { course, one, two } = await fullCourse(0);
  const [first, second] = campus.strangers(2, [course.id]);
  const enrol = (sis: string | undefined, status: string) => `${course.sis},,${sis},3,${status}`;
  const { id, effect } = await sent(
    await zipOf({
      'a.csv': [ENROL, enrol(first?.sis, 'active'), enrol(second?.sis, 'active')].join('\n'),
      'b.csv': [ENROL, enrol(first?.sis, 'active'), enrol(second?.sis, 'completed')].join('\n'),
      'c.csv': `${MEMBERS}\n${one},${first?.sis},accepted`,
      'd.csv': `${MEMBERS}\n${one},${first?.sis},deleted\n${two},${first?.sis},accepted`,
    }),
    'zip.zip',
  );
  expect(await why(id, 'enrollment')).toMatchObject({
    'a.csv 3': 'Row 3 of b.csv is about the same enrolment and overrides this row.',
    'b.csv 2': 'Row 2 of a.csv already says the same.',
  });
  expect(await why(id, 'group_membership')).toMatchObject({
    'c.csv 2': 'Row 2 of d.csv is about the same membership and overrides this row.',
  });
  expect(effect.people).toBe(2);
});

test('SIS-06: everyone whom a row names is counted, in users, members and enrolments', async () => {
  const { course, places, one } = await fullCourse(1);
  const [member, enrolled] = places;
  const person = campus.person(member?.id ?? 0);
  const { effect } = await reviewed(
    alma,
    await zipOf({
      'users.csv': `user_id,login_id,full_name,status\nZIP-1,zip1@x.example,New,active\n${person.sis},${person.email},x,active`,
      'enrollments.csv': `${ENROL}\n${course.sis},,ZIP-1,3,active\n${course.sis},${enrolled?.section},${enrolled?.sis},3,active`,
      'members.csv': `${MEMBERS}\n${one},${member?.sis},accepted`,
    }),
    'people.zip',
  );
  expect(effect.people).toBe(3);
});

test('SIS-06: a removal from a deleted course that names a section of another course is rejected, and the person stays', async () => {
  const [gone, other] = sectioned().slice(5);
  const section = other?.named[0];
  const [seated] = (await campus.enrolments(other?.course.id ?? 0, 3)).filter(
    (one) => one.course_section_id === section?.id,
  );
  const person = campus.person(seated?.user_id ?? 0);
  const removal = (sis: string | undefined) => `${ENROL}\n${gone?.course.sis},${sis},${person.sis},3,deleted`;
  const stays = () =>
    campus.sandbox.world.enrollments.by.user
      .get(seated?.user_id ?? 0)
      .some((one) => one.id === seated?.id && one.workflow_state === 'active');
  const { id } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\n${gone?.course.sis},x,y,deleted`,
      'a.csv': removal(section?.sis),
      'b.csv': removal('NO-SUCH'),
      'c.csv': removal(gone?.named[0]?.sis),
    }),
    'gone.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(Object.fromEntries(rows.map(({ file, does }) => [file, does]))).toEqual({
    'a.csv': 'fails',
    'b.csv': 'fails',
    'c.csv': 'nothing',
  });
  expect(rows.find(({ file }) => file === 'a.csv')?.why).toContain(
    `does not have the section ${JSON.stringify(section?.sis)}.`,
  );
  const batch = [...campus.sandbox.world.sisBatches.values()].at(-1);
  expect(batch?.errors).toHaveLength(2);
  expect(new Set(batch?.errors.map(({ file }) => file?.slice(-5)))).toEqual(new Set(['a.csv', 'b.csv']));
  expect(stays()).toBe(true);
  // The same row fails in a course that was deleted earlier.
  const later = await reviewed(alma, removal(section?.sis));
  const { rows: after } = await effectRows(alma, later.id, { table: 'enrollment' });
  expect(after).toMatchObject([{ does: 'fails' }]);
});
