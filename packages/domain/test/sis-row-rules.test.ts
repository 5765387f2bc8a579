import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lmsDate } from '../src/sis-dates.ts';
import { rowCheck } from '../src/sis-row-rules.ts';
import { perCell, valueProblems } from '../src/sis-rows.ts';
import { sisTableOf } from '../src/sis-tables.ts';

const LONG = 'x'.repeat(256);

/** Returns the columns with problems in a row, which is given by column name. */
function wrong(kind: Parameters<typeof sisTableOf>[0], row: Record<string, string>): (string | null)[] {
  return rowCheck(sisTableOf(kind), Object.keys(row))(Object.values(row)).map(({ column }) => column);
}

describe('what a row must contain', () => {
  test('SIS-06: all problems in a row are reported at once, each with its column', () => {
    const row = {
      user_id: '',
      login_id: 'l'.repeat(101),
      full_name: LONG,
      email: 'nobody@',
      status: 'aktiv',
    };
    expect(wrong('user', row)).toEqual(['user_id', 'status', 'email', 'full_name', 'login_id']);
  });

  test('SIS-06: names, ids and logins can have up to the LMS’s maximum length', () => {
    const user = { user_id: '1', login_id: 'l'.repeat(100), short_name: 'x'.repeat(255), status: 'active' };
    expect(wrong('user', user)).toEqual([]);
    // Letters are counted as people would count them.
    expect(wrong('user', { ...user, short_name: '😀'.repeat(255) })).toEqual([]);
    expect(wrong('user', { ...user, short_name: '😀'.repeat(256) })).toEqual(['short_name']);
    const named = { user_id: '1', login_id: 'l', status: 'active', first_name: 'x'.repeat(200) };
    expect(wrong('user', { ...named, last_name: 'y'.repeat(53) })).toEqual([]);
    expect(wrong('user', { ...named, last_name: 'y'.repeat(54) })).toEqual(['first_name']);
    expect(wrong('user', { ...named, last_name: 'y'.repeat(54), full_name: 'Anna' })).toEqual([]);
    expect(wrong('section', { section_id: LONG, course_id: 'C', name: LONG, status: 'active' })).toEqual([
      'section_id',
      'name',
    ]);
    expect(wrong('change_sis_id', { type: 'user', old_id: LONG, new_id: LONG })).toEqual(['new_id']);
  });

  test.each([
    ['course', { course_id: 'C', short_name: '', long_name: '', status: 'x' }],
    ['abstract_course', { abstract_course_id: 'C', short_name: '', long_name: '', status: 'x' }],
  ] as const)('SIS-06: %s: problems in names and status are reported together', (kind, row) => {
    expect(wrong(kind, row)).toEqual(['short_name', 'long_name', 'status']);
  });

  test('SIS-06: a column that another one replaces is not required', () => {
    const course = {
      course_id: 'C',
      short_name: '',
      long_name: '',
      abstract_course_id: 'A',
      status: 'active',
    };
    expect(wrong('course', course)).toEqual([]);
    const term = { term_id: 'T', name: '', date_override_enrollment_type: 'TaEnrollment', status: 'active' };
    expect(wrong('term', term)).toEqual([]);
    expect(wrong('term', { ...term, date_override_enrollment_type: 'Ta' })).toEqual([
      'date_override_enrollment_type',
    ]);
    expect(wrong('section', { section_id: 'S', course_id: 'C', name: '', status: 'deleted' })).toEqual([]);
    expect(wrong('section', { section_id: 'S', course_id: 'C', name: '', status: 'active' })).toEqual([
      'name',
    ]);
    expect(wrong('account', { account_id: 'A', parent_account_id: '', status: '' })).toEqual([]);
  });

  test('SIS-06: words that the LMS does not know are reported, and so are two columns that must differ', () => {
    const course = { course_id: 'C', short_name: 'a', long_name: 'b', status: 'active' };
    expect(wrong('course', { ...course, course_format: 'Online', grade_passback_setting: 'weekly' })).toEqual(
      ['grade_passback_setting'],
    );
    const user = { user_id: 'U', login_id: 'a', status: 'active' };
    for (const declared_user_type of ['student_other', '<delete>'])
      expect(wrong('user', { ...user, declared_user_type })).toEqual([]);
    for (const declared_user_type of ['dean', 'Student'])
      expect(wrong('user', { ...user, declared_user_type })).toEqual(['declared_user_type']);
    expect(wrong('change_sis_id', { type: 'person', old_id: 'a', new_id: 'b' })).toEqual(['type']);
    expect(wrong('user_observer', { observer_id: 'a', student_id: 'a', status: 'active' })).toEqual([
      'observer_id',
    ]);
    expect(wrong('xlist', { xlist_course_id: 'C', section_id: 'S', status: 'activated' })).toEqual([
      'status',
    ]);
  });

  test('SIS-06: dates that the LMS cannot read are reported; <delete> is accepted where it is supported', () => {
    const row = { course_id: 'C', user_id: 'u', role_id: '3', status: 'active' };
    expect(wrong('enrollment', { ...row, start_date: '12/31/2026', end_date: '31/12/2026' })).toEqual([
      'start_date',
    ]);
    expect(wrong('enrollment', { ...row, start_date: '<delete>' })).toEqual(['start_date']);
    const course = { course_id: 'C', short_name: 'a', long_name: 'b', status: 'active' };
    expect(wrong('course', { ...course, start_date: '<delete>', end_date: '2026' })).toEqual(['end_date']);
  });

  test('SIS-06: the first problem in a cell is reported, and every problem with the whole row', () => {
    const one = (column: string | null, message: string) => ({ column, message });
    const all = perCell([[one('a', '1'), one(null, '2')], [one('a', '3'), one('b', '4')], [one(null, '5')]]);
    expect(all.map(({ message }) => message)).toEqual(['1', '2', '4', '5']);
  });
});

