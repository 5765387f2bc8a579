/**
 * Rows without `section_id` in courses whose only section is cross-listed elsewhere: the LMS applies them in
 * the other course (SIS-06).
 */
import { expect, test } from 'vitest';
import { submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, ts } from './effect-campus.ts';
import { lookAt, lostBetween } from './lost.ts';
import { COURSES, fullCourse, LISTINGS, MEMBERS, SECTIONS, sectioned, sent } from './removals.ts';
import { doing, effectRows, reviewed, zipOf } from './support.ts';

openEffects();

/** Lists the SIS IDs of a person's courses and sections. */
const placesOf = (person: number, state = 'active') =>
  ts.sandbox.world.enrollments.by.user
    .get(person)
    .filter((one) => one.workflow_state === state)
    .map(({ course_id, course_section_id }) => [
      ts.sandbox.world.courses.must(course_id).sis_source_id,
      ts.sandbox.world.sections.must(course_section_id).sis_source_id,
    ]);

/** Finds a person who is in none of the test courses. */
function stranger(index: number) {
  const [last] = campus.strangers(60 + index, []).slice(-1);
  if (!last) throw new Error('nobody');
  return last;
}

test('SIS-06: rows follow the section of a course from the same upload', async () => {
  const target = campus.course(3);
  const person = stranger(0);
  const { id, effect } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nAWAY-1,x,y,active`,
      'sections.csv': `${SECTIONS}\nAWAY-1-S,AWAY-1,S,active`,
      'xlists.csv': `${LISTINGS}\n${target.sis},AWAY-1-S,active`,
      'enrollments.csv': `${ENROL}\nAWAY-1,,${person.sis},4,active`,
    }),
    'new.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows).toMatchObject([{ does: 'creates', in: { id: target.sis } }]);
  expect(rows[0]?.section).toContain('AWAY-1-S');
  expect(effect.notes.join()).toContain('1 row without section_id is applied in its section "AWAY-1-S"');
  expect(placesOf(person.id)).toContainEqual([target.sis, 'AWAY-1-S']);
});

test('SIS-06: if a new course has sections in the same upload, the LMS creates one more, which is announced', async () => {
  const person = stranger(6);
  const { effect } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nNEW-D,nd,New with sections,active\nNEW-E,ne,New without,active`,
      'sections.csv': `${SECTIONS}\nNEW-D-S,NEW-D,S,active`,
      'enrollments.csv': `${ENROL}\nNEW-D,NEW-D-S,${person.sis},3,active\nNEW-D,,${person.sis},4,active`,
    }),
    'new-default.zip',
  );
  const { courses, sections } = ts.sandbox.world;
  const course = courses.by.sis.get('NEW-D');
  const made = [...sections.by.course.get(course?.id ?? 0)].filter((one) => one.sis_source_id === null);
  expect(made.map(({ name }) => name)).toEqual(['New with sections']);
  expect(effect.notes).toContainEqual(
    'The LMS creates a default section, named after the course, in 1 new course of this upload, for 1 row without section_id: "NEW-D" (1 row). To choose the section, fill in the column section_id.',
  );
});

