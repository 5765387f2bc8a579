/** The export of a course's students, as a kind of job (area EXP). */

import { studentExportMessages } from '@lms-admin/contract/messages/student-export';
import {
  STUDENT_EXPORT,
  type StudentExportRequest,
  studentExportRequest,
} from '@lms-admin/contract/student-export';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { guarded } from '@lms-admin/domain/formula-guard';
import { counted } from '@lms-admin/domain/numbers';
import {
  type ExportedStudent,
  exportColumns,
  exportFileName,
  exportRow,
  MAX_WORKBOOK_ROWS,
} from '@lms-admin/domain/student-export';
import type { ActFor } from '../access/acting.ts';
import { mayUse } from '../access/rights.ts';
import type { Scope } from '../access/scope.ts';
import { courseWithCount } from '../canvas/resources/courses.ts';
import type { CanvasClient } from '../canvas/types.ts';
import type { Files, NewFile } from '../files/files.ts';
import { workbook } from '../files/workbook.ts';
import { Cancelled, type JobEnd, JobFailed, type JobWork } from '../jobs/kind.ts';
import type { StartableKind } from '../jobs/start.ts';
import { BYTE_ORDER_MARK, excelLine } from '../platform/csv/excel.ts';
import { AppError } from '../platform/errors.ts';
import { momentIn } from '../platform/moment.ts';
import { type CourseRead, readCourse, type Untold } from './read-course.ts';

export interface ExportParts {
  actFor: ActFor;
  scope: Scope;
  canvas: CanvasClient;
  files: Files;
}

const texts = studentExportMessages;
/** Milliseconds between two records of progress. */
const RECORD_MS = 400;
const NOTHING = 'Cancelled: no file was created, and nothing in the LMS has changed.';
/** Maximum number of readings of a course whose students change while it is read. */
const MOST_READINGS = 3;

export function exportKind({ actFor, scope, canvas, files }: ExportParts): StartableKind {
  return {
    id: STUDENT_EXPORT,
    // A large course keeps the LMS busy, and a spreadsheet takes memory.
    atOnce: 2,
    atOnceEach: 1,
    keeps: 'export',
    listed: true,
    changes: false,
    begins: 'Reading the course',
    untouched: NOTHING,
    mayCancel: async () => true,
    start: {
      tool: 'student-export',
      input: studentExportRequest,
      async check(admin, raw) {
        const { course: id, groups, format } = studentExportRequest.parse(raw);
        const course = await scope.course(admin, id);
        if (course === null) throw notFound();
        const what = `Export the students of ${course.course_code || course.name}`;
        const label = `${what} as ${format === 'csv' ? 'CSV' : 'Excel'}${groups ? ', with groups' : ''}`;
        return { label, about: await scope.about(admin, [course]) };
      },
    },
    async run(work) {
      try {
        return await exported({ actFor, scope, canvas, files }, work);
      } catch (error) {
        work.signal.throwIfAborted();
        if (work.cancel.aborted) throw new Cancelled(NOTHING);
        throw error;
      }
    },
  };
}

async function exported(parts: ExportParts, work: JobWork): Promise<JobEnd> {
  const request = studentExportRequest.parse(await work.input());
  for (let reading = 1; ; reading++) {
    try {
      return await exportedOnce(parts, work, request, reading === MOST_READINGS);
    } catch (error) {
      if (!(error instanceof StudentsChanged)) throw error;
    }
  }
}

/** Students joined or left the course while its pages were read. */
class StudentsChanged extends Error {}

/** @throws StudentsChanged unless this is the last reading, which says so in its note */
async function exportedOnce(
  parts: ExportParts,
  work: JobWork,
  request: StudentExportRequest,
  isLast: boolean,
): Promise<JobEnd> {
  const { actFor, scope, canvas, files } = parts;
  const admin = actFor(work.job);
  const refused = new AbortController();
  const signal = AbortSignal.any([work.signal, work.cancel, refused.signal]);
  if ((await scope.course(admin, request.course, signal)) === null) throw notFound();
  // The course is checked while it is read: if the check fails, nothing is kept.
  const [course, read] = await Promise.all([
    courseOfNow(parts, work, request, signal),
    readCourse({ canvas, token: work.token(), signal }, request.course, request.groups),
    work.save({ stage: 'Reading the students', done: 0, total: null, unit: 'students' }),
  ]).catch((error: unknown) => {
    refused.abort(error);
    throw error;
  });
  const students = new CountedStudents(work, request, {
    total: course.total_students,
    recount: async () =>
      (await courseWithCount({ canvas, token: work.token(), signal }, request.course)).total_students,
    isLast,
  });
  await files.write(
    {
      jobId: work.job.id,
      login: work.job.login,
      name: exportFileName(request.format, request.course, course.course_code),
      type: TYPES[request.format],
    },
    content(request, read.names, students.counting(read.students), signal),
  );
  return {
    outcome: 'done',
    figures: [['students', students.count]],
    note: noteOf(students.hasChanged, untoldSentences(read.untold(), mayUse(admin, 'search-users'))),
  };
}

