/** People in groups: the difference row by row, and that the LMS then holds exactly what was told (area GRP). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { MAX_MEMBER_ROWS, type MemberPlan, type MemberPlanRequest } from '@lms-admin/contract/groups';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KeptRows } from '../../src/groups/plan-parts.ts';
import { readGroupCourse } from '../../src/groups/read-course.ts';
import { readPlanCourses } from '../../src/imports/plan-store.ts';
import {
  askMemberPlan,
  Campus,
  cancelJob,
  jobOf,
  makeMemberPlan,
  type Person,
  startPlan,
  submitted,
  watch,
} from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  csvOf,
  fatesOf,
  fromCsv,
  type GroupedCourse,
  groupedCourse,
  join,
  makeCategory,
  makeGroup,
  membersOf,
} from './support.ts';

const ELENA = 'elena.marsh@northbridge.example';
let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

const plan = (course: { id: number }, from: MemberPlanRequest['from']) =>
  makeMemberPlan(alma, { course: course.id, from });
const refusalOf = async (course: { id: number }, from: MemberPlanRequest['from']) =>
  (await askMemberPlan(alma, { course: course.id, from })).error;
const nameOf = ({ id }: Person) => ts.sandbox.world.users.must(id).name;
const asked = (path: RegExp) => campus.requests((one) => path.test(decodeURIComponent(one.path)));

/** Sends a plan; the LMS then holds in each group what the plan said, and nothing else has changed. */
async function sent(made: MemberPlan, course: GroupedCourse): Promise<void> {
  const wanted = new Map<number, Set<number>>();
  for (const group of course.groups) wanted.set(group.id, new Set(await membersOf(campus, group)));
  const { pseudonyms, groups } = ts.sandbox.world;
  for (const row of made.members) {
    const who = pseudonyms.by.sis.get(row.user_id)?.user_id ?? 0;
    const where = groups.by.sis.get(row.group_id)?.id ?? 0;
    if (row.fate === 'remove') wanted.get(where)?.delete(who);
    if (row.fate === 'move') {
      const from = course.groups.find(({ name }) => name === row.from);
      wanted.get(from?.id ?? 0)?.delete(who);
    }
    if (row.fate === 'add' || row.fate === 'move') wanted.get(where)?.add(who);
  }
  const one = await watch(alma, (await submitted(alma, { plan: made.id })).id);
  expect(one).toMatchObject({
    verdict: 'done',
    rows: made.totals.rows,
    applied: made.totals.rows,
    note: null,
  });
  for (const group of course.groups) {
    expect(await membersOf(campus, group)).toEqual([...(wanted.get(group.id) ?? [])].sort((a, b) => a - b));
  }
  for (const { id, after } of made.groups) expect(await membersOf(campus, { id })).toHaveLength(after);
}

