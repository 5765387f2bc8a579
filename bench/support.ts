/** Shared parts of the benchmarks: processes, a signed-in session, timing, and the log of the sandbox. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import type { Plan } from '@lms-admin/contract/enrollments';
import type { JobDetail } from '@lms-admin/contract/jobs';
import { type Browser, chromium } from '@playwright/test';
import { browserLaunch } from '../e2e/support/browser.ts';
import { type Campus, startCampus } from '../e2e/support/processes.ts';

/** One line of the table that `npm run bench` prints. */
export interface Figure {
  work: string;
  reached: string;
  target: string;
  met: boolean;
  note?: string;
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
export const times = (ratio: number) => `${ratio.toFixed(2)}×`;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Measures the duration of a piece of work, in milliseconds. */
export async function timed<T>(work: () => Promise<T> | T): Promise<{ ms: number; result: T }> {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}

/** Milliseconds between two polls of a job, long enough that polling hardly affects the server. */
const LOOK_MS = 100;
/** Milliseconds until the server has released the memory of earlier work. */
const SETTLE_MS = 5_000;

/** Measurements of the server while it worked. */
export interface Watched<T> {
  ms: number;
  result: T;
  /** Milliseconds of each answer of `/healthz`. */
  health: number[];
  /** Peak memory above the level before the work, in bytes. */
  above: number;
}

/** Creates the line about `/healthz`. */
export function healthFigure({ health }: Pick<Watched<unknown>, 'health'>, meanwhile: string): Figure {
  const worst = Math.max(...health);
  return {
    work: `/healthz meanwhile${meanwhile && ` (${meanwhile})`}`,
    reached: `${worst.toFixed(0)} ms at worst, ${median(health).toFixed(1)} ms at the median of ${health.length}`,
    target: 'within 50 ms',
    met: worst <= 50,
  };
}

/** A sandbox with a signed-in admin who can do everything. */
export class Bench {
  readonly campus: Campus;
  readonly browser: Browser;
  /** The session, as a browser sends it. */
  readonly cookie: string;

  private constructor(campus: Campus, browser: Browser, cookie: string) {
    this.campus = campus;
    this.browser = browser;
    this.cookie = cookie;
  }

  static async open(env: Record<string, string> = {}): Promise<Bench> {
    const campus = await startCampus(env);
    const browser = await chromium.launch(await browserLaunch());
    const page = await browser.newPage();
    await page.goto(campus.url);
    await page
      .getByRole('link', { name: /sign in/i })
      .or(page.getByRole('button', { name: /sign in/i }))
      .click();
    await page.getByRole('button', { name: /alma[ .]reyes/i }).click();
    const allow = page.getByRole('button', { name: /allow|authori[sz]e/i });
    await allow
      .or(page.getByRole('link', { name: 'Course Enrollment' }))
      .first()
      .waitFor();
    if (await allow.isVisible()) await allow.click();
    await page.getByRole('link', { name: 'Course Enrollment' }).waitFor();
    const cookies = await page.context().cookies(campus.url);
    await page.close();
    return new Bench(campus, browser, cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
  }

  /** Calls the server as the signed-in admin. */
  async fetch(path: string, body?: unknown): Promise<Response> {
    const response = await fetch(this.campus.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        cookie: this.cookie,
        origin: this.campus.url,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
    return response;
  }

  /** Reads the lines of a newline-delimited answer, each with the milliseconds since the call. */
  async *lines<T>(path: string, body: unknown): AsyncGenerator<{ ms: number; line: T }> {
    const started = performance.now();
    const response = await this.fetch(path, body);
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts)
        if (part) yield { ms: performance.now() - started, line: JSON.parse(part) as T };
    }
    if (rest.trim()) yield { ms: performance.now() - started, line: JSON.parse(rest) as T };
  }

