/** Notes in a review about people who have no access although nothing of theirs is removed (SIS-06). */
import { errorEnvelope } from '@lms-admin/contract/errors';
import { expect, test } from 'vitest';
import { submit } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, ts } from './effect-campus.ts';
import { COURSES, LISTINGS, observed, SECTIONS, sectioned, sent } from './removals.ts';
import { doing, reviewed, zipOf } from './support.ts';

openEffects();

test('SIS-06: a start date in the future is noted, and one after the end date is rejected', async () => {
  const [found] = sectioned();
  const [section] = found?.named ?? [];
  const row = (start: string, end: string) =>
    `${SECTIONS},start_date,end_date\n${section?.sis},${found?.course.sis},"${section?.name}",active,${start},${end}`;
  const later = await sent(row('2027-02-01', ''));
  expect(later.effect.notes.join()).toMatch(
    /1 row sets the start date of a section to a date in the future \(2027-0/,
  );
  const held = ts.sandbox.world.sections.must(section?.id ?? 0);
  expect(held.restrict_enrollments_to_section_dates).toBe(true);
  const never = await sent(row('2027-03-01', '2027-02-01'));
  expect(doing(never.effect, 'section')).toEqual({ fails: 1 });
  const past = await sent(row('2026-01-01', '2027-12-01'));
  expect(past.effect.notes.join()).not.toMatch(/start date/);
});

test('SIS-06: people and sections added to a concluded course are noted; if the course is reopened, ended enrolments stay ended', async () => {
  const { courses, enrollments } = ts.sandbox.world;
  const [from, into, third] = sectioned().slice(1);
  const held = courses.must(into?.course.id ?? 0);
  const rowOf = (status: string) =>
    `${COURSES}\n${into?.course.sis},"${held.course_code}","${held.name}",${status}`;
  const inside = [...enrollments.by.course.get(held.id)];
  await sent(rowOf('completed'));
  const ended = inside.filter((one) => one.workflow_state === 'completed').length;
  expect(ended).toBeGreaterThan(0);
  const said = /is concluded: 1 row adds people to it, who will only be able to read it/;
  const [stranger] = campus.strangers(1, [held.id]);
  const one = await sent(`${ENROL}\n${into?.course.sis},,${stranger?.sis},3,active`);
  expect(one.effect.notes.join()).toMatch(said);
  const listed = await sent(`${LISTINGS}\n${into?.course.sis},${from?.named[0]?.sis},active`);
  expect(listed.effect.notes.join()).toMatch(said);
  // A row that names the section's original course says so.
  const [newcomer] = campus.strangers(3, [held.id, from?.course.id ?? 0]).slice(-1);
  const named = await sent(`${ENROL}\n${from?.course.sis},${from?.named[0]?.sis},${newcomer?.sis},3,active`);
  expect(named.effect.notes.join()).toMatch(
    new RegExp(`${said.source}. The row names the course "${from?.course.sis}", from which a section was`),
  );
  const moved = await sent(
    `${SECTIONS}\n${third?.named[0]?.sis},${into?.course.sis},"${third?.named[0]?.name}",active`,
  );
  expect(moved.effect.notes.join()).toMatch(said);
  const [other] = campus.strangers(2, [held.id]).slice(-1);
  const open = await sent(
    await zipOf({
      'courses.csv': rowOf('active'),
      'enrollments.csv': `${ENROL}\n${into?.course.sis},,${other?.sis},3,active`,
    }),
    'open.zip',
  );
  expect(open.effect.notes.join()).not.toMatch(/is concluded/);
  expect(held.workflow_state).toBe('available');
  expect(inside.filter((each) => each.workflow_state === 'completed').length).toBe(ended);
});

test('SIS-06: an observer who joins with a student and leaves by a row of the same upload is mentioned', async () => {
  const { world } = ts.sandbox;
  const course = sectioned()[5]?.course;
  const [student] = campus.strangers(3, [course?.id ?? 0]).slice(-1);
  const [one, two] = [observed(student?.id ?? 0, 5), observed(student?.id ?? 0, 6)];
  const { effect } = await sent(
    await zipOf({
      'enrollments.csv': `${ENROL}\n${course?.sis},,${student?.sis},3,active`,
      'observers.csv': `observer_id,student_id,status\n${one.sis},${student?.sis},deleted`,
    }),
    'observers.zip',
  );
  expect(effect.notes.join()).toContain('Those observers leave these courses when the upload ends');
  const live = (user: number) =>
    [...world.enrollments.by.user.get(user)].some(
      (each) => each.course_id === course?.id && each.workflow_state === 'active',
    );
  expect([live(one.id), live(two.id)]).toEqual([false, true]);
});

test('SIS-06: a sentence with the review’s current text ends with a single full stop', async () => {
  const found = sectioned()[5];
  const [student] = campus.strangers(4, [found?.course.id ?? 0]).slice(-1);
  const { id } = await reviewed(alma, `${ENROL}\n${found?.course.sis},,${student?.sis},3,active`);
  observed(student?.id ?? 0, 7);
  const refused = await submit(alma, { file: id });
  expect(refused.status).toBe(409);
  const { error } = errorEnvelope.parse(await refused.json());
  expect(error.message).toContain('One linked observer is enrolled too. Nothing has been sent.');
  expect(JSON.stringify(error)).not.toContain('..');
});
