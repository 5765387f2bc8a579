/**
 * `npm run keep-release`: does work of every kind with this release, and keeps its database and practice LMS for the upgrade tests of
 * later releases (`../operation/kept`). Needs PostgreSQL and its `pg_dump`.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { jobStartPath } from '@lms-admin/contract/endpoints';
import { job as jobSchema } from '@lms-admin/contract/jobs';
import { STUDENT_EXPORT } from '@lms-admin/contract/student-export';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeGroupPlan, makePlan, makeSectionPlan, submitted, watch } from '../enrollments/campus.ts';
import { makeCategory, SEND } from '../groups/support.ts';
import { picture, uploaded } from '../images/support.ts';
import { type Deployment, openDeployment } from '../kill/deployment.ts';
import { aUsersFile } from '../kill/sources.ts';
import { drafted, ENROLL, reviewed } from '../sis-files/support.ts';
import { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { blocksIn, change, endOf, HOSTS, numberIn, publishing, ZoomCampus } from '../zoom/campus.ts';

const NAME = process.env.KEEP_RELEASE ?? '';
const FOLDER = join(import.meta.dirname, '../operation/kept', NAME);
const STUDENT = 3;

let data: string;
let deployment: Deployment;
let campus: ZoomCampus;
let alma: Browser;
let bruno: Browser;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'lms-admin-keep-'));
  deployment = await openDeployment(1, {}, { data, importPace: 'instant' });
  campus = new ZoomCampus(deployment.sandbox);
  alma = deployment.alma;
  bruno = new Browser(deployment.homes[0] ?? '');
  await bruno.signIn(PEOPLE.custom);
});
afterAll(async () => {
  await deployment?.close();
  await rm(data, { recursive: true, force: true });
});

/** The next course of the programme, with people who are not in it. */
let next = 0;
function place(count: number) {
  const course = campus.courseForRows(next++);
  return { course, people: campus.strangers(count, [course.id]) };
}

const inCourse = (course: number, people: readonly { id: number }[]) => ({
  course,
  people: people.map(({ id }) => id),
});

/** Creates a reviewed Course Enrollment plan. */
async function planOf(browser: Browser, count: number) {
  const { course, people } = place(count);
  const emails = people.map(({ email }) => email);
  const plan = await makePlan(browser, { role_id: STUDENT, status: 'active', courses: [course.id], emails });
  return { plan: plan.id, ...inCourse(course.id, people) };
}

async function done(browser: Browser, payload: unknown): Promise<string> {
  const { id } = await submitted(browser, payload);
  expect(await watch(browser, id)).toMatchObject({ verdict: 'done' });
  return id;
}

/** Removes two people as Bruno. */
async function removal() {
  const course = campus.courseForRows(next++).id;
  const inside = [...new Set((await campus.enrolments(course, STUDENT)).map(({ user_id }) => user_id))].slice(
    0,
    2,
  );
  const emails = inside.map((id) => campus.person(id).email);
  const plan = await makePlan(bruno, { role_id: STUDENT, status: 'deleted', courses: [course], emails });
  return { import: await done(bruno, { plan: plan.id }), course, people: inside };
}

async function sectionPlan() {
  const { course, people } = place(2);
  const made = await campus.api(`courses/${course.id}/sections`, {
    method: 'POST',
    body: { course_section: { name: 'Kept' } },
  });
  const { id: section } = (await made.json()) as { id: number };
  const users = people.map(({ sis }) => sis);
  const asked = { course: course.id, section, role_id: STUDENT, status: 'active' as const, users };
  const plan = await makeSectionPlan(alma, [asked]);
  return { plan: plan.id, section, people: people.map(({ id }) => id) };
}

async function groupPlan() {
  const { course } = place(0);
  const category = await makeCategory(campus, course.id, 'Kept', `${course.sis}_Kept`);
  const ranges = [{ prefix: 'K-G', start: 1, end: 3 }];
  const plan = await makeGroupPlan(alma, { course: course.id, category: category.id, ranges });
  return { plan: plan.id, category: category.id, groups: plan.groups.map(({ name }) => name) };
}

