/**
 * Texts of the specification that tools share, verbatim, by meaning (OP-23: odd spellings are kept), with requirement
 * ids. Texts of a single tool are in its file in `messages`, which is loaded with its screen.
 */
export const messages = {
  welcome: {
    heading: 'Welcome to LMS Admin', // AUTH-02
  },
  authenticating: {
    heading: 'Authenticating', // AUTH-06
    text: 'Please wait while we authenticate.',
  },
  unknownUser: {
    // AUTH-13, AUTH-14: read together 'User not found in LMS Admin. Please contact IT Support' (OP-10)
    heading: 'User not found in LMS Admin',
    body: 'Please contact IT Support',
  },
  expired: {
    title: 'Login session expired.', // AUTH-22
    text: 'Please click here to login again.',
    button: 'Back to login',
  },
  shell: {
    greeting: (firstName: string | null) => `Hi ${firstName ?? 'User'}`, // SHELL-29
    logout: 'Logout', // AUTH-23
    guide: 'Guide', // SHELL-26
    notFound: '404 page not found.', // SHELL-19
    noPermission: "You don't have enough permission to view this page. Please contact IT Support", // SHELL-23
    itSupport: 'IT Support',
  },
  wizard: {
    back: 'Back', // CE-03
    next: 'Next',
    home: 'Back to Home', // SHELL-33
  },
  warning: {
    title: 'Warning!!', // ERR-01, OP-32
    ok: 'Ok',
  },
  picker: {
    step: 'Programme and Term', // CE-02
    needProgrammeAndTerm: 'Please select programme and the term', // PICK-24
    needCourses: 'Please select courses to proceed next', // PICK-25
    empty: 'Please select programme and correct term.', // PICK-07
    columns: { id: 'Course ID', term: 'Term', campus: 'Campus', name: 'Course Name' }, // PICK-06
  },
  enrollment: {
    steps: ['Programme and Term', 'Roles and Users', 'Review and Process'], // CE-02
    needRole: 'Please select role and enter users email addresses', // CE-06
    needAction: 'Please select action type. ADD/REMOVE', // CE-07
    needUsers: 'Type email address and Press Enter to add users.', // CE-08
    actions: { active: 'Add', deleted: 'Remove' }, // K-06
    columns: {
      course: 'Course Name', // CE-12
      section: 'Section',
      role: 'Role',
      action: 'Action Type',
      count: 'Enroll Count',
      users: 'User List',
    },
    viewList: 'View List', // CE-13
    userList: 'User List',
    userNotFound: 'User Not Found', // CE-15
    notFoundTitle: 'Users not found', // CE-16
    notFoundText: (techTeam: string | null) =>
      `Please send an email to LMS Tech team ${techTeam ?? '...'} to create these users account in LMS.`, // CE-17
    continueQuestion: 'Continue to enroll the remaining users?', // CE-18
    close: 'Close',
    continue: 'Continue',
  },
  chips: {
    invalid: (text: string) => `${text} is not a valid email address.`, // CE-10, ZC-22
    duplicate: (text: string) => `${text} has already been added.`, // CE-11, ZC-22
    notNumeric: 'Only numeric values are allowed.', // ZR-13
  },
  import: {
    start: 'Processing,Please wait..', // IMP-07
    created: 'The request has been created.', // IMP-09
    createdGroup: 'The request has been created', // IMP-10
    importing: 'The request is currently processing.', // IMP-11
    imported: 'The request has completed successfully.', // IMP-12
    importedAll: 'The import is complete and all records were successfully imported.', // IMP-12, IMP-13
    error: 'CSV error', // IMP-15 to IMP-17
    download: 'Download Error Attachment', // IMP-18
    items: 'Imported Items', // CE-23, CU-09
  },
  upload: {
    failed: 'Upload failed', // ERR-03
  },
} as const;

/** Readable names of the counts (IMP-02). */
export const countLabels: Readonly<Record<string, string>> = {
  accounts: 'Accounts',
  terms: 'Terms',
  courses: 'Courses',
  sections: 'Sections',
  users: 'Users',
  logins: 'Logins',
  enrollments: 'Enrollments',
  xlists: 'Cross-listings',
  admins: 'Admins',
  group_categories: 'Group categories',
  groups: 'Groups',
  group_memberships: 'Group memberships',
  user_observers: 'User observers',
  change_sis_ids: 'Changed SIS IDs',
  abstract_courses: 'Abstract courses',
};
