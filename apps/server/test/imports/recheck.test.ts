/**
 * What was in scope, in place and new at submission may have changed by the time it is sent. It is checked
 * again just before each sending, and rows that no longer apply are skipped and named (OP-14, OP-53, OP-57).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { importRow, type SisImport } from '@lms-admin/contract/imports';
import { usersCsv } from '@lms-admin/domain/new-users';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Campus, makePlan, makeSectionPlan, STATES, submitted, watch } from '../enrollments/campus.ts';
import { uploaded } from '../sis-files/support.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const SEND = { match: '/api/v1/accounts/1/sis_imports', method: 'POST' };
const MINE = {
  login: PEOPLE.custom,
  email: PEOPLE.custom,
  perm: 'CUSTOM',
  sub_accounts: '86,120',
  roles: '3,5',
  section_roles: '3',
  course_level_admin: true,
  section_enrollment: true,
  sis_import: true,
  create_users: true,
} as const;

let ts: TestServer;
let campus: Campus;
let bruno: Browser;

beforeAll(async () => {
  ts = await startTestServer({
    access: { admins: [MINE] },
    sandbox: { throttle: false },
    env: { SCHOOL_EMAIL_DOMAIN: 'northbridge.example' },
  });
  campus = new Campus(ts.sandbox);
  bruno = await ts.signIn(PEOPLE.custom);
});
afterAll(() => ts?.close());
beforeEach(() => campus.forgetRequests());
afterEach(async () => {
  await campus.clearFaults();
  Object.assign(ts.server.services.access.find(PEOPLE.custom) ?? {}, MINE);
});

const sectionsOf = (course: number) =>
  [...ts.sandbox.world.sections.by.course.get(course)].filter((one) => one.workflow_state === 'active');
/** Changes a course in the LMS. */
const moved = (id: number, what: { account_id: number } | { sis_source_id: string }) => {
  const { courses } = ts.sandbox.world;
  courses.change(courses.must(id), what);
};
const crosslist = async (section: number, course: number) => {
  const answer = await campus.api(`sections/${section}/crosslist/${course}`, { method: 'POST' });
  expect(answer.status).toBe(200);
};
const sits = async (course: number, person: number) =>
  (await campus.enrolments(course, 3, STATES)).some((one) => one.user_id === person);

const usedUp = new Set<number>();
/** Finds a course in scope with a default section and a section that has an SIS ID. */
async function aCourse() {
  const found = [86, 120]
    .flatMap((account) => campus.courses(account))
    .find(
      (one) =>
        !usedUp.has(one.id) &&
        sectionsOf(one.id).some((section) => section.default_section && section.name === one.name),
    );
  if (!found) throw new Error('no such course');
  usedUp.add(found.id);
  const fallback = sectionsOf(found.id).find((section) => section.default_section);
  const sis = `AGAIN-${found.id}`;
  const answer = await campus.api(`courses/${found.id}/sections`, {
    method: 'POST',
    body: { course_section: { name: 'Again', sis_section_id: sis } },
  });
  const { id } = (await answer.json()) as { id: number };
  return { id: found.id, sis: found.sis_source_id ?? '', fallback: fallback?.id ?? 0, section: { id, sis } };
}
type OneCourse = Awaited<ReturnType<typeof aCourse>>;
/** Finds a course in another programme. */
const foreign = () => campus.course(3, 163);

/**
 * Submits while the LMS is throttling, so that the job waits. Then runs `meanwhile`, and lets the LMS accept
 * imports again.
 */
async function sentAfter(payload: unknown, meanwhile: () => Promise<unknown>): Promise<SisImport> {
  await campus.fault({ ...SEND, kind: 'throttle' });
  const { id } = await submitted(bruno, payload);
  await campus.seen((one) => one.method === 'POST' && /\/sis_imports\b/.test(one.path));
  await meanwhile();
  await campus.clearFaults();
  return watch(bruno, id);
}

async function rowsWithMessages(id: string) {
  const response = await bruno.fetch(ENDPOINTS.importRows.replace(':import', id));
  return z.array(importRow).parse((await response.json()).data);
}
async function failedRows(id: string): Promise<string> {
  const response = await bruno.fetch(ENDPOINTS.importFailedRows.replace(':import', id));
  expect(response.status).toBe(200);
  return (await response.text()).replace('\ufeff', '');
}

const SECTION_HEADER = 'course_id,user_id,role_id,section_id,status';
const COURSE_HEADER = 'course_id,user_id,role_id,status';

/** Changes to the first course, and how its rows name it. */
const LOST: [string, (course: OneCourse) => Promise<unknown>, boolean, RegExp][] = [
  [
    'a section that is cross-listed out of reach',
    (course) => crosslist(course.section.id, foreign().id),
    true,
    /has no section/,
  ],
  [
    'a default section that is cross-listed out of reach',
    (course) => crosslist(course.fallback, foreign().id),
    false,
    /no default section/,
  ],
  [
    'a course that is moved out of reach',
    async ({ id }) => {
      moved(id, { account_id: 163 });
    },
    false,
    /course .* was not found in your programmes/,
  ],
];