describe('dates', () => {
  test.each([
    ['2026-01-05', '2026-01-05T00:00:00Z'],
    ['2026-1-5 08:30', '2026-01-05T08:30:00Z'],
    ['2026-01-05T08:30:00+02:00', '2026-01-05T06:30:00Z'],
    ['2026-01-05T08:30:00.500Z', '2026-01-05T08:30:00Z'],
    ['2026/01/05 8:30 PM', '2026-01-05T20:30:00Z'],
    ['2027-06-01 12:00 PM', '2027-06-01T12:00:00Z'],
    ['2027-06-01 12:00 a.m.', '2027-06-01T00:00:00Z'],
    ['0001-02-03', '0001-02-03T00:00:00Z'],
    ['20260105', '2026-01-05T00:00:00Z'],
    ['05/01/2026', '2026-01-05T00:00:00Z'],
    ['5.1.2026', '2026-01-05T00:00:00Z'],
    ['5 Jan 2026', '2026-01-05T00:00:00Z'],
    ['January 5, 2026 10:00', '2026-01-05T10:00:00Z'],
  ])('SIS-06: %s is %s', (text, moment) => expect(lmsDate(text)).toBe(moment));

  test.each([
    '12/31/2026',
    '2026-02-30',
    '2026-01-05 25:00',
    '2026-01-05 13:00 PM',
    '45000',
    'soon',
    'TBA',
    '2026',
  ])('SIS-06: %s is not a date', (text) => expect(lmsDate(text)).toBeNull());

  test('SIS-06: the result is read as the same date', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (at) => {
          const text = `${at.toISOString().slice(0, 19)}Z`;
          expect(lmsDate(text)).toBe(text);
          expect(lmsDate(lmsDate(text) ?? '')).toBe(text);
        },
      ),
    );
  });
});

describe('ids', () => {
  const header = ['course_id', 'section_id', 'user_id', 'status'];
  const columns = (cells: string[]) =>
    valueProblems(cells, header, sisTableOf('enrollment')).map(({ column }) => column);

  test('SIS-06: numbers with decimals or thousands separators, dates and words are not ids', () => {
    for (const value of [
      '7101501.0',
      '7101501,00',
      '7,101,501',
      '7.101.501',
      "7'101'501",
      '7 101 501',
      '01.Mai',
      '01. Mai',
      '1-May',
      '05-Jan-26',
      'Jan-26',
      '01.05.2026',
      '5/1/2026',
      'TRUE',
      'False',
      'WAHR',
      'NULL',
      'NaN',
    ]) {
      expect({ value, columns: columns([value, value, value, 'active']) }).toEqual({
        value,
        columns: ['course_id', 'section_id', 'user_id'],
      });
    }
  });

  test('SIS-06: ids that only resemble such values are accepted', () => {
    for (const value of [
      '101.202',
      'MAR-01',
      'MAY-24',
      'TRUE-1',
      '2026-05-01',
      'A,1',
      '12-34',
      '1.2.3',
      'Mai',
      '7101501',
    ])
      expect({ value, columns: columns([value, value, value, 'active']) }).toEqual({ value, columns: [] });
  });

  test('SIS-06: only ids are checked in this way: a name can be a month or a number', () => {
    const users = ['user_id', 'login_id', 'full_name', 'status'];
    expect(valueProblems(['1', 'a', '1-May', 'active'], users, sisTableOf('user'))).toEqual([]);
  });
});
