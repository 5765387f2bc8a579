/** Texts of ours in Group Enrollment, beside the documented ones of the message table. Short, plain, without blame. */
import type { PlannedGroup, PlannedMember, Spread } from '@lms-admin/contract/groups';
import { sizeOf } from '../../components/size-of.ts';
import { counted } from '../../components/Wizard/wizard-state.ts';
import type { Way } from './course-work.ts';

const n = (count: number) => count.toLocaleString('en-GB');
const rows = (count: number) => counted(count, 'row', 'rows');
const groups = (count: number) => counted(count, 'group', 'groups');
const people = (count: number) => counted(count, 'person', 'people');

const option = (name: string, count: number) => `${name} (${count === 0 ? 'no groups' : groups(count)})`;

const ways: Readonly<Record<Way, string>> = {
  csv: 'CSV file',
  pasted: 'Paste from a spreadsheet',
  spread: 'Distribute the students',
};
const spreads: Readonly<Record<Spread, readonly [name: string, hint: string]>> = {
  evenly: ['Evenly', 'in the order of their names'],
  'by-section': ['By section', 'groups hold people of one section where that is possible'],
  mixed: ['Sections mixed', 'each group holds people of all sections'],
};
const groupFates: Readonly<Record<PlannedGroup['fate'], string>> = {
  new: 'New',
  there: 'There already',
  renamed: 'Renamed',
  refused: 'Refused',
};
const memberFates: Readonly<Record<PlannedMember['fate'], string>> = {
  add: 'To add',
  move: 'To move',
  already: 'There already',
  remove: 'To remove',
  'not-member': 'Not in the group',
  refused: 'Refused',
};

/** What is said of a simulation while the server works it out. */
export const planningWords = {
  start: 'Starting the simulation',
  cancelled: 'The simulation was cancelled. Nothing has been sent.',
  again: 'Simulate again',
  broke: 'The simulation could not be completed.',
  notReady: 'The simulation is not ready yet.',
  first: (again: string) => `Press “${again}” first.`,
} as const;

