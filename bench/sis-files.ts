/** Uploaded SIS files: the check compared with only reading a CSV, and an upload compared with `curl` directly to the LMS. */
import { execFile } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SisImport } from '@lms-admin/contract/imports';
import { SIS_EFFECT } from '@lms-admin/contract/sis-effects';
import type { SisFile } from '@lms-admin/contract/sis-files';
import { parse } from 'csv-parse';
import { Bench, type Figure, median, seconds, timed, times } from './support.ts';

const run = promisify(execFile);
const ROWS = 500_000;
const UPLOAD_BYTES = 100_000_000;
/** A connection of 100 Mbit/s, as a value for `curl --limit-rate`. */
const LINE = '12500000';

/**
 * Measures 500,000 enrolment rows checked by the running server, compared with csv-parse alone on the same
 * file.
 */
export async function checking(): Promise<Figure[]> {
  const bench = await Bench.open({ SANDBOX_THROTTLE: 'off' });
  const folder = mkdtempSync(join(tmpdir(), 'lms-admin-bench-'));
  try {
    const path = join(folder, 'enrollments.csv');
    await writeFile(path, await enrolments(bench));
    await upload(bench, path); // Warm-up: code, connections, courses.
    const idle = bench.resident();
    let peak = idle;
    const watch = setInterval(() => {
      peak = Math.max(peak, bench.resident());
    }, 20);
    const ours: number[] = [];
    const alone: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      ours.push((await timed(() => upload(bench, path))).ms);
      alone.push((await timed(() => readAlone(path))).ms);
    }
    clearInterval(watch);
    const ratio = median(ours.map((ms, i) => ms / (alone[i] ?? ms)));
    const megabytes = Math.round((peak - idle) / 1e6);
    return [
      {
        work: `${ROWS.toLocaleString('en')} enrolment rows uploaded and checked`,
        reached: `${times(ratio)} of csv-parse alone (${seconds(median(ours))} against ${seconds(median(alone))})`,
        target: 'within 2×',
        met: ratio <= 2,
      },
      {
        work: 'memory meanwhile',
        reached: `${megabytes} MB above idle`,
        target: 'flat: under 150 MB',
        met: megabytes < 150,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await bench.close();
  }
}

/**
 * Measures 100 MB over a connection of 100 Mbit/s until the LMS has received them: through LMS Admin with the
 * check, and directly by `curl`.
 */
export async function uploading(): Promise<Figure[]> {
  const bench = await Bench.open({ SANDBOX_THROTTLE: 'off' });
  const folder = mkdtempSync(join(tmpdir(), 'lms-admin-bench-'));
  try {
    const path = join(folder, 'users.csv');
    await writeFile(path, users(UPLOAD_BYTES));
    const small = join(folder, 'few.csv');
    await writeFile(small, users(UPLOAD_BYTES / 20));
    const straight = async (file: string, ...limits: string[]) => {
      const address = `${bench.campus.lms}/api/v1/accounts/1/sis_imports`;
      const token = 'authorization: Bearer sandbox-admin-token';
      await curl(...limits, '-H', token, '-F', `attachment=@${file};type=text/csv`, address);
    };
    const direct = (...limits: string[]) => straight(path, ...limits);
    /** Measures LMS Admin's time, without the time that someone spends reading the review. */
    const ours = async (file: string, ...limits: string[]) => {
      const first = await timed(() => upload(bench, file, ...limits));
      await bench.job(SIS_EFFECT, { file: first.result.id });
      const then = await timed(() => sent(bench, first.result.id));
      return first.ms + then.ms;
    };
    // Warm-up: the code and connections of both ways.
    await ours(small);
    await straight(small);
    await imported(bench);
    const line = ['--limit-rate', LINE];
    const alone = async (work: () => Promise<number>) => {
      const ms = await work();
      // The LMS is now processing the import, and the next upload must not share the machine with that work.
      await imported(bench);
      return ms;
    };
    const straightly = async (...limits: string[]) => (await timed(() => direct(...limits))).ms;
    const byLine = {
      ours: await alone(() => ours(path, ...line)),
      direct: await alone(() => straightly(...line)),
    };
    const local = { ours: await alone(() => ours(path)), direct: await alone(() => straightly()) };
    const ratio = byLine.ours / byLine.direct;
    return [
      {
        work: '100 MB of users from a 100 Mbit/s line until the LMS has it',
        reached: `${times(ratio)} of curl directly to the LMS (${seconds(byLine.ours)} against ${seconds(byLine.direct)})`,
        target: 'within 1.25×',
        met: ratio <= 1.25,
        note: `from the same machine, without this limit: ${seconds(local.ours)} with every row checked, ${seconds(local.direct)} by curl, which does not read the rows`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await bench.close();
  }
}

async function curl(...options: string[]): Promise<string> {
  const { stdout } = await run('curl', ['--silent', '--show-error', '--fail-with-body', ...options]);
  return stdout;
}

/** Uploads as a browser does, and returns the result of the check. */
export async function upload(bench: Bench, path: string, ...limits: string[]): Promise<SisFile> {
  const session = ['-H', `cookie: ${bench.cookie}`, '-H', `origin: ${bench.campus.url}`];
  const form = ['-F', `file=@${path};type=text/csv`];
  const text = await curl(...limits, ...session, ...form, `${bench.campus.url}/sis-import`);
  return (JSON.parse(text) as { data: SisFile }).data;
}

/** Submits the file and waits until the LMS has the import. */
async function sent(bench: Bench, file: string): Promise<void> {
  const ask = async (body: unknown) =>
    (await (await bench.fetch('/api/auth/invoke', body)).json()) as { data: SisImport };
  const url = 'accounts/1/sis_imports?override_sis_stickiness=true';
  let one = await ask({ type: 'POST_SIS', url, payload: { file } });
  while (one.data.canvas_id === null) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    one = await ask({ type: 'GET', url: `accounts/1/sis_imports/${one.data.id}` });
  }
}

/** Waits until the LMS has processed every import. */
async function imported(bench: Bench): Promise<void> {
  for (;;) {
    const { sis_imports: latest } = await bench.lms<{ sis_imports: { workflow_state: string }[] }>(
      '/api/v1/accounts/1/sis_imports?per_page=100',
    );
    if (latest.every((one) => /^(imported|failed|aborted)/.test(one.workflow_state))) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function readAlone(path: string): Promise<number> {
  let count = 0;
  const rows = createReadStream(path).pipe(parse({ bom: true, relax_column_count: true }));
  for await (const _ of rows) count += 1;
  return count;
}

async function enrolments(bench: Bench): Promise<string> {
  const courses = await bench.lms<{ sis_course_id: string | null }[]>(
    '/api/v1/accounts/1/courses?per_page=100',
  );
  const ids = courses.flatMap((course) => course.sis_course_id ?? []);
  const rows = Array.from({ length: ROWS }, (_, i) => `${ids[i % ids.length]},${5_000_000 + i},3,active`);
  return ['course_id,user_id,role_id,status', ...rows].join('\n');
}

function users(most: number): string {
  const parts = [
    'user_id,integration_id,login_id,first_name,last_name,sortable_name,short_name,email,status',
  ];
  let bytes = 0;
  for (let i = 7_000_000; bytes < most; i += 1) {
    const mail = `person${i}@northbridge.example`;
    const row = `${i},${i},${mail},First,LAST,"LAST, First",First LAST,${mail},active`;
    bytes += row.length + 1;
    parts.push(row);
  }
  return parts.join('\n');
}
