/** The Best Teaching Award as it travels: opening date, list, figures and reports (area BTA). */
import { AWARD_VIEWS, COURSE_TYPES } from '@lms-admin/domain/award-campuses';
import { LIST_HEADER } from '@lms-admin/domain/award-entries';
import { UNMATCHED } from '@lms-admin/domain/award-join';
import { MAX_LIST_ROWS } from '@lms-admin/domain/award-list-rows';
import type { ReportRow } from '@lms-admin/domain/award-reports';
import { LEFT_OUT } from '@lms-admin/domain/award-votes';
import { z } from 'zod';

/** Id of the kind of job that reads the survey again. It is started at an address of its own, not by `jobStartPath`. */
export const AWARD_REFRESH = 'award-refresh';
/** Id of the kind of job that writes a report as an Excel file. */
export const AWARD_EXPORT = 'award-export';

/** Most bytes of an uploaded workbook. */
export const MAX_AWARD_FILE_BYTES = 5 * 1024 * 1024;
/** Most bytes of a list as JSON. */
export const MAX_AWARD_LIST_BYTES = 12 * 1024 * 1024;
/** Most problems, and most hints, that are told one by one. */
export const MAX_TOLD = 100;

const count = z.number().int().nonnegative();
const courseType = z.enum(COURSE_TYPES);

/** What `GET opening-date` has a list of, with one record, or none before the first date (BTA-40, BTA-42). */
export const openingRecord = z.object({
  /** `2026-03-05` */
  opening_date: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Name of the admin, by the session (OP-99). */
  created_by: z.string(),
  updated_by: z.string(),
});
export type OpeningRecord = z.infer<typeof openingRecord>;

/** Body of `POST opening-date` (BTA-43). Whatever else it holds is passed over: the server sets those fields (OP-88). */
export const openingRequest = z.object({ opening_date: z.string().max(100) });

/** What `GET last-updated-info` has a list of: one, or none while there is no list (BTA-41, BTA-45). */
export const lastUpdated = z.object({ updated_by: z.string(), updated_at: z.string() });

const listEntry = z.object({
  campus: z.string(),
  course: z.string(),
  course_id: z.string(),
  enrolled: count,
  professor_id: z.string(),
  professor: z.string(),
  type: courseType,
});
/** A row of the list, without who made it. */
export type ListEntry = z.infer<typeof listEntry>;

/** A row of the current list (BTA-46). */
export const listRow = listEntry.extend({ updated_at: z.string() });
export type ListRow = z.infer<typeof listRow>;

/** A row of the template, as `POST import/excel` takes a list of (BTA-38, BTA-47); the check answers with such rows. */
export const sheetRow = z.object({
  Campus: z.string(),
  Course: z.string(),
  'Course ID': z.string(),
  Enrolled: count,
  'Prof ID': z.string(),
  Professor: z.string(),
  Type: z.string(),
});
export type SheetRecord = z.infer<typeof sheetRow>;

/** Body of `POST import/excel`: each row is checked again, so that rows of any shape may be sent. */
export const sheetRows = z.array(z.record(z.string().max(255), z.unknown())).max(MAX_LIST_ROWS + 1);
/** Query of it. `version`: the list that this one was compared with; 409 when another one is in force meanwhile. */
export const sheetQuery = z.object({
  version: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional(),
});

/** What is wrong, where, and what to do. */
export const listProblem = z.object({
  /** As in the sheet, whose header is row 1; null for the sheet as a whole. */
  row: count.nullable(),
  column: z.enum(LIST_HEADER).nullable(),
  message: z.string(),
  next: z.string(),
});
export type ListProblem = z.infer<typeof listProblem>;

/** What a list changes against the current one. Entries are the same by campus, course id and professor id. */
export const listChanges = z.object({
  added: z.array(listEntry),
  changed: z.array(
    z.object({
      entry: listEntry,
      fields: z.array(
        z.object({
          column: z.enum(LIST_HEADER),
          from: z.union([z.string(), z.number()]),
          to: z.union([z.string(), z.number()]),
        }),
      ),
    }),
  ),
  gone: z.array(listEntry),
  unchanged: count,
});
export type ListChanges = z.infer<typeof listChanges>;

