/** Texts of the Best Teaching Award, its reports and its import (area BTA), verbatim; our own are marked. */
import {
  type AwardCampus,
  type AwardView,
  type CourseType,
  campusOf,
} from '@lms-admin/domain/award-campuses';
import type { Unmatched } from '@lms-admin/domain/award-join';
import type { LeftOut } from '@lms-admin/domain/award-votes';
import { counted } from '@lms-admin/domain/numbers';

/** Spelling as in the document (OP-23); `ABD` and `FBLSG` as `A` and `B` (OP-87). */
const CAMPUSES: Readonly<Record<AwardCampus, string>> = {
  SGP: 'Singapore Campus', // BTA-22
  FBL: 'Fonteinbleu Campus',
  ABD: 'Abu Dhabi',
  FBLSG: 'BTH Campus',
};

/** The space at the end is in the document (BTA-25). */
const COURSE_TYPES: Readonly<Record<CourseType, string>> = {
  core: 'Core Course ',
  elective: 'Elective Course ',
};

const INVALID_CAMPUS = 'Invalid Campus'; // BTA-23

function campusTitle(code: string): string {
  const campus = campusOf(code);
  return campus === null ? INVALID_CAMPUS : CAMPUSES[campus];
}

export const awardReportMessages = {
  title: 'Best Teaching Award Report', // BTA-02
  steps: ['Setup', 'View Result'], // BTA-02
  openingDate: 'BTA Vote Opening Date', // BTA-04
  tabs: { 'by-campus': 'By Campus & Course', 'by-prof': 'By Professor' } satisfies Record<AwardView, string>, // BTA-05
  types: { elective: 'Elective', core: 'Core' } satisfies Record<CourseType, string>, // BTA-07
  configure: 'Configure', // BTA-11
  loading: 'Survey results are loading.. please wait.', // BTA-12
  responses: (count: number) => `Responses: ${count}`, // BTA-13
  upToDate: 'Up to date', // BTA-15
  refresh: 'Refresh',
  fresh: 'Data up to date, Please refresh after an hour', // BTA-16
  refreshing: 'Refreshing Data from Qualtrics', // BTA-17
  failed: 'Error Fetching Data', // BTA-52
  columns: {
    course: 'Course Name', // BTA-20, BTA-21
    professor: 'Faculty',
    campus: 'Campus',
    enrolled: 'Npax (Excel)',
    votes: 'Nvotes',
    percent: '% of Votes',
  },
  /** Name of a campus. @param code see `campusOf` */
  campusTitle,
  /** Returns the title of a report. @param code of the campus, see `campusOf` */
  reportTitle: (view: AwardView, code: string, type: CourseType) =>
    view === 'by-prof'
      ? `${COURSE_TYPES[type]} - By Prof` // BTA-21
      : `${campusTitle(code)} - ${COURSE_TYPES[type]}`, // BTA-25
  /** Ours: what happened to the responses that do not count (OP-105). */
  leftOut: {
    preview: (count: number) => counted(count, 'preview', 'previews'),
    test: (count: number) => counted(count, 'test response', 'test responses'),
    spam: (count: number) => counted(count, 'response marked as spam', 'responses marked as spam'),
    status: (count: number) =>
      counted(
        count,
        'response with a status that is not a vote',
        'responses with a status that is not a vote',
      ),
    unreadable: (count: number) => counted(count, 'unreadable response', 'unreadable responses'),
    unfinished: (count: number) => counted(count, 'unfinished response', 'unfinished responses'),
    early: (count: number) =>
      counted(count, 'response from before the opening date', 'responses from before the opening date'),
    replaced: (count: number) =>
      counted(
        count,
        'earlier response from a person who voted again',
        'earlier responses from people who voted again',
      ),
  } satisfies Record<LeftOut, (count: number) => string>,
  /** Ours: why votes are listed separately (OP-105). */
  unmatched: {
    'not-in-list': 'Not in the list',
    'other-type': 'In the list as a course of the other type',
    several: 'Several rows of the list have this name, and the survey has no IDs',
  } satisfies Record<Unmatched, string>,
} as const;

export const awardImportMessages = {
  title: 'Best Teaching Award Report Data Configuration', // BTA-03
  openingDate: 'BTA Vote Opening Date', // BTA-27
  list: 'Professor and Course List', // BTA-28
  columns: {
    professor: 'Professor', // BTA-28
    professorId: 'Prof ID',
    course: 'Course',
    campus: 'Campus',
    enrolled: 'Enrolled',
    type: 'Type',
    courseId: 'Course ID',
  },
  back: 'Back', // BTA-29
  template: 'Download BTA template', // BTA-30
  templateFile: 'Template_Setup_DDMMYYYY.xls', // BTA-30, OP-92
  upload: 'Upload File', // BTA-31
  empty: 'No data found', // BTA-32
  warning: 'Warning', // BTA-33
  notValid: 'Template not valid', // BTA-33, BTA-35
  ok: 'Ok', // BTA-33
  invalidFile: 'Upload failed: Invalid excel file', // BTA-36
  uploaded: 'Data has been uploaded successfully', // BTA-37
  failed: {
    lastUpdated: 'Error when get last updated at', // BTA-53
    openingDate: 'Error when get opening date',
    list: 'Error when get excel data',
  },
} as const;
