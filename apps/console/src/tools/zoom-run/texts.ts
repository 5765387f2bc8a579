/** Texts of ours in Zoom Event Run, beside the documented ones of the message table. */
import { counted } from '../../components/Wizard/wizard-state.ts';

const courses = (count: number) => counted(count, 'course', 'courses');

export const texts = {
  purpose: [
    'Bring the Zoom links of one course up to date now, or keep those of several courses up to date every day.',
    'Look at what will happen, then confirm.',
    '',
  ],
  ways: 'Ways to run',
  course: 'Course ID',
  hint: 'The number in the address of the course: 1234 in …/courses/1234. The whole address will do.',
  daysHint: {
    once: 'How far ahead the events of the course are looked at.',
    queue:
      'How far ahead the events of the courses that you add are looked at. Courses in the queue keep their own.',
  },
  day: (count: number) => `${count} days`,
  add: 'Courses to add',
  addHint: 'Type or paste the numbers of courses, such as 1234. Each of them is run once a day from then on.',
  queue: {
    title: (count: number) => (count === 0 ? 'The queue' : `The queue · ${courses(count)}`),
    label: 'Queue',
    loading: 'The queue is loading.',
    failed: 'The queue could not be loaded.',
    failedNext: 'A single course can still be run under One Time Run.',
    empty: 'The queue is empty.',
    emptyNext: 'Courses that you add stand here once they are saved.',
    /** @param moment null: some courses are due now */
    next: (moment: string | null) =>
      moment === null
        ? 'It is worked off once a day; courses that are due are begun within a few minutes.'
        : `It is worked off once a day, next on ${moment}.`,
    mayNotRemove:
      'You can add courses, but not take any off the queue: your access does not hold that permission. Please contact IT Support if you need it.',
    columns: {
      course: 'Course',
      id: 'Course ID',
      by: 'Added by',
      days: 'Days',
      last: 'Last run',
      change: 'Change',
    },
    search: 'Search the queue',
    by: (name: string, moment: string) => `${name}, ${moment}`,
    never: 'Not yet',
    remove: 'Remove',
    removeOne: (course: string) => `Remove ${course}`,
    keep: 'Keep',
    keepOne: (course: string) => `Keep ${course}`,
    out: 'To be removed',
  },
  nothingChosen: 'Add a course to the queue, or remove one.',
  review: {
    loading: 'Reading the courses',
    unread: 'The courses could not be read.',
    course: 'The course',
    facts: { code: 'Course Code', name: 'Course Name', id: 'Course ID', days: 'Days', by: 'Requested By' },
    daysUntil: (days: number, day: string) => `${days}, until ${day}`,
    absent: (ids: readonly string[]) =>
      ids.length === 1
        ? `There is no course ${ids[0]} that you may work with.`
        : `There are no such courses that you may work with: ${ids.join(', ')}.`,
    absentNext: 'Go back and correct the number, or take it out.',
    once: (course: string, day: string) =>
      `The calendar events of ${course} until ${day} get what they lack; whatever is right already stays as it is.`,
    steps: [
      'Events that are to have a Zoom meeting and have none get one.',
      'Meetings of events that have moved are moved too.',
      'Links that were edited away from published events are put back.',
      'Meetings that are gone in Zoom are made anew; their events then have another link.',
    ],
    after: 'You can leave the page meanwhile. Activity shows what was done for each event.',
    queue: (added: number, removed: number) =>
      [
        ...(added > 0 ? [`${courses(added)} will be added to the queue`] : []),
        ...(removed > 0 ? [`${courses(removed)} will be removed from it`] : []),
      ].join(', ') + '.',
    nothing: 'Nothing would change in the queue.',
    nothingNext: 'Go back to add or remove courses.',
    added: 'Added',
    addedDays: (days: number, name: string) => `For the next ${days} days each day, added by ${name}`,
    known: (ids: readonly number[]) =>
      ids.length === 1
        ? `Course ${ids[0]} is in the queue already and stays as it is.`
        : `These courses are in the queue already and stay as they are: ${ids.join(', ')}.`,
    removed: (count: number) => `Remove ${courses(count)} from the queue?`,
    removedNext: 'Meetings and links that are there stay. The queue no longer keeps them up to date.',
    removedLine: (course: string, by: string) => `${course}, added by ${by}`,
    mayNotRemove: 'You no longer have the permission to take courses off the queue.',
    unchanged: (count: number) =>
      `${courses(count)} in the queue ${count === 1 ? 'stays as it is' : 'stay as they are'}.`,
    newFirst: 'New courses are run for the first time within a few minutes, then once a day.',
  },
  confirm: 'Confirm',
  sum: {
    once: (course: string, days: number) => `${course} · ${days} days`,
    queue: (added: number, removed: number) =>
      [
        ...(added > 0 ? [`${courses(added)} to add`] : []),
        ...(removed > 0 ? [`${courses(removed)} to remove`] : []),
      ].join(' · '),
  },
  completed: {
    sending: { once: 'Storing the work order', queue: 'Saving the queue' },
    failed: { once: 'The run could not be started.', queue: 'The queue could not be saved.' },
    again: 'Back to the review',
    show: 'Show the run in Activity',
    saved: 'The queue is saved. You can leave the page.',
    showRuns: 'Show the runs in Activity',
    now: (count: number) => (count === 0 ? 'It is empty now.' : `It now holds ${courses(count)}.`),
    meanwhile: 'Somebody else has changed the queue meanwhile.',
    theyAdded: (list: string) => `Added by others: ${list}.`,
    theyRemoved: (list: string) => `Removed by others: ${list}.`,
    unread: 'The queue is saved, but could not be read again.',
  },
} as const;
