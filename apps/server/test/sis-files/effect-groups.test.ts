/** Groups that rows without a category put into a course or account, compared with the LMS before and after (SIS-06). */
import { expect, test } from 'vitest';
import { alma, campus, openEffects, ts } from './effect-campus.ts';
import { COURSES, MEMBERS, sent, students } from './removals.ts';
import { effectRows, zipOf } from './support.ts';

openEffects();

const GROUPS = 'group_id,group_category_id,course_id,account_id,name,status';

/** Returns the SIS IDs of the course and the account that a group belongs to. */
function placeOf(sisId: string): [course: string | null, account: string | null] {
  const { accounts, courses, groups } = ts.sandbox.world;
  const group = groups.by.sis.get(sisId);
  if (!group) throw new Error(`no group ${sisId}`);
  return group.context_type === 'Course'
    ? [courses.must(group.context_id).sis_source_id, null]
    : [null, accounts.must(group.context_id).sis_source_id];
}

const refusedByLms = () =>
  ([...ts.sandbox.world.sisBatches.values()].at(-1)?.errors ?? []).map((one) => one.row);

test('SIS-06: a group without a category moves to the course or account of its row, unless it has members', async () => {
  const [here, there, gone] = [campus.course(3), campus.course(4), campus.course(5)];
  const [account] = [...ts.sandbox.world.accounts.values()].filter((one) => one.sis_source_id !== null);
  const [one, two] = await students(here.id);
  await sent(
    await zipOf({
      'courses.csv': `${COURSES}\n${gone.sis},x,y,deleted`,
      'categories.csv': `group_category_id,course_id,category_name,status\nGM-K,${here.sis},Moving,active`,
      'groups.csv': [
        GROUPS,
        'GM-ROOT,,,,Of the root,available',
        `GM-ACC,,,${account?.sis_source_id},Of an account,available`,
        ...['A', 'B', 'C', 'FULL', 'LEFT', 'STAY', 'GONE'].map(
          (id) => `GM-${id},,${here.sis},,${id},available`,
        ),
        'GM-SET,GM-K,,,Of a category,available',
      ].join('\n'),
      'members.csv': `${MEMBERS}\nGM-FULL,${one?.sis},accepted\nGM-LEFT,${two?.sis},accepted\nGM-STAY,${one?.sis},accepted`,
    }),
    'before.zip',
  );
  const ids = ['ROOT', 'ACC', 'A', 'B', 'C', 'SET', 'FULL', 'LEFT', 'STAY', 'GONE'].map((id) => `GM-${id}`);
  const before = new Map(ids.map((id) => [id, placeOf(id)]));
  const nameOf = (id: string) => ts.sandbox.world.groups.by.sis.get(id)?.name;
  const to = (id: string, course: string, into = '') => `${id},,${course},${into},${nameOf(id)},available`;
  const { id } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nGM-NEW,x,y,active`,
      'enrollments.csv': `course_id,section_id,user_id,role_id,status\n${(await students(here.id))
        .filter((each) => each.id === two?.id)
        .map((each) => `${here.sis},${each.section},${each.sis},3,deleted`)
        .join('\n')}`,
      'groups.csv': [
        GROUPS,
        to('GM-ROOT', there.sis),
        to('GM-ACC', there.sis),
        to('GM-A', there.sis),
        to('GM-B', '', account?.sis_source_id ?? ''),
        to('GM-C', 'GM-NEW'),
        to('GM-SET', there.sis),
        to('GM-FULL', there.sis),
        to('GM-LEFT', there.sis),
        to('GM-STAY', here.sis),
        to('GM-GONE', gone.sis),
      ].join('\n'),
    }),
    'moving.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'group' });
  const shown = new Map(rows.map(({ of, does, fields }) => [of.id, { does, fields }]));
  for (const sisId of ids) {
    const [[course, into], [courseNow, intoNow]] = [before.get(sisId) ?? [null, null], placeOf(sisId)];
    const fields = [
      ...(course === courseNow ? [] : [['course_id', course, courseNow]]),
      ...(into === intoNow ? [] : [['account_id', into, intoNow]]),
    ];
    const refused = ['GM-FULL', 'GM-GONE'].includes(sisId);
    const does = refused ? 'fails' : sisId === 'GM-STAY' ? 'nothing' : 'changes';
    expect([sisId, shown.get(sisId)]).toEqual([sisId, { does, fields }]);
  }
  const fails = rows.filter(({ does }) => does === 'fails').map(({ row }) => row);
  expect(fails.sort((a, b) => a - b)).toEqual(refusedByLms());
  expect(fails).toHaveLength(2);
});

test('SIS-06: a group with members is not moved into an account, and a course’s category does not belong to any account', async () => {
  const here = campus.course(6);
  const [account, other] = [...ts.sandbox.world.accounts.values()].filter(
    (one) => one.sis_source_id !== null,
  );
  const [one] = await students(here.id);
  await sent(
    await zipOf({
      'categories.csv': `group_category_id,course_id,category_name,status\nGN-K,${here.sis},Places,active`,
      'groups.csv': `${GROUPS}\nGN-FULL,,${here.sis},,Full,available\nGN-ACC,,,${account?.sis_source_id},Account,available`,
      'members.csv': `${MEMBERS}\nGN-FULL,${one?.sis},accepted\nGN-ACC,${one?.sis},accepted`,
    }),
    'before.zip',
  );
  const { id } = await sent(
    [
      GROUPS,
      `GN-FULL,,,${account?.sis_source_id},Full,available`,
      `GN-ACC,,,${other?.sis_source_id},Account,available`,
      `GN-NEW,GN-K,,${account?.sis_source_id},New,available`,
    ].join('\n'),
  );
  const { rows } = await effectRows(alma, id, { table: 'group' });
  const told = rows
    .toSorted((a, b) => a.row - b.row)
    .map(({ does, problems, fields }) => [does, problems.map(({ column }) => column), fields]);
  expect(told).toEqual([
    ['fails', ['account_id'], []],
    ['changes', [], [['account_id', account?.sis_source_id, other?.sis_source_id]]],
    ['fails', ['group_category_id'], []],
  ]);
  expect(refusedByLms()).toEqual([2, 4]);
  expect(placeOf('GN-ACC')).toEqual([null, other?.sis_source_id]);
});

test('SIS-06: a group category moves to the course or account of its row, or to the root account if the row names none, unless it has groups', async () => {
  const { accounts, courses, groupCategories } = ts.sandbox.world;
  const [here, there] = [campus.course(7), campus.course(8)];
  const [account, other] = [...accounts.values()].filter((one) => one.sis_source_id !== null);
  const header = 'group_category_id,course_id,account_id,category_name,status';
  const at = (id: string, course: string, of = '') => `GC-${id},${course},${of},${id},active`;
  const [one, two] = [account?.sis_source_id ?? '', other?.sis_source_id ?? ''];
  await sent(
    await zipOf({
      'categories.csv': [
        header,
        ...['A', 'B', 'C', 'STAY', 'FULL'].map((id) => at(id, here.sis)),
        at('ACC', '', one),
        at('ACCFULL', '', one),
        at('ROOT', ''),
      ].join('\n'),
      'groups.csv': `${GROUPS}\nGC-G,GC-FULL,,,x,available\nGC-H,GC-ACCFULL,,,x,available`,
    }),
    'before.zip',
  );
  const ids = ['A', 'B', 'C', 'STAY', 'FULL', 'ACC', 'ACCFULL', 'ROOT'].map((id) => `GC-${id}`);
  const placed = (sisId: string) => {
    const found = groupCategories.by.sis.get(sisId);
    return found?.context_type === 'Course'
      ? [courses.must(found.context_id).sis_source_id, null]
      : [null, accounts.must(found?.context_id ?? 0).sis_source_id];
  };
  const before = new Map(ids.map((id) => [id, placed(id)]));
  const { id } = await sent(
    await zipOf({
      'categories.csv': [
        header,
        at('A', there.sis),
        at('B', '', one),
        at('C', ''),
        at('STAY', here.sis),
        at('FULL', there.sis),
        at('ACC', '', two),
        at('ACCFULL', '', two),
        at('ROOT', ''),
      ].join('\n'),
      'groups.csv': `${GROUPS}\nGC-I,GC-A,${there.sis},,In the new place,available`,
    }),
    'moving.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'group_category' });
  const shown = new Map(rows.map(({ of, does, fields, why }) => [of.id, { does, fields, why }]));
  for (const sisId of ids) {
    const [[course, into], [courseNow, intoNow]] = [before.get(sisId) ?? [], placed(sisId)];
    const fields = [
      ...(course === courseNow ? [] : [['course_id', course, courseNow]]),
      ...(into === intoNow ? [] : [['account_id', into, intoNow]]),
    ];
    const does = sisId.endsWith('FULL') ? 'fails' : fields.length === 0 ? 'nothing' : 'changes';
    expect([sisId, shown.get(sisId)]).toMatchObject([sisId, { does, fields }]);
  }
  expect(shown.get('GC-C')?.why).toContain('moves to the root account');
  expect((await effectRows(alma, id, { table: 'group' })).rows).toMatchObject([{ does: 'creates' }]);
  expect(refusedByLms()).toEqual([6, 8]);
});

test('SIS-06: a deleted group or category that is restored is not announced as new', async () => {
  const here = campus.course(9);
  const categories = 'group_category_id,course_id,category_name,status';
  const files = (status: string) => ({
    'categories.csv': `${categories}\nGB-K,${here.sis},Back,${status === 'deleted' ? status : 'active'}`,
    'groups.csv': `${GROUPS}\nGB-G,,${here.sis},,Back,${status}`,
  });
  await sent(await zipOf(files('available')), 'a.zip');
  const { groups, groupCategories } = ts.sandbox.world;
  const was = [groups.by.sis.get('GB-G')?.id, groupCategories.by.sis.get('GB-K')?.id];
  await sent(await zipOf(files('deleted')), 'b.zip');
  const { id } = await sent(await zipOf(files('available')), 'c.zip');
  for (const table of ['group', 'group_category'] as const)
    expect((await effectRows(alma, id, { table })).rows[0]?.why).toMatch(
      /the LMS restores that (group|category) instead/,
    );
  expect([groups.by.sis.get('GB-G')?.id, groupCategories.by.sis.get('GB-K')?.id]).toEqual(was);
});

test('SIS-06: restoring a deleted category is announced with a warning, because its groups may be in another course', async () => {
  const [here, there] = [campus.course(9), campus.course(10)];
  const category = (course: string, status: string) =>
    `group_category_id,course_id,category_name,status\nGM-K,${course},Moved,${status}`;
  await sent(
    await zipOf({ 'c.csv': category(here.sis, 'active'), 'g.csv': `${GROUPS}\nGM-G,GM-K,,,Team,available` }),
    'a.zip',
  );
  await sent(category(here.sis, 'deleted'));
  const { id } = await sent(category(there.sis, 'active'));
  expect(refusedByLms()).toEqual([2]);
  const { rows } = await effectRows(alma, id, { table: 'group_category' });
  expect(rows[0]?.why).toContain('The LMS rejects the row if groups of that category are in another course');
});