/**
 * What `POST import/check` (multipart, the workbook in `file`) answers; nothing is kept. A file that is no workbook is a 400
 * with `awardImportMessages.invalidFile` (BTA-36), and what is the matter as its next step.
 */
export const listCheck = z.discriminatedUnion('template', [
  /** 'Template not valid' (BTA-35), and in which way. */
  z.object({ template: z.literal(false), file: z.string(), message: z.string(), next: z.string() }),
  z.object({
    template: z.literal(true),
    /** File name. */
    file: z.string(),
    /** Name of the first sheet, which is the one that is read (BTA-34). */
    sheet: z.string(),
    /** What to send to `import/excel`; empty while there are problems. */
    rows: z.array(sheetRow),
    /** The first of them, at most `MAX_TOLD`, and how many there are. */
    problems: z.array(listProblem),
    problem_count: count,
    /** What is taken as it is, and may not be meant. */
    hints: z.array(listProblem),
    hint_count: count,
    /** Names of columns that are not looked at. */
    ignored: z.array(z.string()),
    /** Null while there are problems. */
    changes: listChanges.nullable(),
    /** Number of the list that it was compared with. */
    version: count,
  }),
]);
export type ListCheck = z.infer<typeof listCheck>;

/** A list: the current one, or the former one. */
export const listInfo = z.object({
  /** Each list that comes into force has a number; 0 while there is none. */
  version: count,
  rows: count,
  updated_by: z.string(),
  updated_at: z.string(),
});
export type ListInfo = z.infer<typeof listInfo>;

/** What `POST import/excel` and `POST import/restore` answer: the list that is in force now. */
export const listReplaced = z.object({ list: listInfo, previous: listInfo.nullable() });
export type ListReplaced = z.infer<typeof listReplaced>;

/** What `GET import/previous` answers. */
export const previousList = z.object({
  /** Null while there is no list. */
  list: listInfo.nullable(),
  /** The former one, which one press brings back; null while there is none. */
  previous: listInfo.nullable(),
  /** What bringing it back would change. */
  changes: listChanges.nullable(),
});
export type PreviousList = z.infer<typeof previousList>;

/** Body of `POST import/restore`: the number of the former list that was seen; 409 when it is another one meanwhile. */
export const restoreRequest = z.object({ version: count });

const leftOut = z.object(
  Object.fromEntries(LEFT_OUT.map((reason) => [reason, count])) as Record<
    (typeof LEFT_OUT)[number],
    typeof count
  >,
);

/** What `GET stats` answers: the summary of the responses (BTA-14, BTA-49). */
export const awardStats = z.object({
  /** Voters that count: 'Responses: N' (OP-105). */
  responsecount: count,
  /** When the survey was last read; null before the first time. */
  createdAt: z.string().nullable(),
  /** Goes into the address of the refresh (OP-90); null where no survey is set up, see `not_configured`. */
  survey_id: z.string().nullable(),
  not_configured: z.object({ message: z.string(), next: z.string() }).nullable(),
  /** Whether a refresh would be refused as not needed: less than an hour old, and counted from the opening date of now. */
  up_to_date: z.boolean(),
  /** The opening date from which was counted; null: from the beginning. */
  counted_from: z.string().nullable(),
  /** All responses of the survey: `responsecount` and everything left out. */
  total: count,
  left_out: leftOut,
  /** Of those that count: no one can tell whose they are, so that each counts. */
  anonymous: count,
  /** Of those that count: without any choice. */
  blank: count,
  /** The refresh that goes on, anyone who asked for it; null while there is none. */
  refresh: z
    .object({
      job: z.uuid(),
      /** Whether it is one's own, and its job can be looked at. */
      own: z.boolean(),
      /** Name of the admin. */
      by: z.string(),
      /** What is being done, in words. */
      stage: z.string().nullable(),
      started_at: z.string(),
    })
    .nullable(),
  /** Why the latest refresh failed; null when it did not. The figures are the former ones it. */
  failed: z.object({ message: z.string(), next: z.string(), at: z.string() }).nullable(),
});
export type AwardStats = z.infer<typeof awardStats>;

/**
 * What the refresh answers. `running`: the survey is being read, `job` says by which work; look at `stats` until it has
 * ended. `up-to-date`: nothing was begun, since the figures are less than an hour old. `success`: the figures are new; only
 * GET answers so, which waits for some seconds.
 */
