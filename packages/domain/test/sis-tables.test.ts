import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CsvReader } from '../src/csv-reader.ts';
import { rowCheck } from '../src/sis-row-rules.ts';
import { formProblems, headerProblems } from '../src/sis-rows.ts';
import {
  deletes,
  isSampleCell,
  SIS_KINDS,
  SIS_TABLES,
  SIS_TEMPLATES,
  type SisTable,
  sisTableFor,
  sisTableOf,
  templateText,
} from '../src/sis-tables.ts';

const kindOf = (header: string) => sisTableFor(header.split(','))?.kind ?? null;

describe('the table that a header belongs to (LMS reference §8.1)', () => {
  test.each(SIS_TABLES)('SIS-01: $title are recognised by their columns, and by no fewer', (table) => {
    const fewest = table.known.by.map(([first]) => first as string);
    expect(sisTableFor(fewest)).toBe(table);
    expect(sisTableFor(fewest.slice(1))).not.toBe(table);
  });
  test.each([
    ['course_id,user_id,role_id,section_id,status', 'enrollment'],
    ['section_id,user_integration_id,role,status', 'enrollment'],
    ['user_id,login_id,existing_user_id', 'login'],
    ['abstract_course_id,short_name,course_id', 'course'],
    // The first matching rule decides.
    ['account_id,parent_account_id,user_id', 'account'],
    ['group_id,user_id,status', 'group_membership'],
    ['group_id,user_id,course_id,status', 'enrollment'],
    ['group_id,user_id,account_id,status', 'admin'],
    ['group_id,user_id,name', 'group'],
    ['group_category_id,group_id,name,status', 'group'],
    ['group_category_id,category_name,course_id,status', 'group_category'],
    ['name,colour', null],
    ['User_ID,login_id', null],
    ['', null],
  ])('SIS-01: %s: %s', (header, kind) => {
    expect(kindOf(header)).toBe(kind);
  });
  test('SIS-01: the order of columns, and columns unknown to the LMS, make no difference', () => {
    fc.assert(
      fc.property(
        fc
          .constantFrom(...SIS_TABLES)
          .chain((table) =>
            fc.tuple(
              fc.constant(table),
              fc.shuffledSubarray([...table.columns], { minLength: table.columns.length }),
            ),
          ),
        ([table, columns]) => {
          expect(sisTableFor([...columns, 'colour'])).toBe(sisTableFor(table.columns));
        },
      ),
    );
  });
});

describe('what the tables contain', () => {
  test('SIS-01: each kind exists once, and so does each of its columns', () => {
    expect(new Set(SIS_KINDS).size).toBe(SIS_TABLES.length);
    for (const { columns } of SIS_TABLES) expect(new Set(columns).size).toBe(columns.length);
    for (const kind of SIS_KINDS) expect(sisTableOf(kind).kind).toBe(kind);
  });
  test('OP-53: no one sends administrators; those with limited scope send people and enrolments', () => {
    const sent = (by: SisTable['senders']) =>
      SIS_TABLES.filter(({ senders }) => senders === by).map(({ kind }) => kind);
    expect(sent('nobody')).toEqual(['admin']);
    expect(sent('everybody')).toEqual(['user', 'enrollment']);
  });
  test.each([
    ['user', 'deleted', true],
    ['user', 'suspended', false],
    ['enrollment', 'deleted_last_completed', true],
    ['enrollment', 'completed', false],
    ['course', 'deletedxyz', true],
    ['change_sis_id', 'deleted', false],
  ] as const)('SIS-06: %s with the status %s deletes: %s', (kind, status, expected) => {
    expect(deletes(sisTableOf(kind), status)).toBe(expected);
  });
});

describe('templates', () => {
  test.each(SIS_TEMPLATES)(
    'SIS-03, OP-54: $file has a header and one row, which pass their own check',
    (template) => {
      // LMS Admin skips a line for Excel that other programs would show as a row.
      expect(templateText(template)).toMatch(/^sep=,\n[\x20-\x7e\n]+$/);
      const reader = new CsvReader(null);
      const [header, row, ...more] = [...reader.add(templateText(template)), ...reader.end()].map(
        ({ cells }) => cells,
      );
      expect([header, more]).toEqual([template.columns, []]);
      const table = sisTableFor(template.columns);
      if (!table || !row) throw new Error('no table, or no row');
      expect(headerProblems(table, template.columns)).toEqual([]);
      expect(formProblems(row, template.columns, table)).toEqual([]);
      expect(rowCheck(table, template.columns)(row)).toEqual([]);
      expect(row.some(isSampleCell)).toBe(true);
    },
  );
});