describe('the documented file', () => {
  test('GRP-27, OP-79, OP-107 each fate; the LMS then holds exactly that', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2] = course.groups;
    const [a, b, c, d, e] = course.students as [Person, Person, Person, Person, Person];
    await join(campus, g1, a, b, c);
    const made = await plan(
      course,
      fromCsv(
        csvOf(
          [g1.sis, a.sis],
          [g2.sis, b.sis],
          [g1.sis, c.sis, 'deleted'],
          [g2.sis, d.sis],
          [g2.sis, e.sis, 'Deleted'],
          [g1.sis, d.sis],
          [g2.sis, d.sis],
        ),
      ),
    );
    expect(fatesOf(made)).toEqual([
      [2, 'already'],
      [3, 'move', 'Q-G01'],
      [4, 'remove'],
      [5, 'add'],
      [6, 'not-member'],
      [7, 'refused'],
      [8, 'refused'],
    ]);
    expect(made.members[1]).toMatchObject({ person: nameOf(b), group: 'Q-G02', category: 'Quiz Teams' });
    expect(made.members.slice(5).map(({ why }) => why)).toEqual([
      expect.stringContaining('Row 5 puts the same person into Q-G02'),
      'The same as in row 5.',
    ]);
    expect(made.totals).toEqual({
      add: 1,
      move: 1,
      already: 1,
      remove: 1,
      not_member: 1,
      refused: 2,
      rows: 3,
      people: 3,
    });
    expect(made.groups.map(({ name, before, after }) => [name, before, after])).toEqual([
      ['Q-G01', 3, 1],
      ['Q-G02', 0, 2],
    ]);
    await sent(made, course);
    const job = await jobOf(alma, (await submitted(alma, { plan: made.id })).id);
    expect(job.label).toBe(`Add 1 person to 1 group, move 1, remove 1 in ${course.name}`);
    // Asked once more, all of it is there.
    const again = await plan(course, fromCsv(csvOf([g2.sis, b.sis], [g1.sis, c.sis, 'deleted'])));
    expect(fatesOf(again)).toEqual([
      [2, 'already'],
      [3, 'not-member'],
    ]);
  });

  test('OP-107 what somebody moves out of is kept with the plan: the LMS keeps nothing of it', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2] = course.groups;
    const [a, b] = course.students as [Person, Person];
    await join(campus, g1, a);
    const made = await plan(course, fromCsv(csvOf([g2.sis, a.sis], [g2.sis, b.sis])));
    await sent(made, course);
    const kept: unknown[] = [];
    for await (const { rows } of readPlanCourses<KeptRows>(ts.server.services.db.db, made.id)) {
      if (rows.kind === 'members') kept.push(...rows.rows.map(({ who, leaves }) => [who, leaves]));
    }
    expect(kept).toEqual([
      [a.id, [{ id: g1.id, sis_group_id: g1.sis, name: g1.name }]],
      [b.id, []],
    ]);
  });

  test('OP-107, OP-79 people who are not in the course by name, unknown ones, groups of other courses', async () => {
    const [course, other] = [await groupedCourse(campus, 163), await groupedCourse(campus, 163)];
    const foreign = await groupedCourse(campus, 86);
    const elena = await ts.signIn(ELENA);
    const [g1] = course.groups;
    const [a] = course.students as [Person];
    const [stranger] = campus.strangers(1, [course.id]) as [Person];
    const made = await makeMemberPlan(elena, {
      course: course.id,
      from: fromCsv(
        csvOf(
          [g1.sis, stranger.sis],
          [g1.sis, 'NOBODY.AT/ALL'],
          [other.groups[0].sis, a.sis],
          [foreign.groups[0].sis, a.sis],
          ['NO-GROUP', a.sis],
          [g1.sis, '-'],
          [g1.sis, '#N/A'],
          ['1.2E+05', a.sis],
          [g1.sis, a.sis, 'active'],
          [g1.sis, a.sis, ''],
        ),
      ),
    });
    expect(made.totals).toMatchObject({ refused: 10, rows: 0 });
    expect(made.members[0]).toMatchObject({
      person: nameOf(stranger),
      column: 'user_id',
      why: `${nameOf(stranger)} is not in the course. Enrol them there first.`,
    });
    expect(made.members.slice(1).map(({ column, why }) => [column, why])).toEqual([
      ['user_id', 'The LMS knows nobody with the SIS id "NOBODY.AT/ALL".'],
      ['group_id', expect.stringContaining(`another course, "${other.name}"`)],
      // What is out of reach does not exist.
      ['group_id', `The course has no group with the SIS id "${foreign.groups[0].sis}".`],
      ['group_id', 'The course has no group with the SIS id "NO-GROUP".'],
      ['user_id', expect.stringContaining('names nothing')],
      ['user_id', expect.stringContaining('error value')],
      ['group_id', expect.stringContaining('scientific')],
      ['status', expect.stringContaining('accepted or deleted')],
      ['status', expect.stringContaining('missing')],
    ]);
    // What a spreadsheet made is asked of nobody.
    expect(await asked(/(#N\/A|sis_user_id:-|1\.2E)/)).toEqual([]);
  });

  test('OP-107 another SIS id of somebody, people with completed and inactive enrolments, invited ones', async () => {
    const course = await groupedCourse(campus);
    const [g1] = course.groups;
    const [a] = course.students as [Person];
    const { pseudonyms, sections } = ts.sandbox.world;
    const [model] = pseudonyms.by.user.get(a.id);
    if (!model) throw new Error('no login');
    const { id: _id, ...like } = model;
    pseudonyms.add({
      ...like,
      unique_id: `second.${a.id}@northbridge.example`,
      sis_user_id: `SECOND-${a.id}`,
    });
    const section = [...sections.by.course.get(course.id)][0] as { id: number };
    const others = campus.strangers(3, [course.id]);
    for (const [at, state] of ['completed', 'inactive', 'invited'].entries()) {
      campus.enrol(others[at]?.id ?? 0, { id: section.id, course_id: course.id }, 3, state);
    }
    const made = await plan(
      course,
      fromCsv(csvOf([g1.sis, `SECOND-${a.id}`], ...others.map(({ sis }): [string, string] => [g1.sis, sis]))),
    );
    expect(made.members.map(({ fate, user_id }) => [fate, user_id])).toEqual([
      ['add', `SECOND-${a.id}`],
      ...others.map(({ sis }) => ['add', sis]),
    ]);
    await sent(made, course);
    // The invited person's login is not shown, and is found all the same.
    const byLogin = await plan(course, {
      way: 'pasted',
      text: `${others[2]?.email}\t${g1.name}\nsecond.${a.id}@northbridge.example\t${g1.name}`,
      category: null,
    });
    expect(fatesOf(byLogin)).toEqual([
      [1, 'already'],
      [2, 'already'],
    ]);
  });

  test('GRP-27 a full group takes nobody more, and who leaves before makes room', async () => {
    const course = await groupedCourse(campus);
    const small = await makeCategory(campus, course.id, 'Small', `${course.sis}_Small`, { group_limit: 2 });
    const one = await makeGroup(campus, small, 'S1', `${course.sis}_S1`);
    const [a, b, c, d] = course.students as [Person, Person, Person, Person];
    await join(campus, one, a, b);
    const made = await plan(
      course,
      fromCsv(csvOf([one.sis, c.sis], [one.sis, a.sis, 'deleted'], [one.sis, c.sis], [one.sis, d.sis])),
    );
    expect(fatesOf(made)).toEqual([
      [2, 'refused'],
      [3, 'remove'],
      [4, 'add'],
      [5, 'refused'],
    ]);
    expect(made.members[3]).toMatchObject({
      column: 'group_id',
      why: expect.stringMatching(/^The group is full/),
    });
    await sent(made, course);
    expect(await membersOf(campus, one)).toEqual([b.id, c.id].sort((x, y) => x - y));
  });

  test('OP-79 a file of something else, unreadable or empty is refused before the course is read', async () => {
    const course = await groupedCourse(campus);
    await campus.forgetRequests();
    for (const [text, message] of [
      ['group_id,user_id\nA,B', /column status is missing/],
      ['course_id,user_id,role_id,status\nA,B,3,active', /group_id is missing/],
      ['group_id,user_id,status', /no rows below/],
      ['group_id,user_id,status\n"A,B,accepted', /Row 2 .*quotes/],
      ['\u0000', /column/],
    ] as const) {
      const error = await refusalOf(course, fromCsv(text));
      expect(error?.message).toMatch(message);
      expect(error?.next).not.toBe('');
    }
    const many = `group_id,user_id,status\n${'A,B,accepted\n'.repeat(MAX_MEMBER_ROWS + 1)}`;
    expect((await refusalOf(course, fromCsv(many)))?.message).toContain('20,000');
    expect(await asked(/group_categories|\/users/)).toEqual([]);
    // What Excel saves in some countries is taken.
    const excel = `sep=;\r\nstatus;user_id;group_id\r\naccepted;${course.students[0]?.sis};${course.groups[0].sis}\r\n`;
    expect(fatesOf(await plan(course, fromCsv(excel)))).toEqual([[3, 'add']]);
  });

  test('GRP-27 5,000 rows are worked out with one pass of the course, and sent', async () => {
    const course = await groupedCourse(campus);
    const { sections } = ts.sandbox.world;
    const section = [...sections.by.course.get(course.id)][0] as { id: number };
    const many = campus.strangers(2_000, [course.id]);
    for (const person of many) campus.enrol(person.id, { id: section.id, course_id: course.id }, 3);
    const rows = Array.from({ length: 5_000 }, (_, at): [string, string] => {
      const group = course.groups[at % 3] as { sis: string };
      return [group.sis, many[at % many.length]?.sis ?? ''];
    });
    await campus.forgetRequests();
    const made = await plan(course, fromCsv(csvOf(...rows)));
    expect(made.members).toHaveLength(5_000);
    expect(made.totals).toMatchObject({ add: many.length, refused: 5_000 - many.length });
    const pages = Math.ceil((many.length + course.students.length) / 100);
    expect((await asked(/^\/api\/v1/)).length).toBeLessThan(pages + 30);
    await sent(made, course);
  });
});

describe('the kinder ways in', () => {
  test('GRP-27 what is pasted: a person by e-mail, login or SIS id, a group by name or id, in either order', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2] = course.groups;
    const [a, b, c] = course.students as [Person, Person, Person];
    const made = await plan(course, {
      way: 'pasted',
      text: `Team\tE-mail\n${g1.name}\t${a.email.toUpperCase()}\nq-g02\t${b.sis}\n${g2.sis}\t${c.email}\nQ-G09\t${c.email}`,
      category: course.teams.id,
    });
    expect(made.members.map(({ row, fate, user_id, group_id }) => [row, fate, user_id, group_id])).toEqual([
      [2, 'add', a.sis, g1.sis],
      [3, 'add', b.sis, g2.sis],
      [4, 'add', c.sis, g2.sis],
      [5, 'refused', c.sis, 'Q-G09'],
    ]);
    expect(made.source).toBe('Pasted from a spreadsheet');
    await sent(made, course);
  });

  test('OP-79 a name in two categories: the chosen one’s, else refused with both named', async () => {
    const course = await groupedCourse(campus);
    const lab = await makeGroup(campus, course.labs, 'Q-G01', `${course.sis}_LAB`);
    const text = `${course.students[0]?.sis}\tQ-G01`;
    const chosen = await plan(course, { way: 'pasted', text, category: course.labs.id });
    expect(chosen.members[0]).toMatchObject({ fate: 'add', group_id: lab.sis, category: 'Quiz Labs' });
    const [none] = (await plan(course, { way: 'pasted', text, category: null })).members;
    expect(none?.why).toMatch(/"Quiz Teams" and "Quiz Labs"|"Quiz Labs" and "Quiz Teams"/);
    expect((await refusalOf(course, { way: 'pasted', text, category: 1 }))?.message).toContain('category');
    expect((await refusalOf(course, { way: 'pasted', text: 'x', category: null }))?.next).toContain(
      'two columns',
    );
  });

  test('GRP-27 nobody is found by a part of a name or login, nor by what a spreadsheet made', async () => {
    const course = await groupedCourse(campus);
    const [a] = course.students as [Person];
    const odd = [a.email.slice(0, 5), '-', '#N/A', '1.2E+05', '@', '  '];
    const text = odd.map((cell) => `${cell}\tQ-G01`).join('\n');
    const made = await plan(course, { way: 'pasted', text: `${a.sis}\tQ-G01\n${text}`, category: null });
    expect(made.members.map(({ fate }) => fate)).toEqual(['add', ...odd.map(() => 'refused')]);
    expect(made.members.slice(1).every(({ person }) => person === null)).toBe(true);
  });

  test.each(['evenly', 'by-section', 'mixed'] as const)(
    'GRP-25 students spread %s: a proposal that is sent like any other',
    async (by) => {
      const course = await groupedCourse(campus);
      const [g1] = course.groups;
      const [a, b] = course.students as [Person, Person];
      await join(campus, g1, a, b);
      const from = { way: 'spread' as const, category: course.teams.id, by };
      const rest = await plan(course, { ...from, onlyUnassigned: true });
      const people = rest.members.map(({ user_id }) => user_id);
      expect(people).not.toContain(a.sis);
      expect(new Set(people).size).toBe(people.length);
      expect(rest.totals).toMatchObject({ add: people.length, move: 0, refused: 0 });
      await sent(rest, course);
      const done = await refusalOf(course, { ...from, onlyUnassigned: true });
      expect(done?.message).toContain('already');
      // Spread anew: everybody has one row, and whoever changes moves.
      const anew = await plan(course, { ...from, onlyUnassigned: false });
      expect(anew.members).toHaveLength(people.length + 2);
      expect(anew.totals).toMatchObject({ add: 0, refused: 0, remove: 0 });
      if (by !== 'by-section') {
        const sizes = course.groups.map(({ id, name }) => {
          const group = anew.groups.find((one) => one.id === id);
          return group?.after ?? anew.members.filter((one) => one.group === name).length;
        });
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }
      if (anew.totals.rows > 0) await sent(anew, course);
    },
  );
});

