/** Texts of ours in SIS Import, beside the documented ones of the message table. Short, plain, without blame. */
import { MAX_DRAFTS } from '@lms-admin/contract/sis-drafts';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import { sizeOf } from '../../components/size-of.ts';
import { counted } from '../../components/Wizard/wizard-state.ts';

const rows = (count: number) => counted(count, 'row', 'rows');
const n = (count: number) => count.toLocaleString('en-GB');

/** What the rows of a table are about, above their names. */
const OF: Partial<Record<SisKind, string>> = {
  user: 'Person',
  login: 'Person',
  enrollment: 'Person',
  group_membership: 'Person',
  user_observer: 'Observer',
  course: 'Course',
  section: 'Section',
  xlist: 'Section',
  group: 'Group',
};

export const texts = {
  purpose: [
    'Take the template of the rows you want to send and fill it in. If your file is ready, go on.',
    'Select the file. It is looked at here first; nothing is sent to the LMS before the last step.',
    'The file is uploaded and checked row by row; nothing is sent to the LMS before you have seen what it will do.',
  ],
  submit: 'Submit Data to LMS',
  working: {
    start: 'Working out what the file does',
    cancelled: 'The comparison was cancelled. Nothing has been sent.',
    again: 'Compare again',
    broke: 'What the file does could not be worked out.',
  },
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
  drafts: {
    title: 'Files that you are correcting',
    retention: `A file is kept for a day after its upload, also when you sign out. The latest ${MAX_DRAFTS} are kept. Nothing of them has been sent to the LMS.`,
    wrong: (count: number, all: number) =>
      count === 1 ? `1 of ${rows(all)} has a problem` : `${n(count)} of ${rows(all)} have a problem`,
    header: 'The columns are not matched yet',
    ready: 'No problems left, not submitted yet',
    corrections: (steps: number) => (steps === 0 ? '' : counted(steps, 'correction', 'corrections')),
    times: (uploaded: string, until: string) => `Uploaded ${uploaded}, kept until ${until}`,
    continue: 'Continue',
    continueOf: (name: string) => `Continue with ${name}`,
    discard: 'Discard',
    discardOf: (name: string) => `Discard ${name}`,
    discardTitle: (name: string) => `Discard ${name}?`,
    discardText: (steps: number) =>
      steps === 0
        ? 'The uploaded file is deleted from LMS Admin. Your own file stays as it is.'
        : `The uploaded file and ${counted(steps, 'correction', 'corrections')} are deleted from LMS Admin. Your own file stays as it is, without the corrections. This cannot be undone.`,
    discardLong: 'Discard file',
    keep: 'Keep file',
    discarded: (name: string) => `${name} was discarded.`,
    failed: 'The files that you are correcting could not be loaded.',
    discardFailed: 'The file could not be discarded.',
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
    unmatched: (names: readonly string[]) =>
      `The first line is not the header of a SIS file. It reads: ${names.slice(0, 8).join(', ').slice(0, 160)}. In the next step you say what its columns are.`,
    missing: (names: readonly string[]) =>
      names.length === 1
        ? `The column ${names[0]} is missing. In the next step you match your columns, or give every row the same value.`
        : `These columns are missing: ${names.join(', ')}. In the next step you match your columns, or give every row the same value.`,
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
      `${name} is not kept any more: it was discarded, or uploaded more than a day ago. Nothing has been sent. Please select the file again.`,
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
    count: 'How often',
  },
  compared: 'What it does, as compared before it was sent',
  review: {
    ready: (count: number) => `The check is done: ${rows(count)}.`,
    notReady: 'The file has not been checked yet.',
    notPassed: 'The file has not passed the check.',
    will: (count: number, kinds: string, statuses: string) =>
      `“Submit Data to LMS” sends ${rows(count)} of ${kinds}: ${statuses}.`,
    nothing: 'The file holds a header but no rows, so there is nothing to send.',
    notices: 'About this file',
    warnings: 'Please look at this before you submit',
    figures: 'What the file does',
    workedOut: 'What the file does is worked out.',
    comparing: 'The file is being compared with the LMS.',
    notCompared: 'The file has not been compared with the LMS.',
    notes: 'Please look at these rows',
    takes: (what: string) => `Removes ${what}`,
    failing: {
      title: (count: number) => `The LMS would refuse ${rows(count)}`,
      text: 'Nothing has been sent yet. Correct these rows here, or leave them out: all others stay as they are.',
      zip: 'Nothing has been sent yet. Correct these rows in their file and upload the zip again, or submit the others as they are.',
      open: 'Correct these rows',
      opening: 'Opening …',
      failed: 'The rows could not be opened.',
      back: 'Back to the review as it was',
    },
    refused: (count: number) =>
      count === 1
        ? 'One row means somebody else than its SIS id says'
        : `${n(count)} rows mean somebody else than their SIS ids say`,
    refusedText:
      'The file cannot be sent like this. They are among the rows that are refused, each with its reason: correct them, or leave them out.',
    open: (name: string) => `Open ${name} in the LMS`,
    newCourses: {
      title: (count: number) =>
        count === 1
          ? 'The LMS would create a course for a cross-listing'
          : `The LMS would create ${n(count)} courses for cross-listings`,
      text: 'No course has this SIS ID. If it is mistyped, correct the file: the people of the section would land in a new, empty course.',
      allow: (id: string, name: string, sections: number, enrolments: number) =>
        `Create the course ${id}, named “${name}”, with ${counted(sections, 'section', 'sections')} and ${counted(enrolments, 'enrolment', 'enrolments')}`,
      blocked: 'Allow the new course above, or correct the file.',
    },
    brake: {
      title: (what: string) => `This file removes ${what}`,
      counted:
        'Everything that people lose access by counts, each item once: also enrolments and group memberships that end with a person, a course or a section, enrolments in a section that moves to another course, and observers who follow a student.',
      uncompared: (what: string) =>
        `${what} among them could not be compared with the LMS. They count as if they were removed.`,
      roles:
        'Administrator roles of people who are deleted end, too. LMS Admin does not know of them, so they are not in the number.',
      defaultSection: 'A row without section_id removes from the default section of the course only.',
      course: (name: string, taken: number, members: number, active: number | null) => {
        const lost = [
          ...(taken > 0 ? [counted(taken, 'enrolment', 'enrolments')] : []),
          ...(members > 0 ? [counted(members, 'group membership', 'group memberships')] : []),
        ].join(' and ');
        if (taken === 0) return `${name}: loses ${lost}`;
        if (active === null) return `${name}: loses ${lost}; how many are active could not be counted`;
        return `${name}: loses ${lost}; ${n(active)} ${active === 1 ? 'is' : 'are'} active now`;
      },
      moreCourses: (count: number) => `and ${counted(count, 'more course', 'more courses')}`,
      reason: {
        many: 'The file removes more than 50 items.',
        'whole-place': 'A course or a section with enrolments in it is deleted, concluded or moved.',
        'share-of-course': 'The file removes more than 5% of the active enrolments of a course.',
        'share-of-all': 'The file removes more than 5% of all people or courses in the LMS.',
        untold: 'Part of it could not be compared with the LMS or counted.',
      },
      confirm: (count: number) => `Type the number of all removals, ${count}, to confirm them.`,
      label: 'Number of all removals',
      confirmed: 'The number is right.',
    },
    parts: {
      title: 'What the rows do',
      byCourse: (enrolments: string) => `${enrolments}, course by course`,
      show: 'Show',
      choose: 'Choose',
      nothing: 'No row changes anything. The LMS counts such rows all the same.',
    },
    courses: {
      label: 'Courses of the file',
      name: 'Course and person',
      role: 'Role and section',
      does: 'What happens',
      doing: (count: number, doing: string) => `${n(count)} ${doing}`,
      rows,
      counts: (count: number) => counted(count, 'course', 'courses'),
      loading: 'Loading the rows …',
      moreRows: 'More rows',
      failed: 'The courses could not be loaded.',
      shown: (count: number, all: number) => `${n(count)} of ${n(all)} courses`,
      more: 'Show more courses',
    },
    rows: {
      search: 'Find in these rows',
      none: 'No row fits.',
      failed: 'The rows could not be loaded.',
      shown: (count: number, all: number) => `${n(count)} of ${rows(all)}`,
      more: 'Show more rows',
      before: (value: string) => `before: ${value}`,
      empty: 'empty',
      field: (name: string, before: string | null, after: string | null) =>
        `${name}: ${before ?? 'empty'} → ${after ?? 'empty'}`,
      columns: {
        row: 'Row',
        of: (kind: SisKind) => OF[kind] ?? 'Name',
        in: (kind: SisKind) =>
          kind === 'group_membership' ? 'Group' : kind === 'group' ? 'Category' : 'Course',
        changes: 'What changes',
        becomes: 'What it will be',
        why: 'Note',
      },
    },
    confirmBlocked: (count: number) => `Type ${n(count)} in the field above to go on.`,
    files: 'Files in the zip',
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
