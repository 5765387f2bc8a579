/** Texts of ours in Course Enrollment, beside the documented ones of the message table. Short, plain, without blame. */
export const texts = {
  purpose: [
    'Choose the courses that people are added to or removed from.',
    'Say which role, whether people are added or removed, and who they are.',
    'Look at what will change. Nothing is sent before the last press.',
  ],
  progressTitle: 'Progress',
  another: 'Do another in the same courses',
  /** In place of 'Next' where it takes something away. */
  remove: (rows: number) =>
    `Remove ${rows.toLocaleString('en-GB')} ${rows === 1 ? 'enrolment' : 'enrolments'}`,
  role: 'Role',
  rolesEmpty: 'No role is open to you here. Please contact IT Support.',
  rolesNoMatch: 'No role matches what you typed.',
  action: 'Action',
  actionHint: {
    active: 'People who have the role already are left as they are.',
    deleted: 'Each enrolment with this role is removed, in whichever section it is.',
  },
  people: 'E-mail addresses',
  peopleHint:
    'Type an address and press Enter, Tab or a comma, or paste a whole column or a line of your mail program.',
  tooManyRows: (rows: number, most: number) =>
    `This would be ${rows.toLocaleString('en-GB')} enrolments (courses × people); one submission may have at most ${most.toLocaleString('en-GB')}. Nothing has been sent. Please choose fewer courses or fewer people.`,
  loadingRoles: 'Loading the roles',
  rolesFailed: 'The roles could not be loaded.',
  review: {
    ready: (rows: string) => `The review is ready: ${rows}.`,
    sentTitle: 'This review has been submitted already',
  },
  nothing: {
    nobody: 'None of the people was found, so there is nothing to send.',
    noCourse: 'None of the courses can be changed, so there is nothing to send.',
    allThere: 'Everybody has the role in every course already, so there is nothing to send.',
    noneThere: 'Nobody has the role in any of the courses, so there is nothing to remove.',
  },
} as const;
