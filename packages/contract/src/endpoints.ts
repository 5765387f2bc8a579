/** Every path of the back end, in one place (OP-98). Paths that the documents give stay as given. */
export const ENDPOINTS = {
  /** Starts sign-in; query `return`: a path of the console. */
  login: '/api/auth/login',
  token: '/api/auth/token',
  /** LMS wrapper (OP-03: the path is our choice). */
  invoke: '/api/auth/invoke',
  /** The same for a whole list: pages as lines, in order, as they come. */
  invokePages: '/api/auth/invoke/pages',
  logStatus: '/api/auth/log-status',
  /** Public settings of the installation, for the welcome screen too. */
  settings: '/api/settings',
  plan: '/api/enrollments/plans/:plan',
  /** Query `course`: Canvas course id. */
  planPeople: '/api/enrollments/plans/:plan/people',
  sectionPlan: '/api/enrollments/section-plans/:plan',
  /** Query `section`: Canvas section id; `role` too where the plan has the section with several. */
  sectionPlanPeople: '/api/enrollments/section-plans/:plan/people',
  undoPlan: '/api/enrollments/undo/:plan',
  /** Query as for `sectionPlanPeople`. */
  undoPlanPeople: '/api/enrollments/undo/:plan/people',
  groupPlan: '/api/groups/plans/:plan',
  memberPlan: '/api/groups/member-plans/:plan',
  memberUndoPlan: '/api/groups/undo/:plan',
  /** Own imports into groups of a course that go on, or whose end has not been seen yet. */
  groupImports: '/api/groups/courses/:course/imports',
  /** Courses by number, address, SIS ID or name; query `text`. */
  courseSearch: '/api/courses/find',
  /** Who may own meetings in Zoom (ZC-41). */
  zoomSchedulers: '/api/zoom/schedulers',
  /** What a change would do; a `zoom-change` takes its digest along. */
  zoomPreview: '/api/zoom/preview',
  /** Each starts a `zoom-change` (OP-68). */
  zoomUpdateOwner: '/api/zoom/update_owner',
  zoomMerge: '/api/zoom/merge_events',
  zoomUnmerge: '/api/zoom/un_merge_event',
  /** Changes of a course that have not ended, also those of others. */
  zoomOpenChanges: '/api/zoom/courses/:course/changes',
  /** The calendar file of one event (OP-101). */
  zoomIcs: '/api/zoom/courses/:course/events/:event/calendar.ics',
  /** Starts a `zoom-run`, by GET with a header or by POST (OP-61). */
  zoomRun: '/api/auth/zoom-s3-course-update',
  zoomQueue: '/api/auth/zoom-s3-course-queue-data',
  zoomQueueUpdate: '/api/auth/zoom-s3-course-queue-update',
  /** When the vote opens, by GET and by POST (BTA-42, BTA-43). */
  awardOpening: '/best-teaching-reports/api/opening-date',
  /** Codes of the campuses that have a report (BTA-44). */
  awardCampuses: '/best-teaching-reports/api/campus',
  awardUpdated: '/best-teaching-reports/api/last-updated-info',
  /** The current list; POST replaces all of it in one step (BTA-46, BTA-47). */
  awardList: '/best-teaching-reports/api/import/excel',
  /** What a workbook holds and what it would change; nothing is kept. */
  awardCheck: '/best-teaching-reports/api/import/check',
  awardPrevious: '/best-teaching-reports/api/import/previous',
  awardRestore: '/best-teaching-reports/api/import/restore',
  awardStats: '/best-teaching-reports/api/stats',
  /** Starts an `award-refresh`, by GET with a header or by POST (OP-61, BTA-50). */
  awardRefresh: '/best-teaching-reports/api/refresh-qualtrics/:survey',
  /** Reports; `id` is the code of a campus, and `course_type` a query of the first (OP-85). */
  awardByProf: '/best-teaching-reports/api/by-prof/:id',
  awardCore: '/best-teaching-reports/api/core-courses/:id',
  awardElective: '/best-teaching-reports/api/elective-courses/:id',
  /** One image as a data URL; answers its link (IMG-13). */
  imageUpload: '/api/aws/aws-upload',
  /** The admin's own images. */
  images: '/api/images',
  /** Whether people exist, by SIS ID and by login; answers line by line. */
  peopleLookup: '/api/people/lookup',
  /** Uploads an SIS file, which is checked and kept; nothing is sent to the LMS by it (SIS-07, OP-53). */
  sisFiles: '/sis-import',
  sisFile: '/api/sis-files/:file',
  /** What its rows do, once that is worked out; then its rows, and the courses of its enrolments, in parts. */
  sisEffect: '/api/sis-files/:file/effect',
  sisEffectRows: '/api/sis-files/:file/effect/rows',
  sisEffectCourses: '/api/sis-files/:file/effect/courses',
  /** Opens it for correcting: the rows that the LMS would refuse are its problems. */
  sisEffectDraft: '/api/sis-files/:file/effect/draft',
  /** The administrator's own drafts that are still open. */
  sisDrafts: '/api/sis-drafts',
  /** A refused file that is corrected in place, by GET, or discarded, by DELETE; its rows with problems, in parts. */
  sisDraft: '/api/sis-drafts/:draft',
  sisDraftRows: '/api/sis-drafts/:draft/rows',
  sisDraftCorrections: '/api/sis-drafts/:draft/corrections',
  /** Has what was corrected checked as an upload, and kept. */
  sisDraftFile: '/api/sis-drafts/:draft/file',
  sisDraftCsv: '/api/sis-drafts/:draft/file.csv',
  /** The admin's own recent imports. */
  imports: '/api/imports',
  importMessages: '/api/imports/:import/messages',
  /** The admin's own rows that the LMS said something about. */
  importRows: '/api/imports/:import/rows',
  /** The same as a CSV, ready to be corrected and uploaded again. */
  importFailedRows: '/api/imports/:import/failed-rows.csv',
  /** A file of the LMS about an import: `errors`, or `csv-1` for the first of its CSVs. */
  importAttachment: '/api/imports/:import/attachments/:attachment',
  /** Long work: own jobs, or everybody's for `perm` `ALL`; filters are `JobQuery`. */
  jobs: '/api/jobs',
  /** How much goes on, and what has ended lately. */
  jobSummary: '/api/jobs/summary',
  job: '/api/jobs/:job',
  jobCancel: '/api/jobs/:job/cancel',
  jobItems: '/api/jobs/:job/items',
  jobFile: '/api/jobs/:job/files/:file',
  /** What the person who asks may do, and where it comes from. */
  accessMe: '/api/access/me',
  accessPeople: '/api/access/people',
  /** Names that records can hold: programmes and roles. */
  accessFollow: '/api/access/follow',
  accessPlaces: '/api/access/places',
  accessLogins: '/api/access/logins',
  /** Everything that a person may do; query `person`. */
  accessCheck: '/api/access/check',
  /** 'Can this person do that?', and who can. */
  accessQuestion: '/api/access/question',
  accessWho: '/api/access/who',
  /** Records beside the administrators of the LMS. */
  accessDrift: '/api/access/drift',
  /** What changes would give and lose; saved by the second, as they were reviewed. */
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
  /** Lets work go on that is held since a restore. */
  systemRelease: '/api/system/release',
  health: '/healthz',
  ready: '/readyz',
  metrics: '/metrics',
  version: '/version',
} as const;

/** Where our own server hands images out, to everybody: this and the key. */
export const IMAGES_PATH = '/images/';

/** A GET that starts work wants this header, which no other site can set (OP-61). */
export const ASKED_HERE = { name: 'x-requested-with', value: 'lms-admin' } as const;

/** Where work of a kind is started. */
export function jobStartPath(kind: string): `/api/jobs/start/${string}` {
  return `/api/jobs/start/${kind}`;
}
