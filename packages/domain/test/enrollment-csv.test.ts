import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvCell, csvLine, csvText } from '../src/csv.ts';
import {
  type EnrollmentBlock,
  enrollmentColumns,
  enrollmentCsv,
  manualRowCheck,
  rowCount,
} from '../src/enrollment-csv.ts';
import type { RoleRules } from '../src/sis-rows.ts';
import { COURSE_LEVEL_HEADER, SECTION_LEVEL_HEADER } from '../src/sis-tables/enrollments.ts';

const id = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => text.trim() !== '');
const block: fc.Arbitrary<EnrollmentBlock> = fc.record({
  sisCourseId: id,
  sisSectionId: fc.oneof(fc.constant(''), id),
  roleId: fc.integer({ min: 1, max: 999 }),
  status: fc.constantFrom('active' as const, 'deleted' as const),
  users: fc.array(id, { maxLength: 8 }),
});
const anyRole: RoleRules = { mayGiveRole: () => true, hasRole: () => null, rolesNamed: () => [] };

describe('writing CSV', () => {
  test('OP-43: cells are quoted only if necessary, and lines are joined by newlines, with none at the end', () => {
    expect(csvLine(['a', 'b,c', 'd"e', ' f', 'g\nh', ''])).toBe('a,"b,c","d""e"," f","g\nh",');
    expect(csvText([['a'], ['b']])).toBe('a\nb');
    expect(csvCell('plain-1')).toBe('plain-1');
  });

  test('property: written text is read back unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), { minLength: 1 }),
        (rows) => {
          expect(parse(csvText(rows), { relax_column_count: true, record_delimiter: '\n' })).toEqual(rows);
        },
      ),
    );
  });

  test('CE-20, OP-52: rows have four columns at course level, and five with the section, which comes before the status', () => {
    const common = { sisCourseId: 'C1', roleId: 3, status: 'active' as const, users: ['u1', 'u2'] };
    expect([...enrollmentCsv([{ ...common, sisSectionId: '' }])].join('')).toBe(
      'course_id,user_id,role_id,status\nC1,u1,3,active\nC1,u2,3,active',
    );
    expect(
      [
        ...enrollmentCsv([
          { ...common, sisSectionId: '' },
          { ...common, sisSectionId: 'S1', status: 'deleted' },
        ]),
      ].join(''),
    ).toBe(
      'course_id,user_id,role_id,section_id,status\nC1,u1,3,,active\nC1,u2,3,,active\nC1,u1,3,S1,deleted\nC1,u2,3,S1,deleted',
    );
  });

  test('property: the pieces together are the rows of the blocks, in order, whatever the size of a piece', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), fc.integer({ min: 1, max: 7 }), (blocks, size) => {
        const text = [...enrollmentCsv(blocks, size)].join('');
        const sections = blocks.some((one) => one.sisSectionId !== '');
        const rows = parse(text, { record_delimiter: '\n' });
        expect(rows[0]).toEqual(sections ? [...SECTION_LEVEL_HEADER] : [...COURSE_LEVEL_HEADER]);
        expect(rows.slice(1)).toEqual(
          blocks.flatMap((one) =>
            one.users.map((user) => [
              one.sisCourseId,
              user,
              String(one.roleId),
              ...(sections ? [one.sisSectionId] : []),
              one.status,
            ]),
          ),
        );
        expect(rows.length - 1).toBe(rowCount(blocks));
      }),
    );
  });
});

describe('checking rows entered by hand', () => {
  test('OP-43: a header is exactly one of the two, in any order and case', () => {
    expect(enrollmentColumns(['status', ' Role_ID ', 'user_id', 'course_id'])).toEqual(
      new Map([
        ['course_id', 3],
        ['user_id', 2],
        ['role_id', 1],
        ['status', 0],
      ]),
    );
    expect(enrollmentColumns(SECTION_LEVEL_HEADER)?.size).toBe(5);
    for (const wrong of [
      [],
      ['course_id', 'user_id', 'role', 'status'],
      ['course_id', 'user_id', 'role_id'],
      ['course_id', 'user_id', 'role_id', 'status', 'status'],
      ['course_id', 'course_id', 'user_id', 'role_id'],
      [...SECTION_LEVEL_HEADER, 'start_date'],
    ])
      expect(enrollmentColumns(wrong)).toBeNull();
  });

  test.each([
    [['C1', 'u1', '3', 'active'], undefined],
    [['C1', 'u1', '3', 'deleted'], undefined],
    [['C1', 'u1', '3'], null],
    [['C1', 'u1', '3', 'active', ''], null],
    [['', 'u1', '3', 'active'], 'course_id'],
    [['C1', '', '3', 'active'], 'user_id'],
    [['C1', 'u\u0000', '3', 'active'], 'user_id'],
    [['C1', 'u\nv', '3', 'active'], 'user_id'],
    [['C1', 'u\ud800', '3', 'active'], 'user_id'],
    [['x'.repeat(256), 'u1', '3', 'active'], 'course_id'],
    [['C1', 'u1', '0', 'active'], 'role_id'],
    [['C1', 'u1', '', 'active'], 'role_id'],
    [['C1', 'u1', '3.5', 'active'], 'role_id'],
    [['C1', 'u1', 'student', 'active'], 'role_id'],
    [['C1', 'u1', '3', 'completed'], 'status'],
    [['C1', 'u1', '3', 'Active'], 'status'],
    [['C1', 'u1', '3', ''], 'status'],
  ])('CE-21: %j: %s', (cells, column) => {
    expect(manualRowCheck(COURSE_LEVEL_HEADER, anyRole)(cells)[0]?.column).toBe(column);
  });

  test('OP-34, CE-21: a row that names a section also names its course, and its role is a section role', () => {
    const asked: [number, string][] = [];
    const rules: RoleRules = {
      mayGiveRole: (id, level) => asked.push([id, level]) > 0 && level === 'section',
      hasRole: () => null,
      rolesNamed: () => [],
    };
    const check = (cells: string[]) => manualRowCheck(SECTION_LEVEL_HEADER, rules)(cells)[0] ?? null;
    expect(check(['C1', 'u1', '3', 'S1', 'active'])).toBeNull();
    expect(check(['C1', 'u1', '3', '', 'active'])?.column).toBe('role_id');
    expect(asked).toEqual([
      [3, 'section'],
      [3, 'course'],
    ]);
    expect(check(['', 'u1', '3', 'S1', 'active'])?.column).toBe('course_id');
    expect(check(['C1', 'u1', '3', 'S\u0007', 'active'])?.column).toBe('section_id');
  });

  test('property: a written row passes its own check', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.integer({ min: 1 }), fc.uuid(), (course, user, role, section) => {
        const cells = [course, user, String(role), section, 'active'];
        expect(manualRowCheck(SECTION_LEVEL_HEADER, anyRole)(cells)).toEqual([]);
      }),
    );
  });
});
