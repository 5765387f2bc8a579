/** Zoom Event Run for tests: a sandbox with Zoom and timetable, runs to wait for, and logs of outside calls. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { JobDetail, JobItem } from '@lms-admin/contract/jobs';
import { OWN_REQUEST } from '@lms-admin/contract/zoom';
import { type ZoomQueue, zoomQueue } from '@lms-admin/contract/zoom-runs';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { eq, sql } from 'drizzle-orm';
import { jobs, zoomEvents, zoomMeetings } from '../../src/platform/schema.ts';
import { practiceFeeds } from '../../src/platform/timetable-settings.ts';
import { Campus, jobOf } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer, type TestServerOptions } from '../support/harness.ts';

const record = { perm: 'ALL', zoom_update: true, zoom_creation: true };
/** Alma can do everything, Bruno can run one programme, Farid can do everything except remove. */
export const ACCESS = {
  admins: [
    {
      ...record,
      login: PEOPLE.all,
      email: PEOPLE.all,
      feature_permissions: { zoom_update_courses_delete: true },
    },
    { ...record, login: PEOPLE.custom, email: PEOPLE.custom, perm: 'CUSTOM', sub_accounts: '86', roles: '3' },
    { ...record, login: PEOPLE.noTool, email: PEOPLE.noTool },
    { login: PEOPLE.helpDesk, email: PEOPLE.helpDesk, perm: 'ALL', user_search: true },
  ],
};

export interface Seen {
  method: string;
  path: string;
  status: number | null;
}

export interface RunCampus {
  ts: TestServer;
  sandbox: Sandbox;
  campus: Campus;
  /** Courses in programme 86 that have events in the next 30 days. */
  courses: number[];
  /** Those of these courses that have at least three events. */
  plain: number[];
  /** A finished run, as if every earlier one had been long ago. */
  run(browser: Browser, course: number, days?: number): Promise<Ran>;
  ended(browser: Browser, job: string): Promise<Ran>;
  /** Calls to a system since the last reading. */
  seen(system: 'zoom' | 'canvas'): Promise<Seen[]>;
  /** Those of the calls to a system that changed something. */
  writes(): Promise<string[]>;
  forget(): Promise<void>;
  records(course: number): Promise<(typeof zoomEvents.$inferSelect)[]>;
  meetings(): Promise<(typeof zoomMeetings.$inferSelect)[]>;
  event(
    id: number,
  ): Promise<{ description: string; location_address: string | null; start_at: string; end_at: string }>;
  /** Zoom's API, as another client uses it. */
  zoom(path: string, init?: { method?: string; body?: object }): Promise<Response>;
  close(): Promise<void>;
}

export interface Ran {
  job: JobDetail;
  items: JobItem[];
}

