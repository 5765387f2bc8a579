import type { SisEffect } from '@lms-admin/contract/sis-effects';
import type { SisFile, SisFilePart } from '@lms-admin/contract/sis-files';
import { describe, expect, test } from 'vitest';
import { sizeOf } from '../../src/components/size-of.ts';
import { effectFigures, partLabel, partsOf } from '../../src/tools/sis-import/effect-words.ts';
import { sumOf, takesOf, whatWillHappen, whyBlocked } from '../../src/tools/sis-import/review-words.ts';
import { texts } from '../../src/tools/sis-import/texts.ts';
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
    draft: null,
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
    not_found: 0,
    brake: { takes: [], uncompared: [], confirm: null, reason: null, courses: [], ...brake },
    new_courses: [],
    notes: [],
    ...more,
  };
}

describe('the review of an SIS file', () => {
  const two = fileOf([
    part('enrollment', { deleted: 3, active: 1 }),
    part('user', { deleted: 2, active: 9 }),
  ]);

  test('SIS-06 rows of tables without a status are also counted, so that the figures add up', () => {
    const users = part('user', { active: 2, deleted: 1 });
    const logins = { ...part('login', {}), rows: 2 };
    expect(whatWillHappen(fileOf([users, logins]))).toBe(
      '“Submit Data to LMS” sends 5 rows of users, logins: 2 active, 1 deleted, 2 without a status.',
    );
    expect(whatWillHappen(fileOf([logins]))).toBe('“Submit Data to LMS” sends 2 rows of logins.');
  });

  test('SIS-06 says what will be sent, with the kinds, rows and statuses of all files', () => {
    expect(whatWillHappen(two)).toBe(
      '“Submit Data to LMS” sends 15 rows of enrollments, users: 10 active, 5 deleted.',
    );
    expect(whatWillHappen(fileOf([part('user', {})]))).toContain('nothing to send');
    const ids = { ...fileOf([part('change_sis_id', {})]), rows: 7 };
    expect(whatWillHappen(ids)).toBe('“Submit Data to LMS” sends 7 rows of changed sis ids.');
  });

  test('SIS-06 the summary in the action bar becomes longer as more is known', () => {
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
    // A row that was not compared does not count as removed.
    const open = [{ kind: 'enrollment', count: 1 }] as const;
    expect(takesOf(two, effectOf({ takes: [...takes], uncompared: [...open] }))).toBe(
      'Removes 5 people, could remove 1 enrolment',
    );
    expect(takesOf(two, effectOf({ takes: [...open], uncompared: [...open] }))).toBe(
      'Could remove 1 enrolment',
    );
  });

  test('SIS-06 changes are named after their records, dangerous ones first, rows that change nothing last', () => {
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
      '1 enrolment will be rejected',
      '1 new person',
      '1 person unchanged',
    ]);
    expect(effectFigures(effect).map(({ label, value }) => [label, value])).toEqual([
      ['People deleted', 2],
      ['Enrolments removed', 2],
      ['Enrolments will be rejected', 1],
      ['New people', 1],
      ['People unchanged', 1],
      ['Courses', 2],
      ['People named', 3],
    ]);
    expect(effectFigures({ ...effect, tables: [] })).toHaveLength(2);
  });

  test('SIS-06 the figures include every kind of change, as well as courses created by cross-listings', () => {
    const effect = effectOf(
      {},
      {
        tables: [
          { kind: 'user', rows: 2, does: { creates: 2 } },
          { kind: 'section', rows: 1, does: { creates: 1 } },
          { kind: 'xlist', rows: 2, does: { changes: 2 } },
          {
            kind: 'enrollment',
            rows: 12,
            does: { removes: 1, suspends: 1, concludes: 1, restores: 2, creates: 2, nothing: 5 },
          },
          { kind: 'group', rows: 1, does: { creates: 1 } },
          { kind: 'group_membership', rows: 2, does: { creates: 2 } },
        ],
        courses: 1,
        people: 9,
        new_courses: [{ sis_course_id: 'XL-NEW', name: 'New', sections: 1, enrolments: 3 }],
      },
    );
    expect(effectFigures(effect).map(({ label, value }) => `${label} ${value}`)).toEqual([
      'Enrolments removed 1',
      'Enrolments suspended 1',
      'Enrolments concluded 1',
      'Cross-listings changed 2',
      'Enrolments restored 2',
      'New courses 1',
      'New people 2',
      'New sections 1',
      'New enrolments 2',
      'New groups 1',
      'New group memberships 2',
      'Enrolments unchanged 5',
      'Courses 1',
      'People named 9',
    ]);
  });

  test('OP-53 submitting requires the number to be typed, and says so', () => {
    const [file, none, many] = [fileOf(two.parts), effectOf(), effectOf({ confirm: 61, reason: 'many' })];
    expect(whyBlocked(file, many, false, null)).toContain('61');
    expect(whyBlocked(file, many, false, 60)).toContain('61');
    expect(whyBlocked(file, many, false, 61)).toBeNull();
    expect(whyBlocked(file, none, false, null)).toBeNull();
    expect(whyBlocked(file, null, false, null)).toContain('being compared');
    expect(whyBlocked(file, null, true, null)).toContain('has not been compared');
    expect(whyBlocked(file, { ...none, refused: 2 }, false, null)).toContain(
      'In 2 rows, the login and the SIS ID belong to different people',
    );
    expect(whyBlocked({ ...file, import_id: file.id }, many, false, 61)).toContain('already');
    expect(whyBlocked(null, null, false, null)).not.toBe(whyBlocked(null, null, true, null));
  });
});

test('SIS-08 the upload shows real bytes, never fewer than before, and never more than the size of the file', () => {
  let at = startUpload(1_000, 5);
  expect(at).toMatchObject({ stage: 'upload', done: 0, total: 1_000, since: 5 });
  at = sent(at, 400, 6);
  at = sent(at, 300, 7);
  expect(at).toMatchObject({ done: 400, now: 7 });
  // The request is slightly larger than the file.
  at = sent(at, 1_180, 8);
  expect(at.done).toBe(1_000);
  at = arrived(at, 9);
  // The number of checked rows is unknown.
  expect(at).toMatchObject({ stage: 'check', total: null, now: 9 });
  expect(sent(at, 10, 10)).toBe(at);
});

test('SIS-08 sizes are shown in a readable form', () => {
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

describe('SIS-06 the removals of a file in words', () => {
  const { brake } = texts.review;

  test('the wording depends on whether one row was not compared, or several were not', () => {
    const possible = { certain: '', possible: '1 course' };
    expect(brake.uncompared(possible, 1)).toBe(
      '1 course could not be compared with the LMS. It counts as removed.',
    );
    expect(brake.uncompared({ certain: '2 people', possible: '3 courses' }, 3)).toBe(
      '3 courses of these could not be compared with the LMS. They count as removed.',
    );
  });

  test('courses with removals are named with their SIS IDs, since names can be repeated', () => {
    expect(brake.course({ name: 'Finance', id: 'MBA26-FIN-A' }, 1, 0, 1)).toBe(
      'Finance (MBA26-FIN-A): loses 1 enrolment (1 is active now)',
    );
    expect(brake.course({ name: 'Finance', id: '' }, 0, 2, null)).toBe('Finance: loses 2 group memberships');
    expect(brake.course({ name: null, id: 'MBA26-FIN-B' }, 0, 1, null)).toBe(
      'MBA26-FIN-B: loses 1 group membership',
    );
  });
});
