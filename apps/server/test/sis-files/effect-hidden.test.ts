/**
 * Effects on deleted objects, of which the LMS shows very little: the review announces them, and they happen
 * (SIS-06).
 */
import { expect, test } from 'vitest';
import { submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, ts } from './effect-campus.ts';
import { COURSES, fullCourse, LISTINGS, SECTIONS, sectioned, sent } from './removals.ts';
import { effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const CHANGES = 'type,old_id,new_id';

test('SIS-06: the review shows the remaining effects, and the failures, of rows for a course deleted before or by the same zip', async () => {
  const { course, places: all } = await fullCourse(0);
  const places = all.filter(({ section }) => section !== '');
  const rows = ['deleted', 'completed', 'deleted_last_completed'].map(
    (status, at) => `${course.sis},${places[at]?.section},${places[at]?.sis},3,${status}`,
  );
  const enrolments = [ENROL, ...rows, `${course.sis},,NOBODY,3,deleted`].join('\n');
  const zip = await zipOf({
    'courses.csv': `${COURSES}\n${course.sis},x,y,deleted`,
    'enrollments.csv': enrolments,
  });
  for (const [content, name, why] of [
    [zip, 'all.zip', 'deleted by this upload'],
    [enrolments, 'enrollments.csv', 'The course is deleted'],
  ] as const) {
    const { id } = await sent(content, name);
    const shown = await effectRows(alma, id, { table: 'enrollment' });
    const of = (row: number) => shown.rows.find((one) => one.row === row);
    expect([2, 3, 4, 5].map((row) => of(row)?.does)).toEqual(['nothing', 'fails', 'fails', 'fails']);
    expect(of(2)?.why).toContain(why);
    expect(of(3)?.why).toContain(why);
    expect(of(5)?.why).toContain('No person in the LMS has the SIS ID "NOBODY"');
    const refused = [...ts.sandbox.world.sisBatches.values()].at(-1)?.errors ?? [];
    expect(refused.map(({ row }) => row).sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual([3, 4, 5]);
  }
});

test('SIS-06: a section returns to its own course if the same zip deletes the course it is cross-listed into', async () => {
  const { course, named } = await fullCourse(1);
  const [section] = named;
  const target = campus.course(6, 163);
  await sent(`${LISTINGS}\n${target.sis},${section?.sis},active`);
  const { id } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\n${target.sis},x,y,deleted`,
      'sections.csv': `${SECTIONS}\n${section?.sis},${course.sis},${section?.name},active`,
    }),
    'all.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'section' });
  expect(rows).toMatchObject([
    {
      does: 'changes',
      fields: [['course_id', target.sis, course.sis]],
      why: expect.stringContaining('returns to its own'),
    },
  ]);
  expect(ts.sandbox.world.sections.by.sis.get(section?.sis ?? '')?.course_id).toBe(course.id);
});

test('SIS-06: giving a deleted section another id restores the course it is cross-listed into, and both are announced', async () => {
  const { world } = ts.sandbox;
  const { course, named } = await fullCourse(2);
  const [section] = named;
  await sent(`${SECTIONS}\n${section?.sis},${course.sis},x,deleted`);
  const { id } = await sent(`${CHANGES}\nsection,${section?.sis},HIDDEN-1`);
  const [changed] = (await effectRows(alma, id, { table: 'change_sis_id' })).rows;
  expect(changed?.why).toContain(
    'the LMS gives it the new ID. LMS Admin cannot check this, because the LMS does not show deleted items',
  );
  expect(world.sections.by.sis.get('HIDDEN-1')?.id).toBe(section?.id);
  const listed = await sent(`${LISTINGS}\nHIDDEN-COURSE,HIDDEN-1,active`);
  const [listing] = (await effectRows(alma, listed.id, { table: 'xlist' })).rows;
  expect(listing?.why).toContain('the section moves to the course, which the LMS creates for it');
  expect(listed.effect.new_courses.map((one) => one.sis_course_id)).toEqual(['HIDDEN-COURSE']);
  expect(world.courses.by.sis.get('HIDDEN-COURSE')).toBeDefined();
});

test('SIS-06: a deleted course gets another id', async () => {
  const course = campus.course(8, 163);
  await sent(`${COURSES}\n${course.sis},x,y,deleted`);
  const { id } = await sent(`${CHANGES}\ncourse,${course.sis},HIDDEN-2`);
  const { rows } = await effectRows(alma, id, { table: 'change_sis_id' });
  expect(rows).toMatchObject([{ does: 'changes', fields: [['id', course.sis, 'HIDDEN-2']] }]);
  expect(ts.sandbox.world.courses.by.sis.get('HIDDEN-2')?.id).toBe(course.id);
});

test('SIS-06: an observer follows a student whose login was deleted: the review says that the row may be accepted', async () => {
  const { world } = ts.sandbox;
  const { course } = await fullCourse(3);
  const [observer, student] = campus.strangers(2, [course.id]);
  const login = world.pseudonyms.by.sis.get(student?.sis ?? '');
  await sent(`user_id,login_id,status\n${student?.sis},${login?.unique_id},deleted`);
  const { id } = await sent(
    `${ENROL},associated_user_id\n${course.sis},,${observer?.sis},7,active,${student?.sis}`,
  );
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows).toMatchObject([
    {
      does: 'fails',
      why: expect.stringContaining('If this SIS ID belongs to a deleted login, the row applies to the owner'),
    },
  ]);
  const made = world.enrollments.by.user.get(observer?.id ?? 0);
  expect(made.some((one) => one.associated_user_id === student?.id)).toBe(true);
});

test('SIS-06: a course created for a cross-listing follows its section’s course, and the review says so', async () => {
  const { world } = ts.sandbox;
  const { course, named } = await fullCourse(4);
  const made = world.courses.must(course.id);
  world.courses.add({ ...made, sis_source_id: 'FOLLOWER', template_course_id: course.id });
  expect(named.length).toBeGreaterThan(0);
  const { effect } = await sent(`${COURSES}\n${course.sis},CODE,Another name,active`);
  expect(effect.notes).toContainEqual(
    expect.stringContaining(`created for a cross-listing from "${course.sis}". If so, that course changes`),
  );
  expect(world.courses.by.sis.get('FOLLOWER')?.name).toBe('Another name');
});

test('SIS-06: a deleted section that a file lists again is shown as restored, and people join it', async () => {
  const { world } = ts.sandbox;
  const { course, named } = await fullCourse(5);
  const [section] = named;
  const row = `${section?.sis},${course.sis},${section?.name}`;
  await sent(`${SECTIONS}\n${row},deleted`);
  const [stranger] = campus.strangers(1, [course.id]);
  const { id, effect } = await sent(
    await zipOf({
      'sections.csv': `${SECTIONS},start_date\n${row},active,2026-09-01\nHIDDEN-S,${course.sis},Another,active,`,
      'enrollments.csv': `${ENROL}\n${course.sis},${section?.sis},${stranger?.sis},3,active`,
    }),
    'again.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'section' });
  const told = rows.toSorted((a, b) => a.row - b.row);
  expect(told).toMatchObject([
    {
      does: 'restores',
      why: expect.stringContaining('has a deleted section of this name'),
      fields: [
        ['status', 'deleted', 'active'],
        ['start_date', null, '2026-09-01T00:00:00Z'],
      ],
    },
    { does: 'creates' },
  ]);
  expect(effect.brake.takes).toEqual([]);
  expect((await effectRows(alma, id, { table: 'enrollment' })).rows).toMatchObject([{ does: 'creates' }]);
  expect(world.sections.by.sis.get(section?.sis ?? '')).toMatchObject({
    id: section?.id,
    workflow_state: 'active',
    start_at: '2026-09-01T00:00:00Z',
  });
});

test('SIS-06: a course created by a cross-listing gets the name that the same zip gives its section’s course', async () => {
  const { course, named } = await fullCourse(5);
  const zip = await zipOf({
    'courses.csv': `${COURSES}\n${course.sis},x,Renamed a moment ago,active`,
    'xlists.csv': `${LISTINGS}\nNAMED-LIKE,${named[0]?.sis},active`,
  });
  const { effect } = await reviewed(alma, zip, 'all.zip');
  expect(effect.new_courses).toMatchObject([
    { sis_course_id: 'NAMED-LIKE', name: 'Renamed a moment ago', sections: 1 },
  ]);
});

test('SIS-06: the review makes no guess about rows for a course that exists only if a hidden section creates it', async () => {
  const { world } = ts.sandbox;
  const course = campus.course(9, 163);
  const [stranger] = campus.strangers(1, [course.id]);
  for (const status of ['active', 'deleted']) await sent(`${SECTIONS}\nPERHAPS-S,${course.sis},x,${status}`);
  const { id } = await sent(
    await zipOf({
      'xlists.csv': `${LISTINGS}\nPERHAPS-C,PERHAPS-S,active`,
      'enrollments.csv': `${ENROL}\nPERHAPS-C,,${stranger?.sis},3,active`,
    }),
    'all.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows).toMatchObject([
    { does: 'unknown', why: expect.stringContaining('cross-lists a deleted section into the course') },
  ]);
  expect(world.enrollments.by.course.count(world.courses.by.sis.get('PERHAPS-C')?.id ?? 0)).toBeGreaterThan(
    0,
  );
});

test('SIS-06: rows without a section in a deleted course may affect its default section elsewhere: the review says so, and removals count', async () => {
  const { world } = ts.sandbox;
  const [course, other] = [sectioned().at(-1)?.course ?? { id: 0, sis: '' }, campus.course(11, 163)];
  const [one, two] = campus.strangers(2, [course.id, other.id]);
  const section = [...world.sections.by.course.get(course.id)].find((each) => each.default_section);
  if (!section) throw new Error('no default section');
  world.sections.change(section, { sis_source_id: 'AWAY-S' });
  await sent(`${LISTINGS}\n${other.sis},AWAY-S,active`);
  await sent(`${COURSES}\n${course.sis},x,y,deleted`);
  const { id, effect } = await reviewed(
    alma,
    [ENROL, `${course.sis},,${one?.sis},3,deleted`, `${course.sis},,${two?.sis},3,active`].join('\n'),
  );
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  const why = expect.stringContaining(
    'If the default section of the course was cross-listed to another course',
  );
  expect(rows).toMatchObject([
    { does: 'unknown', why },
    { does: 'unknown', why, problems: [{ column: 'course_id', message: 'The course is deleted.' }] },
  ]);
  expect(effect).toMatchObject({
    refused: 0,
    not_found: 1,
    brake: { takes: [{ kind: 'enrollment', count: 1 }] },
  });
  const typed = { file: id, deletions: effect.brake.confirm ?? undefined };
  await watch(alma, (await submitted(alma, typed)).id);
  expect(
    world.enrollments.by.section.get(section.id).filter((each) => each.user_id === two?.id),
  ).toMatchObject([{ workflow_state: 'active', course_id: other.id }]);
});

test('SIS-06: a second login has its own integration id, not that of the first', async () => {
  const { world } = ts.sandbox;
  const [one] = campus.strangers(1, []);
  const first = world.pseudonyms.by.sis.get(one?.sis ?? '');
  if (!first) throw new Error('nobody');
  world.pseudonyms.change(first, { integration_id: 'INT-FIRST' });
  const logins = 'user_id,login_id,existing_user_id,status';
  await sent(`${logins}\nSECOND-1,second-1@x.example,${one?.sis},active`);
  const { id } = await sent(
    `user_id,login_id,status,integration_id\nSECOND-1,second-1@x.example,active,INT-SECOND`,
  );
  const { rows } = await effectRows(alma, id, { table: 'user' });
  expect(rows).toMatchObject([{ does: 'changes', fields: [['integration_id', null, 'INT-SECOND']] }]);
  expect(first.integration_id).toBe('INT-FIRST');
});

test('SIS-06: a person who has just been deleted is recognised by the SIS ID, although the row says nothing else about them', async () => {
  const { world } = ts.sandbox;
  const [one] = campus.strangers(1, []);
  const login = world.pseudonyms.by.sis.get(one?.sis ?? '');
  // The list of deleted people was read before that.
  await reviewed(alma, 'user_id,login_id,status\nNEW-TO-ALL,new-to-all@x.example,active');
  await sent(`user_id,login_id,status\n${one?.sis},${login?.unique_id},deleted`);
  const { id } = await sent(`user_id,login_id,status\n${one?.sis},other-again@x.example,active`);
  const [row] = (await effectRows(alma, id, { table: 'user' })).rows;
  expect(row).toMatchObject({
    does: 'restores',
    why: expect.stringContaining('was deleted and is restored'),
  });
  expect(world.pseudonyms.by.sis.get(one?.sis ?? '')?.id).toBe(login?.id);
});

test('SIS-06: a person named by two SIS IDs in one file is one person, and a course named by its section is that course', async () => {
  const { course, places } = await fullCourse(4);
  const [one, other] = places.filter(({ section }) => section !== '');
  await sent(`user_id,login_id,existing_user_id,status\nSECOND-2,second-2@x.example,${one?.sis},active`);
  const { id, lost, effect } = await sent(
    [
      ENROL,
      `${course.sis},${one?.section},${one?.sis},3,completed`,
      `${course.sis},,SECOND-2,5,active`,
      `,${other?.section},${other?.sis},3,active`,
    ].join('\n'),
  );
  expect(effect).toMatchObject({ courses: 1, people: 2 });
  expect(lost.takes).toEqual([{ kind: 'enrollment', count: 1 }]);
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows.map(({ row, does }) => [row, does])).toEqual([
    [2, 'concludes'],
    [3, 'creates'],
    [4, 'nothing'],
  ]);
});

test('SIS-06: a deleted section is announced as restored by one row, not by two', async () => {
  const { course, named } = await fullCourse(3);
  const [section] = named;
  await sent(`${SECTIONS}\n${section?.sis},${course.sis},x,deleted`);
  const row = (id = '') => `${id},${course.sis},${section?.name},active`;
  const { id } = await sent(`${SECTIONS}\n${row(section?.sis)}\n${row('TWIN-1')}`);
  const { rows } = await effectRows(alma, id, { table: 'section' });
  expect(rows.map(({ does }) => does)).toEqual(['creates', 'creates']);
  expect(rows[0]?.why).toContain('the LMS restores the section');
});

test('SIS-06: the LMS accepts a row that removes a person from a deleted section, and the review says so', async () => {
  const { course, places } = await fullCourse(2);
  const [one] = places.filter(({ section }) => section !== '');
  await sent(`${SECTIONS}\n${one?.section},${course.sis},x,deleted`);
  const { id } = await sent(`${ENROL}\n${course.sis},${one?.section},${one?.sis},3,deleted`);
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows).toMatchObject([{ why: expect.stringContaining('there is nothing left to remove from it') }]);
});
