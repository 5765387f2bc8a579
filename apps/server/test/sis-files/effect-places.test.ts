/** Sections and courses moved, deleted or restored with everyone in them, compared with the LMS before and after (SIS-06). */
import { expect, test } from 'vitest';
import { alma, campus, ENROL, openEffects, ts } from './effect-campus.ts';
import { COURSES, fullCourse, LISTINGS, MEMBERS, SECTIONS, sent } from './removals.ts';
import { effectCourses, effectRows, zipOf } from './support.ts';

openEffects();

test('SIS-06: people with concluded or inactive enrolments also leave the course with their section', async () => {
  const { course, named, places } = await fullCourse(0);
  const [section] = named.filter(({ sis }) => places.some((place) => place.section === sis));
  const [one, two] = places.filter((place) => place.section === section?.sis);
  await sent(
    [
      ENROL,
      `${course.sis},${section?.sis},${one?.sis},3,completed`,
      `${course.sis},${section?.sis},${two?.sis},3,inactive`,
    ].join('\n'),
  );
  const { world } = ts.sandbox;
  const sitting = [...world.enrollments.by.section.get(section?.id ?? 0)].filter(
    (each) => each.workflow_state !== 'deleted',
  );
  const { lost } = await sent(`${LISTINGS}\n${campus.course(5, 163).sis},${section?.sis},active`);
  expect(lost.takes).toEqual([{ kind: 'enrollment', count: sitting.length }]);
});

test('SIS-06: groups of a deleted category stay: joining one still means leaving the other', async () => {
  const { course, places, two, category } = await fullCourse(1);
  await sent(`group_category_id,course_id,category_name,status\n${category},${course.sis},Teams,deleted`);
  const { id, lost } = await sent(`${MEMBERS}\n${two},${places[0]?.sis},accepted`);
  expect(lost.takes).toEqual([{ kind: 'group_membership', count: 1 }]);
  const { rows } = await effectRows(alma, id, { table: 'group_membership' });
  expect(rows[0]?.takes).toBe('leaves the group Red');
});

test('SIS-06: a section that returns to its own, deleted course restores that course: this is announced, and rows in the zip find the course', async () => {
  const { world } = ts.sandbox;
  const { course, named, places } = await fullCourse(2);
  const [section] = named;
  const target = campus.course(6, 163);
  await sent(`${LISTINGS}\n${target.sis},${section?.sis},active`);
  await sent(`${COURSES}\n${course.sis},x,y,deleted`);
  const stranger = campus.strangers(1, [course.id, target.id])[0]?.sis;
  const { id } = await sent(
    await zipOf({
      'xlists.csv': `${LISTINGS}\n${target.sis},${section?.sis},deleted`,
      'enrollments.csv': `${ENROL}\n${course.sis},${section?.sis},${stranger},3,active`,
    }),
    'back.zip',
  );
  const [back] = (await effectRows(alma, id, { table: 'xlist' })).rows;
  expect(back?.why).toContain(`The course "${course.sis}" is deleted: the LMS restores it`);
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows).toMatchObject([{ does: 'creates' }]);
  expect(world.courses.must(course.id).workflow_state).toBe('claimed');
  expect(places.length).toBeGreaterThan(0);
});

test('SIS-06: a deleted course accepts sections, as its row says', async () => {
  const { world } = ts.sandbox;
  const course = campus.course(7, 163);
  await sent(`${COURSES}\n${course.sis},x,y,deleted`);
  const { id } = await sent(`${SECTIONS}\nBURIED,${course.sis},Buried,active`);
  const { rows } = await effectRows(alma, id, { table: 'section' });
  expect(rows).toMatchObject([
    { does: 'creates', why: expect.stringContaining('no one sees the section until the course is restored') },
  ]);
  expect(world.sections.by.sis.get('BURIED')?.course_id).toBe(course.id);
});

test('SIS-06: an enrolment affected both through its course and through its section, cross-listed or not, is counted once', async () => {
  const { course, named, places } = await fullCourse(3);
  const [section] = named.filter(({ sis }) => places.some((place) => place.section === sis));
  const [one, two] = places.filter((place) => place.section === section?.sis);
  const target = campus.course(8, 163);
  await sent(`${LISTINGS}\n${target.sis},${section?.sis},active`);
  const { id, lost } = await sent(
    [
      ENROL,
      `${target.sis},${section?.sis},${one?.sis},3,deleted`,
      `${course.sis},${section?.sis},${two?.sis},3,completed`,
      `,${section?.sis},${one?.sis},3,active`,
      `,${section?.sis},${two?.sis},3,deleted`,
    ].join('\n'),
  );
  expect(lost.takes[0]).toEqual({ kind: 'enrollment', count: 1 });
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  const told = rows.toSorted((a, b) => a.row - b.row).map(({ does, why }) => [does, why]);
  expect(told).toEqual([
    ['nothing', 'Row 4 of the file is about the same enrolment and overrides this row.'],
    ['nothing', 'Row 5 of the file is about the same enrolment and overrides this row.'],
    ['nothing', expect.stringContaining('already')],
    ['removes', null],
  ]);
  const { all } = await effectCourses(alma, id);
  expect(all).toBe(1);
});

test('SIS-06: the first section that moves into a new course is its default section', async () => {
  const { world } = ts.sandbox;
  const { named } = await fullCourse(4);
  const stranger = campus.strangers(1, [])[0]?.sis;
  await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nPLACE-NEW,x,y,active`,
      'sections.csv': `${SECTIONS}\n${named[0]?.sis},PLACE-NEW,Moved,active`,
      'enrollments.csv': `${ENROL}\nPLACE-NEW,,${stranger},3,active`,
    }),
    'first.zip',
  );
  const course = world.courses.by.sis.get('PLACE-NEW');
  expect([...world.sections.by.course.get(course?.id ?? 0)].map(({ id }) => id)).toEqual([named[0]?.id]);
});

test("SIS-06: the review shows new people's dates, and whether they are limited to their own section", async () => {
  const course = campus.courseForRows(3);
  const [stranger, other] = campus.strangers(2, [course.id]);
  const header = 'course_id,section_id,user_id,role_id,status,start_date,end_date,limit_section_privileges';
  const line = (sis: string | undefined, limit: string) =>
    `${course.sis},,${sis},3,active,2027-01-01,2027-02-01,${limit}`;
  const made = await sent([header, line(stranger?.sis, 'true'), line(other?.sis, '')].join('\n'));
  const dates = [
    ['start_date', null, '2027-01-01T00:00:00Z'],
    ['end_date', null, '2027-02-01T00:00:00Z'],
  ];
  const { rows } = await effectRows(alma, made.id, { table: 'enrollment' });
  expect(rows.map(({ fields }) => fields)).toEqual([
    [...dates, ['limit_section_privileges', null, 'true']],
    dates,
  ]);
  const again = await sent([header, line(stranger?.sis, 'false'), line(other?.sis, '')].join('\n'));
  const { rows: changes } = await effectRows(alma, again.id, { table: 'enrollment', does: 'changes' });
  expect(changes.map(({ fields }) => fields)).toEqual([[['limit_section_privileges', 'true', 'false']]]);
});
