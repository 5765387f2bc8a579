/** Every path of the back end, in one place (OP-98). Prescribed paths stay unchanged. */
export const ENDPOINTS = {
  /** Starts sign-in; query `return`: a path of the console. */
  login: '/api/auth/login',
  token: '/api/auth/token',
  /** LMS wrapper (OP-03: the path is our choice). */
  invoke: '/api/auth/invoke',
  /** The same for a whole list: pages as lines, in order, as they arrive. */
  invokePages: '/api/auth/invoke/pages',
  logStatus: '/api/auth/log-status',
  /** Public settings of the installation, which the welcome screen needs as well. */
  settings: '/api/settings',
  plan: '/api/enrollments/plans/:plan',
  /** Query `course`: Canvas course id. */
  planPeople: '/api/enrollments/plans/:plan/people',
  sectionPlan: '/api/enrollments/section-plans/:plan',
  /** Query `section`: Canvas section id; also `role` if the plan has the section with several roles. */
  sectionPlanPeople: '/api/enrollments/section-plans/:plan/people',
  undoPlan: '/api/enrollments/undo/:plan',
  /** Query as for `sectionPlanPeople`. */
  undoPlanPeople: '/api/enrollments/undo/:plan/people',
  groupPlan: '/api/groups/plans/:plan',
  memberPlan: '/api/groups/member-plans/:plan',
  memberUndoPlan: '/api/groups/undo/:plan',
  /** The person's own group imports in a course that are in progress, or whose end they have not seen. */
  groupImports: '/api/groups/courses/:course/imports',
  /** Courses by number, address, SIS ID or name; query `text`. */
  courseSearch: '/api/courses/find',
  /** People who can own meetings in Zoom (ZC-41). */
  zoomSchedulers: '/api/zoom/schedulers',
  /** Preview of a change; a `zoom-change` contains its digest. */
  zoomPreview: '/api/zoom/preview',
  /** Each starts a `zoom-change` (OP-68). */
  zoomUpdateOwner: '/api/zoom/update_owner',
  zoomMerge: '/api/zoom/merge_events',
  zoomUnmerge: '/api/zoom/un_merge_event',
  /** Unfinished changes of a course, including other people's. */
  zoomOpenChanges: '/api/zoom/courses/:course/changes',
  /** The calendar file of one event (OP-101). */
  zoomIcs: '/api/zoom/courses/:course/events/:event/calendar.ics',
  /** Starts a `zoom-run`, by GET with a header or by POST (OP-61). */
  zoomRun: '/api/auth/zoom-s3-course-update',
  zoomQueue: '/api/auth/zoom-s3-course-queue-data',
  zoomQueueUpdate: '/api/auth/zoom-s3-course-queue-update',
  /** The opening of the vote, by GET and by POST (BTA-42, BTA-43). */
  awardOpening: '/best-teaching-reports/api/opening-date',
  /** Codes of the campuses with a report (BTA-44). */
  awardCampuses: '/best-teaching-reports/api/campus',
  awardUpdated: '/best-teaching-reports/api/last-updated-info',
  /** The current list; POST replaces it as a whole (BTA-46, BTA-47). */
  awardList: '/best-teaching-reports/api/import/excel',
  /** Contents of a workbook and the changes it would make; nothing is stored. */
  awardCheck: '/best-teaching-reports/api/import/check',
  awardPrevious: '/best-teaching-reports/api/import/previous',
  awardRestore: '/best-teaching-reports/api/import/restore',
  awardStats: '/best-teaching-reports/api/stats',
  /** Starts an `award-refresh`, by GET with a header or by POST (OP-61, BTA-50). */
  awardRefresh: '/best-teaching-reports/api/refresh-qualtrics/:survey',
  /** Reports; `id` is the code of a campus, and `course_type` a query parameter of the first one (OP-85). */
  awardByProf: '/best-teaching-reports/api/by-prof/:id',
  awardCore: '/best-teaching-reports/api/core-courses/:id',
  awardElective: '/best-teaching-reports/api/elective-courses/:id',
  /** One image as a data URL; returns its link (IMG-13). */
  imageUpload: '/api/aws/aws-upload',
  /** The administrator's own images. */
  images: '/api/images',
  /** Looks people up by SIS ID and by login; answers line by line. */
  peopleLookup: '/api/people/lookup',
  /** People in the copy of the LMS, by part of a name; empty without a copy. */
  directoryPeople: '/api/directory/people',
  /** Courses of an account in the copy of the LMS, in lines; none without a copy. */
  directoryCourses: '/api/directory/courses',
  /** Uploads an SIS file, which is checked and stored; nothing is sent to the LMS (SIS-07, OP-53). */
  sisFiles: '/sis-import',
  sisFile: '/api/sis-files/:file',
  /** Changes in the file, once compared; then its rows, and the courses of its enrolments, in parts. */
  sisEffect: '/api/sis-files/:file/effect',
  sisEffectRows: '/api/sis-files/:file/effect/rows',
  sisEffectCourses: '/api/sis-files/:file/effect/courses',
  /** Opens the file for correction: the rows that the LMS would reject are its problems. */
  sisEffectDraft: '/api/sis-files/:file/effect/draft',
  /** The administrator's own drafts that are still open. */
  sisDrafts: '/api/sis-drafts',
  /** A rejected file: read for correction by GET, discarded by DELETE; its rows with problems, in parts. */
  sisDraft: '/api/sis-drafts/:draft',
  sisDraftRows: '/api/sis-drafts/:draft/rows',
  sisDraftCorrections: '/api/sis-drafts/:draft/corrections',
  /** Checks the corrected file like an upload, and stores it. */
  sisDraftFile: '/api/sis-drafts/:draft/file',
  sisDraftCsv: '/api/sis-drafts/:draft/file.csv',
  /** The administrator's own recent imports. */
  imports: '/api/imports',
  importMessages: '/api/imports/:import/messages',
  /** The administrator's own rows with messages of the LMS. */
  importRows: '/api/imports/:import/rows',
  /** The same rows as a CSV, ready for correction and another upload. */
  importFailedRows: '/api/imports/:import/failed-rows.csv',
  /** A file of the LMS about an import: `errors`, or `csv-1` for the first of its CSVs. */
  importAttachment: '/api/imports/:import/attachments/:attachment',
  /** Long work: the person's own jobs, or everyone's for `perm` `ALL`; filters are `JobQuery`. */
  jobs: '/api/jobs',
  /** Number of unfinished jobs, and recently ended ones. */
  jobSummary: '/api/jobs/summary',
  job: '/api/jobs/:job',
  jobCancel: '/api/jobs/:job/cancel',
  jobItems: '/api/jobs/:job/items',
  jobFile: '/api/jobs/:job/files/:file',
  /** The current person's permissions, with their reasons. */
  accessMe: '/api/access/me',
  accessPeople: '/api/access/people',
  /** Names that records can hold: programmes and roles. */
  accessFollow: '/api/access/follow',
  accessPlaces: '/api/access/places',
  accessLogins: '/api/access/logins',
  /** All permissions of a person; query `person`. */
  accessCheck: '/api/access/check',
  /** 'Can this person do that?', and who can. */
  accessQuestion: '/api/access/question',
  accessWho: '/api/access/who',
  /** Records compared with the administrators of the LMS. */
  accessDrift: '/api/access/drift',
  /** Permissions that changes would add and remove; the second path saves the changes as reviewed. */
  accessReview: '/api/access/review',
  accessSave: '/api/access/save',
  /** Changes that wait for a second person. */
  accessRequests: '/api/access/requests',
  accessRequest: '/api/access/requests/:request',
  accessHistory: '/api/access/history',
  accessHistoryCsv: '/api/access/history.csv',
  /** The system page; opening it is recorded. */
  system: '/api/system',
  systemClocks: '/api/system/clocks',
  /** One part of the checks: `SystemCheck`. */
  systemCheck: '/api/system/checks/:check',
  systemWork: '/api/system/work',
  systemOutside: '/api/system/outside',
  systemStorage: '/api/system/storage',
  systemKept: '/api/system/kept',
  systemErrors: '/api/system/errors',
  systemSupport: '/api/system/support',
  systemDirectory: '/api/system/directory',
  systemDirectoryRefresh: '/api/system/directory/refresh',
  /** Releases work that is held since a restore. */
  systemRelease: '/api/system/release',
  health: '/healthz',
  ready: '/readyz',
  metrics: '/metrics',
  version: '/version',
} as const;

/** Where LMS Admin's own server publishes images: this path and the key. */
export const IMAGES_PATH = '/images/';

/** Header required for a GET that starts work, which other sites cannot set (OP-61). */
export const OWN_REQUEST = { name: 'x-requested-with', value: 'lms-admin' } as const;

/** Returns the path that starts work of a kind. */
export function jobStartPath(kind: string): `/api/jobs/start/${string}` {
  return `/api/jobs/start/${kind}`;
}
