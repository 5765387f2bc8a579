import { type ListEntry, MAX_AWARD_FILE_BYTES } from '@lms-admin/contract/awards';
import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorCode } from '../../src/api/errors.ts';
import {
  changeRows,
  changesAnything,
  heardOf,
  isOfTheFile,
  isOutdated,
  refusalOf,
} from '../../src/tools/award-import/list-check.ts';

const entry = (course: string): ListEntry => ({
  campus: 'SGP',
  course,
  course_id: course,
  enrolled: 40,
  professor_id: '5000001',
  professor: 'Professor',
  type: 'core',
});
const failure = (status: number, code: ApiErrorCode) =>
  new ApiError(status, { code, message: '', next: '', requestId: null });
const check = {
  template: true as const,
  file: 'list.xlsx',
  sheet: 'List',
  rows: [],
  problems: [],
  problem_count: 0,
  hints: [],
  hint_count: 0,
  ignored: [],
  changes: null,
  version: 1,
};

describe('checking an uploaded list', () => {
  it("BTA-31 accepts one file at a time, up to the server's size limit", () => {
    const file = (size: number) => ({ name: 'list.xlsx', size });
    expect(refusalOf([file(MAX_AWARD_FILE_BYTES)])).toBeNull();
    expect(refusalOf([file(MAX_AWARD_FILE_BYTES + 1)])).toContain('list.xlsx is larger than 5 MB');
    expect(refusalOf([file(1), file(1)])).toBe('Select one file at a time.');
  });

  it('OP-89 shows removed rows first, then each changed field, then new rows', () => {
    const changes = {
      added: [entry('New')],
      changed: [
        {
          entry: entry('Changed'),
          fields: [
            { column: 'Enrolled' as const, from: 38, to: 40 },
            { column: 'Type' as const, from: 'elective', to: 'core' },
          ],
        },
      ],
      gone: [entry('Gone')],
      unchanged: 3,
    };
    expect(changeRows(changes).map(({ place, change, what }) => [place, change, what])).toEqual([
      [0, 'Removed', []],
      [1, 'Changed', ['Enrolled: 38 → 40', 'Type: elective → core']],
      [2, 'New', []],
    ]);
    expect(changesAnything(changes)).toBe(true);
    expect(changesAnything({ added: [], changed: [], gone: [], unchanged: 3 })).toBe(false);
    expect(heardOf('list.xlsx', { ...check, changes })).toBe(
      'Check results for list.xlsx: 1 new, 1 changed, 1 removed.',
    );
    expect(heardOf('list.xlsx', { ...check, problem_count: 2 })).toBe(
      'Check results for list.xlsx: 2 problems.',
    );
  });

  it('BTA-36 distinguishes a wrong file, a failed upload and a list replaced in the meantime', () => {
    expect(isOfTheFile(failure(400, 'bad-request'))).toBe(true);
    expect(isOfTheFile(failure(413, 'too-large'))).toBe(true);
    expect(isOfTheFile(failure(0, 'unreachable'))).toBe(false);
    expect(isOutdated(failure(409, 'conflict'))).toBe(true);
    expect(isOutdated(failure(400, 'bad-request'))).toBe(false);
    expect(isOutdated(null)).toBe(false);
  });
});
