/** Texts of Section Enrollment (area SE), verbatim. */
export const sectionEnrollmentMessages = {
  steps: ['Programme and Term', 'Review and Process'], // SE-02
  submit: 'Submit Data to LMS', // SE-04
  userNotFound: 'User Not Found', // SE-05 SE-09 in the wording of OP-50: the tool has SIS IDs, no emails.
  noUsers: 'Users could not be found in the LMS. Please go back and edit the list of SIS ids.',
  error: (section: string) => `Secion Error: ${section} :: Select Role and Action type`, // SE-10
} as const;
