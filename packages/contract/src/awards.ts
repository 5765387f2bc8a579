/** The Best Teaching Award in requests and answers: opening date, list, figures and reports (area BTA). */
import { AWARD_VIEWS, COURSE_TYPES } from '@lms-admin/domain/award-campuses';
import { LIST_HEADER } from '@lms-admin/domain/award-entries';
import { UNMATCHED } from '@lms-admin/domain/award-join';
import { MAX_LIST_ROWS } from '@lms-admin/domain/award-list-rows';
import type { ReportRow } from '@lms-admin/domain/award-reports';
import { LEFT_OUT } from '@lms-admin/domain/award-votes';
import { z } from 'zod';

/** Id of the kind of job that reads the survey again. It starts at its own address, not through `jobStartPath`. */
export const AWARD_REFRESH = 'award-refresh';
/** Id of the kind of job that writes a report as an Excel file. */
export const AWARD_EXPORT = 'award-export';

/** Maximum size of an uploaded workbook, in bytes. */
export const MAX_AWARD_FILE_BYTES = 5 * 1024 * 1024;
/** Maximum size of a list as JSON, in bytes. */
export const MAX_AWARD_LIST_BYTES = 12 * 1024 * 1024;
/** Maximum number of problems, and of hints, that are listed individually. */
export const MAX_LISTED = 100;

const count = z.number().int().nonnegative();
const courseType = z.enum(COURSE_TYPES);

/** Entry of the list in `GET opening-date`: one record, or none before the first date (BTA-40, BTA-42). */
export const openingRecord = z.object({
  /** `2026-03-05` */
  opening_date: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Name of the administrator, from the session (OP-99). */
  created_by: z.string(),
  updated_by: z.string(),
});
export type OpeningRecord = z.infer<typeof openingRecord>;

/** Body of `POST opening-date` (BTA-43). Other fields are ignored: the server sets them (OP-88). */
export const openingRequest = z.object({ opening_date: z.string().max(100) });

/** Entry of the list in `GET last-updated-info`: one, or none without a list (BTA-41, BTA-45). */
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
/** A row of the list, without its author. */
export type ListEntry = z.infer<typeof listEntry>;

/** A row of the current list (BTA-46). */
export const listRow = listEntry.extend({ updated_at: z.string() });
export type ListRow = z.infer<typeof listRow>;

/** A row of the template: `POST import/excel` takes a list of these (BTA-38, BTA-47), and the check returns them. */
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

/** Body of `POST import/excel`: each row is checked again, so rows can have any shape. */
export const sheetRows = z.array(z.record(z.string().max(255), z.unknown())).max(MAX_LIST_ROWS + 1);
/** Query of `POST import/excel`. `version`: the list used for the comparison; 409 when another list is current. */
export const sheetQuery = z.object({
  version: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional(),
});

/** A problem: what it is, where, and what to do. */
export const listProblem = z.object({
  /** Row in the sheet, whose header is row 1; null for the whole sheet. */
  row: count.nullable(),
  column: z.enum(LIST_HEADER).nullable(),
  message: z.string(),
  next: z.string(),
});
export type ListProblem = z.infer<typeof listProblem>;

/** Changes from the current list. Entries are matched by campus, course id and professor id. */
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
 * Answer of `POST import/check` (multipart, the workbook in `file`); nothing is stored. A file that is not a workbook
 * is a 400 with `awardImportMessages.invalidFile` (BTA-36), with the reason as its next step.
 */
export const listCheck = z.discriminatedUnion('template', [
  /** 'Template not valid' (BTA-35), with the reason. */
  z.object({ template: z.literal(false), file: z.string(), message: z.string(), next: z.string() }),
  z.object({
    template: z.literal(true),
    /** File name. */
    file: z.string(),
    /** Name of the first sheet, the only one that is read (BTA-34). */
    sheet: z.string(),
    /** Rows to send to `import/excel`; empty while there are problems. */
    rows: z.array(sheetRow),
    /** The first problems, at most `MAX_LISTED`, and their total number. */
    problems: z.array(listProblem),
    problem_count: count,
    /** Values that are accepted but may be mistakes. */
    hints: z.array(listProblem),
    hint_count: count,
    /** Names of ignored columns. */
    ignored: z.array(z.string()),
    /** Null while there are problems. */
    changes: listChanges.nullable(),
    /** Number of the list used for the comparison. */
    version: count,
  }),
]);
export type ListCheck = z.infer<typeof listCheck>;

/** A list: the current or the previous one. */
export const listInfo = z.object({
  /** Number that a list gets when it becomes current; 0 without a list. */
  version: count,
  rows: count,
  updated_by: z.string(),
  updated_at: z.string(),
});
export type ListInfo = z.infer<typeof listInfo>;

/** Answer of `POST import/excel` and `POST import/restore`: the current list. */
export const listReplaced = z.object({ list: listInfo, previous: listInfo.nullable() });
export type ListReplaced = z.infer<typeof listReplaced>;

