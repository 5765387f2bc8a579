/**
 * Effects of a Section Enrollment plan: the sections that get ids, the file that is sent, the enrolments in
 * the LMS (requirements SE).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { importMessage } from '@lms-admin/contract/imports';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readPieces } from '../../src/files/pieces.ts';
import { Campus, makeSectionPlan, STATES, submit, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
let bruno: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  bruno = await ts.signIn(PEOPLE.custom);
});
afterAll(() => ts?.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

type Status = 'active' | 'deleted';
const entry = (course: number, section: number, users: string[], status: Status = 'active', role_id = 3) => ({
  course,
  section,
  role_id,
  status,
  users,
});
const posts = () =>
  campus.requests((one) => one.method === 'POST' && one.path.startsWith('/api/v1/accounts/1/sis_imports'));
const puts = () => campus.requests((one) => one.method === 'PUT');
const messagesOf = async (id: string) => {
  const response = await alma.fetch(ENDPOINTS.importMessages.replace(':import', id));
  return z.array(importMessage).parse((await response.json()).data);
};
const csvOf = async (id: string) => {
  const parts: Uint8Array[] = [];
  for await (const part of readPieces(ts.server.services.db.db, id)) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
};
const sisIdOf = (section: number) => ts.sandbox.world.sections.get(section)?.sis_source_id ?? null;
/** Lists a course's enrolments: section, person, state. */
const seats = async (course: number, role = 3) =>
  (await campus.enrolments(course, role, STATES)).map(
    (one) => `${one.course_section_id} ${one.user_id} ${one.enrollment_state}`,
  );
/** Creates a section in a course by hand. */
async function newSection(course: number, name: string, sis?: string): Promise<number> {
  const body = { course_section: { name, ...(sis === undefined ? {} : { sis_section_id: sis }) } };
  const answer = await campus.api(`courses/${course}/sections`, { method: 'POST', body });
  return ((await answer.json()) as { id: number }).id;
}

