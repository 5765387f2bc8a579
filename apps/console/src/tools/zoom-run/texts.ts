/** Texts of Zoom Event Run; prescribed ones are in the contract. */
import { counted } from '../../components/Wizard/wizard-state.ts';

const courses = (count: number) => counted(count, 'course', 'courses');

/** Formats a frequency, such as 'once a day'. */
export function every(hours: number): string {
  if (hours === 24) return 'once a day';
  if (hours === 1) return 'once an hour';
  return hours < 1 ? `every ${Math.round(hours * 60)} minutes` : `every ${Number(hours.toFixed(1))} hours`;
}

export const texts = {
  purpose: [
    'Update the Zoom links of one course now, or schedule regular updates for several courses.',
    'Check what will happen, then confirm.',
    '',
  ],
  ways: 'Ways to run',
  course: 'Course ID',
  daysHint: {
    once: 'How many days of upcoming events to include.',
    queue:
      'How many days of upcoming events to include for the courses that you add. Courses already in the queue keep their own number of days.',
  },
  day: (count: number) => `${count} days`,
  add: 'Courses to add',
  addHint: 'Type or paste course numbers, such as 1234. LMS Admin then updates these courses regularly.',
  queue: {
    title: (count: number) => (count === 0 ? 'The queue' : `The queue · ${courses(count)}`),
    label: 'Queue',
    loading: 'The queue is loading.',
    failed: 'The queue could not be loaded.',
    failedNext: 'You can still run a single course under One Time Run.',
    empty: 'The queue is empty.',
    emptyNext: 'Courses that you add are shown here after you save.',
    /**
     * @param hours between two runs of a course
     * @param moment null: some courses are due now
     */
    next: (hours: number, moment: string | null) =>
      moment === null
        ? `Each course runs ${every(hours)}. Runs that are due start within a few minutes.`
        : `Each course runs ${every(hours)}, next on ${moment}.`,
    mayNotRemove:
      'You can add courses to the queue, but you do not have permission to remove them. If you need this permission, contact IT Support.',
    columns: {
      course: 'Course',
      id: 'Course ID',
      by: 'Added by',
      days: 'Days',
      last: 'Last run',
      result: 'Result',
      change: 'Change',
    },
    search: 'Search the queue',
    by: (name: string, moment: string) => `${name}, ${moment}`,
    never: 'Not yet',
    noResult: '–',
    outcomes: { done: 'Done', partly: 'Partly done', failed: 'Failed', cancelled: 'Cancelled' },
    failing: (since: string) => `Failing since ${since}`,
    /** Names the person who is notified of failures. */
    added: (name: string, state: 'works' | 'gone' | 'no-access') =>
      state === 'no-access'
        ? `${name} no longer has access and is not notified. Failures appear only in this table, and in Activity for administrators who can see everything.`
        : `${name} and administrators who can see everything also see failures in Activity.`,
    failingTitle: (count: number) =>
      count === 1 ? 'The runs of 1 course are failing.' : `The runs of ${courses(count)} are failing.`,
    failingNext:
      'Their links are not updated. Remove courses that no longer exist. If the administrator who added a course has left, remove the course and add it again.',
    states: {
      gone: 'The course is no longer in the LMS, or it is outside your sub-accounts',
      'no-access': 'The administrator who added it no longer has access',
    },
    remove: 'Remove',
    removeOne: (course: string) => `Remove ${course}`,
    keep: 'Keep',
    keepOne: (course: string) => `Keep ${course}`,
    out: 'To be removed',
  },
  nothingChosen: 'Add a course to the queue, or remove one.',
  review: {
    loading: 'Loading the courses',
    unread: 'The courses could not be loaded.',
    course: 'The course',
    facts: { code: 'Course Code', name: 'Course Name', id: 'Course ID', days: 'Days', by: 'Requested By' },
    /** @param zone of the course; null: the reader's */
    daysUntil: (days: number, day: string, zone: string | null) =>
      `${days}, until ${day}${zone === null ? '' : ` (${zone.replaceAll('_', ' ')})`}`,
    absent: (ids: readonly string[]) =>
      ids.length === 1
        ? `Course ${ids[0]} was not found, or you do not have access to it.`
        : `These courses were not found, or you do not have access to them: ${ids.join(', ')}.`,
    absentNext: 'Go back and correct the number, or remove it.',
    counts: {
      'new-link': (count: number) => `${count} ${count === 1 ? 'gets' : 'get'} a new link`,
      'no-link': (count: number) => `${count} ${count === 1 ? 'loses its link' : 'lose their links'}`,
      'link-back': (count: number) => `${count} ${count === 1 ? 'gets its link' : 'get their links'} back`,
      'hand-over': (count: number) =>
        `${count} ${count === 1 ? 'gets the host of its other sections' : 'get the host of their other sections'}, with a link that students see`,
      'make-shown': (count: number) =>
        `${count} ${count === 1 ? 'gets' : 'get'} a new meeting, with a link that students see`,
      make: (count: number) => `${count} ${count === 1 ? 'gets' : 'get'} a new meeting`,
      change: (count: number) => `${count} ${count === 1 ? 'is' : 'are'} updated`,
      problem: (count: number) => `${count} cannot be updated`,
      unfit: (count: number) => `${count} cannot have a meeting`,
      waits: (count: number) =>
        `${count} ${count === 1 ? 'waits' : 'wait'} until the next day, because the host has reached the Zoom limit`,
      removes: (count: number) =>
        count === 1
          ? '1 loses a meeting that it no longer uses'
          : `${count} lose meetings that they no longer use`,
      stay: (count: number) => `${count} ${count === 1 ? 'stays as it is' : 'stay as they are'}`,
    },
    does: {
      'new-link': 'Gets a new link',
      'no-link': 'Loses its link',
      'link-back': 'Gets its link back',
      'hand-over': 'Its meeting gets the host of the other sections, and students see its link',
      'make-shown': 'Gets a new meeting, and students see its link',
      make: 'Gets a new meeting, hidden from students',
      change: 'Its meeting or the text around its link is updated',
      nothing: 'Stays as it is',
    },
    /** @param numbers of meetings */
    removes: (numbers: readonly number[]) =>
      numbers.length === 1
        ? `Meeting ${numbers[0]}, which it no longer uses, is deleted in Zoom.`
        : `${numbers.length} meetings that it no longer uses are deleted in Zoom: ${numbers.join(', ')}.`,
    published: 'Students can see the current link.',
    waits: 'Waits until the next day, because the host has reached the Zoom limit.',
    meetings: ({
      made: created,
      changed,
      removed,
    }: Readonly<Record<'made' | 'changed' | 'removed', number>>) => {
      const parts = [
        ...(created > 0 ? [`${counted(created, 'meeting', 'meetings')} will be created`] : []),
        ...(changed > 0 ? [`${counted(changed, 'meeting', 'meetings')} will be changed`] : []),
        ...(removed > 0 ? [`${counted(removed, 'meeting', 'meetings')} will be deleted`] : []),
      ];
      return parts.length === 0 ? null : `In Zoom: ${parts.join(', ')}.`;
    },
    nothingToDo: (events: number) =>
      events === 0
        ? 'There is nothing to do, because the course has no events on these days.'
        : `There is nothing to do. ${events === 1 ? 'The only event is' : `All ${counted(events, 'event', 'events')} are`} up to date.`,
    nothingToDoNext: 'Go back to choose another course or more days.',
    failing: ({ whole, part }: Readonly<Record<'whole' | 'part', number>>) => {
      const all = whole > 0 ? [`${counted(whole, 'event', 'events')} cannot be updated`] : [];
      const some = part > 0 ? [`${counted(part, 'event', 'events')} can be updated only in part`] : [];
      return `${[...all, ...some].join(', and ')}.`;
    },
    failingNext: 'The table below says why. The other events are updated.',
    noTitle: 'No title',
    events: 'Events that change or need attention',
    columns: { event: 'Event', time: 'Time', does: 'What will happen', note: 'Note' },
    after: 'You can leave the page. Activity shows what was done for each event.',
    queue: (added: number, removed: number) =>
      [
        ...(added > 0 ? [`${courses(added)} will be added to the queue`] : []),
        ...(removed > 0
          ? [`${courses(removed)} will be removed from ${added > 0 ? 'it' : 'the queue'}`]
          : []),
      ].join(', ') + '.',
    nothing: 'The queue would not change.',
    nothingNext: 'Go back to add or remove courses.',
    added: 'Added',
    addedDays: (days: number, name: string) => `Events in the next ${days} days, added by ${name}`,
    known: (ids: readonly number[]) =>
      ids.length === 1
        ? `Course ${ids[0]} is already in the queue and is not changed.`
        : `These courses are already in the queue and are not changed: ${ids.join(', ')}.`,
    removed: (count: number) => `Remove ${courses(count)} from the queue?`,
    removedNext: 'Existing meetings and links stay. The queue no longer updates them.',
    removedLine: (course: string, by: string) => `${course}, added by ${by}`,
    mayNotRemove: 'You no longer have permission to remove courses from the queue.',
    unchanged: (count: number) =>
      `${courses(count)} in the queue ${count === 1 ? 'stays as it is' : 'stay as they are'}.`,
    newFirst: (hours: number) =>
      `New courses run for the first time within a few minutes, then ${every(hours)}.`,
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
    sending: { once: 'Starting the run', queue: 'Saving the queue' },
    failed: { once: 'The run could not be started.', queue: 'The queue could not be saved.' },
    backToReview: 'Back to the review',
    show: 'Show the run in Activity',
    saved: 'The queue is saved. You can leave the page.',
    showRuns: 'Show the runs in Activity',
    now: (count: number) =>
      count === 0 ? 'The queue is now empty.' : `The queue now has ${courses(count)}.`,
    meanwhile: 'The queue has changed since you opened this page.',
    theyAdded: (list: string) => `Added since you opened this page: ${list}.`,
    theyRemoved: (list: string) => `Removed since you opened this page: ${list}.`,
    otherDays: (course: string, days: number, by: string) =>
      `${by} has already added ${course}, for events in the next ${days} days. Your choice of days was not saved. To change it, remove the course from the queue, save, and add it again.`,
    unread: 'The queue is saved, but could not be loaded again.',
  },
} as const;
