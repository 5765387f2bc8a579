/** Looking up many people in the LMS's list of everyone instead of one by one, over HTTP (OP-45, OP-50). */
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type PeopleRequest, peopleLine } from '@lms-admin/contract/people';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askPlan, Campus, type Person } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

/** Active people with an SIS ID who are still in the LMS. */
const PEOPLE_LEFT = 900;
const MANY = 230;
/** A page of the list of everyone. Lookups do not request pages. */
const PAGE = '/api/v1/accounts/1/users?include*&page=*';

let test: TestServer;
let campus: Campus;
let all: Browser;
let people: Person[];

beforeAll(async () => {
  test = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(test.sandbox);
  all = await test.signIn(PEOPLE.all);
  const { users } = test.sandbox.world;
  for (const { id } of campus.strangers(10_000, []).slice(PEOPLE_LEFT))
    users.change(users.must(id), { workflow_state: 'deleted' });
  people = campus.strangers(PEOPLE_LEFT, []);
});
afterAll(() => test.close());
beforeEach(async () => {
  test.server.services.people.forgetAll();
  await campus.clearFaults();
  await campus.forgetRequests();
});

const emailsOf = (some: readonly Person[]) => some.map(({ email }) => email);
const isPage = (path: string) => path.startsWith('/api/v1/accounts/1/users?include') && /&page=\d/.test(path);
const pagesRead = () => campus.requests(({ path }) => isPage(path));
const lookups = () =>
  campus.requests(({ path }) => /search_term|\/users\/\d|sis_(?:user|login)_id/.test(path));

/** Returns the answer for each text, and how the response ended. */
async function lookUp(request: PeopleRequest, browser = all, signal?: AbortSignal) {
  const response = await browser.post(ENDPOINTS.peopleLookup, request, signal && { signal });
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => peopleLine.parse(JSON.parse(line)));
  const said = new Map(lines.flatMap((line) => ('result' in line ? [[line.asked, line]] : [])));
  return { said, last: lines.at(-1) };
}

/** Reads the same answers from lookups alone, because the LMS does not return its list. */
async function lookUpSingly(request: PeopleRequest, browser = all) {
  test.server.services.people.forgetAll();
  await campus.fault({ match: PAGE, kind: 'status', status: 404 });
  const answer = await lookUp(request, browser);
  await campus.clearFaults();
  test.server.services.people.forgetAll();
  return answer;
}

/** Runs the work, and changes the LMS at each requested page of the list. */
async function whilePagesCome<T>(onPage: (count: number) => void, work: () => Promise<T>): Promise<T> {
  let count = 0;
  const requests = channel('http.server.request.start');
  const listener = (message: unknown) => {
    if (isPage((message as { request: IncomingMessage }).request.url ?? '')) onPage(++count);
  };
  requests.subscribe(listener);
  try {
    return await work();
  } finally {
    requests.unsubscribe(listener);
  }
}

const loginOf = (id: number) => {
  const [login] = test.sandbox.world.pseudonyms.by.user.get(id);
  if (!login) throw new Error(`person ${id} has no login`);
  return login;
};
/** Changes a person's login, and their email address with it. */
function giveLogin({ id }: Person, unique_id: string): void {
  const { pseudonyms, channels } = test.sandbox.world;
  pseudonyms.change(loginOf(id), { unique_id });
  for (const one of channels.by.user.get(id)) channels.change(one, { path: unique_id });
}

const newcomers: number[] = [];
/** Adds a person who is not looked up. */
function newcomer(name: string): void {
  const { users, pseudonyms } = test.sandbox.world;
  const { id: _id, ...like } = users.must(people[0]?.id ?? 0);
  const { id } = users.add({ ...like, name, sortable_name: name, short_name: name });
  const { id: _login, ...login } = loginOf(people[0]?.id ?? 0);
  pseudonyms.add({ ...login, user_id: id, unique_id: `new${id}@x.example`, sis_user_id: `NEW${id}` });
  newcomers.push(id);
}
function removeNewcomers(count: number): void {
  const { users } = test.sandbox.world;
  for (const id of newcomers.splice(0, count)) users.change(users.must(id), { workflow_state: 'deleted' });
}

