/**
 * Work whose speed is limited by the LMS: looking up people (one by one, and in the LMS's list), listing courses,
 * planning.
 */
import { CanvasApi } from '@kth/canvas-api';
import type { PeopleLine } from '@lms-admin/contract/people';
import { Bench, type Figure, median, seconds, timed, times } from './support.ts';

const LATENCY = 100;
const IN_FLIGHT = 11;

interface User {
  login_id?: string;
  sis_user_id: string | null;
}
interface Course {
  id: number;
  sis_course_id: string | null;
}

async function people(bench: Bench, count: number): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; found.length < count; page += 1) {
    const users = await bench.lms<User[]>(`/api/v1/accounts/1/users?per_page=100&page=${page}`);
    if (users.length === 0) break;
    for (const user of users) if (user.login_id && user.sis_user_id) found.push(user.login_id);
  }
  return found.slice(0, count);
}

async function courses(bench: Bench, account: number, count: number): Promise<number[]> {
  const found: number[] = [];
  for (let page = 1; found.length < count; page += 1) {
    const list = await bench.lms<Course[]>(`/api/v1/accounts/${account}/courses?per_page=100&page=${page}`);
    if (list.length === 0) break;
    for (const course of list) if (course.sis_course_id) found.push(course.id);
  }
  return found.slice(0, count);
}

/** Measures the time to look up people by address, and counts the calls that it took. */
async function lookUp(bench: Bench, emails: readonly string[]) {
  await bench.requests();
  let found = 0;
  let ended = 0;
  for await (const { ms, line } of bench.lines<PeopleLine>('/api/people/lookup', { emails })) {
    if ('error' in line) throw new Error(line.error.message);
    if ('result' in line && line.result === 'found') found += 1;
    ended = ms;
  }
  return { ms: ended, found, log: await bench.requests() };
}

