/** A practice LMS with events and Zoom, for tests of Zoom Creation and Zoom Event Run. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { errorEnvelope } from '@lms-admin/contract/errors';
import { type JobDetail, type JobItem, job, jobItem } from '@lms-admin/contract/jobs';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { ZOOM_CHANGE, type ZoomChange, type ZoomEvent, zoomEvent } from '@lms-admin/contract/zoom';
import { zoomPreview } from '@lms-admin/contract/zoom-preview';
import { ZOOM_RUN, ZOOM_RUN_REVIEW, type ZoomRunReview, zoomRunReview } from '@lms-admin/contract/zoom-runs';
import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { jobs } from '../../src/platform/schema.ts';
import { Campus, jobOf } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import type { TestServer } from '../support/harness.ts';
import { WAIT_MS } from '../support/wait.ts';

/** Hosts in the practice Zoom. Each lets the default owner schedule for them; Hugo also lets Bruno. */
export const HOSTS = {
  standard: 'lms.admin@northbridge.example',
  alma: 'alma.reyes@northbridge.example',
  bruno: 'bruno.keller@northbridge.example',
  hugo: 'hugo.tan@northbridge.example',
  farid: 'farid.noor@northbridge.example',
} as const;

const DAY = 86_400_000;

/** An event as the practice Canvas returns it. */
export interface LmsEvent {
  id: number;
  title: string;
  description: string | null;
  location_address: string | null;
  start_at: string;
  end_at: string;
  parent_event_id: number | null;
  context_code: string;
  workflow_state: string;
}

/** A meeting as the practice Zoom returns it. */
export interface LmsMeeting {
  id: number;
  topic: string;
  start_time: string;
  duration: number;
  timezone: string;
  join_url: string;
  host_email: string;
  agenda: string;
  settings: { alternative_hosts: string };
}

