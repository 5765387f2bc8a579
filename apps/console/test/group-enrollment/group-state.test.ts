import { describe, expect, test } from 'vitest';
import type { WizardAction } from '../../src/components/Wizard/wizard-reducer.ts';
import type { GroupsAction, MembersAction } from '../../src/tools/group-enrollment/course-work.ts';
import { NEW_WORK, type WorkAction } from '../../src/tools/group-enrollment/course-work.ts';
import {
  EMPTY,
  type GroupState,
  groupReducer,
  groupShape,
  openCourse,
  workOf,
} from '../../src/tools/group-enrollment/group-state.ts';
import { groupRequest, memberRequest } from '../../src/tools/group-enrollment/requests.ts';

const PLAN = '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f001';
const course = (id: number) => ({ id, name: `Course ${id}`, sis_course_id: `C${id}`, enrollment_term_id: 5 });
const start: GroupState = {
  ...EMPTY,
  picker: { ...EMPTY.picker, terms: [{ id: 5, name: 'P1' }], courses: [] },
};
const work = (state: GroupState, action: WorkAction, of = 7) =>
  groupReducer(state, { type: 'work', course: of, action });
const groups = (state: GroupState, action: GroupsAction | WizardAction) =>
  work(state, { type: 'groups', action });
const members = (state: GroupState, action: MembersAction | WizardAction) =>
  work(state, { type: 'members', action });
const prefix = (text: string): GroupsAction => ({ type: 'range', id: 1, change: { prefix: text } });

describe('OP-75 one course at a time', () => {
  test('selecting a course opens it, selecting another replaces it, and closing deselects it', () => {
    const one = groupReducer(start, { type: 'pick', pick: { type: 'courses', courses: [course(1)] } });
    expect(openCourse(one)).toMatchObject({ id: 1, term: 'P1' });
    const many = groupReducer(start, {
      type: 'pick',
      pick: { type: 'courses', courses: [course(1), course(2)] },
    });
    expect(many.picker.courses.map(({ id }) => id)).toEqual([2]);
    expect(openCourse(groupReducer(one, { type: 'close' }))).toBeNull();
  });

  test('entries for one course do not appear in another', () => {
    const typed = groups(start, prefix('Team'));
    expect(workOf(typed, 7).groups.ranges[0]?.prefix).toBe('Team');
    expect(workOf(typed, 8)).toEqual(NEW_WORK);
  });
});

describe('GRP-15 GRP-18 GRP-20 group rows', () => {
  test('GRP-20 one row always remains', () => {
    const two = groups(start, { type: 'add' });
    expect(workOf(two, 7).groups.ranges.map(({ id }) => id)).toEqual([1, 2]);
    const one = groups(groups(two, { type: 'remove', id: 1 }), { type: 'remove', id: 2 });
    expect(workOf(one, 7).groups.ranges).toHaveLength(1);
  });

  test.each([
    ['no category', null, [{ id: 1, prefix: 'Team', start: 1, end: 3 }], null],
    ['a blank prefix', 4, [{ id: 1, prefix: '  ', start: 1, end: 3 }], null],
    ['OP-78 a start above the end', 4, [{ id: 1, prefix: 'Team', start: 3, end: 1 }], null],
    [
      'what counts',
      4,
      [
        { id: 1, prefix: ' Team ', start: 1, end: 1 },
        { id: 2, prefix: '', start: 1, end: 9 },
      ],
      { course: 7, category: 4, ranges: [{ prefix: 'Team', start: 1, end: 1 }] },
    ],
  ])('GRP-18 OP-78 the requested plan has the valid entries: %s', (_, category, ranges, request) => {
    expect(groupRequest(7, { category, ranges })).toEqual(request);
  });

  test('GRP-18 any change discards the simulation, and a submission cannot be changed', () => {
    const planned = groups(groups(start, prefix('Team')), { type: 'prepared', id: PLAN });
    expect(workOf(groups(planned, prefix('Lab')), 7).groups.prepared).toBeNull();
    const sent = groups(planned, { type: 'submit', key: PLAN });
    expect(workOf(sent, 7).groups).toMatchObject({ wizard: { view: 'progress' }, submission: { key: PLAN } });
    expect(groups(sent, prefix('Lab'))).toBe(sent);
    expect(groups(planned, { type: 'submit', key: 'another' })).toBe(planned);
    const done = workOf(groups(sent, { type: 'run-done' }), 7).groups;
    expect(done).toMatchObject({ wizard: { view: 'steps' }, prepared: null, simulate: false });
    expect(done.ranges[0]?.prefix).toBe('Team');
  });

  test('creating groups discards a simulation of people that was made without those groups', () => {
    let state = members(groups(start, { type: 'prepared', id: PLAN }), { type: 'prepared', id: PLAN });
    state = groups(groups(state, { type: 'submit', key: PLAN }), { type: 'logged', what: 'ended' });
    expect(workOf(state, 7).members.prepared).toBeNull();
  });
});

