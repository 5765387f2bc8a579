import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainSisMessage } from '../src/sis-messages.ts';
import { rowCheck } from '../src/sis-row-rules.ts';
import {
  formProblems,
  headerProblems,
  joinLines,
  layoutColumns,
  ownRow,
  type RoleRules,
  roleCheck,
  sisHeader,
  valueProblems,
} from '../src/sis-rows.ts';
import { ENROLLMENTS } from '../src/sis-tables/enrollments.ts';
import { USERS } from '../src/sis-tables/users.ts';
import { SIS_TABLES, sisTableOf } from '../src/sis-tables.ts';

const rules = (give: readonly number[] = [3]): RoleRules => ({
  mayGiveRole: (id) => give.includes(id),
  hasRole: (id) => [3, 4, 21].includes(id),
  rolesNamed: (name) =>
    name === 'student' ? [3] : name === 'teacher' ? [4] : name === 'Helper' ? [3, 21] : [],
});
const ENROLLMENT_HEADER = ['course_id', 'section_id', 'user_id', 'role', 'role_id', 'status'];
const USER_HEADER = ['user_id', 'login_id', 'status'];
const courses = sisTableOf('course');

describe('headers', () => {
  test('SIS-01: names are trimmed and in lower case, and empty ones at the end are dropped', () => {
    expect(sisHeader([' Course_ID', 'USER_id ', '', ''])).toEqual(['course_id', 'user_id']);
  });
  test('SIS-01: a repeated column, too many columns, or a name with invisible characters is rejected', () => {
    const columns = (header: string[]) => headerProblems(courses, header).map(({ column }) => column);
    const whole = ['course_id', 'short_name', 'long_name', 'status'];
    expect(columns([...whole, 'course_id'])).toEqual(['course_id']);
    expect(columns([...whole, 'x\ry'])).toEqual([null]);
    expect(columns(Array.from({ length: 101 }, (_, at) => `c${at}`))).toEqual([null]);
    expect(columns([...whole, '', ''])).toEqual([]);
  });
  test.each(SIS_TABLES)('SIS-01: $title needs its columns', ({ kind }) => {
    const table = sisTableOf(kind);
    const needs = table.rows.needs.map(({ oneOf }) => oneOf[0]);
    const status = table.rows.states.length > 0 && !table.rows.stateMayLack ? ['status'] : [];
    expect(headerProblems(table, []).map(({ column }) => column)).toEqual([...needs, ...status]);
    // One of the alternatives is enough.
    const last = table.rows.needs.map(({ oneOf, unless }) => unless ?? oneOf.at(-1) ?? '');
    expect(headerProblems(table, [...new Set(last), ...status])).toEqual([]);
  });
  test('SIS-01: a documented header is accepted in any order and case, and no other header is', () => {
    expect(layoutColumns([' Status', 'user_ID', 'login_id'], USER_HEADER)).toEqual(
      new Map([
        ['user_id', 1],
        ['login_id', 2],
        ['status', 0],
      ]),
    );
    expect(layoutColumns(['status', 'status', 'user_id'], USER_HEADER)).toBeNull();
  });
});

