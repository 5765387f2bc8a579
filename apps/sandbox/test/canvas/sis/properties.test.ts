import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from '../../../src/canvas/sis/csv/write.ts';
import type { SisBatch } from '../../../src/canvas/store/sis-batch.ts';
import { Campus } from './campus.ts';

const FINAL = ['imported', 'imported_with_messages', 'failed_with_messages'];
const counts = (batch: SisBatch) => batch.data['counts'] as Record<string, number>;
const HEADERS = [
  'user_id,login_id,status,email,full_name',
  'course_id,user_id,role,section_id,status',
  'course_id,short_name,long_name,account_id,term_id,status',
  'section_id,course_id,name,status,start_date',
  'account_id,parent_account_id,name,status',
  'term_id,name,status,start_date',
  'group_id,name,status,course_id',
  'group_id,user_id,status',
  'group_category_id,category_name,status,course_id',
  'xlist_course_id,section_id,status',
  'user_id,account_id,role,status',
  'observer_id,student_id,status',
  'old_id,new_id,type',
  'user_id,login_id,existing_user_id',
  'abstract_course_id,short_name,long_name,status',
  'enrollment_id,grade_publishing_status',
];

/** Cells with a meaning for importers, mixed with arbitrary ones. */
const cell = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'A',
      'B',
      'C',
      'active',
      'deleted',
      'available',
      'accepted',
      'completed',
      'student',
      'user',
      'course',
      '',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom('"', ',', '\n', '\r', '\0', ' ', '<delete>', '2030-01-01') },
);
const table = fc.record({
  header: fc.constantFrom(...HEADERS),
  rows: fc.array(fc.array(cell, { maxLength: 7 }), { maxLength: 30 }),
});

describe('§8 arbitrary input', () => {
  test('§7.3 any bytes lead to a final state, as .csv and as .zip', async () => {
    const campus = new Campus();
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom('csv', 'zip'),
        async (bytes, kind) => {
          const batch = await campus.import(Buffer.from(bytes), `data.${kind}`);
          expect(FINAL).toContain(batch.workflow_state);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('§8.2 any text below a known header leads to a final state', async () => {
    const campus = new Campus();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...HEADERS),
        fc.string({ unit: 'binary', maxLength: 300 }),
        async (header, text) => {
          const batch = await campus.import(`${header}\n${text}`);
          expect(FINAL).toContain(batch.workflow_state);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('§7.2 counts add up: no more rows counted than sent; messages and states match the counts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(table, { minLength: 1, maxLength: 4 }), async (tables) => {
        const campus = new Campus();
        for (const { header, rows } of tables) {
          const lines = [header.split(','), ...rows].map((cells) => stringify(cells));
          const batch = await campus.import(lines.join(''));
          expect(FINAL).toContain(batch.workflow_state);
          const { error_count: failures = 0, warning_count: warned = 0, ...applied } = counts(batch);
          const counted = Object.values(applied).reduce((sum, n) => sum + n, 0);
          expect(counted).toBeLessThanOrEqual(rows.length);
          expect(failures + warned).toBe(batch.errors.length);
          expect(batch.workflow_state).toBe(
            failures > 0 ? 'failed_with_messages' : warned > 0 ? 'imported_with_messages' : 'imported',
          );
          expect(batch.processing_warnings.length).toBeLessThanOrEqual(25);
          const { total_state_changes: total, ...kinds } = batch.data['statistics'] as Record<
            string,
            object | number
          >;
          const sum = Object.values(kinds)
            .flatMap((each) => Object.values(each) as number[])
            .reduce((a, b) => a + b, 0);
          expect(sum).toBeLessThanOrEqual(total as number);
          for (const error of batch.errors)
            if (!error.failure && error.row !== null) expect(error.row).toBeGreaterThan(1);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('§8.3 valid rows are applied, whatever invalid rows surround them', async () => {
    const bad = fc.constantFrom(
      'X1,,active',
      ',x2,active',
      'X3,x3,',
      'X4,x4,enabled',
      'X5,x\u00015,active',
      ',,',
      'G0,taken,active',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(bad, { maxLength: 200 }),
        fc.integer({ min: 1, max: 150 }),
        async (noise, good) => {
          const campus = new Campus();
          await campus.import('user_id,login_id,status\nOWNER,taken,active\n');
          const rows = [...noise, ...Array.from({ length: good }, (_, i) => `GOOD${i},good${i},active`)];
          // A fixed shuffle that spreads the invalid rows.
          const mixed = rows
            .map((row, i) => ({ row, at: (i * 7919) % rows.length }))
            .sort((a, b) => a.at - b.at);
          const batch = await campus.import(
            `user_id,login_id,status\n${mixed.map((each) => each.row).join('\n')}\n`,
          );
          expect(counts(batch)['users']).toBe(good);
          for (let i = 0; i < good; i++)
            expect(campus.world.pseudonyms.by.sis.get(`GOOD${i}`)?.workflow_state).toBe('active');
        },
      ),
      { numRuns: 40 },
    );
  });

  test('§8.2 cells and row counts survive writing and reading', async () => {
    const value = fc
      .string({ minLength: 1, maxLength: 12 })
      .filter((text) => text.trim() === text && !/[\0\p{C}]/u.test(text));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(value, { minLength: 1, maxLength: 40 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        async (ids, lineEnd) => {
          const campus = new Campus();
          const lines = ids.map((id, i) => stringify([id, `login${i}`, 'active']));
          const text = ['user_id,login_id,status\n', ...lines].join('').replaceAll('\n', lineEnd);
          const batch = await campus.import(text);
          expect(batch.workflow_state).toBe('imported');
          for (const id of ids) expect(campus.world.pseudonyms.by.sis.get(id)).toBeDefined();
        },
      ),
      { numRuns: 100 },
    );
  });

  test('§7.5 importing and then undoing leaves every enrolment unchanged', async () => {
    const row = fc.record({
      user: fc.integer({ min: 0, max: 5 }),
      role: fc.constantFrom('student', 'teacher'),
      status: fc.constantFrom('active', 'deleted', 'completed', 'inactive', 'deleted_last_completed'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 30 }),
        fc.array(row, { maxLength: 30 }),
        async (first, second) => {
          const campus = new Campus();
          const { world } = campus;
          await campus.import('course_id,short_name,long_name,status\nC1,C,Course,active\n');
          await campus.import(
            `user_id,login_id,status\n${[0, 1, 2, 3, 4, 5].map((n) => `U${n},u${n},active`).join('\n')}\n`,
          );
          const csv = (rows: typeof first) =>
            `course_id,user_id,role,status\n${rows.map((r) => `C1,U${r.user},${r.role},${r.status}`).join('\n')}\n`;
          await campus.import(csv(first));
          const before = new Map([...world.enrollments.values()].map((e) => [e.id, e.workflow_state]));
          const batch = await campus.import(csv(second));
          const progress = campus.queue.restore(
            batch,
            { batch_mode: false, undelete_only: false, unconclude_only: false },
            1,
          );
          while (progress?.workflow_state !== 'completed') await new Promise(setImmediate);
          for (const e of world.enrollments.values())
            expect(e.workflow_state).toBe(before.get(e.id) ?? 'deleted');
        },
      ),
      { numRuns: 60 },
    );
  });
});
