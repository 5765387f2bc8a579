/**
 * Objects that are already deleted, and repeated rows: neither the LMS nor the result complains about them
 * (SIS-06, OP-35).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { importRow } from '@lms-admin/contract/imports';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { jobOf, submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, ts, USERS } from './effect-campus.ts';
import { COURSES, sectioned, sent, students } from './removals.ts';
import { doing, reviewed } from './support.ts';

openEffects();

/** Sends a reviewed file, and follows it to its end. */
async function result(content: string) {
  const { id, effect } = await reviewed(alma, content);
  const { confirm } = effect.brake;
  const one = await submitted(alma, { file: id, ...(confirm === null ? {} : { deletions: confirm }) });
  return { effect, ended: await watch(alma, one.id), job: await jobOf(alma, one.id) };
}

test('SIS-06: deleting a person who is already deleted has no effect, and the import is done', async () => {
  const [ann, bob] = campus.strangers(2, []);
  const row = (one: typeof ann) => `${one?.sis},${one?.email},x,deleted`;
  await sent(`${USERS}\n${row(ann)}`);
  const { effect, ended, job } = await result(`${USERS}\n${row(ann)}`);
  expect(doing(effect, 'user')).toEqual({ nothing: 1 });
  expect(ended).toMatchObject({ workflow_state: 'imported', verdict: 'done', applied: 1, rows: 1 });
  expect(job).toMatchObject({ outcome: 'done' });
  // The result is the same together with other rows.
  const both = await result(`${USERS}\n${row(ann)}\n${row(bob)}`);
  expect(doing(both.effect, 'user')).toEqual({ nothing: 1, deletes: 1 });
  expect(both.ended).toMatchObject({ verdict: 'done', applied: 2, rows: 2 });
  // A rejected row among them is still shown.
  const yourself = await result(`${USERS}\n${row(ann)}\nTW-1,tw1@x.example,x,active`);
  expect(yourself.ended).toMatchObject({ verdict: 'done', applied: 2, rows: 2 });
});

test('SIS-06: deleting a course and an enrolment that are already deleted has no effect, and the import is done', async () => {
  const [found] = sectioned();
  const [one] = await students(found?.course.id ?? 0);
  const enrolment = `${ENROL}\n${found?.course.sis},${one?.section},${one?.sis},3,deleted`;
  const course = `${COURSES}\n${campus.course(9).sis},x,y,deleted`;
  for (const [file, table] of [
    [enrolment, 'enrollment'],
    [course, 'course'],
  ] as const) {
    await sent(file);
    const { effect, ended } = await result(file);
    expect(doing(effect, table)).toEqual({ nothing: 1 });
    expect(ended).toMatchObject({ verdict: 'done', applied: 1 });
  }
});

test('SIS-06: an import with equal rows, of which the LMS applies one, is done; rejected rows keep their numbers', async () => {
  const course = campus.course(4);
  const people = campus.strangers(3, [course.id]);
  const row = (one: (typeof people)[number] | undefined, status = 'active') =>
    `${course.sis},,${one?.sis},3,${status}`;
  const repeated = Array.from({ length: 120 }, () => row(people[0]));
  const { effect, ended, job } = await result([ENROL, ...repeated, row(people[1])].join('\n'));
  expect(doing(effect, 'enrollment')).toEqual({ creates: 2, nothing: 119 });
  expect(ended).toMatchObject({ workflow_state: 'imported', verdict: 'done' });
  expect(ended.applied).toBe(ended.rows);
  expect(job).toMatchObject({ outcome: 'done' });
  expect(ts.sandbox.world.enrollments.by.user.get(people[0]?.id ?? 0).length).toBeGreaterThan(0);

  const refused = await result(
    [ENROL, ...repeated, `${course.sis},,NOBODY-TW,3,active`, row(people[2])].join('\n'),
  );
  expect(refused.ended.verdict).toBe('partly');
  const response = await alma.fetch(ENDPOINTS.importRows.replace(':import', refused.ended.id));
  const rows = z.array(importRow).parse((await response.json()).data);
  expect(rows.filter(({ row: at }) => at !== null).map(({ row: at }) => at)).toEqual([122]);
});
