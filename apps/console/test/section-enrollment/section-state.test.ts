import { piecesOf } from '@lms-admin/domain/chips';
import { describe, expect, test } from 'vitest';
import type { WizardAction } from '../../src/components/Wizard/wizard-reducer.ts';
import { type SectionEntry, sectionEntry } from '../../src/tools/section-enrollment/assignments.ts';
import {
  canReselect,
  countChosen,
  coursesMissing,
  EMPTY,
  keptAside,
  REVIEW_FIELD,
  reviewMissing,
  type SectionAction,
  type SectionState,
  STEPS,
  sectionReducer,
  sectionShape,
} from '../../src/tools/section-enrollment/section-state.ts';

const PLAN = '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f001';
const OTHER = '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f002';
const STUDENT = { id: 3, label: 'Student' };
const course = (id: number) => ({
  id,
  name: `Course ${id}`,
  sis_course_id: `C${id}`,
  enrollment_term_id: 5,
});
const entry = (section: number, text: string, more: Partial<SectionEntry> = {}): SectionEntry => ({
  section,
  name: `Section ${section}`,
  sisId: null,
  people: { chips: piecesOf(text), text: '' },
  role: STUDENT,
  status: 'active',
  ...more,
});
const start: SectionState = {
  ...EMPTY,
  picker: {
    programme: { id: 86, name: 'MBA' },
    subAccounts: [{ id: 86, name: 'MBA' }],
    terms: [{ id: 5, name: 'MBA 2026' }],
    courses: [course(1)],
  },
};
const run = (state: SectionState, ...actions: (SectionAction | WizardAction)[]) =>
  actions.reduce(sectionReducer, state);
const assign = (id: number, ...entries: SectionEntry[]): SectionAction[] => [
  { type: 'open', course: course(id) },
  ...entries.map((one): SectionAction => ({ type: 'edit', entry: one })),
  { type: 'save', sections: new Set(entries.map(({ section }) => section)) },
];
const select = (...ids: number[]): SectionAction => ({
  type: 'pick',
  pick: { type: 'courses', courses: ids.map(course) },
});
const assigned = run(start, ...assign(1, entry(11, 'A\nB')));
const atReview = run(assigned, { type: 'next' }, { type: 'prepared', id: PLAN });

