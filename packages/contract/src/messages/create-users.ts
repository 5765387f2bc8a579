/** Texts of Create Users (area CU), verbatim. */
export const createUsersMessages = {
  steps: ['User Information', 'Final Review', 'Submit and Status'], // CU-02
  fields: { psID: 'PeopleSoft ID', email: 'Email', firstName: 'First Name', lastName: 'Last Name' }, // CU-03
  simulate: 'Simulate Users', // CU-06
  columns: {
    user_id: 'User ID', // CU-06
    integration_id: 'Integration Id',
    login_id: 'Login Id',
    first_name: 'First Name',
    last_name: 'Last Name',
    sortable_name: 'Sortable Name',
    short_name: 'Short Name',
    email: 'Email',
    status: 'Status',
  },
  submit: 'Submit Data to Canvas', // CU-07
  badId: 'Peoplesoft ID must be digits.', // CU-17
  badEmail: (domain: string) => `Email is not valid. Please enter ${domain} email address.`, // CU-19
  exists: (
    sisUserId: string | null, // CU-22
  ) =>
    sisUserId === null ? 'The User Already exists in LMS.' : `The User Already exists in LMS. ${sisUserId}`,
  badName: 'Special charactors and numbers not allowed.', // CU-23
  needInformation: 'Please insert user information.', // CU-24
  needCorrections: 'Please fix the errors before proceed next.', // CU-25
} as const;
