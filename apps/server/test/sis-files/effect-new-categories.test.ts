/**
 * Groups next to rows that create or move their categories, and names that the LMS reserves, compared with
 * the actual effect (SIS-06).
 */
import { expect, test } from 'vitest';
import { alma, campus, openEffects, ts } from './effect-campus.ts';
import { COURSES, MEMBERS, sent, students } from './removals.ts';
import { effectRows, zipOf } from './support.ts';

openEffects();

const GROUPS = 'group_id,group_category_id,course_id,account_id,name,status';
const CATEGORIES = 'group_category_id,course_id,account_id,category_name,status';

/** Lists the rows in the latest import that the LMS rejected, by table. */
const refusedByLms = () =>
  ([...ts.sandbox.world.sisBatches.values()].at(-1)?.errors ?? []).map(
    ({ file, row }) => `${file?.replace(/.*-/, '')} ${row}`,
  );

/** Lists the SIS IDs that the review announces as rejected, with the columns at fault. */
async function refused(id: string, table: 'group' | 'group_category' | 'group_membership') {
  const { rows } = await effectRows(alma, id, { table, does: 'fails' });
  return Object.fromEntries(rows.map(({ of, problems }) => [of.id, problems.map(({ column }) => column)]));
}

test('SIS-06: a group is rejected if the same upload creates its category in another course or account', async () => {
  const [here, there] = [campus.course(3), campus.course(4)];
  const [account] = [...ts.sandbox.world.accounts.values()].filter((one) => one.sis_source_id !== null);
  const { id } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nNC-NEW,x,y,active`,
      'c.csv': [
        CATEGORIES,
        `NC-K1,${here.sis},,Kat 1,active`,
        `NC-K2,${there.sis},,Kat 2,active`,
        'NC-K3,NC-NEW,,Kat 3,active',
        'NC-K4,,,Of the root,active',
        `NC-K5,,${account?.sis_source_id},Of an account,active`,
      ].join('\n'),
      'g.csv': [
        GROUPS,
        `NC-G1,NC-K2,${here.sis},,wrong,available`,
        `NC-G2,NC-K2,${there.sis},,right,available`,
        `NC-G3,NC-K3,${here.sis},,wrong,available`,
        'NC-G4,NC-K3,NC-NEW,,right,available',
        `NC-G5,NC-K4,${here.sis},,wrong,available`,
        `NC-G6,NC-K5,${here.sis},,wrong,available`,
        `NC-G7,NC-K5,,${account?.sis_source_id},right,available`,
        'NC-G8,NC-K1,,,right,available',
      ].join('\n'),
    }),
    'new.zip',
  );
  const column = ['group_category_id'];
  expect(await refused(id, 'group')).toEqual({
    'NC-G1': column,
    'NC-G3': column,
    'NC-G5': column,
    'NC-G6': column,
  });
  expect(await refused(id, 'group_category')).toEqual({});
  expect(refusedByLms()).toEqual(['g.csv 2', 'g.csv 4', 'g.csv 6', 'g.csv 7']);
});

test('SIS-06: a group with members stays in place if its new category is elsewhere, and so do the rows of its people', async () => {
  const [here, there] = [campus.course(5), campus.course(6)];
  const [one, two] = await students(here.id);
  const member = (group: string, sis = '') => `${group},${sis},accepted`;
  await sent(
    await zipOf({
      'c.csv': `${CATEGORIES}\nNC-OLD,${here.sis},,Old,active\nNC-MOVES,${here.sis},,Moves,active`,
      'g.csv': `${GROUPS}\nNC-FULL,NC-OLD,,,Full,available\nNC-EMPTY,NC-OLD,,,Empty,available`,
      'm.csv': `${MEMBERS}\n${member('NC-FULL', one?.sis)}`,
    }),
    'before.zip',
  );
  const { id } = await sent(
    await zipOf({
      'c.csv': `${CATEGORIES}\nNC-AWAY,${there.sis},,Away,active\nNC-MOVES,${there.sis},,Moves,active`,
      'g.csv': [
        GROUPS,
        'NC-FULL,NC-AWAY,,,Full,available',
        'NC-EMPTY,NC-AWAY,,,Empty,available',
        `NC-X,NC-MOVES,${here.sis},,X,available`,
        `NC-Y,NC-MOVES,${there.sis},,Y,available`,
      ].join('\n'),
      'm.csv': `${MEMBERS}\n${member('NC-FULL', two?.sis)}`,
    }),
    'moving.zip',
  );
  const column = ['group_category_id'];
  expect(await refused(id, 'group')).toEqual({ 'NC-FULL': column, 'NC-X': column });
  expect(await refused(id, 'group_membership')).toEqual({});
  expect(refusedByLms()).toEqual(['g.csv 2', 'g.csv 4']);
  const full = ts.sandbox.world.groups.by.sis.get('NC-FULL');
  expect(full?.context_id).toBe(here.id);
});

test('SIS-06: names that the LMS reserves in a course or account, and a name used twice in a new course, are rejected', async () => {
  const course = campus.course(7);
  const [account] = [...ts.sandbox.world.accounts.values()].filter((one) => one.sis_source_id !== null);
  const { id } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nNC-BARE,x,y,active`,
      'c.csv': [
        CATEGORIES,
        `NC-R1,${course.sis},,Imported Groups,active`,
        `NC-R2,${course.sis},,Student Groups,active`,
        `NC-R3,${course.sis},,student groups,active`,
        'NC-R4,,,Student Groups,active',
        'NC-R5,NC-BARE,,Imported Groups,active',
        'NC-R6,NC-BARE,,Teams,active',
        'NC-R7,NC-BARE,,Teams,active',
        'NC-R8,,,Communities,active',
        `NC-R9,,${account?.sis_source_id},imported groups,active`,
        `NC-R10,${course.sis},,Communities,active`,
      ].join('\n'),
    }),
    'names.zip',
  );
  const column = ['category_name'];
  expect(await refused(id, 'group_category')).toEqual({
    'NC-R1': column,
    'NC-R2': column,
    'NC-R3': column,
    'NC-R5': column,
    'NC-R7': column,
    'NC-R8': column,
    'NC-R9': column,
  });
  expect(refusedByLms()).toEqual([2, 3, 4, 6, 8, 9, 10].map((row) => `c.csv ${row}`));
});
