import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { importMessage, sisImport } from '@lms-admin/contract/imports';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { audit, filePieces, imports, jobs } from '../../src/platform/schema.ts';
import { Campus, makePlan, STATES, statusOf, submit, submitted, watch } from '../enrollments/campus.ts';
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

const posts = () =>
  campus.requests((one) => one.method === 'POST' && one.path.startsWith('/api/v1/accounts/1/sis_imports'));
const course = (index = 0, account = 86) => campus.courseForRows(index, account);
const messagesOf = async (browser: Browser, id: string) => {
  const response = await browser.fetch(ENDPOINTS.importMessages.replace(':import', id));
  return z.array(importMessage).parse((await response.json()).data);
};

describe('adding and removing with a plan', () => {
  test('CE-01, IMP-04, IMP-12, IMP-14: people are enrolled, counted, and the import is followed to its end', async () => {
    const [one, two] = [course(0), course(1)];
    const people = campus.strangers(5, [one.id, two.id]);
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [one.id, two.id],
      emails: people.map((person) => person.email),
    });
    const first = await submitted(alma, { plan: plan.id });
    expect(first).toMatchObject({
      final: false,
      rows: 10,
      label: 'Add 5 people to 2 courses as Student',
      tool: 'course-enrollment',
    });
    const done = await watch(alma, first.id);
    expect(done).toMatchObject({
      workflow_state: 'imported',
      progress: 100,
      final: true,
      note: null,
      canvas_id: expect.any(Number),
    });
    expect(done.data.counts.enrollments).toBe(10);
    for (const { id } of [one, two]) {
      const inside = new Set((await campus.enrolments(id, 3)).map((enrolment) => enrolment.user_id));
      expect(people.every((person) => inside.has(person.id))).toBe(true);
    }
    // LMS-11: the documented call, as multipart.
    expect((await posts()).map((request) => request.path)).toEqual([
      '/api/v1/accounts/1/sis_imports?override_sis_stickiness=true',
    ]);
    const reread = await alma.fetch(ENDPOINTS.plan.replace(':plan', plan.id));
    expect((await reread.json()).data.import_id).toBe(first.id);
  });

  test('CE-05, CE-21: removing affects every section, names those without an SIS ID, and affects no one else', async () => {
    const { course: place, person, byHand } = await campus.inThreeSections(86, 3);
    const others = (await campus.enrolments(place.id, 3)).filter((one) => one.user_id !== person.id).length;
    const [stranger] = campus.strangers(1, [place.id]);
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'deleted',
      courses: [place.id],
      emails: [person.email, stranger?.email ?? ''],
    });
    const done = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
    expect(done).toMatchObject({ workflow_state: 'imported', rows: 3, note: null });
    const left = await campus.enrolments(place.id, 3, STATES);
    expect(left.filter((one) => one.user_id === person.id).map((one) => one.enrollment_state)).toEqual([
      'deleted',
      'deleted',
      'deleted',
    ]);
    expect(left.some((one) => one.user_id === stranger?.id)).toBe(false);
    expect((await campus.enrolments(place.id, 3)).length).toBe(others);
    const section = ts.sandbox.world.sections.get(byHand.id);
    expect(section?.sis_source_id).toBe(`${place.sis_source_id}-EVENINGGROUP`);
  });

  test('OP-51: if an SIS ID is in use, the section’s number is used; a section that gets no id is skipped and reported', async () => {
    const one = await campus.inThreeSections(120, 3);
    const taken = `${one.course.sis_source_id}-EVENINGGROUP`;
    const elsewhere = course(5);
    await campus.api(`courses/${elsewhere.id}/sections`, {
      method: 'POST',
      body: { course_section: { name: 'Holder', sis_section_id: taken } },
    });
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'deleted',
      courses: [one.course.id],
      emails: [one.person.email],
    });
    const done = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
    expect(done).toMatchObject({ workflow_state: 'imported', rows: 3 });
    expect(ts.sandbox.world.sections.get(one.byHand.id)?.sis_source_id).toBe(`${taken}-${one.byHand.id}`);

    const two = await campus.inThreeSections(83, 3);
    await campus.fault({
      match: `/api/v1/sections/${two.byHand.id}`,
      method: 'PUT',
      kind: 'status',
      status: 404,
    });
    const second = await makePlan(alma, {
      role_id: 3,
      status: 'deleted',
      courses: [two.course.id],
      emails: [two.person.email],
    });
    const partly = await watch(alma, (await submitted(alma, { plan: second.id })).id);
    expect(partly).toMatchObject({ workflow_state: 'imported', rows: 2 });
    expect(partly.note).toMatch(/Evening group.*skipped/);
    expect((await messagesOf(alma, partly.id))[0]?.message).toMatch(/Evening group/);
  });

  test('IMP-19, OP-42: a double click, a second tab and a repeated request lead to one import', async () => {
    const place = course(2);
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [place.id],
      emails: campus.strangers(1, [place.id]).map((person) => person.email),
    });
    const all = await Promise.all([1, 2, 3, 4].map(() => submitted(alma, { plan: plan.id })));
    const [first] = all;
    expect(new Set(all.map((one) => one.id)).size).toBe(1);
    await watch(alma, first?.id ?? '');
    expect((await submitted(alma, { plan: plan.id })).id).toBe(first?.id);
    expect((await submitted(alma, { plan: plan.id.toUpperCase() })).id).toBe(first?.id);
    expect(await posts()).toHaveLength(1);
    expect(await campus.importsNamed(first?.id ?? '')).toHaveLength(1);
  });

  test('a plan that is unknown, has no rows or belongs to another person is rejected', async () => {
    const place = course(0);
    const [inside] = (await campus.enrolments(place.id, 3)).map((one) => campus.person(one.user_id));
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [place.id],
      emails: [inside?.email ?? ''],
    });
    expect(plan.totals.rows).toBe(0);
    expect((await submit(alma, { plan: plan.id })).status).toBe(400);
    expect((await submit(bruno, { plan: plan.id })).status).toBe(404);
    expect((await submit(alma, { plan: '00000000-0000-4000-8000-000000000000' })).status).toBe(404);
    expect(await posts()).toEqual([]);
  });
});

