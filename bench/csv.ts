/** Writing 500,000 enrolment rows: LMS Admin's writer compared with csv-stringify, then in the running server. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type EnrollmentBlock, enrollmentCsv } from '@lms-admin/domain/enrollment-csv';
import { stringify } from 'csv-stringify';
import { Bench, type Figure, healthFigure, median, seconds, timed, times } from './support.ts';

const COURSES = 500;
const PEOPLE = 1_000;

function blocks(): EnrollmentBlock[] {
  const users = Array.from({ length: PEOPLE }, (_, i) => `100${String(i).padStart(5, '0')}`);
  return Array.from({ length: COURSES }, (_, i) => ({
    sisCourseId: `MBA26-FBL-FIN${100 + i}-A`,
    sisSectionId: '',
    roleId: 3,
    status: 'active' as const,
    users,
  }));
}

/** Measures both writers, in turn, to the same destination. */
export async function writers(): Promise<Figure> {
  const data = blocks();
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    ours.push(
      (await timed(() => pipeline(Readable.from(enrollmentCsv(data)), createWriteStream('/dev/null')))).ms,
    );
    theirs.push(
      (
        await timed(() =>
          pipeline(
            Readable.from(rows(data)),
            stringify({ header: true, columns: ['course_id', 'user_id', 'role_id', 'status'] }),
            createWriteStream('/dev/null'),
          ),
        )
      ).ms,
    );
  }
  const ratio = median(theirs.map((ms, i) => ms / (ours[i] ?? ms)));
  return {
    work: 'CSV of 500,000 enrolment rows',
    reached: `${times(ratio)} as fast as csv-stringify (${seconds(median(ours))} against ${seconds(median(theirs))})`,
    target: 'at least 2×',
    met: ratio >= 2,
  };
}

function* rows(data: readonly EnrollmentBlock[]): Generator<string[]> {
  for (const block of data)
    for (const user of block.users) yield [block.sisCourseId, user, String(block.roleId), block.status];
}

/** Measures the same number of rows through the server: planned, recorded, sent, while `/healthz` is polled. */
export async function throughServer(): Promise<Figure[]> {
  const bench = await Bench.open({ SANDBOX_SIZE: 'large', SANDBOX_THROTTLE: 'off' });
  try {
    const emails: string[] = [];
    for (let page = 1; emails.length < PEOPLE; page += 1) {
      const users = await bench.lms<{ login_id?: string; sis_user_id: string | null }[]>(
        `/api/v1/accounts/1/users?per_page=100&page=${page + 300}`,
      );
      for (const user of users)
        if (user.login_id && user.sis_user_id && emails.length < PEOPLE) emails.push(user.login_id);
      if (users.length === 0) throw new Error('too few people');
    }
    const courses: number[] = [];
    for (let page = 1; courses.length < COURSES; page += 1) {
      const list = await bench.lms<{ id: number; sis_course_id: string | null }[]>(
        `/api/v1/accounts/1/courses?per_page=100&page=${page}`,
      );
      for (const course of list)
        if (course.sis_course_id && courses.length < COURSES) courses.push(course.id);
    }
    const made = await bench.plan({ role_id: 3, status: 'active', courses, emails });
    const [plan, planned] = [made.plan.id, made.plan.totals.rows];
    const submitted = await bench.watched(async () => {
      await bench.fetch('/api/auth/invoke', {
        type: 'POST_SIS',
        url: 'accounts/1/sis_imports?override_sis_stickiness=true',
        payload: { plan },
      });
      for (;;) {
        const { sis_imports: imports } = await bench.lms<{ sis_imports: unknown[] }>(
          '/api/v1/accounts/1/sis_imports?per_page=1',
        );
        if (imports.length > 0) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
    return [
      {
        work: `memory while ${planned.toLocaleString('en')} rows are recorded and sent`,
        reached: `${Math.round(submitted.above / 1e6)} MB above idle (${seconds(submitted.ms)})`,
        target: 'under 150 MB',
        met: submitted.above < 150e6,
      },
      healthFigure(submitted, ''),
    ];
  } finally {
    await bench.close();
  }
}
