/** Zoom Creation and Zoom Event Run, limited by Zoom's calls per second and by the number of simultaneous calls to the LMS. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { JobDetail } from '@lms-admin/contract/jobs';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { ZOOM_CHANGE, type ZoomOwner, type ZoomOwners } from '@lms-admin/contract/zoom';
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import { Bench, type Figure, seconds, times } from './support.ts';

const LATENCY = 100;
/** Simultaneous calls to the LMS. */
const IN_FLIGHT = 11;
/** Calls a second that practice Zoom allows (it has a school's plan). */
const PER_SECOND = { Light: 80, Medium: 60 };
const DAY_MS = 86_400_000;
/** Milliseconds between two polls of a job. */
const LOOK_MS = 250;
/** The console's interval for a change. Polling ten jobs more often would cause most of the server's work. */
const CONSOLE_LOOK_MS = 2_000;
/** Events that are created together before the measurement starts. */
const AT_ONCE = 20;

interface Called {
  method: string;
  path: string;
  status: number | null;
}

/** Returns the calls to one system since the last reading, except those for signing in. */
async function called(bench: Bench, system: 'zoom' | 'canvas'): Promise<Called[]> {
  const path = `/sandbox/requests?system=${system}`;
  const { requests } = await bench.lms<{ requests: Called[] }>(path);
  await fetch(bench.campus.lms + path, { method: 'DELETE' });
  return requests.filter((one) => /^\/(api\/v1|zoom\/v2)\//.test(one.path));
}

const isMedium = ({ method, path }: Called) =>
  /^\/zoom\/v2\/users(\?|$)/.test(path) || (/\/meetings(\?|$)/.test(path) && method !== 'PATCH');

/**
 * Returns the minimum milliseconds for these calls, because of Zoom's limits per second or the number of
 * simultaneous calls to the LMS.
 */
function leastMs(zoom: readonly Called[], canvas: readonly Called[]): number {
  const medium = zoom.filter(isMedium).length;
  return Math.max(
    (medium * 1_000) / PER_SECOND.Medium,
    ((zoom.length - medium) * 1_000) / PER_SECOND.Light,
    (canvas.length * LATENCY) / IN_FLIGHT,
  );
}

async function slowed(bench: Bench): Promise<void> {
  await bench.latency(LATENCY);
  await fetch(`${bench.campus.lms}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ system: 'zoom', match: '/zoom/v2/*', kind: 'latency', ms: LATENCY }),
  });
  await called(bench, 'zoom');
  await called(bench, 'canvas');
}

/** Finds published courses of the school. */
async function courses(bench: Bench, count: number): Promise<number[]> {
  const list = await bench.lms<{ id: number; workflow_state: string }[]>(
    '/api/v1/accounts/86/courses?per_page=100',
  );
  const found = list.filter((one) => one.workflow_state === 'available').slice(0, count);
  if (found.length < count) throw new Error('the campus has too few courses');
  return found.map(({ id }) => id);
}

/** Creates calendar events of an hour each in a course, on the next days. @returns their IDs */
async function events(bench: Bench, course: number, count: number, days = 28): Promise<number[]> {
  const from = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS;
  const iso = (ms: number) => new Date(ms).toISOString();
  const made: number[] = [];
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, one) => at + one);
    const ids = await Promise.all(
      some.map(async (index) => {
        const start = from + (index % days) * DAY_MS + (index % 12) * 3_600_000;
        const calendar_event = {
          context_code: `course_${course}`,
          title: `Bench ${index}`,
          start_at: iso(start),
          end_at: iso(start + 3_600_000),
        };
        const { id } = await bench.lms<{ id: number }>('/api/v1/calendar_events', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ calendar_event }),
        });
        return id;
      }),
    );
    made.push(...ids);
  }
  return made;
}

/**
 * Returns possible hosts. All of them are allowed to host meetings here, because one in the practice Zoom is
 * not.
 */
async function owners(bench: Bench, count: number): Promise<ZoomOwner[]> {
  const answer = await bench.fetch(ENDPOINTS.zoomSchedulers);
  const { data } = (await answer.json()) as { data: ZoomOwners };
  if (data.owners.length < count) throw new Error('the practice Zoom has too few hosts');
  const found = data.owners.slice(0, count);
  for (const { email } of found)
    await fetch(`${bench.campus.lms}/sandbox/zoom/users/${email}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mayHost: true }),
    });
  return found;
}