  /**
   * Runs a job as the console does: starts it, and polls until it has ended.
   * @param lookMs milliseconds between two polls
   * @returns milliseconds from the request to the end of the job, whenever the end was noticed
   * @throws if the job fails
   */
  async job(kind: string, input: unknown, lookMs = LOOK_MS): Promise<{ ms: number; job: JobDetail }> {
    const started = Date.now();
    const asked = await this.fetch(jobStartPath(kind), { key: randomUUID(), input });
    const { id } = ((await asked.json()) as { data: JobDetail }).data;
    for (;;) {
      const response = await this.fetch(ENDPOINTS.job.replace(':job', id));
      const job = ((await response.json()) as { data: JobDetail }).data;
      if (job.state === 'done' && job.ended_at) return { ms: Date.parse(job.ended_at) - started, job };
      if (job.ended_at) throw new Error(job.problem?.message ?? job.state);
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }

  /** Requests the review of Course Enrollment. */
  plan(request: unknown): Promise<{ ms: number; plan: Plan }> {
    return this.planned<Plan>('course-plan', ENDPOINTS.plan, request);
  }

  /** Requests any review: starts the job, and reads its plan. @param path address of the plan */
  async planned<P>(kind: string, path: string, request: unknown): Promise<{ ms: number; plan: P }> {
    const { ms, job } = await this.job(kind, request);
    const made = await timed(() => this.fetch(path.replace(':plan', job.id)));
    return { ms: ms + made.ms, plan: ((await made.result.json()) as { data: P }).data };
  }

  /** Does work during which `/healthz` and memory are polled. */
  async watched<T>(work: () => Promise<T>): Promise<Watched<T>> {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const idle = this.resident();
    let peak = idle;
    const health: number[] = [];
    let watching = true;
    const watch = (async () => {
      while (watching) {
        const asked = await timed(() => fetch(`${this.campus.url}/healthz`).then((answer) => answer.text()));
        health.push(asked.ms);
        peak = Math.max(peak, this.resident());
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    try {
      return { ...(await timed(work)), health, above: peak - idle };
    } finally {
      watching = false;
      await watch;
    }
  }

  /** Sends files to the sandbox, one import for each file, and waits for each import to end. */
  async imported(...files: readonly string[]): Promise<void> {
    for (const csv of files) {
      const path = '/api/v1/accounts/1/sis_imports';
      const init = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: csv };
      const { id } = await this.lms<{ id: number }>(`${path}?extension=csv`, init);
      for (;;) {
        const one = await this.lms<{ workflow_state: string; processing_warnings?: unknown[] }>(
          `${path}/${id}`,
        );
        if (one.workflow_state === 'imported') break;
        if (!['initializing', 'created', 'importing'].includes(one.workflow_state)) {
          throw new Error(`${one.workflow_state}: ${JSON.stringify(one.processing_warnings?.slice(0, 3))}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** Calls the sandbox directly with the script token. */
  async lms<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(this.campus.lms + path, {
      ...init,
      headers: { authorization: 'Bearer sandbox-admin-token', ...(init.headers as Record<string, string>) },
    });
    return (await response.json()) as T;
  }

  /** Sets the latency of every LMS answer, in milliseconds; 0 removes it. */
  async latency(ms: number): Promise<void> {
    await fetch(`${this.campus.lms}/sandbox/faults`, { method: 'DELETE' });
    if (ms === 0) return;
    await fetch(`${this.campus.lms}/sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ match: '/api/v1/*', kind: 'latency', ms }),
    });
  }

  /**
   * Counts the calls that the sandbox has answered since the last reading, by status, and the highest number at
   * the same time.
   */
  async requests(): Promise<{ total: number; throttled: number; highWater: number }> {
    const log = await this.lms<{ requests: { status: number; path: string }[]; highWater: number }>(
      '/sandbox/requests',
    );
    await fetch(`${this.campus.lms}/sandbox/requests`, { method: 'DELETE' });
    const calls = log.requests.filter(({ path }) => path.startsWith('/api/v1/'));
    return {
      total: calls.length,
      throttled: calls.filter(({ status }) => status === 403 || status === 429).length,
      highWater: log.highWater,
    };
  }

  /** Returns the memory of the server process, in bytes. */
  resident(): number {
    const status = readFileSync(`/proc/${this.campus.serverPid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  }

  /** Returns the processor time used by the server, in milliseconds. */
  processorMs(): number {
    const stat = readFileSync(`/proc/${this.campus.serverPid}/stat`, 'utf8');
    // After the program's name, which may contain spaces: fields 14 and 15, in hundredths of a second.
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) * 10;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.campus.close();
  }
}
