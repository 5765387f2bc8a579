/** Course Student Export (EXP) over HTTP: started, followed, its file downloaded and compared with the sandbox. */
import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { read as readBook, utils } from '@e965/xlsx';
import { courseDetails } from '@lms-admin/contract/canvas-objects';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { type JobDetail, jobDetail, job as jobSchema } from '@lms-admin/contract/jobs';
import { studentExportMessages } from '@lms-admin/contract/messages/student-export';
import { STUDENT_EXPORT } from '@lms-admin/contract/student-export';
import { MAX_WORKBOOK_ROWS } from '@lms-admin/domain/student-export';
import { parse } from 'csv-parse/sync';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import yauzl from 'yauzl';
import { forgetOldJobs } from '../../src/jobs/forget.ts';
import { jobs } from '../../src/platform/schema.ts';
import { exportKind } from '../../src/student-export/export-kind.ts';
import { readCourse } from '../../src/student-export/read-course.ts';
import { Campus } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { hold } from '../support/held.ts';

const texts = studentExportMessages;
const never = (): never => {
  throw new Error('not asked for here');
};
let ts: TestServer;
let campus: Campus;
let alma: Browser;
let bruno: Browser;

beforeAll(async () => {
  ts = await startTestServer();
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  bruno = await ts.signIn(PEOPLE.custom);
});
afterAll(() => ts?.close());

const ask = (browser: Browser, input: object) =>
  browser.post(jobStartPath(STUDENT_EXPORT), {
    key: randomUUID(),
    input: { groups: false, format: 'csv', time_zone: null, ...input },
  });

async function read(browser: Browser, id: string): Promise<JobDetail> {
  const body = await (await browser.fetch(ENDPOINTS.job.replace(':job', id))).json();
  return jobDetail.parse(body.data);
}

async function exported(browser: Browser, input: object): Promise<JobDetail> {
  const response = await ask(browser, input);
  expect(response.status).toBe(200);
  const { id } = jobSchema.parse((await response.json()).data);
  await expect.poll(async () => (await read(browser, id)).ended_at, { timeout: 110_000 }).not.toBeNull();
  return read(browser, id);
}