/** Lists people who are a special case for lookups, found or not. */
function oddPeople(some: readonly Person[]): string[] {
  const { pseudonyms, channels } = test.sandbox.world;
  const [shared, alsoShared, suspended, without, second, mail, accents, spaced, capital] = some as Person[];
  if (!shared || !alsoShared || !suspended || !without || !second || !mail || !accents || !spaced || !capital)
    throw new Error('too few people');
  giveLogin(shared, 'both@northbridge.example');
  giveLogin(alsoShared, 'BOTH@northbridge.example');
  pseudonyms.change(loginOf(suspended.id), {
    unique_id: 'away@northbridge.example',
    workflow_state: 'suspended',
  });
  pseudonyms.change(loginOf(without.id), { sis_user_id: null });
  const { id: _id, ...like } = loginOf(second.id);
  pseudonyms.add({ ...like, unique_id: 'second@northbridge.example', sis_user_id: null });
  for (const one of channels.by.user.get(mail.id))
    channels.change(one, { path: 'only.mail@northbridge.example' });
  giveLogin(accents, 'ju\u0308rgen@northbridge.example');
  giveLogin(spaced, ' spaced@northbridge.example');
  giveLogin(capital, 'Capital@northbridge.example');
  return [
    ...['both', 'away', 'second', 'only.mail', 'j\u00fcrgen', 'spaced', 'capital'].map(
      (name) => `${name}@northbridge.example`,
    ),
    ...emailsOf([without, mail]),
    'nobody@northbridge.example',
  ];
}

describe('looking up many people', () => {
  it('OP-45 OP-48 takes fewer calls, and gives each person the same answer as a lookup', async () => {
    const emails = [...emailsOf(people.slice(0, MANY)), ...oddPeople(people.slice(880, 889))];
    const bySearch = await lookUpSingly({ emails });
    await campus.forgetRequests();
    const listed = await lookUp({ emails });
    expect(listed.said).toEqual(bySearch.said);
    expect(new Set([...listed.said.values()].flatMap(({ why }) => why ?? []))).toEqual(
      new Set(['several', 'another-login', 'no-sis-id', 'mail-address']),
    );
    const calls = (await pagesRead()).length + (await lookups()).length;
    expect(calls).toBeLessThan(MANY / 2);
    await campus.forgetRequests();
    expect((await lookUp({ emails: emails.slice(0, MANY) })).said.size).toBe(MANY);
    expect([...(await pagesRead()), ...(await lookups())]).toEqual([]);
  });

  it('OP-50 when the list has been read before, no page past its end is requested, and people added since are found', async () => {
    const some = people.slice(260, 260 + MANY);
    await lookUp({ emails: emailsOf(some) });
    const users = [...test.sandbox.world.users.values()].filter((one) => one.workflow_state !== 'deleted');
    await campus.forgetRequests();
    const { said } = await lookUp({ sis_ids: some.map(({ sis }) => sis) });
    expect(some.map(({ sis }) => said.get(sis)?.result)).toEqual(some.map(() => 'found'));
    // Each page overlaps the previous one by an eighth, and the last pages by more.
    expect((await pagesRead()).length).toBeLessThanOrEqual(Math.ceil(((users.length / 100) * 8) / 7) + 2);
    for (let more = 0; more < 250; more++) newcomer(`Zz, After everyone ${more}`);
    const late = newcomers.slice(-250).map((id) => `NEW${id}`);
    test.server.services.people.forgetFound();
    await campus.forgetRequests();
    const grown = await lookUp({ sis_ids: late });
    expect(late.map((sis) => grown.said.get(sis)?.result)).toEqual(late.map(() => 'found'));
    // Reading continued past the former end of the list.
    expect((await lookups()).length).toBeLessThan(20);
    removeNewcomers(250);
  });

  it('OP-50 works the same by SIS ID, and in a plan, whose progress does not count anyone twice', async () => {
    const some = people.slice(20, 20 + MANY);
    const sis_ids = [...some.map(({ sis }) => sis), 'no-one', (some[0]?.sis ?? '').toLowerCase()];
    const singly = await lookUpSingly({ sis_ids });
    await campus.forgetRequests();
    expect((await lookUp({ sis_ids })).said).toEqual(singly.said);
    expect((await lookups()).length).toBeLessThan(20);
    test.server.services.people.forgetAll();
    const { id } = campus.course(0);
    const request = { role_id: 3, status: 'active', courses: [id], emails: emailsOf(some) } as const;
    const { plan, progress } = await askPlan(all, { ...request, courses: [id] });
    expect(plan?.people).toMatchObject({ asked: MANY, found: MANY });
    const counts = progress.filter(({ stage }) => stage === 'Looking up people').map(({ done }) => done);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(Math.max(0, ...counts)).toBeLessThanOrEqual(MANY);
  });

  it('OP-06 gives the same answers to an admin with a limited scope, and to one to whom the LMS does not show its list or logins', async () => {
    const custom = await test.signIn(PEOPLE.custom);
    const emails = [...emailsOf(people.slice(0, MANY)), 'nobody@northbridge.example'];
    const singly = await lookUpSingly({ emails }, custom);
    expect((await lookUp({ emails }, custom)).said).toEqual(singly.said);
    test.server.services.people.forgetAll();
    await campus.fault({ match: PAGE, kind: 'status', status: 403 });
    await campus.forgetRequests();
    expect((await lookUp({ emails }, custom)).said).toEqual(singly.said);
    expect((await pagesRead()).length).toBeLessThanOrEqual(2);
    test.server.services.people.forgetFound();
    await campus.forgetRequests();
    await lookUp({ emails }, custom);
    expect(await pagesRead()).toEqual([]);
  });
});

