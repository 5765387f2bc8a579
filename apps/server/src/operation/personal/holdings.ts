/**
 * Every database column that could name people, by table. The operators' page, the export and the erasure of a person
 * use it, and a test fails for a column that is missing here.
 */

/** How a column identifies someone. */
export type Holds =
  /** The login of an administrator who used LMS Admin. */
  | 'login'
  /** The name of an administrator who used LMS Admin. */
  | 'name'
  /** Content that was uploaded, planned, sent or answered; it is erased with the record it belongs to. */
  | 'content'
  /** Nothing that identifies anyone: ids, states, texts of LMS Admin. */
  | 'nothing';

export interface Holding {
  /** Description of the table's contents. */
  about: string;
  /** Description of how long the contents are kept. */
  until: string;
  /**
   * How the table's content is found and erased: with a job, plan, uploaded file or draft, or as rows of the `copy`
   * of the LMS; `kept` content is only reported.
   */
  of?: { record: 'job' | 'plan' | 'file' | 'draft' | 'copy' | 'kept'; id: string };
  columns: Readonly<Record<string, Holds>>;
}

const WORK = 'RETENTION_WORK_DAYS after the work has ended';
const ONE_DAY = 'a day';
const HISTORY = 'indefinitely, unless RETENTION_HISTORY_DAYS is set';

/** Describes a table of the directory, and its twin for the next report. */
function copied(
  name: string,
  about: string,
  id: string,
  columns: Holding['columns'],
): Record<string, Holding> {
  const until = 'until they are missing from a refresh, or the directory is switched off';
  const of = { record: 'copy' as const, id };
  return {
    [name]: { about: `Directory: ${about}`, until, of, columns },
    [`${name}_new`]: {
      about: `Directory, while it is refreshed: ${about}`,
      until: 'until the refresh ends',
      of,
      columns,
    },
  };
}

