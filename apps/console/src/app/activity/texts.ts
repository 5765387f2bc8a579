/** Texts on the screens of running and finished work. */
import { grouped } from '@lms-admin/domain/numbers';

export const texts = {
  title: 'Activity',
  purpose: 'Work that you have started, with its progress and results.',
  purposeAll: 'Work that anyone has started, with its progress and results.',
  filters: 'Filters',
  search: 'Search activity',
  tool: 'Tool',
  anyTool: 'Any tool',
  state: 'State',
  anyState: 'Any state',
  open: 'In progress',
  from: 'From',
  to: 'To',
  backwards: '“To” must not be earlier than “From”.',
  everyone: 'Show everyone’s activity',
  clear: 'Clear filters',
  /** Lists the courses that an entry is about, the first ones by name. */
  courseNames: (courses: readonly string[], more: number) =>
    more === 0 ? courses.join(', ') : `${courses.join(', ')} and ${grouped(more)} more`,
  undone: {
    done: 'Undone',
    partly: 'Partly undone',
    open: 'Being undone',
    again: 'Undone, then redone',
    redoing: 'Undone, being redone',
  },
  columns: { what: 'Entry', state: 'State', when: 'Started', tool: 'Tool', who: 'Who' },
  rows: 'Activity',
  found: (count: number, more: boolean) =>
    `${grouped(count)}${more ? ' or more' : ''} ${count === 1 ? 'entry' : 'entries'}`,
  more: 'Show 50 more',
  failed: 'The list could not be loaded.',
  empty: 'No entries yet.',
  emptyNext:
    'An import or a review that you start in a tool appears here, with its progress and later with its result.',
  nothing: 'Nothing matches these filters.',
  nothingNext: 'Try different words or a wider date range, or clear the filters.',
  drafts: {
    title: (count: number) =>
      count === 1
        ? 'You are correcting a file in SIS Import.'
        : `You are correcting ${grouped(count)} files in SIS Import.`,
    text: (count: number) =>
      `None of ${count === 1 ? 'its' : 'their'} rows has been applied in the LMS. You can continue in the first step of SIS Import, which also shows how long ${count === 1 ? 'the file is' : 'the files are'} kept.`,
    open: 'Open SIS Import',
  },
  notices: {
    label: 'Notify me when work finishes',
    on: 'Your browser shows a notification while this page is open in the background.',
    off: 'Your browser will ask whether this page can show notifications.',
    blocked:
      'Your browser blocks notifications from this page. You can allow them in its settings for this site.',
  },

  back: 'All activity',
  loading: 'Loading this entry',
  lost: 'This entry could not be loaded.',
  facts: 'About this entry',
  startedBy: 'Started by',
  you: 'you',
  started: 'Started',
  courses: 'Courses',
  terms: (count: number) => (count === 1 ? 'Term' : 'Terms'),
  programmes: (count: number) => (count === 1 ? 'Programme' : 'Programmes'),
  undoes: 'Undo of',
  undoesLink: 'Open the import',
  undoneBy: 'Undo',
  undoneLinks: {
    done: 'This import was undone. Open the undo',
    partly: 'This import was partly undone. Open the undo',
    open: 'This import is being undone. Open the undo',
    again: 'This import was undone and redone. Open the undo',
    redoing: 'This import was undone and is being redone. Open the undo',
  },
  ended: 'Ended',
  took: (how: string) => `took ${how}`,
  elsewhere: 'From another LMS',
  forgotten: (days: number | null) =>
    days === null || days === 0
      ? 'The details of this entry were deleted after it ended.'
      : `The details of this entry were deleted ${days === 1 ? '1 day' : `${days.toLocaleString('en-GB')} days`} after it ended.`,
  forgottenNext: 'Names, rows and messages have been deleted. The result and the totals are kept.',
  progress: 'Progress',
  receipt: 'Result',
  figures: 'Figures',
  endings: {
    done: 'Completed.',
    partly: 'Partly completed.',
    failed: 'Failed.',
    cancelled: 'Cancelled.',
  },
  files: 'Files',
  download: (name: string, size: string) => `${name} (${size})`,
  items: {
    title: 'Step by step',
    counts: { todo: 'To do', doing: 'In progress', done: 'Done', failed: 'Failed', unknown: 'Unknown' },
    /** State of an item that was not done before its work ended. */
    notDone: 'Not done',
    unknownHint:
      'Unknown: this step started, but LMS Admin could not confirm that it finished. Check in Zoom or the LMS.',
    columns: { what: 'Step', state: 'State', message: 'Message' },
    link: 'Link',
    more: 'Show more',
    failed: 'The steps could not be loaded.',
    none: 'This entry has no steps.',
  },
} as const;
