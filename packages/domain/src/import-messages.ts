/** What the LMS says about a row of an import (LMS reference §9.1, §9.5), in plain words with what to do. Pure. */

type Plain = (parts: readonly string[]) => string;

/** A value within a sentence; the LMS prints an empty one where a cell was empty. */
const or = (value: string | undefined, none: string) => (value ? value : none);

/** Patterns are not tied to the ends of the text: the LMS may say its own prefix twice. */
const WORDS: readonly (readonly [pattern: RegExp, plain: Plain])[] = [
  [
    /User not found for enrollment \(User ID: (.*?), Course ID: .*?, Section ID: .*?\)/,
    ([user]) => `The LMS has no person with the SIS id ${or(user, '(empty)')}.`,
  ],
  [
    /Neither course nor section existed for user enrollment \(Course ID: (.*?), Section ID: (.*?), User ID: (.*?)\)/,
    ([course, section]) =>
      section
        ? `The LMS has neither the course ${or(course, '(empty)')} nor the section ${section}.`
        : `The LMS has no course with the SIS id ${or(course, '(empty)')}.`,
  ],
  [
    /An enrollment referenced a non-existent section (.+)/,
    ([section]) => `The LMS has no section with the SIS id ${section}.`,
  ],
  [
    /An enrollment referenced a non-existent course (.+)/,
    ([course]) => `The LMS has no course with the SIS id ${course}.`,
  ],
  [
    /An enrollment listed a section \((.*?)\) and a course \((.*?)\) that are unrelated/,
    ([section, course]) => `The section ${section} does not belong to the course ${course}.`,
  ],
  [
    /Improper role "(.*?)" for an enrollment/,
    ([role]) =>
      role ? `The LMS has no role “${role}”.` : 'The LMS does not know the role that the row names.',
  ],
  [
    /Improper status "(.*?)" for an enrollment/,
    ([status]) =>
      `The LMS takes no enrolment with the status “${or(status, '')}”. It may be active, deleted, completed or inactive.`,
  ],
  [/Bad date format for user (\S+)/, () => 'A date could not be read. The row was applied without the date.'],
  [/No course_id or section_id given for an enrollment/, () => 'The row names no course and no section.'],
  [/No user_id given for an enrollment/, () => 'The row names no person.'],
  [
    /(Student|Observer) enrollment for "(.*?)" not allowed in blueprint course "(.*?)"/,
    ([, , course]) => `${course} is a blueprint course: no students or observers can be enrolled there.`,
  ],
  [
    /An enrollment referenced a non-existent associated user (.+)/,
    ([user]) => `The LMS has no person with the SIS id ${user} to be observed.`,
  ],
  [
    /Attempted enrolling of deleted user (\S+) in course (\S+)/,
    ([user, course]) =>
      `The person ${user} is deleted in the LMS, so the enrolment in ${course} was not made.`,
  ],
  [
    /Attempted enrolling with deleted sis login (\S+) in course (\S+)/,
    ([login, course]) =>
      `The login ${login} is deleted in the LMS, so the enrolment in ${course} was not made.`,
  ],
  [
    /Enrolled a user (\S+) in course (\S+), but referenced a deleted sis login/,
    ([user]) => `The enrolment was made, but the login ${user} is deleted; the person has another one.`,
  ],
  [
    /An enrollment did not pass validation .*Course section is not a valid section/,
    () => 'The section is deleted in the LMS.',
  ],
  [
    /An enrollment did not pass validation .*Course is not a valid course/,
    () => 'The course is deleted in the LMS.',
  ],
  [/An enrollment did not pass validation .*Cannot observe yourself/, () => 'Nobody can observe themselves.'],
  [/No user_id given for a user$/, () => 'The row has no user_id.'],
  [/No login_id given for user (.+)/, ([user]) => `The row of ${user} has no login_id.`],
  [/No status given for user (.+)/, ([user]) => `The row of ${user} has no status.`],
  [
    /Improper status for user (.+)/,
    ([user]) => `The status of ${user} is not one that the LMS takes: active, suspended or deleted.`,
  ],
  [
    /An existing Canvas user with the (SIS|Canvas) ID (\S+) has already claimed (\S+)'s requested integration_id, skipping/,
    ([which, other, user]) =>
      `The integration_id of ${user} belongs to somebody else: the person with the ${which} id ${other}.`,
  ],
  [
    /An existing Canvas user with the (SIS|Canvas) ID (\S+) has already claimed (\S+)'s .*requested login information, skipping/,
    ([which, other, user]) =>
      `The login of ${user} belongs to somebody else: the person with the ${which} id ${other}.`,
  ],
  [
    /unrecognized authentication provider (\S+) for (\S+), skipping/,
    ([provider, user]) =>
      `The LMS has no authentication provider ${provider}, which the row of ${user} names.`,
  ],
  [/Can't remove yourself user_id '(.*?)'/, () => 'The account that runs the imports cannot delete itself.'],
  [
    /Could not save the user with user_id: '(.*?)'\. Invalid login_id: '(.*?)'/,
    ([user, login]) => `The login_id “${login}” of ${user} has letters or signs that the LMS does not take.`,
  ],
  [
    /Could not save the user with user_id: '(.*?)'\. Unknown reason: (.*)/s,
    ([user, reason]) => `The LMS could not save ${user}: ${reason?.trim()}`,
  ],
  [
    /The email address associated with user '(.*?)' is invalid \(email: '(.*?)'\)/,
    ([user, email]) =>
      `“${email}” is no e-mail address the LMS takes. The person ${user} was saved without it.`,
  ],
  [
    /Some of the fields contain NULL character/,
    () => 'The row holds a sign that cannot be shown (a NULL character).',
  ],
  [
    /Couldn't find Canvas CSV import headers/,
    () => 'The LMS did not recognise the header of the file, so nothing of it was imported.',
  ],
  [/Malformed CSV/, () => 'The quotes of the file do not match, so nothing of it was imported.'],
  [/Invalid UTF-8/, () => 'The file is not UTF-8, so nothing of it was imported.'],
];

/** The message in plain words; the LMS's own where nothing plainer is known. */
export function plainMessage(message: string): string {
  for (const [pattern, plain] of WORDS) {
    const found = pattern.exec(message);
    if (found) return plain(found.slice(1));
  }
  return message;
}
