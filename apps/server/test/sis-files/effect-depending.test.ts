/**
 * Rows whose effect depends on other tables in the upload: on rows that come later, or whose own result is
 * uncertain (SIS-06).
 */
import { expect, test } from 'vitest';
import { submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, openEffects, ts } from './effect-campus.ts';
import { fullCourse, MEMBERS, observed, SECTIONS, sectioned, sent, students } from './removals.ts';
import { effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const OBSERVERS = 'observer_id,student_id,status';
const GROUPS = 'group_id,group_category_id,name,status';
const ENROL = 'course_id,section_id,user_id,role_id,status';
type Table = NonNullable<Parameters<typeof effectRows>[2]['table']>;

/** Reads a table's rows as the review shows them, in file order. */
async function rowsOf(id: string, table: Table) {
  const { rows } = await effectRows(alma, id, { table });
  return rows.sort((one, other) => one.row - other.row);
}

/** Lists the rows in the latest import that the LMS rejected, by table. */
const refusedByLms = () =>
  ([...ts.sandbox.world.sisBatches.values()].at(-1)?.errors ?? []).map(
    ({ file, row }) => `${file?.replace(/.*-/, '')} ${row}`,
  );

/** Sends a zip with uncertain rows. Their possible removals are confirmed, whether the LMS applies them or not. */
async function taken(content: Uint8Array, name: string) {
  const { id, effect } = await reviewed(alma, content, name);
  const { confirm } = effect.brake;
  await watch(
    alma,
    (await submitted(alma, { file: id, ...(confirm === null ? {} : { deletions: confirm }) })).id,
  );
  return { id, effect };
}

/** Lists the groups that a person is in. */
const groupsOf = (person: number) => {
  const { groupMemberships, groups } = ts.sandbox.world;
  return groupMemberships.by.user
    .get(person)
    .flatMap((one) => (one.workflow_state === 'accepted' ? [groups.must(one.group_id).sis_source_id] : []));
};

test("SIS-06: an observer's new group membership ends with the link that a later table deletes, even if another row restores the link", async () => {
  const { places, one, two } = await fullCourse(0);
  const student = places[5];
  const observer = observed(student?.id ?? 0, 0);
  const link = (status: string) => `${observer.sis},${student?.sis},${status}`;
  const gone = await sent(
    await zipOf({
      'm.csv': `${MEMBERS}\n${one},${observer.sis},accepted`,
      'o.csv': `${OBSERVERS}\n${link('deleted')}`,
    }),
    'gone.zip',
  );
  expect(await rowsOf(gone.id, 'group_membership')).toMatchObject([
    { does: 'nothing', why: expect.stringContaining('user_observers') },
  ]);
  expect(groupsOf(observer.id)).toEqual([]);
  await sent(`${OBSERVERS}\n${link('active')}`);
  await sent(`${MEMBERS}\n${one},${observer.sis},accepted`);
  const back = await sent(
    await zipOf({
      'm.csv': `${MEMBERS}\n${two},${observer.sis},accepted`,
      'o.csv': `${OBSERVERS}\n${link('deleted')}\n${link('active')}`,
    }),
    'back.zip',
  );
  expect(back.lost.takes).toEqual([{ kind: 'group_membership', count: 1 }]);
  expect(await rowsOf(back.id, 'group_membership')).toMatchObject([
    { does: 'changes', takes: 'leaves the group Red' },
  ]);
  expect(groupsOf(observer.id)).toEqual([]);
});

test('SIS-06: an observer who joins a course with a student in the same upload can join its groups', async () => {
  const { course, one } = await fullCourse(1);
  const [student] = campus.strangers(21, [course.id]).slice(-1);
  const observer = observed(student?.id ?? 0, 1);
  const { id } = await sent(
    await zipOf({
      'e.csv': `${ENROL}\n${course.sis},,${student?.sis},3,active`,
      'm.csv': `${MEMBERS}\n${one},${observer.sis},accepted`,
    }),
    'with.zip',
  );
  expect(await rowsOf(id, 'group_membership')).toMatchObject([{ does: 'creates' }]);
  expect(refusedByLms()).toEqual([]);
  expect(groupsOf(observer.id)).toEqual([one]);
});

test('SIS-06: rows in a course that an uncertain row may delete are uncertain too, whichever way it turns out', async () => {
  const header = 'account_id,parent_account_id,name,status';
  await sent(`${header}\nDEP-OLD,,Old office,active`);
  await sent(`${header}\nDEP-OLD,,Old office,deleted`);
  for (const [index, account] of [
    [2, 'DEP-NEVER'],
    [3, 'DEP-OLD'],
  ] as const) {
    const { course, places, one } = await fullCourse(index);
    const [guest] = campus.strangers(1, [course.id]);
    const { id } = await taken(
      await zipOf({
        'c.csv': `course_id,short_name,long_name,account_id,status\n${course.sis},x,"${course.name}",${account},deleted`,
        'e.csv': `${ENROL}\n${course.sis},,${guest?.sis},3,active`,
        'k.csv': `group_category_id,course_id,category_name,status\nDEP-K${index},${course.sis},Later,active`,
        'g.csv': `${GROUPS}\nDEP-G${index},DEP-K${index},Later,available`,
        'm.csv': `${MEMBERS}\n${one},${places[6]?.sis},accepted\n${one},${places[0]?.sis},deleted`,
      }),
      'perhaps.zip',
    );
    for (const table of ['enrollment', 'group_category', 'group', 'group_membership'] as const)
      for (const row of await rowsOf(id, table)) expect(row.does).toBe('unknown');
    expect(refusedByLms()).toEqual(
      index === 2 ? ['c.csv 2'] : ['e.csv 2', 'k.csv 2', 'g.csv 2', 'm.csv 2', 'm.csv 3'],
    );
  }
});

test('SIS-06: a removal from a section that the same upload creates as deleted removes no one, and is accepted', async () => {
  const { course } = sectioned()[4] ?? { course: { id: 0, sis: '' } };
  const [student] = await students(course.id);
  const { id, effect } = await taken(
    await zipOf({
      's.csv': `${SECTIONS}\nDEP-S,${course.sis},Gone,deleted`,
      'e.csv': [
        ENROL,
        `${course.sis},DEP-S,${student?.sis},3,deleted`,
        `,DEP-S,${student?.sis},5,deleted`,
        `${course.sis},DEP-S,${student?.sis},4,active`,
      ].join('\n'),
    }),
    'buried.zip',
  );
  expect((await rowsOf(id, 'enrollment')).map(({ does }) => does)).toEqual(['nothing', 'nothing', 'fails']);
  expect(effect.brake.takes).toEqual([{ kind: 'section', count: 1 }]);
  expect(refusedByLms()).toEqual(['e.csv 4']);
});

test('SIS-06: integration IDs that people rows assign, keep for others or take with them when deleted', async () => {
  const { course } = sectioned()[5] ?? { course: { id: 0, sis: '' } };
  const [one, other] = campus.strangers(24, [course.id]).slice(-2);
  const PEOPLE = 'user_id,login_id,integration_id,full_name,status';
  const BY = 'course_id,user_id,user_integration_id,role_id,status';
  const { pseudonyms, users, enrollments } = ts.sandbox.world;
  const person = (who: typeof one, integration: string) =>
    `${who?.sis},${pseudonyms.by.sis.get(who?.sis ?? '')?.unique_id},${integration},${users.must(who?.id ?? 0).name},active`;
  await sent(`${PEOPLE}\n${person(one, 'DEP-I1')}`);
  const { id } = await sent(
    await zipOf({
      // The second person cannot have the first one's ID, so rows with it still mean the first person.
      'u.csv': `${PEOPLE}\n${person(other, 'DEP-I1')}\nDEP-DEL,dep.del@x.example,DEP-I2,Del Two,deleted`,
      'l.csv': `user_id,existing_user_id,login_id,integration_id,status\nDEP-L,${one?.sis},dep.l@x.example,DEP-I3,active`,
      'e.csv': [
        BY,
        `${course.sis},,DEP-I1,3,active`,
        `${course.sis},,DEP-I2,3,deleted`,
        `${course.sis},${one?.sis},DEP-I3,5,active`,
      ].join('\n'),
    }),
    'ids.zip',
  );
  expect((await rowsOf(id, 'enrollment')).map(({ does }) => does)).toEqual(['creates', 'nothing', 'creates']);
  expect(refusedByLms()).toEqual(['u.csv 2']);
  const inside = enrollments.by.user
    .get(one?.id ?? 0)
    .flatMap((each) =>
      each.course_id === course.id && each.workflow_state === 'active' ? [each.role_id] : [],
    );
  expect(inside).toEqual([3, 5]);
});
