/** Words of ours in Zoom Creation, beside the documented ones of the message table. */
const n = (count: number) => count.toLocaleString('en-GB');
const counted = (count: number, one: string, many = `${one}s`) => `${n(count)} ${count === 1 ? one : many}`;
const events = (count: number) => counted(count, 'event');

/** Joins words as a sentence does: 'a, b and c'. */
export function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

export const texts = {
  purpose:
    'Give the events of a course their Zoom meetings, choose who hosts them, and decide whether students see the links.',
  find: 'Open the course',
  needCourse:
    'Please type the number of a course, its SIS ID or a part of its name, or paste the address of one of its pages.',
  chooseCourse: 'Please type the number of a course, or choose one of those below.',
  notFoundNext:
    'Look at the number once more: it is the 1234 in …/courses/1234 of the course. It may also lie outside your accounts.',
  failedNext: 'Nothing was changed.',
  looking: 'Looking up the course',
  start: 'No course is open yet.',
  startNext:
    'Type its number, its SIS ID or a part of its name, or paste the address of one of its pages. Its calendar is shown here, from today for 30 days or from another day.',
  zoom: {
    failed: 'Zoom cannot be used at the moment.',
    failedNext: 'You can see the events of a course meanwhile, but you cannot change their meetings.',
  },
  dialog: {
    close: 'Close',
    kept: 'What was saved stays. What is only selected is let go when you close.',
    zone: (zone: string) => `Times in ${zone.replaceAll('_', ' ')}`,
    needSelection: 'Select the events to merge first.',
    from: 'From',
    search: 'Search events',
    failed: 'Not all events could be read.',
    none: 'There is no event in these 30 days. Choose another day, or look at the calendar of the course in the LMS.',
    loaded: 'events loaded',
    label: 'Calendar events',
  },
  noTitle: 'No title',
  noDate: 'No date',
  bySection: 'By section, see below',
  /** Behind the title of one of several events that look the same. */
  eventNumber: (id: number) => `event ${id}`,
  opensEvent: (id: number, title: string) => `${id}, ${title}, opens in the LMS in a new tab`,
  opensMeeting: (title: string) => `Zoom link of ${title}, opens in a new tab`,
  noLink: 'No meeting yet',
  published: 'Published',
  hidden: 'Hidden',
  differs: {
    'no-link': 'no link in the LMS',
    'a-link': 'a link in the LMS',
    'other-link': 'another link in the LMS',
  },
  mergedWord: 'merged with it',
  merged: (count: number) => `${events(count)} merged with it`,
  mergedWith: (title: string) => `Merged with ${title}`,
  unmerge: 'Unmerge',
  unmergeOf: (title: string) => `Unmerge ${title}`,
  ics: 'Download',
  icsOf: (title: string) => `Download the calendar file of ${title}`,
  moreHosts: (count: number) => `+${n(count)}`,
  left: (count: number) => `${n(count)} left today`,
  publish: {
    badge: (count: number) => `${events(count)} selected`,
    ownerHint: 'Off: the placeholder account hosts, and no student sees a link.',
    visibleHint: 'On: students see the join link in the event in the LMS.',
    coHosts: 'Alternative hosts',
    coHostsHint:
      'E-mail addresses of who can start the meetings as well. Enter, Tab or a comma ends each. Left as they are, meetings keep those that they have in Zoom.',
    ownerField:
      'Type a name or an e-mail. Beside each: what Zoom still lets this host create or change today.',
    ownerOff: 'Switch Owner on to choose a host.',
    noOwners: 'Nobody of this name may host.',
    differ:
      'The selected events have different hosts, alternative hosts or visibility. This form starts from the default, and what you save holds for all of them.',
    none: 'No event is selected. Close this, and select some in the table.',
  },
  merge: {
    intro: 'The events below join the meeting of the main event. All of them then have one link.',
    mainHint: 'Events with a Zoom link that are not among those selected.',
    noMain: 'No other event in these 30 days has a Zoom link. Publish one first, or choose another day.',
    children: 'Events to merge',
    badge: (count: number) => `${events(count)} selected`,
  },
  unmergeDialog: {
    title: 'Unmerge Zoom Link',
    intro: (title: string, main: string) =>
      `${title} leaves the meeting of ${main}. It gets back the meeting that it had before, where Zoom still has it.`,
    main: 'its main event',
  },
  will: {
    title: 'What will happen',
    working: 'Working out what will happen',
    failed: 'What will happen could not be worked out.',
    first: 'Please wait until it is worked out what will happen.',
    refused: 'Change what is said above; then it can be saved.',
    notWorked: 'It could not be worked out what will happen, so nothing can be saved. Try again above.',
    cannot: 'None of this can be done. The reasons stand above.',
    fill: 'Complete the form to see what will happen.',
    make: (count: number) => `${counted(count, 'meeting')} will be made in Zoom.`,
    update: (count: number) => `${counted(count, 'meeting')} will be changed in Zoom.`,
    unchanged: (count: number) =>
      count === 1 ? '1 meeting stays as it is in Zoom.' : `${n(count)} meetings stay as they are in Zoom.`,
    nothing: 'Nothing has to be done: everything is as you want it already.',
    appear: (count: number) =>
      count === 1
        ? 'Students will see the link of 1 event in the LMS.'
        : `Students will see the links of ${n(count)} events in the LMS.`,
    disappear: (count: number) =>
      count === 1
        ? 'Students will no longer see the link of 1 event in the LMS.'
        : `Students will no longer see the links of ${n(count)} events in the LMS.`,
    texts: {
      missing: (count: number) =>
        count === 1
          ? 'The link is missing in 1 event in the LMS, and is put back:'
          : `The link is missing in ${n(count)} events in the LMS, and is put back:`,
      edited: (count: number) =>
        count === 1
          ? 'The link was edited in 1 event in the LMS, and is put right:'
          : `The link was edited in ${n(count)} events in the LMS, and is put right:`,
      outdated: (count: number) =>
        count === 1
          ? 'The links in 1 event still name its sections as they were, and are brought up to date:'
          : `The links in ${n(count)} events still name their sections as they were, and are brought up to date:`,
    },
    set: {
      hidden: (count: number) =>
        count === 1
          ? '1 event is published, but its link is not in the LMS. It will be hidden, so no run puts the link back:'
          : `${n(count)} events are published, but their links are not in the LMS. They will be hidden, so no run puts the links back:`,
      published: (count: number) =>
        count === 1
          ? '1 event is hidden, but a link is in the LMS already. It will be set to Published:'
          : `${n(count)} events are hidden, but links are in the LMS already. They will be set to Published:`,
    },
    sameForStudents: 'Which links students see stays the same.',
    links: (count: number) =>
      count === 1
        ? '1 event will have another join link:'
        : `${n(count)} events will have another join link:`,
    firstLinks: (count: number) =>
      count === 1 ? '1 event gets a join link:' : `${n(count)} events get a join link:`,
    noLinks: (count: number) =>
      count === 1 ? '1 event will have no join link:' : `${n(count)} events will have no join link:`,
    replaced:
      'The meetings that cannot be handed over are removed afterwards: copies of their links, as in other courses, stop working.',
    former: (count: number) =>
      count === 1
        ? 'The text of 1 event still has the former link. That meeting stays in Zoom with its former host until you correct the text in the LMS:'
        : `The texts of ${n(count)} events still have a former link. Those meetings stay in Zoom with their former host until you correct the texts in the LMS:`,
    left: (count: number) =>
      count === 1
        ? 'The text of 1 event still has a link to its meeting, in words that LMS Admin did not write. Students can join by it until you delete it in the LMS:'
        : `The texts of ${n(count)} events still have a link to their meetings, in words that LMS Admin did not write. Students can join by it until you delete it in the LMS:`,
    formerOf: (title: string) => `has the former link of ${title}.`,
    /** Of merged events. */
    ownMeetings: (count: number) =>
      count === 1
        ? 'The own meeting of 1 event stays in Zoom, for when the event is unmerged. Its link still opens it, so tell anyone who has the old link.'
        : `The own meetings of ${n(count)} events stay in Zoom, for when the events are unmerged. Their links still open them, so tell anyone who has the old links.`,
    published: 'Students already have the present link.',
    why: {
      host: (from: string, to: string) =>
        `the meeting cannot be handed over from ${from} to ${to}, so a new one is made.`,
      merge: 'it gets the link of the main event.',
      unmerge: 'it gets a link of its own again.',
      without:
        'the meeting that it had before is no longer in Zoom, or its host is not active there, so it has no link until you publish it again.',
      written: 'a link that a person wrote into it stays there beside the new one.',
      copied: 'the link that was copied into it from another event is removed.',
      passcode: 'the passcode of its meeting was changed in Zoom, so its link is another one.',
      sections:
        'it is given to other sections than before, so another link takes the place of the present one. The meeting of that one stays in Zoom.',
      gone: 'its meeting is no longer in Zoom, or its host is not active there, so a new one is made.',
    },
    nobody: 'nobody',
    running: (count: number) =>
      count === 1
        ? '1 event is under way. People may be in its meeting now:'
        : `${n(count)} events are under way. People may be in their meetings now:`,
    runningHost: 'the meeting gets another host while it runs.',
    runningLink: 'the event gets another link, and people who join from now on are in another meeting.',
    runningStays: 'Zoom does not delete the present meeting while it runs: a later run of the course does.',
    coHosts: {
      change: (count: number) =>
        count === 1
          ? 'The alternative hosts of 1 event change:'
          : `The alternative hosts of ${n(count)} events change:`,
      gone: (names: string) => `${names} can no longer start it.`,
      unlicensed: (names: string) => `${names} can no longer start it, without a Zoom licence.`,
      come: (names: string) => `${names} can start it from now on.`,
      stay: (count: number) =>
        count === 1
          ? 'The alternative hosts of 1 meeting were changed in Zoom. These stay:'
          : `The alternative hosts of ${n(count)} meetings were changed in Zoom. These stay:`,
    },
    basic: (name: string, all: number, long: number) => {
      const ends = `${name} has a Basic account in Zoom, without a licence: Zoom ends its meetings after 40 minutes.`;
      if (long === 0) return ends;
      return long === 1
        ? `${ends} 1 of ${events(all)} lasts longer.`
        : `${ends} ${n(long)} of ${events(all)} last longer.`;
    },
    basicMeans: [
      'A Basic account can hold one meeting at a time.',
      'Its meetings cannot be handed over to another host: with another host, the link changes.',
    ],
    clashes: (count: number) =>
      count === 1
        ? '1 event is at the same time as another meeting of its host:'
        : `${n(count)} events are at the same time as another meeting of their host:`,
    clash: {
      event: (host: string, title: string, when: string) => `${host} also hosts ${title} (${when}).`,
      course: (host: string, title: string, course: string, when: string) =>
        `${host} also hosts ${title} in ${course} (${when}).`,
      reservation: (host: string, title: string, course: string, when: string) =>
        `${host} also hosts ${title} in ${course} (${when}), which is the same reservation in the timetable.`,
      unnamed: (host: string, when: string) => `${host} also hosts an event of another course (${when}).`,
      zoom: (host: string, when: string) =>
        `${host} also has a meeting in Zoom that was not created here (${when}).`,
    },
    elsewhere: (count: number) =>
      count === 1
        ? '1 event is one reservation in the timetable with an event of another course that has another host. The two courses will be in different meetings:'
        : `${n(count)} events are one reservation in the timetable with an event of another course that has another host. The courses will be in different meetings:`,
    elsewhereOne: (host: string, title: string, course: string) => `${host} hosts ${title} in ${course}.`,
    elsewhereUnnamed: 'someone else hosts it in a course that you cannot see.',
    unchecked: 'LMS Admin could not check in Zoom whether the host has other meetings at these times.',
    shared: (count: number) =>
      count === 1
        ? '1 event that you did not select shares a meeting, and changes with it:'
        : `${n(count)} events that you did not select share a meeting, and change with it:`,
    sharedWith: (title: string) => `shares the meeting of ${title}`,
    host: (name: string, needed: number, left: number) =>
      `${name}: ${n(needed)} of the ${n(left)} creations and changes that are left today.`,
    wait: (name: string, needed: number, left: number, wait: number, until: string) =>
      `${name}: ${n(needed)} needed, ${n(left)} left today. ${events(wait)} ${wait === 1 ? 'has' : 'have'} to wait until ${until}; the work then goes on by itself.`,
    waiting: (count: number) =>
      count === 1
        ? 'An earlier change of 1 event has not been made yet. This change applies instead:'
        : `Earlier changes of ${n(count)} events have not been made yet. This change applies instead:`,
    waitingMain:
      'The main event has an earlier change that has not been made yet. It will still be made, and then holds for the merged events as well:',
    waitingOne: (event: string, by: string, until: string | null) =>
      until === null
        ? `${event}: a change by ${by}.`
        : `${event}: a change by ${by}, which waits until ${until}.`,
    problems: (count: number) => `${events(count)} cannot be done:`,
    parts: (count: number) => `${events(count)} can be done only in part:`,
    over: (count: number) =>
      count === 1
        ? '1 section is over. Its meeting stays as it is:'
        : `${n(count)} sections are over. Their meetings stay as they are:`,
    leaveOut: 'Leave these out',
    isNew: (text: string) => `New: ${text}`,
  },
  more: (count: number) => `and ${n(count)} more`,
  wait: {
    title: 'Saving',
    start: 'Starting',
    cancel: 'Cancel the save',
    leave: 'You may close this, or leave the page: it goes on, and is in',
    activity: 'Activity',
    away: 'Close, it goes on',
  },
  saved: {
    title: 'Saved',
    count: (count: number) => `${events(count)} in all.`,
  },
  running: {
    title: 'A change of this course is still running.',
    show: 'Show progress',
    other: 'Another change of this course has not ended.',
    of: (admin: string, label: string) => `${label}, started by ${admin}.`,
    otherNext: 'Show in Activity',
    aside: 'Another change of this course is still running. You can save this one when it has ended.',
    asideBlocks: 'Another change is still running.',
    asideDone: 'The other change was saved.',
    asideFailed: (title: string) => `The other change: ${title}`,
    asideNext: 'Close this form to look at it.',
  },
  failure: {
    some: (count: number) => `${events(count)} could not be changed.`,
    parts: (count: number) => `${events(count)} could not be changed completely.`,
    others: (count: number) =>
      count === 1
        ? 'The other event was changed as you wanted.'
        : `The other ${n(count)} events were changed as you wanted.`,
    later: (count: number) =>
      count === 1
        ? '1 event was not changed, since a later change applies to it.'
        : `${n(count)} events were not changed, since later changes apply to them.`,
    laterOne: (by: string) => `a later change by ${by} applies.`,
    unmerge: 'The event could not be unmerged.',
    all: (count: number) => `The change of ${events(count)} could not be finished.`,
    outdated: (count: number) =>
      count === 1
        ? 'Nothing was saved: something about this event has changed since the preview.'
        : 'Nothing was saved: something about these events has changed since the preview.',
    lookAgain: 'Look at what will happen now, then save again.',
    lookAtNew: 'Look at what will happen now: what is new there is marked. Then save again.',
    sameWords:
      'What will happen still reads the same, but the events are not as they were. Look at them, then save again.',
    cancelled: (count: number) =>
      `The change of ${events(count)} was cancelled; what was done before stays done.`,
    /** How many of these events are selected still: what is gone cannot be. */
    selected: (left: number, count: number) => {
      if (left === 0) return '';
      if (left < count) return `${n(left)} of them ${left === 1 ? 'is' : 'are'} still selected.`;
      return count === 1 ? 'It is still selected.' : 'All of them are still selected.';
    },
    next: 'Change the form where that helps, and save once more: what is done already is not done twice.',
    retry: 'Try again',
    show: 'Look at it',
    dismiss: 'Dismiss',
    notStarted: 'It could not be started. Nothing was changed.',
    unseen: 'What came of the change cannot be seen any more.',
  },
} as const;
