/** Texts of Group Enrollment (area GRP), verbatim. */
export const groupEnrollmentMessages = {
  steps: ['Programme and Term', 'Review and Process'], // GRP-02
  picker: {
    subAccounts: 'Sub Account (Programme)', // GRP-04
    noSubAccounts: 'Disabled, No Sub Accounts',
    noTerms: 'Disabled, Select Programme',
  },
  tab: 'Create Groups', // GRP-07
  header: (sisCourseId: string, term: string) => `SIS: ${sisCourseId} - Term: ${term}`, // GRP-07
  category: {
    title: 'Create Group Category', // GRP-08
    create: 'Create', // GRP-08
    created: 'Group Created', // GRP-09
    duplicate: 'Group name already existing.', // GRP-10
  },
  groups: {
    title: 'Create Groups (G01,G02 etc)', // GRP-14
    prefix: 'Group Prefix', // GRP-15
    start: 'Group Start',
    end: 'Group end',
    simulate: 'Simulate Groups', // GRP-16
    columns: { course: 'SIS ID', id: 'Group SIS ID', name: 'Group Name', status: 'Status' }, // GRP-16
    create: 'Create Groups', // GRP-17
    confirm: 'Before click on the confirm button, please check the simulation table to verify Groups.', // GRP-17
    cancel: 'Cancel',
    confirmButton: 'Confirm',
    done: 'Done', // GRP-17
  },
  members: {
    title: 'Enroll Users', // GRP-25
    sample: 'View Sample CSV file Format', // GRP-26
    template: 'Group Enrollment Csv', // GRP-26
    select: 'Select Csv File', // GRP-27
    simulate: 'Simulate Selected Csv', // GRP-27
    enroll: 'Enroll Users', // GRP-29
    needFile: 'Please select a file to enable enroll button', // GRP-29
    confirmTitle: 'Enroll Users to groups', // GRP-30
    confirm:
      'Before click on the confirm button, please check the simulation csv to verify Groups and users.', // GRP-30
  },
} as const;
