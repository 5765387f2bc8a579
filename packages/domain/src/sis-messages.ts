/**
 * Messages of the LMS about rows of users and enrolments files (reference §9.1, §9.5), in plain words with what to do.
 * Unknown texts stay unchanged.
 */

type Plain = (...parts: string[]) => string;

const given = (value: string) => (value.trim() === '' ? 'none' : `'${value.trim()}'`);

const USERS: readonly [RegExp, Plain][] = [
  [/^No user_id given for a user$/, () => 'The user_id is empty. Enter the SIS ID of the person.'],
  [/^No login_id given for user (.*)$/s, () => 'The login_id is empty. Enter the login of the person.'],
  [
    /^No status given for user (.*)$/s,
    () => 'The status is empty. It should be active, suspended or deleted.',
  ],
  [/^Improper status for user (.*)$/s, () => 'The status should be active, suspended or deleted.'],
  [
    /^Some of the fields contain NULL character$/,
    () => 'A cell contains a character that the LMS cannot store. Type the value again.',
  ],
  [
    /^An existing Canvas user with the SIS ID (.*?) has already claimed .*'s user_id requested login information, skipping$/s,
    (other) =>
      `The login belongs to the person with the SIS ID ${given(other)}. Use that SIS ID, or another login. The row was skipped.`,
  ],
  [
    /^An existing Canvas user with the Canvas ID (.*?) has already claimed .*'s user_id requested login information, skipping$/s,
    (id) =>
      `The login belongs to the person with the number ${id} in the LMS, who has no SIS ID. Use another login, or ask IT Support to give that person the SIS ID. The row was skipped.`,
  ],
  [
    /^An existing Canvas user with the (SIS|Canvas) ID (.*?) has already claimed .*'s requested integration_id, skipping$/s,
    (kind, other) =>
      `The integration_id belongs to the person with the ${kind === 'SIS' ? 'SIS ID' : 'number'} ${given(other)}. Use another one, or leave it empty. The row was skipped.`,
  ],
  [
    /^unrecognized authentication provider (.*) for .*, skipping$/s,
    (provider) =>
      `The LMS has no authentication provider ${given(provider)}. Correct the cell, or leave it empty. The row was skipped.`,
  ],
  [/^Can't remove yourself user_id '.*'$/s, () => 'You cannot delete yourself. The row was skipped.'],
  [
    /^Could not save the user with user_id: '.*?'\. Invalid login_id: '(.*)'$/s,
    (login) =>
      `The login ${given(login)} has characters that the LMS does not allow. The person was not saved.`,
  ],
  [
    /^Could not save the user with user_id: '.*?'\. Unknown reason: (.*)$/s,
    (reason) => `The LMS could not save the person: ${reason}`,
  ],
  [
    /^The email address associated with user '.*?' is invalid \(email: '(.*)'\)$/s,
    (email) => `The email address ${given(email)} is not valid. The person was saved without it.`,
  ],
];

const ENROLLMENTS: readonly [RegExp, Plain][] = [
  [
    /^No course_id or section_id given for an enrollment$/,
    () => 'The course_id and the section_id are both empty. Enter at least one of them.',
  ],
  [/^No user_id given for an enrollment$/, () => 'The user_id is empty. Enter the SIS ID of the person.'],
  [
    /^Improper status "(.*)" for an enrollment$/s,
    (status) =>
      `The status should be active, deleted, completed, inactive or deleted_last_completed, not ${given(status)}.`,
  ],
  [
    /^Bad date format for user .* in (?:course|section) .*$/s,
    () => 'A date cannot be read. The row was applied without it. Write dates like 2026-09-01T08:00:00Z.',
  ],
  [
    /^User not found for enrollment \(User ID: (.*), Course ID: .*, Section ID: .*\)$/s,
    (user) =>
      `No person in the LMS has the SIS ID ${given(user)}. Create the person first, or correct the SIS ID.`,
  ],
  [
    /^Neither course nor section existed for user enrollment \(Course ID: (.*), Section ID: (.*), User ID: .*\)$/s,
    (course, section) =>
      section.trim() === ''
        ? `No course has the SIS ID ${given(course)}.`
        : course.trim() === ''
          ? `No section has the SIS ID ${given(section)}.`
          : `Neither the course ${given(course)} nor the section ${given(section)} was found.`,
  ],
  [
    /^An enrollment referenced a non-existent section (.*)$/s,
    (section) => `No section has the SIS ID ${given(section)}.`,
  ],
  [
    /^An enrollment referenced a non-existent course (.*)$/s,
    (course) => `No course has the SIS ID ${given(course)}.`,
  ],
  [
    /^An enrollment listed a section \((.*)\) and a course \((.*)\) that are unrelated for user \(.*\)$/s,
    (section, course) =>
      `The section ${given(section)} does not belong to the course ${given(course)}. Correct section_id or course_id, or leave one of them empty.`,
  ],
  [
    /^Improper role "(.*)" for an enrollment$/s,
    (role) =>
      role.trim() === ''
        ? 'This role_id cannot be assigned in this course. Check the number.'
        : `The role ${given(role)} cannot be assigned in this course. Check its name.`,
  ],
  [
    /^(Student|Observer) enrollment for ".*" not allowed in blueprint course "(.*)"$/s,
    (kind, course) => `${kind}s cannot be enrolled in ${given(course)}, which is a blueprint course.`,
  ],
  [
    /^An enrollment referenced a non-existent associated user (.*)$/s,
    (user) => `No person has the SIS ID ${given(user)}, so there is no one to observe.`,
  ],
  [
    /^Attempted enrolling of deleted user (.*) in course .*$/s,
    (user) =>
      `No one was enrolled, because the login with the SIS ID ${given(user)}, or its person, was deleted in the LMS. Restore it first.`,
  ],
  [
    /^Attempted enrolling with deleted sis login (.*) in course .*$/s,
    (login) => `The login ${given(login)} was deleted in the LMS. Restore it first.`,
  ],
  [
    /^Enrolled a user (.*) in course .*, but referenced a deleted sis login$/s,
    (user) =>
      `The row was applied, but the login with the SIS ID ${given(user)} is deleted. The person has another login.`,
  ],
  [
    /^An enrollment did not pass validation .*Course section is not a valid section/s,
    () => 'The section is deleted in the LMS.',
  ],
  [
    /^An enrollment did not pass validation .*Course is not a valid course/s,
    () => 'The course is deleted in the LMS.',
  ],
  [
    /^An enrollment did not pass validation .*Cannot observe yourself/s,
    () => 'People cannot observe themselves.',
  ],
];

const KNOWN = [...USERS, ...ENROLLMENTS];

/** Rewrites a message of the LMS about a row in plain words if the message is known. */
export function plainSisMessage(message: string): string {
  const text = message.trim();
  for (const [pattern, plain] of KNOWN) {
    const match = pattern.exec(text);
    if (match) return plain(...match.slice(1).map((part) => part ?? ''));
  }
  return message;
}

const ENROLS_NOBODY = /^Attempted enrolling of deleted user /;
const APPLIED = [/^Bad date format for user /, /^Enrolled a user .*, but referenced a deleted sis login$/s];

/**
 * Returns the rows that were not applied although the LMS may count them: those that created a deleted enrolment,
 * which enrols no one. The LMS may instead reject such a row without counting it, with the same message: so all rows
 * in rejection messages are counted together. 0 without such rows.
 */
export function notApplied(messages: readonly string[]): number {
  if (!messages.some((one) => ENROLS_NOBODY.test(one))) return 0;
  return messages.filter((one) => !APPLIED.some((pattern) => pattern.test(one))).length;
}
