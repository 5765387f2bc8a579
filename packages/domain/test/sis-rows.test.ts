import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainSisMessage } from '../src/sis-messages.ts';
import {
  deletionReason,
  formProblem,
  headerProblems,
  ownRow,
  rowCheck,
  type SisRules,
  sisHeader,
  sniffDelimiter,
} from '../src/sis-rows.ts';

const rules = (limited: boolean, give: readonly number[] = [3]): SisRules => ({
  limited,
  mayGiveRole: (id) => give.includes(id),
  rolesNamed: (name) =>
    name === 'student' ? [3] : name === 'teacher' ? [4] : name === 'Helper' ? [3, 21] : [],
});
const ENROLLMENTS = ['course_id', 'section_id', 'user_id', 'role', 'role_id', 'status'];
const USERS = ['user_id', 'login_id', 'status'];

describe('headers', () => {
  test('SIS-01: names are trimmed and in lower case, empty ones at the end dropped', () => {
    expect(sisHeader([' Course_ID', 'USER_id ', '', ''])).toEqual(['course_id', 'user_id']);
  });
  test('OP-53: a limited admin may use the columns of new people only, and names course and person', () => {
    expect(headerProblems('user', [...USERS, 'password'], true).map((one) => one.column)).toEqual([
      'password',
    ]);
    expect(headerProblems('user', [...USERS, 'password'], false)).toEqual([]);
    expect(
      headerProblems('enrollment', ['section_id', 'user_integration_id', 'root_account'], true).map(
        (one) => one.column,
      ),
    ).toEqual(['role_id', 'status', 'course_id', 'user_id', 'root_account']);
  });
  test('SIS-01: a column that is there twice is refused', () => {
    expect(headerProblems('course', ['course_id', 'short_name', 'course_id'], false)).toMatchObject([
      { column: 'course_id' },
    ]);
  });
  test.each([
    ['a,b;c,d', ','],
    ['a;b;c', ';'],
    ['a\tb\tc', '\t'],
    ['"a,b,c";d', ';'],
    ['user_id', ','],
  ])('SIS-04: the separator of %j', (line, delimiter) => {
    expect(sniffDelimiter(line)).toBe(delimiter);
  });
});