describe.each(LOST)('OP-14 %s while the LMS is throttling', (_name, lose, bySection, why) => {
  const line = (course: OneCourse, user: string, section = course.section.sis) =>
    bySection ? `${course.sis},${user},3,${section},active` : `${course.sis},${user},3,active`;
  const header = bySection ? SECTION_HEADER : COURSE_HEADER;

  test.each<[string, (csv: string) => Promise<unknown>]>([
    ['rows by hand', async (csv) => csv],
    ['a file', async (csv) => ({ file: (await uploaded(bruno, csv)).id })],
  ])('%s: its rows are skipped and named, and the others are sent', async (_source, asPayload) => {
    const [lost, holds] = [await aCourse(), await aCourse()];
    const [one, other] = campus.strangers(2, [lost.id, holds.id]);
    const csv = [
      header,
      line(lost, one?.sis ?? ''),
      line(holds, other?.sis ?? ''),
      line(lost, other?.sis ?? ''),
      line(holds, 'NOBODY-1'),
    ].join('\n');
    const ended = await sentAfter(await asPayload(csv), () => lose(lost));
    expect(ended).toMatchObject({ verdict: 'partly', rows: 2, applied: 1 });
    expect(ended.note).toMatch(/2 rows were skipped/);
    expect(ended.note).toMatch(why);
    for (const { id } of [foreign(), lost]) {
      expect(await sits(id, one?.id ?? 0)).toBe(false);
      expect(await sits(id, other?.id ?? 0)).toBe(false);
    }
    expect(await sits(holds.id, other?.id ?? 0)).toBe(true);
    // Each row has its number in the submission, even if the LMS counts it differently.
    const said = (await rowsWithMessages(ended.id)).map(({ row, cells, messages, left_out }) => [
      row,
      cells?.[1],
      messages[0]?.split(':')[0],
      left_out,
    ]);
    expect(said).toMatchObject([
      [2, one?.sis, 'Skipped', true],
      [4, other?.sis, 'Skipped', true],
      [5, 'NOBODY-1', expect.not.stringContaining('Skipped'), false],
    ]);
    expect((await failedRows(ended.id)).split('\n')).toEqual([
      header,
      line(lost, one?.sis ?? ''),
      line(lost, other?.sis ?? ''),
      line(holds, 'NOBODY-1'),
    ]);
  });

  test('if no row applies, nothing is sent', async () => {
    const lost = await aCourse();
    const [one] = campus.strangers(1, [lost.id]);
    const ended = await sentAfter([header, line(lost, one?.sis ?? '')].join('\n'), () => lose(lost));
    expect(ended).toMatchObject({ verdict: 'failed', canvas_id: null });
    expect(ended.processing_errors[0]?.[1]).toMatch(why);
    expect(await campus.importsNamed(ended.id)).toEqual([]);
    expect((await failedRows(ended.id)).split('\n')).toHaveLength(2);
  });

  test('the course of a plan is skipped and named', async () => {
    const [lost, holds] = [await aCourse(), await aCourse()];
    const [one] = campus.strangers(1, [lost.id, holds.id]);
    const plan = await makePlan(bruno, {
      role_id: 3,
      status: 'active',
      courses: [lost.id, holds.id],
      emails: [one?.email ?? ''],
    });
    const ended = await sentAfter({ plan: plan.id }, () => lose(lost));
    if (bySection) {
      // A course-level plan does not name this section, and the course that it names still applies.
      expect(ended).toMatchObject({ verdict: 'done', note: null });
      return;
    }
    expect(ended).toMatchObject({ verdict: 'partly', rows: 1, note: expect.stringContaining('skipped') });
    expect(await sits(foreign().id, one?.id ?? 0)).toBe(false);
    expect(await sits(lost.id, one?.id ?? 0)).toBe(false);
    expect(await sits(holds.id, one?.id ?? 0)).toBe(true);
  });

  test('the section of a plan for sections is skipped and named', async () => {
    const [lost, holds] = [await aCourse(), await aCourse()];
    const [one] = campus.strangers(1, [lost.id, holds.id]);
    const asked = { role_id: 3, status: 'active' as const, users: [one?.sis ?? ''] };
    const section = bySection ? lost.section.id : lost.fallback;
    const plan = await makeSectionPlan(bruno, [
      { ...asked, course: lost.id, section },
      { ...asked, course: holds.id, section: holds.section.id },
    ]);
    const ended = await sentAfter({ plan: plan.id }, () => lose(lost));
    expect(ended).toMatchObject({ verdict: 'partly', rows: 1, note: expect.stringContaining('skipped') });
    expect(await sits(foreign().id, one?.id ?? 0)).toBe(false);
    expect(await sits(lost.id, one?.id ?? 0)).toBe(false);
    expect(await sits(holds.id, one?.id ?? 0)).toBe(true);
  });
});

