import { describe, expect, test } from 'vitest';
import {
  assignedWords,
  byName,
  countAssigned,
  entriesProblem,
  entryOf,
  fieldId,
  filledEntries,
  pasteIds,
  planRequestOf,
  readIds,
  repeatedIds,
  type SectionEntry,
  sameEntries,
  tidyIds,
} from '../../src/tools/section-enrollment/assignments.ts';

const STUDENT = { id: 3, label: 'Student' };
const entry = (section: number, text: string, more: Partial<SectionEntry> = {}): SectionEntry => ({
  section,
  name: `Section ${section}`,
  sisId: `S${section}`,
  text,
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

describe('the text of a section', () => {
  test('SE-11 OP-50 is ids separated by commas, however it was typed or pasted', () => {
    const text = 'PS1, PS2;PS3\nPS4\tPS5  PS1\r\n"PS6"';
    expect(tidyIds(text)).toBe('PS1, PS2, PS3, PS4, PS5, PS6');
    expect(tidyIds(tidyIds(text))).toBe(tidyIds(text));
    expect(repeatedIds(text)).toBe(1);
    expect(readIds(text)).toEqual({ ids: ['PS1', 'PS2', 'PS3', 'PS4', 'PS5', 'PS6'], invalid: [] });
  });

  test('SE-11 OP-50 entries with other signs are told apart', () => {
    expect(readIds('a.b_c-d@e, müller, a/b, ok')).toEqual({
      ids: ['a.b_c-d@e', 'ok'],
      invalid: ['müller', 'a/b'],
    });
  });

  test.each([
    ['a list goes in as entries of its own', 'A1', 'B1\nB2', '', 'A1, B1, B2'],
    ['a single id after the last one is another one', 'A1', 'B1', '', 'A1, B1'],
    ['a list in the middle of an id parts it', 'A', 'B1 B2', '1', 'A, B1, B2, 1'],
    ['into an empty field', '', 'B1', '', 'B1'],
  ])('SE-11 paste: %s', (_, before, pasted, after, result) =>
    expect(tidyIds(pasteIds(before, pasted, after) ?? '')).toBe(result),
  );

  test.each([
    ['within an id', 'PS', '12', '34'],
    ['before an id', '', 'PS', '12'],
  ])('SE-11 paste: %s it mends the id', (_, before, pasted, after) =>
    expect(pasteIds(before, pasted, after)).toBeNull(),
  );
});

describe('entries', () => {
  test('SE-10 text needs role and action, in the documented words; a section without text needs nothing', () => {
    const noRole = entry(2, 'PS1', { role: null, status: null });
    const noAction = entry(3, 'PS1', { status: null });
    expect(entriesProblem([entry(1, ' , ', { role: null, status: null }), entry(4, 'PS1')])).toBeNull();
    expect(entriesProblem([entry(1, 'PS1'), noRole])).toEqual({
      message: 'Secion Error: Section 2 :: Select Role and Action type',
      field: fieldId(2, 'role'),
    });
    expect(entriesProblem([noAction])).toEqual({
      message: 'Secion Error: Section 3 :: Select Role and Action type',
      field: fieldId(3, 'action'),
    });
  });

  test('SE-11 an entry that is no SIS id holds saving back, and says which', () => {
    const problem = entriesProblem([entry(1, 'PS1, a/b')]);
    expect(problem?.field).toBe(fieldId(1, 'ids'));
    expect(problem?.message).toContain("Section 1: 'a/b'");
  });

  test('SE-07 only sections with people are kept, their text in order', () => {
    expect(filledEntries([entry(1, ' '), entry(2, 'B\nA\nB')])).toEqual([entry(2, 'B, A')]);
    expect(assignedWords(countAssigned([entry(1, 'A, B'), entry(2, 'A'), entry(3, '')]))).toBe(
      '2 sections · 3 people',
    );
  });

  test('SE-03 the same people in the same way are no change; anything else is', () => {
    const kept = [entry(1, 'A, B'), entry(2, 'C')];
    expect(sameEntries(kept, [entry(2, 'C\n'), entry(1, 'A B'), entry(3, '')])).toBe(true);
    expect(sameEntries(kept, [entry(1, 'A, B')])).toBe(false);
    expect(sameEntries(kept, [entry(1, 'A, B', { status: 'deleted' }), entry(2, 'C')])).toBe(false);
    expect(sameEntries([], [entry(1, '', { role: null })])).toBe(true);
  });

  test('SE-03 a section that was not touched has the same entry at each draw', () => {
    const section = { id: 9, name: 'Nine', sis_section_id: null };
    expect(entryOf([], section)).toBe(entryOf([entry(1, 'A')], section));
    const known = entry(9, 'A', { name: 'Nine', sisId: null });
    expect(entryOf([known], section)).toBe(known);
    expect(entryOf([known], { ...section, name: 'Ten' }).name).toBe('Ten');
  });
});

describe('what is planned', () => {
  test('SE-07 each section with its people, role and action', () => {
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

  test('OP-31 a course that is not chosen is never submitted', () => {
    const assigned = [{ course: course(2), accounts: [86], entries: [entry(1, 'A')] }];
    expect(planRequestOf([course(1)], assigned)).toBeNull();
  });
});

test('SE-03 sections are in the order of their numbers', () => {
  const names = ['Group 10', 'group 2', 'Group 1', 'Élite'].map((name, id) => ({ id, name }));
  expect(names.sort(byName).map(({ name }) => name)).toEqual(['Élite', 'Group 1', 'group 2', 'Group 10']);
});