describe('rows', () => {
  const enrolment = (cells: string[]) =>
    [
      ...rowCheck(ENROLLMENTS, ENROLLMENT_HEADER)(cells),
      ...roleCheck(ENROLLMENTS, ENROLLMENT_HEADER, rules())(cells),
    ][0]?.column ?? null;

  test('SIS-01, OP-53: an enrolment needs course or section, person, role and a known status', () => {
    expect(enrolment(['C1', '', 'u', '', '3', 'active'])).toBeNull();
    expect(enrolment(['C1', '', 'u', 'student', '', 'Deleted_Last_Completed'])).toBeNull();
    expect(enrolment(['', 'S1', 'u', '', '3', 'active'])).toBeNull();
    expect(enrolment(['', '', 'u', '', '3', 'active'])).toBe('course_id');
    expect(enrolment(['C1', '', '', '', '3', 'active'])).toBe('user_id');
    expect(enrolment(['C1', '', 'u', '', '', 'active'])).toBe('role_id');
    expect(enrolment(['C1', '', 'u', '', '3', ''])).toBe('status');
    expect(enrolment(['C1', '', 'u', '', '3', 'activexyz'])).toBe('status');
  });
  test('PERM-12: a number that is not a role in the LMS is distinguished from a role that cannot be assigned', () => {
    const messageOf = (id: string, given = rules()) =>
      roleCheck(ENROLLMENTS, ENROLLMENT_HEADER, given)(['C1', '', 'u', '', id, 'active'])[0]?.message;
    expect(messageOf('99')).toBe('The LMS has no role 99.');
    expect(messageOf('4')).toBe('You do not have permission to use the role 4.');
    expect(messageOf('99', { ...rules(), hasRole: () => null })).toBe(
      'You do not have permission to use the role 99.',
    );
  });
  test("OP-34, PERM-12: a role's number and name must both be allowed, and so must every role that a name can mean", () => {
    expect(enrolment(['C1', '', 'u', '', '4', 'active'])).toBe('role_id');
    expect(enrolment(['C1', '', 'u', 'student', '4', 'active'])).toBe('role_id');
    expect(enrolment(['C1', '', 'u', 'teacher', '3', 'active'])).toBe('role');
    expect(enrolment(['C1', '', 'u', 'Helper', '', 'active'])).toBe('role');
    expect(enrolment(['C1', '', 'u', 'nobody', '', 'active'])).toBe('role');
    expect(enrolment(['C1', '', 'u', '', '03', 'active'])).toBe('role_id');
  });
  test('SIS-01: a person needs an SIS ID, a login and a known status', () => {
    const column = (cells: string[]) => rowCheck(USERS, USER_HEADER)(cells)[0]?.column ?? null;
    expect(column(['1 1', 'a b', 'Deleted'])).toBeNull();
    expect(column(['', 'a', 'active'])).toBe('user_id');
    expect(column(['1', '', 'active'])).toBe('login_id');
    expect(column(['1', 'a', 'completed'])).toBe('status');
    expect(column(['1', 'a'])).toBe('status');
  });
  test('SIS-01: a group has the status available and is in a course or an account, and its members have the status accepted', () => {
    const header = ['group_id', 'account_id', 'course_id', 'name', 'status'];
    const column = (cells: string[]) => rowCheck(sisTableOf('group'), header)(cells)[0]?.column ?? null;
    expect(column(['G1', '', 'C1', 'One', 'available'])).toBeNull();
    expect(column(['G1', '', 'C1', 'One', 'active'])).toBe('status');
    expect(column(['G1', 'A1', 'C1', 'One', 'available'])).toBe('account_id');
    expect(column(['G1', '', '', '', 'available'])).toBe('name');
    const member = rowCheck(sisTableOf('group_membership'), ['group_id', 'user_id', 'status']);
    expect(member(['G1', 'u', 'accepted'])).toEqual([]);
    expect(member(['G1', 'u', 'active'])[0]?.column).toBe('status');
    expect(member(['', 'u', 'accepted'])[0]?.column).toBe('group_id');
  });
  test('SIS-01: cells beyond the header and control characters are rejected, but fewer cells are not', () => {
    const form = (cells: string[]) => formProblems(cells, USER_HEADER, USERS)[0] ?? null;
    expect(form(['1', 'a', 'active', '', 'x'])?.message).toContain('5 cells');
    expect(form(['1', 'a', 'active', '', ''])).toBeNull();
    expect(form(['1'])).toBeNull();
    expect(form(['1', 'a\nb', 'active'])?.column).toBe('login_id');
    expect(formProblems(['1', 'a\nb'], ['course_id', 'long_name'], courses)).toEqual([]);
    expect(formProblems(['1', 'a\u0000b'], ['course_id', 'long_name'], courses)[0]?.column).toBe('long_name');
  });
  test('SIS-01: converted values and spaces inside a login are named, each with its column', () => {
    const header = ['user_id', 'login_id', 'full_name', 'password', 'status'];
    const columns = (cells: string[]) => valueProblems(cells, header, USERS).map(({ column }) => column);
    expect(columns(['7,1015E+06', 'a b', '=HYPERLINK("x")', '=secret(1)', 'active'])).toEqual([
      'user_id',
      'login_id',
      'full_name',
    ]);
    expect(columns(['#N/A', 'a\u200bb', '', '', 'active'])).toEqual(['user_id', 'login_id']);
    expect(columns(['12E3', 'a.b+c@x.example', 'Anna-Lena #1', '', 'active'])).toEqual([]);
    expect(valueProblems(['#REF!', 'x'], ['course_id', 'long_name'], courses)[0]?.message).toMatch(
      /^"#REF!" is an error value of a spreadsheet\. Format the column as text/,
    );
  });
  test('SIS-01: an id with an invisible character is rejected and the position shown; the old id in a change may contain one', () => {
    const header = ['course_id', 'user_id', 'role_id', 'status'];
    const enrolments = sisTableOf('enrollment');
    for (const unseen of ['\u200b', '\ufeff', '\u00ad', '\u200e']) {
      const [problem, ...others] = valueProblems(['C1', `50${unseen}01`, '3', 'active'], header, enrolments);
      expect([problem?.column, others]).toEqual(['user_id', []]);
      expect(problem?.message).toContain('"50·01"');
    }
    const changes = valueProblems(
      ['user', 'A\u200b1', 'A\u200b2'],
      ['type', 'old_id', 'new_id'],
      sisTableOf('change_sis_id'),
    );
    expect(changes.map(({ column }) => column)).toEqual(['new_id']);
    expect(valueProblems(['C1', '5001', '3', 'active'], header, enrolments)).toEqual([]);
  });
  test('SIS-01: a line break in a name becomes a space; in an id it is rejected', () => {
    const header = ['user_id', 'full_name', 'status'];
    const cells = ['1', 'Anna \r\n Berg', 'active'];
    expect(formProblems(cells, header, USERS)).toEqual([]);
    expect(joinLines(cells, header, USERS)).toBe(1);
    expect(cells).toEqual(['1', 'Anna Berg', 'active']);
    expect(formProblems(['1', 'Anna\tBerg', 'active'], header, USERS)[0]?.column).toBe('full_name');
    expect(formProblems(['1\n2', 'Anna', 'active'], header, USERS)[0]?.column).toBe('user_id');
  });
  test('SIS-01: no table’s own sample counts as a converted value', () => {
    for (const table of SIS_TABLES) {
      for (const { columns, sample } of table.templates ?? []) {
        const cells = columns.map((name) => sample[name] ?? '');
        expect(valueProblems(cells, columns, table)).toEqual([]);
      }
    }
  });
  test('SIS-01, OP-53: any row passes only with an allowed role and a known status', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('', '3', '4', 'student', 'teacher', 'active', 'deleted'),
    );
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 8 }), (cells) => {
        if (enrolment(cells) !== null) return;
        const [course = '', section = '', user = '', role = '', roleId = '', status = ''] = cells;
        expect(course + section).not.toBe('');
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
  test('SIS-06: the LMS numbers rows without counting empty ones', () => {
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

describe('messages from the LMS', () => {
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
  test('SIS-06: unknown messages stay unchanged', () => {
    fc.assert(fc.property(fc.string(), (text) => plainSisMessage(`!${text}`) === `!${text}`));
  });
});
