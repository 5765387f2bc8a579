/**
 * Mistyped targets, and rows that could not be compared: named, rejected or confirmed by number before
 * anything is sent (SIS-06).
 */
import { describe, expect, test } from 'vitest';
import { submit, submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, ts, USERS } from './effect-campus.ts';
import { COURSES, LISTINGS, sectioned, sent, students } from './removals.ts';
import { doing, effectRows, reviewed } from './support.ts';

openEffects();

describe('mistyped targets', () => {
  test('SIS-06: a cross-listing into a course unknown to the LMS is rejected until the new course is allowed by its id', async () => {
    const { world } = ts.sandbox;
    const found = sectioned()[6] ?? sectioned().at(-1);
    if (!found) throw new Error('the campus has no such course');
    const { course, named } = found;
    const file = `${LISTINGS}\nREM-NEW,${named[0]?.sis},active`;
    const { id, effect } = await reviewed(alma, file);
    const sitting = [...world.enrollments.by.section.get(named[0]?.id ?? 0)].filter(
      (one) => one.workflow_state !== 'deleted',
    );
    expect(effect.new_courses).toEqual([
      { sis_course_id: 'REM-NEW', name: course.name, sections: 1, enrolments: sitting.length },
    ]);
    const { confirm } = effect.brake;
    const payload = { file: id, ...(confirm === null ? {} : { deletions: confirm }) };
    const refused = await submit(alma, payload);
    expect(refused.status).toBe(400);
    expect((await refused.json()).error.details).toMatchObject([{ field: 'new_courses' }]);
    expect((await submit(alma, { ...payload, new_courses: ['REM-OTHER'] })).status).toBe(400);
    expect(world.courses.by.sis.get('REM-NEW')).toBeUndefined();
    await watch(alma, (await submitted(alma, { ...payload, new_courses: ['REM-NEW'] })).id);
    expect(world.courses.by.sis.get('REM-NEW')?.name).toBe(course.name);
  });

  test('SIS-06: an unknown term is named: new courses use the default term, others keep theirs', async () => {
    const { world } = ts.sandbox;
    const held = world.courses.must(campus.course(33).id);
    const { effect } = await sent(
      [
        'course_id,short_name,long_name,term_id,status',
        'REM-T1,T1,In no term,NO-TERM,active',
        `${held.sis_source_id},${held.course_code},${held.name},NO-TERM,active`,
      ].join('\n'),
    );
    expect(effect.notes).toEqual([
      expect.stringMatching(
        /2 course rows name the term "NO-TERM", which the LMS does not have\. New courses are placed in the default/,
      ),
    ]);
    expect(world.courses.by.sis.get('REM-T1')?.enrollment_term_id).toBe(world.defaultTerm.id);
    expect(world.courses.must(held.id).enrollment_term_id).toBe(held.enrollment_term_id);
  });
});

test('SIS-06: end dates in the past are named with what they end, because they do not count as removing anyone', async () => {
  const { world } = ts.sandbox;
  const held = world.courses.must(campus.course(35).id);
  const row = (id: string, end: string) => `${id},${held.course_code},${held.name},active,2019-09-01,${end}`;
  const header = `${COURSES},start_date,end_date`;
  const { effect } = await sent(
    [header, row(held.sis_source_id ?? '', '2020-01-31'), row('REM-D1', '2999-01-31')].join('\n'),
  );
  const passed = ({ notes }: typeof effect) => notes.filter((note) => note.includes('the end date of'));
  expect(passed(effect)).toEqual([
    expect.stringMatching(/^1 row sets the end date of a course to a day that has passed \(2020-01-31\)/),
  ]);
  expect(effect.brake.takes).toEqual([]);
  expect(world.courses.must(held.id).conclude_at).toMatch(/^2020-01-31/);
  // The course had already ended, so the same row, or another date in the past, removes nothing from anyone.
  const again = await sent([header, row(held.sis_source_id ?? '', '2020-02-28')].join('\n'));
  expect(passed(again.effect)).toEqual([]);
});

describe('rows that could not be compared', () => {
  test('SIS-06: if the LMS wrongly says that a course is missing, the number of rows that remove has to be confirmed', async () => {
    const course = campus.course(34);
    const places = await students(course.id);
    const rows = places.slice(0, 3).map(({ sis, section }) => `${course.sis},${section},${sis},3,deleted`);
    await campus.fault({ match: '/api/v1/courses/sis_course_id*', kind: 'status', status: 404 });
    const { id, effect } = await reviewed(alma, [ENROL, ...rows].join('\n'));
    await campus.clearFaults();
    expect(effect.brake).toMatchObject({
      takes: [{ kind: 'enrollment', count: 3 }],
      uncompared: [{ kind: 'enrollment', count: 3 }],
      confirm: 3,
      reason: 'untold',
    });
    expect((await submit(alma, { file: id })).status).toBe(400);
    await campus.fault({ match: '/api/v1/courses/*', kind: 'status', status: 404 });
    const whole = await reviewed(alma, `${COURSES}\n${course.sis},x,y,completed`);
    expect(whole.effect.brake).toMatchObject({ confirm: 1, reason: 'untold' });
    await campus.clearFaults();
    // The course exists after all, and more than the course itself would be removed.
    expect((await submit(alma, { file: whole.id, deletions: 1 })).status).toBe(409);
  });
});

test('SIS-01: a deleted person who is in a file again is restored, not new', async () => {
  const [person] = campus.strangers(1, []);
  const name = ts.sandbox.world.users.must(person?.id ?? 0).name;
  const row = (status: string) => `${USERS}\n${person?.sis},${person?.email},${name},${status}`;
  await sent(row('deleted'));
  const { effect, id } = await sent(row('active'));
  expect(doing(effect, 'user')).toEqual({ restores: 1 });
  const { rows } = await effectRows(alma, id, { table: 'user' });
  expect(rows[0]?.fields[0]).toEqual(['status', 'deleted', 'active']);
  const [login] = ts.sandbox.world.loginsOf(person?.id ?? 0);
  expect(login).toMatchObject({ sis_user_id: person?.sis, workflow_state: 'active' });
});
