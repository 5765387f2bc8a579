/** Texts of Zoom Creation; prescribed ones are in the contract. */
import { grouped } from '@lms-admin/domain/numbers';

const counted = (count: number, one: string, many = `${one}s`) =>
  `${grouped(count)} ${count === 1 ? one : many}`;
const events = (count: number) => counted(count, 'event');

/** Joins words as a sentence does: 'a, b and c'. */
export function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

export const texts = {
  purpose:
    'Create Zoom meetings for the events of a course, choose who hosts them, and decide whether students see the links.',
  find: 'Open the course',
  needCourse:
    'Type the number of a course, its SIS ID or part of its name, or paste the address of one of its pages.',
  notFoundNext:
    'Check the number (the 1234 in …/courses/1234). If it is correct, you may not have access to the course.',
  failedNext: 'Nothing was changed.',
  looking: 'Looking up the course',
  start: 'No course is open yet.',
  startNext:
    'Type the number of a course, its SIS ID or part of its name, or paste the address of one of its pages. LMS Admin then shows the calendar of the course for 30 days, starting today or on another day.',
  zoom: {
    failed: 'Zoom cannot be used at the moment.',
    failedNext: 'You can see the events of a course, but you cannot change their meetings.',
  },
  dialog: {
    close: 'Close',
    kept: 'Saved changes are kept. Your selection is cleared when you close this dialog.',
    needSelection: 'Select the events to merge first.',
    from: 'From',
    search: 'Search events',
    failed: 'Not all events could be loaded.',
    none: 'No events in these 30 days. Choose another day, or check the calendar of the course in the LMS.',
    loaded: 'events loaded',
    label: 'Calendar events',
  },
  noTitle: 'No title',
  noDate: 'No date',
  bySection: 'By section, see below',
  /** Follows the title of an event that looks the same as another. */
  eventNumber: (id: number) => `event ${id}`,
  opensEvent: (id: number, title: string) => `${id}, ${title}, opens in the LMS in a new tab`,
  opensMeeting: (title: string) => `Zoom link of ${title}, opens in a new tab`,
  noLink: 'No meeting yet',
  published: 'Published',
  hidden: 'Hidden',
  differs: {
    'no-link': 'no link in the LMS',
    'a-link': 'a link in the LMS',
    'other-link': 'a different link in the LMS',
  },
  mergedWord: 'merged with this event',
  merged: (count: number) => `${events(count)} merged with this event`,
  mergedWith: (title: string) => `Merged with ${title}`,
  unmerge: 'Unmerge',
  unmergeOf: (title: string) => `Unmerge ${title}`,
  ics: 'Download',
  icsOf: (title: string) => `Download the calendar file of ${title}`,
  moreHosts: (count: number) => `+${grouped(count)}`,
  left: (count: number) => `${grouped(count)} left today`,
  publish: {
    badge: (count: number) => `${events(count)} selected`,
    ownerHint: 'Off: the placeholder account is the host, and students see no link.',
    visibleHint: 'On: students see the join link in the event in the LMS.',
    coHosts: 'Alternative hosts',
    coHostsHint:
      'People who can also start the meetings. Press Enter, Tab or comma after each email address. If you change nothing, meetings keep their alternative hosts in Zoom.',
    ownerField:
      'Type a name or an email. The number beside each host is how many Zoom changes the host has left today. Only changes by LMS Admin are counted.',
    ownerOff: 'Turn on “Owner” to choose a host.',
    noOwners: 'No possible host has this name.',
    differ:
      'The selected events have different hosts, alternative hosts or visibility. This form shows the defaults. Your changes apply to all selected events.',
    none: 'No event is selected. Close this dialog, and select events in the table.',
  },
  merge: {
    intro: 'The events below join the meeting of the main event. All of them then share one link.',
    mainHint: 'Events with a Zoom link that are not selected.',
    noMain: 'No other event in these 30 days has a Zoom link. Publish one first, or choose another day.',
    children: 'Events to merge',
    badge: (count: number) => `${events(count)} selected`,
  },
  unmergeDialog: {
    title: 'Unmerge Zoom Link',
    intro: (title: string, main: string) =>
      `${title} leaves the meeting of ${main}, and gets its former meeting back if Zoom still has it.`,
    main: 'its main event',
  },
  will: {
    title: 'What will happen',
    working: 'Preparing the preview',
    failed: 'The preview could not be prepared.',
    first: 'Wait until the preview is ready.',
    refused: 'Resolve the problems above before you save.',
    notWorked: 'The preview could not be prepared, so nothing can be saved. Try again above.',
    cannot: 'None of these changes can be made. See the reasons above.',
    fill: 'Complete the form to see what will happen.',
    none: 'No event is selected, so nothing will happen.',
    make: (count: number) => `${counted(count, 'meeting')} will be created in Zoom.`,
    update: (count: number) => `${counted(count, 'meeting')} will be changed in Zoom.`,
    unchanged: (count: number) =>
      count === 1
        ? '1 meeting stays as it is in Zoom.'
        : `${grouped(count)} meetings stay as they are in Zoom.`,
    nothing: 'No changes are needed, because everything is already as requested.',
    nothingOfOurs: 'LMS Admin has nothing to change.',
    /** @param of number of events with these links: sections have their own */
    appear: (count: number, of: number) => {
      if (count !== of) return `Students will see ${counted(count, 'link')} in the LMS, in ${events(of)}.`;
      return count === 1
        ? 'Students will see the link of 1 event in the LMS.'
        : `Students will see the links of ${grouped(count)} events in the LMS.`;
    },
    disappear: (count: number, of: number) => {
      if (count !== of)
        return `Students will no longer see ${counted(count, 'link')} in the LMS, in ${events(of)}.`;
      return count === 1
        ? 'Students will no longer see the link of 1 event in the LMS.'
        : `Students will no longer see the links of ${grouped(count)} events in the LMS.`;
    },
    texts: {
      missing: (count: number) =>
        count === 1
          ? 'The link is missing in 1 event in the LMS, and will be restored:'
          : `The link is missing in ${grouped(count)} events in the LMS, and will be restored:`,
      edited: (count: number) =>
        count === 1
          ? 'The link was edited in 1 event in the LMS, and will be corrected:'
          : `The link was edited in ${grouped(count)} events in the LMS, and will be corrected:`,
      outdated: (count: number) =>
        count === 1
          ? 'The links in 1 event still have the former names of its sections, and will be updated:'
          : `The links in ${grouped(count)} events still have the former names of their sections, and will be updated:`,
    },
    set: {
      hidden: (count: number) =>
        count === 1
          ? '1 event is published, but its link is not in the LMS. It will be set to Hidden, so that runs do not restore the link:'
          : `${grouped(count)} events are published, but their links are not in the LMS. They will be set to Hidden, so that runs do not restore the links:`,
      left: (count: number) => `${events(count)} will be set to Hidden:`,
      unknown: (count: number) =>
        count === 1
          ? '1 event has a link in the LMS that is new to LMS Admin. It will be set to Published:'
          : `${grouped(count)} events have links in the LMS that are new to LMS Admin. They will be set to Published:`,
      published: (count: number) =>
        count === 1
          ? '1 event is hidden, but a link is already in the LMS. It will be set to Published:'
          : `${grouped(count)} events are hidden, but links are already in the LMS. They will be set to Published:`,
    },
    sameForStudents: 'The links that students see do not change.',
    links: (count: number) =>
      count === 1
        ? '1 event will have a different join link:'
        : `${grouped(count)} events will have a different join link:`,
    firstLinks: (count: number) =>
      count === 1 ? '1 event gets a join link:' : `${grouped(count)} events get a join link:`,
    sameLinks: (count: number) =>
      count === 1 ? '1 event keeps its join link:' : `${grouped(count)} events keep their join links:`,
    noLinks: (count: number) =>
      count === 1 ? '1 event will have no join link:' : `${grouped(count)} events will have no join link:`,
    removed: (count: number) =>
      count === 1
        ? '1 former meeting will be deleted in Zoom. Copies of its link, for example in other courses, will stop working.'
        : `${grouped(count)} former meetings will be deleted in Zoom. Copies of their links, for example in other courses, will stop working.`,
    former: (count: number) =>
      count === 1
        ? 'The text of 1 event still contains the former link. That meeting stays in Zoom with its former host until you correct the text in the LMS:'
        : `The texts of ${grouped(count)} events still contain a former link. Those meetings stay in Zoom with their former host until you correct the texts in the LMS:`,
    left: (count: number) =>
      count === 1
        ? 'The text of 1 event still has a Zoom link that LMS Admin did not add. Students can use it to join until you delete it in the LMS:'
        : `The texts of ${grouped(count)} events still have Zoom links that LMS Admin did not add. Students can use them to join until you delete them in the LMS:`,
    formerOf: (title: string) => `contains the former link of ${title}.`,
    /** Describes merged events. */
    ownMeetings: (count: number) =>
      count === 1
        ? 'The previous meeting of 1 event stays in Zoom, in case the event is unmerged. Its old link still works, so give the new link to anyone who has the old one.'
        : `The previous meetings of ${grouped(count)} events stay in Zoom, in case the events are unmerged. Their old links still work, so give the new link to anyone who has an old one.`,
    published: 'Students already have the current link.',
    why: {
      host: (from: string, to: string) =>
        `the meeting cannot be transferred from ${from} to ${to}, so a new one is created.`,
      merge: 'it gets the link of the main event.',
      'merge-hidden': 'it gets the meeting of the main event, but no link until you publish the main event.',
      'merge-same': 'it already has the link of the main event.',
      unmerge: 'it gets its own link again.',
      without:
        'its previous meeting is no longer in Zoom, or its host is not active there, so it has no link until you publish it again.',
      'unmerge-none': 'it has never had its own meeting, so it has no link until you publish it.',
      written: 'a link that someone entered there is kept alongside the new one.',
      copied: 'the link that was copied into it from another event is removed.',
      passcode: 'the passcode of its meeting was changed in Zoom, so its link changes.',
      sections:
        'it is now for different sections, so its link is replaced. The meeting with the old link stays in Zoom.',
      gone: 'its meeting is no longer in Zoom, or its host is not active there, so a new one is created.',
    },
    noOne: 'no one',
    running: (count: number) =>
      count === 1
        ? '1 event is taking place now. People may be in its meeting:'
        : `${grouped(count)} events are taking place now. People may be in their meetings:`,
    runningHost: 'the meeting gets a different host while it is running.',
    runningLink:
      'the event gets a different link, and people who join from now on will be in a different meeting.',
    runningStays:
      'Zoom does not delete the current meeting while it is running. A later run of the course will delete it.',
    coHosts: {
      change: (count: number) =>
        count === 1
          ? 'The alternative hosts of 1 event change:'
          : `The alternative hosts of ${grouped(count)} events change:`,
      gone: (names: string) => `${names} can no longer start it.`,
      unlicensed: (names: string) => `${names} can no longer start it, because they have no Zoom licence.`,
      come: (names: string) => `${names} can start it from now on.`,
      stay: (count: number) =>
        count === 1
          ? 'The alternative hosts of 1 meeting were changed in Zoom. These are kept:'
          : `The alternative hosts of ${grouped(count)} meetings were changed in Zoom. These are kept:`,
    },
    basic: (name: string, all: number, long: number) => {
      const ends = `${name} has a Basic account in Zoom, without a licence: Zoom ends its meetings after 40 minutes.`;
      if (long === 0) return ends;
      return long === 1
        ? `${ends} 1 of ${events(all)} lasts longer.`
        : `${ends} ${grouped(long)} of ${events(all)} last longer.`;
    },
    basicMeans: [
      'A Basic account can hold one meeting at a time.',
      'Its meetings cannot be transferred. If you change the host, the link changes.',
    ],
    clashes: (count: number) =>
      count === 1
        ? '1 event is at the same time as another meeting of its host:'
        : `${grouped(count)} events are at the same time as another meeting of their host:`,
    clash: {
      event: (host: string, title: string, when: string) => `${host} also hosts ${title} (${when}).`,
      course: (host: string, title: string, course: string, when: string) =>
        `${host} also hosts ${title} in ${course} (${when}).`,
      reservation: (host: string, title: string, course: string, when: string) =>
        `${host} also hosts ${title} in ${course} (${when}), which is the same reservation in the timetable.`,
      unnamed: (host: string, when: string) => `${host} also hosts an event of another course (${when}).`,
      zoom: (host: string, when: string) =>
        `${host} also has a meeting in Zoom that LMS Admin did not create (${when}).`,
    },
    elsewhere: (count: number) =>
      count === 1
        ? '1 event shares its timetable reservation with an event of another course, which has a different host. The two courses will be in different meetings:'
        : `${grouped(count)} events share their timetable reservations with events of other courses, which have different hosts. The courses will be in different meetings:`,
    elsewhereOne: (host: string, title: string, course: string) => `${host} hosts ${title} in ${course}.`,
    elsewhereUnnamed: 'someone else hosts it in a course that you cannot see.',
    unchecked: 'LMS Admin could not check in Zoom whether the host has other meetings at these times.',
    shared: (count: number) =>
      count === 1
        ? '1 event that you did not select shares a meeting with a selected event, so it also changes:'
        : `${grouped(count)} events that you did not select share meetings with selected events, so they also change:`,
    sharedWith: (title: string) => `shares the meeting of ${title}`,
    host: (name: string, needed: number, left: number) =>
      `${name}: this uses ${grouped(needed)} of the ${grouped(left)} Zoom changes left today.`,
    wait: (name: string, needed: number, left: number, wait: number, until: string) =>
      `${name}: ${grouped(needed)} needed, ${grouped(left)} left today. ${events(wait)} ${wait === 1 ? 'has' : 'have'} to wait until ${until}. The work then continues automatically.`,
    /** @param changes at least one for each event */
    waiting: (count: number, changes: number) => {
      if (changes === 1)
        return 'An earlier change to 1 event has not been made yet. This change replaces it. If the earlier change is made before this one starts, this one is not saved, and you can check it again:';
      return `Earlier changes to ${events(count)} have not been made yet. This change replaces them. If one of them is made before this one starts, this one is not saved, and you can check it again:`;
    },
    waitingMain:
      'The main event has an earlier change that has not been made yet. It will still be made, and will then apply to the merged events as well:',
    waitingOne: (event: string, by: string, until: string | null) =>
      until === null
        ? `${event}: a change by ${by}.`
        : `${event}: a change by ${by}, which waits until ${until}.`,
    problems: (count: number) => `${events(count)} cannot be changed:`,
    parts: (count: number) => `${events(count)} can be changed only in part:`,
    over: (count: number) =>
      count === 1
        ? '1 section has ended. Its meeting stays as it is:'
        : `${grouped(count)} sections have ended. Their meetings stay as they are:`,
    overWithout: (count: number) =>
      count === 1
        ? '1 section has ended and gets no meeting:'
        : `${grouped(count)} sections have ended and get no meeting:`,
    leaveOut: 'Skip these',
    isNew: (text: string) => `New: ${text}`,
  },
  more: (count: number) => `and ${grouped(count)} more`,
  wait: {
    title: 'Saving',
    start: 'Starting',
    cancel: 'Cancel saving',
    leave: 'You can close this dialog or leave the page. The work continues. Follow it in',
    activity: 'Activity',
    away: 'Close (keeps saving)',
  },
  saved: {
    title: 'Saved',
    count: (count: number) =>
      `${counted(count, 'selected event')}, with ${count === 1 ? 'its' : 'their'} sections and merged events.`,
  },
  running: {
    title: 'A change to this course is still running.',
    show: 'Show progress',
    other: 'Another change to this course has not finished.',
    of: (admin: string, label: string) => `${label}, started by ${admin}.`,
    otherNext: 'Show in Activity',
    aside: 'Another change to this course is still running. You can save this one when it has finished.',
    asideBlocks: 'Another change is still running.',
    asideDone: 'The other change was saved.',
    asideFailed: (title: string) => `The other change: ${title}`,
    asideNext: 'Close this form to see the other change.',
  },
  failure: {
    some: (count: number) => `${events(count)} could not be changed.`,
    parts: (count: number) => `${events(count)} could not be changed completely.`,
    others: (count: number) =>
      count === 1
        ? 'The other event was changed as requested.'
        : `The other ${grouped(count)} events were changed as requested.`,
    later: (count: number) =>
      count === 1
        ? '1 event was not changed, because a later change applies to it.'
        : `${grouped(count)} events were not changed, because later changes apply to them.`,
    laterOne: (by: string) => `a later change by ${by} applies.`,
    unmerge: 'The event could not be unmerged.',
    all: (count: number) => `The change to ${events(count)} could not be completed.`,
    outdated: (count: number) =>
      count === 1
        ? 'Nothing was saved: this event has changed since the preview.'
        : 'Nothing was saved: these events have changed since the preview.',
    allGone: (count: number) =>
      count === 1
        ? 'Nothing was saved: the event is no longer in the calendar of the course.'
        : 'Nothing was saved: the events are no longer in the calendar of the course.',
    gone: (event: string) => `${event}: no longer in the calendar of the course in the LMS.`,
    chooseOthers: 'Close this dialog, and select other events in the table.',
    newPreview: 'Check the new preview, then save again.',
    lookAtNew: 'Check the new preview. New items are marked. Then save again.',
    sameWords: 'The preview looks the same, but the events have changed. Check them, then save again.',
    cancelled: (count: number) => `The change to ${events(count)} was cancelled. Finished steps are kept.`,
    stopped: 'not done.',
    stoppedPart: 'partly done.',
    stoppedUnknown: 'the result is unknown. Check this event.',
    /** Counts the events that are still selected: deleted ones cannot be. */
    selected: (left: number, count: number) => {
      if (left === 0) return '';
      if (left < count) return `${grouped(left)} of them ${left === 1 ? 'is' : 'are'} still selected.`;
      return count === 1 ? 'It is still selected.' : 'All of them are still selected.';
    },
    next: 'Correct the form if needed, and save again. Finished steps are not repeated.',
    retry: 'Try again',
    show: 'Show',
    dismiss: 'Dismiss',
    notStarted: 'The change could not be started. Nothing was changed.',
    unseen: 'The result of the change is no longer available.',
  },
} as const;
