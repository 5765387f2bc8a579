/** Groups of problems keep their identity while rows are corrected (SIS-05). */
import type { DraftGroup } from '@lms-admin/contract/sis-drafts';
import { expect, test } from 'vitest';
import { groupKey } from '../../src/tools/sis-import/corrections/corrections.ts';

const group = (message: string, kind?: string): DraftGroup => ({
  id: 0,
  column: 3,
  name: 'status',
  message,
  ...(kind === undefined ? {} : { kind }),
  rows: 1,
  first: [2],
  values: [],
  different: 0,
});

test('SIS-05 a group is recognised by the kind that the server names, also after its values have changed', () => {
  const kind = 'The status should be active, not …';
  const both = [group('The status should be active, not "x".', kind), group(kind, kind)].map(groupKey);
  expect(both[0]).toBe(both[1]);
  expect(both[0]).not.toBe(groupKey(group('The status is missing.', 'The status is missing.')));
});

test('SIS-05 a group of a draft from an earlier version, without a kind, is recognised by its text', () => {
  const message = 'The status is missing.';
  expect(groupKey(group(message))).toBe(groupKey(group(message, message)));
});
