/**
 * Whole days, with the clocks of the LMS and of LMS Admin turned: the report at 02:10, what people do with LMS Admin and in
 * the LMS itself during the day, a copy that is 26 hours old and one that is three days old, and the next report. After
 * each step, every lookup gives what the LMS says, and plans change the same enrolments as without the directory.
 * `DIRECTORY_DAYS` sets the number of random days.
 */
import { type CopiedCourses, copiedCourses, foundNames } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { type PeopleLine, peopleLine } from '@lms-admin/contract/people';
import { inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  directoryCourses,
  directoryLogins,
  directoryLoginsNew,
  directorySections,
  directoryUsers,
  directoryUsersNew,
} from '../../src/platform/schema.ts';
import { Campus, makePlan, makeSectionPlan, type Person, submitted, watch } from '../enrollments/campus.ts';
import { effectOf, uploaded } from '../sis-files/support.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { type DirectoryTest, startDirectoryTest } from './support.ts';
import { resultOf } from './two-servers.ts';

const DAYS = Number(process.env.DIRECTORY_DAYS ?? 1);
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const ACCOUNT = 86;
const ROLE = 3;
/** People of a day. A day has two more for each step that creates someone. */
const CROWD = 8;
const REPORTS = '/api/v1/accounts/1/reports/provisioning_csv';

/** How far both clocks are ahead, in milliseconds. */
const clock = { ahead: 0 };
const now = () => Date.now() + clock.ahead;
let ts: DirectoryTest;
let plain: TestServer;
let campus: Campus;
let days = 0;
const seen = { known: 0, skipped: 0, hints: 0 };

beforeAll(async () => {
  const env = { SCHOOL_EMAIL_DOMAIN: 'northbridge.example' };
  ts = await startDirectoryTest(
    { now: () => new Date(now()) },
    { env: { ...env, DIRECTORY_TIME: '02:10' }, server: { now } },
  );
  plain = await startTestServer({ lms: ts.sandbox, env, server: { now } });
  campus = new Campus(ts.sandbox);
});
afterAll(async () => {
  await plain?.close();
  await ts?.close();
});

const world = () => ts.sandbox.world;
const db = () => ts.server.services.db.db;

/** Everyone and everything that a day changes. No other day uses these people. */
class Day {
  readonly people: Person[];
  /** The first for the server with the directory, the second for the other one. */
  readonly twins: readonly [Place, Place] = [twin(0), twin(1)];
  readonly spare: readonly [Course, Course, Course];
  /** Everything that anyone may type. */
  readonly emails = new Set<string>();
  readonly sisIds = new Set<string>();
  /** People and courses that are not as in the report any more. */
  readonly touched = new Set<number>();
  readonly touchedCourses = new Set<number>();
  /** People who are not in the LMS any more. */
  readonly erased = new Set<number>();
  #created = 0;
  readonly #number = days++;

  constructor(deletable: Course) {
    this.spare = [campus.courseForRows(2, ACCOUNT), campus.courseForRows(3, ACCOUNT), deletable];
    const first = this.#number * CROWD;
    this.people = campus.strangers(2_000, []).slice(first, first + CROWD);
    expect(this.people).toHaveLength(CROWD);
    for (const one of this.people) this.typed(one);
  }

  static async begin(): Promise<Day> {
    const name = `Deletable ${days}`;
    const course = { name, sis_course_id: `DAY-${days}` };
    const { id } = await inLms(`accounts/${ACCOUNT}/courses`, 'POST', { course, offer: true });
    return new Day({ id: Number(id), sis: course.sis_course_id, name });
  }

  typed({ email, sis }: { email?: string; sis?: string }): void {
    if (email) this.emails.add(email);
    if (sis) this.sisIds.add(sis);
  }

  /** A name, an address and an SIS ID that no one has had. */
  fresh() {
    const part = `d${this.#number}-${++this.#created}`;
    const one = {
      name: `Zoë ${part}`,
      email: `${part}@northbridge.example`,
      sis: `97${this.#number}0${this.#created}`,
    };
    this.typed(one);
    return one;
  }