describe('Section Enrollment', () => {
  test('SE-02 SHELL-32 has two steps', () => expect(STEPS).toBe(2));

  test('SE-03 OP-49 opening the dialog of a course selects the course; saving keeps its sections', () => {
    const opened = run(start, { type: 'open', course: course(2) });
    expect(opened.picker.courses.map(({ id }) => id)).toEqual([1, 2]);
    expect(opened.draft).toEqual({ course: course(2), entries: [], chose: true });
    const saved = run(start, ...assign(2, entry(21, 'A B')));
    expect(saved.draft).toBeNull();
    expect(saved.assigned).toEqual([{ course: course(2), accounts: [86], entries: [entry(21, 'A, B')] }]);
    expect(run(saved, { type: 'open', course: course(2) }).draft?.entries).toEqual([entry(21, 'A, B')]);
  });

  test('SE-03 closing without saving does not change what was saved before', () => {
    const left = run(
      assigned,
      { type: 'open', course: course(1) },
      { type: 'edit', entry: entry(11, 'X') },
      { type: 'close' },
    );
    expect(left.assigned).toEqual(assigned.assigned);
    expect(left.draft).toBeNull();
  });

  test('SE-03 a dialog closed without saving deselects a course that was not selected before', () => {
    const chosen = ({ picker }: SectionState) => picker.courses.map(({ id }) => id);
    const before = run(assigned, { type: 'pick', pick: { type: 'courses', courses: [course(1)] } });
    expect(chosen(run(before, { type: 'open', course: course(2) }, { type: 'close' }))).toEqual([1]);
    expect(chosen(run(before, { type: 'open', course: course(1) }, { type: 'close' }))).toEqual([1]);
    const saved = run(before, { type: 'open', course: course(2) }, { type: 'save', sections: new Set() });
    expect(chosen(saved)).toEqual([1, 2]);
  });

  test("SE-03 emptying every section removes the course's assignments", () => {
    expect(run(assigned, ...assign(1, entry(11, ' '))).assigned).toEqual([]);
  });

  test('SE-06 deleted sections are not saved', () => {
    const state = run(
      start,
      { type: 'open', course: course(1) },
      { type: 'edit', entry: entry(11, 'A') },
      { type: 'edit', entry: entry(12, 'B') },
      { type: 'save', sections: new Set([12]) },
    );
    expect(state.assigned[0]?.entries).toEqual([entry(12, 'B')]);
  });

  test('SE-10 the role and action of one section are applied to sections without any, and to no others', () => {
    const sections = [11, 12, 13].map((id) => ({ id, name: `Section ${id}`, sis_section_id: null }));
    const state = run(
      start,
      { type: 'open', course: course(1) },
      { type: 'edit', entry: entry(11, 'A') },
      { type: 'edit', entry: entry(12, 'B', { role: { id: 5, label: 'TA' }, status: null }) },
      { type: 'fill', sections, role: STUDENT, status: 'active' },
    );
    expect(state.draft?.entries).toEqual([
      entry(11, 'A'),
      entry(12, 'B', { role: { id: 5, label: 'TA' }, status: null }),
      entry(13, ''),
    ]);
  });

  test('OP-31 assignments in a deselected course are set aside and never counted', () => {
    const without = run(assigned, select());
    expect(countChosen(assigned)).toEqual({ sections: 1, people: 2, rows: 2 });
    expect(countChosen(without)).toEqual({ sections: 0, people: 0, rows: 0 });
    const [aside] = keptAside(without);
    if (!aside) throw new Error('nothing kept');
    expect(canReselect(without, aside)).toBe(true);
    expect(countChosen(run(without, { type: 'choose-again', courses: [1] }))).toEqual({
      sections: 1,
      people: 2,
      rows: 2,
    });
    expect(run(without, { type: 'forget', course: 1 }).assigned).toEqual([]);
  });

  test('OP-31 a course outside the selected sub-accounts or terms cannot be selected from here', () => {
    const elsewhere = run(assigned, {
      type: 'pick',
      pick: { type: 'sub-accounts', subAccounts: [{ id: 99, name: 'Other' }], most: 10 },
    });
    const noTerm = run(assigned, { type: 'pick', pick: { type: 'terms', terms: [], most: 10 } });
    for (const state of [elsewhere, noTerm]) {
      const [aside] = keptAside(state);
      expect(aside && canReselect(state, aside)).toBe(false);
      expect(run(state, { type: 'choose-again', courses: [1] }).picker.courses).toEqual([]);
    }
  });

  test('SE-08 PICK-24 PICK-25 K-04 step 0 requires the same as Course Enrollment, including the row limit', () => {
    expect(coursesMissing(EMPTY, 10)?.message).toBe('Please select programme and the term');
    expect(coursesMissing(run(start, select()), 10)?.message).toBe('Please select courses to proceed next');
    expect(coursesMissing(start, 10)).toBeNull();
    expect(coursesMissing(assigned, 2)).toBeNull();
    expect(coursesMissing(assigned, 1)?.message).toContain('at most 1');
  });

  test('SE-09 OP-50 the review fails if no one is assigned, or no one was found', () => {
    const message = 'Users could not be found in the LMS. Please go back and edit the list of SIS ids.';
    const empty = run(start, { type: 'next' });
    expect(reviewMissing(empty, null)).toEqual({ message, field: REVIEW_FIELD });
    expect(reviewMissing(atReview, 0)).toEqual({ message, field: REVIEW_FIELD });
    expect(reviewMissing(atReview, 1)).toBeNull();
  });

  test('SE-02 changing people or courses discards the review; entering the same again does not', () => {
    const back: WizardAction = { type: 'back' };
    expect(run(atReview, back).prepared).toBe(PLAN);
    expect(run(atReview, back, ...assign(1, entry(11, 'A B'))).prepared).toBe(PLAN);
    expect(run(atReview, back, ...assign(1, entry(11, 'A'))).prepared).toBeNull();
    expect(run(atReview, back, select(1, 2)).prepared).toBeNull();
    expect(run(atReview, { type: 'prepare-again' }).prepared).toBeNull();
  });

  test('SE-04 IMP-19 only the displayed plan can be submitted, and only once; a rejection opens the review again', () => {
    expect(run(atReview, { type: 'submit', key: OTHER })).toBe(atReview);
    const sent = run(atReview, { type: 'submit', key: PLAN });
    expect(sent.wizard.view).toBe('progress');
    expect(sent.submission.key).toBe(PLAN);
    expect(run(sent, { type: 'submit', key: PLAN })).toBe(sent);
    expect(run(sent, { type: 'not-sent' })).toEqual(atReview);
    const created = run(sent, { type: 'submitted', import: OTHER });
    expect(run(created, { type: 'not-sent' })).toBe(created);
  });

  test('SE-07 a reload restores everything entered', () => {
    const state = run(assigned, { type: 'open', course: course(1) });
    for (const [part, schema] of Object.entries(sectionShape)) {
      const written = JSON.parse(JSON.stringify(state[part as keyof SectionState]));
      expect(schema.parse(written)).toEqual(state[part as keyof SectionState]);
    }
    expect(Object.keys(sectionEntry.shape)).toEqual(['section', 'name', 'sisId', 'people', 'role', 'status']);
  });
});
