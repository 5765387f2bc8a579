import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AWARD_CAMPUSES,
  AWARD_VIEWS,
  COURSE_TYPES,
  campusesOf,
  campusOf,
  courseTypeOf,
  EVERY_CAMPUS,
  FIRST_CAMPUS,
  FIRST_TYPE,
  offeredCampuses,
  selectedCampus,
  settledType,
  typesFor,
} from '../src/award-campuses.ts';
import { FRESH_MS, isUpToDate, openingDate, opensAt, shownOpeningDate } from '../src/award-opening.ts';

describe('campuses and course types', () => {
  test('BTA-06 BTA-07 BTA-08 the choices and the first selection are as documented', () => {
    expect(AWARD_CAMPUSES).toEqual(['FBL', 'SGP', 'FBLSG', 'ABD']);
    expect(COURSE_TYPES).toEqual(['elective', 'core']);
    expect([FIRST_CAMPUS, FIRST_TYPE]).toEqual(['SGP', 'elective']);
  });

  test('BTA-24 OP-87 each code stands for a campus; other texts stand for none', () => {
    const known = {
      S: 'SGP',
      SGP: 'SGP',
      F: 'FBL',
      FBL: 'FBL',
      A: 'ABD',
      ABD: 'ABD',
      B: 'FBLSG',
      FBLSG: 'FBLSG',
    };
    for (const [code, campus] of Object.entries(known)) {
      for (const text of [code, ` ${code.toLowerCase()} `]) expect(campusOf(text)).toBe(campus);
    }
    for (const code of ['Prof', '', 'X', 'toString']) expect(campusOf(code)).toBeNull();
    expect(['Core', ' ELECTIVE', 'both'].map(courseTypeOf)).toEqual(['core', 'elective', null]);
  });

  test('BTA-09 both campuses together have only electives, and so has Fontainebleau in the report by professor', () => {
    const onlyElective = AWARD_VIEWS.map((view) =>
      AWARD_CAMPUSES.filter((one) => typesFor(view, one).length === 1),
    );
    expect(onlyElective).toEqual([['FBLSG'], ['FBL', 'FBLSG']]);
    expect(settledType('by-campus', 'FBLSG', 'core')).toBe('elective');
    expect(settledType('by-campus', 'FBL', 'core')).toBe('core');
    expect(settledType('by-prof', 'FBL', 'core')).toBe('elective');
    expect(settledType('by-prof', EVERY_CAMPUS, 'core')).toBe('core');
  });

  test('BTA-09 the course type that stays selected is available, for any code', () => {
    const code = fc.oneof(fc.string(), fc.constantFrom(...AWARD_CAMPUSES, 'S', 'B'));
    fc.assert(
      fc.property(
        fc.constantFrom(...AWARD_VIEWS),
        code,
        fc.constantFrom(...COURSE_TYPES),
        (view, campus, type) => {
          const types = typesFor(view, campus);
          expect(types).toContain(settledType(view, campus, type));
          if (types.includes(type)) expect(settledType(view, campus, type)).toBe(type);
        },
      ),
    );
  });

  test('BTA-10 OP-87 the initial value of a tab is shown as a selected campus', () => {
    const shown = ['S', EVERY_CAMPUS, 'B', ''].map((code) => selectedCampus(code, AWARD_CAMPUSES));
    expect(shown).toEqual(['SGP', 'SGP', 'FBLSG', 'SGP']);
    expect(selectedCampus('S', ['FBL', 'ABD'])).toBe('FBL');
  });

  test('BTA-44 OP-91 the four campuses are offered, or only those of them that the server lists', () => {
    expect(offeredCampuses(['ABD', 'S', 'nowhere'])).toEqual(['SGP', 'ABD']);
    for (const none of [[], ['nowhere']]) expect(offeredCampuses(none)).toEqual(AWARD_CAMPUSES);
  });

  test('OP-85 OP-87 a report has the courses of its campuses', () => {
    expect(campusesOf('S', 'by-campus')).toEqual(['SGP']);
    expect(campusesOf('B', 'by-prof')).toEqual(['FBL', 'SGP', 'FBLSG']);
    expect(campusesOf(EVERY_CAMPUS, 'by-prof')).toEqual(AWARD_CAMPUSES);
    expect(campusesOf(EVERY_CAMPUS, 'by-campus')).toBeNull();
  });
});

describe('the opening date', () => {
  test('BTA-04 is shown as DD MMM YYYY, and not at all if it is not set', () => {
    expect(['2026-03-05', '2026-09-30', ''].map(shownOpeningDate)).toEqual([
      '05 Mar 2026',
      '30 Sep 2026',
      '',
    ]);
  });

  test('BTA-43 OP-88 is accepted once complete and valid, but not while it is being typed', () => {
    const typed = [
      '',
      '2',
      '2026-3-5',
      '0002-03-05',
      '0202-03-05',
      '20260-03-05',
      '2026-02-30',
      '2026-13-01',
    ];
    const others = ['05 Mar 2026', '2026-03-05T00:00:00Z', 'x', '1999-12-31', '2100-01-01'];
    for (const text of [...typed, ...others])
      expect([openingDate(text), opensAt(text)]).toEqual([null, null]);
    expect([openingDate(' 2026-03-05 '), openingDate('2028-02-29')]).toEqual(['2026-03-05', '2028-02-29']);
  });

  test('OP-105 opens the vote in the zone in which that day starts first', () => {
    expect(opensAt('2026-03-05')).toBe(Date.UTC(2026, 2, 4, 16));
    expect(opensAt('2026-03-05', 'UTC')).toBe(Date.UTC(2026, 2, 5));
  });

  test('OP-88 can be every day of its years, is shown as that day, and opens the vote after the day before', () => {
    const day = fc.date({ min: new Date('2000-01-02'), max: new Date('2099-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const text = date.toISOString().slice(0, 10);
        expect(openingDate(text)).toBe(text);
        expect(Date.parse(`${shownOpeningDate(text)} UTC`)).toBe(Date.parse(text));
        const before = new Date(Date.parse(text) - 86_400_000).toISOString().slice(0, 10);
        expect(opensAt(text, 'UTC')).toBe((opensAt(before, 'UTC') ?? 0) + 86_400_000);
      }),
    );
  });
});

describe('age of the figures', () => {
  test('BTA-15 OP-90 figures are up to date for less than one hour; a wrong clock does not extend that', () => {
    const now = Date.UTC(2026, 2, 10);
    const ages = [0, FRESH_MS - 1, FRESH_MS, -1_000, -FRESH_MS];
    expect(ages.map((age) => isUpToDate(now - age, now))).toEqual([true, true, false, true, false]);
    expect(isUpToDate(null, now)).toBe(false);
  });
});
