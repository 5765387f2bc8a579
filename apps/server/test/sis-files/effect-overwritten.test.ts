/** Side effects of rows, shown field by field, and still named correctly after later changes (SIS-06). */
import { expect, test } from 'vitest';
import { submit, submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, seated, ts } from './effect-campus.ts';
import { COURSES, fullCourse, MEMBERS, observed, SECTIONS, sectioned, sent } from './removals.ts';
import { doing, effectRows, reviewed } from './support.ts';

openEffects();

const OBSERVERS = 'observer_id,student_id,status';

test('SIS-06: deleted_last_completed overwrites the dates of an enrolment that is already concluded', async () => {
  const { enrollments } = ts.sandbox.world;
  const { course, places } = await seated(0);
  const [student] = places;
  const held = enrollments.by.course
    .get(course.id)
    .find((one) => one.user_id === student?.id && one.workflow_state === 'active');
  if (!held) throw new Error('the campus has no such enrolment');
  enrollments.change(held, { workflow_state: 'completed', end_at: '2030-05-01T00:00:00Z' });
  const row = `${course.sis},${student?.section},${student?.sis},3,deleted_last_completed`;
  const { id } = await sent(`${ENROL},limit_section_privileges\n${row},true`);
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows).toMatchObject([{ does: 'changes', why: expect.stringContaining('is already concluded') }]);
  expect(rows[0]?.fields.map(([field]) => field)).toEqual(['end_date', 'limit_section_privileges']);
  expect(enrollments.must(held.id)).toMatchObject({ end_at: null, workflow_state: 'completed' });
  // Sending the same file again changes nothing.
  const again = await sent(`${ENROL},limit_section_privileges\n${row},true`);
  expect(doing(again.effect, 'enrollment')).toEqual({ nothing: 1 });
});

test('SIS-06: a row that deletes a course or term that is already deleted shows what else it changes', async () => {
  const { world } = ts.sandbox;
  const course = campus.course(3, 163);
  await sent(`${COURSES}\n${course.sis},x,y,deleted`);
  const { id, effect } = await sent(
    `${COURSES},start_date,end_date\n${course.sis},NEW,Other name,deleted,2020-09-01,2020-10-01`,
  );
  const { rows } = await effectRows(alma, id, { table: 'course' });
  expect(rows).toMatchObject([{ does: 'changes', why: 'The course is already deleted.' }]);
  expect(rows[0]?.fields.map(([field]) => field)).toEqual(
    expect.arrayContaining(['long_name', 'short_name', 'end_date']),
  );
  // The course has no enrolled people who could lose access.
  expect(effect.notes.join()).not.toContain('end date');
  expect(world.courses.must(course.id).name).toBe('Other name');
  const terms = 'term_id,name,status';
  await sent(`${terms}\nGONE-T,Gone,active`);
  await sent(`${terms}\nGONE-T,Gone,deleted`);
  const term = await sent(`${terms}\nGONE-T,Other,deleted`);
  expect(doing(term.effect, 'term')).toEqual({ changes: 1 });
  expect(world.terms.by.sis.get('GONE-T')).toMatchObject({ name: 'Other', workflow_state: 'deleted' });
});

test('SIS-06: an observer who leaves only with the student also leaves the course’s groups, and is named with them', async () => {
  const { world } = ts.sandbox;
  const { course, places, one } = await fullCourse(1);
  const student = places[5];
  const observer = observed(student?.id ?? 0, 1);
  await sent(`${MEMBERS}\n${one},${observer.sis},accepted`);
  const row = `${course.sis},${student?.section},${student?.sis},3,deleted`;
  const { id, lost } = await sent(`${ENROL}\n${row}`);
  expect(lost.takes[0]).toEqual({ kind: 'enrollment', count: 2 });
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  const name = world.users.must(observer.id).name;
  expect(rows[0]?.takes).toMatch(new RegExp(`with 1 observer, ${name} leaves the group Red$`));
  const group = world.groups.by.sis.get(one);
  const member = world.groupMemberships.by.group.get(group?.id ?? 0).find((m) => m.user_id === observer.id);
  expect(member?.workflow_state).toBe('deleted');
});