  /** Also people created since, and anyone who has one of the texts. */
  everyone(): number[] {
    const holders = [...world().pseudonyms.values()].filter(
      (one) => this.emails.has(one.unique_id) || this.sisIds.has(one.sis_user_id ?? ''),
    );
    return [...new Set([...this.people.map(({ id }) => id), ...holders.map((one) => one.user_id)])];
  }

  /** People who are in the LMS, as they are now. */
  at(index: number): Person {
    const there = this.people.filter(({ id }) => !this.erased.has(id));
    return campus.person(there[index % there.length]?.id ?? 0);
  }
}
interface Course {
  id: number;
  sis: string;
  name: string;
}
interface Place extends Course {
  section: { id: number; course_id: number };
}

function twin(at: number): Place {
  const course = campus.courseForRows(at, ACCOUNT);
  return { ...course, section: campus.defaultSection(course.id) };
}

const loginOf = ({ id }: Pick<Person, 'id'>) => {
  const login = world().pseudonyms.by.user.get(id);
  for (const one of login) if (one.workflow_state !== 'deleted') return one;
  throw new Error(`person ${id} has no login`);
};

/** Gives a person another login, and the same email address. */
function giveLogin(person: Pick<Person, 'id'>, unique_id: string): void {
  const { pseudonyms, channels } = world();
  pseudonyms.change(loginOf(person), { unique_id });
  for (const one of channels.by.user.get(person.id)) channels.change(one, { path: unique_id });
}