test('SIS-06: rows follow the section that the same upload cross-lists, and also later, once the section has been cross-listed', async () => {
  const target = campus.course(4);
  const [person, other, late] = [stranger(1), stranger(2), stranger(3)];
  await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nAWAY-2,x,y,active`,
      'sections.csv': `${SECTIONS}\nAWAY-2-S,AWAY-2,S,active`,
      'enrollments.csv': `${ENROL}\nAWAY-2,AWAY-2-S,${person.sis},3,active`,
    }),
    'before.zip',
  );
  const { id } = await sent(
    await zipOf({
      'xlists.csv': `${LISTINGS}\n${target.sis},AWAY-2-S,active`,
      'enrollments.csv': `${ENROL}\nAWAY-2,,${other.sis},3,active\nAWAY-2,,${person.sis},3,inactive`,
    }),
    'away.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  const landed = rows.map((row) => `${row.does} ${row.in?.id}`);
  expect(landed.toSorted((a, b) => a.localeCompare(b))).toEqual([
    `creates ${target.sis}`,
    `suspends ${target.sis}`,
  ]);
  expect(placesOf(other.id)).toContainEqual([target.sis, 'AWAY-2-S']);
  // The LMS does not show where the course's section is. A row that removes a person finds it through that
  // person.
  const removed = await sent(`${ENROL}\nAWAY-2,,${other.sis},3,deleted`);
  expect(doing(removed.effect, 'enrollment')).toEqual({ removes: 1 });
  expect(removed.lost.takes[0]).toEqual({ kind: 'enrollment', count: 1 });
  // For a row that adds a person, the review cannot know this, and says so.
  const added = await sent(`${ENROL}\nAWAY-2,,${late.sis},3,active`);
  const told = await effectRows(alma, added.id, { table: 'enrollment' });
  const open = 'If a section was cross-listed from this course to another course, the LMS uses that section';
  expect(told.rows[0]?.why).toContain(`LMS Admin cannot tell in which section this row is applied, because `);
  expect(told.rows[0]?.why).toContain(open);
  const [note = ''] = added.effect.notes.filter((one) => one.includes('"AWAY-2"'));
  // Row and note say the same, except for how they name the course and the row.
  expect(
    note
      .replace('1 row without section_id is applied', 'this row is applied')
      .replace('the course "AWAY-2"', 'the course'),
  ).toBe(told.rows[0]?.why);
  expect(placesOf(late.id)).toContainEqual([target.sis, 'AWAY-2-S']);
});

test('SIS-06: if another row names a section that was cross-listed elsewhere earlier, rows without a section follow it', async () => {
  const target = campus.course(7);
  const [student, teacher] = [stranger(7), stranger(8)];
  await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nAWAY-5,x,y,active`,
      'sections.csv': `${SECTIONS}\nAWAY-5-S,AWAY-5,S,active`,
      'xlists.csv': `${LISTINGS}\n${target.sis},AWAY-5-S,active`,
    }),
    'before.zip',
  );
  const { id } = await sent(
    `${ENROL}\nAWAY-5,AWAY-5-S,${student.sis},3,active\nAWAY-5,,${teacher.sis},4,active`,
  );
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows.map(({ does, in: place }) => [does, place?.id])).toEqual([
    ['creates', target.sis],
    ['creates', target.sis],
  ]);
  expect(placesOf(teacher.id)).toContainEqual([target.sis, 'AWAY-5-S']);
});