test('GRP-14 a new category is selected for creating groups, and that panel opens', () => {
  const made = workOf(work(start, { type: 'category', action: { type: 'created' }, id: 9 }), 7);
  expect(made).toMatchObject({
    open: ['category', 'groups'],
    groups: { category: 9 },
    members: { category: 9 },
  });
});

describe('GRP-27 assigning people to groups', () => {
  const file = { name: 'a.csv', size: 10, text: 'x', problem: null };

  test('each method requires its own entries; without them nothing is planned', () => {
    const { members: part } = NEW_WORK;
    expect(memberRequest(7, part, { file: null, pasted: 'x' })).toBeNull();
    expect(memberRequest(7, part, { file, pasted: '' })?.from).toMatchObject({ way: 'csv', text: 'x' });
    expect(memberRequest(7, { ...part, way: 'pasted' }, { file, pasted: ' \n' })).toBeNull();
    expect(memberRequest(7, { ...part, way: 'spread' }, { file, pasted: 'x' })).toBeNull();
    expect(memberRequest(7, { ...part, way: 'spread', category: 4 }, { file, pasted: '' })?.from).toEqual({
      way: 'spread',
      category: 4,
      by: 'evenly',
      onlyUnassigned: true,
    });
  });

  test('changing the file, method or text discards the simulation; changing the category only if it matters', () => {
    const planned = members(groupReducer(start, { type: 'file', course: 7, file }), {
      type: 'prepared',
      id: PLAN,
    });
    const prepared = (state: GroupState) => workOf(state, 7).members.prepared;
    expect(prepared(members(planned, { type: 'choose', category: 4 }))).toBe(PLAN);
    expect(prepared(groupReducer(planned, { type: 'file', course: 7, file: null }))).toBeNull();
    expect(prepared(members(planned, { type: 'way', way: 'spread' }))).toBeNull();
    const pasted = members(members(planned, { type: 'way', way: 'pasted' }), { type: 'prepared', id: PLAN });
    expect(prepared(members(pasted, { type: 'choose', category: 4 }))).toBeNull();
    expect(prepared(groupReducer(pasted, { type: 'pasted', course: 7, text: 'a' }))).toBeNull();
  });

  test('a file cannot be removed while its import is running', () => {
    const chosen = groupReducer(start, { type: 'file', course: 7, file });
    const sent = members(members(chosen, { type: 'prepared', id: PLAN }), { type: 'submit', key: PLAN });
    expect(groupReducer(sent, { type: 'file', course: 7, file: null })).toBe(sent);
  });
});

test('every stored part is valid for its own schema', () => {
  const full = groupReducer(
    groups(groupReducer(start, { type: 'pasted', course: 7, text: 'a\tb' }), prefix('Team')),
    { type: 'file', course: 7, file: { name: 'a.csv', size: 1, text: null, problem: 'x' } },
  );
  for (const part of Object.keys(groupShape) as (keyof GroupState)[]) {
    expect(groupShape[part].parse(JSON.parse(JSON.stringify(full[part])))).toEqual(full[part]);
  }
});

test('GRP-16 GRP-27 turning the simulation on prepares it again; turning it off keeps the plan', () => {
  const planned = { type: 'prepared', id: PLAN } as const;
  for (const [act, part] of [
    [groups, (state: GroupState) => workOf(state, 7).groups],
    [members, (state: GroupState) => workOf(state, 7).members],
  ] as const) {
    const made = act(act(start, { type: 'simulate', on: true }), planned);
    const off = act(made, { type: 'simulate', on: false });
    expect(part(off)).toMatchObject({ simulate: false, prepared: PLAN });
    expect(part(act(off, { type: 'simulate', on: true }))).toMatchObject({
      simulate: true,
      prepared: null,
      preparing: null,
    });
  }
});

describe('GRP-30 GRP-32 an import submitted in another tab', () => {
  const sent = { plan: PLAN, import: '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f002' };

  test('is followed in its panel, whose earlier entries return after Done', () => {
    const typed = members(start, { type: 'way', way: 'pasted' });
    const shown = work(typed, { type: 'adopt', part: 'members', ...sent });
    expect(workOf(shown, 7)).toMatchObject({
      open: ['category', 'members'],
      members: { wizard: { view: 'progress' }, submission: { key: PLAN, import: sent.import } },
      groups: { wizard: { view: 'steps' } },
    });
    const put = workOf(members(shown, { type: 'run-done' }), 7).members;
    expect(put).toMatchObject({ way: 'pasted', wizard: { view: 'steps' }, submission: { import: null } });
  });

  test('does not replace one that is already followed', () => {
    const first = work(start, { type: 'adopt', part: 'groups', ...sent });
    expect(work(first, { type: 'adopt', part: 'groups', plan: PLAN, import: PLAN })).toBe(first);
  });
});