test('OP-14 if an SIS ID now belongs to another course, the plan does not follow it', async () => {
  const [planned, taker] = [await aCourse(), campus.course(4, 163)];
  const [one] = campus.strangers(1, [planned.id, taker.id]);
  const plan = await makePlan(bruno, {
    role_id: 3,
    status: 'active',
    courses: [planned.id],
    emails: [one?.email ?? ''],
  });
  const ended = await sentAfter({ plan: plan.id }, async () => {
    moved(planned.id, { sis_source_id: 'WAS-SOMETHING-ELSE' });
    moved(taker.id, { sis_source_id: planned.sis });
  });
  expect(ended).toMatchObject({ verdict: 'failed', canvas_id: null });
  expect(ended.processing_errors[0]?.[1]).toMatch(/now has a different SIS ID/);
  expect(await sits(taker.id, one?.id ?? 0)).toBe(false);
});

describe('OP-57 a person who is created while the LMS is throttling', () => {
  let last = 660_000;
  const people = () =>
    Array.from({ length: 2 }, () => {
      const psID = String(last++);
      return { psID, email: `again.${psID}@northbridge.example`, firstName: 'Nora', lastName: 'Vance' };
    });
  const create = async (psID: string) => {
    const answer = await campus.api('accounts/1/users', {
      method: 'POST',
      body: {
        user: { name: 'Somebody Else' },
        pseudonym: { unique_id: `else.${psID}@x.example`, sis_user_id: psID },
      },
    });
    expect(answer.status).toBe(200);
  };
  const nameOf = async (psID: string) =>
    (await (await campus.api(`users/sis_user_id:${psID}`)).json()).name as string;

  test.each<[string, (csv: string) => Promise<unknown>]>([
    ['Create Users', async (csv) => ({ csv, key: 'somebody comes to exist' })],
    ['a users file', async (csv) => ({ file: (await uploaded(bruno, csv)).id })],
  ])('%s: that row is skipped, the others are sent', async (_source, asPayload) => {
    const [taken, free] = people();
    const csv = usersCsv([taken, free].flatMap((one) => one ?? []));
    const ended = await sentAfter(await asPayload(csv), () => create(taken?.psID ?? ''));
    expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
    expect(ended.note).toMatch(/1 row was skipped.*has been created/);
    expect(await nameOf(taken?.psID ?? '')).toBe('Somebody Else');
    expect(await nameOf(free?.psID ?? '')).toMatch(/Nora/i);
    expect((await failedRows(ended.id)).split('\n')).toHaveLength(2);
  });

  test('while the LMS does not answer for everyone, nothing is sent', async () => {
    const [one] = people();
    await campus.fault({ ...SEND, kind: 'throttle' });
    const { id } = await submitted(bruno, { csv: usersCsv(one ? [one] : []), key: 'nobody knows' });
    await campus.seen(({ method, path }) => method === 'POST' && /\/sis_imports\b/.test(path));
    await campus.fault({ match: '/api/v1/users/*', method: 'GET', kind: 'status', status: 500 });
    const waits = await watch(bruno, id, ({ note }) => note !== null);
    expect(waits).toMatchObject({ final: false });
    await campus.clearFaults();
    expect(await watch(bruno, id)).toMatchObject({ verdict: 'done' });
  });
});

describe('OP-14 permissions that change while the LMS is throttling', () => {
  const change = async (some: object) => {
    Object.assign(ts.server.services.access.find(PEOPLE.custom) ?? {}, some);
  };
  const rows = async () => {
    const course = await aCourse();
    const [one] = campus.strangers(1, [course.id]);
    return { course, one, csv: [COURSE_HEADER, `${course.sis},${one?.sis},3,active`].join('\n') };
  };

  test.each<[string, object, RegExp]>([
    ['another programme', { sub_accounts: '138' }, /course .* was not found in your programmes/],
    ['another role', { roles: '5', section_roles: '' }, /role/],
    ['no such tool', { course_level_admin: false }, /no longer have access to Course Enrollment/],
  ])('%s: nothing is sent', async (_name, some, why) => {
    const { csv, course, one } = await rows();
    const ended = await sentAfter(csv, () => change(some));
    expect(ended).toMatchObject({ verdict: 'failed', canvas_id: null });
    expect(ended.processing_errors[0]?.[1]).toMatch(why);
    expect(await sits(course.id, one?.id ?? 0)).toBe(false);
  });

  test("a file is checked with its owner's current permissions, even if the owner cannot send anything any more", async () => {
    await change({ perm: 'ALL' });
    const { sis } = campus.course(0, 163);
    const file = await uploaded(bruno, `${COURSE_HEADER}\n${sis},5001001,3,active`);
    const ended = await sentAfter({ file: file.id }, () => change(MINE));
    expect(ended).toMatchObject({ verdict: 'failed', canvas_id: null });
    expect(ended.processing_errors[0]?.[1]).toMatch(/course .* was not found in your programmes/);
  });

  test('a file of a type that has become forbidden is rejected completely', async () => {
    await change({ perm: 'ALL' });
    const file = await uploaded(bruno, 'term_id,name,status\nTERM-AGAIN,Term,active');
    const ended = await sentAfter({ file: file.id }, () => change(MINE));
    expect(ended).toMatchObject({ verdict: 'failed', canvas_id: null });
    expect(ended.processing_errors[0]?.[1]).toMatch(/Your access has changed.*Nothing has been sent/);
  });
});
