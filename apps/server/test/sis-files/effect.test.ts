/** What a file will do, compared with what the LMS holds, before anything is sent (SIS-06, OP-53). */
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sisFiles } from '../../src/platform/schema.ts';
import { Campus, submit, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { problemsOf, upload, uploaded, zipOf } from './support.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());
afterEach(() => campus.clearFaults());

const ENROL = 'course_id,section_id,user_id,role_id,status';
const USERS = 'user_id,login_id,full_name,status';

/** People who sit in a section with a SIS id, and those in the default section. */
async function seated(index: number) {
  const course = campus.course(index);
  const { world } = ts.sandbox;
  const active = await campus.enrolments(course.id, 3);
  const places = active.map((one) => ({
    sis: campus.person(one.user_id).sis,
    section: world.sections.get(one.course_section_id)?.sis_source_id ?? '',
  }));
  return { course, places };
}

describe('enrolments', () => {
  test('SIS-06: a removal counts once, and only where somebody is', async () => {
    const { course, places } = await seated(4);
    const [one] = places;
    const [stranger] = campus.strangers(1, [course.id]);
    const row = `${course.sis},${one?.section},${one?.sis},3,deleted`;
    const file = await uploaded(
      alma,
      [
        ENROL,
        row,
        row,
        row,
        `${course.sis},,${stranger?.sis},3,deleted`,
        `${course.sis},,NOBODY-1,3,deleted`,
        `${course.sis},${one?.section},${places[1]?.sis},3,active`,
      ].join('\n'),
    );
    expect(file.deletions).toMatchObject({ rows: 1, takes: [{ kind: 'enrollment', count: 1 }] });
    expect(file.deletions.courses).toMatchObject([{ sis_course_id: course.sis, deleted: 1 }]);
    const named = file.effect.idle.named.map(({ row: at, message }) => [at, message]);
    expect(named.slice(0, 4)).toEqual([
      [3, 'Row 2 says the same already.'],
      [4, 'Row 2 says the same already.'],
      [5, expect.stringContaining('is not enrolled with this role')],
      [6, 'Nobody in the LMS has the SIS id "NOBODY-1".'],
    ]);
    expect(file.effect.uncompared).toEqual([]);
  });

  test('SIS-06: another section than theirs is said, and who is there already', async () => {
    const { named, course, person } = await campus.inThreeSections(86, 3);
    const [other] = await campus.enrolments(course.id, 3);
    const file = await uploaded(
      alma,
      `${ENROL}\n${course.sis_source_id},${named.sis},${person.sis},3,active\n${course.sis_source_id},NO-SUCH,${person.sis},3,deleted`,
    );
    expect(other).toBeDefined();
    expect(file.effect.idle.named.map(({ message }) => message)).toEqual([
      expect.stringContaining('with this role and state already'),
      expect.stringContaining('has no section "NO-SUCH"'),
    ]);
    expect(file.deletions).toMatchObject({ rows: 0, confirm: null });
  });

  test('SIS-06: whom nobody has is said where people are added, unless the upload brings them', async () => {
    const { course } = await seated(4);
    const rows = `${ENROL}\n${course.sis},,NOBODY-4,3,active`;
    const { effect } = await uploaded(alma, rows);
    expect(effect.idle.named.map(({ message }) => message)).toEqual([
      'Nobody in the LMS has the SIS id "NOBODY-4": the LMS will refuse the row.',
    ]);
    const users = `${USERS}\nNOBODY-4,nobody4@x.example,New,active`;
    const zip = await uploaded(alma, await zipOf({ 'e.csv': rows, 'users.csv': users }), 'all.zip');
    expect(zip.effect.idle.rows).toBe(0);
  });

  test('SIS-06: what was not compared is said, and counted as it stands', async () => {
    const { course, places } = await seated(5);
    await campus.fault({ match: '/api/v1/courses/*/enrollments', kind: 'status', status: 500 });
    const row = `${course.sis},${places[0]?.section},${places[0]?.sis},3,deleted`;
    const file = await uploaded(alma, `${ENROL}\n${row}\n${row}`);
    expect(file.effect.uncompared).toEqual([
      expect.stringMatching(/^2 rows of enrollments were not compared/),
    ]);
    expect(file.deletions).toMatchObject({ rows: 1, confirm: 1, reason: 'share-of-course' });
  });
});

describe('rows that land in another course', () => {
  test('SIS-06, OP-14: a section that was cross-listed away is followed, named, and its removals count', async () => {
    const { named, course, person } = await campus.inThreeSections(86, 3);
    const out = campus.course(2, 163);
    const moved = await campus.api(`sections/${named.id}/crosslist/${out.id}`, { method: 'POST' });
    expect(moved.status).toBe(200);
    const [stranger] = campus.strangers(1, [course.id, out.id]);
    const file = await uploaded(
      alma,
      [
        ENROL,
        `${course.sis_source_id},${named.sis},${person.sis},3,deleted`,
        `${course.sis_source_id},${named.sis},${stranger?.sis},3,active`,
      ].join('\n'),
    );
    expect(file.warnings).toEqual([
      expect.stringMatching(/cross-listed from the course .*2 rows that name it are carried out there/),
    ]);
    expect(file.warnings[0]).toContain(out.name);
    expect(file.effect).toMatchObject({ idle: { rows: 0 }, uncompared: [] });
    expect(file.deletions).toMatchObject({ rows: 1, takes: [{ kind: 'enrollment', count: 1 }] });
    expect(file.deletions.courses).toMatchObject([{ sis_course_id: out.sis, deleted: 1 }]);
  });

  test('SIS-06, OP-14: a course that shows no default section is named where rows give none', async () => {
    const { world } = ts.sandbox;
    const without = campus
      .courses(86)
      .find((one) => ![...world.sections.by.course.get(one.id)].some((section) => section.default_section));
    const [stranger] = campus.strangers(1, [without?.id ?? 0]);
    const file = await uploaded(
      alma,
      `course_id,user_id,role_id,status\n${without?.sis_source_id},${stranger?.sis},3,active`,
    );
    expect(file.warnings).toEqual([
      expect.stringMatching(/shows no default section.*1 row without section_id may be carried out/),
    ]);
  });
});

describe('a review that is old when it is submitted', () => {
  test('SIS-06: what goes is counted once more, and a file by which more goes is refused in words', async () => {
    const { course, places } = await seated(7);
    const [one] = places;
    const [stranger] = campus.strangers(1, [course.id]);
    const text = [
      ENROL,
      `${course.sis},${one?.section},${one?.sis},3,deleted`,
      `${course.sis},,${stranger?.sis},3,deleted`,
    ].join('\n');
    const [fresh, old, same] = [
      await uploaded(alma, text),
      await uploaded(alma, text),
      await uploaded(alma, text),
    ];
    const { db } = ts.server.services.db;
    const age = (id: string) =>
      db
        .update(sisFiles)
        .set({ createdAt: new Date(Date.now() - 3_600_000) })
        .where(eq(sisFiles.id, id));
    const send = ({ id, deletions }: typeof old) =>
      submit(alma, { file: id, ...(deletions.confirm === null ? {} : { deletions: deletions.confirm }) });
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
});

describe('courses and sections', () => {
  test('SIS-06: count with the enrolments in them, and ask for the number of all that goes', async () => {
    const { course } = await seated(6);
    const inside = [...ts.sandbox.world.enrollments.values()].filter(
      (one) => one.course_id === course.id && one.workflow_state !== 'deleted',
    ).length;
    const courses = `course_id,short_name,long_name,status\n${course.sis},x,y,deleted\nNO-SUCH,x,y,deleted`;
    const file = await uploaded(alma, courses);
    expect(file.deletions).toMatchObject({
      rows: 1,
      takes: [
        { kind: 'course', count: 1 },
        { kind: 'enrollment', count: inside },
      ],
      confirm: inside + 1,
      reason: 'whole-course',
    });
    expect((await submit(alma, { file: file.id })).status).toBe(400);
    const done = await watch(alma, (await submitted(alma, { file: file.id, deletions: inside + 1 })).id);
    expect(done.workflow_state).toBe('imported');

    const { named } = await campus.inThreeSections(86, 3);
    const sections = `section_id,course_id,name,status\n${named.sis},x,y,deleted`;
    const { deletions } = await uploaded(alma, sections);
    const sitting = [...ts.sandbox.world.enrollments.values()].filter(
      (one) => one.course_section_id === named.id && one.workflow_state !== 'deleted',
    ).length;
    expect(deletions).toMatchObject({ rows: 1, confirm: sitting + 1, reason: 'whole-course' });
  });

  test('SIS-06: every other table counts each thing once', async () => {
    const terms = 'term_id,name,status\nT9,Term,deleted\nT8,Term,deleted\nT7,T,active';
    const { deletions, effect } = await uploaded(alma, terms);
    expect(deletions).toMatchObject({ rows: 2, takes: [{ kind: 'term', count: 2 }], confirm: null });
    expect(effect.uncompared).toEqual([expect.stringContaining('accounts and terms')]);
  });
});

describe('people', () => {
  test('SIS-01: new and existing ones are told apart, and existing ones are named', async () => {
    const [ann, bob] = campus.strangers(2, []);
    const file = await uploaded(
      alma,
      [
        USERS,
        'NEW-1,new.one@x.example,New One,active',
        `${ann?.sis},${ann?.email},Other Name,active`,
        `${bob?.sis},bob.other@x.example,Other Name,suspended`,
        'NOBODY-2,nobody@x.example,No Body,deleted',
      ].join('\n'),
    );
    expect(file.effect.people).toMatchObject({ created: 1, existing: 2, uncompared: 0 });
    expect(file.effect.people?.named).toMatchObject([
      { row: 3, does: 'changes', sis_user_id: ann?.sis, login: ann?.email },
      { row: 4, does: 'suspends', sis_user_id: bob?.sis, login: bob?.email },
    ]);
    expect(file.effect.idle).toMatchObject({ rows: 1, named: [{ file: null, row: 5 }] });
    expect(file.deletions).toMatchObject({ rows: 0, people: 0 });
  });

  test('SIS-01: a login that belongs to somebody else is refused, most of all where it deletes', async () => {
    const [ann, bob, cem] = campus.strangers(3, []);
    const answer = await upload(
      alma,
      [
        USERS,
        `${ann?.sis},${bob?.email},x,deleted`,
        `NEW-2,${cem?.email},x,active`,
        `${ann?.sis}-2,${bob?.email}.x,x,active`,
      ].join('\n'),
    );
    expect(answer.status).toBe(400);
    expect(problemsOf(answer).map(([row, field]) => [row, field])).toEqual([
      [2, 'login_id'],
      [3, 'login_id'],
    ]);
    const strange = await upload(alma, `${USERS}\n${ann?.sis},nobodys@x.example,x,deleted`);
    expect(problemsOf(strange)[0]?.[2]).toContain('nobody is deleted by a login that is not theirs');
    const zip = await zipOf({ 'a/users.csv': `${USERS}\n${ann?.sis},${bob?.email},x,deleted` });
    expect(problemsOf(await upload(alma, zip, 'all.zip'))[0]?.[2]).toMatch(/users\.csv: The login/);
  });

  test('SIS-01: many people are compared with the list of everybody', async () => {
    const there = campus.strangers(400, []);
    const rows = [
      ...there.map(({ sis, email }) => `${sis},${email},Same,active`),
      ...Array.from({ length: 200 }, (_, at) => `MANY-${at},many${at}@x.example,New,active`),
    ];
    await campus.forgetRequests();
    const { effect } = await uploaded(alma, [USERS, ...rows].join('\n'));
    expect(effect.people).toMatchObject({ created: 200, existing: 400, uncompared: 0 });
    expect(effect.people?.named).toHaveLength(50);
    const alone = await campus.requests((one) => one.path.includes('/users/sis_user_id'));
    expect(alone.length).toBeLessThan(300);
  });

  test('SIS-01: an LMS that does not say who exists is no proof that they are new', async () => {
    await campus.fault({ match: '/api/v1/users/sis_*', kind: 'status', status: 500 });
    const file = await uploaded(
      alma,
      `${USERS}\nNEW-9,new9@x.example,x,active\nGONE-9,gone9@x.example,x,deleted`,
    );
    expect(file.effect.people).toMatchObject({ created: 0, existing: 0, uncompared: 2 });
    expect(file.effect.uncompared).toHaveLength(1);
    expect(file.deletions).toMatchObject({ people: 1 });
  });
});

test('SIS-06: ids that change in the same zip are not compared', async () => {
  const zip = await zipOf({
    'change.csv': 'old_id,new_id,type\nA,B,user',
    'users.csv': `${USERS}\nB,b@x.example,x,deleted`,
  });
  const file = await uploaded(alma, zip, 'all.zip');
  expect(file.effect.uncompared).toEqual([expect.stringContaining('changes SIS ids')]);
  expect(file.deletions).toMatchObject({ people: 1 });
});
