/** Texts of Group Enrollment; prescribed ones are in the contract. */

import type { PlannedGroup, PlannedMember, Spread } from '@lms-admin/contract/groups';
import { counted, grouped } from '@lms-admin/domain/numbers';
import { sizeOf } from '../../components/size-of.ts';
import type { Way } from './course-work.ts';

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
  evenly: ['Evenly', 'in alphabetical order'],
  'by-section': ['By section', 'groups have people from one section where possible'],
  mixed: ['Sections mixed', 'each group has people from all sections'],
};
const groupFates: Readonly<Record<PlannedGroup['fate'], string>> = {
  new: 'New',
  there: 'Already there',
  renamed: 'Renamed',
  refused: 'Not possible',
};
const memberFates: Readonly<Record<PlannedMember['fate'], string>> = {
  add: 'To add',
  move: 'To move',
  already: 'Already there',
  remove: 'To remove',
  'not-member': 'Not in the group',
  refused: 'Not possible',
};

/** Texts for a simulation while the server prepares it. */
export const planningWords = {
  start: 'Starting the simulation',
  cancelled: 'The simulation was cancelled. Nothing has been sent.',
  retry: 'Simulate again',
  broke: 'The simulation could not be completed.',
  notReady: 'The simulation is not ready yet.',
  first: (retry: string) => `Select “${retry}” first.`,
} as const;

