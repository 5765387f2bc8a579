/** Effects of SIS file rows on the LMS (SIS-06). */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnAtFault } from '../src/sis-effect/at-fault.ts';
import { brakeReason } from '../src/sis-effect/brake.ts';
import { changedDate, DANGEROUS, SIS_DOES } from '../src/sis-effect/effect.ts';

test('SIS-06: the same time written differently is not a change', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
      (date) => {
        date.setUTCMilliseconds(0);
        const iso = date.toISOString().replace('.000', '');
        expect(changedDate('start_date', iso, iso.replace('T', ' ').replace('Z', ''))).toEqual([]);
      },
    ),
  );
});

describe('the confirmation', () => {
  const none = { whole: false, untold: false, courses: [], ofAll: [] };
  test.each([
    [{ all: 0, whole: false, untold: true }, null],
    [{ all: 50 }, null],
    [{ all: 51 }, 'many'],
    [{ all: 1, whole: true }, 'whole-place'],
    [{ all: 5, courses: [{ taken: 5, active: 100 }] }, null],
    [{ all: 6, courses: [{ taken: 6, active: 100 }] }, 'share-of-course'],
    [{ all: 1, courses: [{ taken: 1, active: null }] }, 'untold'],
    [{ all: 3, ofAll: [{ taken: 3, there: 59 }] }, 'share-of-all'],
    [{ all: 3, ofAll: [{ taken: 3, there: 60 }] }, null],
    [{ all: 1, untold: true }, 'untold'],
  ])('SIS-06: %j: %s', (taken, reason) => {
    expect(brakeReason({ ...none, ...taken })).toBe(reason);
  });

  test('SIS-06: dangerous effects come first', () => {
    expect(SIS_DOES.slice(0, DANGEROUS.length)).toEqual(DANGEROUS);
  });
});

describe('the cell at fault', () => {
  const header = ['course_id', 'user_id', 'section_id', 'status'];
  const at = (why: string, cells: string[]) => header[columnAtFault(why, header, cells)];

  test('SIS-06: is the value that the reason quotes last, or the column that it names, or the first cell with contents', () => {
    expect(at('No person in the LMS has the SIS ID "7".', ['77', '7', '', 'active'])).toBe('user_id');
    expect(at('The course "C" has no section "S".', ['C', '7', 'S', 'active'])).toBe('section_id');
    expect(at('The course_id is missing.', ['', '7', 'S', 'active'])).toBe('course_id');
    expect(at('The LMS does not have this course or section.', ['', '', 'S', ''])).toBe('section_id');
    expect(at('', ['', '', '', ''])).toBe('course_id');
  });

  test('SIS-06: is a column in the header, whatever the row contains', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.string(), { maxLength: 8 }),
        fc.array(fc.string(), { minLength: 1, maxLength: 6 }),
        (why, cells, names) => {
          const found = columnAtFault(why, names, cells);
          return found >= 0 && found < Math.max(names.length, 1);
        },
      ),
    );
  });
});
