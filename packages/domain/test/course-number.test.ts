import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { courseNumberOf, readCourseName } from '../src/course-number.ts';

const LMS = 'https://lms.example';

describe("a course's number", () => {
  test('EXP-03 EXP-05 ZC-02 is a number, or part of the address of a course page', () => {
    for (const typed of [
      '1234',
      ' 1234 ',
      'https://lms.example/courses/1234',
      'https://lms.example/courses/1234/users?x=/courses/9',
      'http://lms.example/accounts/1/courses/1234#tab',
    ])
      expect(courseNumberOf(typed, LMS)).toBe(1234);
    for (const typed of [
      '',
      '0',
      '12a',
      '-3',
      '1.5',
      '1e3',
      'FIN101',
      '/courses/12',
      'https://lms.example/users/12',
      'https://elsewhere.example/courses/1006',
      'https://lms.example:444/courses/1006',
      'https://lms.example.elsewhere.example/courses/1006',
      'https://lms.example@elsewhere.example/courses/1006',
    ])
      expect(courseNumberOf(typed, LMS)).toBeNull();
  });

  test('a text without a number is an SIS ID, or part of a name; addresses on other sites are neither', () => {
    expect(readCourseName(' FIN-101 ', LMS)).toEqual({ by: 'text', text: 'FIN-101' });
    expect(readCourseName(`${LMS}/courses/sis_course_id:FIN%20101/users`, LMS)).toEqual({
      by: 'sis-id',
      sisId: 'FIN 101',
    });
    expect(readCourseName('https://elsewhere.example/courses/1006', LMS)).toEqual({ by: 'other-address' });
    expect(readCourseName(`${LMS}/courses/12`, LMS)).toEqual({ by: 'number', number: 12, certain: true });
    expect([readCourseName('', LMS), readCourseName('000', LMS)]).toEqual([
      { by: 'nothing' },
      { by: 'nothing' },
    ]);
  });

  test('is found for every number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (number) => {
        expect(courseNumberOf(String(number), LMS)).toBe(number);
        expect(courseNumberOf(`${LMS}/courses/${number}/settings`, LMS)).toBe(number);
      }),
    );
  });
});
