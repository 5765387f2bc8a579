/** The effect of a file as a whole: nothing is sent before it is known, and it is its owner’s (SIS-06, OP-53). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { sisEffects } from '../../src/platform/schema.ts';
import { statusOf, submit, submitted } from '../enrollments/campus.ts';
import { PEOPLE } from '../support/harness.ts';
import { alma, campus, ENROL, openEffects, seated, ts } from './effect-campus.ts';
import {
  answered,
  corrected,
  doing,
  draftOf,
  effectOf,
  effectRows,
  finished,
  jobEnded,
  problemsOf,
  reviewed,
  rowsOfDraft,
  startEffect,
  uploaded,
  zipOf,
} from './support.ts';

openEffects();

describe('submitting', () => {
  test('SIS-06: a file is not sent before what it does is known', async () => {
    const { course, places } = await seated(8);
    const { id } = await uploaded(alma, `${ENROL}\n${course.sis},,${places[0]?.sis},5,active`);
    const send = () =>
      alma.invoke('accounts/1/sis_imports?override_sis_stickiness=true', 'POST_SIS', { file: id });
    const early = await send();
    expect(early.status).toBe(409);
    expect((await early.json()).error.message).toContain('has not been worked out yet');
    expect((await alma.fetch(ENDPOINTS.sisEffect.replace(':file', id))).status).toBe(404);
    await effectOf(alma, id);
    expect((await send()).status).toBe(200);
    expect((await statusOf(alma, id)).id).toBe(id);
  });

  test('SIS-06: what goes is counted once more when that was long ago, and a file by which more goes is refused in words', async () => {
    const { course, places } = await seated(7);
    const [one] = places;
    const [stranger] = campus.strangers(1, [course.id]);
    const text = [
      ENROL,
      `${course.sis},${one?.section},${one?.sis},3,deleted`,
      `${course.sis},,${stranger?.sis},3,deleted`,
    ].join('\n');
    const [fresh, old, same] = [
      await reviewed(alma, text),
      await reviewed(alma, text),
      await reviewed(alma, text),
    ];
    const { db } = ts.server.services.db;
    const age = (id: string) =>
      db
        .update(sisEffects)
        .set({ madeAt: new Date(Date.now() - 3_600_000) })
        .where(eq(sisEffects.fileId, id));
    const send = ({ id, effect: { brake } }: typeof old) =>
      submit(alma, { file: id, ...(brake.confirm === null ? {} : { deletions: brake.confirm }) });
    await age(old.id);
    await age(same.id);
    const fallback = [...ts.sandbox.world.sections.by.course.get(course.id)].find(
      (section) => section.default_section,
    );
    if (!stranger || !fallback) throw new Error('the campus has no such course');
    campus.enrol(stranger.id, fallback, 3);
    const answer = await send(old);
    expect(answer.status).toBe(409);
    expect((await answer.json()).error.message).toMatch(/2 in all go now, not 1 .*Nothing has been sent/);
    // The same number as then, and a review of just now, are sent.
    for (const each of ts.sandbox.world.enrollments.values())
      if (each.user_id === stranger.id && each.course_id === course.id)
        ts.sandbox.world.enrollments.change(each, { workflow_state: 'deleted' });
    expect((await send(same)).status).toBe(200);
    expect((await send(fresh)).status).toBe(200);
  });

  test('SIS-06: of a large file that was compared long ago the answer says what to do, and nothing is asked within the request', async () => {
    const rows = Array.from({ length: 5_001 }, (_, at) => `NO-COURSE,,NOBODY-${at},3,active`);
    const { id } = await reviewed(alma, [ENROL, ...rows].join('\n'));
    const { db } = ts.server.services.db;
    await db
      .update(sisEffects)
      .set({ madeAt: new Date(Date.now() - 3_600_000) })
      .where(eq(sisEffects.fileId, id));
    await campus.forgetRequests();
    const answer = await submit(alma, { file: id });
    expect(answer.status).toBe(409);
    expect((await answer.json()).error).toMatchObject({
      message: 'What the file does was worked out more than ten minutes ago. Nothing has been sent.',
      next: 'Compare it again, and submit it then.',
      details: [{ row: null, field: 'effect' }],
    });
    await effectOf(alma, id, crypto.randomUUID());
    expect((await submit(alma, { file: id })).status).toBe(200);
  });

  test('SIS-06: worked out again, the newest counts', async () => {
    const { course, places } = await seated(10);
    const row = `${course.sis},${places[0]?.section},${places[0]?.sis},3,active`;
    const { id, effect } = await reviewed(alma, `${ENROL}\n${row}`);
    expect(doing(effect, 'enrollment')).toEqual({ nothing: 1 });
    const held = [...ts.sandbox.world.enrollments.values()].find(
      (one) => one.user_id === places[0]?.id && one.course_id === course.id,
    );
    if (!held) throw new Error('nobody sits there');
    ts.sandbox.world.enrollments.change(held, { workflow_state: 'inactive' });
    const again = await effectOf(alma, id, crypto.randomUUID());
    expect(doing(again, 'enrollment')).toEqual({ restores: 1 });
    expect((await effectRows(alma, id, { table: 'enrollment', does: 'nothing' })).all).toBe(0);
  });
});

test('OP-14, SIS-06: nobody else may have it worked out, or read it', async () => {
  const carla = await ts.signIn(PEOPLE.records);
  const { course, places } = await seated(4);
  const { id } = await reviewed(alma, `${ENROL}\n${course.sis},,${places[0]?.sis},3,active`);
  expect((await startEffect(carla, id)).status).toBe(404);
  for (const path of [ENDPOINTS.sisEffect, ENDPOINTS.sisEffectCourses])
    expect((await carla.fetch(path.replace(':file', id))).status).toBe(404);
  const rows = `${ENDPOINTS.sisEffectRows.replace(':file', id)}?table=enrollment&does=nothing`;
  expect((await carla.fetch(rows)).status).toBe(404);
  const odd = await answered(await alma.fetch(rows.replace('nothing', 'everything')));
  expect(odd.status).toBe(400);
  expect(problemsOf(odd).length).toBeGreaterThan(0);
});

test('OP-14, SIS-06: with rights for some programmes, a course that has left them is not there', async () => {
  const carla = await ts.signIn(PEOPLE.records);
  const [here, gone] = [campus.course(0, 138), campus.course(1, 138)];
  const [stranger] = campus.strangers(1, [here.id, gone.id]);
  const rows = [here, gone].map(({ sis }) => `${sis},${stranger?.sis},3,active`);
  const file = await uploaded(carla, ['course_id,user_id,role_id,status', ...rows].join('\n'));
  const { courses } = ts.sandbox.world;
  courses.change(courses.must(gone.id), { account_id: 163 });
  const effect = await effectOf(carla, file.id);
  expect(doing(effect, 'enrollment')).toEqual({ creates: 1, fails: 1 });
  const { rows: refused } = await effectRows(carla, file.id, { table: 'enrollment', does: 'fails' });
  expect(refused).toMatchObject([{ row: 3, in: { id: gone.sis, name: null, page: null } }]);
  const asked = await campus.requests((one) => one.path === `/api/v1/courses/${gone.id}/enrollments`);
  expect(asked).toEqual([]);
  courses.change(courses.must(gone.id), { account_id: 138 });
});

test('SIS-06: an effect that is cancelled changes nothing, and is taken up by another key', async () => {
  const { course, places } = await seated(4);
  const { id } = await uploaded(
    alma,
    `${ENROL}\n${course.sis},${places[0]?.section},${places[0]?.sis},3,deleted`,
  );
  await campus.fault({ match: '/api/v1/courses/*/enrollments', kind: 'latency', ms: 5_000, count: 1 });
  const job = (await (await startEffect(alma, id)).json()).data.id;
  await alma.post(ENDPOINTS.jobCancel.replace(':job', job), {});
  expect(await jobEnded(alma, job)).toMatchObject({ state: 'cancelled' });
  expect((await alma.fetch(ENDPOINTS.sisEffect.replace(':file', id))).status).toBe(404);
  await campus.clearFaults();
  expect(doing(await effectOf(alma, id, crypto.randomUUID()), 'enrollment')).toEqual({ removes: 1 });
});

