/** The effect of half a million rows, compared with the time for the necessary LMS calls and for reading the file once. */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { SIS_EFFECT, type SisEffect, type SisEffectRows } from '@lms-admin/contract/sis-effects';
import { parse } from 'csv-parse';
import { upload } from './sis-files.ts';
import { Bench, type Figure, healthFigure, median, seconds, timed, times } from './support.ts';

const ROWS = 500_000;
const COURSES = 2_000;
const LATENCY = 100;
const IN_FLIGHT = 11;
const ROUNDS = 2;

interface Listed {
  sis_course_id: string | null;
}
interface Person {
  sis_user_id: string | null;
}

/**
 * Measures 500,000 enrolment rows in 2,000 of 20,000 courses, with 60,000 people, at 100 ms, without the
 * throttling of the LMS.
 */
export async function effect(): Promise<Figure[]> {
  const bench = await Bench.open({ SANDBOX_THROTTLE: 'off', SANDBOX_SIZE: 'large' });
  const folder = mkdtempSync(join(tmpdir(), 'lms-admin-bench-'));
  try {
    const courses = (await all<Listed>(bench, 'courses')).flatMap((one) => one.sis_course_id ?? []);
    const everybody = await all<Person>(bench, 'users');
    const people = everybody.flatMap((one) => one.sis_user_id ?? []);
    const path = join(folder, 'enrollments.csv');
    await writeFile(path, rowsOf(courses.slice(0, COURSES), people));
    const { id: file } = await upload(bench, path);
    // Necessary calls: the lists of all people and of all courses; for each course, its sections and one page of
    // enrolments; the identity of
    // the LMS; the roles.
    const calls = pages(everybody.length) + pages(courses.length) + 2 * COURSES + 2;
    await bench.latency(LATENCY);
    const spent: number[] = [];
    const alone: number[] = [];
    await bench.requests();
    for (let round = 0; round < ROUNDS; round += 1) {
      spent.push((await bench.job(SIS_EFFECT, { file })).ms);
      alone.push((await timed(() => readAlone(path))).ms);
    }
    const log = await bench.requests();
    const watched = await bench.watched(() => bench.job(SIS_EFFECT, { file }));
    const under = (endpoint: string) => endpoint.replace(':file', file);
    const summary = ((await (await bench.fetch(under(ENDPOINTS.sisEffect))).json()) as { data: SisEffect })
      .data;
    const first = await timed(() =>
      bench.fetch(`${under(ENDPOINTS.sisEffectRows)}?table=enrollment&does=creates`),
    );
    const shown = ((await first.result.json()) as { data: SisEffectRows }).data;
    const limit = (calls * LATENCY) / IN_FLIGHT + median(alone);
    const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0);
    return [
      {
        work: `effect of ${ROWS.toLocaleString('en')} enrolment rows in ${COURSES.toLocaleString('en')} courses at ${LATENCY} ms`,
        reached: `${times(median(spent) / limit)} of ${calls.toLocaleString('en')} calls ÷ ${IN_FLIGHT} and one reading (${seconds(median(spent))})`,
        target: 'within 1.4×',
        met: rows === ROWS && median(spent) / limit <= 1.4,
        note: `${Math.round(log.total / ROUNDS).toLocaleString('en')} calls made, at most ${log.highWater} at once`,
      },
      {
        work: 'a page of these rows',
        reached: `${first.ms.toFixed(0)} ms for ${shown.rows.length} of ${shown.all.toLocaleString('en')}`,
        target: 'within 500 ms',
        met: first.ms <= 500 && shown.rows.length === 100,
      },
      {
        work: 'memory meanwhile',
        reached: `${Math.round(watched.above / 1e6)} MB above idle`,
        target: 'flat: under 250 MB',
        met: watched.above < 250e6,
      },
      healthFigure(watched, 'an effect is determined'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await bench.close();
  }
}

const pages = (count: number) => Math.ceil(count / 100);

async function all<T>(bench: Bench, what: 'courses' | 'users'): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; ; page += 1) {
    const some = await bench.lms<T[]>(`/api/v1/accounts/1/${what}?per_page=100&page=${page}`);
    found.push(...some);
    if (some.length < 100) return found;
  }
}

/** Creates rows that are not sorted by course: one for each course in turn, repeatedly. */
function rowsOf(courses: readonly string[], people: readonly string[]): string {
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const status = at % 10 === 0 ? 'deleted' : 'active';
    return `${courses[at % courses.length]},${people[(at * 7) % people.length]},3,${status}`;
  });
  return ['course_id,user_id,role_id,status', ...rows].join('\n');
}

async function readAlone(path: string): Promise<number> {
  let count = 0;
  const rows = createReadStream(path).pipe(parse({ bom: true, relax_column_count: true }));
  for await (const _ of rows) count += 1;
  return count;
}
