/**
 * The basis of the safety matrices: a signed-in person for every flag on and off, and objects in scope and
 * out of scope.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { COOKIES, subAccount } from '@lms-admin/contract/session';
import { ACCESS_ADMIN, FLAGS, type Flag } from '@lms-admin/domain/access';
import { eq, isNull, ne } from 'drizzle-orm';
import { filePieces, imports, jobs, sisEffects, sisFiles } from '../../src/platform/schema.ts';
import { Campus } from '../enrollments/campus.ts';
import { reviewed } from '../sis-files/support.ts';
import { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

export const IN_REACH = 86;
export const OUT_OF_REACH = 163;
export const PERMS = ['ALL', 'CUSTOM'] as const;
export type Perm = (typeof PERMS)[number];
/** `on`: this flag and no other; `off`: every flag except this one. */
export const STATES = ['on', 'off'] as const;
export type State = (typeof STATES)[number];
export type Reach = 'in' | 'out';

export interface Person {
  login: string;
  flags: ReadonlySet<Flag>;
  perm: Perm;
}

/** Returns whether a person can have a flag: only `ALL` can have permission to change access. */
const holds = (flag: Flag, perm: Perm) => perm === 'ALL' || flag !== ACCESS_ADMIN;

export const PERSONS: Person[] = FLAGS.flatMap((flag) =>
  STATES.flatMap((state) =>
    PERMS.map((perm) => ({
      login: loginOf(flag, state, perm),
      flags: new Set(FLAGS.filter((one) => (one === flag) === (state === 'on') && holds(one, perm))),
      perm,
    })),
  ),
);

export function loginOf(flag: Flag, state: State, perm: Perm): string {
  return `${flag}.${state}.${perm}@matrix.example`.toLowerCase();
}

function recordOf(person: Person) {
  return {
    login: person.login,
    email: person.login,
    perm: person.perm,
    sub_accounts: person.perm === 'CUSTOM' ? String(IN_REACH) : '',
    roles: '3',
    section_roles: '3',
    ...Object.fromEntries([...person.flags].map((flag) => [flag, true])),
  };
}

export let test: TestServer;
let grantId: string;
export const browsers = new Map<string, Browser>();
/** A course in scope and one outside, each with a section, a group category, a group and an event, as paths and rows name them. */
export const courses = {
  in: { id: 0, sis: '', section: { id: 0, sis: '' }, category: 0, group: '', event: 0 },
  out: { id: 0, sis: '', section: { id: 0, sis: '' }, category: 0, group: '', event: 0 },
};
export let foreignImport = '';
/** A file uploaded by the LMS administrator, for each of the two courses. */
export const files = { in: '', out: '' };

/** Starts the server with all people, files and courses of the matrix. */
export async function startMatrix(): Promise<void> {
  test = await startTestServer({
    sandbox: { throttle: false },
    env: { SCHOOL_EMAIL_DOMAIN: 'northbridge.example' },
    access: { admins: [...PERSONS.map(recordOf), recordOf(lmsAdmin)] },
  });
  const signedIn = await test.signIn(PEOPLE.all);
  const admin = await test.server.services.sessions.find(signedIn.cookies.get(COOKIES.session));
  if (!admin) throw new Error('no one is signed in');
  grantId = admin.grantId;
  // Everyone uses the same LMS account with full permissions, so every rejection comes from LMS Admin.
  for (const person of PERSONS) browsers.set(person.login, await openSession(person, Date.now()));
  for (const [reach, account] of [
    ['in', IN_REACH],
    ['out', OUT_OF_REACH],
  ] as const) {
    const { data } = await (await signedIn.invoke(`accounts/${account}/courses?per_page=100`)).json();
    const course = data.find((one: { sis_course_id: string | null }) => one.sis_course_id !== null);
    const made = await new Campus(test.sandbox).api(`courses/${course.id}/sections`, {
      method: 'POST',
      body: { course_section: { name: 'Matrix' } },
    });
    const section = { id: ((await made.json()) as { id: number }).id, sis: `${course.sis_course_id}-MATRIX` };
    courses[reach] = { id: course.id, sis: course.sis_course_id, section, category: 0, group: '', event: 0 };
    await signedIn.invoke(`sections/${section.id}`, 'PUT', sectionPayload(reach));
    const created = await signedIn.invoke(
      `courses/${course.id}/group_categories`,
      'POST',
      categoryPayload(reach),
    );
    courses[reach].category = (await created.json()).data.id;
    courses[reach].group = await groupIn(courses[reach]);
    courses[reach].event = (await eventWithLink(course.id)).id;
    files[reach] = (await reviewed(signedIn, rowsFor(reach).join('\n'))).id;
  }
  const { data } = await (await signedIn.invoke('accounts/1/sis_imports', 'POST_SIS', rowsFor('in'))).json();
  foreignImport = data.id;
  await quiet();
}