export const refreshAnswer = z.object({
  status: z.enum(['success', 'running', 'up-to-date']),
  job: z.uuid().nullable(),
  /** Whether the job is one's own. */
  own: z.boolean(),
  /** What to tell. */
  message: z.string(),
});
export type RefreshAnswer = z.infer<typeof refreshAnswer>;

const figures = {
  votes: count,
  /** Of them, those of voters that can be told apart; not shown (OP-86). */
  studentvotes: count,
  /** Of a hundred enrolled, with one decimal; null when no one is enrolled. */
  pvotes: z.number().nullable(),
};
const coreRow = z.object({
  coreChoiceCourseName: z.string(),
  coreChoiceProfessor: z.string(),
  coreChoiceCampus: z.string(),
  coreChoiceTotalEnrolled: count,
  ...figures,
});
const electiveRow = z.object({
  electiveChoiceCourseName: z.string(),
  electiveChoiceProfessor: z.string(),
  electiveChoiceCampus: z.string(),
  electiveChoiceTotalEnrolled: count,
  ...figures,
});
/** A row of a report by its documented names (BTA-26). */
export const awardRow = z.union([coreRow, electiveRow]);
export type AwardRow = z.infer<typeof awardRow>;

/** A row by its documented names. */
export function toAwardRow(type: (typeof COURSE_TYPES)[number], row: ReportRow): AwardRow {
  const { course, professor, campus, enrolled, votes, known, percent } = row;
  const counted = { votes, studentvotes: known, pvotes: percent };
  return type === 'core'
    ? {
        coreChoiceCourseName: course,
        coreChoiceProfessor: professor,
        coreChoiceCampus: campus,
        coreChoiceTotalEnrolled: enrolled,
        ...counted,
      }
    : {
        electiveChoiceCourseName: course,
        electiveChoiceProfessor: professor,
        electiveChoiceCampus: campus,
        electiveChoiceTotalEnrolled: enrolled,
        ...counted,
      };
}

/** The row as `leadingRows` and `reportCells` take it. */
export function fromAwardRow(row: AwardRow): ReportRow {
  const counted = { votes: row.votes, known: row.studentvotes, percent: row.pvotes };
  return 'coreChoiceCourseName' in row
    ? {
        course: row.coreChoiceCourseName,
        professor: row.coreChoiceProfessor,
        campus: row.coreChoiceCampus,
        enrolled: row.coreChoiceTotalEnrolled,
        ...counted,
      }
    : {
        course: row.electiveChoiceCourseName,
        professor: row.electiveChoiceProfessor,
        campus: row.electiveChoiceCampus,
        enrolled: row.electiveChoiceTotalEnrolled,
        ...counted,
      };
}

/** What the three reports answer (BTA-48). */
export const awardReportAnswer = z.object({
  /** Those with most votes first; ties stand in an order of their own, which stays (OP-105). */
  rows: z.array(awardRow),
  /** How many rows lead, which the chart shows, and how many more have as many votes as the last of them. */
  leading: z.object({ rows: count, as_many: count }),
  /** Votes without a row of the list (OP-105), those with most votes first. */
  unmatched: z.array(
    z.object({
      campus: z.string(),
      course: z.string(),
      professor: z.string(),
      votes: count,
      studentvotes: count,
      reason: z.enum(UNMATCHED),
      /** What may have been meant. */
      nearest: z.array(listEntry),
    }),
  ),
  /** When the survey was read, and when the list came into force. */
  createdAt: z.string().nullable(),
  list_updated_at: z.string().nullable(),
  /** Of the figures of the rows, for the Excel file. */
  digest: z.string(),
});
export type AwardReportAnswer = z.infer<typeof awardReportAnswer>;

/** Query of `by-prof/{id}` (OP-85); `core-courses/{id}` and `elective-courses/{id}` say it by their path. */
export const profQuery = z.object({ course_type: courseType.default('elective') });

/** Input of `POST /api/jobs/start/award-export`. */
export const awardExportRequest = z.strictObject({
  view: z.enum(AWARD_VIEWS),
  /** A code, as in the address of the report. */
  campus: z.string().max(20),
  type: courseType,
  /** Of the figures that were seen: no file is made of others. Without it, the file has those of the moment. */
  digest: z.string().max(100).optional(),
});
