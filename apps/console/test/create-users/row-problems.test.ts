import { describe, expect, test } from 'vitest';
import type { LookupResult } from '../../src/components/PeopleLookup/lookup-store.ts';
import type { UserRow } from '../../src/tools/create-users/create-users-state.ts';
import { outcomesOf } from '../../src/tools/create-users/outcomes.ts';
import {
  fieldId,
  fieldNote,
  formState,
  isCertain,
  peopleToCheck,
} from '../../src/tools/create-users/row-problems.ts';

const DOMAIN = 'school.example';
const row = (id: number, some: Partial<UserRow> = {}): UserRow => ({
  id,
  psID: String(100 + id),
  email: `p${id}@school.example`,
  firstName: 'Ann',
  lastName: 'Lee',
  ...some,
});
const FREE: LookupResult = { result: 'not-found' };
const FAILED: LookupResult = { result: 'failed' };
const free = () => FREE;
const found = (sisId: string | null): LookupResult => ({
  result: 'found',
  person: { id: 1, name: 'Ann Lee', login_id: 'p1@school.example', sis_user_id: sisId },
});
const NOTHING_YET = { psID: undefined, email: undefined };
const note = (some: Partial<UserRow>, check: LookupResult | 'waiting' = FREE, canImport = true) =>
  fieldNote(Object.keys(some)[0] as 'psID', {
    row: row(1, some),
    domain: DOMAIN,
    duplicate: {},
    checks: check === 'waiting' ? NOTHING_YET : { psID: check, email: check },
    canImport,
  });

describe('the note below a field', () => {
  test.each([
    ['CU-17', { psID: '12x' }, 'Peoplesoft ID must be digits.'],
    ['CU-19', { email: 'a@b.example' }, 'Email is not valid. Please enter school.example email address.'],
    ['CU-23', { firstName: 'R2' }, 'Special charactors and numbers not allowed.'],
    ['CU-23', { lastName: "O'Brien" }, 'Special charactors and numbers not allowed.'],
  ])('%s: the documented text is shown for %j', (_id, some, text) => {
    expect(note(some)).toEqual({ kind: 'error', text });
  });

  test('OP-55: the id of a deleted person is recognised, with advice; such a row blocks the form', () => {
    const deleted = { id: 7, name: 'Dana Fox', login_id: null, sis_user_id: null };
    const text =
      'This ID belongs to Dana Fox, who was deleted in the LMS. Using this ID would restore this person. If you want that, use SIS Import, whose review shows the changes. Otherwise use another ID.';
    expect(note({ psID: '101' }, { result: 'not-found', deleted })).toEqual({ kind: 'error', text });
    const without = note({ psID: '101' }, { result: 'not-found', deleted }, false);
    expect(without).toMatchObject({ text: expect.stringContaining('If you want that, ask IT Support') });
    expect(without).not.toMatchObject({ text: expect.stringContaining('SIS Import') });
    const checks = (field: string): LookupResult =>
      field === 'psID' ? { result: 'not-found', deleted } : FREE;
    expect(formState([row(1)], DOMAIN, checks)).toMatchObject({
      errors: 1,
      existing: [],
      missing: { field: fieldId(1, 'psID') },
    });
  });

  test('CU-22, OP-55, OP-57: an existing person is named with their id in the LMS, or else the entered id', () => {
    expect(note({ email: 'p1@school.example' }, found('77'))).toEqual({
      kind: 'error',
      text: 'The User Already exists in LMS. 77',
    });
    expect(note({ email: 'p1@school.example' }, found(null))).toEqual({
      kind: 'error',
      text: 'The User Already exists in LMS.',
    });
    expect(note({ psID: ' 101 ' }, found('101'))).toEqual({
      kind: 'error',
      text: 'The User Already exists in LMS. 101',
    });
  });

  test('CU-04, OP-58: a running check is not an error, but a failed one is; empty fields and names are not checked', () => {
    expect(note({ email: 'p1@school.example' }, 'waiting')).toEqual({ kind: 'checking' });
    expect(note({ psID: '1' }, FAILED)?.kind).toBe('error');
    expect(note({ psID: '' }, 'waiting')).toBeNull();
    expect(note({ firstName: 'Ann' }, 'waiting')).toBeNull();
  });

  test('CU-19: while typing, only errors that more characters could not correct are shown', () => {
    expect(isCertain('psID', '12', DOMAIN)).toBe(false);
    expect(isCertain('psID', '12a', DOMAIN)).toBe(true);
    expect(isCertain('email', 'ann@sch', DOMAIN)).toBe(false);
    expect(isCertain('email', 'ann@elsewhere.example', DOMAIN)).toBe(true);
    expect(isCertain('email', 'ann+1', DOMAIN)).toBe(true);
    expect(isCertain('firstName', '-', DOMAIN)).toBe(false);
    expect(isCertain('firstName', 'Zoe\u0308 2', DOMAIN)).toBe(true);
  });
});

