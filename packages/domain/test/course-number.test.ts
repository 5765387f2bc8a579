import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { courseNumberOf } from '../src/course-number.ts';

describe('the number of a course', () => {
  test('EXP-03 EXP-05 ZC-02 is a number, or stands in the address of a page of the course', () => {
    for (const typed of [
      '1234',
      ' 1234 ',
      'https://lms.example/courses/1234',
      'https://lms.example/courses/1234/users?x=/courses/9',
      'http://lms.example:3000/accounts/1/courses/1234#tab',
    ])
      expect(courseNumberOf(typed)).toBe(1234);
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
    ])
      expect(courseNumberOf(typed)).toBeNull();
  });

  test('comes back from every number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (number) => {
        expect(courseNumberOf(String(number))).toBe(number);
        expect(courseNumberOf(`https://a.example/courses/${number}/settings`)).toBe(number);
      }),
    );
  });
});
