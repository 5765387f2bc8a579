/** Course groups with members who have left the course: rows end these memberships as well (SIS-06). */
import { expect, test } from 'vitest';
import { submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, ts } from './effect-campus.ts';
import { fullCourse, LISTINGS, MEMBERS, SECTIONS, sent } from './removals.ts';
import { doing, effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const AWAY = 163;

/** Prepares a section whose people are all in a group, and another course to which the section can move. */
async function grouped(index: number) {
  const { course, named, places, one, two } = await fullCourse(index);
  const [section] = named.filter(({ sis }) => places.some((place) => place.section === sis));
  if (!section) throw new Error('no section with people');
  const people = places.filter((place) => place.section === section.sis);
  const joined = await reviewed(
    alma,
    [MEMBERS, ...people.map(({ sis }) => `${one},${sis},accepted`)].join('\n'),
  );
  const { confirm } = joined.effect.brake;
  await watch(
    alma,
    (await submitted(alma, { file: joined.id, ...(confirm === null ? {} : { deletions: confirm }) })).id,
  );
  return { course, section, people, one, two, target: campus.course(index + 3, AWAY) };
}

/** Moves the section, as a colleague would on its page. */
const crossList = (section: number, course: number) =>
  campus.api(`sections/${section}/crosslist/${course}`, { method: 'POST', body: {} });
const listBack = (section: number) => campus.api(`sections/${section}/crosslist`, { method: 'DELETE' });

/** Lists the ids of a group's members, by the group's SIS ID. */
function membersOf(group: string) {
  const { groups, groupMemberships } = ts.sandbox.world;
  const { id } = groups.by.sis.get(group) ?? { id: 0 };
  return [...groupMemberships.by.group.get(id)]
    .filter((one) => one.workflow_state === 'accepted')
    .map((one) => one.user_id);
}

test('SIS-06: a section moved back into a course by the row that deletes it ends the group memberships that its people had kept there', async () => {
  const { course, section, people, one, target } = await grouped(0);
  await sent(`${SECTIONS}\n${section.sis},${target.sis},${section.name},active`);
  expect(membersOf(one)).toEqual(expect.arrayContaining(people.map(({ id }) => id)));
  const { id, lost } = await sent(`${SECTIONS}\n${section.sis},${course.sis},${section.name},deleted`);
  const { taken, members = 0 } = lost.courses.get(course.sis) ?? {};
  expect(taken).toBe(0);
  expect(members).toBeGreaterThanOrEqual(people.length);
  const { rows } = await effectRows(alma, id, { table: 'section', does: 'deletes' });
  expect(rows[0]?.takes).toMatch(new RegExp(`^with \\d+ enrolments? and ${members} group memberships?$`));
  for (const person of people) expect(membersOf(one)).not.toContain(person.id);
});

test('SIS-06: a row that removes a person who is only in a group of the course removes them from that group, named and counted', async () => {
  const { course, section, people, one, target } = await grouped(1);
  await crossList(section.id, target.id);
  const [person, other] = people;
  const { id, effect, lost } = await sent(
    `${ENROL}\n${course.sis},,${person?.sis},3,deleted\n${course.sis},,${person?.sis},4,deleted`,
  );
  expect(doing(effect, 'enrollment')).toEqual({ changes: 1, nothing: 1 });
  expect(lost.takes).toEqual([{ kind: 'group_membership', count: expect.any(Number) }]);
  const { rows } = await effectRows(alma, id, { table: 'enrollment', does: 'changes' });
  expect(rows).toMatchObject([
    {
      row: 2,
      takes: expect.stringMatching(/^leaves the groups? .*\bRed\b/),
      why: 'The person is not enrolled in the course, but is still in its groups. The LMS removes the person from these groups.',
    },
  ]);
  expect(membersOf(one)).not.toContain(person?.id);
  // When the file is sent again, the people are not in any group.
  const again = await sent(`${ENROL}\n${course.sis},,${person?.sis},3,deleted`);
  expect(doing(again.effect, 'enrollment')).toEqual({ nothing: 1 });
  expect(membersOf(one)).toContain(other?.id);
  await listBack(section.id);
});

test('SIS-06: people are also removed from a group if the upload moves their section to another course, or moves it back', async () => {
  const { course, section, people, one, target } = await grouped(2);
  const [first, second] = people;
  const listing = (status: string) => `${LISTINGS}\n${target.sis},${section.sis},${status}`;
  const away = await sent(
    await zipOf({
      'xlists.csv': listing('active'),
      'enrollments.csv': `${ENROL}\n${course.sis},,${first?.sis},3,deleted`,
    }),
    'away.zip',
  );
  expect(doing(away.effect, 'enrollment')).toEqual({ changes: 1 });
  const back = await sent(
    await zipOf({
      'xlists.csv': listing('deleted'),
      'enrollments.csv': `${ENROL}\n${course.sis},${section.sis},${second?.sis},3,deleted`,
    }),
    'back.zip',
  );
  const { rows } = await effectRows(alma, back.id, { table: 'enrollment', does: 'removes' });
  expect(rows[0]?.takes).toMatch(/^leaves the groups? .*\bRed\b/);
  for (const person of [first, second]) expect(membersOf(one)).not.toContain(person?.id);
});

test('SIS-06: a person who returns and joins another group of the category leaves the group that they had kept', async () => {
  const { course, section, people, one, two, target } = await grouped(3);
  await crossList(section.id, target.id);
  const [person] = people;
  const { id, lost } = await sent(
    await zipOf({
      'enrollments.csv': `${ENROL}\n${course.sis},,${person?.sis},3,active`,
      'members.csv': `${MEMBERS}\n${two},${person?.sis},accepted`,
    }),
    'joins.zip',
  );
  expect(lost.takes).toEqual([{ kind: 'group_membership', count: 1 }]);
  const { rows } = await effectRows(alma, id, { table: 'group_membership' });
  expect(rows[0]?.takes).toBe('leaves the group Red');
  expect([membersOf(one), membersOf(two)].map((all) => all.includes(person?.id ?? 0))).toEqual([false, true]);
  await listBack(section.id);
});

test('SIS-06: if the LMS does not list group members, the row is counted and says so', async () => {
  const { course, section, people, target } = await grouped(4);
  await crossList(section.id, target.id);
  await campus.fault({ match: '/api/v1/groups/*/memberships', kind: 'status', status: 500 });
  const { id, effect } = await reviewed(alma, `${ENROL}\n${course.sis},,${people[0]?.sis},3,deleted`);
  expect(effect.brake).toMatchObject({
    uncompared: [{ kind: 'group_membership', count: 1 }],
    confirm: 1,
    reason: 'untold',
  });
  const { rows } = await effectRows(alma, id, { table: 'enrollment', does: 'unknown' });
  expect(rows[0]?.why).toContain(
    'If so, the LMS removes the person from these groups, so the row counts as a removal.',
  );
});
