/**
 * Course Student Export of a large course: reading compared with its calls, and the Excel file compared with the
 * library alone.
 */
import { Worker } from 'node:worker_threads';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { JobDetail } from '@lms-admin/contract/jobs';
import { parse } from 'csv-parse/sync';
import { Bench, type Figure, healthFigure, median, seconds, timed, times } from './support.ts';

const STUDENTS = 10_000;
const CATEGORIES = 3;
/** Groups in each category. */
const GROUPS = 100;
const SECTIONS = 20;
const COURSE = 'BENCH-EXPORT';
const LATENCY = 100;
const IN_FLIGHT = 11;
const ROUNDS = 3;
/** The identity of the LMS, the course before and after; the list of students, which ends with an empty page; sections, groups, categories. */
const CALLS = 3 + (STUDENTS / 100 + 1) + Math.ceil(SECTIONS / 100) + (CATEGORIES * GROUPS) / 100 + 1;

/** Measures 10,000 students in 300 groups of 3 categories at 100 ms, with the throttling of the LMS. */
export async function studentExport(): Promise<Figure[]> {
  const bench = await Bench.open();
  try {
    await bench.imported(...course());
    const { id } = await bench.lms<{ id: number }>(`/api/v1/courses/sis_course_id:${COURSE}`);
    await bench.latency(LATENCY);
    const made = (format: string) =>
      bench.job('student-export', { course: id, groups: true, format, time_zone: null });
    // Warm-up: the code and connections of both.
    const rows = await fetched(bench, (await made('csv')).job);
    await made('xlsx');
    const csv: number[] = [];
    const excel: number[] = [];
    const alone: number[] = [];
    await bench.requests();
    for (let round = 0; round < ROUNDS; round += 1) {
      csv.push((await made('csv')).ms);
      await refilled();
    }
    const log = await bench.requests();
    for (let round = 0; round < ROUNDS; round += 1) {
      excel.push((await made('xlsx')).ms);
      alone.push((await timed(() => libraryAlone(rows))).ms);
      await refilled();
    }
    const watched = await bench.watched(() => made('xlsx'));
    const limit = (CALLS * LATENCY) / IN_FLIGHT;
    const beyond = median(excel) - median(csv);
    return [
      {
        work: `export of ${STUDENTS.toLocaleString('en')} students in ${CATEGORIES * GROUPS} groups at ${LATENCY} ms, CSV`,
        reached: `${times(median(csv) / limit)} of ${CALLS} calls ÷ ${IN_FLIGHT} (${seconds(median(csv))})`,
        target: 'within 1.3×',
        met: rows.length === STUDENTS + 1 && median(csv) / limit <= 1.3,
        note: `${Math.round(log.total / ROUNDS)} calls made, ${log.throttled} throttled, at most ${log.highWater} at once`,
      },
      {
        work: 'the same as Excel, in addition to the time for CSV',
        reached: `${times(beyond / median(alone))} of write-excel-file alone in a thread (${seconds(beyond)} against ${seconds(median(alone))})`,
        target: 'within 1.2×',
        met: beyond / median(alone) <= 1.2,
      },
      {
        work: 'memory meanwhile',
        reached: `${Math.round(watched.above / 1e6)} MB above idle`,
        target: 'under 250 MB',
        met: watched.above < 250e6,
      },
      healthFigure(watched, 'a workbook is created'),
    ];
  } finally {
    await bench.close();
  }
}

/** Waits until the LMS's bucket for the token is empty again. */
const refilled = () => new Promise((resolve) => setTimeout(resolve, 3_000));

async function fetched(bench: Bench, job: JobDetail): Promise<string[][]> {
  const [file] = job.files;
  const path = ENDPOINTS.jobFile.replace(':job', job.id).replace(':file', file?.id ?? '');
  return parse(await (await bench.fetch(path)).text(), { bom: true });
}

/** Runs the library with the same rows and formatting, in a separate thread. */
function libraryAlone(rows: string[][]): Promise<void> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    import('write-excel-file/node').then(async ({ default: write }) => {
      const line = { borderStyle: 'thin', borderColor: '#bfbfbf' };
      const cells = workerData.map((row) => row.map((value) => ({ value, type: String, format: '@', ...line })));
      const bytes = new Uint8Array(await write(cells, { sheet: 'Students' }).toBuffer());
      parentPort.postMessage(bytes, [bytes.buffer]);
    });`;
  return new Promise((resolve, reject) => {
    const worker = new Worker(code, { eval: true, workerData: rows });
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
}

/** Creates the files of the course, in import order. */
function course(): string[] {
  const all = Array.from({ length: STUDENTS }, (_, index) => index);
  const student = (index: number) => `EXP${String(index).padStart(5, '0')}`;
  const section = (index: number) => `${COURSE}-S${index % SECTIONS}`;
  const groups = Array.from({ length: CATEGORIES * GROUPS }, (_, index) => index);
  const category = (group: number) => `${COURSE}_Category_${Math.floor(group / GROUPS)}`;
  const file = (header: string, rows: readonly string[]) => [header, ...rows].join('\n');
  return [
    file('course_id,short_name,long_name,status', [`${COURSE},EXPORT,A large course,active`]),
    file(
      'section_id,course_id,name,status',
      all.slice(0, SECTIONS).map((index) => `${section(index)},${COURSE},Section ${index},active`),
    ),
    file(
      'user_id,integration_id,login_id,first_name,last_name,email,status',
      all.map((index) => {
        const id = student(index);
        return `${id},I${id},${id}@northbridge.example,Student,Number ${index},${id}@northbridge.example,active`;
      }),
    ),
    file(
      'course_id,section_id,user_id,role,status',
      all.map((index) => `${COURSE},${section(index)},${student(index)},student,active`),
    ),
    file(
      'group_category_id,category_name,course_id,status',
      [0, 1, 2].map((index) => `${category(index * GROUPS)},Category ${index},${COURSE},active`),
    ),
    file(
      'group_id,group_category_id,name,status',
      groups.map((index) => `${COURSE}_G${index},${category(index)},Group ${index % GROUPS},available`),
    ),
    file(
      'group_id,user_id,status',
      all.flatMap((index) =>
        [0, 1, 2].map((at) => `${COURSE}_G${at * GROUPS + (index % GROUPS)},${student(index)},accepted`),
      ),
    ),
  ];
}
