import { expect, test } from 'vitest';
import { counted, grouped } from '../src/numbers.ts';

test('numbers are grouped by thousands', () => {
  expect([0, 999, 5_001, 1_234_567].map(grouped)).toEqual(['0', '999', '5,001', '1,234,567']);
});

test('counts have their noun and grouped thousands', () => {
  expect(counted(1, 'course')).toBe('1 course');
  expect(counted(2, 'course')).toBe('2 courses');
  expect(counted(0, 'person', 'people')).toBe('0 people');
  expect(counted(200_000, 'change', 'changes')).toBe('200,000 changes');
});