/** Creates an event whose location is a Zoom meeting. */
async function eventWithLink(course: number): Promise<{ id: number }> {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const location_address = `${test.sandbox.url.replace('127.0.0.1', 'localhost')}/zoom/j/80020101251`;
  const of = { context_code: `course_${course}`, title: 'Matrix', start_at: at(24), end_at: at(25) };
  const body = { calendar_event: { ...of, location_address } };
  return (await new Campus(test.sandbox).api('calendar_events', { method: 'POST', body })).json() as Promise<{
    id: number;
  }>;
}

/** Finds the SIS ID of a group, and a person in its course who can join it. */
async function groupIn({
  id,
  sis,
  category,
}: {
  id: number;
  sis: string;
  category: number;
}): Promise<string> {
  const campus = new Campus(test.sandbox);
  const { sections, pseudonyms } = test.sandbox.world;
  const [section] = sections.by.course.get(id);
  campus.enrol(pseudonyms.by.sis.get('5001001')?.user_id ?? 0, { id: section?.id ?? 0, course_id: id }, 3);
  const group = `${sis}_Matrix-G01`;
  await campus.api(`group_categories/${category}/groups`, {
    method: 'POST',
    body: { name: 'Matrix-G01', sis_group_id: group },
  });
  return group;
}

export function endMatrix(): Promise<void> {
  return test.close();
}

/** The LMS user behind every session, who has no limits. */
const lmsAdmin: Person = { login: PEOPLE.all, flags: new Set(FLAGS), perm: 'ALL' };

export async function openSession(person: Person, time: number, grant = grantId): Promise<Browser> {
  const { login: _login, ...record } = recordOf(person);
  const session = await test.server.services.sessions.create({
    grantId: grant,
    login: person.login,
    profile: {
      access_token: 'handle',
      time,
      user: { id: 101, name: person.login },
      userProfile: { avatar_url: null, time_zone: null },
      sub_account: subAccount.parse(record),
      access_until: null,
    },
  });
  const browser = new Browser(test.url);
  browser.cookies.set(COOKIES.session, session);
  return browser;
}

export function rowsFor(reach: Reach): string[][] {
  return [
    ['course_id', 'user_id', 'role_id', 'status'],
    [courses[reach].sis, '5001001', '3', 'active'],
  ];
}

export function sectionPayload(reach: Reach) {
  return { course_section: { sis_section_id: courses[reach].section.sis } };
}

/** Returns the payload of a category with this name, or of the matrix's own category if none is given. */
export function categoryPayload(reach: Reach, name = 'Matrix') {
  return { name, sis_group_category_id: `${courses[reach].sis}_${name}` };
}

/** Requests an answer, and counts the LMS calls made for it. */
export async function counted(asked: () => Promise<Response>) {
  const before = lmsCalls();
  const response = await asked();
  const body = await response.json();
  return { status: response.status, code: body.error?.code ?? null, body, called: lmsCalls() - before };
}

/** Stores a checked file, as if this person had uploaded it. */
export async function fileOf(person: Person, reach: Reach): Promise<string> {
  const { db } = test.server.services.db;
  const [model] = await db.select().from(sisFiles).where(eq(sisFiles.id, files[reach]));
  const chunks = await db.select().from(filePieces).where(eq(filePieces.fileId, files[reach]));
  if (!model) throw new Error('no file');
  const id = randomUUID();
  const again = { ...model.summary.again, limited: person.perm === 'CUSTOM', courses: [courses[reach].sis] };
  await db.insert(filePieces).values(chunks.map((chunk) => ({ ...chunk, fileId: id })));
  const file = { ...model.summary.file, id };
  await db.insert(sisFiles).values({ ...model, id, login: person.login, summary: { file, again } });
  const [effect] = await db.select().from(sisEffects).where(eq(sisEffects.fileId, files[reach]));
  if (!effect) throw new Error('no effect');
  await db.insert(sisEffects).values({ ...effect, fileId: id });
  return id;
}

/** Creates a finished import by the person in this browser. */
export async function ownImport(browser: Browser): Promise<string> {
  const login = [...browsers].find(([, one]) => one === browser)?.[0];
  const { db } = test.server.services.db;
  const [model] = await db.select().from(imports).where(eq(imports.id, foreignImport));
  if (!model || login === undefined) return foreignImport;
  const id = randomUUID();
  const [job] = await db.select().from(jobs).where(eq(jobs.id, foreignImport));
  if (!job) return foreignImport;
  await db.insert(jobs).values({ ...job, id, login, key: `id ${id}` });
  await db.insert(imports).values({ ...model, id, planId: null, canvasId: null });
  return id;
}

/** Waits until no import is followed in the background, because those calls would be counted. */
export async function quiet(): Promise<void> {
  const { db } = test.server.services.db;
  while ((await db.$count(imports, ne(imports.step, 'final'))) > 0) await sleep(20);
  while ((await db.$count(jobs, isNull(jobs.endedAt))) > 0) await sleep(20);
}

export const lmsCalls = () => test.server.services.canvas.stats().calls;

export function browserOf(flag: Flag, state: State, perm: Perm): [Person, Browser] {
  const login = loginOf(flag, state, perm);
  const person = PERSONS.find((one) => one.login === login);
  const browser = browsers.get(login);
  if (!person || !browser) throw new Error(login);
  return [person, browser];
}
