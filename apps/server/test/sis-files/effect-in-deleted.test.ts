/** Rows about what is deleted, which the LMS carries out all the same: they are not said to be refused for certain (SIS-06). */
import { expect, test } from 'vitest';
import { submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, openEffects, ts } from './effect-campus.ts';
import { COURSES, fullCourse, LISTINGS, MEMBERS, sectioned, sent } from './removals.ts';
import { effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const errors = () => ([...ts.sandbox.world.sisBatches.values()].at(-1)?.errors ?? []).map(({ row }) => row);

test('SIS-06: a member of a group that the same upload deletes, and of one that was deleted before', async () => {
  const { places, one, two, category } = await fullCourse(0);
  const [red, blue] = places;
  const { id, lost } = await sent(
    await zipOf({
      'groups.csv': `group_id,group_category_id,name,status\n${one},${category},Red,deleted`,
      'members.csv': `${MEMBERS}\n${one},${red?.sis},accepted\n${one},${blue?.sis},accepted`,
    }),
    'deleted.zip',
  );
  // The second one leaves the other group of the category for it.
  expect(lost.takes).toEqual([
    { kind: 'group', count: 1 },
    { kind: 'group_membership', count: 3 },
  ]);
  const { rows } = await effectRows(alma, id, { table: 'group_membership' });
  const told = rows.toSorted((a, b) => a.row - b.row);
  expect(told.map(({ does, takes }) => [does, takes])).toEqual([
    ['nothing', null],
    ['changes', 'leaves the group Blue'],
  ]);
  expect(told[0]?.why).toContain('where nobody sees it');
  expect(errors()).toEqual([]);
  // Whether it takes them out of another group is not shown: it counts, though this one takes nothing.
  const after = await reviewed(alma, `${MEMBERS}\n${one},${red?.sis},accepted`);
  expect(after.effect.brake.confirm).toBe(1);
  await watch(alma, (await submitted(alma, { file: after.id, deletions: 1 })).id);
  const [later] = (await effectRows(alma, after.id, { table: 'group_membership' })).rows;
  expect(later?.why).toContain('If one with this SIS id was deleted, the row puts the person into that one');
  expect(errors()).toEqual([]);
  expect(two).toBe('REM-B0');
});

test('SIS-06: a cross-listing that ends in a deleted course is not compared, and removes nobody', async () => {
  const [found] = sectioned().slice(3);
  const target = campus.course(6, 163);
  const section = found?.named[0];
  await sent(`${LISTINGS}\n${target.sis},${section?.sis},active`);
  await sent(`${COURSES}\n${target.sis},x,y,deleted`);
  const { id, effect } = await sent(`${LISTINGS}\n${target.sis},${section?.sis},deleted`);
  const { rows } = await effectRows(alma, id, { table: 'xlist' });
  expect(rows).toMatchObject([
    { does: 'unknown', why: expect.stringContaining('it goes back to its own course, with nobody in it') },
  ]);
  expect(effect.brake.takes).toEqual([]);
  expect(ts.sandbox.world.sections.must(section?.id ?? 0).course_id).toBe(found?.course.id);
});
