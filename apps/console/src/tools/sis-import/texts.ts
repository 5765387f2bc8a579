/** Texts of SIS Import; prescribed ones are in the contract. */

import { MAX_DRAFTS } from '@lms-admin/contract/sis-drafts';
import { grouped } from '@lms-admin/domain/numbers';
import { type SisKind, sisTableOf } from '@lms-admin/domain/sis-tables';
import { sizeOf } from '../../components/size-of.ts';
import { counted } from '../../components/Wizard/wizard-state.ts';

const rows = (count: number) => counted(count, 'row', 'rows');

/** The subject of a table's rows, above their names. */
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

interface Removals {
  /** Empty for none. */
  certain: string;
  possible: string;
}

export const texts = {
  purpose: [
    'Download the template that you need and fill it in. If your file is ready, select “Next”.',
    'Select the file. LMS Admin checks it first. Nothing is sent to the LMS before the last step.',
    'LMS Admin uploads the file and checks it row by row. Nothing is sent to the LMS until you submit.',
  ],
  submit: 'Submit Data to LMS',
  working: {
    start: 'Comparing the file with the LMS',
    cancelled: 'The comparison was cancelled. Nothing has been sent.',
    retry: 'Compare again',
    broke: 'The file could not be compared with the LMS.',
  },
  progressTitle: 'Progress',
  templates: {
    label: 'CSV templates',
    file: 'Template',
    use: 'What it is for',
    columns: 'Columns',
    download: (file: string) => `Download ${file}`,
    guide: 'The guide explains each column.',
    guideLink: 'Guide to SIS Import',
  },
  may: {
    title: 'What you can import',
    all: 'Any SIS file except administrators. You can upload several in one zip.',
    limited: [
      'Users: people who do not exist in the LMS yet. Existing people are not changed, and no one is deleted.',
      'Enrollments: in courses of your own programmes, with the roles that you can assign.',
    ],
    limitedNext: 'For anything else, contact IT Support.',
  },
  drafts: {
    title: 'Files that you are correcting',
    retention: `A file is kept for a day after its upload, even if you sign out. If its import applies no rows, it is kept for 2 days after you submit it. LMS Admin keeps the latest ${MAX_DRAFTS} files, and replaces files without corrections first. No rows of these files have been applied in the LMS.`,
    full: (name: string) => `The next file with problems will replace ${name}, which you have corrected`,
    fullText: `LMS Admin keeps ${MAX_DRAFTS} files that you are correcting. Submit or discard one first if you still need all of them.`,
    wrong: (count: number, all: number) =>
      count === 1 ? `1 of ${rows(all)} has a problem` : `${grouped(count)} of ${rows(all)} have a problem`,
    header: 'The columns are not matched yet',
    ready: 'Not submitted yet: no problems left',
    beside: (count: number) =>
      `Not submitted yet: ${rows(count)} still ${count === 1 ? 'has' : 'have'} a problem in the review`,
    notApplied: 'Submitted, but no rows were applied',
    back: {
      title: 'Your corrections are kept',
      text: (until: string) =>
        `None of the rows were applied. You can change your corrections and submit the file again until ${until}.`,
      open: 'Continue with this file',
    },
    corrections: (steps: number) => (steps === 0 ? '' : counted(steps, 'correction', 'corrections')),
    times: (uploaded: string, until: string) => `Uploaded ${uploaded}, kept until ${until}`,
    continue: 'Continue',
    continueOf: (name: string) => `Continue with ${name}`,
    discard: 'Discard',
    discardOf: (name: string) => `Discard ${name}`,
    discardTitle: (name: string) => `Discard ${name}?`,
    discardText: (steps: number) =>
      steps === 0
        ? 'The uploaded file is deleted from LMS Admin. The file on your computer is not changed.'
        : `The uploaded file and ${counted(steps, 'correction', 'corrections')} are deleted from LMS Admin. The file on your computer is not changed, and does not contain the corrections. This cannot be undone.`,
    discardLong: 'Discard file',
    keep: 'Keep file',
    discarded: (name: string) => `${name} was discarded.`,
    failed: 'The files that you are correcting could not be loaded.',
    discardFailed: 'The file could not be discarded.',
  },
  overwrites:
    'Every import overwrites changes that people have made in the LMS, including names of users and sections.',
  drop: {
    label: 'CSV file',
    here: 'Drop a CSV file here, or',
    hereZip: 'Drop a CSV or zip file here, or',
    other: 'To use another file, drop it here, or',
    limit: (most: number) => `Up to ${sizeOf(most)}.`,
    reading: 'Checking the file …',
    one: 'Select one file only. You can send several CSV files together in one zip.',
    unread:
      'The file could not be read. If it is open in another program, close it there and select it again.',
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    zip: 'Zip archive',
    chosen: (name: string, what: string) => `${name}: ${what}`,
    fits: 'The header is recognised. Every row is checked in the next step.',
    unmatched: (names: readonly string[]) =>
      `The first line is not the header of an SIS file. It reads: ${names.slice(0, 8).join(', ').slice(0, 160)}. In the next step, you can match its columns.`,
    missing: (names: readonly string[]) =>
      names.length === 1
        ? `The column ${names[0]} is missing. In the next step, you can match your columns or give every row the same value.`
        : `These columns are missing: ${names.join(', ')}. In the next step, you can match your columns or give every row the same value.`,
    fitsZip: 'The files in the zip are checked in the next step.',
    uploaded: 'Uploaded and checked.',
  },
  problems: {
    empty: 'The file is empty. Select a file with a header and rows.',
    tooLarge: (size: number, most: number) =>
      `The file is too large: it is ${sizeOf(size)}, and the maximum is ${sizeOf(most)}. Split it into several files.`,
    workbook:
      'This is a spreadsheet, not a CSV file. In Excel, choose “Save as” and the file type “CSV UTF-8”. Then select the new file here.',
    zip: 'You do not have permission to upload zip files. Select a single CSV file.',
    header: (names: readonly string[]) =>
      `The first line is not the header of an SIS file. It reads: ${names.slice(0, 8).join(', ').slice(0, 160)}. Compare it with the templates.`,
    notText: 'This is not a CSV file, but a picture, a PDF or something else. Select a CSV file.',
    admins: 'This file contains administrators, which LMS Admin cannot import. Contact IT Support.',
    kind: (kind: string) =>
      `You can import only users and enrollments. This file contains something else: ${kind.toLowerCase()}.`,
  },
  lost: {
    reloaded: (name: string) =>
      `The page was reloaded before ${name} had been uploaded. Nothing has been sent. Select the file again.`,
    refused: (name: string) =>
      `${name} was not sent, because something has changed since the check. Select the file again to repeat the check.`,
    expired: (name: string) =>
      `${name} is no longer available, because it was discarded or uploaded more than a day ago. Nothing has been sent. Select the file again.`,
  },
  upload: {
    uploading: 'Uploading',
    checking: 'Checking every row',
    checkingHint: 'The file has been uploaded. Large files take a moment.',
    of: (done: number, total: number) => `${sizeOf(done)} of ${sizeOf(total)}`,
    cancel: 'Cancel',
    cancelled: 'You cancelled the upload.',
    nothingSent: 'Nothing has been sent to the LMS.',
    retry: 'Try again',
    other: 'Select another file',
    changed: 'If the file was changed or moved since you selected it, select it again.',
    lost: 'The review could not be loaded.',
    problems: 'Problems in the file',
    problemsTitle: (count: number) =>
      count === 1 ? 'The file has 1 problem' : `The file has ${grouped(count)} problems`,
    firstProblems: (count: number) =>
      `These are the first ${grouped(count)} problems in the file. There may be more.`,
    problemsNext: (count: number) =>
      `Correct ${count === 1 ? 'it' : 'them'} in the file, save it, and select it again.`,
    row: 'Row',
    column: 'Column',
    problem: 'Problem',
    count: 'Rows',
  },
  recheck: 'Check the file again',
  compared: 'Expected changes, compared with the LMS before sending',
  removed: {
    all: ({ certain, possible }: Removals, confirmed: number | null) =>
      [
        certain === '' ? '' : `Removed, including everything that ends as a result: ${certain}.`,
        possible === '' ? '' : `Not compared, and counted as removed: ${possible}.`,
        confirmed === null ? '' : `The number that you confirmed: ${grouped(confirmed)}.`,
      ]
        .filter(Boolean)
        .join(' '),
    name: ({ id, name }: { id: string; name: string | null }) => (name === null ? id : `${name} (${id})`),
    deleted: (kind: SisKind, names: readonly string[], more: number) =>
      `${sisTableOf(kind).title} deleted: ${names.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}.`,
  },
  review: {
    ready: (count: number) => `The check is done: ${rows(count)}.`,
    notReady: 'The file has not been checked yet.',
    notPassed: 'The file has not passed the check.',
    will: (count: number, kinds: string, statuses: string) =>
      `“Submit Data to LMS” sends ${rows(count)} of ${kinds}${statuses === '' ? '' : `: ${statuses}`}.`,
    noStatus: (count: number) => `${grouped(count)} without a status`,
    nothing: 'The file has a header but no rows, so there is nothing to send.',
    notices: 'About this file',
    warnings: 'Check this before you submit',
    figures: 'Changes in this file',
    workedOut: 'The comparison is ready.',
    comparing: 'The file is being compared with the LMS.',
    notCompared: 'The file has not been compared with the LMS.',
    notes: 'Check these rows',
    takes: ({ certain, possible }: Removals) =>
      possible === ''
        ? `Removes ${certain}`
        : certain === ''
          ? `Could remove ${possible}`
          : `Removes ${certain}, could remove ${possible}`,
    corrected: {
      title: 'You have corrected this file',
      text: 'You can view and change your corrections until you submit the file.',
      open: 'Change corrections',
      gone: 'Your corrections can no longer be changed. The review shows the corrected file.',
    },
    failing: {
      title: (count: number) => `The LMS will reject ${rows(count)}`,
      text: 'Nothing has been sent yet. Correct these rows here, or skip them. All other rows stay as they are.',
      zip: 'Nothing has been sent yet. Correct these rows in their file and upload the zip again, or submit the others as they are.',
      open: 'Correct these rows',
      opening: 'Opening …',
      failed: 'The rows could not be opened.',
      back: 'Back to the review without changes',
    },
    notFound: {
      title: (count: number) =>
        `${rows(count)} ${count === 1 ? 'names' : 'name'} an ID that the LMS does not have`,
      text: 'If the ID is mistyped, the row will not do what you intend. Correct it here, or skip the row. If the ID is correct, for example that of a deleted group, submit the row as it is.',
      zip: 'If the ID is mistyped, the row will not do what you intend. Correct it in its file and upload the zip again. If the ID is correct, for example that of a deleted group, submit the row as it is.',
      open: 'Correct these IDs',
    },
    refused: (count: number) =>
      count === 1
        ? 'In 1 row, the login and the SIS ID belong to different people'
        : `In ${grouped(count)} rows, the login and the SIS ID belong to different people`,
    refusedText:
      'The file cannot be sent with these rows. They are listed with the rows that the LMS will reject. Correct or skip them.',
    open: (name: string) => `Open ${name} in the LMS`,
    newCourses: {
      title: (count: number) =>
        count === 1
          ? 'The LMS would create a course for a cross-listing'
          : `The LMS would create ${grouped(count)} courses for cross-listings`,
      text: 'No course has this SIS ID. If it is mistyped, correct the file. Otherwise the people in the section would be enrolled in a new, empty course.',
      allow: (id: string, name: string, sections: number, enrolments: number) =>
        `Create the course ${id}${name === '' ? '' : `, named “${name}”`}, with ${counted(sections, 'section', 'sections')} and ${counted(enrolments, 'enrolment', 'enrolments')}`,
      blocked: 'Allow the new course above, or correct the file.',
    },
    brake: {
      title: ({ certain, possible }: Removals) =>
        possible === ''
          ? `This file removes ${certain}`
          : certain === ''
            ? `This file could remove ${possible}`
            : `This file removes ${certain}, and could remove ${possible}`,
      counted:
        'LMS Admin counts everything that ends access, each item once. This includes enrolments and group memberships that end with a person, a course or a section. It also includes enrolments in a section that moves to another course, and observers who leave together with a student.',
      /** @param count the number of rows not compared */
      uncompared: ({ certain, possible }: Removals, count: number) =>
        `${certain === '' ? possible : `${possible} of these`} could not be compared with the LMS. ${count === 1 ? 'It counts as removed.' : 'They count as removed.'}`,
      roles:
        'Administrator roles of deleted people also end. LMS Admin cannot see these roles, so the number does not include them.',
      defaultSection:
        'Rows without a section_id remove people only from the default section of the course. Enrolments in other sections stay.',
      course: (
        { name, id }: { name: string | null; id: string },
        taken: number,
        members: number,
        active: number | null,
      ) => {
        // Courses may have the same name.
        const course = name === null || id === '' ? (name ?? id) : `${name} (${id})`;
        const lost = [
          ...(taken > 0 ? [counted(taken, 'enrolment', 'enrolments')] : []),
          ...(members > 0 ? [counted(members, 'group membership', 'group memberships')] : []),
        ].join(' and ');
        if (taken === 0) return `${course}: loses ${lost}`;
        if (active === null)
          return `${course}: loses ${lost} (LMS Admin could not count how many are active)`;
        return `${course}: loses ${lost} (${grouped(active)} ${active === 1 ? 'is' : 'are'} active now)`;
      },
      moreCourses: (count: number) => `and ${counted(count, 'more course', 'more courses')}`,
      reason: {
        many: 'This file removes more than 50 items.',
        'whole-place': 'A course or a section with enrolments in it is deleted, concluded or moved.',
        'share-of-course': 'This file removes more than 5% of the active enrolments of a course.',
        'share-of-all': 'This file removes more than 5% of all people or courses in the LMS.',
        untold: 'LMS Admin could not compare or count all removals.',
      },
      confirm: (count: number) => `To continue, confirm the number of removals: ${count}.`,
      label: 'Number of removals',
      confirmed: 'The number is correct.',
    },
    parts: {
      title: 'Changes by type',
      byCourse: (enrolments: string) => `${enrolments}, course by course`,
      show: 'Show',
      choose: 'Choose',
      nothing: 'None of these rows changes anything, but the LMS still counts them as imported.',
    },
    courses: {
      label: 'Courses in the file',
      name: 'Course and person',
      role: 'Role and section',
      does: 'What happens',
      doing: (count: number, doing: string) => `${grouped(count)} ${doing}`,
      rows,
      counts: (count: number) => counted(count, 'course', 'courses'),
      loading: 'Loading the rows …',
      moreRows: 'More rows',
      failed: 'The courses could not be loaded.',
      shown: (count: number, all: number) => `${grouped(count)} of ${grouped(all)} courses`,
      more: 'Show more courses',
    },
    rows: {
      search: 'Find in these rows',
      none: 'No rows match.',
      failed: 'The rows could not be loaded.',
      shown: (count: number, all: number) => `${grouped(count)} of ${rows(all)}`,
      more: 'Show more rows',
      before: (value: string) => `before: ${value}`,
      empty: 'empty',
      field: (name: string, before: string | null, after: string | null) =>
        `${name}: ${before ?? 'empty'} → ${after ?? 'empty'}`,
      columns: {
        row: 'Row',
        file: 'File',
        of: (kind: SisKind) => OF[kind] ?? 'Name',
        in: (kind: SisKind) =>
          kind === 'group_membership' ? 'Group' : kind === 'group' ? 'Category' : 'Course',
        changes: 'Change',
        becomes: 'New value',
        why: 'Note',
      },
    },
    confirmBlocked: (count: number) => `Type ${grouped(count)} in the field above to continue.`,
    files: 'Files in the zip',
    partColumns: { name: 'File', kind: 'Kind', rows: 'Rows' },
    previewOf: 'Preview of',
    preview: (kind: string) => `First rows: ${kind}`,
    previewNote: (shown: number, all: number) =>
      shown < all
        ? `The first ${grouped(shown)} of ${rows(all)}.`
        : all === 1
          ? 'The only row.'
          : `All ${rows(all)}.`,
    sentTitle: 'This file has already been submitted',
    sentText: 'It was submitted from another tab or window, and will not be sent again.',
    sentFollow: 'Follow the import',
  },
} as const;
