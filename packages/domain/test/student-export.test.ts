import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ExportedStudent,
  exportColumns,
  exportedGroup,
  exportFileName,
  exportRow,
} from '../src/student-export.ts';

const names = {
  sections: new Map([
    [1, 'Morning'],
    [2, 'Evening, late'],
  ]),
  groups: new Map([[7, exportedGroup('Team 1', 'Project Teams')]]),
  moment: (iso: string) => iso.slice(0, 10),
};
const zoe: ExportedStudent = {
  name: 'Zoë O’Neill–Łukasz',
  login_id: 'zoe@northbridge.example',
  integration_id: '#N/A',
  enrollments: [
    { course_section_id: 1, last_activity_at: '2026-11-01T10:00:00Z' },
    { course_section_id: 2, last_activity_at: null },
  ],
  group_ids: [7, 8],
};

describe('a row in the export', () => {
  test('EXP-13 EXP-14 EXP-15 EXP-16 EXP-17 has a student’s data, in the order of the headings', () => {
    expect(exportColumns(true)).toEqual([
      'Name',
      'Login',
      'SIS ID/ PeoplesoftID',
      'Section',
      'Groups',
      'Role',
      'Last Activity',
    ]);
    expect(exportRow(zoe, names)).toEqual([
      'Zoë O’Neill–Łukasz',
      'zoe@northbridge.example',
      '#N/A',
      'Morning, Evening, late',
      'Team 1_Project Teams',
      'Student',
      '2026-11-01',
    ]);
  });

  test('EXP-04 has no groups unless requested', () => {
    expect(exportColumns(false)).not.toContain('Groups');
    expect(exportRow(zoe, { ...names, groups: null })).toHaveLength(exportColumns(false).length);
  });

  test('OP-82 data that the LMS does not return is left empty', () => {
    const bare = { name: 'Ann', login_id: null, integration_id: null, enrollments: [], group_ids: [] };
    expect(exportRow(bare, names)).toEqual(['Ann', '', '', '', '', 'Student', '']);
  });
});

describe('the file name', () => {
  test('EXP-19 EXP-21 OP-83 is the course code, or the course number', () => {
    expect(exportFileName('csv', 12, 'FIN101')).toBe('course-12-students-data.csv');
    expect(exportFileName('xlsx', 12, 'FIN101: A/B')).toBe('FIN101- A-B.xlsx');
    expect(exportFileName('xlsx', 12, '')).toBe('12.xlsx');
    for (const refused of ['..', 'con', '<>', ' . ', 'NUL', 'Aux.101'])
      expect(exportFileName('xlsx', 12, refused)).toBe('12.xlsx');
  });

  test('is valid in every file system, whatever the code', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (code) => {
        const name = exportFileName('xlsx', 5, code);
        expect(name).toMatch(/^[^<>:"/\\|?*\p{Cc}.\s][^<>:"/\\|?*\p{Cc}]*\.xlsx$/u);
        expect(name.length).toBeLessThan(210);
      }),
    );
  });
});
