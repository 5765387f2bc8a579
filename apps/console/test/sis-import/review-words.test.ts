import type { SisFile, SisFilePart } from '@lms-admin/contract/sis-files';
import { describe, expect, test } from 'vitest';
import { sizeOf } from '../../src/components/size-of.ts';
import {
  deletionSentences,
  figuresOf,
  sumOf,
  whatWillHappen,
  whyAsked,
  whyBlocked,
} from '../../src/tools/sis-import/review-words.ts';
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
const NO_DELETIONS: SisFile['deletions'] = {
  rows: 0,
  people: 0,
  takes: [],
  courses: [],
  confirm: null,
  reason: null,
};
function fileOf(parts: SisFilePart[], deletions: Partial<SisFile['deletions']> = {}): SisFile {
  return {
    id: '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f001',
    name: 'all.csv',
    size: 100,
    zip: parts.length > 1,
    parts,
    rows: parts.reduce((sum, one) => sum + one.rows, 0),
    notices: [],
    warnings: [],
    effect: { people: null, idle: { rows: 0, named: [] }, uncompared: [] },
    deletions: { ...NO_DELETIONS, ...deletions },
    created_at: '2026-11-01T00:00:00Z',
    import_id: null,
  };
}
const course = (deleted: number, active: number | null) => ({
  sis_course_id: 'C1',
  name: null,
  missing: false,
  deleted,
  active,
});

describe('the review of a SIS file', () => {
  const two = fileOf([
    part('enrollment', { deleted: 3, active: 1 }),
    part('user', { deleted: 2, active: 9 }),
  ]);

  test('SIS-06 says what will be sent, with kinds, rows and statuses over all files', () => {
    expect(whatWillHappen(two)).toBe(
      '“Submit Data to LMS” sends 15 rows of enrollments, users: 10 active, 5 deleted.',
    );
    expect(figuresOf(two).map(({ label, value }) => [label, value])).toEqual([
      ['Rows', 15],
      ['Active', 10],
      ['Deleted', 5],
    ]);
    expect(whatWillHappen(fileOf([part('user', {})]))).toContain('nothing to send');
  });

  test('SIS-06 the sum in the action bar grows with what is known', () => {
    expect(sumOf(null, null)).toBe('');
    expect(sumOf('all.csv', null)).toBe('all.csv');
    expect(sumOf('all.csv', two)).toBe('all.csv · 15 rows');
    expect(sumOf('all.csv', fileOf(two.parts, { takes: [{ kind: 'user', count: 5 }] }))).toBe(
      'all.csv · 15 rows · 5 deletions',
    );
  });

  test('OP-53 what is deleted is said for each kind', () => {
    const takes = [
      { kind: 'user', count: 2 },
      { kind: 'enrollment', count: 3 },
      { kind: 'term', count: 4 },
    ] as const;
    const [people, enrolments, terms, ...more] = deletionSentences(fileOf(two.parts, { takes: [...takes] }));
    expect(people).toContain('2 people are deleted');
    expect(enrolments).toContain('3 enrolments are removed.');
    expect(terms).toBe('Terms: 4 are deleted.');
    const [, inside] = deletionSentences(
      fileOf(two.parts, { takes: [{ kind: 'course', count: 1 }, ...takes.slice(1, 2)] }),
    );
    expect(inside).toContain('3 enrolments are removed, with their courses');
    expect(more).toEqual([]);
  });

  test('OP-53 the last press waits for the number, and says so', () => {
    const file = fileOf(two.parts, { rows: 61, confirm: 61, reason: 'many-rows' });
    expect(whyBlocked(file, false, null)).toContain('61');
    expect(whyBlocked(file, false, 60)).toContain('61');
    expect(whyBlocked(file, false, 61)).toBeNull();
    expect(whyBlocked(fileOf(two.parts), false, null)).toBeNull();
    expect(whyBlocked({ ...file, import_id: file.id }, false, 61)).toContain('already');
    expect(whyBlocked(null, false, null)).not.toBe(whyBlocked(null, true, null));
  });

  test('OP-53 why the number is asked: many rows, a large share, or a share that nobody told', () => {
    const why = (deletions: Partial<SisFile['deletions']>) => whyAsked({ ...NO_DELETIONS, ...deletions });
    expect(why({})).toBeNull();
    expect(why({ reason: 'many-rows' })).toContain('More than 50 things');
    expect(why({ reason: 'whole-course' })).toContain('with the enrolments in it');
    expect(why({ reason: 'share-of-course', courses: [course(3, 40)] })).toContain('More than 5%');
    expect(why({ reason: 'share-of-course', courses: [course(1, null), course(1, 400)] })).toContain(
      'could not be found out',
    );
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