async function inLms(path: string, method: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await campus.api(path, { method, ...(body === undefined ? {} : { body }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Sends a file as an administrator does. */
async function sendFile(browser: Browser, csv: string): Promise<void> {
  const { id } = await uploaded(browser, csv);
  const { brake } = await effectOf(browser, id);
  const sent = await submitted(browser, {
    file: id,
    ...(brake.confirm === null ? {} : { deletions: brake.confirm }),
  });
  expect((await watch(browser, sent.id)).verdict).toBe('done');
}

type Changing = (day: Day, one: Person, other: Person, browser: Browser) => Promise<void> | void;
const touches =
  (change: Changing): Changing =>
  (day, one, other, browser) => {
    for (const { id } of [one, other]) day.touched.add(id);
    return change(day, one, other, browser);
  };

/** What may happen during a day. */
const CHANGES = {
  nothing() {},
  // By LMS Admin itself.
  async createdHere(day, _one, _other, browser) {
    const { name, email, sis } = day.fresh();
    const header =
      'user_id,integration_id,login_id,first_name,last_name,sortable_name,short_name,email,status';
    const row = [sis, sis, email, 'Zoë', 'New', 'New, Zoë', name, email, 'active'];
    const created = await submitted(browser, [header.split(','), row]);
    expect((await watch(browser, created.id)).verdict).toBe('done');
  },
  fileOfLogins: touches(async (day, one, other, browser) => {
    const [first, second] = [day.fresh(), day.fresh()];
    await sendFile(
      browser,
      `user_id,login_id,full_name,email,status\n${one.sis},${first.email},${first.name},${first.email},active\n${other.sis},${second.email},${second.name},${second.email},active\n`,
    );
  }),
  fileOfDeleted: touches(async (day, one, _other, browser) => {
    await sendFile(browser, `user_id,login_id,full_name,status\n${one.sis},${one.email},Gone,deleted\n`);
    day.erased.add(one.id);
  }),
  async fileOfCourses(day, _one, _other, browser) {
    const [course] = day.spare;
    day.touchedCourses.add(course.id);
    await sendFile(
      browser,
      `course_id,short_name,long_name,status\n${course.sis},D,Renamed by a file ${day.fresh().sis},active\n`,
    );
  },
  // In the LMS itself.
  changedAddress: touches((day, one) => giveLogin(one, day.fresh().email)),
  swappedAddresses: touches((_day, one, other) => {
    giveLogin(one, `between-${one.email}`);
    giveLogin(other, one.email);
    giveLogin(one, other.email);
  }),
  swappedSisIds: touches((_day, one, other) => campus.swapSisIds(one, other)),
  async renamedPerson(day, one) {
    day.touched.add(one.id);
    await inLms(`users/${one.id}`, 'PUT', { user: { name: day.fresh().name } });
  },
  deletedPerson: touches(async (day, one) => {
    await inLms(`accounts/1/users/${one.id}`, 'DELETE');
    day.erased.add(one.id);
  }),
  mergedPerson: touches((day, one, other) => {
    const { pseudonyms, users, enrollments } = world();
    const logins = [...pseudonyms.by.user.get(one.id)];
    for (const login of logins) pseudonyms.change(login, { user_id: other.id });
    for (const place of enrollments.by.user.get(one.id))
      enrollments.change(place, { workflow_state: 'deleted' });
    users.change(users.must(one.id), { workflow_state: 'deleted' });
    day.erased.add(one.id);
  }),
  async newPerson(day) {
    const { name, email, sis } = day.fresh();
    await inLms('accounts/1/users', 'POST', {
      user: { name },
      pseudonym: { unique_id: email, sis_user_id: sis, send_confirmation: false },
    });
  },
  sameAddress: touches((_day, one, other) => {
    world().pseudonyms.add({
      ...loginOf(other),
      id: undefined,
      unique_id: one.email.toUpperCase(),
      sis_user_id: null,
      integration_id: null,
    });
  }),
  async renamedCourse(day) {
    const [, course] = day.spare;
    day.touchedCourses.add(course.id);
    await inLms(`courses/${course.id}`, 'PUT', { course: { name: `Renamed ${day.fresh().sis}` } });
  },
  async deletedCourse(day) {
    const [, , course] = day.spare;
    day.touchedCourses.add(course.id);
    if (world().courses.must(course.id).workflow_state !== 'deleted')
      await inLms(`courses/${course.id}?event=delete`, 'DELETE');
  },
  async movedSection(day) {
    const [from, to] = day.spare;
    const { id } = await campus.newSection(from.id, `Moved ${day.fresh().sis}`);
    await inLms(`sections/${id}/crosslist/${to.id}`, 'POST');
  },
} satisfies Record<string, Changing>;
type Change = keyof typeof CHANGES;

interface Step {
  change: Change;
  who: number;
  /** Minutes since the previous step. */
  minutes: number;
  /** Whether the change happens before a plan is reviewed, between its review and its submission, or without a plan. */
  plan: 'after' | 'around' | 'none';
  tool: 'course' | 'section';
  status: 'active' | 'deleted';
}

const step = fc.record<Step>({
  change: fc.constantFrom(...(Object.keys(CHANGES) as Change[])),
  who: fc.nat(CROWD - 1),
  minutes: fc.integer({ min: 1, max: 120 }),
  plan: fc.constantFrom('after' as const, 'around' as const, 'none' as const),
  tool: fc.constantFrom('course' as const, 'section' as const),
  status: fc.constantFrom('active' as const, 'active' as const, 'deleted' as const),
});
const stepOf = (change: Change, who = 0, plan: Step['plan'] = 'none', more: Partial<Step> = {}): Step => ({
  change,
  who,
  minutes: 30,
  plan,
  tool: 'course',
  status: 'active',
  ...more,
});
/** Everything at least once, and with a plan around it if it can change whom a text refers to. */
const EXAMPLES: Step[][] = [
  [
    stepOf('swappedAddresses', 0, 'around'),
    stepOf('changedAddress', 2),
    stepOf('sameAddress', 3, 'after'),
    stepOf('renamedCourse'),
    stepOf('deletedPerson', 6, 'around', { tool: 'section' }),
    stepOf('movedSection'),
    stepOf('createdHere', 0, 'after'),
    stepOf('fileOfLogins', 4, 'around', { status: 'deleted' }),
  ],
  [
    stepOf('newPerson'),
    stepOf('mergedPerson', 0, 'around', { tool: 'section' }),
    stepOf('renamedPerson', 2),
    stepOf('fileOfCourses'),
    stepOf('swappedSisIds', 4, 'around', { tool: 'section' }),
    stepOf('deletedCourse'),
    stepOf('fileOfDeleted', 5, 'around', { status: 'deleted' }),
  ],
];

/** Found people are cached for this long. */
const CACHED_MS = 5 * MINUTE_MS;

/** Browsers for the time after the cache has expired: a session does not last all day. */
async function signedIn(): Promise<[withCopy: Browser, without: Browser]> {
  // The cache has a clock that cannot be turned.
  ts.server.services.people.forgetFound();
  plain.server.services.people.forgetFound();
  return Promise.all([ts.signIn(PEOPLE.all), plain.signIn(PEOPLE.all)]);
}

type PersonLine = Extract<PeopleLine, { asked: string }>;
async function lookUp(day: Day, browser: Browser): Promise<{ hints: PersonLine[]; last: PersonLine[] }> {
  const [emails, sis_ids] = [[...day.emails], [...day.sisIds]];
  const response = await browser.post(ENDPOINTS.peopleLookup, {
    emails,
    logins: emails,
    sis_ids,
    copied: true,
  });
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => peopleLine.parse(JSON.parse(line)));
  expect(lines.at(-1)).toEqual({ done: true });
  const people = lines.flatMap((line) => ('asked' in line ? line : []));
  const keyOf = ({ by, asked }: PersonLine) => `${by} ${asked}`;
  return {
    hints: people.filter((line) => line.as_of !== undefined),
    last: people
      .filter((line) => line.as_of === undefined)
      .toSorted((a, b) => keyOf(a).localeCompare(keyOf(b))),
  };
}

const named = async (text: string, browser: Browser) => {
  const response = await browser.fetch(`${ENDPOINTS.directoryPeople}?text=${encodeURIComponent(text)}`);
  return foundNames.parse((await response.json()).data);
};

/** A person with one login as a search by name shows them. */
function shownOf({ id }: Pick<Person, 'id'>) {
  const { unique_id: login_id, sis_user_id } = loginOf({ id });
  return { id, name: world().users.must(id).name, login_id, sis_user_id, created_at: null };
}

async function coursesInCopy(browser: Browser): Promise<CopiedCourses['courses']> {
  const response = await browser.post(ENDPOINTS.directoryCourses, { account: ACCOUNT });
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => copiedCourses.parse(JSON.parse(line)).courses);
}

/** What the course picker reads from the LMS, without concluded courses. */
async function coursesInLms(browser: Browser): Promise<CopiedCourses['courses']> {
  const url = lmsUrl('courses', { account: String(ACCOUNT) }, [
    ['per_page', '100'],
    ['include[]', 'term'],
  ]);
  const lines = (await (await browser.post(ENDPOINTS.invokePages, { url, type: 'GET' })).text())
    .trim()
    .split('\n');
  return lines
    .flatMap((line) => (JSON.parse(line) as { data?: CopiedCourses['courses'] }).data ?? [])
    .filter(({ id }) => world().courses.get(id)?.workflow_state !== 'completed')
    .map(({ id, name, sis_course_id, enrollment_term_id }) => ({
      id,
      name,
      sis_course_id,
      enrollment_term_id,
    }))
    .toSorted((a, b) => a.id - b.id);
}

/** Every lookup gives what the LMS says; what is shown first is from the report, and wrong only for what has changed since. */
async function agree(
  day: Day,
  [withCopy, without]: readonly Browser[],
  is: 'used' | 'unused' = 'used',
): Promise<void> {
  if (!withCopy || !without) throw new Error('no browser');
  const [found, right] = await Promise.all([lookUp(day, withCopy), lookUp(day, without)]);
  expect(found.last).toEqual(right.last);
  expect(right.hints).toEqual([]);
  seen.hints += found.hints.length;
  const truth = new Map(right.last.map((line) => [`${line.by} ${line.asked}`, line]));
  for (const { as_of: _asOf, ...hint } of found.hints) {
    if (day.touched.has(hint.person?.id ?? 0)) continue;
    const { created_at: _created, ...person } = truth.get(`${hint.by} ${hint.asked}`)?.person ?? {};
    expect({ ...hint, person: { ...hint.person } }).toEqual({
      by: hint.by,
      asked: hint.asked,
      result: 'found',
      person,
    });
  }
  for (const one of day.people) {
    const { as_of: asOf, people } = await named(campus.person(one.id).sis || one.sis, withCopy);
    expect(asOf !== null).toBe(is === 'used');
    const isSame =
      !day.touched.has(one.id) && !day.erased.has(one.id) && world().loginsOf(one.id).length === 1;
    if (isSame) expect(people).toEqual(is === 'used' ? [shownOf(one)] : []);
  }
  const courses = await coursesInCopy(withCopy);
  if (is === 'unused') {
    expect([found.hints, courses]).toEqual([[], []]);
    return;
  }
  const isSame = ({ id }: { id: number }) => !day.touchedCourses.has(id);
  expect(courses.filter(isSame)).toEqual((await coursesInLms(without)).filter(isSame));
}

/** Directly after a report, the copy is as the LMS, and has no trace of those who are not there any more. */
async function agreeCompletely(day: Day): Promise<void> {
  day.touched.clear();
  day.touchedCourses.clear();
  const browsers = await signedIn();
  await agree(day, browsers);
  const erased = [...day.erased];
  for (const [table, column] of [
    [directoryUsers, directoryUsers.id],
    [directoryLogins, directoryLogins.userId],
  ] as const)
    expect(await db().select().from(table).where(inArray(column, erased))).toEqual([]);
  expect((await db().$count(directoryUsersNew)) + (await db().$count(directoryLoginsNew))).toBe(0);
  for (const one of day.people) {
    const logins = day.erased.has(one.id) ? [] : world().loginsOf(one.id);
    const [login] = logins;
    const rows = await db()
      .select()
      .from(directoryLogins)
      .where(inArray(directoryLogins.userId, [one.id]));
    expect(new Set(rows.map((row) => JSON.stringify([row.login, row.sisId])))).toEqual(
      new Set(logins.map((row) => JSON.stringify([row.unique_id, row.sis_user_id]))),
    );
    expect(rows).toHaveLength(logins.length);
    const sisId = login?.sis_user_id ?? one.sis;
    const { people } = await named(sisId, browsers[0]);
    // Of several logins, the LMS decides which one it shows.
    expect(people.filter(({ id }) => id === one.id)).toEqual(logins.length === 1 ? [shownOf(one)] : []);
  }
  const places = day.spare.map(({ id }) => id);
  const sections = await db()
    .select()
    .from(directorySections)
    .where(inArray(directorySections.courseId, places));
  const live = places.filter((id) => world().courses.must(id).workflow_state !== 'deleted');
  const inLmsNow = live.flatMap((id) =>
    [...world().sections.by.course.get(id)].filter((one) => one.workflow_state !== 'deleted'),
  );
  const byId = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ id, name })).toSorted((a, b) => a.id - b.id);
  expect(byId(sections)).toEqual(byId(inLmsNow));
  const copied = await db().select().from(directoryCourses).where(inArray(directoryCourses.id, places));
  expect(copied.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(live.toSorted((a, b) => a - b));
}

