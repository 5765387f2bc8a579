import { describe, expect, test } from 'vitest';
import type { PickerState } from '../../src/components/CoursePicker/picker-state.ts';
import { pickerMissing } from '../../src/components/CoursePicker/picker-state.ts';
import type { WizardAction } from '../../src/components/Wizard/wizard-reducer.ts';
import {
  EMPTY,
  type EnrollmentAction,
  type EnrollmentState,
  enrollmentReducer,
  FIELDS,
  peopleMissing,
  STEPS,
} from '../../src/tools/course-enrollment/enrollment-state.ts';

const PLAN = '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f001';
const OTHER = '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f002';
const picker: PickerState = {
  programme: { id: 86, name: 'MBA' },
  subAccounts: [{ id: 86, name: 'MBA' }],
  terms: [{ id: 5, name: 'MBA 2026' }],
  courses: [{ id: 1, name: 'Finance', sis_course_id: 'S1', enrollment_term_id: 5 }],
};
type Action = EnrollmentAction | WizardAction;
const run = (state: EnrollmentState, ...actions: Action[]) => actions.reduce(enrollmentReducer, state);
const atPeople: EnrollmentState = { ...EMPTY, picker, wizard: { step: 1, view: 'steps' } };
const atReview = run(
  atPeople,
  { type: 'role', role: { id: 3, label: 'Student' } },
  { type: 'status', status: 'active' },
  { type: 'people', people: { chips: ['ana@school.example'], text: '' } },
  { type: 'next' },
  { type: 'prepared', id: PLAN },
);

describe('Course Enrollment', () => {
  test('CE-02 has three steps', () => expect(STEPS).toBe(3));

  test('PICK-24 PICK-25 step 0 requires its own fields', () => {
    expect(pickerMissing(EMPTY.picker)?.field).toBe('picker-programme');
    expect(pickerMissing(picker)).toBeNull();
  });

  test('CE-06 CE-07 CE-08 step 1 requires a role, an action and people, in this order', () => {
    const withRole = run(atPeople, { type: 'role', role: { id: 3, label: 'Student' } });
    const withAction = run(withRole, { type: 'status', status: 'deleted' });
    expect(peopleMissing(atPeople, 10)).toEqual({
      message: 'Please select role and enter users email addresses',
      field: FIELDS.role,
    });
    expect(peopleMissing(withRole, 10)).toEqual({
      message: 'Please select action type. ADD/REMOVE',
      field: FIELDS.action,
    });
    expect(peopleMissing(withAction, 10)).toEqual({
      message: 'Type email address and Press Enter to add users.',
      field: FIELDS.people,
    });
    expect(peopleMissing(atReview, 10)).toBeNull();
  });

  test('CE-10 rejected text in the field blocks Next', () => {
    const state = run(
      { ...atReview, wizard: { step: 1, view: 'steps' } },
      {
        type: 'people',
        people: { chips: ['ana@school.example'], text: 'bruno' },
      },
    );
    expect(peopleMissing(state, 10)?.message).toBe('bruno is not a valid email address.');
  });

  test('K-04 OP-33 more rows than allowed are rejected before anything is sent', () => {
    const chips = Array.from({ length: 11 }, (_, index) => `p${index}@school.example`);
    const state = { ...atReview, wizard: { step: 1, view: 'steps' as const }, people: { chips, text: '' } };
    expect(peopleMissing(state, 11)).toBeNull();
    expect(peopleMissing(state, 10)?.message).toContain('11 enrolments');
    expect(peopleMissing(state, 10)?.message).toContain('Nothing has been sent');
  });

  test('OP-42 a review is valid only for its choices: any change discards it', () => {
    expect(atReview.prepared).toBe(PLAN);
    const changes: Action[] = [
      { type: 'role', role: { id: 4, label: 'Teacher' } },
      { type: 'status', status: 'deleted' },
      { type: 'people', people: { chips: [], text: '' } },
      { type: 'pick', pick: { type: 'courses', courses: [] } },
      { type: 'prepare-again' },
    ];
    for (const change of changes) expect(run(atReview, change).prepared).toBeNull();
    // The review stays while nothing typed adds a person.
    const typing = { chips: atReview.people.chips, text: 'b' };
    expect(run(atReview, { type: 'people', people: typing }).prepared).toBe(PLAN);
  });

  test('OP-42 a review is submitted once, and only while it is displayed', () => {
    const sent = run(atReview, { type: 'submit', key: PLAN });
    expect(sent).toMatchObject({
      wizard: { view: 'progress' },
      submission: { key: PLAN, import: null, logged: [] },
    });
    expect(run(sent, { type: 'submit', key: PLAN })).toBe(sent);
    expect(run(atReview, { type: 'submit', key: OTHER })).toBe(atReview);
  });

  test('SHELL-31 going back from the progress view is possible only when nothing was sent', () => {
    const sent = run(atReview, { type: 'submit', key: PLAN });
    expect(run(sent, { type: 'back' }).wizard.view).toBe('progress');
    expect(run(sent, { type: 'not-sent' })).toMatchObject({
      wizard: { step: 2, view: 'steps' },
      submission: { key: null },
      prepared: PLAN,
    });
    const known = run(sent, { type: 'submitted', import: 'i1' });
    expect(run(known, { type: 'not-sent' })).toBe(known);
  });

  test('OP-41 logged events survive a reload', () => {
    const state = run(
      atReview,
      { type: 'submit', key: PLAN },
      { type: 'submitted', import: 'i1' },
      { type: 'logged', what: 'created' },
      { type: 'logged', what: 'ended' },
    );
    expect(state.submission).toEqual({ key: PLAN, import: 'i1', logged: ['created', 'ended'] });
  });

  test('CE-16 OP-46 Continue is remembered only for this review', () => {
    const known = run(atReview, { type: 'knows-missing' });
    expect(known.knownMissing).toBe(PLAN);
    expect(run(known, { type: 'prepare-again' }, { type: 'prepared', id: OTHER }).knownMissing).not.toBe(
      OTHER,
    );
  });
});