describe('the import that is sent', () => {
  test('SE-01, SE-12, SE-14, LMS-14, OP-51, OP-52 each section gets exactly its people; only sections with rows get ids', async () => {
    const { course, named, byHand, fallback, person } = await campus.inThreeSections(86, 3);
    const spare = await newSection(course.id, 'Spare');
    const [one, two, left] = campus.strangers(3, [course.id]);
    if (!one || !two || !left) throw new Error('nobody');
    campus.enrol(left.id, { id: named.id, course_id: course.id }, 3, 'completed');
    campus.enrol(left.id, { id: named.id, course_id: course.id }, 4);
    const before = new Set(await seats(course.id));
    const plan = await makeSectionPlan(bruno, [
      entry(course.id, fallback.id, [one.sis, person.sis]),
      entry(course.id, byHand.id, [one.sis, two.sis]),
      entry(course.id, named.id, [person.sis, left.sis, two.sis], 'deleted'),
      entry(course.id, spare, [two.sis], 'deleted'),
    ]);
    expect(plan.entries.map((each) => each.rows)).toEqual([1, 2, 2, 0]);
    expect(await puts()).toEqual([]);
    const first = await submitted(bruno, { plan: plan.id });
    expect(first).toMatchObject({
      tool: 'section-enrollment',
      label: 'Enrol 2 and remove 2 people in 3 sections of 1 course',
      rows: 5,
    });
    const done = await watch(bruno, first.id);
    expect(done).toMatchObject({
      workflow_state: 'imported',
      note: null,
      data: { counts: { enrollments: 5 } },
    });

    const sis = course.sis_source_id;
    const fallbackSis = sisIdOf(fallback.id);
    expect([fallbackSis, sisIdOf(byHand.id), sisIdOf(spare)]).toEqual([
      plan.entries[0]?.section.sis_section_id,
      `${sis}-EVENINGGROUP`,
      null,
    ]);
    expect((await puts()).map((each) => each.path).sort()).toEqual(
      [fallback.id, byHand.id].map((id) => `/api/v1/sections/${id}`).sort(),
    );
    expect((await csvOf(first.id)).split('\n')).toEqual([
      'course_id,user_id,role_id,section_id,status',
      `${sis},${one.sis},3,${fallbackSis},active`,
      `${sis},${one.sis},3,${sis}-EVENINGGROUP,active`,
      `${sis},${two.sis},3,${sis}-EVENINGGROUP,active`,
      `${sis},${person.sis},3,${named.sis},deleted`,
      `${sis},${left.sis},3,${named.sis},deleted`,
    ]);
    const after = await seats(course.id);
    expect(after.filter((seat) => !before.has(seat)).sort()).toEqual(
      [
        `${fallback.id} ${one.id} active`,
        `${byHand.id} ${one.id} active`,
        `${byHand.id} ${two.id} active`,
        `${named.id} ${person.id} deleted`,
        `${named.id} ${left.id} deleted`,
      ].sort(),
    );
    expect(after.filter((seat) => seat.includes(` ${person.id} `) && seat.endsWith(' active'))).toHaveLength(
      2,
    );
    // The person's other role in the same section is left alone.
    expect(await seats(course.id, 4)).toContain(`${named.id} ${left.id} active`);
    const reread = await bruno.fetch(ENDPOINTS.sectionPlan.replace(':plan', plan.id));
    expect((await reread.json()).data.import_id).toBe(first.id);
  });

  test('SE-01 one plan can have a section with two roles, and two courses; when repeated, it has nothing to do', async () => {
    const [one, two] = [campus.course(10), campus.course(11)];
    const [here, there] = [await newSection(one.id, 'Twice'), await newSection(two.id, 'Twice')];
    const [a, b] = campus.strangers(2, [one.id, two.id]);
    const wanted = [
      entry(one.id, here, [a?.sis ?? '']),
      entry(one.id, here, [b?.sis ?? ''], 'active', 4),
      entry(two.id, there, [a?.sis ?? '', b?.sis ?? '']),
    ];
    const plan = await makeSectionPlan(alma, wanted);
    const { id, label } = await submitted(alma, { plan: plan.id });
    expect(label).toBe('Enrol 2 people in 2 sections of 2 courses');
    expect(await watch(alma, id)).toMatchObject({ workflow_state: 'imported', rows: 4, note: null });
    expect((await puts()).length).toBe(2);
    expect(await seats(one.id)).toContain(`${here} ${a?.id} active`);
    expect(await seats(one.id, 4)).toContain(`${here} ${b?.id} active`);
    expect(await seats(two.id)).toEqual(
      expect.arrayContaining([`${there} ${a?.id} active`, `${there} ${b?.id} active`]),
    );
    const again = await makeSectionPlan(alma, wanted);
    expect(again.totals).toMatchObject({ rows: 0, already: 4 });
    expect((await submit(alma, { plan: again.id })).status).toBe(400);
    expect(await posts()).toHaveLength(1);
  });

  test('OP-42 a double click and a repeated request lead to one import', async () => {
    const place = campus.course(12);
    const section = await newSection(place.id, 'Once');
    const plan = await makeSectionPlan(alma, [
      entry(place.id, section, [campus.strangers(1, [place.id])[0]?.sis ?? '']),
    ]);
    const all = await Promise.all([1, 2, 3].map(() => submitted(alma, { plan: plan.id })));
    expect(new Set(all.map((one) => one.id)).size).toBe(1);
    await watch(alma, all[0]?.id ?? '');
    expect(await posts()).toHaveLength(1);
  });
});