describe('the form', () => {
  test('CU-24: an empty field anywhere is reported first, and gets the focus', () => {
    const rows = [row(1, { psID: 'x' }), row(2, { lastName: ' ' })];
    expect(formState(rows, DOMAIN, free).missing).toEqual({
      message: 'Please insert user information.',
      field: fieldId(2, 'lastName'),
    });
  });

  test('CU-25, OP-58: other errors follow: in the text, a duplicate, from the LMS, or a failed check', () => {
    const message = 'Please fix the errors before proceed next.';
    const wrong = (rows: UserRow[], checks: () => LookupResult = free) =>
      formState(rows, DOMAIN, checks).missing;
    expect(wrong([row(1), row(2, { psID: 'x' })])).toEqual({ message, field: fieldId(2, 'psID') });
    expect(wrong([row(1), row(2, { email: ' P1@school.example' })])).toEqual({
      message,
      field: fieldId(2, 'email'),
    });
    expect(wrong([row(1)], () => found('1'))).toEqual({ message, field: fieldId(1, 'psID') });
    expect(wrong([row(1)], () => FAILED)).toEqual({ message, field: fieldId(1, 'psID') });
    expect(wrong([row(1), row(2)])).toBeNull();
  });

  test('OP-58: running checks are counted, but are not errors', () => {
    expect(formState([row(1), row(2)], DOMAIN, () => undefined)).toMatchObject({
      waiting: 4,
      errors: 0,
      missing: null,
    });
  });

  test('CU-22: rows for existing people are recognised, and their duplicates are not counted again', () => {
    const rows = [row(1), row(2, { psID: '101' }), row(3, { psID: 'x', email: 'y' })];
    const exists = formState(rows, DOMAIN, (field) => (field === 'psID' ? found('1') : FREE));
    expect(exists.existing).toEqual([1]);
  });

  test('CU-22: a person in the directory’s copy blocks the form at once, but only the LMS says which rows can be removed', () => {
    const copied: LookupResult = { ...found('1'), asOf: 1 } as LookupResult;
    const shown = formState([row(1)], DOMAIN, (field) => (field === 'psID' ? copied : FREE));
    expect(shown).toMatchObject({
      errors: 1,
      waiting: 1,
      existing: [],
      missing: { field: fieldId(1, 'psID') },
    });
    expect(note({ psID: '101' }, copied)).toEqual(note({ psID: '101' }, found('1')));
    expect(formState([row(1)], DOMAIN, free)).toMatchObject({ errors: 0, waiting: 0, missing: null });
  });

  test('CU-24, OP-58: repeated rows, and empty rows above others, can be removed wherever they are', () => {
    const empty = { psID: '', email: ' ', firstName: '', lastName: '' };
    const rows = [row(1), row(2, { psID: '101' }), row(3, empty), row(4), row(5, empty)];
    const form = formState(rows, DOMAIN, () => FREE);
    expect([form.repeated, form.blank]).toEqual([[2], [3]]);
    expect(formState([row(1, empty)], DOMAIN, () => FREE).blank).toEqual([]);
  });

  test('CU-21: only valid values are looked up, and each only once', () => {
    const rows = [
      row(1),
      row(2, { psID: ' 101', email: 'P1@school.example' }),
      row(3, { psID: 'x', email: 'y' }),
    ];
    expect(peopleToCheck(rows, DOMAIN)).toEqual({ sis_id: ['101'], login: ['p1@school.example'] });
  });
});

describe('the result', () => {
  test("CU-09, CU-10: whether each person was created, with the LMS's message about the row", () => {
    const rows = [row(1), row(2), row(3), row(4), row(5)];
    const result = outcomesOf(rows, {
      people: new Map([
        ['101', { id: 7, login_id: 'P1@school.example' }],
        ['102', null],
        ['103', { id: 9, login_id: 'somebody.else@school.example' }],
        ['105', { id: 11, login_id: 'p5@school.example' }],
      ]),
      messages: [
        { row: 3, messages: ['claimed', 'again'], left_out: false },
        { row: 6, messages: ['email left out'], left_out: false },
        { row: null, messages: ['the whole file'], left_out: false },
      ],
      created: null,
    });
    expect(result).toEqual([
      { id: 1, result: 'created', canvasId: 7, messages: [] },
      { id: 2, result: 'not-created', canvasId: null, messages: ['claimed', 'again'] },
      { id: 3, result: 'not-created', canvasId: null, messages: [] },
      { id: 4, result: 'unknown', canvasId: null, messages: [] },
      { id: 5, result: 'created', canvasId: 11, messages: ['email left out'] },
    ]);
  });

  test('CU-09: a person whose row was skipped counts as not created, although they exist', () => {
    const people = new Map([['101', { id: 7, login_id: 'p1@school.example' }]]);
    const said = [{ row: 2, messages: ['Left out: they exist'], left_out: true }];
    expect(outcomesOf([row(1)], { people, messages: said, created: null })).toEqual([
      { id: 1, result: 'not-created', canvasId: null, messages: ['Left out: they exist'] },
    ]);
  });

  test('CU-09: people created by someone else during the import are not reported as created', () => {
    const people = new Map(
      [1, 2, 3].map((id) => [
        `10${id}`,
        { id, login_id: `p${id}@school.example`, created_at: `2026-11-26T10:00:0${id === 2 ? 1 : 5}Z` },
      ]),
    );
    const results = (made: { rows: number; people: number } | null) =>
      outcomesOf([row(1), row(2), row(3)], { people, messages: [], created: made }).map(
        ({ result }) => result,
      );
    expect(results({ rows: 3, people: 2 })).toEqual(['created', 'existed', 'created']);
    for (const made of [{ rows: 3, people: 3 }, null])
      expect(results(made)).toEqual(['created', 'created', 'created']);
  });
});