describe('a failure while the list is read', () => {
  /** A server whose administrators use their own tokens. */
  let own: TestServer;
  beforeAll(async () => {
    own = await startTestServer({ lms: test.sandbox, serviceToken: false });
  });
  afterAll(() => own.close());

  it.each([
    { kind: 'status', status: 500 },
    { kind: 'drop', when: 'before' },
    { kind: 'drop', when: 'body' },
    { kind: 'throttle', count: 4 },
  ])('OP-48 $kind $status $when: everyone is found by lookups', async (fault) => {
    await campus.fault({ match: PAGE, spares: 5, ...fault });
    const some = people.slice(300, 300 + MANY);
    const { said, last } = await lookUp({ emails: emailsOf(some) });
    expect(last).toEqual({ done: true });
    expect(some.map(({ email }) => said.get(email)?.person?.sis_user_id)).toEqual(some.map(({ sis }) => sis));
  });

  it('OP-09 if the LMS stops accepting a token, the lookups end, with the reason last', async () => {
    const browser = await own.signIn(PEOPLE.all);
    await campus.fault({ match: PAGE, kind: 'revoke-token', spares: 4, count: 1 });
    const { last } = await lookUp({ emails: emailsOf(people.slice(0, MANY)) }, browser);
    expect(last).toMatchObject({ error: { code: 'signed-out' } });
  });

  it('OP-50 reading ends when the reader leaves', async () => {
    const leave = new AbortController();
    for (let more = 0; more < 3_000; more++) newcomer(`Many ${more}`);
    await campus.fault({ match: PAGE, kind: 'latency', ms: 200 });
    const gone = whilePagesCome(
      (count) => {
        if (count === 3) leave.abort();
      },
      () => lookUp({ emails: emailsOf(people.slice(0, MANY)) }, all, leave.signal),
    );
    await expect(gone).rejects.toThrow();
    await expect.poll(() => test.server.services.canvas.stats().inFlight).toBe(0);
    await lookUp({ sis_ids: ['one-more'] });
    // Dropped calls may reach the LMS after the reader has left. The whole list is twice as long.
    expect((await pagesRead()).length).toBeLessThanOrEqual(2 * test.config.lms.maxInFlight);
    removeNewcomers(3_000);
  });
});

