import type { SisEffect } from '@lms-admin/contract/sis-effects';
import type { SisFile, SisFilePart } from '@lms-admin/contract/sis-files';
import { describe, expect, test } from 'vitest';
import { sizeOf } from '../../src/components/size-of.ts';
import { effectFigures, partLabel, partsOf } from '../../src/tools/sis-import/effect-words.ts';
import { sumOf, takesOf, whatWillHappen, whyBlocked } from '../../src/tools/sis-import/review-words.ts';
import { arrived, sent, startUpload } from '../../src/tools/sis-import/upload-progress.ts';

const part = (kind: SisFilePart['kind'], statuses: Record<string, number>): SisFilePart => ({
  name: `${kind}.csv`,
  kind,
  header: ['status'],
  rows: Object.values(statuses).reduce((sum, rows) => sum + rows, 0),
  statuses,
  preview: [],
  encoding: 'utf-8',
  delimiter: ',',
});
function fileOf(parts: SisFilePart[]): SisFile {
  return {
    id: '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f001',
    name: 'all.csv',
    size: 100,
    zip: parts.length > 1,
    parts,
    rows: parts.reduce((sum, one) => sum + one.rows, 0),
    notices: [],
    warnings: [],
    created_at: '2026-11-01T00:00:00Z',
    import_id: null,
  };
}
function effectOf(brake: Partial<SisEffect['brake']> = {}, more: Partial<SisEffect> = {}): SisEffect {
  return {
    file: '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f001',
    made_at: '2026-11-01T00:00:00Z',
    tables: [],
    courses: 0,
    people: 0,
    refused: 0,
    brake: { takes: [], uncompared: [], confirm: null, reason: null, courses: [], ...brake },
    new_courses: [],
    notes: [],
    ...more,
  };
}

describe('the review of a SIS file', () => {
  const two = fileOf([
    part('enrollment', { deleted: 3, active: 1 }),
    part('user', { deleted: 2, active: 9 }),
  ]);

  test('SIS-06 says what will be sent, with kinds, rows and statuses over all files', () => {
    expect(whatWillHappen(two)).toBe(
      '“Submit Data to LMS” sends 15 rows of enrollments, users: 10 active, 5 deleted.',
    );
    expect(whatWillHappen(fileOf([part('user', {})]))).toContain('nothing to send');
  });

  test('SIS-06 the sum in the action bar grows with what is known', () => {
    expect(sumOf(null, null)).toBe('');
    expect(sumOf('all.csv', null)).toBe('all.csv');
    expect(sumOf('all.csv', two)).toBe('all.csv · 15 rows');
    const takes = [
      { kind: 'user', count: 5 },
      { kind: 'enrollment', count: 1 },
    ] as const;
    expect(takesOf(two, null)).toBeNull();
    expect(takesOf(two, effectOf({}))).toBeNull();
    expect(takesOf(two, effectOf({ takes: [...takes] }))).toBe('Removes 5 people and 1 enrolment');
  });

  test('SIS-06 what the rows do is told as what they are, dangerous first, without effect last', () => {
    const effect = effectOf(
      {},
      {
        tables: [
          { kind: 'user', rows: 4, does: { nothing: 1, creates: 1, deletes: 2 } },
          { kind: 'enrollment', rows: 3, does: { removes: 2, fails: 1 } },
        ],
        courses: 2,
        people: 3,
      },
    );
    expect(partsOf(effect).map(partLabel)).toEqual([
      '2 people deleted',
      '2 enrolments removed',
      '1 enrolment would be refused',
      '1 new person',
      '1 person without effect',
    ]);
    expect(effectFigures(effect).map(({ label, value }) => [label, value])).toEqual([
      ['People deleted', 2],
      ['Enrolments removed', 2],
      ['Enrolments would be refused', 1],
      ['New people', 1],
      ['Courses', 2],
      ['People named', 3],
    ]);
    expect(effectFigures({ ...effect, tables: [] })).toHaveLength(2);
  });

  test('OP-53 the last press waits for the number, and says so', () => {
    const [file, none, many] = [fileOf(two.parts), effectOf(), effectOf({ confirm: 61, reason: 'many' })];
    expect(whyBlocked(file, many, false, null)).toContain('61');
    expect(whyBlocked(file, many, false, 60)).toContain('61');
    expect(whyBlocked(file, many, false, 61)).toBeNull();
    expect(whyBlocked(file, none, false, null)).toBeNull();
    expect(whyBlocked(file, null, false, null)).toContain('being compared');
    expect(whyBlocked(file, null, true, null)).toContain('has not been compared');
    expect(whyBlocked(file, { ...none, refused: 2 }, false, null)).toContain('2 rows mean somebody else');
    expect(whyBlocked({ ...file, import_id: file.id }, many, false, 61)).toContain('already');
    expect(whyBlocked(null, null, false, null)).not.toBe(whyBlocked(null, null, true, null));
  });
});

test('SIS-08 the upload shows true bytes, never back, never more than the file has', () => {
  let at = startUpload(1_000, 5);
  expect(at).toMatchObject({ stage: 'upload', done: 0, total: 1_000, since: 5 });
  at = sent(at, 400, 6);
  at = sent(at, 300, 7);
  expect(at).toMatchObject({ done: 400, now: 7 });
  // The request is a little larger than the file.
  at = sent(at, 1_180, 8);
  expect(at.done).toBe(1_000);
  at = arrived(at, 9);
  // How many rows are checked nobody tells.
  expect(at).toMatchObject({ stage: 'check', total: null, now: 9 });
  expect(sent(at, 10, 10)).toBe(at);
});

test('SIS-08 sizes as people read them', () => {
  expect([0, 1, 1_023, 1_024, 1_536, 1_048_576, 134_217_728].map(sizeOf)).toEqual([
    '0 bytes',
    '1 byte',
    '1,023 bytes',
    '1 KB',
    '1.5 KB',
    '1 MB',
    '128 MB',
  ]);
});