describe('manual rows', () => {
  test('CE-20, LMS-17, OP-43: an array with columns in any order is rewritten and imported', async () => {
    const place = course(3);
    const [person] = campus.strangers(1, [place.id]);
    const done = await watch(
      alma,
      (
        await submitted(alma, [
          ['status', 'course_id', 'role_id', 'user_id'],
          ['active', place.sis, 3, person?.sis],
        ])
      ).id,
    );
    expect(done).toMatchObject({
      workflow_state: 'imported',
      rows: 1,
      label: '1 enrolment row for 1 course',
    });
    const inside = await campus.enrolments(place.id, 3);
    expect(inside.some((one) => one.user_id === person?.id)).toBe(true);
  });

  test('OP-42: a repeated request with the same key gives the first import, even if both arrive at the same time', async () => {
    const place = course(4);
    const [person] = campus.strangers(1, [place.id]);
    const payload = {
      csv: `course_id,user_id,role_id,status\n${place.sis},${person?.sis},3,active`,
      key: 'review-0001',
    };
    const all = await Promise.all([1, 2, 3].map(() => submitted(alma, payload)));
    expect(new Set(all.map((one) => one.id)).size).toBe(1);
    await watch(alma, all[0]?.id ?? '');
    expect((await submitted(alma, payload)).id).toBe(all[0]?.id);
    expect(await posts()).toHaveLength(1);
    const other = await submitted(bruno, payload);
    expect(other.id).not.toBe(all[0]?.id);
    await watch(bruno, other.id);
  });

  test('PERM-08, PERM-11, OP-14, OP-34: every invalid row is named and nothing is sent', async () => {
    const mine = course(0);
    const foreign = course(0, 163);
    const [person] = campus.strangers(1, [mine.id]);
    const csv = [
      'course_id,user_id,role_id,status',
      `${mine.sis},${person?.sis},3,active`,
      `${foreign.sis},${person?.sis},3,active`,
      `${mine.sis},${person?.sis},4,active`,
      `${mine.sis},${person?.sis},3,completed`,
      `${mine.sis},,3,active`,
      `${mine.sis},${person?.sis},3`,
      'NO-SUCH-COURSE,1,3,active',
    ].join('\n');
    const response = await submit(bruno, csv);
    expect(response.status).toBe(400);
    const { error } = await response.json();
    expect(error.details.map((one: { row: number; field: string }) => [one.row, one.field])).toEqual([
      [3, 'course_id'],
      [4, 'role_id'],
      [5, 'status'],
      [6, 'user_id'],
      [7, null],
      [8, 'course_id'],
    ]);
    expect(await posts()).toEqual([]);
    expect(
      await ts.server.services.db.db.select().from(jobs).where(eq(jobs.login, PEOPLE.custom)),
    ).toHaveLength(1);
  });

  test.each([
    ['another header', 'course_id,user_id,role,status\nA,1,student,active'],
    ['no rows', 'course_id,user_id,role_id,status\n'],
    ['a users file', 'user_id,login_id,status\n1,a@b.c,active'],
    ['broken quotes', 'course_id,user_id,role_id,status\n"A,1,3,active'],
  ])('%s is rejected', async (_name, csv) => {
    const response = await submit(alma, csv);
    expect(response.status).toBe(400);
    expect((await response.json()).error.details[0]).toMatchObject({ row: expect.any(Number) });
  });
});