/** Makes the LMS reject its list of everyone until the next change of latency, so that people are looked up one by one. */
async function withoutList(bench: Bench): Promise<void> {
  const fault = { match: '/api/v1/accounts/1/users?include*&page=*', kind: 'status', status: 404 };
  await fetch(`${bench.campus.lms}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
}

const LISTED = 10_000;
const ROUNDS = 3;

/**
 * Measures 10,000 addresses in a school with 60,000 people: one by one, in the LMS's list, and the minimum
 * time for the list.
 */
export async function listed(): Promise<Figure> {
  const bench = await Bench.open({ SANDBOX_SIZE: 'large' });
  try {
    const all = await people(bench, 100_000);
    const pages = Math.ceil(all.length / 100);
    // Different people from the whole list in each round, because LMS Admin remembers people whom it has found.
    const rounds = Array.from({ length: ROUNDS }, (_, round) =>
      all.filter((_, at) => at % (ROUNDS + 1) === round).slice(0, LISTED),
    );
    const sample = all.filter((_, at) => at % (ROUNDS + 1) === ROUNDS).slice(0, 1_000);
    await bench.latency(LATENCY);
    const read: Awaited<ReturnType<typeof lookUp>>[] = [];
    for (const emails of rounds) read.push(await lookUp(bench, emails));
    await withoutList(bench);
    const single = await lookUp(bench, sample);
    await bench.latency(0);
    const limit = (pages * LATENCY) / IN_FLIGHT;
    const ms = median(read.map((one) => one.ms));
    const singlyMs = (single.ms / sample.length) * LISTED;
    return {
      work: `${LISTED.toLocaleString('en')} addresses among ${all.length.toLocaleString('en')} people at 100 ms`,
      reached: `${times(ms / limit)} of ${pages} pages ÷ 11 (${read.map((one) => seconds(one.ms)).join(', ')}); ${times(singlyMs / ms)} faster than lookups (${seconds(singlyMs)})`,
      target: 'within 1.2× of the pages',
      met: ms / limit <= 1.2 && read.every(({ found }) => found === LISTED),
      note: `${read.map(({ log }) => log.total).join(', ')} calls; lookups measured on ${sample.length} in ${single.log.total} calls and scaled`,
    };
  } finally {
    await bench.close();
  }
}

/** Requests a review of students who are to be added. */
const makePlan = (bench: Bench, emails: string[], courseIds: number[]) =>
  bench.plan({ role_id: 3, status: 'active', courses: courseIds, emails });

/** Measures 1,000 emails resolved, and a plan of 1,000 known people in 100 courses. */
export async function lookups(): Promise<Figure[]> {
  const bench = await Bench.open();
  try {
    const emails = await people(bench, 1_000);
    const courseIds = await courses(bench, 1, 100);
    await bench.latency(LATENCY);
    await withoutList(bench);
    const { log, ...resolved } = await lookUp(bench, emails);
    const limit = (log.total * LATENCY) / IN_FLIGHT;

    const sample = emails.slice(0, 60);
    const script = new CanvasApi(`${bench.campus.lms}/api/v1`, 'sandbox-admin-token', {
      disableThrottling: true,
    });
    const oneByOne = await timed(async () => {
      for (const email of sample) await script.get('accounts/1/users', { search_term: email });
    });
    const scriptMs = (oneByOne.ms / sample.length) * 1_000;

    await bench.requests();
    const planned = await makePlan(bench, emails, courseIds);
    const planLog = await bench.requests();
    await bench.latency(0);
    const planLimit = (planLog.total * LATENCY) / IN_FLIGHT;
    return [
      {
        work: 'look up 1,000 email addresses one by one at 100 ms',
        reached: `${times(resolved.ms / limit)} of ${log.total} calls ÷ 11 (${seconds(resolved.ms)}); ${times(scriptMs / resolved.ms)} faster than the script`,
        target: 'within 1.2× of the limit; 8× faster',
        met: resolved.ms / limit <= 1.2 && scriptMs / resolved.ms >= 8,
        note: `${resolved.found} found; script measured on ${sample.length} and scaled`,
      },
      {
        work: 'calls that were throttled',
        reached: `${log.throttled} of ${log.total}; at most ${log.highWater} at once`,
        target: 'under 1 in 200',
        met: log.throttled * 200 < log.total,
      },
      {
        work: 'plan for 1,000 people × 100 courses, with people already looked up',
        reached: `${times(planned.ms / planLimit)} of ${planLog.total} calls ÷ 11 (${seconds(planned.ms)})`,
        target: 'within 1.5×',
        met: planned.ms / planLimit <= 1.5,
        note: `${planned.plan.totals.rows} rows`,
      },
    ];
  } finally {
    await bench.close();
  }
}

/** Measures 500 people looked up by SIS ID, as Section Enrollment does while IDs are pasted. */
export async function sisIds(): Promise<Figure> {
  const bench = await Bench.open();
  const count = 500;
  try {
    const ids: string[] = [];
    for (let page = 1; ids.length < count; page += 1) {
      const users = await bench.lms<User[]>(`/api/v1/accounts/1/users?per_page=100&page=${page}`);
      if (users.length === 0) break;
      for (const user of users) if (user.sis_user_id && ids.length < count) ids.push(user.sis_user_id);
    }
    await bench.latency(LATENCY);
    await withoutList(bench);
    await bench.requests();
    let found = 0;
    let ended = 0;
    for await (const { ms, line } of bench.lines<PeopleLine>('/api/people/lookup', { sis_ids: ids })) {
      if ('error' in line) throw new Error(line.error.message);
      if ('result' in line && line.result === 'found') found += 1;
      ended = ms;
    }
    const log = await bench.requests();
    await bench.latency(0);
    const limit = (ids.length * LATENCY) / IN_FLIGHT;
    return {
      work: `${ids.length} SIS IDs looked up at 100 ms`,
      reached: `${times(ended / limit)} of the limit (${seconds(ended)})`,
      target: 'within 1.2×',
      met: found === count && ended / limit <= 1.2,
      note: `${found} found; ${log.throttled} of ${log.total} calls throttled, at most ${log.highWater} at once`,
    };
  } finally {
    await bench.close();
  }
}

/** Measures the courses of a programme with 5,000 courses: the first ones, and all of them. */
export async function courseList(): Promise<Figure[]> {
  const bench = await Bench.open({ SANDBOX_SIZE: 'large' });
  try {
    const account = await largestAccount(bench);
    await bench.latency(LATENCY);
    const call = { type: 'GET', url: `accounts/${account}/courses?per_page=100&page=1&include[]=term` };
    // Warm-up: connections, the account tree, the length of the list. Runs twice, because the first reading requests pages
    // beyond the end of the list by guessing, and these occupy connections for an extra round trip.
    await drain(bench, call);
    await drain(bench, call);
    await bench.requests();
    let firstMs = 0;
    let allMs = 0;
    let count = 0;
    for await (const { ms, line } of bench.lines<{ data?: unknown[]; done?: true }>(
      '/api/auth/invoke/pages',
      call,
    )) {
      if (line.data && firstMs === 0) firstMs = ms;
      count += line.data?.length ?? 0;
      allMs = ms;
    }
    const log = await bench.requests();
    await bench.latency(0);
    const limit = (Math.ceil(count / 100) * LATENCY) / IN_FLIGHT;
    return [
      {
        work: `first of ${count} courses visible`,
        reached: `${times(firstMs / LATENCY)} of one round trip (${Math.round(firstMs)} ms)`,
        target: 'within 1.5×',
        met: firstMs / LATENCY <= 1.5,
      },
      {
        work: `all of ${count} courses`,
        reached: `${times(allMs / limit)} of ${Math.ceil(count / 100)} pages ÷ 11 (${seconds(allMs)})`,
        target: 'within 1.5×',
        met: allMs / limit <= 1.5,
        note: `${log.total} calls, at most ${log.highWater} at once`,
      },
    ];
  } finally {
    await bench.close();
  }
}

async function largestAccount(bench: Bench): Promise<number> {
  const accounts = await bench.lms<{ id: number; course_count: number }[]>(
    '/api/v1/accounts/1/sub_accounts?per_page=100&include[]=course_count',
  );
  const [largest] = accounts.sort((a, b) => b.course_count - a.course_count);
  if (!largest) throw new Error('no programme');
  return largest.id;
}

async function drain(bench: Bench, call: unknown): Promise<void> {
  for await (const _ of bench.lines('/api/auth/invoke/pages', call));
}
