import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupCells, groupStatusProblem, planGroups, unknownGroupIds } from '../src/group-plan.ts';
import { courseOf, group, LABS, TEAMS } from './group-fixtures.ts';

const plan = (names: string[], groups = [group(1, 'A-G01')], elsewhere = new Map()) =>
  planGroups('C', names, TEAMS, courseOf(groups, []), elsewhere);

describe('groups to create', () => {
  it('GRP-22, GRP-23 groups are new, already exist, or have another name', () => {
    const groups = [group(1, 'A-G01'), group(2, 'Old', { sisId: 'C_A-G02' })];
    expect(plan(['A-G01', 'A-G02', 'A-G03'], groups)).toEqual([
      { sis_group_id: 'C_A-G01', name: 'A-G01', fate: 'there', why: null },
      {
        sis_group_id: 'C_A-G02',
        name: 'A-G02',
        fate: 'renamed',
        why: 'The group is currently called "Old".',
      },
      { sis_group_id: 'C_A-G03', name: 'A-G03', fate: 'new', why: null },
    ]);
  });

  it("OP-77, OP-108 another category's id is rejected with its name: the group would move there with its members", () => {
    const [row] = plan(['A-G01'], [group(1, 'A-G01', { category: LABS.id })]);
    expect(row).toMatchObject({ fate: 'refused', why: expect.stringContaining('in the category "Labs"') });
    const [lost] = plan(['A-G01'], [group(1, 'A-G01', { category: 99 })]);
    expect(lost).toMatchObject({ fate: 'refused', why: expect.stringContaining('in another category') });
  });

  it("OP-108 another course's id is rejected; the course is named only if the person can see it", () => {
    const told = plan(['A-G01'], [], new Map([['C_A-G01', { course: 'Finance' }]]));
    expect(told[0]).toMatchObject({
      fate: 'refused',
      why: expect.stringContaining('of the course "Finance"'),
    });
    const hidden = plan(['A-G01'], [], new Map([['C_A-G01', { course: null }]]));
    expect(hidden[0]).toMatchObject({
      fate: 'refused',
      why: expect.stringContaining('elsewhere in the LMS'),
    });
  });

  it('OP-77 the name of another group in the category is rejected, with or without an id', () => {
    const [row] = plan(['a-g01'], [group(1, 'A-G01')]);
    expect(row?.why).toBe('The category already has a group called "A-G01", with the ID "C_A-G01".');
    const [byHand] = plan(['A-G01'], [group(1, 'A-G01', { sisId: null })]);
    expect(byHand?.why).toBe('The category already has a group called "A-G01", without an SIS ID.');
    const [elsewhere] = plan(['A-G01'], [group(1, 'A-G01', { sisId: null, category: LABS.id })]);
    expect(elsewhere?.fate).toBe('new');
  });

  it('OP-77 names whose differences are invisible are created once', () => {
    const told = (names: string[], groups = [group(1, 'A-G01')]) =>
      plan(names, groups).map(({ fate, why }) => (fate === 'refused' ? why : fate));
    const same = (name: string) =>
      `The name differs from "${name}" above only in capitals or spaces. Choose another prefix or other numbers.`;
    expect(told(['Squad-G01', 'Squad-G02', 'squad-G01'])).toEqual(['new', 'new', same('Squad-G01')]);
    expect(told(['My Team-G01', 'My  Team-G01', 'My\u00A0Team-G01'])).toEqual([
      'new',
      same('My Team-G01'),
      same('My Team-G01'),
    ]);
    expect(told(['Zoe\u0308-G01', 'Zo\u00EB-G01'])).toEqual(['new', same('Zoe\u0308-G01')]);
    // A rejected group does not block others.
    expect(
      told(['Squad-G01', 'squad-G01'], [group(1, 'x', { sisId: 'C_Squad-G01', category: LABS.id })]),
    ).toEqual([expect.stringContaining('in the category "Labs"'), 'new']);
    // An existing group does not get a duplicate either.
    expect(told(['My  Team-G01'], [group(1, 'My Team-G01')])).toEqual([
      'The category already has a group called "My Team-G01", with the ID "C_My Team-G01".',
    ]);
  });

  it('GRP-22 ids that the LMS does not accept, or that a spreadsheet has converted, are rejected', () => {
    expect(plan(['x'.repeat(254)])[0]).toMatchObject({
      fate: 'refused',
      why: expect.stringContaining('255'),
    });
    expect(plan(['A\u0007-G01'])[0]).toMatchObject({
      fate: 'refused',
      why: expect.stringContaining('shown'),
    });
    expect(plan(['#N/A'])[0]).toMatchObject({ fate: 'refused', why: expect.stringContaining('spreadsheet') });
    expect(plan(['#N/A-G01', '1.2E+05-G02']).map(({ fate, why }) => [fate, why])).toEqual([
      ['refused', '"#N/A" is an error value of a spreadsheet.'],
      [
        'refused',
        '"1.2E+05" is a number in scientific notation, which spreadsheets use to shorten long IDs.',
      ],
    ]);
  });

  it('GRP-24 the cells match the documented header; the status is available', () => {
    const [row] = plan(['A-G03']);
    expect(row && groupCells('C_Teams', row)).toEqual(['C_Teams', 'C_A-G03', 'A-G03', 'available']);
    expect(groupStatusProblem('Available')).toBeNull();
    expect(groupStatusProblem('deleted')?.column).toBe('status');
  });

  it('OP-77 new and renamed groups never repeat an id or name, in the category or elsewhere', () => {
    const names = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'a'), { maxLength: 5 });
    const groups = fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('A', 'B', 'C', 'X', 'Y'),
        sis: fc.constantFrom('C_A', 'C_B', 'C_C', 'C_D', null),
        category: fc.constantFrom(TEAMS.id, LABS.id),
      }),
      { selector: (one) => `${one.category} ${one.name}`, maxLength: 6 },
    );
    fc.assert(
      fc.property(names, groups, fc.subarray(['C_A', 'C_D']), (wanted, some, foreign) => {
        const ids = new Set<string | null>();
        const held = some.flatMap((one, at) => {
          const twice = one.sis !== null && ids.has(one.sis);
          ids.add(one.sis);
          return twice ? [] : [group(at + 1, one.name, { sisId: one.sis, category: one.category })];
        });
        const index = courseOf(held, []);
        const asked = unknownGroupIds(
          wanted.map((name) => `C_${name}`),
          index,
        );
        const elsewhere = new Map(
          foreign.filter((id) => asked.includes(id)).map((id) => [id, { course: null }]),
        );
        const rows = planGroups('C', wanted, TEAMS, index, elsewhere);
        const sent = rows.filter(({ fate }) => fate === 'new' || fate === 'renamed');
        for (const one of sent) {
          expect(elsewhere.has(one.sis_group_id)).toBe(false);
          const holder = held.find(({ sisId }) => sisId === one.sis_group_id);
          expect(holder === undefined ? 'new' : 'renamed').toBe(one.fate);
          if (holder) expect(holder.category).toBe(TEAMS.id);
          const same = held.filter(
            (other) => other !== holder && other.category === TEAMS.id && other.name === one.name,
          );
          expect(same).toEqual([]);
        }
        expect(new Set(sent.map(({ name }) => name.toLowerCase())).size).toBe(sent.length);
      }),
    );
  });
});