describe('following', () => {
  test('IMP-15, IMP-18, OP-36, OP-37: warnings, counts, the link and each row’s message are stored', async () => {
    const place = course(6);
    const [person] = campus.strangers(1, [place.id]);
    const done = await watch(
      alma,
      (
        await submitted(
          alma,
          `course_id,user_id,role_id,status\n${place.sis},${person?.sis},3,active\n${place.sis},NOBODY-1,3,active\n${place.sis},NOBODY-2,3,active`,
        )
      ).id,
    );
    expect(done.workflow_state).toBe('imported_with_messages');
    expect(done.data.counts).toMatchObject({ enrollments: 1, warning_count: 2 });
    expect(done.processing_warnings).toHaveLength(2);
    expect(done.processing_warnings[0]?.[1]).toContain('NOBODY-1');
    const linked = await watch(alma, done.id, (one) => one.errors_attachment !== null, 10_000);
    // The LMS's own address would open without sign-in.
    const { url = '' } = linked.errors_attachment ?? {};
    expect(url).toBe(`/api/imports/${done.id}/attachments/errors`);
    const file = await alma.fetch(url);
    expect(file.headers.get('content-disposition')).toContain('attachment');
    expect(await file.text()).toMatch(/sis_import_id,file,message,row[^]*NOBODY-1/);
    const [csv] = linked.csv_attachments;
    expect(await (await alma.fetch(csv?.url ?? '')).text()).toContain('NOBODY-2');
    expect((await bruno.fetch(url)).status).toBe(404);
    expect((await messagesOf(alma, done.id)).map((one) => one.row)).toEqual([3, 4]);
  });

  test('OP-40: other people’s imports are treated as missing, except by people with perm ALL, who can use the LMS’s number', async () => {
    const place = course(0);
    const [person] = campus.strangers(1, [place.id]);
    const csv = `course_id,user_id,role_id,status\n${place.sis},${person?.sis},3,active`;
    const hers = await watch(alma, (await submitted(alma, csv)).id);
    const his = await watch(bruno, (await submitted(bruno, csv)).id);
    const path = (id: string | number) => `accounts/1/sis_imports/${id}`;
    expect((await bruno.invoke(path(hers.id))).status).toBe(404);
    expect((await bruno.invoke(path(his.canvas_id ?? 0))).status).toBe(404);
    expect((await bruno.fetch(ENDPOINTS.importMessages.replace(':import', hers.id))).status).toBe(404);
    expect((await statusOf(alma, his.id)).id).toBe(his.id);
    expect((await statusOf(alma, String(his.canvas_id))).id).toBe(his.id);
    const foreign = await fetch(`${ts.sandbox.url}/api/v1/accounts/1/sis_imports?extension=csv`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-admin-token', 'content-type': 'text/csv' },
      body: csv,
    });
    const { id } = (await foreign.json()) as { id: number };
    expect(await statusOf(alma, String(id))).toMatchObject({ id: String(id), label: `SIS import ${id}` });
    expect((await alma.invoke(path(99_999_999))).status).toBe(404);
    const list = z.array(sisImport).parse((await (await bruno.fetch(ENDPOINTS.imports)).json()).data);
    expect(list.map((one) => one.id)).toContain(his.id);
    expect(list.map((one) => one.id)).not.toContain(hers.id);
  });

  test('IMP-05: any number of viewers cause no more calls than one', async () => {
    const place = course(1);
    const [person] = campus.strangers(1, [place.id]);
    await campus.fault({ match: '*', kind: 'import-hang', count: 1 });
    const { id } = await submitted(
      alma,
      `course_id,user_id,role_id,status\n${place.sis},${person?.sis},3,active`,
    );
    await watch(alma, id, (one) => one.workflow_state === 'importing');
    const polls = () => campus.requests((one) => /sis_imports\/\d+$/.test(one.path) && one.method === 'GET');
    const before = (await polls()).length;
    const started = Date.now();
    while (Date.now() - started < 1_000) {
      await Promise.all(Array.from({ length: 20 }, () => statusOf(alma, id)));
    }
    const asked = (await polls()).length - before;
    // One call every 50 ms, however many viewers there are and however long it took.
    expect(asked).toBeLessThan((Date.now() - started) / 50 + 10);
    const [record] = await ts.server.services.db.db.select().from(imports).where(eq(imports.id, id));
    await campus.api(`accounts/1/sis_imports/${record?.canvasId}/abort`, { method: 'PUT' });
    expect(await watch(alma, id)).toMatchObject({ workflow_state: 'aborted', final: true });
  });

  test('the audit log says what happened, without the rows', async () => {
    const place = course(2);
    const [person] = campus.strangers(1, [place.id]);
    const { id } = await submitted(
      alma,
      `course_id,user_id,role_id,status\n${place.sis},${person?.sis},3,active`,
    );
    await watch(alma, id);
    const { db } = ts.server.services.db;
    const linesOf = async () =>
      (await db.select().from(audit).orderBy(audit.id)).filter(
        ({ detail }) => detail.import === id || detail.job === id,
      );
    await expect
      .poll(async () => (await linesOf()).map((line) => line.event))
      .toEqual(['job-started', 'import-sent', 'import-finished', 'job-ended']);
    const lines = await linesOf();
    expect(JSON.stringify(lines)).not.toContain(person?.sis);
    expect(lines.at(-2)?.detail).toMatchObject({ state: 'imported' });
    expect(lines.at(-1)?.detail).toMatchObject({ outcome: 'done' });
    const chunks = await db.select().from(filePieces).where(eq(filePieces.fileId, id));
    expect(chunks.length).toBeGreaterThan(0);
  });
});
