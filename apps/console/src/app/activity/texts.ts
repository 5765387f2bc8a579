/** Texts of ours on the screens of what goes on and has been done. */
const n = (count: number) => count.toLocaleString('en-GB');

export const texts = {
  title: 'Activity',
  purpose: 'Everything you have started that takes a while: how far it is, and what came of it.',
  purposeAll:
    'Everything that anybody has started and that takes a while: how far it is, and what came of it.',
  filters: 'Filters',
  search: 'Search activity',
  tool: 'Tool',
  anyTool: 'Any tool',
  state: 'State',
  anyState: 'Any state',
  open: 'Not ended',
  from: 'From',
  to: 'To',
  backwards: 'Before the first day',
  everyone: 'Also what others have started',
  clear: 'Clear filters',
  /** The courses that an entry is about: the first ones by name. */
  courseNames: (courses: readonly string[], more: number) =>
    more === 0 ? courses.join(', ') : `${courses.join(', ')} and ${n(more)} more`,
  undone: {
    done: 'Undone',
    partly: 'Partly undone',
    open: 'Being undone',
    again: 'Undone and done again',
    redoing: 'Undone, being done again',
  },
  columns: { what: 'What', state: 'State', when: 'Started', tool: 'Tool', who: 'Who' },
  rows: 'Activity',
  found: (count: number, more: boolean) =>
    `${n(count)}${more ? ' or more' : ''} ${count === 1 ? 'entry' : 'entries'}`,
  more: 'Show 50 more',
  failed: 'The list could not be loaded.',
  empty: 'Nothing here yet.',
  emptyNext:
    'An import or a review that you start in a tool appears here, with its progress and later with its result.',
  nothing: 'Nothing matches these filters.',
  nothingNext: 'Try other words or a longer stretch of time, or clear the filters.',
  drafts: {
    title: (count: number) =>
      count === 1
        ? 'You are correcting a file in SIS Import.'
        : `You are correcting ${n(count)} files in SIS Import.`,
    text: 'Nothing of it has been submitted. The first step of SIS Import lists what you can continue, for a day after the upload.',
    open: 'Open SIS Import',
  },
  notices: {
    label: 'Tell me when work ends',
    on: 'While this page is open behind other windows, your browser shows a notice.',
    off: 'Your browser asks once whether this page may show notices.',
    blocked:
      'Your browser does not allow notices from this page. You can change that in its settings for this site.',
  },

  back: 'All activity',
  loading: 'Loading this entry',
  lost: 'This entry cannot be shown.',
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
    again: 'This import was undone and done again. Open the undo',
    redoing: 'This import was undone and is being done again. Open the undo',
  },
  ended: 'Ended',
  took: (how: string) => `took ${how}`,
  elsewhere: 'From another LMS',
  forgotten: 'Names and rows are no longer kept.',
  forgottenNext: 'They are removed some time after the end; the figures stay.',
  progress: 'Progress',
  receipt: 'What came of it',
  figures: 'Figures',
  endings: {
    done: 'All done.',
    partly: 'Not all of it was done.',
    failed: 'It could not be done.',
    cancelled: 'This was cancelled.',
  },
  files: 'Files',
  download: (name: string, size: string) => `${name} (${size})`,
  items: {
    title: 'Step by step',
    counts: { todo: 'To do', doing: 'Under way', done: 'Done', failed: 'Failed', unknown: 'Not known' },
    unknownHint:
      'Not known: it was begun, and nobody could find out whether it happened. Please look in the system itself.',
    columns: { what: 'What', state: 'State', message: 'Message' },
    link: 'Link',
    more: 'Show more',
    failed: 'The steps could not be loaded.',
    none: 'There are none.',
  },
} as const;
