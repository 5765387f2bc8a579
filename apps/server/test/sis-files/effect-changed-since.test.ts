/** What others change between the review and the sending: rows that would do something else than was shown are not sent (SIS-06). */
import { expect, test } from 'vitest';
import { submit, submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, seated, ts, USERS } from './effect-campus.ts';
import { COURSES } from './removals.ts';
import { reviewed } from './support.ts';

openEffects();

/** Reviews a file, has something changed, and submits it: it must be refused and nothing be sent. */
async function refused(content: string, meanwhile: () => unknown): Promise<string> {
  const { id, effect } = await reviewed(alma, content);
  await meanwhile();
  const answer = await submit(alma, { file: id, deletions: effect.brake.confirm ?? undefined });
  expect(answer.status).toBe(409);
  expect(await campus.importsNamed(id)).toEqual([]);
  const { error } = await answer.json();
  expect(error.message).toContain('Nothing has been sent');
  return `${error.message} ${JSON.stringify(error.details)}`;
}

test('SIS-06: a person shown as new, whose SIS id somebody else has by then, is not renamed', async () => {
  const { pseudonyms } = ts.sandbox.world;
  const [stranger] = campus.strangers(1, []);
  const login = [...pseudonyms.values()].find((one) => one.user_id === stranger?.id);
  if (!login) throw new Error('nobody');
  const was = login.sis_user_id;
  const said = await refused(`${USERS}\nV15U,v15@x.example,New V15,active`, () =>
    pseudonyms.change(login, { sis_user_id: 'V15U' }),
  );
  expect(said).toContain('1 row of this file would not do what the review showed');
  expect(said).toMatch(/Row \d+ .*V15/);
  pseudonyms.change(login, { sis_user_id: was });
});

test('SIS-06: a course that was like its row, and is deleted by then, does not come back', async () => {
  const { courses } = ts.sandbox.world;
  const held = courses.must(campus.course(12).id);
  const before = held.workflow_state;
  const row = `${held.sis_source_id},"${held.course_code}","${held.name}",active`;
  await refused(`${COURSES}\n${row}`, () => courses.change(held, { workflow_state: 'deleted' }));
  expect(held.workflow_state).toBe('deleted');
  courses.change(held, { workflow_state: before });
});

test('SIS-06: an enrolment without effect, removed by then, is not active again', async () => {
  const { enrollments } = ts.sandbox.world;
  const { course, places } = await seated(8);
  const [one] = places;
  const places8 = [...enrollments.by.course.get(course.id)].filter(({ user_id }) => user_id === one?.id);
  const set = (workflow_state: 'active' | 'deleted') => {
    for (const each of places8) enrollments.change(each, { workflow_state });
  };
  await refused(`${ENROL}\n${course.sis},${one?.section},${one?.sis},3,active`, () => set('deleted'));
  set('active');
});

test('SIS-06: a name that others have changed by then is not overwritten, also where the import had to wait', async () => {
  const { courses } = ts.sandbox.world;
  const held = courses.must(campus.course(13).id);
  const row = `${held.sis_source_id},"${held.course_code}",Of the file,active`;
  const said = await refused(`${COURSES}\n${row}`, () => courses.change(held, { name: 'Of a colleague' }));
  expect(said).toContain('long_name');
  const { id } = await reviewed(alma, `${COURSES}\n${row}`);
  await campus.fault({ match: '/api/v1/accounts/1/sis_imports', kind: 'status', status: 503 });
  await submitted(alma, { file: id });
  courses.change(held, { name: 'Of another colleague' });
  await campus.clearFaults();
  const ended = await watch(alma, id);
  expect(ended.workflow_state).toBe('failed');
  expect(ended.processing_errors[0]?.[1]).toContain('would not do what the review showed');
  expect(held.name).toBe('Of another colleague');
});
