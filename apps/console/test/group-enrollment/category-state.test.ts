import type { GroupCategory } from '@lms-admin/contract/canvas-objects';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CategoryAction,
  categoryReducer,
  mayCreate,
  type NewCategory,
  NO_CATEGORY,
  oddName,
  whyNoSisId,
} from '../../src/tools/group-enrollment/category-state.ts';

const COURSE = 'MBA26-FBL-FIN101-A';
const category = (name: string, sisId: string | null, role: string | null = null): GroupCategory => ({
  id: 1,
  name,
  sis_group_category_id: sisId,
  role,
  group_limit: null,
});
const EXISTING = [category('Project Teams', `${COURSE}-TEAMS`), category('A_B', `${COURSE}_A_B`)];
const create: CategoryAction = { type: 'create' };
const named = (name: string): NewCategory => categoryReducer(NO_CATEGORY, { type: 'name', name });

describe('GRP-12 the states of a new category', () => {
  test('NEW, CREATING, CREATED; editing the name resets to NEW', () => {
    const creating = categoryReducer(named('Case Teams'), create);
    expect(creating.state).toBe('CREATING');
    expect(mayCreate(creating)).toBe(false);
    const created = categoryReducer(creating, { type: 'created' });
    expect(created).toEqual({ name: 'Case Teams', state: 'CREATED' });
    expect(mayCreate(created)).toBe(false);
    expect(categoryReducer(created, { type: 'name', name: 'Case Teams 2' }).state).toBe('NEW');
  });

  test('GRP-10 GRP-11 OP-76 a name that the LMS already has leads to ERROR_NAME', () => {
    const name = 'Project Teams';
    const refused = categoryReducer(categoryReducer(named(name), create), { type: 'taken' });
    expect(refused).toEqual({ name, state: 'ERROR_NAME' });
    expect(mayCreate(refused)).toBe(false);
    expect(mayCreate(categoryReducer(refused, { type: 'name', name: 'Other' }))).toBe(true);
  });

  test('a name that the LMS rejects, and one that could not be created', () => {
    const creating = categoryReducer(named('Other'), create);
    expect(categoryReducer(creating, { type: 'taken' }).state).toBe('ERROR_NAME');
    expect(categoryReducer(creating, { type: 'failed' })).toEqual({ name: 'Other', state: 'NEW' });
  });

  test('after any actions, a category is created only if its name is not empty, and only from NEW', () => {
    const action = fc.oneof(
      fc.string().map((name): CategoryAction => ({ type: 'name', name })),
      fc.constantFrom<CategoryAction>(create, { type: 'created' }, { type: 'taken' }, { type: 'failed' }),
    );
    fc.assert(
      fc.property(fc.array(action), (actions) => {
        let state = NO_CATEGORY;
        for (const one of actions) {
          const next = categoryReducer(state, one);
          if (next.state === 'CREATING' && state.state !== 'CREATING') {
            expect(state.state).toBe('NEW');
            expect(state.name.trim()).not.toBe('');
          }
          // The name does not change while it is being created.
          if (state.state === 'CREATING') expect(next.name).toBe(state.name);
          state = next;
        }
      }),
    );
  });
});

test.each([
  [category('Teams', 'X'), 'has-one'],
  [category('Teams', null), null],
  [category('Student Groups', null, 'student_organized'), 'kept-by-lms'],
  [category('A B', null), 'id-taken'],
] as const)('OP-108 whether a category can be given an SIS ID: %j', (one, why) => {
  expect(whyNoSisId(one, COURSE, [...EXISTING, one])).toBe(why);
});

test('OP-76 a name that a spreadsheet has changed, or that is too long for its SIS ID, is reported before it is sent', () => {
  expect(oddName(COURSE, '#N/A ')).toEqual({ converted: 'an error value of a spreadsheet' });
  expect(oddName(COURSE, '=1+1')).toEqual({ converted: 'a formula' });
  const most = 255 - `${COURSE}_`.length;
  expect(oddName(COURSE, 'x'.repeat(most))).toBeNull();
  expect(oddName(COURSE, 'x'.repeat(most + 1))).toBe('long');
  expect(oddName(COURSE, 'Zoë O’Neill–Łukasz')).toBeNull();
});