/** Reads the current course, since the cached one may have moved. @throws AppError, JobFailed */
async function courseOfNow(
  { canvas, scope, actFor }: ExportParts,
  work: JobWork,
  request: StudentExportRequest,
  signal: AbortSignal,
) {
  const course = await courseWithCount({ canvas, token: work.token(), signal }, request.course);
  if (!(await scope.account(actFor(work.job), course.account_id, signal))) throw notFound();
  requireSize(request, course.total_students);
  return course;
}

interface Reading {
  /** Number of students in the LMS at the start. */
  total: number;
  /** Returns the current number. */
  recount: () => Promise<number>;
  isLast: boolean;
}

/** Counts the students as they are read, and limits the size of the file. */
class CountedStudents {
  readonly #work: JobWork;
  readonly #request: StudentExportRequest;
  readonly #reading: Reading;
  readonly #progress: ReturnType<typeof recorder>;
  count = 0;
  /** Whether students joined or left the course during the last reading. */
  hasChanged = false;

  constructor(work: JobWork, request: StudentExportRequest, reading: Reading) {
    this.#work = work;
    this.#request = request;
    this.#reading = reading;
    this.#progress = recorder(work, reading.total);
  }

  /** @throws JobFailed for a course without students, or with too many; StudentsChanged */
  async *counting(pages: CourseRead['students']): AsyncGenerator<readonly ExportedStudent[], void, void> {
    let read = 0;
    try {
      for await (const page of pages) {
        read++;
        this.count += page.length;
        if (this.count > 0) requireSize(this.#request, this.count);
        this.#progress.at(this.count);
        yield page;
      }
    } finally {
      await this.#progress.ended();
    }
    // If a student leaves, the next page begins one later, and the student in between is on neither page.
    if (read > 1 || this.#reading.total > LMS_PAGE_SIZE) await this.#requireUnchanged();
    requireSize(this.#request, this.count);
    await this.#work.save({ stage: 'Writing the file' });
  }

  async #requireUnchanged(): Promise<void> {
    const { total, recount, isLast } = this.#reading;
    this.hasChanged = (await recount()) !== total;
    if (this.hasChanged && !isLast) throw new StudentsChanged();
  }
}

/** Records progress from time to time without delaying the reading; a lost lease ends the work by its signal. */
function recorder(work: JobWork, total: number) {
  let recorded = 0;
  let recording: Promise<void> = Promise.resolve();
  return {
    at(students: number): void {
      if (Date.now() - recorded < RECORD_MS) return;
      recorded = Date.now();
      recording = recording
        .then(() => work.save({ done: students, total: Math.max(total, students) }))
        .catch(() => undefined);
    },
    ended: () => recording,
  };
}

const TYPES: Record<StudentExportRequest['format'], NewFile['type']> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

/** Yields the bytes of the file as the students arrive. */
async function* content(
  { format, groups, time_zone }: StudentExportRequest,
  names: CourseRead['names'],
  students: AsyncIterable<readonly ExportedStudent[]>,
  signal: AbortSignal,
): AsyncGenerator<string | Uint8Array, void, void> {
  const columns = exportColumns(groups);
  const all = { ...names, moment: momentIn(time_zone) };
  async function* rows() {
    for await (const page of students) yield page.map((one) => exportRow(one, all));
  }
  if (format === 'xlsx') {
    yield await workbook({ name: 'Students', columns }, rows(), signal);
    return;
  }
  yield `${BYTE_ORDER_MARK}${excelLine(columns)}\r\n`;
  for await (const page of rows()) yield page.map((row) => `${excelLine(row.map(guarded))}\r\n`).join('');
}

function requireSize({ format }: StudentExportRequest, students: number): void {
  if (students === 0)
    throw new JobFailed(
      texts.nobody,
      'Only students who are enrolled or invited are exported. Check the course.',
    );
  if (format === 'xlsx' && students > MAX_WORKBOOK_ROWS)
    throw new JobFailed(texts.tooLarge(MAX_WORKBOOK_ROWS), 'Export it as CSV, which Excel can also open.');
}

function notFound(): AppError {
  return new AppError('not-found', {
    message: texts.notFound,
    next: 'Check the number in the address of the course in the LMS.',
  });
}

const CHANGED =
  'Students joined or left the course while it was read, so someone may be missing from the file. Export the course again.';

/** Joins the sentences about the file; null if there are none. */
function noteOf(hasChanged: boolean, untold: readonly string[]): string | null {
  return [...(hasChanged ? [CHANGED] : []), ...untold].join(' ') || null;
}

/**
 * Describes the missing parts of the file, and the next step.
 * @param canSearch whether the person has Search Users
 */
function untoldSentences({ columns, invited }: Untold, canSearch: boolean): string[] {
  const look = canSearch
    ? 'If you need it, look it up in Search Users.'
    : 'If you need it, ask an administrator who can search for people.';
  return [
    ...(columns.length > 0
      ? [
          `You do not have permission to read these columns in the LMS, so they are empty: ${columns.join(', ')}. If you need them, ask IT Support for the permission, and export the course again.`,
        ]
      : []),
    ...(invited > 0
      ? [
          `${counted(invited, 'student has', 'students have')} not yet accepted the invitation to the course, so the LMS does not show their login. ${look}`,
        ]
      : []),
  ];
}