describe('what is read, and who may', () => {
  test('PERM-07, OP-14 a course out of reach, no flag, somebody else’s plan', async () => {
    const course = await groupedCourse(campus, 86);
    const elena = await ts.signIn(ELENA);
    const from = fromCsv(csvOf([course.groups[0].sis, course.students[0]?.sis ?? '']));
    await campus.forgetRequests();
    expect(await askMemberPlan(elena, { course: course.id, from })).toMatchObject({ status: 404 });
    expect(await asked(/group|\/users/)).toEqual([]);
    const bruno = await ts.signIn(PEOPLE.custom);
    expect((await askMemberPlan(bruno, { course: course.id, from })).status).toBe(403);
    const made = await plan(course, from);
    for (const path of [ENDPOINTS.memberPlan, ENDPOINTS.groupPlan]) {
      expect((await elena.fetch(path.replace(':plan', made.id))).status).toBe(404);
    }
    expect((await alma.fetch(ENDPOINTS.groupPlan.replace(':plan', made.id))).status).toBe(404);
  });

  test('GRP-27 a LMS that does not tell groups of people is asked group by group, with the same result', async () => {
    const course = await groupedCourse(campus);
    await join(campus, course.groups[0], ...course.students.slice(0, 3));
    await join(campus, course.groups[2], ...course.students.slice(3, 5));
    const { canvas, actFor } = ts.server.services;
    const { token } = actFor({
      login: PEOPLE.all,
      name: '',
      canvasUserId: 1,
      grantId: null,
      tool: 'group-enrollment',
    });
    const reading = { canvas, token, signal: new AbortController().signal };
    const silent = {
      ...canvas,
      pages: (request: Parameters<typeof canvas.pages>[0]) =>
        canvas.pages({
          ...request,
          query: (request.query ?? []).filter(([, value]) => value !== 'group_ids'),
        }),
    } as typeof canvas;
    const [told, untold] = [
      await readGroupCourse(reading, course.id),
      await readGroupCourse({ ...reading, canvas: silent }, course.id),
    ];
    const groupsIn = ({ course: { people } }: typeof told) =>
      people.map(({ id, groups }) => [id, [...groups].sort((a, b) => a - b)]);
    expect(groupsIn(untold)).toEqual(groupsIn(told));
    expect(
      groupsIn(told).filter(([, groups]) => (groups as number[]).length > 0).length,
    ).toBeGreaterThanOrEqual(5);
  });

  test.each([
    ['fails', { kind: 'status', status: 500 }, /does not answer/],
    ['drops the connection', { kind: 'drop', when: 'before' }, /does not answer/],
  ] as const)(
    'OP-35 a LMS that %s while the course is read: said in words, and again it works',
    async (_, fault, message) => {
      const course = await groupedCourse(campus);
      const from = fromCsv(csvOf([course.groups[0].sis, course.students[0]?.sis ?? '']));
      await campus.fault({ match: `/api/v1/courses/${course.id}/group*`, ...fault });
      const error = await refusalOf(course, from);
      expect(error?.message).toMatch(message);
      expect(error?.next).not.toBe('');
      await campus.clearFaults();
      expect(fatesOf(await plan(course, from))).toEqual([[2, 'add']]);
    },
  );

  test('OP-35 a LMS that throttles for a while is waited for', async () => {
    const course = await groupedCourse(campus);
    const from = fromCsv(csvOf([course.groups[0].sis, course.students[0]?.sis ?? '']));
    await campus.fault({ match: `/api/v1/courses/${course.id}/*`, kind: 'throttle', count: 6 });
    expect(fatesOf(await plan(course, from))).toEqual([[2, 'add']]);
  });

  test('OP-35 is cancelled while the LMS is slow, and says that nothing was sent', async () => {
    const course = await groupedCourse(campus);
    const from = fromCsv(csvOf([course.groups[0].sis, course.students[0]?.sis ?? '']));
    await campus.fault({ match: `/api/v1/courses/${course.id}/users*`, kind: 'latency', ms: 600_000 });
    const { job } = await startPlan(alma, 'group-member-plan', { course: course.id, from });
    await expect.poll(async () => (await jobOf(alma, job?.id ?? '')).stage).toBe('Reading the course');
    expect(await cancelJob(alma, job?.id ?? '')).toMatchObject({
      state: 'cancelled',
      note: expect.stringContaining('nothing was sent'),
    });
  });
});
