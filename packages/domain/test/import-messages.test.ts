import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainMessage } from '../src/import-messages.ts';

/** As the LMS says it, and the words that a plain sentence must still hold. */
const SAID: readonly (readonly [said: string, holds: readonly string[]])[] = [
  [
    'User not found for enrollment (User ID: 4711, Course ID: C 1, Section ID: )',
    ['no person with the SIS id 4711'],
  ],
  ['User not found for enrollment (User ID: , Course ID: C1, Section ID: )', ['(empty)']],
  [
    'Neither course nor section existed for user enrollment (Course ID: C9, Section ID: , User ID: 1)',
    ['no course with the SIS id C9'],
  ],
  [
    'Neither course nor section existed for user enrollment (Course ID: C9, Section ID: S1, User ID: 1)',
    ['neither the course C9 nor the section S1'],
  ],
  ['An enrollment referenced a non-existent section C1 EVE', ['no section with the SIS id C1 EVE']],
  ['An enrollment referenced a non-existent course C1', ['no course with the SIS id C1']],
  [
    'An enrollment listed a section (S1) and a course (C1) that are unrelated for user (7)',
    ['section S1 does not belong to the course C1'],
  ],
  ['Improper role "Chief" for an enrollment', ['no role “Chief”']],
  ['Improper role "" for an enrollment', ['does not know the role']],
  ['Improper status "gone" for an enrollment', ['“gone”', 'active']],
  ['Attempted enrolling of deleted user 4711 in course C1', ['4711', 'deleted', 'C1']],
  ['Improper status for user 4711', ['4711', 'suspended']],
  ['No login_id given for user 4711', ['4711', 'login_id']],
  [
    "An existing Canvas user with the SIS ID 12 has already claimed 4711's user_id requested login information, skipping",
    ['login of 4711', 'SIS id 12'],
  ],
  [
    "An existing Canvas user with the Canvas ID 12 has already claimed 4711's requested integration_id, skipping",
    ['integration_id of 4711', 'Canvas id 12'],
  ],
  ["The email address associated with user '4711' is invalid (email: 'a@')", ['“a@”', 'saved without it']],
  ["Could not save the user with user_id: '4711'. Invalid login_id: 'a b'", ['“a b”', '4711']],
  ["Couldn't find Canvas CSV import headers", ['header']],
];

describe('messages of an import in plain words', () => {
  test.each(SAID)('SIS-06 IMP-18 %s', (said, holds) => {
    const plain = plainMessage(said);
    expect(plain).not.toBe(said);
    for (const part of holds) expect(plain).toContain(part);
  });

  test('SIS-06 what has no plainer words stays as the LMS said it, whatever it is', () => {
    expect(plainMessage('No user_id given for a user observer')).toBe('No user_id given for a user observer');
    // Whatever a row held is repeated as it stands.
    const value = fc
      .string({ minLength: 1 })
      .filter((text) => !/[\r\n\u2028\u2029]/.test(text) && text === text.trim());
    fc.assert(
      fc.property(value, (text) => {
        expect(plainMessage(`An enrollment referenced a non-existent course ${text}`)).toContain(text);
      }),
      { examples: [['$&'], ["'$1'"]] },
    );
  });
});