test('SIS-06: if another section may be the default one, nothing is claimed', async () => {
  const target = campus.course(5);
  const [person, other] = [stranger(4), stranger(5)];
  await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nAWAY-3,x,y,active`,
      'sections.csv': `${SECTIONS}\nAWAY-3-S,AWAY-3,S,active\nAWAY-3-T,AWAY-3,T,active`,
      'enrollments.csv': `${ENROL}\nAWAY-3,AWAY-3-S,${person.sis},3,active`,
    }),
    'before.zip',
  );
  const { id, effect } = await sent(
    await zipOf({
      'xlists.csv': `${LISTINGS}\n${target.sis},AWAY-3-S,active`,
      'enrollments.csv': `${ENROL}\nAWAY-3,,${other.sis},3,active`,
    }),
    'perhaps.zip',
  );
  expect(doing(effect, 'enrollment')).toEqual({ unknown: 1 });
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows[0]?.why).toContain('cannot tell whether the default section is cross-listed');
});

test('SIS-06: group memberships that end with an enrolment that could not be compared are counted with it', async () => {
  const { world } = ts.sandbox;
  const { course, one } = await fullCourse(0);
  const { sis } = stranger(20);
  await sent(`${ENROL}\n${course.sis},,${sis},3,active`);
  await sent(`${MEMBERS}\n${one},${sis},accepted`);
  for (const section of world.sections.by.course.get(course.id))
    if (section.default_section) world.sections.change(section, { name: 'Renamed' });
  const row = `${course.sis},,${sis},3,deleted`;
  const { id, effect } = await reviewed(alma, `${ENROL}\n${row}\n${row}`);
  expect(doing(effect, 'enrollment')).toEqual({ unknown: 2 });
  const both = [
    { kind: 'enrollment', count: 1 },
    { kind: 'group_membership', count: 1 },
  ];
  expect(effect.brake).toMatchObject({ takes: both, uncompared: both, confirm: 2, reason: 'untold' });
  const before = lookAt(world);
  await watch(alma, (await submitted(alma, { file: id, deletions: 2 })).id);
  expect(lostBetween(before, lookAt(world), world).takes).toEqual(both);
});

test('SIS-06: a section that moves in is not the default one if another was there, even if the same upload deletes the other', async () => {
  const { world } = ts.sandbox;
  const named = sectioned()[1]?.named[0];
  await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nFD-C,FD,Filled,active`,
      'sections.csv': `${SECTIONS}\nFD-S,FD-C,First,active`,
    }),
    'first.zip',
  );
  const { sis } = stranger(21);
  const { effect } = await sent(
    await zipOf({
      'sections.csv': `${SECTIONS}\n${named?.sis},FD-C,${named?.name},active\nFD-S,FD-C,First,deleted`,
      'enrollments.csv': `${ENROL}\nFD-C,,${sis},3,active`,
    }),
    'filled.zip',
  );
  expect(effect.notes).toContainEqual(
    expect.stringMatching(/the course "FD-C" shows no default section\..*the LMS creates a new section/),
  );
  const course = world.courses.by.sis.get('FD-C');
  const own = world.sections.by.course.get(course?.id ?? 0).filter((one) => one.default_section);
  expect(own.map(({ name }) => name)).toEqual(['Filled']);
});

test('SIS-06: a section deleted by the same upload is cross-listed with no one in it', async () => {
  const found = sectioned()[2];
  const section = found?.named[0];
  const target = campus.course(12, 163);
  const { id } = await sent(
    await zipOf({
      'sections.csv': `${SECTIONS}\n${section?.sis},${found?.course.sis},${section?.name},deleted`,
      'xlists.csv': `${LISTINGS}\n${target.sis},${section?.sis},active`,
    }),
    'gone.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'xlist' });
  expect(rows).toMatchObject([{ why: expect.stringContaining('with no one in it: this upload deletes it') }]);
});

test('SIS-06: if more people leave than are looked up, their rows count as not compared, unless one of them shows the section', async () => {
  const target = campus.course(6);
  const people = campus.strangers(101, []);
  await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nAWAY-4,x,y,active`,
      'sections.csv': `${SECTIONS}\nAWAY-4-S,AWAY-4,S,active`,
    }),
    'before.zip',
  );
  const leaving = (count: number) =>
    [ENROL, ...people.slice(0, count).map(({ sis }) => `AWAY-4,,${sis},3,deleted`)].join('\n');
  const asked = await reviewed(alma, leaving(100));
  expect(doing(asked.effect, 'enrollment')).toEqual({ nothing: 100 });
  const more = await reviewed(alma, leaving(101));
  expect(doing(more.effect, 'enrollment')).toEqual({ unknown: 101 });
  expect(more.effect.brake).toMatchObject({ confirm: 101 });
  const { rows } = await effectRows(alma, more.id, { table: 'enrollment' });
  expect(rows[0]?.why).toContain('cannot tell whether the default section is cross-listed');
  await sent(
    await zipOf({
      'xlists.csv': `${LISTINGS}\n${target.sis},AWAY-4-S,active`,
      'enrollments.csv': `${ENROL}\n${target.sis},AWAY-4-S,${people[0]?.sis},3,active`,
    }),
    'away.zip',
  );
  const { effect, lost } = await sent(leaving(101));
  expect(effect.notes.join()).toContain('101 rows without section_id are applied in its section "AWAY-4-S"');
  expect(lost.takes).toEqual([{ kind: 'enrollment', count: 1 }]);
});
