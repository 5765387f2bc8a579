/** Files that remove something are sent, and compared with the LMS before and after. */
import { expect } from 'vitest';
import { submit, submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ts } from './effect-campus.ts';
import { announced, lookAt, lostBetween } from './lost.ts';
import { reviewed, zipOf } from './support.ts';

export const SECTIONS = 'section_id,course_id,name,status';
export const LISTINGS = 'xlist_course_id,section_id,status';
export const COURSES = 'course_id,short_name,long_name,status';
export const MEMBERS = 'group_id,user_id,status';

/** Reviews a file, sends it, and compares the announcement with the losses in the LMS. */
export async function sent(content: string | Uint8Array, name?: string) {
  const { world } = ts.sandbox;
  const { id, effect } = await reviewed(alma, content, name);
  const before = lookAt(world);
  const { confirm } = effect.brake;
  if (confirm !== null) {
    expect((await submit(alma, { file: id })).status).toBe(400);
    expect((await submit(alma, { file: id, deletions: confirm + 1 })).status).toBe(400);
  }
  const typed = { file: id, ...(confirm === null ? {} : { deletions: confirm }) };
  const allowed = effect.new_courses.map((one) => one.sis_course_id);
  if (allowed.length > 0) expect((await submit(alma, typed)).status).toBe(400);
  const done = await submitted(alma, { ...typed, ...(allowed.length > 0 ? { new_courses: allowed } : {}) });
  await watch(alma, done.id);
  const lost = lostBetween(before, lookAt(world), world);
  expect(announced(effect)).toEqual(lost);
  const all = lost.takes.reduce((sum, { count }) => sum + count, 0);
  if (confirm !== null) expect(confirm).toBe(all);
  return { id, effect, lost, all };
}

/** Finds courses with sections that a file can name, and students in them. */
export function sectioned() {
  const { world } = ts.sandbox;
  const named = (id: number) =>
    [...world.sections.by.course.get(id)].filter(
      (one) =>
        one.workflow_state === 'active' && one.sis_source_id !== null && one.nonxlist_course_id === null,
    );
  return campus
    .courses(86)
    .filter(
      ({ id }) =>
        named(id).length > 0 && [...world.sections.by.course.get(id)].some((one) => one.default_section),
    )
    .map((course) => ({
      course: { id: course.id, sis: course.sis_source_id ?? '', name: course.name },
      named: named(course.id).map(({ id, sis_source_id, name }) => ({ id, sis: sis_source_id ?? '', name })),
    }));
}

/** Lists a course's students whom a file can name, in the sandbox's current state. */
export async function students(course: number) {
  const { world } = ts.sandbox;
  return (await campus.enrolments(course, 3)).flatMap((one) => {
    const { sis } = campus.person(one.user_id);
    const section = world.sections.must(one.course_section_id);
    if (sis === '' || (section.sis_source_id === null && !section.default_section)) return [];
    return [{ id: one.user_id, sis, section: section.sis_source_id ?? '' }];
  });
}

/** Prepares a course with sections, and two groups in one category with some of its people. */
export async function fullCourse(index: number) {
  const found = sectioned()[index];
  if (!found) throw new Error('the campus has no such course');
  const { course, named } = found;
  const places = await students(course.id);
  const category = `REM-K${index}`;
  const [one, two] = [`REM-A${index}`, `REM-B${index}`];
  const people = places.slice(0, 4).map(({ sis }) => sis);
  const made = await reviewed(
    alma,
    await zipOf({
      'categories.csv': `group_category_id,course_id,category_name,status\n${category},${course.sis},Teams ${index},active`,
      'groups.csv': `group_id,group_category_id,name,status\n${one},${category},Red,available\n${two},${category},Blue,available`,
      'members.csv': [MEMBERS, ...people.map((sis, at) => `${at % 2 ? two : one},${sis},accepted`)].join(
        '\n',
      ),
    }),
    'groups.zip',
  );
  await watch(alma, (await submitted(alma, { file: made.id })).id);
  return { course, places, named, category, one, two };
}

/** Adds a person who observes a student in each course, with the observer's enrolments. */
export function observed(student: number, index: number) {
  const { world } = ts.sandbox;
  const [observer] = campus.strangers(40 + index, []).slice(-1);
  if (!observer) throw new Error('nobody');
  world.userObservers.add({
    user_id: student,
    observer_id: observer.id,
    workflow_state: 'active',
    sis_batch_id: null,
  });
  const role = world.roles.by.name.get('ObserverEnrollment')[0];
  for (const one of world.enrollments.by.user.get(student)) {
    if (one.workflow_state !== 'active') continue;
    const { id: _id, created_at: _created, updated_at: _updated, ...like } = one;
    world.enrollments.add({
      ...like,
      user_id: observer.id,
      type: 'ObserverEnrollment',
      role_id: role?.id ?? 7,
      associated_user_id: student,
    });
  }
  return observer;
}
