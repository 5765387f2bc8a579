import type { SectionPlan, SectionPlanEntry } from '@lms-admin/contract/enrollments';
import { describe, expect, test } from 'vitest';
import { sectionsToName } from '../../src/components/Review/sections-to-name.ts';
import {
  failedIds,
  figuresOf,
  nothingToDo,
  summaryFigures,
  summaryRows,
  summaryTotals,
  sumOf,
  unreadSections,
  whatStays,
  whatWillHappen,
} from '../../src/tools/section-enrollment/plan-summary.ts';

const entry = (id: number, more: Partial<SectionPlanEntry> = {}): SectionPlanEntry => ({
  course: { id: 1, name: 'Finance', sis_course_id: 'FIN', term: 'P1', concluded: false },
  section: { id, name: `Section ${id}`, sis_section_id: `FIN-${id}`, assign: false },
  role: { id: 3, label: 'Student' },
  status: 'active',
  asked: 3,
  found: 3,
  add: 2,
  reactivated: 0,
  already: 1,
  remove: 0,
  not_enrolled: 0,
  unrestorable: [],
  dates_end: [],
  dates_set: [],
  linked: [],
  rows: 2,
  not_found: [],
  failed: [],
  unread: null,
  ...more,
});
const removal = (id: number, more: Partial<SectionPlanEntry> = {}) =>
  entry(id, { status: 'deleted', add: 0, already: 0, remove: 1, not_enrolled: 2, rows: 1, ...more });
const plan = (entries: SectionPlanEntry[], more: Partial<SectionPlan> = {}): SectionPlan => {
  const sum = (name: 'add' | 'already' | 'remove' | 'not_enrolled' | 'rows') =>
    entries.reduce((total, one) => total + one[name], 0);
  return {
    id: '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f001',
    created_at: '2026-01-01T00:00:00Z',
    entries,
    removed_with: { members: 0, observers: 0, who: [], unread: [] },
    added_with: { observers: 0, who: [], unread: 0 },
    left_out: [],
    copied: null,
    people: { asked: 3, found: 3, not_found: 0, failed: 0 },
    totals: {
      add: sum('add'),
      already: sum('already'),
      remove: sum('remove'),
      not_enrolled: sum('not_enrolled'),
      rows: sum('rows'),
    },
    import_id: null,
    ...more,
  };
};
const names = (of: SectionPlan) => summaryFigures(of).map(({ id }) => id);

describe('a section plan in words', () => {
  test('SE-01 the sentence names additions and removals, each with its sections', () => {
    expect(whatWillHappen(plan([entry(1), entry(2)]))).toBe('Submitting adds 4 enrolments in 2 sections.');
    expect(whatWillHappen(plan([entry(1), removal(2), entry(3, { rows: 0, add: 0 })]))).toBe(
      'Submitting adds 2 enrolments in 1 section and removes 1 enrolment from 1 section. Work that people have submitted stays in the LMS.',
    );
  });

  test('SE-02 the unchanged rows are counted, or not mentioned if there are none', () => {
    expect(whatStays(plan([entry(1), removal(2)]))).toMatch(
      /^1 enrolment already exists .* 2 enrolments do not exist/,
    );
    expect(whatStays(plan([entry(1, { already: 0 })]))).toBeNull();
  });

  test('CE-12 SE-02 each section has one row, with the figures of the plan', () => {
    const [row, other] = summaryRows(plan([entry(1, { not_found: ['X'] }), removal(2, { unread: 'no' })]));
    expect(row).toMatchObject({
      course: 'Finance',
      name: 'Finance, Section 1',
      detail: 'FIN · P1',
      sections: ['Section 1'],
      role: 'Student',
      action: 'Add',
      count: 2,
      figures: { add: 2, remove: null, unchanged: 1, notFound: 1 },
    });
    expect(other).toMatchObject({
      detail: 'FIN · P1 · not compared',
      action: 'Remove',
      figures: { add: null, remove: 1, unchanged: null },
    });
    expect(names(plan([entry(1)]))).toEqual(['add', 'unchanged', 'notFound']);
    expect(names(plan([removal(1)]))).toEqual(['remove', 'unchanged', 'notFound']);
    expect(names(plan([entry(1), removal(2)]))).toEqual(['add', 'remove', 'unchanged']);
  });

  test('SE-02 the totals are those of the plan; a figure is unknown if it could not be read for one section', () => {
    expect(summaryTotals(plan([entry(1), removal(2)]))).toEqual({
      count: 3,
      add: 2,
      remove: 1,
      unchanged: 3,
      notFound: 0,
    });
    const unread = plan([entry(1, { unread: 'no' })]);
    expect(summaryTotals(unread)).not.toHaveProperty('unchanged');
    expect(figuresOf(unread)[1]).toEqual({ label: 'Already enrolled', value: null });
    expect(unreadSections(unread)).toHaveLength(1);
  });

  test('SE-09 gives the reason if there is nothing to send', () => {
    const none = { add: 0, already: 0, rows: 0 };
    expect(nothingToDo(plan([entry(1)]))).toBeNull();
    expect(nothingToDo(plan([]))).toMatch(/None of the sections/);
    expect(nothingToDo(plan([entry(1, none)]))).toMatch(/already as requested/);
    const nobody = plan([entry(1, none)], { people: { asked: 1, found: 0, not_found: 1, failed: 0 } });
    expect(nothingToDo(nobody)).toMatch(/None of these people were found/);
  });

  test('SE-12 OP-51 a section without an SIS ID is listed once; OP-48 so is an id whose lookup failed', () => {
    const section = { id: 1, name: 'Group 1', sis_section_id: 'FIN-GROUP1', assign: true };
    const both = plan([
      entry(1, { section, failed: ['X', 'Y'] }),
      entry(1, { section, role: { id: 5, label: 'TA' }, failed: ['X'] }),
      entry(2),
    ]);
    expect(sectionsToName(both.entries)).toEqual([
      { course: 'Finance', section: 'Group 1', sisId: 'FIN-GROUP1' },
    ]);
    expect(failedIds(both)).toEqual(['X', 'Y']);
  });

  test('SE-02 the summary names the choices', () => {
    expect(sumOf(0, { sections: 0, people: 0 }, null)).toBe('');
    expect(sumOf(2, { sections: 0, people: 0 }, null)).toBe('2 courses');
    const plan = { people: { found: 13 }, totals: { rows: 9 } };
    // One SIS ID that belongs to no one.
    expect(sumOf(1, { sections: 2, people: 14 }, plan)).toBe(
      '1 course · 2 sections · 13 people · 9 enrolments',
    );
  });
});