async function file() {
  const { course, people } = place(1);
  const rows = people.map(({ sis }) => `${course.sis},${sis},${STUDENT},active`);
  const { id } = await reviewed(alma, [ENROLL, ...rows].join('\n'));
  return { file: id, ...inCourse(course.id, people) };
}

async function zoom() {
  const { id: course } = campus.quietCourse();
  const events = (await campus.makeEvents(course, 2)).map(({ id }) => id);
  expect(await change(alma, publishing({ course, events, owner: HOSTS.alma }))).toMatchObject({
    outcome: 'done',
  });
  const shown = await Promise.all(events.map((id) => campus.event(id)));
  expect(shown.map((event) => blocksIn(event).length)).toEqual([1, 1]);
  return { course, events, meetings: shown.map(({ description }) => numberIn(description)) };
}

async function exported(): Promise<string> {
  const input = { course: campus.course(0).id, groups: true, format: 'xlsx', time_zone: null };
  const answer = await alma.post(jobStartPath(STUDENT_EXPORT), { key: randomUUID(), input });
  const { id } = jobSchema.parse((await answer.json()).data);
  expect(await endOf(alma, id)).toMatchObject({ outcome: 'done' });
  return id;
}

/** Submits an import that the LMS does not accept until after the upgrade. */
async function waiting() {
  const { plan, ...rest } = await planOf(alma, 2);
  await campus.fault({ ...SEND, kind: 'throttle' });
  const { id } = await submitted(alma, { plan });
  await campus.seen((one) => one.method === 'POST' && /\/sis_imports\b/.test(one.path));
  return { import: id, ...rest };
}

/** Lists all files of the practice LMS, by path. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const texts = files.map(
    async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const,
  );
  return Object.fromEntries(await Promise.all(texts));
}

test('work of every kind is done, and what the release stores is kept', { timeout: 600_000 }, async () => {
  expect(NAME).toMatch(/^[\w.]+$/);
  const { plan, ...added } = await planOf(alma, 4);
  const users = await aUsersFile(deployment);
  const made = {
    home: deployment.homes[0],
    lms: deployment.env.LMS_URL,
    added: { import: await done(alma, { plan }), ...added },
    removed: await removal(),
    created: await done(alma, users.payload),
    openPlan: await planOf(alma, 3),
    openSectionPlan: await sectionPlan(),
    openGroupPlan: await groupPlan(),
    openFile: await file(),
    draft: (await drafted(alma, `${ENROLL}\nMBA,#N/A,${STUDENT},active`)).id,
    zoom: await zoom(),
    export: await exported(),
    image: (await uploaded(alma, 'kept.png', await picture('png'))).image.link,
    waiting: await waiting(),
    cookies: { alma: [...alma.cookies], bruno: [...bruno.cookies] },
    madeAt: new Date().toISOString(),
  };
  for (const server of deployment.servers) await server.stop();
  await deployment.sandbox.close();
  const url = deployment.env.DATABASE_URL ?? '';
  const options = ['--inserts', '--no-owner', '--no-privileges', url];
  const { stdout } = await promisify(execFile)('pg_dump', options, { maxBuffer: 100_000_000 });
  await mkdir(FOLDER, { recursive: true });
  // Commands of newer versions of pg_dump that PGlite does not know.
  const sql = stdout.replace(/^\\(un)?restrict .*$/gm, '');
  await writeFile(join(FOLDER, 'database.sql.gz'), gzipSync(sql, { level: 9 }));
  const files = JSON.stringify(await filesOf(data));
  await writeFile(join(FOLDER, 'campus.json.gz'), gzipSync(files, { level: 9 }));
  await writeFile(join(FOLDER, 'made.json'), `${JSON.stringify(made, null, 2)}\n`);
});
