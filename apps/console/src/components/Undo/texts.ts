/** Texts of ours for taking an import back. */
const n = (count: number) => count.toLocaleString('en-GB');
const people = (count: number) => `${n(count)} ${count === 1 ? 'person' : 'people'}`;

export const texts = {
  button: 'Undo this import',
  hint: 'Shows first what would be taken back, compared with what the LMS holds now. Nothing is sent by it.',
  title: 'Undo this import',
  start: 'Starting the comparison',
  cancelled: 'The comparison was cancelled. Nothing has been sent.',
  again: 'Compare again',
  broke: 'What would be taken back could not be worked out.',
  leave: 'Leave it as it is',
  willDo: (parts: string) => `Undoing ${parts}.`,
  removes: (changes: string, sections: string) => `removes ${changes} from ${sections}`,
  adds: (changes: string, sections: string) => `brings ${changes} back in ${sections}`,
  and: ' and ',
  handedIn: 'Work that people have handed in stays in the LMS.',
  groups: 'Groups that people left with their enrolment do not come back with it.',
  nothing:
    'There is nothing to undo: what the import changed is as it was before, or others have changed it since.',
  stays: (count: string) => `${count} as they should be already and stay so.`,
  press: (removed: number, added: number) =>
    removed > 0 && added > 0
      ? `Remove ${n(removed)} and bring back ${n(added)} enrolments`
      : removed > 0
        ? `Remove ${n(removed)} ${removed === 1 ? 'enrolment' : 'enrolments'}`
        : `Bring back ${n(added)} ${added === 1 ? 'enrolment' : 'enrolments'}`,
  members: {
    willDo: (parts: string) => `Undoing ${parts}.`,
    removes: (count: number) => `takes ${people(count)} out of a group`,
    adds: (count: number) => `puts ${people(count)} back into a group`,
    moves: (count: number) => `moves ${people(count)} back to the group that they came from`,
    press: (count: number) => `Take back ${n(count)} ${count === 1 ? 'membership' : 'memberships'}`,
    table: 'What changes, person by person',
    list: 'People whose groups change',
    columns: {
      person: 'Person',
      what: 'What happens',
      group: 'Group',
      why: 'Note',
    },
    figures: {
      remove: 'To take out',
      add: 'To put back',
      move: 'To move back',
      already: 'No change',
      refused: 'Not possible',
    },
    fate: {
      add: 'Put back',
      move: 'Moved back',
      already: 'There already',
      remove: 'Taken out',
      'not-member': 'Not there any more',
      refused: 'Not possible',
    },
    from: (group: string) => `from ${group}`,
    kept: {
      'moved-on': (person: string, group: string) =>
        `${person}, ${group}: others have put them somewhere else since, or taken them out. They stay where they are now.`,
      'no-id': (person: string, group: string) =>
        `${person}, ${group}: the group that they left has no SIS id, so that no row can name it.`,
      gone: (person: string, group: string) =>
        `${person}, ${group}: the group is not in the course any more.`,
      another: (person: string, group: string) =>
        `${person}, ${group}: the SIS id is that of somebody else, or of another group, by now.`,
    },
  },
  columns: { add: 'To bring back', remove: 'To remove', unchanged: 'No change' },
  table: 'What changes in each section',
  of: (course: string, section: string) => `${course}, ${section}`,
  unreadText: 'The LMS did not tell who is in these sections. Everybody is sent for them.',
  failedText: 'The LMS did not answer for these SIS ids. They are left out until they have been looked up.',
  goneTitle: (count: string) => `${count} no longer in the LMS`,
  goneText: 'Nobody has these SIS ids any more; nothing is sent for them.',
  keptTitle: (count: string) => `${count} as the import left them`,
  kept: {
    'not-active': (people: string, section: string) =>
      `${section}: ${people} there before, but invited, inactive or completed. Change them in the LMS if they should be so again.`,
    unread: (people: string, section: string) =>
      `${section}: ${people}, since the LMS had not told who was there before. Compare and change them with the tool itself.`,
    lost: (people: string, section: string) =>
      `${section}: ${people}, since the section is not in its course any more.`,
  },
  sendFailed: 'The request could not be sent.',
  sendAgain: 'Send again',
  safe: 'Sending again is safe: the same review is never carried out twice.',
  nothingSent: 'Nothing has been sent.',
  changeOf: {
    add: 'Comes back',
    already: 'There already',
    remove: 'Is removed',
    'not-enrolled': 'Not there',
  },
} as const;