export const texts = {
  purpose: [
    'Choose the programme, its sub-accounts and terms, then select a course: group categories, groups and their people are made in the window that opens.',
    'Everything of Group Enrollment is confirmed and sent from the window of a course.',
  ],
  progressTitle: 'Progress',
  withoutSisId: (count: number) =>
    `${counted(count, 'course', 'courses')} of the chosen terms ${count === 1 ? 'is' : 'are'} not listed: without a SIS id, files cannot name the groups of a course.`,
  review: {
    blocked: 'There is nothing to submit here.',
    submit: 'Submit Data to LMS',
    table: 'Summary',
    empty: 'Nothing is sent from here',
    emptyNext:
      'Groups and people are confirmed and sent in the window of a course. Go back and select the course.',
    toCourses: 'Back to the courses',
  },
  dialog: {
    close: 'Close',
    tabs: 'Work in this course',
    kept: 'What you entered is kept when you close this window.',
  },
  column: { what: 'What becomes of it', why: 'Note', row: 'Row' },
  option,
  refresh: 'Refresh',
  refreshed: 'The categories have been read again.',
  list: {
    loading: 'Loading the group categories',
    failed: 'The group categories could not be loaded.',
    label: 'Group categories',
    empty: 'This course has no group category yet',
    emptyNext: 'Enter a name above and press Create.',
    name: 'Category or group',
    sisId: 'SIS ID',
    groups: 'Groups',
    people: 'Memberships',
    unread: (names: string) => `The groups of these categories could not be read: ${names}.`,
    why: {
      'has-one': '',
      'kept-by-lms': 'The LMS keeps this one by itself',
      'id-taken': 'No SIS id, and another category has the one it would get',
    },
    noSisId: 'No SIS id: files cannot name it',
    give: 'Give it one',
    giveOf: (name: string) => `Give a SIS id to ${name}`,
    given: (name: string, id: string) => `${name} has the SIS id ${id} now.`,
    giveFailed: (name: string) => `${name} could not be given a SIS id.`,
    withoutId: 'Without SIS id',
  },
  category: {
    name: 'Name of the category',
    willGet: 'Its SIS id will be',
    notReached: 'Whether the category was made is not known. Look at the list before you press Create again.',
    notMade: 'The category was not made.',
    madeWithoutId: 'The category was made, but without a SIS id.',
    creating: 'Creating',
    made: (name: string, what: string) => `“${name}” is ${what}. Enter the name itself.`,
    long: 'The name is too long: its SIS id would have more than 255 characters. Choose a shorter one.',
  },
  groups: {
    category: 'Group category',
    choose: 'Choose a group category',
    noneTitle: 'No category of this course has a SIS id yet. Create one above, or give one a SIS id there.',
    gone: 'The chosen category is not there any more. Choose another one.',
    row: (row: number) => `Groups, row ${n(row)}`,
    add: 'Add row',
    remove: 'Remove row',
    removeOf: (row: number) => `Remove row ${n(row)}`,
    none: 'Start is above end: this row makes no group.',
    blank: 'Without a prefix this row does not count.',
    makes: (names: readonly string[]) =>
      names.length === 0
        ? 'No group yet.'
        : names.length === 1
          ? `1 group: ${names[0]}`
          : `${groups(names.length)}: ${names[0]} to ${names.at(-1)}`,
    table: 'Simulated groups',
    checking: 'Being compared …',
    needCategory: 'Choose a group category first.',
    needRow: 'Enter a prefix, and a start that is not above the end.',
    needSimulation: 'Tick Simulate Groups and look at the table first.',
    nothing: 'None of these groups is new, so there is nothing to send.',
    nothingRefused: 'Nothing can be sent: the table says why.',
    ready: (words: string) => `The simulation is ready. ${words}`,
    will: (parts: string, category: string) => `This ${parts} in ${category}.`,
    /** What the LMS does and does not show. */
    mayComeBack: (count: number) =>
      `The LMS does not show groups that were deleted. If ${count === 1 ? 'it is one of those' : 'one of these is among them'}, it comes back with the people it had: you are told at the end.`,
    makesNew: (count: number) => `makes ${groups(count)}`,
    renames: (count: number) => `renames ${groups(count)}`,
    and: ' and ',
    there: (count: number) =>
      `${groups(count)} there already: nothing is sent for ${count === 1 ? 'it' : 'them'}.`,
    refused: (count: number) => `${groups(count)} refused and left out; the table says why.`,
    progress: 'Creating the groups',
  },
  ways: { label: 'How to say who goes where', names: ways },
  file: {
    columns: 'Format of the file',
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    hint: (most: number) => `Up to ${sizeOf(most)}, columns group_id, user_id, status.`,
    hintRows: 'status is accepted for people who go in, deleted for those who go out.',
    one: 'Please select one file only.',
    unread:
      'The file could not be read. If it is open in another program, close it there and select it again.',
    notCsv: (name: string) => `${name} is not a .csv file. Only .csv files are accepted here.`,
    empty: 'The file is empty. Please select a file with a header and rows.',
    tooLarge: (size: number, most: number) =>
      `The file is too large: it has ${sizeOf(size)}, and ${sizeOf(most)} is the most. Please split it into several files.`,
    workbook:
      'This is an Excel workbook. In Excel, choose “Save as”, type “CSV UTF-8”, and select that file.',
    notText: 'This is not a text file. Please select a CSV file.',
    header: (names: readonly string[]) =>
      `The first line is not the header group_id,user_id,status. It reads: ${names.slice(0, 8).join(', ').slice(0, 160)}. Please compare it with the sample.`,
    noStatus:
      'The column status is missing. It is accepted for people who are added to a group, deleted for those who are removed.',
    ignored: (names: readonly string[]) =>
      names.length === 1
        ? `This column is not sent: ${names[0]}.`
        : `These columns are not sent: ${names.join(', ')}.`,
    fits: 'The header is recognised.',
    chosen: (name: string, what: string) => `${name}: ${what}`,
    large:
      'The file is too large to be kept when this page is loaded again: it would have to be selected once more.',
    lost: (name: string) =>
      `The page was loaded again, and a file as large as ${name} is not kept. Please select it once more.`,
  },
  pasted: {
    label: 'People and groups',
    hint: 'One line for each person: e-mail, login or SIS id, then the name or SIS id of the group, in two columns of a spreadsheet or with a comma between. A third column may hold the status: accepted or deleted.',
    category: 'Look for group names in',
    anyCategory: 'All categories',
    tooLong: (most: number) =>
      `This is more than ${n(most)} characters, which is the most. The rest was not taken.`,
    simulate: 'Simulate what was pasted',
    need: 'Paste people and groups first.',
  },
  spread: {
    category: 'Over the groups of',
    by: 'How',
    names: spreads,
    only: 'Only students who are in none of these groups yet',
    onlyHint: 'Otherwise everybody is distributed anew, and some of them move.',
    noGroups: 'This category has no groups yet. Create them above first.',
    /** `Half (2 of 3 groups)`: those that can be filled. */
    option: (name: string, filled: number, all: number) =>
      filled === all ? option(name, all) : `${name} (${n(filled)} of ${groups(all)})`,
    unfilledTitle: (count: number) => `${groups(count)} of this category cannot be filled`,
    unfilledText: (count: number, onlyUnassigned: boolean) =>
      `${count === 1 ? 'It has no SIS id, so an import cannot name it.' : 'They have no SIS id, so an import cannot name them.'} ${
        onlyUnassigned
          ? `Students in ${count === 1 ? 'it' : 'them'} count as having a group and stay there.`
          : `Students in ${count === 1 ? 'it' : 'them'} move to the other groups, and undo cannot put them back.`
      }`,
    unfilled: (names: readonly string[]) =>
      names.length === 1
        ? `The group ${names[0]} gets no students: it has no SIS id.`
        : `The groups ${listed(names)} get no students: they have no SIS id.`,
    simulate: 'Simulate the distribution',
    need: 'Choose the category whose groups are to be filled.',
  },
  mending: {
    title: (count: number) =>
      count === 1 ? 'A problem can be corrected here' : `${n(count)} problems can be corrected here`,
    how: 'What you correct is changed in the file as it is sent, not on your computer, and simulated at once.',
    rows: (numbers: readonly number[]) =>
      numbers.length === 1
        ? `Row ${n(numbers[0] ?? 0)}`
        : `${n(numbers.length)} rows, the first is row ${n(numbers[0] ?? 0)}`,
    field: (column: string, value: string) =>
      column === 'status' ? column : `${column} instead of ${value || 'nothing'}`,
    use: (count: number) => (count === 1 ? 'Use it' : `Use it in all ${n(count)} rows`),
    leaveOut: (count: number) => (count === 1 ? 'Leave the row out' : `Leave the ${n(count)} rows out`),
    more: (count: number) =>
      `${counted(count, 'more problem comes', 'more problems come')} up as these are corrected.`,
    tooLarge: 'The file is too large with this.',
  },
  members: {
    needSimulation: (label: string) => `Tick ${label} and look at the table first.`,
    nothing: 'Everything is already as these rows ask for, so there is nothing to send.',
    nothingRefused: 'Nothing can be sent: the table says why.',
    unusable: 'This file cannot be used. Please select another one.',
    table: 'Simulated rows',
    person: 'Person',
    user: 'User ID',
    group: 'Group',
    groupId: 'Group ID',
    from: (group: string) => `from ${group}`,
    notFound: 'not found',
    empty: 'There is no row',
    totals: 'Sum of the simulation',
    will: (parts: string) => `This ${parts}.`,
    adds: (count: number) => `adds ${counted(count, 'membership', 'memberships')}`,
    moves: (count: number) => `moves ${people(count)} to another group`,
    removes: (count: number) => `removes ${counted(count, 'membership', 'memberships')}`,
    stay: (already: number, notMember: number) =>
      [
        ...(already > 0 ? [`${people(already)} there already`] : []),
        ...(notMember > 0 ? [`${people(notMember)} to remove not in the group`] : []),
      ].join(', '),
    stays: (what: string) => `${what}: nothing is sent for them.`,
    refused: (count: number) => `${rows(count)} refused and left out; the table says why.`,
    figures: {
      add: 'To add',
      move: 'To move',
      remove: 'To remove',
      already: 'There already',
      refused: 'Refused',
    },
    touched: 'Groups afterwards',
    before: 'People now',
    after: 'Afterwards',
    ready: (words: string) => `The simulation is ready. ${words}`,
    takes: (removed: number, moved: number) =>
      [
        ...(removed > 0 ? [`Takes ${people(removed)} out of their group`] : []),
        ...(moved > 0 ? [`${removed > 0 ? 'moves' : 'Moves'} ${people(moved)} to another group`] : []),
      ].join(', '),
    progress: 'Enrolling the users',
    fate: memberFates,
  },
  groupFate: groupFates,
} as const;

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