export async function startRunCampus(options: TestServerOptions = {}): Promise<RunCampus> {
  const sandbox =
    options.lms ?? (await startSandbox({ port: 0, mode: 'test', importPace: 'instant', throttle: false }));
  const feeds = practiceFeeds(sandbox.url.replace('127.0.0.1', 'localhost')).map(({ url, zone }) => ({
    url,
    zone,
  }));
  const ts = await startTestServer({
    access: ACCESS,
    ...options,
    lms: sandbox,
    env: { TIMETABLE_FEEDS: JSON.stringify(feeds), ...options.env },
  });
  const { db } = ts.server.services.db;
  const campus = new Campus(sandbox);
  const now = Date.now();
  const isSoon = ({
    start_at,
    context_code,
    course,
  }: {
    start_at: string | null;
    context_code: string;
    course: number;
  }) =>
    context_code === `course_${course}` &&
    Date.parse(start_at ?? '') > now &&
    Date.parse(start_at ?? '') < now + 30 * 86_400_000;
  const all = [...sandbox.world.calendarEvents.values()];
  const courses = campus
    .courses()
    .map(({ id }) => id)
    .filter((course) => all.some((event) => isSoon({ ...event, course })));

  const parents = new Set(all.map((event) => event.parent_calendar_event_id));
  const plain = courses.filter(
    (course) =>
      all.filter((event) => isSoon({ ...event, course }) && !event.all_day && !parents.has(event.id)).length >
      2,
  );

  async function seen(system: 'zoom' | 'canvas'): Promise<Seen[]> {
    const answer = await fetch(`${sandbox.url}/sandbox/requests?system=${system}`);
    return ((await answer.json()) as { requests: Seen[] }).requests;
  }
  async function forget(): Promise<void> {
    for (const system of ['zoom', 'canvas'])
      await fetch(`${sandbox.url}/sandbox/requests?system=${system}`, { method: 'DELETE' });
  }
  async function ended(browser: Browser, id: string): Promise<Ran> {
    for (;;) {
      const job = await jobOf(browser, id);
      if (job.ended_at === null) {
        await new Promise((resolve) => setTimeout(resolve, 30));
        continue;
      }
      const items = await browser.fetch(ENDPOINTS.jobItems.replace(':job', id));
      return { job, items: ((await items.json()) as { data: JobItem[] }).data };
    }
  }
  let token: string | null = null;
  async function tokenOf(): Promise<string> {
    const answer = await fetch(`${sandbox.url}/zoom/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('sandbox-zoom-client:sandbox-zoom-secret')}` },
      body: new URLSearchParams({ grant_type: 'account_credentials', account_id: 'sandbox-zoom-account' }),
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  return {
    ts,
    sandbox,
    campus,
    courses,
    plain,
    ended,
    seen,
    forget,
    async run(browser, course, days = 30) {
      await db.update(jobs).set({ createdAt: sql`${jobs.createdAt} - interval '1 hour'` });
      const response = await browser.post(ENDPOINTS.zoomRun, { courseId: course, daysCount: days });
      const body = (await response.json()) as { data: { id: string } };
      if (response.status !== 200) throw new Error(JSON.stringify(body));
      return ended(browser, body.data.id);
    },
    async writes() {
      const both = [...(await seen('zoom')), ...(await seen('canvas'))];
      return both
        .filter(({ method, path }) => !['GET', 'HEAD'].includes(method) && !path.includes('/oauth'))
        .map(({ method, path }) => `${method} ${path}`);
    },
    records: (course) => db.select().from(zoomEvents).where(eq(zoomEvents.courseId, course)),
    meetings: () => db.select().from(zoomMeetings),
    async event(id) {
      return (await campus.api(`calendar_events/${id}`)).json() as ReturnType<RunCampus['event']>;
    },
    async zoom(path, { method = 'GET', body } = {}) {
      token ??= await tokenOf();
      return fetch(`${sandbox.url}/zoom/v2/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    },
    async close() {
      await ts.close();
      if (!options.lms) await sandbox.close();
    },
  };
}

/** Reads the queue as a person sees it. */
export async function queueOf(browser: Browser): Promise<ZoomQueue> {
  const body = (await (await browser.fetch(ENDPOINTS.zoomQueue)).json()) as { data: string };
  return zoomQueue.parse(JSON.parse(body.data));
}

/** Saves the queue. */
export function saveQueue(
  browser: Browser,
  courseIds: readonly (number | string)[],
  more: { readCourseIds?: readonly number[]; newestAt?: string; daysCount?: number | string } = {},
): Promise<Response> {
  return browser.post(ENDPOINTS.zoomQueueUpdate, { courseIds, requestedBy: 'somebody.else', ...more });
}

/** Requests the address that starts a run by GET, with or without the header. */
export function askByGet(browser: Browser, course: number | string, withHeader = true): Promise<Response> {
  return browser.fetch(
    `${ENDPOINTS.zoomRun}?courseId=${course}&requestedBy=somebody.else&daysCount=30`,
    withHeader ? { headers: { [OWN_REQUEST.name]: OWN_REQUEST.value } } : {},
  );
}
