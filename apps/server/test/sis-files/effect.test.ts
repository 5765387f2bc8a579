/**
 * The effect of a file as a whole: nothing is sent before the effect is known, and it belongs to its owner
 * (SIS-06, OP-53).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { describe, expect, test } from 'vitest';
import { statusOf, submit, submitted, watch } from '../enrollments/campus.ts';
import { PEOPLE } from '../support/harness.ts';
import { hold } from '../support/held.ts';
import { alma, campus, ENROL, inside, openEffects, seated, ts } from './effect-campus.ts';
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
  test('SIS-06: a file is not sent before its effect is known', async () => {
    const { course, places } = await seated(8);
    const { id } = await uploaded(alma, `${ENROL}\n${course.sis},,${places[0]?.sis},5,active`);
    const send = () =>
      alma.invoke('accounts/1/sis_imports?override_sis_stickiness=true', 'POST_SIS', { file: id });
    const early = await send();
    expect(early.status).toBe(409);
    expect((await early.json()).error.message).toContain('has not been compared with the LMS yet');
    expect((await alma.fetch(ENDPOINTS.sisEffect.replace(':file', id))).status).toBe(404);
    await effectOf(alma, id);
    expect((await send()).status).toBe(200);
    expect((await statusOf(alma, id)).id).toBe(id);
  });

  test('SIS-06: removals are compared again, however recent the review is, and a file that now removes more is rejected with an explanation', async () => {
    const { course, places } = await seated(7);
    const [one] = places;
    const [stranger] = campus.strangers(1, [course.id]);
    const text = [
      ENROL,
      `${course.sis},${one?.section},${one?.sis},3,deleted`,
      `${course.sis},,${stranger?.sis},3,deleted`,
    ].join('\n');
    const [fresh, same] = [await reviewed(alma, text), await reviewed(alma, text)];
    const send = ({ id, effect: { brake } }: typeof fresh) =>
      submit(alma, { file: id, ...(brake.confirm === null ? {} : { deletions: brake.confirm }) });
    const fallback = [...ts.sandbox.world.sections.by.course.get(course.id)].find(
      (section) => section.default_section,
    );
    if (!stranger || !fallback) throw new Error('the campus has no such course');
    campus.enrol(stranger.id, fallback, 3);
    const answer = await send(fresh);
    expect(answer.status).toBe(409);
    expect((await answer.json()).error.message).toMatch(
      /would now remove \d+ items. When it was checked, the number was \d+\..*Nothing has been sent/,
    );
    expect(inside(course.id)).toBeGreaterThan(0);
    // Once the number is the confirmed one again, the file is sent.
    for (const each of ts.sandbox.world.enrollments.values())
      if (each.user_id === stranger.id && each.course_id === course.id)
        ts.sandbox.world.enrollments.change(each, { workflow_state: 'deleted' });
    expect((await send(same)).status).toBe(200);
  });

  test('SIS-06: confirmed removals are not carried out in a different course, even if the number is the same', async () => {
    const { world } = ts.sandbox;
    const [one, other] = [campus.course(33), campus.course(34)];
    const seatsOf = (id: number) => [...world.enrollments.by.course.get(id)];
    const set = (of: ReturnType<typeof seatsOf>, workflow_state: 'active' | 'deleted') => {
      for (const seat of of) world.enrollments.change(seat, { workflow_state });
    };
    const [here, there] = [seatsOf(one.id), seatsOf(other.id)];
    set([...here, ...there], 'deleted');
    set(there.slice(0, 3), 'active');
    const rows = [one, other].map(({ id, sis, name }) => {
      const { course_code } = world.courses.must(id);
      return `${sis},${course_code},${name},deleted`;
    });
    const text = ['course_id,short_name,long_name,status', ...rows].join('\n');
    const { id, effect } = await reviewed(alma, text);
    expect(effect.brake.courses.map(({ sis_course_id, taken }) => [sis_course_id, taken])).toEqual([
      [other.sis, 3],
    ]);
    // One course gains people while the other loses them: the sum stays the same.
    set(there, 'deleted');
    set(here.slice(0, 3), 'active');
    const send = () => submit(alma, { file: id, deletions: effect.brake.confirm ?? undefined });
    const answer = await send();
    expect(answer.status).toBe(409);
    expect((await answer.json()).error.message).toContain(`would now remove more from course ${one.sis}`);
    expect(inside(one.id)).toBe(3);
    set(here, 'deleted');
    set(there.slice(0, 3), 'active');
    expect((await send()).status).toBe(200);
  });

  test('SIS-06: an import that waited is compared again just before it is sent, and is not sent if it now removes more', async () => {
    const { world } = ts.sandbox;
    const course = campus.course(31);
    const held = world.courses.must(course.id);
    const seats = [...world.enrollments.by.course.get(course.id)];
    for (const one of seats) world.enrollments.change(one, { workflow_state: 'deleted' });
    const header = 'course_id,short_name,long_name,status';
    const { id, effect } = await reviewed(
      alma,
      `${header}\n${course.sis},${held.course_code},${held.name},deleted`,
    );
    expect(effect.brake.takes).toEqual([{ kind: 'course', count: 1 }]);
    await campus.fault({ match: '/api/v1/accounts/1/sis_imports', kind: 'status', status: 503 });
    await submitted(alma, { file: id, ...(effect.brake.confirm === null ? {} : { deletions: 1 }) });
    for (const one of seats.slice(0, 9)) world.enrollments.change(one, { workflow_state: 'active' });
    await campus.clearFaults();
    const ended = await watch(alma, id);
    expect(ended.workflow_state).toBe('failed');
    expect(ended.processing_errors[0]?.[1]).toMatch(
      /would now remove 1\d items. When it was checked, the number was 1\..*Nothing has been sent/,
    );
    expect(await campus.importsNamed(id)).toEqual([]);
    expect(inside(course.id)).toBe(9);
    // The confirmed numbers have not changed, so the file is not compared again.
    expect((await startEffect(alma, id, crypto.randomUUID())).status).toBe(409);
  });

  test('SIS-06: a large file is compared before it is sent, but after the request has been answered', async () => {
    const { world } = ts.sandbox;
    const course = campus.course(32);
    const [one] = [...world.enrollments.by.course.get(course.id)].filter(
      (each) => each.role_id === 3 && each.workflow_state === 'active',
    );
    const rows = Array.from({ length: 5_001 }, (_, at) => `NO-COURSE,,NOBODY-${at},3,active`);
    const section = world.sections.must(one?.course_section_id ?? 0).sis_source_id ?? '';
    const row = `${course.sis},${section},${campus.person(one?.user_id ?? 0).sis},3,deleted`;
    const { id, effect } = await reviewed(alma, [ENROL, ...rows, row].join('\n'));
    await campus.forgetRequests();
    const confirm = effect.brake.confirm === null ? {} : { deletions: effect.brake.confirm };
    await submitted(alma, { file: id, ...confirm });
    await watch(alma, id);
    expect(world.enrollments.get(one?.id ?? 0)?.workflow_state).toBe('deleted');
    const compared = await campus.requests(({ path }) => path.includes(`/courses/${course.id}/enrollments`));
    expect(compared.length).toBeGreaterThan(0);
  });

  test('SIS-06: after a new comparison, the latest one counts', async () => {
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

test('OP-14, SIS-06: no one else can start or read the comparison', async () => {
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

test('OP-14, SIS-06: with permissions for some programmes, a course that has left those programmes is treated as missing', async () => {
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

test('SIS-06: a cancelled comparison changes nothing, and can be started with another key', async () => {
  const { course, places } = await seated(4);
  const { id } = await uploaded(
    alma,
    `${ENROL}\n${course.sis},${places[0]?.section},${places[0]?.sis},3,deleted`,
  );
  await hold(ts.sandbox, { match: '/api/v1/courses/*/enrollments' });
  const job = (await (await startEffect(alma, id)).json()).data.id;
  await alma.post(ENDPOINTS.jobCancel.replace(':job', job), {});
  expect(await jobEnded(alma, job)).toMatchObject({ state: 'cancelled' });
  expect((await alma.fetch(ENDPOINTS.sisEffect.replace(':file', id))).status).toBe(404);
  await campus.clearFaults();
  expect(doing(await effectOf(alma, id, crypto.randomUUID()), 'enrollment')).toEqual({ removes: 1 });
});

describe('correcting rows that the LMS would reject', () => {
  const opened = async (id: string, by = alma) => by.post(ENDPOINTS.sisEffectDraft.replace(':file', id), {});
  const row = (course: string, user: string) => `${course},,${user},3,active`;

  test('SIS-06: the file opens as a draft with only these rows, which are corrected or skipped, and compared again', async () => {
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
      [5, 'NOBODY-7', 'No person in the LMS has the SIS ID "NOBODY-7".'],
      [6, 'NO-COURSE', 'The LMS does not have this course or section.'],
      [7, '-NOBODY', 'No person in the LMS has the SIS ID "-NOBODY".'],
    ]);
    // One row is corrected, one skipped, one unchanged.
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
    // The previous review is still available.
    expect(doing(await effectOf(alma, id), 'enrollment')).toEqual({ creates: 1, fails: 3 });
  });

  test('OP-14, SIS-06: another person’s file, a zip, a file without problems and a sent file cannot be opened', async () => {
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
