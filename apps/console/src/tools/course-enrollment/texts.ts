/** Texts of Course Enrollment; prescribed ones are in the contract. */
import { counted, grouped } from '@lms-admin/domain/numbers';
export const texts = {
  purpose: [
    'Choose the courses in which you want to add or remove people.',
    'Choose a role and whether to add or remove people, then enter their email addresses.',
    'Check what will change. Nothing is sent until you submit.',
  ],
  progressTitle: 'Progress',
  another: 'Add or remove more people in these courses',
  /** Replaces 'Next' when people are removed. */
  remove: (rows: number) => `Remove ${counted(rows, 'enrolment', 'enrolments')}`,
  role: 'Role',
  rolesEmpty: 'You do not have permission to use any role here. Contact IT Support.',
  rolesNoMatch: 'No role matches what you typed.',
  action: 'Action',
  actionHint: {
    active: 'People who already have the role are not changed.',
    deleted: 'Every enrolment with this role is removed, in all sections.',
  },
  people: 'Email addresses',
  peopleHint:
    'Type an address and press Enter, Tab or a comma, or paste a column or a list from your mail program.',
  tooManyRows: (rows: number, most: number) =>
    `This would be ${grouped(rows)} enrolments (courses × people). One submission can have at most ${grouped(most)}. Nothing has been sent. Choose fewer courses or fewer people.`,
  loadingRoles: 'Loading the roles',
  rolesFailed: 'The roles could not be loaded.',
  review: {
    ready: (rows: string) => `The review is ready: ${rows}.`,
    sentTitle: 'This review has already been submitted',
  },
  nothing: {
    noPeople: 'None of these people were found, so there is nothing to send.',
    noCourse: 'None of the courses can be changed, so there is nothing to send.',
    allThere: 'Everyone already has the role in every course, so there is nothing to send.',
    noneThere: 'No one has the role in any of the courses, so there is nothing to remove.',
  },
} as const;