test('SIS-06: if one file deletes an observer link and creates it again, nothing is lost and nothing is added', async () => {
  const { world } = ts.sandbox;
  const { places } = await seated(2);
  const [student] = places;
  const observer = observed(student?.id ?? 0, 2);
  const rows = (...status: string[]) =>
    [OBSERVERS, ...status.map((one) => `${observer.sis},${student?.sis},${one}`)].join('\n');
  const { id, effect, lost } = await sent(rows('deleted', 'active'));
  expect(lost.takes).toEqual([]);
  expect(effect.notes.join()).not.toContain('of observers');
  const shown = (await effectRows(alma, id, { table: 'user_observer' })).rows;
  expect(shown.toSorted((a, b) => a.row - b.row).map(({ does }) => does)).toEqual(['removes', 'restores']);
  const live = world.enrollments.by.user
    .get(observer.id)
    .filter((one) => one.workflow_state === 'active' && one.associated_user_id === student?.id);
  expect(live.length).toBeGreaterThan(0);
  // If the last row deletes the link, it is lost.
  const gone = await sent(rows('deleted', 'active', 'deleted'));
  expect(gone.lost.takes).toEqual([
    { kind: 'enrollment', count: live.length },
    { kind: 'user_observer', count: 1 },
  ]);
});

test('SIS-06: a section cross-listed since the review is reported as being in another course now', async () => {
  const { world } = ts.sandbox;
  const found = sectioned()[3];
  const section = found?.named[0];
  const target = campus.course(8, 163);
  const { id } = await reviewed(alma, `${SECTIONS}\n${section?.sis},${found?.course.sis},Renamed,active`);
  const held = world.sections.must(section?.id ?? 0);
  world.sections.change(held, { course_id: target.id, nonxlist_course_id: found?.course.id ?? null });
  const refused = await submit(alma, { file: id });
  expect(refused.status).toBe(409);
  expect((await refused.json()).error.message).toContain('the section is in another course now.');
});

test('SIS-06: a full group is announced as rows fill it; people who leave another group to join this one are counted', async () => {
  const { world } = ts.sandbox;
  const { places, one, two } = await fullCourse(0);
  const [red, blue, , , fifth, sixth] = places;
  const group = world.groups.by.sis.get(one);
  if (!group) throw new Error('no group');
  // Two people are in each of the groups.
  world.groups.change(group, { max_membership: 3 });
  const row = (who: typeof red, status = 'accepted') => `${one},${who?.sis},${status}`;
  const file = [MEMBERS, row(fifth), row(sixth), row(blue), row(sixth, 'deleted')].join('\n');
  const { id, effect } = await reviewed(alma, file);
  const shown = (await effectRows(alma, id, { table: 'group_membership' })).rows;
  const told = shown.toSorted((a, b) => a.row - b.row);
  expect(told.map(({ does }) => does)).toEqual(['creates', 'unknown', 'unknown', 'nothing']);
  expect(told[1]?.why).toContain('The group Red is full');
  // Only one of the two is in the other group.
  expect(effect.brake.takes).toEqual([{ kind: 'group_membership', count: 1 }]);
  await watch(alma, (await submitted(alma, { file: id, deletions: effect.brake.confirm ?? 0 })).id);
  const errors = [...world.sisBatches.values()].at(-1)?.errors ?? [];
  expect(errors.map(({ row: at }) => at)).toEqual([3, 4, 5]);
  expect(two).toBe('REM-B0');
  // A person who leaves makes room.
  const moved = await sent([MEMBERS, row(red, 'deleted'), row(sixth)].join('\n'));
  expect(doing(moved.effect, 'group_membership')).toEqual({ removes: 1, creates: 1 });
});