/** Answer of `GET import/previous`. */
export const previousList = z.object({
  /** Null while there is no list. */
  list: listInfo.nullable(),
  /** The previous list, which can be restored; null while there is none. */
  previous: listInfo.nullable(),
  /** Changes that restoring the previous list would make. */
  changes: listChanges.nullable(),
});
export type PreviousList = z.infer<typeof previousList>;

/** Body of `POST import/restore`: the number of the previous list that was shown; 409 when it is another one now. */
export const restoreRequest = z.object({ version: count });

const leftOut = z.object(
  Object.fromEntries(LEFT_OUT.map((reason) => [reason, count])) as Record<
    (typeof LEFT_OUT)[number],
    typeof count
  >,
);

/** Answer of `GET stats`: the summary of the responses (BTA-14, BTA-49). */
export const awardStats = z.object({
  /** Number of voters that count: 'Responses: N' (OP-105). */
  responsecount: count,
  /** When the survey was last read; null if never. */
  createdAt: z.string().nullable(),
  /** Part of the address of the refresh (OP-90); null without a survey, see `not_configured`. */
  survey_id: z.string().nullable(),
  not_configured: z.object({ message: z.string(), next: z.string() }).nullable(),
  /** Whether the figures need no refresh: they are less than an hour old and use the current opening date. */
  up_to_date: z.boolean(),
  /** The opening date from which responses were counted; null if all were counted. */
  counted_from: z.string().nullable(),
  /** All responses of the survey: `responsecount` and all excluded ones. */
  total: count,
  left_out: leftOut,
  /** Responses that count but are anonymous, so each counts separately. */
  anonymous: count,
  /** Responses that count but contain no choice. */
  blank: count,
  /** The current refresh, by any administrator; null while there is none. */
  refresh: z
    .object({
      job: z.uuid(),
      /** Whether the refresh is the current person's own, so that they can open its job. */
      own: z.boolean(),
      /** Name of the administrator. */
      by: z.string(),
      /** User-facing text for the current step. */
      stage: z.string().nullable(),
      started_at: z.string(),
    })
    .nullable(),
  /** Why the latest refresh failed; null if it did not. The figures are then those of an earlier refresh. */
  failed: z.object({ message: z.string(), next: z.string(), at: z.string() }).nullable(),
});
export type AwardStats = z.infer<typeof awardStats>;

/**
 * Answer of the refresh. `running`: the survey is being read by the work in `job`; poll `stats` until it has ended.
 * `up-to-date`: nothing was started, because the figures are less than an hour old. `success`: the figures are new;
 * only GET answers this, after waiting for a few seconds.
 */
export const refreshAnswer = z.object({
  status: z.enum(['success', 'running', 'up-to-date']),
  job: z.uuid().nullable(),
  /** Whether the job is the current person's own. */
  own: z.boolean(),
  /** Message for the person. */
  message: z.string(),
});
export type RefreshAnswer = z.infer<typeof refreshAnswer>;

const figures = {
  votes: count,
  /** Votes from identified voters among them; not shown (OP-86). */
  studentvotes: count,
  /** Votes per hundred people enrolled, with one decimal; null if no one is enrolled. */
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

/** Converts a row to its documented names. */
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

/** Returns the row in the form that `leadingRows` and `reportCells` take. */
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

/** Answer of the three reports (BTA-48). */
export const awardReportAnswer = z.object({
  /** Rows with most votes first; ties have a fixed order (OP-105). */
  rows: z.array(awardRow),
  /** Number of leading rows, which the chart shows, and of further rows with as many votes as the last of them. */
  leading: z.object({ rows: count, as_many: count }),
  /** Votes without a row in the list (OP-105), most votes first. */
  unmatched: z.array(
    z.object({
      campus: z.string(),
      course: z.string(),
      professor: z.string(),
      votes: count,
      studentvotes: count,
      reason: z.enum(UNMATCHED),
      /** Entries that may have been meant. */
      nearest: z.array(listEntry),
    }),
  ),
  /** When the survey was read, and when the list became current. */
  createdAt: z.string().nullable(),
  list_updated_at: z.string().nullable(),
  /** Digest of the rows' figures, for the Excel file. */
  digest: z.string(),
});
export type AwardReportAnswer = z.infer<typeof awardReportAnswer>;

/** Query of `by-prof/{id}` (OP-85); `core-courses/{id}` and `elective-courses/{id}` have the type in their path. */
export const profQuery = z.object({ course_type: courseType.default('elective') });

/** Input of `POST /api/jobs/start/award-export`. */
export const awardExportRequest = z.strictObject({
  view: z.enum(AWARD_VIEWS),
  /** A code, as in the address of the report. */
  campus: z.string().max(20),
  type: courseType,
  /** Digest of the figures shown: the file must have the same ones. Without it, the file has the current figures. */
  digest: z.string().max(100).optional(),
});