describe('rows', () => {
  const column = (cells: string[], limited = false) =>
    rowCheck('enrollment', ENROLLMENTS, rules(limited))?.(cells)?.column ?? null;

  test('SIS-01, OP-53: an enrolment needs course or section, person, role and a known status', () => {
    expect(column(['C1', '', 'u', '', '3', 'active'])).toBeNull();
    expect(column(['C1', '', 'u', 'student', '', 'Deleted_Last_Completed'])).toBeNull();
    expect(column(['', 'S1', 'u', '', '3', 'active'])).toBeNull();
    expect(column(['', 'S1', 'u', '', '3', 'active'], true)).toBe('course_id');
    expect(column(['', '', 'u', '', '3', 'active'])).toBe('course_id');
    expect(column(['C1', '', '', '', '3', 'active'])).toBe('user_id');
    expect(column(['C1', '', 'u', '', '', 'active'])).toBe('role_id');
    expect(column(['C1', '', 'u', '', '3', ''])).toBe('status');
    expect(column(['C1', '', 'u', '', '3', 'activexyz'])).toBe('status');
  });
  test('OP-34, PERM-12: number and name must both be allowed, and every role that a name may mean', () => {
    expect(column(['C1', '', 'u', '', '4', 'active'])).toBe('role_id');
    expect(column(['C1', '', 'u', 'student', '4', 'active'])).toBe('role_id');
    expect(column(['C1', '', 'u', 'teacher', '3', 'active'])).toBe('role');
    expect(column(['C1', '', 'u', 'Helper', '', 'active'])).toBe('role');
    expect(column(['C1', '', 'u', 'nobody', '', 'active'])).toBe('role');
    expect(column(['C1', '', 'u', '', '03', 'active'])).toBe('role_id');
  });
  test('OP-53: a limited admin creates people and does nothing else to them', () => {
    const check = rowCheck('user', USERS, rules(true));
    expect(check?.(['1', 'a@b.example', 'active'])).toBeNull();
    expect(check?.(['1', 'a@b.example', 'deleted'])?.column).toBe('status');
    expect(check?.(['1', 'a@b.example', 'suspended'])?.column).toBe('status');
    expect(check?.(['1\u00a01', 'a@b.example', 'active'])?.column).toBe('user_id');
    expect(check?.(['1', 'a b', 'active'])?.column).toBe('login_id');
    expect(rowCheck('user', USERS, rules(false))?.(['1 1', 'a b', 'deleted'])).toBeNull();
  });
  test('SIS-01: cells beyond the header and control signs are refused, fewer cells are not', () => {
    expect(formProblem(['1', 'a', 'active', '', 'x'], USERS, 'user')?.message).toContain('5 cells');
    expect(formProblem(['1', 'a', 'active', '', ''], USERS, 'user')).toBeNull();
    expect(formProblem(['1'], USERS, 'user')).toBeNull();
    expect(formProblem(['1', 'a\nb', 'active'], USERS, 'user')?.column).toBe('login_id');
    expect(formProblem(['1', 'a\nb'], ['course_id', 'long_name'], 'course')).toBeNull();
    expect(formProblem(['1', 'a\u0000b'], ['course_id', 'long_name'], 'course')?.column).toBe('long_name');
  });
  test('SIS-01, OP-53: whatever a row holds, it passes only with an allowed role and a known status', () => {
    const check = rowCheck('enrollment', ENROLLMENTS, rules(true));
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('', '3', '4', 'student', 'teacher', 'active', 'deleted'),
    );
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 8 }), (cells) => {
        if (check?.(cells) !== null) return;
        const [course = '', , user = '', role = '', roleId = '', status = ''] = cells;
        expect(course).not.toBe('');
        expect(user).not.toBe('');
        expect([roleId, role].some((one) => one !== '')).toBe(true);
        expect(['', '3']).toContain(roleId);
        expect(['', 'student']).toContain(role);
        expect(status.toLowerCase()).toMatch(/^(active|deleted|completed|inactive|deleted_last_completed)$/);
      }),
    );
  });
});

describe('row numbers', () => {
  test('SIS-06: the LMS counts rows without the blank ones', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (blanks) => {
        const runs: [number, number][] = [];
        const own: number[] = [];
        blanks.forEach((blank, index) => {
          if (!blank) own.push(index + 1);
          else if (index > 0 && blanks[index - 1]) (runs.at(-1) as [number, number])[1]++;
          else runs.push([index + 1, 1]);
        });
        expect(own.map((_, index) => ownRow(index + 1, runs))).toEqual(own);
      }),
    );
  });
});

describe('deletions', () => {
  test.each([
    [50, [{ deleted: 50, active: 1_000 }], null],
    [51, [], 'many-rows'],
    [5, [{ deleted: 5, active: 100 }], null],
    [6, [{ deleted: 6, active: 100 }], 'share-of-course'],
    [1, [{ deleted: 1, active: 0 }], null],
    [1, [{ deleted: 1, active: null }], null],
  ] as const)('SIS-06: %i deletions, %j: %s', (rows, courses, reason) => {
    expect(deletionReason(rows, courses)).toBe(reason);
  });
});

describe('messages of the LMS', () => {
  test.each([
    ['Improper role "" for an enrollment', /role_id/],
    ['Improper role "Guru" for an enrollment', /'Guru'/],
    ['User not found for enrollment (User ID: 12, Course ID: C(1), Section ID: )', /'12'/],
    ['An enrollment listed a section (S1) and a course (C1) that are unrelated for user (U1)', /'S1'.*'C1'/],
    [
      "An existing Canvas user with the SIS ID 77 has already claimed 12's user_id requested login information, skipping",
      /'77'/,
    ],
    ["The email address associated with user '12' is invalid (email: 'x@')", /'x@'.*saved without/],
    ['No user_id given for a user', /user_id is empty/],
  ])('SIS-06: %s', (text, plain) => {
    expect(plainSisMessage(text)).toMatch(plain);
    expect(plainSisMessage(text)).not.toBe(text);
  });
  test('SIS-06: what is not known stays as it is', () => {
    fc.assert(fc.property(fc.string(), (text) => plainSisMessage(`!${text}`) === `!${text}`));
  });
});