/** A plan on each server, for one of the twins. What the one with the directory skips comes with the next. */
async function planBoth(
  day: Day,
  { tool, status, who }: Step,
  [withCopy, without]: readonly Browser[],
  between: () => Promise<unknown>,
): Promise<void> {
  if (!withCopy || !without) throw new Error('no browser');
  // Half of the texts: if two people swap theirs, a different person has to be enrolled.
  const half = (texts: Iterable<string>) => [...texts].filter((_, at) => at % 2 === who % 2);
  const [emails, users] = [half(day.emails), half(day.sisIds)];
  const review = (browser: Browser, at: 0 | 1) => {
    const { id: course, section } = day.twins[at];
    const of = { role_id: ROLE, status };
    return tool === 'course'
      ? makePlan(browser, { ...of, courses: [course], emails })
      : makeSectionPlan(browser, [{ ...of, course, section: section.id, users }]);
  };
  const states = (at: 0 | 1) =>
    new Map(day.everyone().map((id) => [id, campus.stateOf(id, day.twins[at].section.id, ROLE)]));
  const reviewed = await review(withCopy, 0);
  seen.known += reviewed.copied?.count ?? 0;
  await between();
  const before = states(0);
  const said = await resultOf(withCopy, reviewed);
  const correct = await review(without, 1);
  expect(correct.copied).toBeNull();
  await resultOf(without, correct);
  const [first, right] = [states(0), states(1)];
  for (const [id, state] of first) expect([before.get(id) ?? 'deleted', right.get(id)]).toContain(state);
  if (said.includes('was skipped')) seen.skipped++;
  const late = [...first].flatMap(([id, state]) => (right.get(id) === state ? [] : id));
  for (const id of late) expect(day.touched).toContain(id);
  clock.ahead += CACHED_MS;
  const [later] = await signedIn();
  await resultOf(later, await review(later, 0));
  expect(states(0)).toEqual(states(1));
}