describe('sections that cannot get their planned ids', () => {
  test('OP-51 if an id was given to another section in the meantime, the section’s number is used, in each of two courses', async () => {
    const [one, two, holder] = [campus.course(13), campus.course(14), campus.course(15)];
    const [here, there] = [await newSection(one.id, 'Clash 1'), await newSection(two.id, 'Clash-1')];
    const [person] = campus.strangers(1, [one.id, two.id]);
    const plan = await makeSectionPlan(alma, [
      entry(one.id, here, [person?.sis ?? '']),
      entry(two.id, there, [person?.sis ?? '']),
    ]);
    const planned = plan.entries.map((each) => each.section.sis_section_id);
    for (const id of planned) await newSection(holder.id, 'Holder', id);
    const done = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
    expect(done).toMatchObject({ workflow_state: 'imported', rows: 2 });
    expect(done.note?.match(/the SIS ID that the review showed belongs to another section/g)).toHaveLength(2);
    expect([sisIdOf(here), sisIdOf(there)]).toEqual([`${planned[0]}-${here}`, `${planned[1]}-${there}`]);
    expect(await seats(one.id)).toContain(`${here} ${person?.id} active`);
    expect(await seats(two.id)).toContain(`${there} ${person?.id} active`);
  });

  test('OP-51 a section that cannot get an id is reported and skipped; the others are sent', async () => {
    const place = campus.course(16);
    const [bad, good] = [await newSection(place.id, 'Bad'), await newSection(place.id, 'Good')];
    const [person] = campus.strangers(1, [place.id]);
    const plan = await makeSectionPlan(
      alma,
      [bad, good].map((id) => entry(place.id, id, [person?.sis ?? ''])),
    );
    await campus.fault({ match: `/api/v1/sections/${bad}`, method: 'PUT', kind: 'status', status: 401 });
    const done = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
    expect(done).toMatchObject({ workflow_state: 'imported', rows: 1 });
    expect(done.note).toContain(`Section 'Bad' (${bad}) of course "${place.sis}" was skipped with `);
    expect((await messagesOf(done.id)).map((one) => one.message)).toEqual([done.note]);
    const inside = await seats(place.id);
    expect(inside).toContain(`${good} ${person?.id} active`);
    expect(inside).not.toContain(`${bad} ${person?.id} active`);
  });

  test.each([
    [6, /^Section 'Bad 1' .*1 more section was skipped\.$/],
    [7, /^Section 'Bad 1' .*2 more sections were skipped\.$/],
  ])(
    'OP-51 if none of %i sections can get an id, the import fails, says why, and sends nothing',
    async (count, said) => {
      const place = campus.course(17 + count);
      const numbers = Array.from({ length: count }, (_, at) => at + 1);
      const bad = await Promise.all(numbers.map((n) => newSection(place.id, `Bad ${n}`)));
      const [person] = campus.strangers(1, [place.id]);
      const plan = await makeSectionPlan(
        alma,
        bad.map((id) => entry(place.id, id, [person?.sis ?? ''])),
      );
      await campus.fault({ match: '/api/v1/sections/*', method: 'PUT', kind: 'status', status: 404 });
      const done = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
      expect(done).toMatchObject({ workflow_state: 'failed', final: true, canvas_id: null, rows: 0 });
      expect(done.processing_errors[0]?.[1]).toMatch(said);
      expect(await messagesOf(done.id)).toHaveLength(count);
      expect(await posts()).toEqual([]);
      expect((await submitted(alma, { plan: plan.id })).id).toBe(done.id);
    },
  );

  test('OP-14, OP-51 a section that has left its course since the plan does not get an id, wherever it is now', async () => {
    const [place, out] = [campus.course(18), campus.course(4, 163)];
    const [moved, named, gone, stays] = [
      await newSection(place.id, 'Moved'),
      await newSection(place.id, 'Moved too', 'MOVED-TOO'),
      await newSection(place.id, 'Gone'),
      await newSection(place.id, 'Stays', 'STAYS'),
    ];
    const [person] = campus.strangers(1, [place.id, out.id]);
    const plan = await makeSectionPlan(
      bruno,
      [moved, named, gone, stays].map((id) => entry(place.id, id, [person?.sis ?? ''])),
    );
    for (const id of [moved, named])
      await campus.api(`sections/${id}/crosslist/${out.id}`, { method: 'POST' });
    await campus.api(`sections/${gone}`, { method: 'DELETE' });
    await campus.api(`sections/${stays}`, {
      method: 'PUT',
      body: { course_section: { sis_section_id: 'STAYS-2' } },
    });
    await campus.forgetRequests();
    const done = await watch(bruno, (await submitted(bruno, { plan: plan.id })).id);
    expect(done).toMatchObject({ workflow_state: 'imported', rows: 1 });
    expect(done.note?.match(/no longer in this course/g)).toHaveLength(3);
    expect(await puts()).toEqual([]);
    expect(await csvOf(done.id)).toContain(',STAYS-2,active');
    expect(await seats(place.id)).toContain(`${stays} ${person?.id} active`);
    expect((await seats(out.id)).filter((seat) => seat.includes(` ${person?.id} `))).toEqual([]);
    expect(sisIdOf(moved)).toBeNull();
  });

  test('OP-42, OP-51 the import waits for an LMS that does not answer while sections get ids', async () => {
    const place = campus.course(19);
    const section = await newSection(place.id, 'Later');
    const [person] = campus.strangers(1, [place.id]);
    const plan = await makeSectionPlan(alma, [entry(place.id, section, [person?.sis ?? ''])]);
    await campus.fault({
      match: `/api/v1/sections/${section}`,
      method: 'PUT',
      kind: 'drop',
      when: 'after',
      count: 1,
    });
    const done = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
    expect(done).toMatchObject({ workflow_state: 'imported', rows: 1, note: null });
    expect(sisIdOf(section)).toBe(plan.entries[0]?.section.sis_section_id);
    expect((await puts()).length).toBe(1);
    expect(await posts()).toHaveLength(1);
  });
});

