import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../../src/canvas/store/model.ts';
import { ManyIndex, Table, UniqueIndex } from '../../../src/canvas/store/table.ts';
import type { World } from '../../../src/canvas/store/world.ts';
import { Campus } from '../sis/campus.ts';

interface Thing extends Row {
  name: string | null;
  box: number;
}

describe('tables', () => {
  const make = () =>
    new Table<Thing, { name: UniqueIndex<Thing>; box: ManyIndex<Thing> }>(() => '2030-01-01T00:00:00Z', {
      name: new UniqueIndex<Thing>((thing) => thing.name),
      box: new ManyIndex<Thing>((thing) => thing.box),
    });

  test('indexes follow every change, and contain no missing keys', () => {
    const table = make();
    const a = table.add({ name: 'a', box: 1 });
    const b = table.add({ name: null, box: 1 });
    expect(table.by.box.get(1)).toEqual([a, b]);
    expect(table.by.name.get(null)).toBeUndefined();
    const before = table.version;
    table.change(a, { name: 'b', box: 2 });
    expect(table.version).toBeGreaterThan(before);
    expect(table.by.name.get('a')).toBeUndefined();
    expect(table.by.name.get('b')).toBe(a);
    expect(table.by.box.get(1)).toEqual([b]);
    expect(table.by.box.get(2)).toEqual([a]);
    expect(table.by.box.count(3)).toBe(0);
  });

  test('ids supplied with rows are not assigned again', () => {
    const table = make();
    table.add({ id: 86, name: null, box: 1 });
    expect(table.add({ name: null, box: 1 }).id).toBe(87);
    expect(() => table.must(1)).toThrow();
  });
});

describe('§6 the world', () => {
  let campus: Campus;
  let world: World;
  beforeEach(async () => {
    campus = new Campus();
    ({ world } = campus);
    await campus.import('account_id,parent_account_id,name,status\nA,,A,active\nB,A,B,active\nZ,,Z,active\n');
    await campus.import(
      'course_id,short_name,long_name,account_id,status\nC1,C,Course,B,active\nC2,C,Course,Z,active\n',
    );
  });
  const course = (id: string) => world.courses.must(world.courses.by.sis.get(id)?.id ?? 0);
  const account = (id: string) => world.accounts.by.sis.get(id)?.id ?? 0;

  test('§6.3 an account’s courses include those below it, and those of cross-listed sections', async () => {
    expect(world.coursesUnder(account('A'))).toEqual([course('C1')]);
    expect(world.coursesUnder(world.rootAccount.id)).toEqual([course('C1'), course('C2')]);
    await campus.import('section_id,course_id,name,status\nS1,C1,S,active\n');
    await campus.import('xlist_course_id,section_id,status\nC2,S1,active\n');
    expect(world.coursesUnder(account('A'))).toEqual([course('C1'), course('C2')]);
    world.courses.change(course('C1'), { account_id: account('Z') });
    expect(world.coursesUnder(account('A'))).toEqual([]);
  });

  test('§9.5 the default section is created once, and follows a cross-listing', async () => {
    const made = world.defaultSection(course('C1'));
    expect(made).toMatchObject({ name: 'Course', default_section: true, sis_source_id: null });
    expect(world.defaultSection(course('C1'))).toBe(made);
    world.sections.change(made, { sis_source_id: 'S1' });
    await campus.import('xlist_course_id,section_id,status\nC2,S1,active\n');
    expect(world.defaultSection(course('C1'))).toBe(made);
    // The first section of a course is its default section, wherever it came from.
    expect(world.defaultSection(course('C2'))).toBe(made);
  });

  test('a reset empties everything and restarts the ids', () => {
    let told = 0;
    world.onReset(() => told++);
    world.reset(() => undefined);
    expect(told).toBe(1);
    expect([world.courses.size, world.users.size, world.sisBatches.size]).toEqual([0, 0, 0]);
    expect(world.courses.by.sis.get('C1')).toBeUndefined();
    expect(() => world.rootAccount).toThrow();
  });
});