test('OP-45 OP-50 days: every lookup agrees with the LMS', async () => {
  const { directory, jobs } = ts.server.services;
  const day = fc.array(step, { minLength: 6, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(day, async (steps) => {
      const today = await Day.begin();
      // 02:10 in the zone of the school. The first copy of all is read at any time.
      const { next_at: nextAt } = await ts.status();
      clock.ahead += (nextAt ?? 0) - now() + MINUTE_MS;
      await directory.refreshWhenDue(jobs);
      expect(await ts.ended()).toMatchObject({ outcome: 'done' });
      const { as_of: asOf } = await ts.status();
      expect(Math.abs((asOf ?? 0) - now())).toBeLessThan(5 * MINUTE_MS);
      await agreeCompletely(today);
      for (const one of steps) {
        clock.ahead += one.minutes * MINUTE_MS;
        const browsers = await signedIn();
        const change = async () =>
          CHANGES[one.change](today, today.at(one.who), today.at(one.who + 1), browsers[0]);
        if (one.plan !== 'around') await change();
        if (one.plan !== 'none')
          await planBoth(today, one, browsers, one.plan === 'around' ? change : async () => {});
        clock.ahead += CACHED_MS;
        await agree(today, await signedIn());
      }
      expect((await ts.status()).as_of).toBe(asOf);
      // The next two nights, the LMS does not create a report.
      await campus.fault({ match: REPORTS, method: 'POST', kind: 'status', status: 403 });
      clock.ahead += (asOf ?? 0) + 26 * HOUR_MS + MINUTE_MS - now();
      const later = await signedIn();
      await planBoth(today, stepOf('nothing'), later, async () => {});
      const hints = seen.hints;
      await agree(today, await signedIn());
      expect(seen.hints).toBe(hints);
      clock.ahead += (asOf ?? 0) + 72 * HOUR_MS + MINUTE_MS - now();
      await agree(today, await signedIn(), 'unused');
      await ts.ended();
      await campus.clearFaults();
      expect(await ts.refreshed()).toMatchObject({ outcome: 'done' });
      await agreeCompletely(today);
    }),
    { numRuns: DAYS + EXAMPLES.length, seed: 1, endOnFailure: true, examples: EXAMPLES.map((one) => [one]) },
  );
  // Otherwise nothing would have been compared.
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
}, 1_200_000);
