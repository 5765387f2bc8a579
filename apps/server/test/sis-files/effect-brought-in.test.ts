/** Rows without `section_id` in courses whose first section comes from the same upload join that section (SIS-06). */
import { expect, test } from 'vitest';
import { submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, ts } from './effect-campus.ts';
import { COURSES, LISTINGS, SECTIONS, sectioned, sent } from './removals.ts';
import { effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const NOTE = (section: string | undefined, course: string) =>
  new RegExp(
    `This upload moves the section "${section}" into the course "${course}"\\..*1 row without section_id is applied`,
  );

function stranger(index: number) {
  const [last] = campus.strangers(60 + index, []).slice(-1);
  if (!last) throw new Error('the campus has too few people');
  return last;
}

/** Finds the SIS ID of a person's section in a course, or returns null if the section has none. */
function sectionOf(person: number, sisId: string) {
  const { courses, enrollments, sections } = ts.sandbox.world;
  const course = courses.by.sis.get(sisId);
  const found = enrollments.by.user.get(person).find((one) => one.course_id === course?.id);
  return found && sections.must(found.course_section_id).sis_source_id;
}

/** Finds a section with students that no test has moved so far. */
function section() {
  const [found] = sectioned();
  const [named] = found?.named ?? [];
  if (!found || !named) throw new Error('the campus has no such section');
  return { ...named, course: found.course.sis };
}

/** Reads the text of the review about the only enrolment row. */
async function told(id: string) {
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows).toHaveLength(1);
  return rows[0];
}

test('SIS-06: a section cross-listed into a new course is named in the row and in a note', async () => {
  const [one, person] = [section(), stranger(0)];
  const { id, effect } = await sent(
    await zipOf({
      'c.csv': `${COURSES}\nBI-1,x,Merged,active`,
      'x.csv': `${LISTINGS}\nBI-1,${one.sis},active`,
      'e.csv': `${ENROL}\nBI-1,,${person.sis},4,active`,
    }),
    'x.zip',
  );
  expect(await told(id)).toMatchObject({ does: 'creates', section: `${one.name} (${one.sis})` });
  expect(effect.notes.join('\n')).toMatch(NOTE(one.sis, 'BI-1'));
  expect(sectionOf(person.id, 'BI-1')).toBe(one.sis);
});

test('SIS-06: a cross-listed section is also named if the LMS creates the course', async () => {
  const [one, person] = [section(), stranger(1)];
  const { id, effect } = await reviewed(
    alma,
    await zipOf({
      'x.csv': `${LISTINGS}\nBI-2,${one.sis},active`,
      'e.csv': `${ENROL}\nBI-2,,${person.sis},4,active`,
    }),
    'x.zip',
  );
  expect((await told(id))?.section).toBe(`${one.name} (${one.sis})`);
  expect(effect.notes.join('\n')).toMatch(NOTE(one.sis, 'BI-2'));
  const deletions = effect.brake.confirm ?? 0;
  await watch(alma, (await submitted(alma, { file: id, deletions, new_courses: ['BI-2'] })).id);
  expect(sectionOf(person.id, 'BI-2')).toBe(one.sis);
});

test('SIS-06: a section moved by a row in sections.csv is also named, even if the course gets another section after it', async () => {
  const [one, person] = [section(), stranger(2)];
  const { id, effect } = await sent(
    await zipOf({
      'c.csv': `${COURSES}\nBI-3,x,y,active`,
      's.csv': `${SECTIONS}\n${one.sis},BI-3,${one.name},active\nBI-3-S,BI-3,New,active`,
      'e.csv': `${ENROL}\nBI-3,,${person.sis},4,active`,
    }),
    's.zip',
  );
  expect((await told(id))?.section).toBe(`${one.name} (${one.sis})`);
  expect(effect.notes.join('\n')).toMatch(NOTE(one.sis, 'BI-3'));
  expect(sectionOf(person.id, 'BI-3')).toBe(one.sis);
});

test('SIS-06: a section that arrives after another is not the default one: the LMS creates one', async () => {
  const [one, person] = [section(), stranger(3)];
  const { id, effect } = await sent(
    await zipOf({
      'c.csv': `${COURSES}\nBI-4,x,y,active`,
      's.csv': `${SECTIONS}\nBI-4-S,BI-4,New,active\n${one.sis},BI-4,${one.name},active`,
      'e.csv': `${ENROL}\nBI-4,,${person.sis},4,active`,
    }),
    's.zip',
  );
  expect((await told(id))?.section).toBeNull();
  expect(effect.notes.join('\n')).not.toContain('This upload moves the section');
  expect(sectionOf(person.id, 'BI-4')).toBeNull();
});

test('SIS-06: a new section cross-listed into a new course is its default section', async () => {
  const person = stranger(4);
  const { id, effect } = await sent(
    await zipOf({
      'c.csv': `${COURSES}\nBI-5,x,y,active\nBI-6,x,y,active`,
      's.csv': `${SECTIONS}\nBI-5-S,BI-5,New,active`,
      'x.csv': `${LISTINGS}\nBI-6,BI-5-S,active`,
      'e.csv': `${ENROL}\nBI-6,,${person.sis},4,active`,
    }),
    'x.zip',
  );
  expect((await told(id))?.section).toBe('BI-5-S');
  expect(effect.notes.join('\n')).toMatch(NOTE('BI-5-S', 'BI-6'));
  expect(sectionOf(person.id, 'BI-6')).toBe('BI-5-S');
});

test('SIS-06: a section that arrives after the only one has left keeps the rows in the course', async () => {
  const [one, person, target] = [section(), stranger(5), campus.course(3, 163)];
  await sent(
    await zipOf({
      'c.csv': `${COURSES}\nBI-7,x,y,active`,
      's.csv': `${SECTIONS}\nBI-7-S,BI-7,Old,active`,
    }),
    'before.zip',
  );
  const { id, effect } = await sent(
    await zipOf({
      'x.csv': `${LISTINGS}\n${target.sis},BI-7-S,active\nBI-7,${one.sis},active`,
      'e.csv': `${ENROL}\nBI-7,,${person.sis},4,active`,
    }),
    'x.zip',
  );
  expect(await told(id)).toMatchObject({ in: { id: 'BI-7' }, section: `${one.name} (${one.sis})` });
  expect(effect.notes.join('\n')).toMatch(NOTE(one.sis, 'BI-7'));
  expect(sectionOf(person.id, 'BI-7')).toBe(one.sis);
});