/** Holdings by table name. Numbers, times and booleans do not identify anyone and are omitted. */
export const HOLDINGS: Readonly<Record<string, Holding>> = {
  jobs: {
    about: 'Activity: work with its person, title, outcome and content (input, results and notes)',
    until: `${HISTORY}; content: ${WORK}`,
    of: { record: 'job', id: 'id' },
    columns: {
      id: 'nothing',
      kind: 'nothing',
      tool: 'nothing',
      login: 'login',
      name: 'name',
      grant_id: 'nothing',
      lms: 'nothing',
      label: 'content',
      about: 'nothing',
      undoes: 'nothing',
      key: 'nothing',
      state: 'nothing',
      outcome: 'nothing',
      stage: 'nothing',
      unit: 'nothing',
      wait_why: 'content',
      input: 'content',
      checkpoint: 'content',
      result: 'content',
      figures: 'nothing',
      note: 'content',
      problem: 'content',
      lease_owner: 'nothing',
    },
  },
  job_items: {
    about: 'The individual steps of a job, such as meetings',
    until: WORK,
    of: { record: 'job', id: 'job_id' },
    columns: {
      job_id: 'nothing',
      label: 'content',
      state: 'nothing',
      input: 'content',
      outside_id: 'nothing',
      message: 'content',
    },
  },
  imports: {
    about: 'SIS imports: counts, and messages from the LMS',
    until: `${HISTORY}; data that names people: ${WORK}`,
    of: { record: 'job', id: 'id' },
    columns: {
      id: 'nothing',
      plan_id: 'nothing',
      files: 'nothing',
      step: 'nothing',
      lms: 'nothing',
      workflow_state: 'nothing',
      counts: 'nothing',
      warnings: 'content',
      errors: 'content',
      errors_url: 'content',
      csv_urls: 'content',
      note: 'content',
      sections_note: 'content',
      places: 'nothing',
    },
  },
  import_messages: {
    about: 'Messages about the rows of an import',
    until: WORK,
    of: { record: 'job', id: 'import_id' },
    columns: { import_id: 'nothing', file: 'nothing', message: 'content', fate: 'nothing' },
  },
  files: {
    about: 'Exports and other files to download',
    until: WORK,
    of: { record: 'job', id: 'job_id' },
    columns: { id: 'nothing', job_id: 'nothing', login: 'login', name: 'content', type: 'nothing' },
  },
  file_pieces: {
    about: 'The bytes of uploads, imports and exports',
    until: 'as long as the upload, import or export that they belong to',
    columns: { file_id: 'nothing', data: 'content' },
  },
  plans: {
    about: 'Reviews: the people and the changes',
    until: `${ONE_DAY}; after it was submitted: ${WORK}`,
    of: { record: 'plan', id: 'id' },
    columns: {
      id: 'nothing',
      login: 'login',
      tool: 'nothing',
      kind: 'nothing',
      status: 'nothing',
      label: 'content',
      lms: 'nothing',
      summary: 'content',
      people: 'content',
    },
  },
  plan_courses: {
    about: 'The rows of a review, by course',
    until: 'as long as the review',
    of: { record: 'plan', id: 'plan_id' },
    columns: { plan_id: 'nothing', sis_course_id: 'nothing', rows: 'content' },
  },
  sis_files: {
    about: 'Uploaded SIS files that passed the check',
    until: ONE_DAY,
    of: { record: 'file', id: 'id' },
    columns: { id: 'nothing', login: 'login', summary: 'content', files: 'content', lms: 'nothing' },
  },
  sis_effects: {
    about: 'The changes in an uploaded file',
    until: 'as long as the file',
    of: { record: 'file', id: 'file_id' },
    columns: { file_id: 'nothing', job_id: 'nothing', summary: 'content' },
  },
  sis_effect_pieces: {
    about: 'The changes in an uploaded file, row by row',
    until: 'as long as the file',
    of: { record: 'file', id: 'file_id' },
    columns: { file_id: 'nothing', job_id: 'nothing', list: 'nothing', data: 'content' },
  },
  sis_drafts: {
    about: 'SIS files that are being corrected',
    until: `${ONE_DAY}, or 2 days after the file was submitted`,
    of: { record: 'draft', id: 'id' },
    columns: {
      id: 'nothing',
      login: 'login',
      name: 'content',
      lms: 'nothing',
      steps: 'content',
      summary: 'content',
      file_id: 'nothing',
    },
  },
  sessions: {
    about: 'Sessions of people who are signed in',
    until: 'an hour',
    columns: { id: 'nothing', grant_id: 'nothing', login: 'login', name: 'name', profile: 'name' },
  },
  grants: {
    about: 'Sign-ins to the LMS, encrypted',
    until: 'as long as a session or submitted work needs it',
    columns: {
      id: 'nothing',
      login: 'login',
      access_token_enc: 'nothing',
      refresh_token_enc: 'nothing',
    },
  },
  login_states: {
    about: 'Sign-ins that have started',
    until: 'ten minutes',
    columns: { id: 'nothing', return_to: 'nothing' },
  },
  audit: {
    about: 'Actions of people, with details',
    until: 'indefinitely, unless RETENTION_AUDIT_DAYS is set',
    columns: { login: 'login', tool: 'nothing', event: 'nothing', detail: 'content', request_id: 'nothing' },
  },
  access_records: {
    about: 'People who can use LMS Admin, and their permissions',
    until: 'indefinitely: records are disabled, not deleted',
    of: { record: 'kept', id: 'key' },
    columns: {
      key: 'content',
      login: 'content',
      record: 'content',
      reason: 'content',
      updated_by: 'content',
    },
  },
  access_history: {
    about: 'Changes to access, with the people involved and the reasons',
    until: 'indefinitely: entries are never changed or removed',
    of: { record: 'kept', id: 'id' },
    columns: {
      by: 'content',
      key: 'content',
      kind: 'nothing',
      before: 'content',
      after: 'content',
      why: 'content',
      approved_by: 'content',
      request_id: 'nothing',
    },
  },
  access_requests: {
    about: 'Requests for changes to access that a second person has to approve, pending and decided',
    until: 'indefinitely',
    of: { record: 'kept', id: 'id' },
    columns: {
      id: 'nothing',
      by: 'content',
      changes: 'content',
      why: 'content',
      decided_by: 'content',
      decision: 'nothing',
    },
  },
  installation: {
    about: 'The LMS that the database belongs to',
    until: 'indefinitely',
    columns: { mode: 'nothing', lms: 'nothing', release: 'nothing' },
  },
  objects: {
    about: 'Images that are kept in the database',
    until: 'indefinitely, because course pages link to them',
    columns: { key: 'nothing', type: 'nothing', data: 'nothing' },
  },
  images: {
    about: 'The list of images',
    until: 'indefinitely',
    columns: { key: 'nothing', home: 'nothing', link: 'nothing', type: 'nothing' },
  },
  image_uploads: {
    about: 'Uploads of images, with the people who made them',
    until: 'indefinitely',
    of: { record: 'kept', id: 'key' },
    columns: { login: 'login', key: 'nothing', name: 'content', folded: 'content' },
  },
  award_opening: {
    about: 'Opening date of the vote, and the people who set it',
    until: 'indefinitely',
    columns: { opening_date: 'nothing', created_by: 'name', updated_by: 'name' },
  },
  award_lists: {
    about: 'Professors and courses of the award: the current list and the previous list',
    until: 'until two newer lists are uploaded',
    of: { record: 'kept', id: 'version' },
    columns: { entries: 'content', created_by: 'name', updated_by: 'name' },
  },
  award_surveys: {
    about: 'Counted votes by professor and course, without the names of voters',
    until: 'until the survey is counted again',
    of: { record: 'kept', id: 'id' },
    columns: { id: 'nothing', job_id: 'nothing', counted_from: 'nothing', counted: 'content' },
  },
  zoom_meetings: {
    about: 'Meetings of calendar events, with their hosts',
    until: 'as long as the meeting',
    of: { record: 'kept', id: 'number' },
    columns: {
      lms: 'nothing',
      host_id: 'nothing',
      host_email: 'content',
      join_url: 'nothing',
      topic: 'content',
      co_hosts: 'content',
    },
  },
  zoom_events: {
    about: 'Calendar events that have or had a meeting',
    until: 'as long as the course',
    of: { record: 'kept', id: 'id' },
    columns: {
      lms: 'nothing',
      reservation_id: 'nothing',
      title: 'content',
      making: 'content',
      updated_by: 'login',
    },
  },
  zoom_courses: {
    about: 'Courses whose meetings are being changed, with the job',
    until: 'until the job ends',
    columns: { lms: 'nothing', claimed_by: 'nothing' },
  },
  zoom_host_days: {
    about: 'Number of meetings created for a host on a day',
    until: 'two days',
    of: { record: 'kept', id: 'host' },
    columns: { host: 'content', day: 'nothing' },
  },
  zoom_queue: {
    about: 'Courses whose meetings are checked once a day, and the people who added them',
    until: 'until the course is removed from the list',
    columns: {
      lms: 'nothing',
      login: 'login',
      name: 'name',
      grant_id: 'nothing',
      last_day: 'nothing',
      last_job: 'nothing',
    },
  },
  ...copied('directory_users', 'people in the LMS', 'id', {
    name: 'content',
    sortable_name: 'content',
    email: 'content',
  }),
  ...copied('directory_logins', 'logins of these people', 'user_id', { login: 'content', sis_id: 'content' }),
  ...copied('directory_accounts', 'accounts of the LMS', 'id', { sis_id: 'nothing', name: 'nothing' }),
  ...copied('directory_terms', 'terms of the LMS', 'id', { sis_id: 'nothing', name: 'nothing' }),
  ...copied('directory_courses', 'courses of the LMS', 'id', {
    sis_id: 'nothing',
    code: 'content',
    name: 'content',
  }),
  ...copied('directory_sections', 'sections of the LMS', 'id', { sis_id: 'nothing', name: 'content' }),
  directory_runs: {
    about: 'Times of directory refreshes, and the number of rows',
    until: 'until there are thirty newer refreshes',
    columns: { job_id: 'nothing', lms: 'nothing', counts: 'nothing' },
  },
};
