/** Texts of ours in SIS Import, beside the documented ones of the message table. Short, plain, without blame. */
import { sizeOf } from '../../components/size-of.ts';
import { counted } from '../../components/Wizard/wizard-state.ts';

const rows = (count: number) => counted(count, 'row', 'rows');
const n = (count: number) => count.toLocaleString('en-GB');

export const texts = {
  purpose: [
    'Take the template of the rows you want to send and fill it in. If your file is ready, go on.',
    'Select the file. It is looked at here first; nothing is sent to the LMS before the last step.',
    'The file is uploaded and checked row by row; nothing is sent to the LMS before you have seen what it will do.',
  ],
  submit: 'Submit Data to LMS',
  progressTitle: 'Progress',
  templates: {
    label: 'CSV templates',
    file: 'Template',
    use: 'What it is for',
    columns: 'Columns',
    download: (file: string) => `Download ${file}`,
    guide: 'What each column means is in the guide.',
    guideLink: 'Guide to SIS Import',
  },
  may: {
    title: 'What you may import',
    all: 'Every kind of SIS file but administrators, also several of them in one zip.',
    limited: [
      'Users: people who do not exist in the LMS yet. People who exist are not changed, and nobody is deleted.',
      'Enrollments: in courses of your own programmes, with the roles that you may give.',
    ],
    limitedNext: 'For anything else, please contact IT Support.',
  },
  overwrites:
    'Every import overwrites what people have changed by hand in the LMS, names of users and sections included.',
  drop: {
    label: 'Csv file',
    here: 'Drop a CSV file here, or',
    hereZip: 'Drop a CSV or zip file here, or',
    other: 'To use another file, drop it here, or',
    limit: (most: number) => `Up to ${sizeOf(most)}.`,
    reading: 'Looking at the file …',
    one: 'Please select one file only. Several CSV files can be sent together in one zip.',
    unread:
      'The file could not be read. If it is open in another program, close it there and select it again.',
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    zip: 'Zip archive',
    chosen: (name: string, what: string) => `${name}: ${what}`,
    fits: 'The header is recognised. Every row is checked in the next step.',
    fitsZip: 'The files in it are checked in the next step.',
    uploaded: 'Uploaded and checked.',
  },
  problems: {
    empty: 'The file is empty. Please select a file with a header and rows.',
    tooLarge: (size: number, most: number) =>
      `The file is too large: it has ${sizeOf(size)}, and ${sizeOf(most)} is the most. Please split it into several files.`,
    workbook:
      'This is an Excel workbook. In Excel, choose “Save as”, type “CSV UTF-8”, and select that file.',
    zip: 'You may not upload zip files. Please select a single CSV file.',
    header: (names: readonly string[]) =>
      `The first line is not the header of a SIS file. It reads: ${names.slice(0, 8).join(', ').slice(0, 160)}. Please compare it with the templates.`,
    notText:
      'This is no CSV file, but a picture, a PDF or something else. Please select a file with rows of text.',
    admins: 'This file names administrators. The console does not import them. Please contact IT Support.',
    kind: (kind: string) =>
      `You may import users and enrollments. This file holds something else: ${kind.toLowerCase()}.`,
  },
  lost: {
    reloaded: (name: string) =>
      `The page was loaded again before ${name} had been uploaded. Nothing has been sent. Please select the file again.`,
    refused: (name: string) =>
      `${name} was not sent, since something has changed after its check. Please select the file again: it is then checked anew.`,
    expired: (name: string) =>
      `${name} was uploaded more than a day ago and is not kept any more. Nothing has been sent. Please select the file again.`,
  },
  upload: {
    uploading: 'Uploading',
    checking: 'Checking every row',
    checkingHint: 'The file has arrived. Large files take a moment.',
    of: (done: number, total: number) => `${sizeOf(done)} of ${sizeOf(total)}`,
    cancel: 'Cancel',
    cancelled: 'You cancelled the upload.',
    nothingSent: 'Nothing has been sent to the LMS.',
    again: 'Try again',
    other: 'Select another file',
    changed: 'If the file was changed or moved since you selected it, select it again.',
    lost: 'The review could not be loaded.',
    problems: 'Problems in the file',
    problemsTitle: (count: number) =>
      count === 1 ? 'The file has a problem' : `The file has ${n(count)} problems`,
    firstProblems: (count: number) =>
      `These are the first ${n(count)} problems of the file; there may be more.`,
    problemsNext: (count: number) =>
      `Correct ${count === 1 ? 'it' : 'them'} in the file, save it, and select it again.`,
    row: 'Row',
    column: 'Column',
    problem: 'Problem',
  },
  review: {
    ready: (count: number) => `The check is done: ${rows(count)}.`,
    notReady: 'The file has not been checked yet.',
    notPassed: 'The file has not passed the check.',
    will: (count: number, kinds: string, statuses: string) =>
      `“Submit Data to LMS” sends ${rows(count)} of ${kinds}: ${statuses}.`,
    nothing: 'The file holds a header but no rows, so there is nothing to send.',
    counts: 'Rows by status',
    rows: 'Rows',
    status: (status: string) => status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' '),
    notices: 'About this file',
    warnings: 'Please look at this before you submit',
    deletesTitle: (count: number) =>
      count === 1 ? 'One row deletes something' : `${n(count)} rows delete something`,
    deletes: {
      people: (count: number) =>
        count === 1
          ? 'One person is deleted. Somebody without another login loses every enrolment.'
          : `${n(count)} people are deleted. Whoever has no other login loses every enrolment.`,
      enrolments: (count: number) =>
        `${count === 1 ? 'One enrolment is removed.' : `${n(count)} enrolments are removed.`} A row without section_id removes from the default section of the course only.`,
      other: (count: number, kind: string) => `${kind}: ${n(count)} ${count === 1 ? 'is' : 'are'} deleted.`,
      withPlaces: (count: number) =>
        count === 1
          ? 'One enrolment is removed, with its course or section or by a row of its own.'
          : `${n(count)} enrolments are removed, with their courses and sections or by rows of their own.`,
    },
    people: {
      title: (count: number) =>
        count === 1
          ? 'One person of this file exists already'
          : `${n(count)} people of this file exist already`,
      text: 'Their names, addresses and logins become what the file says. Please compare them with the people you mean.',
      first: (shown: number) => `The first ${n(shown)} are listed.`,
      label: 'People who exist already',
      created: 'New people',
      existing: 'Existing people',
      columns: { row: 'Row', name: 'Name now', id: 'User ID', login: 'Login now', does: 'What happens' },
      does: {
        changes: 'Overwritten',
        suspends: 'Suspended',
        deletes: 'Deleted',
        'gives-id': 'Gets this user ID',
      },
    },
    idle: {
      title: (count: number) => (count === 1 ? 'One row changes nothing' : `${n(count)} rows change nothing`),
      text: 'The LMS counts such rows all the same.',
      label: 'Rows that change nothing',
      columns: { row: 'Row', why: 'Why' },
      first: (shown: number) => `The first ${n(shown)} are listed.`,
    },
    uncompared: 'Not everything was compared with the LMS',
    ofFile: (file: string | null, row: number | null) => (file === null ? row : `${file}: ${row ?? ''}`),
    notInLms: 'Not in the LMS',
    noCourse: (id: string, deleted: number) =>
      `${id}: the LMS has no such course, so ${deleted === 1 ? 'its row' : `its ${rows(deleted)}`} will fail`,
    course: (name: string, deleted: number, active: number | null) =>
      active === null
        ? `${name}: removes ${counted(deleted, 'enrolment', 'enrolments')}; the LMS did not tell how many are active`
        : `${name}: removes ${counted(deleted, 'enrolment', 'enrolments')}; ${n(active)} ${active === 1 ? 'is' : 'are'} active now`,
    courses: 'Courses that lose enrolments',
    courseColumns: { name: 'Course', id: 'Course ID', deleted: 'Removed', active: 'Active now' },
    moreCourses: 'The 50 courses that lose most are listed.',
    reason: {
      'many-rows': 'More than 50 things are deleted.',
      'whole-course': 'A course or a section is deleted with the enrolments in it.',
      'share-of-course': 'More than 5% of the active enrolments of a course are removed.',
      untold: 'It could not be found out how many active enrolments a course has.',
    },
    confirm: (count: number) => `Please type the number of all that is deleted, ${count}, to go on.`,
    confirmLabel: 'Number of deletions',
    confirmBlocked: (count: number) => `Type ${n(count)} in the field above to go on.`,
    confirmed: 'The number is right.',
    parts: 'Files in the zip',
    partColumns: { name: 'File', kind: 'Kind', rows: 'Rows' },
    previewOf: 'Preview of',
    preview: (kind: string) => `First rows: ${kind}`,
    previewNote: (shown: number, all: number) =>
      shown < all
        ? `The first ${n(shown)} of ${rows(all)}.`
        : all === 1
          ? 'The only row.'
          : `All ${rows(all)}.`,
    previewRow: 'Row',
    sentTitle: 'This file has been submitted already',
    sentText: 'It was submitted from another tab or window. It is not sent again.',
    sentFollow: 'Follow the import',
  },
} as const;
