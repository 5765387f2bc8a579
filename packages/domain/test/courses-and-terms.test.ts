import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { campusOf, coursesToList, MANUALLY_CREATED, parentName } from '../src/courses.ts';
import { firstLetter, sortByFirstLetter, termPrefixes, termsOfProgramme } from '../src/terms.ts';

describe('courses', () => {
  test.each([
    ['MBA26-FBL-FIN101-A', 'FBL'],
    ['MBA26', MANUALLY_CREATED],
    ['MBA26-', MANUALLY_CREATED],
    ['MBA26- -X', MANUALLY_CREATED],
    [null, MANUALLY_CREATED],
    ['', MANUALLY_CREATED],
  ])('PICK-14, OP-30: the campus of %j is %s', (sisId, campus) => expect(campusOf(sisId)).toBe(campus));

  test('PICK-09: a course is shown with its parent’s name, or MAIN', () => {
    const known = new Map([[86, { name: 'MBA' }]]);
    expect(parentName({ parent_account_id: 86 }, known)).toBe('MBA');
    expect(parentName({ parent_account_id: 1 }, known)).toBe('MAIN');
    expect(parentName({ parent_account_id: null }, known)).toBe('MAIN');
  });

  test('property, PICK-08, OP-28: courses have an SIS ID and a selected term, and appear once, in order', () => {
    const course = fc.record({
      id: fc.integer({ min: 1, max: 20 }),
      sis_course_id: fc.constantFrom('A', null),
      enrollment_term_id: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(course), (courses) => {
        const listed = coursesToList(courses, new Set([1, 2]));
        expect(new Set(listed.map((one) => one.id)).size).toBe(listed.length);
        expect(listed.every((one) => one.sis_course_id !== null && one.enrollment_term_id < 3)).toBe(true);
        const positions = listed.map((one) => courses.indexOf(one));
        expect(positions).toEqual([...positions].sort((a, b) => a - b));
        for (const one of courses) {
          if (one.sis_course_id !== null && one.enrollment_term_id < 3)
            expect(listed.some((other) => other.id === one.id)).toBe(true);
        }
      }),
    );
  });
});

describe('terms', () => {
  test('PICK-11: terms are grouped by their first letter in upper case, and all digits together', () => {
    expect([' mba 26', '2026', 'Émile', ''].map(firstLetter)).toEqual(['M', '0-9', 'É', '']);
  });

  test('property, PICK-11: groups are sorted by letter, and nothing is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ]{0,6}$/) })),
        (items) => {
          const sorted = sortByFirstLetter(items);
          expect(sorted.map((one) => one.name).sort()).toEqual(items.map((one) => one.name).sort());
          const letters = sorted.map((one) => one.firstLetter);
          const runs = letters.filter((letter, index) => letter !== letters[index - 1]);
          expect(new Set(runs).size).toBe(runs.length);
        },
      ),
    );
  });

  test.each([
    ['MBA Full-time', ['MBA', 'PHD', 'EMBA']],
    ['phd', ['MBA', 'PHD', 'EMBA']],
    ['GEMBA', ['MBA', 'PHD', 'EMBA']],
    ['TIEMBA 3', ['MBA', 'PHD', 'EMBA']],
    ['MIM', ['MIM']],
    ['Executive Master in Finance', ['MFIN']],
    ['MFIN', ['MFIN']],
    ['BFC', ['BFC']],
    ['MCC', ['MCCC']],
    ['Executive Master in Change', ['MCCC']],
    ['Summer School', null],
  ])('PICK-22, PICK-23, OP-29: %s offers %j', (programme, prefixes) => {
    expect(termPrefixes(programme)).toEqual(prefixes);
    const terms = ['MBA 26', 'emba 26', 'PhD', 'MIM 27', 'MFIN 1', 'BFC x', 'MCCC 2', 'Default Term'].map(
      (name) => ({ name }),
    );
    const offered = termsOfProgramme(terms, programme).map((term) => term.name);
    if (prefixes === null) expect(offered).toHaveLength(terms.length);
    else
      expect(offered).toEqual(
        terms
          .map((term) => term.name)
          .filter((name) => prefixes.some((prefix) => name.toUpperCase().startsWith(prefix))),
      );
  });
});