describe('the check before sending', () => {
  test('OP-34 the role list for sections and the tool are checked as at submission; a plan belongs to the person who requested it', async () => {
    const place = campus.course(20);
    const section = await newSection(place.id, 'Rights', 'RIGHTS');
    const users = campus.strangers(1, [place.id]).map((one) => one.sis);
    const plan = await makeSectionPlan(bruno, [entry(place.id, section, users)]);
    const record = ts.server.services.access.find(PEOPLE.custom);
    if (!record) throw new Error('no record');
    const kept = { ...record };
    try {
      record.section_roles = '5';
      expect((await submit(bruno, { plan: plan.id })).status).toBe(403);
      Object.assign(record, kept, { section_enrollment: false });
      expect((await submit(bruno, { plan: plan.id })).status).toBe(403);
      Object.assign(record, kept, { sub_accounts: '120' });
      const gone = await submit(bruno, { plan: plan.id });
      expect(gone.status).toBe(409);
      expect((await gone.json()).error.message).toMatch(/no longer/);
    } finally {
      Object.assign(record, kept);
    }
    expect((await submit(alma, { plan: plan.id })).status).toBe(404);
    expect(await posts()).toEqual([]);
    await watch(bruno, (await submitted(bruno, { plan: plan.id })).id);
    expect(await posts()).toHaveLength(1);
  });

  test('SE-14, OP-34 manual rows that name a section use the role list for sections, all others the list for courses', async () => {
    const place = campus.course(21);
    const section = await newSection(place.id, 'By hand', 'BY-HAND');
    expect(section).toBeGreaterThan(0);
    const [person] = campus.strangers(1, [place.id]);
    const record = ts.server.services.access.find(PEOPLE.custom);
    if (!record) throw new Error('no record');
    const rows = (id: string) => [
      ['course_id', 'user_id', 'role_id', 'section_id', 'status'],
      [place.sis, person?.sis ?? '', 3, id, 'active'],
    ];
    try {
      record.course_level_admin = false;
      expect((await submit(bruno, rows(''))).status).toBe(400);
      const done = await watch(bruno, (await submitted(bruno, rows('BY-HAND'))).id);
      expect(done).toMatchObject({ workflow_state: 'imported', tool: 'section-enrollment', rows: 1 });
    } finally {
      record.course_level_admin = true;
    }
    expect(await seats(place.id)).toContain(`${section} ${person?.id} active`);
  });
});