export class ZoomCampus extends Campus {
  readonly #given = new Set<number>();
  #zoomToken: string | null = null;
  /** The app's credentials in Zoom. */
  zoomSecret = 'sandbox-zoom-secret';
  /** Returns the origin known to the server: the links from Zoom depend on it. */
  get #zoom(): string {
    return `${this.sandbox.url.replace('127.0.0.1', 'localhost')}/zoom`;
  }

  /** Finds a course without events, in account 86 as long as it has any; each course is used once. */
  quietCourse(): { id: number; sis: string; name: string; code: string } {
    const { world } = this.sandbox;
    const busy = new Set([...world.calendarEvents.values()].map((event) => event.context_code));
    const open = [...this.courses(), ...[...world.accounts.values()].flatMap(({ id }) => this.courses(id))];
    const course = open.find(({ id }) => !busy.has(`course_${id}`) && !this.#given.has(id));
    if (!course?.sis_source_id) throw new Error('no course is left');
    this.#given.add(course.id);
    return { id: course.id, sis: course.sis_source_id, name: course.name, code: course.course_code };
  }

  /** Creates an event in a course, this many days from now. */
  async makeEvent(course: number, more: Record<string, unknown> = {}, days = 3): Promise<LmsEvent> {
    const start = new Date(Math.floor((Date.now() + days * DAY) / 3_600_000) * 3_600_000);
    const calendar_event = {
      context_code: `course_${course}`,
      title: 'Corporate finance',
      start_at: start.toISOString(),
      end_at: new Date(start.getTime() + 5_400_000).toISOString(),
      ...more,
    };
    const answer = await this.api('calendar_events', { method: 'POST', body: { calendar_event } });
    if (answer.status !== 201) throw new Error(await answer.text());
    return (await answer.json()) as LmsEvent;
  }

  /**
   * Returns sections of a course for an event with these section times, and creates some if there are too
   * few.
   */
  async sectionsAt(course: number, times: readonly { start_at: string; end_at: string }[]) {
    const ids = [...this.sandbox.world.sections.by.course.get(course)].map(({ id }) => id);
    while (ids.length < times.length) {
      const body = { course_section: { name: `Group ${ids.length + 1}` } };
      const made = await this.api(`courses/${course}/sections`, { method: 'POST', body });
      ids.push(((await made.json()) as { id: number }).id);
    }
    return times.map((time, n) => ({ context_code: `course_section_${ids[n]}`, ...time }));
  }

  /** Creates several events, on successive days. */
  async makeEvents(course: number, count: number, more: Record<string, unknown> = {}): Promise<LmsEvent[]> {
    const made: LmsEvent[] = [];
    for (let n = 0; n < count; n++)
      made.push(await this.makeEvent(course, { title: `Session ${n + 1}`, ...more }, 2 + n / 24));
    return made;
  }

  async event(id: number): Promise<LmsEvent> {
    return (await this.api(`calendar_events/${id}`)).json() as Promise<LmsEvent>;
  }

  async changeEvent(id: number, calendar_event: Record<string, unknown>): Promise<void> {
    const answer = await this.api(`calendar_events/${id}`, { method: 'PUT', body: { calendar_event } });
    if (!answer.ok) throw new Error(await answer.text());
  }

  /** Returns the notifications sent to people because of events. */
  async notices(): Promise<unknown[]> {
    return (await this.handle<{ notices: unknown[] }>('notices')).notices;
  }

  async handle<T = unknown>(path: string, method = 'GET', body?: object): Promise<T> {
    const answer = await fetch(`${this.sandbox.url}/sandbox/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Sends a call to Zoom by another client. */
  async zoom<T = unknown>(path: string, method = 'GET', body?: object): Promise<{ status: number; body: T }> {
    if (this.#zoomToken === null) {
      const basic = Buffer.from(`sandbox-zoom-client:${this.zoomSecret}`).toString('base64');
      const answer = await fetch(`${this.#zoom}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'account_credentials', account_id: 'sandbox-zoom-account' }),
      });
      this.#zoomToken = ((await answer.json()) as { access_token: string }).access_token;
    }
    const answer = await fetch(`${this.#zoom}/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#zoomToken}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as T };
  }

  /** Reads from Zoom, and waits if Zoom rejects more calls in this second. */
  async #read<T>(path: string): Promise<{ status: number; body: T }> {
    for (;;) {
      const answer = await this.zoom<T>(path);
      if (answer.status !== 429) return answer;
      await sleep(200);
    }
  }

  async meeting(number: number): Promise<LmsMeeting | null> {
    const { status, body } = await this.#read<LmsMeeting>(`/meetings/${number}`);
    // Status 400 means that no meeting can have this number.
    if (![200, 400, 404].includes(status)) throw new Error(`Zoom answers ${status} for meeting ${number}`);
    return status === 200 ? body : null;
  }

  /** Lists the meetings that LMS Admin has created for these hosts and that still exist. */
  async ours(hosts: readonly string[] = Object.values(HOSTS)): Promise<LmsMeeting[]> {
    const all: LmsMeeting[] = [];
    for (const host of hosts) {
      let token = '';
      do {
        const { body } = await this.#read<{ meetings: LmsMeeting[]; next_page_token: string }>(
          `/users/${host}/meetings?type=scheduled&page_size=300&next_page_token=${token}`,
        );
        all.push(...body.meetings.filter(({ agenda }) => agenda.startsWith('[lms-admin ')));
        token = body.next_page_token;
      } while (token !== '');
    }
    return all;
  }

  /** Returns the changes requested from both systems since the last reading. */
  async writes(): Promise<string[]> {
    const seen: string[] = [];
    for (const system of ['canvas', 'zoom']) {
      const { requests } = await this.handle<{ requests: { method: string; path: string }[] }>(
        `requests?system=${system}`,
      );
      const changes = requests.filter(
        ({ method, path }) => method !== 'GET' && !path.includes('/oauth') && !path.includes('/login'),
      );
      seen.push(...changes.map(({ method, path }) => `${method} ${path.replace(/\?.*$/s, '')}`));
      await this.handle(`requests?system=${system}`, 'DELETE');
    }
    return seen;
  }

  zoomFault(fault: object): Promise<unknown> {
    return this.handle('faults', 'POST', { system: 'zoom', ...fault });
  }
}

/** Reads a course's events as sent to the browser, starting some days before now. */
export async function tableOf(
  browser: Browser,
  course: number,
  query: [string, string][] = [],
): Promise<ZoomEvent[]> {
  const day = (offset: number) => new Date(Date.now() + offset * DAY).toISOString().slice(0, 10);
  const url = lmsUrl('calendar-events', {}, [
    ['type', 'event'],
    ['context_codes[]', `course_${course}`],
    ['start_date', day(-5)],
    ['end_date', day(60)],
    ['per_page', '100'],
    ...query,
  ]);
  const response = await browser.post(ENDPOINTS.invokePages, { url, type: 'GET' });
  if (response.status !== 200) throw new Error(await response.text());
  const lines = (await response.text()).trim().split('\n');
  const pages = lines.map((line) => JSON.parse(line) as { data?: unknown });
  return pages.flatMap(({ data }) => (data === undefined ? [] : z.array(zoomEvent).parse(data)));
}

/** Reads one event in that table. */
export async function rowOf(browser: Browser, course: number, event: number): Promise<ZoomEvent> {
  const found = (await tableOf(browser, course)).find(({ id }) => id === event);
  if (!found) throw new Error(`event ${event} is not in the table`);
  return found;
}

export type Asked = Omit<
  Extract<ZoomChange, { change: 'publish' }>,
  'change' | 'co_hosts' | 'owner' | 'visible'
> & {
  owner?: string;
  co_hosts?: string[] | null;
  visible?: boolean;
};

export function publishing({ course, events, ...more }: Asked): ZoomChange {
  return { change: 'publish', course, events, owner: HOSTS.alma, co_hosts: [], visible: true, ...more };
}

/**
 * Returns the request that the console sends to save a change, with the digest of a new preview if there is
 * one.
 */
export async function orderOf(
  browser: Browser,
  change: unknown,
): Promise<{ change: unknown; digest: string }> {
  const { data } = await (await browser.post(ENDPOINTS.zoomPreview, change)).json();
  return { change, digest: data?.digest ?? 'none' };
}

/** Starts a change after its preview, and returns the answer. */
export async function startChange(
  browser: Browser,
  input: ZoomChange,
  key: string = randomUUID(),
): Promise<Response> {
  return browser.post(jobStartPath(ZOOM_CHANGE), { key, input: await orderOf(browser, input) });
}

/** Returns a rejection, by status and text. */
export async function refusalOf(response: Response): Promise<[number, string]> {
  return [response.status, errorEnvelope.parse(await response.json()).error.message];
}

/** Starts a change and waits for it to end. */
export async function change(browser: Browser, input: ZoomChange): Promise<JobDetail> {
  const response = await startChange(browser, input);
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return endOf(browser, job.parse(body.data).id);
}

/** Runs a course to the end, as if every earlier run had been long ago. */
export async function runOf(
  { server }: TestServer,
  browser: Browser,
  course: number,
  days = 30,
): Promise<{ job: JobDetail; items: JobItem[] }> {
  const ended = await endOf(browser, await runStarted({ server }, browser, course, days));
  return { job: ended, items: await itemsOf(browser, ended.id) };
}

/** Starts such a run without waiting for it. */
export async function runStarted(
  { server }: Pick<TestServer, 'server'>,
  browser: Browser,
  course: number,
  days = 30,
): Promise<string> {
  const { db } = server.services.db;
  await db
    .update(jobs)
    .set({ createdAt: sql`${jobs.createdAt} - interval '1 hour'` })
    .where(eq(jobs.kind, ZOOM_RUN));
  const response = await browser.post(ENDPOINTS.zoomRun, { courseId: course, daysCount: days });
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return job.parse(body.data).id;
}

export async function endOf(browser: Browser, id: string): Promise<JobDetail> {
  return until(browser, id, ({ ended_at }) => ended_at !== null);
}

/** Waits until a job satisfies the condition. */
export async function until(
  browser: Browser,
  id: string,
  wanted: (one: JobDetail) => boolean,
  ms = WAIT_MS,
): Promise<JobDetail> {
  const deadline = Date.now() + ms;
  for (;;) {
    const now = await jobOf(browser, id);
    if (wanted(now)) return now;
    if (Date.now() > deadline || now.ended_at !== null) throw new Error(`it is ${JSON.stringify(now)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function cancelOf(browser: Browser, id: string): Promise<void> {
  await browser.post(ENDPOINTS.jobCancel.replace(':job', id), {});
}

export async function itemsOf(browser: Browser, id: string): Promise<JobItem[]> {
  const response = await browser.fetch(ENDPOINTS.jobItems.replace(':job', id));
  return z.array(jobItem).parse((await response.json()).data);
}

export async function previewOf(browser: Browser, input: ZoomChange) {
  const response = await browser.post(ENDPOINTS.zoomPreview, input);
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return zoomPreview.parse(body.data);
}

/** Returns the title in an event's line, which also has its day, and its time and zone if there are any. */
export const titleIn = ({ label }: Pick<JobItem, 'label'>): string =>
  label.replace(/, \d+ \w+ \d{4}(, \d\d:\d\d \([^()]+\))?$/, '');

/** Finds each occurrence of the event's block. */
export function blocksIn({ description }: Pick<LmsEvent, 'description'>): string[] {
  return [...(description ?? '').matchAll(/<div class="lms-admin-zoom">.*?<\/div>/gs)].map(
    ([block]) => block,
  );
}

/** Reads the number in a link to join in a text. */
export function numberIn(text: string | null): number {
  return Number(/\/j\/(\d{9,11})/.exec(text ?? '')?.[1] ?? 0);
}

/** Reads the review of a run. */
export async function reviewOf(browser: Browser, course: number): Promise<ZoomRunReview> {
  const asked = { key: randomUUID(), input: { course, days: 30 } };
  const response = await browser.post(jobStartPath(ZOOM_RUN_REVIEW), asked);
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return zoomRunReview.parse((await endOf(browser, body.data.id)).result);
}
