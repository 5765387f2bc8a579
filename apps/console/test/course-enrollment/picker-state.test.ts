import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NOTHING_PICKED,
  type PickedCourse,
  type PickerAction,
  pick,
  pickerMissing,
} from '../../src/components/CoursePicker/picker-state.ts';

const named = (id: number) => ({ id, name: `n${id}` });
const course = (id: number, term: number): PickedCourse => ({
  id,
  name: `Course ${id}`,
  sis_course_id: `S${id}`,
  enrollment_term_id: term,
});
const after = (...actions: PickerAction[]) => actions.reduce(pick, NOTHING_PICKED);
const programme = (id: number, own = false): PickerAction => ({
  type: 'programme',
  programme: named(id),
  ownSubAccount: own,
});
const accounts = (...ids: number[]): PickerAction => ({
  type: 'sub-accounts',
  subAccounts: ids.map(named),
  most: 10,
});
const terms = (...ids: number[]): PickerAction => ({ type: 'terms', terms: ids.map(named), most: 10 });
const courses = (...list: PickedCourse[]): PickerAction => ({ type: 'courses', courses: list });

describe('Programme and Term', () => {
  test('PICK-17 changing the programme clears sub-accounts, terms and courses', () => {
    const full = after(programme(1), accounts(11), terms(5), courses(course(100, 5)));
    expect(full.courses).toHaveLength(1);
    expect(pick(full, programme(2))).toEqual({ ...NOTHING_PICKED, programme: named(2) });
    expect(pick(full, programme(1))).toBe(full);
  });

  test('PICK-18 OP-31 changing the sub-accounts clears the terms and all courses', () => {
    const state = after(programme(1), accounts(11), terms(5), courses(course(100, 5)), accounts(11, 12));
    expect(state).toMatchObject({ subAccounts: [named(11), named(12)], terms: [], courses: [] });
  });

  test('PICK-19 a programme named in the settings counts as its own sub-account', () => {
    expect(after(programme(86, true)).subAccounts).toEqual([named(86)]);
    expect(after(programme(9)).subAccounts).toEqual([]);
  });

  test('PICK-02 PICK-03 PICK-04 at most ten sub-accounts and ten terms can be selected', () => {
    const eleven = Array.from({ length: 11 }, (_, index) => index + 1);
    expect(after(programme(1), accounts(...eleven)).subAccounts).toEqual([]);
    expect(after(programme(1), accounts(...eleven.slice(1))).subAccounts).toHaveLength(10);
    expect(after(programme(1), accounts(1), terms(...eleven)).terms).toEqual([]);
  });

  test('OP-31 a course that drops out of the list is deselected', () => {
    const state = after(programme(1), accounts(11), terms(5), courses(course(100, 5), course(101, 5)));
    expect(pick(state, { type: 'listed', ids: new Set([101]) }).courses.map((one) => one.id)).toEqual([101]);
    expect(pick(state, { type: 'listed', ids: new Set([100, 101, 102]) })).toBe(state);
  });

  test('PICK-24 PICK-25 reports what is missing, in order, with the field to focus', () => {
    const need = 'Please select programme and the term';
    expect(pickerMissing(NOTHING_PICKED)).toEqual({ message: need, field: 'picker-programme' });
    expect(pickerMissing(after(programme(1)))).toEqual({ message: need, field: 'picker-sub-accounts' });
    expect(pickerMissing(after(programme(86, true)))).toEqual({ message: need, field: 'picker-terms' });
    expect(pickerMissing(after(programme(86, true), terms(5)))).toEqual({
      message: 'Please select courses to proceed next',
      field: 'picker-courses',
    });
    expect(pickerMissing(after(programme(86, true), terms(5), courses(course(1, 5))))).toBeNull();
  });

  test('OP-31 after any actions, each selected course belongs to a selected term, and no list exceeds ten', () => {
    const id = fc.integer({ min: 1, max: 14 });
    const ids = fc.uniqueArray(id, { maxLength: 14 });
    const action: fc.Arbitrary<PickerAction> = fc.oneof(
      fc.tuple(id, fc.boolean()).map(([one, own]) => programme(one, own)),
      ids.map((list) => accounts(...list)),
      ids.map((list) => terms(...list)),
      fc.array(fc.tuple(id, id)).map((list) => courses(...list.map(([one, term]) => course(one, term)))),
      ids.map((list): PickerAction => ({ type: 'listed', ids: new Set(list) })),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const state = after(...actions);
        const chosen = new Set(state.terms.map((term) => term.id));
        expect(state.courses.every((one) => chosen.has(one.enrollment_term_id))).toBe(true);
        expect(state.subAccounts.length).toBeLessThanOrEqual(10);
        expect(state.terms.length).toBeLessThanOrEqual(10);
      }),
    );
  });
});