describe('mending what the LMS would refuse', () => {
  const opened = async (id: string, by = alma) => by.post(ENDPOINTS.sisEffectDraft.replace(':file', id), {});
  const row = (course: string, user: string) => `${course},,${user},3,active`;

  test('SIS-06: the file opens as a draft with these rows only, is corrected and left out, and is compared anew', async () => {
    const { course } = await seated(13);
    const [one, two, three] = campus.strangers(3, [course.id]);
    const text = [
      '',
      ENROL,
      row(course.sis, one?.sis ?? ''),
      '',
      row(course.sis, 'NOBODY-7'),
      row('NO-COURSE', two?.sis ?? ''),
      row(course.sis, '-NOBODY'),
    ].join('\n');
    const { id, effect } = await reviewed(alma, text, 'zoë.csv');
    expect(doing(effect, 'enrollment')).toEqual({ creates: 1, fails: 3 });
    const response = await opened(id);
    expect(response.status).toBe(200);
    const { draft: draftId } = (await response.json()).data;
    const draft = await draftOf(alma, draftId);
    expect(draft).toMatchObject({
      name: 'zoë.csv',
      kind: 'enrollment',
      rows: 4,
      wrong: 3,
      version: 1,
      header: [],
    });
    const { rows } = await rowsOfDraft(alma, draftId);
    expect(
      rows.map((each) => [each.row, each.cells[each.problems[0]?.column ?? 0], each.problems[0]?.message]),
    ).toEqual([
      [5, 'NOBODY-7', 'Nobody in the LMS has the SIS id "NOBODY-7".'],
      [6, 'NO-COURSE', 'The LMS has no such course or section.'],
      [7, '-NOBODY', 'Nobody in the LMS has the SIS id "-NOBODY".'],
    ]);
    // One is corrected, one left out, one is still as it was.
    const cells = await corrected(alma, draft, {
      does: 'cells',
      cells: [{ row: 5, column: 2, value: three?.sis ?? '' }],
    });
    expect(cells).toMatchObject({ wrong: 2, version: 2 });
    const without = await corrected(alma, cells, { does: 'leave-out', rows: [6] });
    expect(without).toMatchObject({ wrong: 1, left_out: 1 });
    const all = await corrected(alma, without, { does: 'leave-out', rows: [7] });
    expect(all).toMatchObject({ wrong: 0, left_out: 2, rows: 2 });
    const { file } = await finished(alma, all);
    expect(file).toMatchObject({ rows: 2 });
    expect(doing(await effectOf(alma, file?.id ?? ''), 'enrollment')).toEqual({ creates: 2 });
    // The review as it was is still there.
    expect(doing(await effectOf(alma, id), 'enrollment')).toEqual({ creates: 1, fails: 3 });
  });

  test('OP-14, SIS-06: nobody else’s, no zip, nothing that is fine or has been sent', async () => {
    const { course } = await seated(14);
    const [one] = campus.strangers(1, [course.id]);
    const bad = `${ENROL}\n${row(course.sis, 'NOBODY-8')}`;
    const { id } = await reviewed(alma, bad);
    expect((await opened(id, await ts.signIn(PEOPLE.custom))).status).toBe(403);
    const zip = await reviewed(alma, await zipOf({ 'a.csv': bad }), 'a.zip');
    expect((await opened(zip.id)).status).toBe(400);
    const fine = await reviewed(alma, `${ENROL}\n${row(course.sis, one?.sis ?? '')}`);
    expect((await opened(fine.id)).status).toBe(409);
    await submitted(alma, { file: id });
    expect((await opened(id)).status).toBe(409);
  });
});