export const texts = {
  purpose: [
    'Choose the programme, sub-accounts and terms, then select a course. In the dialog that opens, create group categories and groups, and add people to them.',
    'In Group Enrollment, you confirm and send all changes in the dialog of a course.',
  ],
  progressTitle: 'Progress',
  withoutSisId: (count: number) =>
    count === 1
      ? '1 course in the chosen terms is not listed. It has no SIS ID, so an import cannot refer to its groups.'
      : `${grouped(count)} courses in the chosen terms are not listed. They have no SIS ID, so an import cannot refer to their groups.`,
  review: {
    blocked: 'There is nothing to submit here.',
    submit: 'Submit Data to LMS',
    table: 'Summary',
    empty: 'You cannot submit anything here',
    emptyNext:
      'You confirm and send groups and people in the dialog of a course. Go back and select the course.',
    toCourses: 'Back to the courses',
  },
  dialog: {
    close: 'Close',
    tabs: 'Work in this course',
    kept: 'Your entries are kept when you close this dialog.',
    imports: 'Your imports into this course',
  },
  column: { what: 'Outcome', why: 'Note', row: 'Row' },
  option,
  refresh: 'Refresh',
  refreshed: 'The categories have been refreshed.',
  list: {
    loading: 'Loading the group categories',
    failed: 'The group categories could not be loaded.',
    label: 'Group categories',
    empty: 'This course has no group category yet',
    emptyNext: 'Enter a name above and select “Create”.',
    name: 'Category or group',
    sisId: 'SIS ID',
    groups: 'Groups',
    people: 'Memberships',
    unread: (names: string) => `The groups of these categories could not be loaded: ${names}.`,
    why: {
      'has-one': '',
      'kept-by-lms': 'The LMS manages this category',
      'id-taken': 'No SIS ID, because another category already has the SIS ID that this one would get',
    },
    noSisId: 'No SIS ID, so it cannot be used here',
    give: 'Add an SIS ID',
    giveOf: (name: string) => `Add an SIS ID to ${name}`,
    given: (name: string, id: string) => `${name} now has the SIS ID ${id}.`,
    giveFailed: (name: string) => `The SIS ID of ${name} could not be set.`,
    withoutId: 'Without SIS ID',
  },
  category: {
    name: 'Name of the category',
    willGet: 'Its SIS ID will be',
    notReached:
      'LMS Admin could not confirm that the category was created. Check the list before you select “Create” again.',
    notCreated: 'The category was not created.',
    createdWithoutId: 'The category was created, but without an SIS ID.',
    creating: 'Creating',
    converted: (name: string, what: string) => `“${name}” is ${what}. Enter the name itself.`,
    long: 'The name is too long, because its SIS ID would have more than 255 characters. Choose a shorter name.',
  },
  groups: {
    category: 'Group category',
    choose: 'Choose a group category',
    noneTitle:
      'No category in this course has an SIS ID yet. Create a category above, or add an SIS ID to an existing one.',
    gone: 'The chosen category no longer exists. Choose another one.',
    row: (row: number) => `Groups, row ${grouped(row)}`,
    add: 'Add row',
    remove: 'Remove row',
    removeOf: (row: number) => `Remove row ${grouped(row)}`,
    none: 'The start is greater than the end, so this row creates no groups.',
    blank: 'This row has no prefix, so it is not used.',
    makes: (names: readonly string[]) =>
      names.length === 0
        ? 'No groups yet.'
        : names.length === 1
          ? `1 group: ${names[0]}`
          : `${groups(names.length)}: ${names[0]} to ${names.at(-1)}`,
    table: 'Simulated groups',
    checking: 'Comparing …',
    needCategory: 'Choose a group category first.',
    needRow: 'Enter a prefix, and a start that is not greater than the end.',
    needSimulation: 'Select “Simulate Groups” and check the table first.',
    nothing: 'None of these groups is new, so there is nothing to send.',
    nothingRefused: 'Nothing can be sent. The table gives the reasons.',
    ready: (words: string) => `The simulation is ready. ${words}`,
    will: (parts: string, category: string) => `This ${parts} in ${category}.`,
    /** Describes groups that may have been deleted earlier, which the LMS does not show. */
    mayComeBack: (count: number) =>
      `The LMS does not show deleted groups. If ${count === 1 ? 'this group was deleted before' : 'one of these groups was deleted before'}, it is restored with its former members. The result will show whether this happened.`,
    makesNew: (count: number) => `creates ${groups(count)}`,
    renames: (count: number) => `renames ${groups(count)}`,
    and: ' and ',
    there: (count: number) =>
      `${groups(count)} already ${count === 1 ? 'exists' : 'exist'}. Nothing is sent for ${count === 1 ? 'it' : 'them'}.`,
    refused: (count: number) =>
      `${groups(count)} cannot be created or renamed and will be skipped. The table gives the reasons.`,
    progress: 'Creating the groups',
  },
  ways: { label: 'How to assign people to groups', names: ways },
  file: {
    columns: 'Format of the file',
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    hint: (most: number) => `Up to ${sizeOf(most)}, with the columns group_id, user_id and status.`,
    hintRows: 'In the column status, enter accepted to add a person, or deleted to remove one.',
    one: 'Select one file only.',
    unread:
      'The file could not be read. If it is open in another program, close it there and select it again.',
    notCsv: (name: string) => `${name} is not a .csv file. Only .csv files are accepted here.`,
    empty: 'The file is empty. Select a file with a header and rows.',
    tooLarge: (size: number, most: number) =>
      `The file is too large: it is ${sizeOf(size)}, and the maximum is ${sizeOf(most)}. Split it into several files.`,
    workbook:
      'This is a spreadsheet, not a CSV file. In Excel, choose “Save as” and the file type “CSV UTF-8”. Then select the new file here.',
    notText: 'This is not a text file. Select a CSV file.',
    header: (names: readonly string[]) =>
      `The first line is not the header group_id,user_id,status. It reads: ${names.slice(0, 8).join(', ').slice(0, 160)}. Compare it with the sample.`,
    noStatus:
      'The column status is missing. Its value is accepted to add a person to a group, or deleted to remove one.',
    ignored: (names: readonly string[]) =>
      names.length === 1
        ? `This column is not sent: ${names[0]}.`
        : `These columns are not sent: ${names.join(', ')}.`,
    fits: 'The header is recognised.',
    chosen: (name: string, what: string) => `${name}: ${what}`,
    large:
      'The file is too large to be kept if you reload this page. You would then have to select it again.',
    lost: (name: string) => `The page was reloaded, and ${name} was too large to be kept. Select it again.`,
  },
  pasted: {
    label: 'People and groups',
    hint: 'Enter one line for each person: the email, login or SIS ID, then the name or SIS ID of the group. Use two spreadsheet columns, or a comma between them. A third column can contain the status (accepted or deleted).',
    category: 'Look for group names in',
    anyCategory: 'All categories',
    tooLong: (most: number) => `The maximum is ${grouped(most)} characters. The rest was not added.`,
    simulate: 'Simulate the pasted rows',
    need: 'Paste people and groups first.',
  },
  spread: {
    category: 'Category of the groups to fill',
    by: 'Distribution',
    names: spreads,
    only: 'Only students who are not yet in one of these groups',
    onlyHint: 'Otherwise all students are distributed again, and some of them change groups.',
    noGroups: 'This category has no groups yet. Create them above first.',
    /** Counts the groups that can be filled: `Half (2 of 3 groups)`. */
    option: (name: string, filled: number, all: number) =>
      filled === all ? option(name, all) : `${name} (${grouped(filled)} of ${groups(all)})`,
    unfilledTitle: (count: number) => `${groups(count)} of this category cannot be filled`,
    unfilledText: (count: number, onlyUnassigned: boolean) =>
      `${count === 1 ? 'It has no SIS ID, so an import cannot change it.' : 'They have no SIS ID, so an import cannot change them.'} ${
        onlyUnassigned
          ? `Students in ${count === 1 ? 'it' : 'them'} count as having a group and stay there.`
          : `Students in ${count === 1 ? 'it' : 'them'} move to the other groups, and undo cannot move them back.`
      }`,
    unfilled: (names: readonly string[]) =>
      names.length === 1
        ? `The group ${names[0]} gets no students, because it has no SIS ID.`
        : `The groups ${listed(names)} get no students, because they have no SIS ID.`,
    simulate: 'Simulate the distribution',
    need: 'Choose the category whose groups you want to fill.',
  },
  corrections: {
    title: (count: number) =>
      count === 1 ? '1 problem can be corrected here' : `${grouped(count)} problems can be corrected here`,
    how: 'Your corrections change the file that is sent, not the file on your computer. The simulation is updated immediately.',
    rows: (numbers: readonly number[]) =>
      numbers.length === 1
        ? `Row ${grouped(numbers[0] ?? 0)}`
        : `${grouped(numbers.length)} rows, starting with row ${grouped(numbers[0] ?? 0)}`,
    field: (column: string, value: string) =>
      column === 'status' ? column : `${column} (currently ${value || 'empty'})`,
    use: (count: number) => (count === 1 ? 'Use this value' : `Use this value in all ${grouped(count)} rows`),
    leaveOut: (count: number) => (count === 1 ? 'Skip the row' : `Skip the ${grouped(count)} rows`),
    more: (count: number) =>
      `${counted(count, 'more problem appears', 'more problems appear')} as you correct these.`,
    tooLarge: 'The file would be too large with this correction.',
  },
  members: {
    needSimulation: (label: string) => `Select “${label}” and check the table first.`,
    nothing: 'Everything in these rows is already correct in the LMS, so there is nothing to send.',
    nothingRefused: 'Nothing can be sent. The table gives the reasons.',
    unusable: 'This file cannot be used. Select another one.',
    table: 'Simulated rows',
    person: 'Person',
    user: 'User ID',
    group: 'Group',
    groupId: 'Group ID',
    from: (group: string) => `from ${group}`,
    notFound: 'not found',
    empty: 'No rows',
    totals: 'Simulation totals',
    will: (parts: string) => `This ${parts}.`,
    adds: (count: number) => `adds ${counted(count, 'membership', 'memberships')}`,
    moves: (count: number) => `moves ${people(count)} to another group`,
    removes: (count: number) => `removes ${counted(count, 'membership', 'memberships')}`,
    already: (count: number) =>
      `${people(count)} ${count === 1 ? 'is' : 'are'} already in the group. Nothing is sent for them.`,
    notMember: (count: number) =>
      `${people(count)} to remove ${count === 1 ? 'is' : 'are'} not in the group. Nothing is sent for them.`,
    refused: (count: number) =>
      `${rows(count)} cannot be applied and will be skipped. The table gives the reasons.`,
    figures: {
      add: 'To add',
      move: 'To move',
      remove: 'To remove',
      already: 'Already there',
      refused: 'Not possible',
    },
    touched: 'Group sizes after this change',
    before: 'People now',
    after: 'After this change',
    ready: (words: string) => `The simulation is ready. ${words}`,
    takes: (removed: number, moved: number) =>
      [
        ...(removed > 0 ? [`Removes ${people(removed)} from their group`] : []),
        ...(moved > 0 ? [`${removed > 0 ? 'moves' : 'Moves'} ${people(moved)} to another group`] : []),
      ].join(', '),
    progress: 'Adding people to groups',
    fate: memberFates,
  },
  groupFate: groupFates,
} as const;

/** Joins parts as `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
