import { piecesOf } from '@lms-admin/domain/chips';
import { describe, expect, test } from 'vitest';
import {
  assignedWords,
  byName,
  countAssigned,
  entriesProblem,
  entryOf,
  fieldId,
  filledEntries,
  planRequestOf,
  type SectionEntry,
  sameEntries,
} from '../../src/tools/section-enrollment/assignments.ts';

const STUDENT = { id: 3, label: 'Student' };
/** @param text the entered ids; the part after a bar is still in the field */
const entry = (section: number, text: string, more: Partial<SectionEntry> = {}): SectionEntry => ({
  section,
  name: `Section ${section}`,
  sisId: `S${section}`,
  people: { chips: piecesOf(text.split('|')[0] ?? ''), text: text.split('|')[1] ?? '' },
  role: STUDENT,
  status: 'active',
  ...more,
});
const course = (id: number) => ({
  id,
  name: `Course ${id}`,
  sis_course_id: `C${id}`,
  enrollment_term_id: 5,
});

describe('entries', () => {
  test('SE-10 people require a role and an action, in the documented words; a section without people requires nothing', () => {
    const noRole = entry(2, 'PS1', { role: null, status: null });
    const noAction = entry(3, 'PS1', { status: null });
    expect(entriesProblem([entry(1, '', { role: null, status: null }), entry(4, 'PS1')])).toBeNull();
    expect(entriesProblem([entry(1, 'PS1'), noRole])).toEqual({
      message: 'Secion Error: Section 2 :: Select Role and Action type',
      field: fieldId(2, 'role'),
    });
    expect(entriesProblem([noAction])).toEqual({
      message: 'Secion Error: Section 3 :: Select Role and Action type',
      field: fieldId(3, 'action'),
    });
  });

  test('SE-11 an entry that is not an SIS ID prevents saving, and is named', () => {
    const problem = entriesProblem([entry(1, 'PS1|a/b')]);
    expect(problem?.field).toBe(fieldId(1, 'ids'));
    expect(problem?.message).toMatch(/^Section 1: 'a\/b' is not a valid SIS ID\..*remove it\.$/);
  });

  test('SE-07 only sections with people are kept, as if focus had left their fields', () => {
    expect(filledEntries([entry(1, ''), entry(2, 'B|A B')])).toEqual([entry(2, 'B, A')]);
    // A person in two sections is one person in two rows.
    const count = countAssigned([entry(1, 'A, B'), entry(2, 'A'), entry(3, '')]);
    expect(assignedWords(count)).toBe('2 sections · 2 people');
    expect(count.rows).toBe(3);
  });

  test('SE-03 the same people with the same settings are not a change; anything else is', () => {
    const kept = [entry(1, 'A, B'), entry(2, 'C')];
    expect(sameEntries(kept, [entry(2, '|C'), entry(1, 'A|B'), entry(3, '')])).toBe(true);
    expect(sameEntries(kept, [entry(1, 'A, B')])).toBe(false);
    expect(sameEntries(kept, [entry(1, 'A, B', { status: 'deleted' }), entry(2, 'C')])).toBe(false);
    expect(sameEntries([], [entry(1, '', { role: null })])).toBe(true);
  });

  test('SE-03 an untouched section gets the same entry at each render', () => {
    const section = { id: 9, name: 'Nine', sis_section_id: null };
    expect(entryOf([], section)).toBe(entryOf([entry(1, 'A')], section));
    const known = entry(9, 'A', { name: 'Nine', sisId: null });
    expect(entryOf([known], section)).toBe(known);
    expect(entryOf([known], { ...section, name: 'Ten' }).name).toBe('Ten');
  });
});

describe('the requested plan', () => {
  test('SE-07 contains each section with its people, role and action', () => {
    const assigned = [
      {
        course: course(1),
        accounts: [86],
        entries: [entry(1, 'A, B'), entry(2, 'C', { status: 'deleted' })],
      },
    ];
    expect(planRequestOf([course(1)], assigned)).toEqual({
      sections: [
        { course: 1, section: 1, role_id: 3, status: 'active', users: ['A', 'B'] },
        { course: 1, section: 2, role_id: 3, status: 'deleted', users: ['C'] },
      ],
    });
  });

  test('OP-31 never contains a course that is not selected', () => {
    const assigned = [{ course: course(2), accounts: [86], entries: [entry(1, 'A')] }];
    expect(planRequestOf([course(1)], assigned)).toBeNull();
  });
});

test('SE-03 orders sections by number', () => {
  const names = ['Group 10', 'group 2', 'Group 1', 'Élite'].map((name, id) => ({ id, name }));
  expect(names.sort(byName).map(({ name }) => name)).toEqual(['Élite', 'Group 1', 'group 2', 'Group 10']);
});