describe('a list that shifts while it is read', () => {
  const change = fc.record({
    at: fc.integer({ min: 1, max: 12 }),
    what: fc.constantFrom(
      'added',
      'many removed',
      'removed',
      'renamed',
      'other login',
      'other SIS ID',
      'suspended',
    ),
    who: fc.integer({ min: 0, max: PEOPLE_LEFT - 100 }),
    times: fc.integer({ min: 1, max: 30 }),
    first: fc.constantFrom('Aa', 'Mm', 'Zz'),
  });
  type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
  let serial = 0;

  function happen({ what, who, times, first }: Change, spared: ReadonlySet<number>): void {
    const { users, pseudonyms } = test.sandbox.world;
    if (what === 'added') {
      for (let one = 0; one < times; one++) newcomer(`${first}, New ${++serial}`);
      return;
    }
    if (what === 'many removed') return removeNewcomers(times);
    const { id } = people[who] as Person;
    serial++;
    if (spared.has(id)) return;
    const name = `${first}, Renamed ${serial}`;
    if (what === 'removed') users.change(users.must(id), { workflow_state: 'deleted' });
    else if (what === 'renamed') users.change(users.must(id), { name, sortable_name: name });
    else if (what === 'other login')
      pseudonyms.change(loginOf(id), { unique_id: `other${serial}@x.example` });
    else if (what === 'other SIS ID') pseudonyms.change(loginOf(id), { sis_user_id: `OTHER${serial}` });
    else pseudonyms.change(loginOf(id), { workflow_state: 'suspended' });
  }

  it('OP-45 finds all people with the same login: those who may have moved between two pages are looked up', async () => {
    for (let more = 0; more < 30; more++) newcomer(`Aa, Before everyone ${more}`);
    const [ones, others, singly] = [
      people.slice(0, 300),
      people.slice(300, 600),
      people.slice(600, 600 + MANY),
    ];
    for (const [at, one] of ones.entries()) {
      giveLogin(one, `two${at}@x.example`);
      giveLogin(others[at] as Person, `two${at}@x.example`);
    }
    const emails = emailsOf([...ones, ...singly].map(({ id }) => campus.person(id)));
    const { said } = await whilePagesCome(
      (count) => {
        if (count === 6) removeNewcomers(30);
      },
      () => lookUp({ emails }),
    );
    expect(emails.map((email) => said.get(email)?.why ?? said.get(email)?.result)).toEqual([
      ...ones.map(() => 'several'),
      ...singly.map(() => 'found'),
    ]);
    const single = new Set(emailsOf(singly).map(encodeURIComponent));
    const again = (await lookups()).filter(({ path }) => [...single].some((email) => path.includes(email)));
    expect(again).toEqual([]);
  });

  it('OP-45 OP-50 gives everyone the answer of a lookup before or after, and unchanged people the answer of both', async () => {
    const by = fc.constantFrom('emails', 'sis_ids');
    // Two people far apart in the list have the same login. If one is missed, the other seems to be the only one.
    const pairs = fc.uniqueArray(fc.integer({ min: 0, max: PEOPLE_LEFT - 1 }), {
      minLength: 20,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(by, fc.array(change, { maxLength: 30 }), pairs, async (kind, changes, places) => {
        const living = places.map((place) => people[place] as Person);
        for (const [at, one] of living.entries())
          giveLogin(one, `pair${Math.floor(at / 2)}.${++serial - (at % 2)}@x.example`);
        const spared = new Set(living.map(({ id }) => id));
        // People whose removal shifts the list.
        for (let one = 0; one < 30; one++) newcomer(`Aa, Before everyone ${++serial}`);
        const some = [...living, ...people.slice(100, 320)].map(({ id }) => campus.person(id));
        const asked = [
          ...new Set(some.map((one) => (kind === 'emails' ? one.email : one.sis)).filter(Boolean)),
        ];
        const request = kind === 'emails' ? { emails: asked } : { sis_ids: asked };
        const before = await lookUpSingly(request);
        const { said } = await whilePagesCome(
          (count) => {
            for (const one of changes) if (one.at === count) happen(one, spared);
          },
          () => lookUp(request),
        );
        const after = await lookUpSingly(request);
        for (const text of asked) {
          const line = said.get(text);
          expect([before.said.get(text), after.said.get(text)]).toContainEqual(line);
        }
      }),
      { numRuns: 3 },
    );
  });
});

describe('a list that needs more calls than the lookups', () => {
  it('OP-45 is not read to its end, and not requested again', async () => {
    for (let more = 0; more < 100 * MANY; more++) newcomer(`More ${more}`);
    const singly = people.slice(0, 40);
    const emails = [...emailsOf(singly), ...Array.from({ length: MANY }, (_, at) => `nobody${at}@x.example`)];
    await lookUp({ emails: emails.slice(0, MANY) });
    expect((await pagesRead()).length).toBe(2);
    test.server.services.people.forgetFound();
    await campus.forgetRequests();
    await lookUp({ emails: emails.slice(0, MANY) });
    expect(await pagesRead()).toEqual([]);
  });
});