async function fetched(browser: Browser, job: JobDetail) {
  const [file] = job.files;
  if (!file) throw new Error(`no file: ${JSON.stringify(job.problem)}`);
  const path = ENDPOINTS.jobFile.replace(':job', job.id).replace(':file', file.id);
  const response = await browser.fetch(path);
  return { file, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const rowsOf = (bytes: Buffer) =>
  parse(bytes.toString('utf8'), { bom: true, columns: true }) as Record<string, string>[];

/** Finds a course with teams, and counts its students in each state. */
function teamCourse() {
  const { world } = ts.sandbox;
  const category = [...world.groupCategories.values()].find(
    ({ context_type, name }) => context_type === 'Course' && name === 'Project Teams',
  );
  return world.courses.must(category?.context_id ?? 0);
}

function studentsOf(courseId: number) {
  const { world } = ts.sandbox;
  const there = world.enrollments.by.course
    .get(courseId)
    .filter((one) => one.type === 'StudentEnrollment' && ['active', 'invited'].includes(one.workflow_state));
  return [...new Set(there.map((one) => one.user_id))].map((id) => world.users.must(id));
}

describe('an export', () => {
  test('EXP-13 EXP-14 EXP-15 EXP-18 EXP-21 LMS-18 OP-82 has every active and invited student once, with sections and groups', async () => {
    const course = teamCourse();
    const expected = studentsOf(course.id);
    const job = await exported(alma, { course: course.id, groups: true });
    expect(job).toMatchObject({
      outcome: 'done',
      tool: 'student-export',
      label: `Export the students of ${course.course_code} as CSV, with groups`,
      figures: [['students', expected.length]],
      changes: false,
    });
    const { file, headers, bytes } = await fetched(alma, job);
    expect(file.name).toBe(`course-${course.id}-students-data.csv`);
    expect(headers.get('content-disposition')).toContain(file.name);
    // A byte order mark, so that Excel reads it as UTF-8.
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const rows = rowsOf(bytes);
    const inOrder = (names: string[]) => names.toSorted((a, b) => (a < b ? -1 : 1));
    expect(inOrder(rows.map((row) => row['Name'] ?? ''))).toEqual(inOrder(expected.map(({ name }) => name)));
    expect(new Set(rows.map((row) => row['Role']))).toEqual(new Set(['Student']));
    expect(rows.every((row) => row['Section'] !== '')).toBe(true);
    const { world } = ts.sandbox;
    const [someone] = world.groupMemberships.values();
    const inTeam = rows.filter((row) => /^Team \d+_Project Teams$/.test(row['Groups'] ?? ''));
    expect(someone).toBeDefined();
    expect(inTeam.length).toBeGreaterThan(1);
    // Times are in the time zone of the person who requested the export.
    for (const row of rows) expect(row['Last Activity']).toMatch(/^(\d{4}-\d\d-\d\d \d\d:\d\d(, )?)*$/);
  });

  test('EXP-13 lists a person who is only invited without a login, and the result says how many there are', async () => {
    const course = teamCourse();
    const { world } = ts.sandbox;
    const [one] = [...world.enrollments.by.course.get(course.id)].filter(
      ({ type, workflow_state }) => type === 'StudentEnrollment' && workflow_state === 'active',
    );
    if (!one) throw new Error('nobody');
    const invited = () =>
      new Set(
        studentsOf(course.id)
          .filter(({ id }) =>
            [...world.enrollments.by.course.get(course.id)].every(
              (each) => each.user_id !== id || each.workflow_state !== 'active',
            ),
          )
          .map(({ id }) => id),
      ).size;
    const before = invited();
    for (const each of world.enrollments.by.course.get(course.id))
      if (each.user_id === one.user_id) world.enrollments.change(each, { workflow_state: 'invited' });
    const job = await exported(alma, { course: course.id, groups: false });
    const count = before + 1;
    expect(invited()).toBe(count);
    const less = await exported(bruno, { course: course.id, groups: false });
    expect(less.note).toMatch(/ If you need it, ask an administrator who can search for people\.$/);
    expect(less.note).not.toContain('Search Users');
    expect(job.note).toBe(
      `${count} ${count === 1 ? 'student has' : 'students have'} not yet accepted the invitation to the course, so the LMS does not show their login. If you need it, look it up in Search Users.`,
    );
    const { bytes } = await fetched(alma, job);
    const row = rowsOf(bytes).find(({ Name }) => Name === world.users.must(one.user_id).name);
    expect(row?.['Login']).toBe('');
    world.enrollments.change(one, { workflow_state: 'active' });
  });

  test('EXP-19 EXP-20 OP-81 in Excel format is a workbook of text with a frozen header and a filter', async () => {
    const course = teamCourse();
    const [student] = studentsOf(course.id);
    if (!student) throw new Error('nobody');
    const before = student.name;
    const { users } = ts.sandbox.world;
    users.change(users.must(student.id), { name: '=HYPERLINK("x")' });
    try {
      const job = await exported(alma, { course: course.id, format: 'xlsx' });
      const { file, bytes } = await fetched(alma, job);
      expect(file).toMatchObject({
        name: `${course.course_code}.xlsx`,
        type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      });
      const parts = await unzipped(bytes);
      const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
      expect(sheet).toMatch(/<pane [^>]*ySplit="1"/);
      expect(sheet).toContain(`<autoFilter ref="A1:F${studentsOf(course.id).length + 1}"/>`);
      expect(sheet).not.toContain('<f>');
      expect(parts.get('xl/sharedStrings.xml')).toContain('=HYPERLINK(');
      const csv = await fetched(alma, await exported(alma, { course: course.id }));
      expect(rowsOf(csv.bytes).map((row) => row['Name'])).toContain(`'=HYPERLINK("x")`);
    } finally {
      users.change(users.must(student.id), { name: before });
    }
  });

  test('EXP-13 EXP-15 OP-81 has every name as in the LMS, whatever its characters, in both formats', async () => {
    const course = teamCourse();
    const { users } = ts.sandbox.world;
    const odd = [
      'Ann_x000D_Lee',
      '_x005F_',
      'Zo\uFFFD',
      'A\u0001B',
      'A\vB',

      'a_X0041_b',
      '007',
      '1/2',
      '😀 Łukasz',
    ];
    const students = studentsOf(course.id).slice(0, odd.length);
    const before = students.map(({ id, name }) => [id, name] as const);
    for (const [at, { id }] of students.entries()) users.change(users.must(id), { name: odd[at] ?? '' });
    try {
      const csv = await fetched(alma, await exported(alma, { course: course.id }));
      expect(rowsOf(csv.bytes).map((row) => row['Name'])).toEqual(expect.arrayContaining(odd));
      const xlsx = await fetched(alma, await exported(alma, { course: course.id, format: 'xlsx' }));
      const book = readBook(xlsx.bytes);
      const rows = utils.sheet_to_json<unknown[]>(book.Sheets['Students'] ?? {}, { header: 1 });
      expect(rows.map(([name]) => name)).toEqual(expect.arrayContaining(odd));
    } finally {
      for (const [id, name] of before) users.change(users.must(id), { name });
    }
  });

  test('OP-14 EXP-08 EXP-10 LMS-19 of a missing course, or of one out of scope, gives the same answer and starts nothing', async () => {
    const other = campus.course(0, 163);
    for (const course of [other.id, 99_999_999]) {
      const response = await ask(bruno, { course });
      expect(response.status).toBe(404);
      expect((await response.json()).error.message).toBe(texts.notFound);
    }
    expect((await ask(await ts.signIn(PEOPLE.records), { course: other.id })).status).toBe(403);
    expect((await ask(alma, { course: other.id, time_zone: 'Moon/Crater' })).status).toBe(400);
    const url = `courses/${other.id}?include[]=total_students&include[]=sections`;
    expect((await bruno.invoke(url)).status).toBe(404);
    const seen = courseDetails.parse((await (await alma.invoke(url)).json()).data);
    expect(seen).toMatchObject({ id: other.id, sis_course_id: other.sis });
  });

  test('EXP-09 of a course without students has nothing to export', async () => {
    const made = await campus.api('accounts/86/courses', {
      method: 'POST',
      body: { course: { name: 'Nobody yet', course_code: 'NONE' }, offer: true },
    });
    const { id } = (await made.json()) as { id: number };
    const job = await exported(alma, { course: id });
    expect(job).toMatchObject({ outcome: 'failed', files: [], problem: { message: texts.nobody } });
  });

  test('OP-83 of more students than fit in a workbook is a CSV, and the result says so', async () => {
    const course = teamCourse();
    const { world } = ts.sandbox;
    const [pattern] = world.enrollments.by.course
      .get(course.id)
      .filter((one) => one.type === 'StudentEnrollment');
    const person = [...world.users.values()][0];
    if (!pattern || !person) throw new Error('nobody');
    const added: number[] = [];
    for (let n = studentsOf(course.id).length; n <= MAX_WORKBOOK_ROWS; n++) {
      const { id: _person, ...fields } = person;
      const user = world.users.add({ ...fields, name: `Łukasz ${n}`, sortable_name: `${n}` });
      const { id: _enrolment, ...like } = pattern;
      added.push(world.enrollments.add({ ...like, user_id: user.id }).id);
    }
    try {
      const refused = await exported(alma, { course: course.id, format: 'xlsx' });
      expect(refused.problem?.message).toBe(texts.tooLarge(MAX_WORKBOOK_ROWS));
      const job = await exported(alma, { course: course.id });
      expect(job.figures).toEqual([['students', MAX_WORKBOOK_ROWS + 1]]);
      expect(rowsOf((await fetched(alma, job)).bytes)).toHaveLength(MAX_WORKBOOK_ROWS + 1);
    } finally {
      // The following tests read the same course, some of them one student at a time.
      for (const id of added)
        world.enrollments.change(world.enrollments.must(id), { workflow_state: 'deleted' });
    }
  });

  test('EXP-13 LMS-18 of a course that students leave while its pages are read starts again, so that no one is missing', async () => {
    const course = campus.courseForRows(5);
    const { enrollments } = ts.sandbox.world;
    const enrolled = () => enrollments.by.course.get(course.id);
    const section = campus.defaultSection(course.id);
    for (const { id } of campus.strangers(150, [course.id])) campus.enrol(id, section, 3);
    const users = `/api/v1/courses/${course.id}/users`;
    const second = { match: `${users}?*&page=2*` };
    /** Exports the course while students of its first page leave: one in each of the first readings. */
    async function exportedWhile(leave: number): Promise<JobDetail> {
      await campus.forgetRequests();
      let held = await hold(ts.sandbox, second);
      const { id } = jobSchema.parse((await (await ask(alma, { course: course.id })).json()).data);
      for (let left = leave; left > 0; left--) {
        await held.reached();
        await campus.seen(
          ({ path, status }) => path.startsWith(users) && !/[?&]page=/.test(path) && status === 200,
        );
        await campus.forgetRequests();
        const [first] = studentsOf(course.id).toSorted((a, b) =>
          a.sortable_name < b.sortable_name ? -1 : 1,
        );
        for (const one of enrolled().filter(({ user_id }) => user_id === first?.id))
          enrollments.change(one, { workflow_state: 'deleted' });
        const next = left > 1 ? await hold(ts.sandbox, second) : null;
        await held.letGo();
        held = next ?? held;
      }
      await expect.poll(async () => (await read(alma, id)).ended_at, { timeout: 110_000 }).not.toBeNull();
      return read(alma, id);
    }
    const inOrder = (names: (string | undefined)[]) => names.toSorted((a = '', b = '') => a.localeCompare(b));
    const one = await exportedWhile(1);
    const there = studentsOf(course.id);
    expect(one).toMatchObject({ outcome: 'done', figures: [['students', there.length]] });
    const { bytes } = await fetched(alma, one);
    expect(inOrder(rowsOf(bytes).map((row) => row['Name']))).toEqual(inOrder(there.map(({ name }) => name)));
    expect(one.note ?? '').not.toContain('joined or left');
    // A course that keeps changing is exported nevertheless, and the result says so.
    const always = await exportedWhile(3);
    expect(always.outcome).toBe('done');
    expect(always.note).toContain('Students joined or left the course while it was read');
  });

  test('OP-84 LMS-22 reads groups one by one if the roster does not include them', async () => {
    const course = teamCourse();
    const { canvas } = ts.server.services;
    const token = ts.server.services.grants.rootToken(null);
    const parts = { canvas, token, signal: new AbortController().signal };
    // Answers like a Canvas that does not support this include.
    const silent = {
      ...parts,
      canvas: {
        ...canvas,
        pages: (request: Parameters<typeof canvas.pages>[0]) =>
          canvas.pages({
            ...request,
            query: (request.query ?? []).filter(([, value]) => value !== 'group_ids'),
          }),
      } as typeof canvas,
    };
    const groupsOf = async (of: typeof parts) => {
      const { students } = await readCourse(of, course.id, true);
      const ids: number[][] = [];
      for await (const page of students)
        ids.push(...page.map((one) => one.group_ids.toSorted((a, b) => a - b)));
      return ids;
    };
    const [known, found] = [await groupsOf(parts), await groupsOf(silent)];
    expect(found).toEqual(known);
    expect(found.flat().length).toBeGreaterThan(1);
  });

  test('OP-14 EXP-12 has a file for its owner and for perm ALL, but only while they have the tool', async () => {
    const job = await exported(bruno, { course: campus.course(0).id });
    const file = ENDPOINTS.jobFile.replace(':job', job.id).replace(':file', job.files[0]?.id ?? '');
    const got = async (browser: Browser) => (await browser.fetch(file)).status;
    const [records, helpDesk] = [await ts.signIn(PEOPLE.records), await ts.signIn(PEOPLE.helpDesk)];
    expect([await got(bruno), await got(alma)]).toEqual([200, 200]);
    expect([await got(ts.browser()), await got(records), await got(helpDesk)]).toEqual([401, 404, 403]);
    const record = ts.server.services.access.find(PEOPLE.custom);
    Object.assign(record ?? {}, { export_course_students: false });
    try {
      expect(await got(bruno)).toBe(403);
    } finally {
      Object.assign(record ?? {}, { export_course_students: true });
    }
  });

  test('EXP-12 has a file that is deleted after a day, with an explanation, even for a page that requests the file again', async () => {
    const course = campus.course(3);
    const body = {
      key: randomUUID(),
      input: { course: course.id, groups: false, format: 'csv', time_zone: null },
    };
    const begin = async () =>
      jobSchema.parse((await (await alma.post(jobStartPath(STUDENT_EXPORT), body)).json()).data);
    const { id } = await begin();
    await expect.poll(async () => (await read(alma, id)).ended_at, { timeout: 110_000 }).not.toBeNull();
    const [file] = (await read(alma, id)).files;
    const path = ENDPOINTS.jobFile.replace(':job', id).replace(':file', file?.id ?? '');
    const { db, files } = ts.server.services;
    const parts = { ...ts.server.services, actFor: () => never() };
    const after = async (hours: number) => {
      const endedAt = new Date(Date.now() - hours * 3_600_000);
      await db.db.update(jobs).set({ endedAt }).where(eq(jobs.id, id));
      await forgetOldJobs(db.db, files, [exportKind(parts)]);
    };
    await after(23);
    expect((await alma.fetch(path)).status).toBe(200);
    await after(25);
    const gone = await alma.fetch(path);
    expect([gone.status, (await gone.json()).error]).toMatchObject([
      404,
      { code: 'not-found', message: 'This file is no longer kept.', next: 'Create it again.' },
    ]);
    // The same key does not start the export again.
    expect(await begin()).toMatchObject({ id, forgotten: true, outcome: 'done' });
    expect((await read(alma, id)).files).toEqual([]);
  });

  test('is cancelled between two pages, and says that nothing has changed', async () => {
    const course = campus.course(1);
    await campus.fault({
      match: `/api/v1/courses/${course.id}/users`,
      kind: 'latency',
      ms: 20_000,
      count: 1,
    });
    const { id } = jobSchema.parse((await (await ask(alma, { course: course.id })).json()).data);
    await expect.poll(async () => (await read(alma, id)).stage).toBe('Reading the students');
    await alma.post(ENDPOINTS.jobCancel.replace(':job', id), {});
    await expect.poll(async () => (await read(alma, id)).state).toBe('cancelled');
    expect(await read(alma, id)).toMatchObject({
      files: [],
      note: expect.stringContaining('no file was created'),
    });
  });

  test('continues when a failing LMS answers again', async () => {
    const course = campus.course(2);
    await campus.fault({
      match: `/api/v1/courses/${course.id}/users`,
      kind: 'status',
      status: 503,
      count: 3,
    });
    expect(await exported(alma, { course: course.id })).toMatchObject({ outcome: 'done' });
  });
});

async function unzipped(bytes: Buffer): Promise<Map<string, string>> {
  const open = promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer);
  const zip = await open(bytes, { lazyEntries: true });
  const read = promisify<yauzl.Entry, Readable>(zip.openReadStream.bind(zip));
  const parts = new Map<string, string>();
  const entries = on(zip, 'entry', { close: ['end'] });
  zip.readEntry();
  for await (const [entry] of entries as AsyncIterable<[yauzl.Entry]>) {
    parts.set(entry.fileName, await text(await read(entry)));
    zip.readEntry();
  }
  return parts;
}