/** Saves as the console does, after a preview, which is not measured. */
async function publish(
  bench: Bench,
  course: number,
  owner: ZoomOwner,
  ids: readonly number[],
  lookMs = CONSOLE_LOOK_MS,
): Promise<{ ms: number; job: JobDetail }> {
  const change = { change: 'publish', course, events: ids, owner: owner.email, co_hosts: [], visible: true };
  const answer = await bench.fetch(ENDPOINTS.zoomPreview, change);
  const { data } = (await answer.json()) as { data: ZoomPreview };
  return bench.job(ZOOM_CHANGE, { change, digest: data.digest }, lookMs);
}

/** Starts a run as the console does, and waits for its end. */
async function run(
  bench: Bench,
  course: number,
  daysCount: 30 | 60,
): Promise<{ ms: number; job: JobDetail }> {
  const started = Date.now();
  const asked = await bench.fetch(ENDPOINTS.zoomRun, { courseId: course, daysCount });
  const { id } = ((await asked.json()) as { data: { id: string } }).data;
  for (;;) {
    const response = await bench.fetch(ENDPOINTS.job.replace(':job', id));
    const { data: job } = (await response.json()) as { data: JobDetail };
    if (job.ended_at !== null) return { ms: Date.parse(job.ended_at) - started, job };
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/**
 * Prepares a server as if it were already in use: it has read the timetable, and has created a meeting for
 * each host.
 */
async function warmed(bench: Bench, course: number, hosts: readonly ZoomOwner[]): Promise<void> {
  const ids = await events(bench, course, hosts.length);
  for (const [at, owner] of hosts.entries())
    await publish(bench, course, owner, ids.slice(at, at + 1), LOOK_MS);
}

/** Measures 200 events in ten courses, each course with its own host, published at the same time. */
async function publishing(bench: Bench): Promise<Figure> {
  const HOSTS = 10;
  const EACH = 20;
  const ids = await courses(bench, HOSTS);
  const hosts = await owners(bench, HOSTS);
  const made = await Promise.all(ids.map((course) => events(bench, course, EACH)));
  const [, other = 0] = (await courses(bench, HOSTS + 2)).slice(HOSTS);
  await warmed(bench, other, hosts);
  await slowed(bench);
  const before = bench.processorMs();
  const started = Date.now();
  const jobs = await Promise.all(
    hosts.map((owner, at) => publish(bench, ids[at] ?? 0, owner, made[at] ?? [])),
  );
  const ended = Math.max(...jobs.map(({ job }) => Date.parse(job.ended_at ?? '')));
  const busy = bench.processorMs() - before;
  const [zoom, canvas] = [await called(bench, 'zoom'), await called(bench, 'canvas')];
  await bench.latency(0);
  const count = HOSTS * EACH;
  const ms = ended - started;
  const least = leastMs(zoom, canvas);
  const refused = zoom.filter(({ status }) => status === 429).length;
  const meetings = zoom.filter(
    (one) => one.method === 'POST' && one.path.endsWith('/meetings') && one.status === 201,
  ).length;
  const once = await publishedOnce(bench, made.flat());
  return {
    work: `${count} events of ${HOSTS} hosts published by a server in use, LMS and Zoom at ${LATENCY} ms`,
    reached: `${times(ms / least)} of ${zoom.length} calls of Zoom and ${canvas.length} of the LMS ÷ their limits (${seconds(ms)} of ${seconds(least)})`,
    target: 'within 1.3×, nothing doubled, fewer than one 429 in 100 calls',
    met: ms / least <= 1.3 && meetings === count && once === count && refused * 100 < zoom.length,
    note: `${meetings} meetings created, ${once} events with one link, ${refused} of ${zoom.length} calls rejected with 429, ${seconds(busy)} of the server’s processor time`,
  };
}

/** Counts the events that have one block, and a link that no other event has. */
async function publishedOnce(bench: Bench, ids: readonly number[]): Promise<number> {
  const links = new Set<string>();
  for (const id of ids) {
    const { description } = await bench.lms<{ description: string | null }>(`/api/v1/calendar_events/${id}`);
    const blocks = description?.match(/class="lms-admin-zoom"/g)?.length ?? 0;
    const link = /href="([^"]*\/j\/\d+[^"]*)"/.exec(description ?? '')?.[1];
    if (blocks === 1 && link !== undefined) links.add(link);
  }
  return links.size;
}

/**
 * Measures the table of Zoom Creation with 500 events: from the request to its first and its last page. Seven
 * calls ÷ 11 are less than the time of one call, so the minimum is the number of successive round trips. The
 * first page takes one: it is requested together with the scope of the course, the identity of the LMS and
 * the timetable. All pages take two, because only the first page says that there are others.
 */
async function calendar(bench: Bench): Promise<Figure> {
  const EVENTS = 500;
  const [course = 0, other = 0] = await courses(bench, 2);
  const there = await events(bench, course, EVENTS);
  await events(bench, other, 1);
  // A server in use has already read the timetable.
  await painted(bench, other);
  await slowed(bench);
  const { first, last, rows } = await painted(bench, course);
  const canvas = await called(bench, 'canvas');
  await bench.latency(0);
  const floor = { first: LATENCY, last: LATENCY * (1 + Math.ceil((canvas.length - 1) / IN_FLIGHT)) };
  return {
    work: `calendar of ${rows} events of a course, LMS and Zoom at ${LATENCY} ms`,
    reached: `first page ${times(first / floor.first)} of one round trip (${seconds(first)}), all ${times(last / floor.last)} of two (${seconds(last)})`,
    target: 'within 1.5× of the successive round trips',
    met: rows >= there.length && first / floor.first <= 1.5 && last / floor.last <= 1.5,
    note: `${canvas.length} calls ÷ ${IN_FLIGHT} would be ${seconds((canvas.length * LATENCY) / IN_FLIGHT)}, less than one of them takes`,
  };
}

/**
 * Reads the events of the next 30 days, as the console requests them.
 * @returns milliseconds to the first page and to the last
 */
async function painted(bench: Bench, course: number): Promise<{ first: number; last: number; rows: number }> {
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const query: [string, string][] = [
    ['type', 'event'],
    ['context_codes[]', `course_${course}`],
    ['start_date', day(1)],
    ['end_date', day(30)],
    ['per_page', '100'],
  ];
  const body = { url: lmsUrl('calendar-events', {}, query), type: 'GET' };
  let [first, last, rows] = [0, 0, 0];
  for await (const { ms, line } of bench.lines<{ data?: unknown[] }>(ENDPOINTS.invokePages, body)) {
    if (line.data === undefined) continue;
    if (rows === 0) first = ms;
    rows += line.data.length;
    last = ms;
  }
  return { first, last, rows };
}

/** Measures a run over 300 published events in which there is nothing to do. */
async function running(bench: Bench): Promise<Figure> {
  const HOSTS = 10;
  const EACH = 30;
  const course = (await courses(bench, 11)).at(-1) ?? 0;
  const ids = await events(bench, course, HOSTS * EACH);
  for (const [at, owner] of (await owners(bench, HOSTS + 10)).slice(10).entries())
    await publish(bench, course, owner, ids.slice(at * EACH, (at + 1) * EACH));
  // The first run updates the sandbox's calendar, so that the measured one finds nothing to do.
  await run(bench, course, 30);
  await slowed(bench);
  // The same run requested again immediately would join the first.
  const { ms, job } = await run(bench, course, 60);
  const [zoom, canvas] = [await called(bench, 'zoom'), await called(bench, 'canvas')];
  await bench.latency(0);
  const writes = [...zoom, ...canvas].filter(({ method }) => method !== 'GET').length;
  const least = leastMs(zoom, canvas);
  return {
    work: `run over ${HOSTS * EACH} events with nothing to do, LMS and Zoom at ${LATENCY} ms`,
    reached: `${times(ms / least)} of the time for its ${zoom.length} reads from Zoom and ${canvas.length} from the LMS (${seconds(ms)})`,
    target: 'within 1.3×, no write',
    met: job.outcome === 'done' && zoom.length > 0 && writes === 0 && ms / least <= 1.3,
    note: `${writes} writes`,
  };
}

/** Runs each measurement in its own sandbox, so that published events of one do not affect the next. */
export async function zoom(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const measure of [publishing, calendar, running]) {
    const bench = await Bench.open();
    try {
      figures.push(await measure(bench));
    } finally {
      await bench.close();
    }
  }
  return figures;
}
