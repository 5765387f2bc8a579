/** The practice LMS on its own: starting, a large import, list pages. */

import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { launch, stop } from '../e2e/support/processes.ts';
import { freePort } from '../scripts/free-port.mjs';
import { type Figure, median, seconds, timed } from './support.ts';

const TOKEN = { authorization: 'Bearer sandbox-admin-token', 'user-agent': 'lms-admin-bench' };
const ROWS = 500_000;
const PAGES = 4_000;
const AT_ONCE = 16;

async function campus(env: Record<string, string>) {
  const port = await freePort();
  const { ms, result: child } = await timed(() =>
    launch(
      'sandbox',
      { SANDBOX_PORT: String(port), SANDBOX_MODE: 'test', SANDBOX_THROTTLE: 'off', ...env },
      /ready on \S+/i,
    ),
  );
  return { url: `http://localhost:${port}`, child, ms };
}

/** Returns the peak memory of a process, in bytes. */
const peak = (pid: number) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

interface Person {
  sis_user_id: string | null;
}
interface Course {
  sis_course_id: string | null;
}

export async function sandbox(): Promise<Figure[]> {
  const starts: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { child, ms } = await campus({});
    starts.push(ms);
    await stop(child);
  }
  const { url, child, ms: large } = await campus({ SANDBOX_SIZE: 'large', SANDBOX_IMPORT_PACE: 'instant' });
  try {
    const first = await pages(url, 200);
    const again = await pages(url, 20);
    const imported = await largeImport(url);
    const bytes = peak(child.pid ?? 0);
    return [
      {
        work: 'practice LMS: start with the default seed',
        reached: `${seconds(median(starts))}; large: ${seconds(large)}`,
        target: 'under 2 s; 20 s',
        met: median(starts) < 2_000 && large < 20_000,
      },
      {
        work: 'practice LMS: 100-item course pages, large seed',
        reached: `${Math.round(again)}/s over 20 pages; ${Math.round(first)}/s over 200`,
        target: '2,000/s',
        met: Math.min(first, again) >= 2_000,
      },
      {
        work: `practice LMS: import of ${ROWS.toLocaleString('en')} enrolment rows`,
        reached: `${seconds(imported)}, ${(bytes / 1e9).toFixed(2)} GB at most`,
        target: 'under 15 s, 1.5 GB',
        met: imported < 15_000 && bytes < 1.5e9,
      },
    ];
  } finally {
    await stop(child);
  }
}

/**
 * Measures the requests per second for this number of different pages of the root account's courses, each
 * requested equally often.
 */
async function pages(url: string, different: number): Promise<number> {
  const pool = new Pool(url, { connections: AT_ONCE });
  let next = 0;
  const { ms } = await timed(() =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < PAGES) {
          next += 1;
          const path = `/api/v1/accounts/1/courses?per_page=100&page=${1 + (next % different)}`;
          const { statusCode, body } = await pool.request({ method: 'GET', path, headers: TOKEN });
          await body.dump({ limit: 10_000_000 });
          if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
        }
      }),
    ),
  );
  await pool.close();
  return (PAGES / ms) * 1_000;
}

/** Measures the milliseconds from sending the file to the final state. */
async function largeImport(url: string): Promise<number> {
  const list = async <T>(path: string): Promise<T[]> =>
    (await (await fetch(url + path, { headers: TOKEN })).json()) as T[];
  const people = (
    await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((page) =>
        list<Person>(`/api/v1/accounts/1/users?per_page=100&page=${page}`),
      ),
    )
  )
    .flat()
    .flatMap((one) => one.sis_user_id ?? []);
  const courses = (
    await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map((page) =>
        list<Course>(`/api/v1/accounts/1/courses?per_page=100&page=${page}`),
      ),
    )
  )
    .flat()
    .flatMap((one) => one.sis_course_id ?? []);
  const lines = ['course_id,user_id,role_id,status'];
  for (const course of courses)
    for (const person of people) if (lines.length <= ROWS) lines.push(`${course},${person},3,active`);
  if (lines.length <= ROWS) throw new Error(`only ${lines.length} rows`);
  return (
    await timed(async () => {
      const sent = await fetch(`${url}/api/v1/accounts/1/sis_imports?extension=csv`, {
        method: 'POST',
        headers: { ...TOKEN, 'content-type': 'text/csv' },
        body: lines.join('\n'),
      });
      const { id } = (await sent.json()) as { id: number };
      for (;;) {
        const answer = await fetch(`${url}/api/v1/accounts/1/sis_imports/${id}`, { headers: TOKEN });
        const { workflow_state: state } = (await answer.json()) as { workflow_state: string };
        if (state.startsWith('imported')) return;
        if (!['created', 'importing'].includes(state)) throw new Error(state);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })
  ).ms;
}
