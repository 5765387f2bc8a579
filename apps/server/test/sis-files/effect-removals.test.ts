/** Every loss of access is announced, counted and confirmed: compared with the LMS before and after (SIS-06). */
import { describe, expect, test } from 'vitest';
import { alma, campus, ENROL, openEffects, ts, USERS } from './effect-campus.ts';
import {
  COURSES,
  fullCourse,
  LISTINGS,
  MEMBERS,
  observed,
  SECTIONS,
  sectioned,
  sent,
  students,
} from './removals.ts';
import { effectRows, zipOf } from './support.ts';

openEffects();

describe('people', () => {
  test('SIS-06: deleted people lose enrolments, groups and observers, course by course, and the total is confirmed by number', async () => {
    const { course, places, one } = await fullCourse(0);
    observed(places[0]?.id ?? 0, 0);
    const rows = places.map(({ sis, id }) => `${sis},${campus.person(id).email},x,deleted`);
    const { id, effect, all } = await sent([USERS, ...rows].join('\n'));
    expect(all).toBeGreaterThan(places.length * 2);
    expect(effect.brake.confirm).toBe(all);
    expect(effect.brake.courses.map(({ name }) => name)).toContain(course.name);
    const { rows: deleted } = await effectRows(alma, id, { table: 'user', does: 'deletes' });
    expect(deleted[0]?.takes).toMatch(/^with \d+ enrolments? in \d+ courses?, \d+ group membership/);
    expect(one).toBe('REM-A0');
  });

  test('SIS-06: a person with another login keeps everything; deleting the last login removes it all', async () => {
    const { world } = ts.sandbox;
    const [place] = await students(sectioned()[5]?.course.id ?? 0);
    const person = campus.person(place?.id ?? 0);
    const login = world.pseudonyms.by.sis.get(person.sis);
    if (!login) throw new Error('no login');
    const { id: _id, ...like } = login;
    world.pseudonyms.add({ ...like, unique_id: 'second@rem.example', sis_user_id: 'REM-2' });
    const first = await sent(`${USERS}\n${person.sis},${person.email},x,deleted`);
    expect(first.effect.brake.takes).toEqual([{ kind: 'login', count: 1 }]);
    const { rows } = await effectRows(alma, first.id, { table: 'login', does: 'deletes' });
    expect(rows[0]?.why).toContain('they keep the login "second@rem.example"');
    const last = await sent(`${USERS}\nREM-2,second@rem.example,x,deleted`);
    expect(last.effect.brake.takes.slice(0, 2)).toMatchObject([
      { kind: 'user', count: 1 },
      { kind: 'enrollment' },
    ]);
    expect(last.all).toBeGreaterThan(1);
  });

  test('SIS-06: a person and their course in one zip are counted once; suspended people lose only the login', async () => {
    const { course, places } = await fullCourse(1);
    const [one, two] = places;
    const line = (at: typeof one, status: string) =>
      `${at?.sis},${campus.person(at?.id ?? 0).email},x,${status}`;
    const { lost } = await sent(
      await zipOf({
        'users.csv': [USERS, line(one, 'deleted'), line(two, 'suspended')].join('\n'),
        'enrollments.csv': [
          ENROL,
          `${course.sis},${one?.section},${one?.sis},3,deleted`,
          `${course.sis},${two?.section},${two?.sis},3,completed`,
        ].join('\n'),
      }),
      'all.zip',
    );
    expect(lost.takes[0]).toEqual({ kind: 'user', count: 2 });
    const again = await sent(`${USERS}\n${line(two, 'suspended')}`);
    expect(again.effect.brake.takes).toEqual([]);
  });

  test('SIS-06: when an observer link ends, the observer’s enrolments are removed', async () => {
    const places = await students(campus.course(22).id);
    const student = places[2];
    const observer = observed(student?.id ?? 0, 1);
    const { lost } = await sent(`observer_id,student_id,status\n${observer.sis},${student?.sis},deleted`);
    expect(lost.takes).toEqual([
      { kind: 'enrollment', count: expect.any(Number) },
      { kind: 'user_observer', count: 1 },
    ]);
  });
});

describe('places', () => {
  test('SIS-06: concluding a course ends its active enrolments, whose number has to be confirmed', async () => {
    const course = campus.course(23);
    const places = await students(course.id);
    const held = ts.sandbox.world.courses.must(course.id);
    const { effect, all } = await sent(
      `${COURSES}\n${course.sis},${held.course_code},${held.name},completed`,
    );
    expect(effect.brake.reason).toBe('whole-place');
    expect(all).toBeGreaterThan(places.length);
  });

  test('SIS-06: sections cross-listed elsewhere leave their course, and return', async () => {
    const { course, named } = await fullCourse(2);
    const target = campus.course(3, 163);
    const rows = (status: string) =>
      [LISTINGS, ...named.map(({ sis }) => `${target.sis},${sis},${status}`)].join('\n');
    const away = await sent(rows('active'));
    expect(away.effect.brake).toMatchObject({
      reason: 'whole-place',
      courses: [{ sis_course_id: course.sis }],
    });
    const back = await sent(rows('deleted'));
    expect(back.effect.brake.courses).toMatchObject([{ sis_course_id: target.sis }]);
    expect(back.all).toBe(away.all);
    const listed = await effectRows(alma, away.id, { table: 'xlist' });
    expect(listed.rows[0]?.takes).toMatch(/^\d+ enrolments? leaves? the current course$/);
  });

  test('SIS-06: a section that moves removes people from its course, and rows in the same zip find it in the other course', async () => {
    const { course, named, places } = await fullCourse(3);
    const [section] = named.filter(({ sis }) => places.some((place) => place.section === sis));
    const inside = places.filter((place) => place.section === section?.sis);
    const target = campus.course(4, 163);
    const { effect } = await sent(
      await zipOf({
        'sections.csv': `${SECTIONS}\n${section?.sis},${target.sis},${section?.name},active`,
        'enrollments.csv': `${ENROL}\n${target.sis},${section?.sis},${inside[0]?.sis},3,deleted`,
      }),
      'move.zip',
    );
    expect(effect.brake).toMatchObject({
      confirm: expect.any(Number),
      reason: 'whole-place',
      courses: [{ sis_course_id: course.sis }],
    });
  });

  test('SIS-06: deleted sections and courses end the memberships of people without another enrolment there', async () => {
    const { course, named } = await fullCourse(4);
    const [section] = named;
    await sent(`${SECTIONS}\n${section?.sis},${course.sis},x,deleted`);
    const { lost } = await sent(
      await zipOf({
        'courses.csv': `${COURSES}\n${course.sis},x,y,deleted`,
        'sections.csv': `${SECTIONS}\n${section?.sis},${course.sis},x,deleted`,
      }),
      'gone.zip',
    );
    expect(lost.takes[0]).toEqual({ kind: 'course', count: 1 });
  });
});

describe('enrolments and groups', () => {
  test('SIS-06: people who leave a course leave its groups, and are named; people with another enrolment stay in them', async () => {
    const { course, places } = await fullCourse(5);
    const [one, two, three] = places;
    const { id, lost } = await sent(
      [
        ENROL,
        `${course.sis},${one?.section},${one?.sis},3,deleted`,
        `${course.sis},${two?.section},${two?.sis},3,completed`,
        // Removed and added again: the group membership is not restored.
        `${course.sis},${three?.section},${three?.sis},3,deleted`,
        `${course.sis},${three?.section},${three?.sis},3,active`,
      ].join('\n'),
    );
    expect(lost.takes[0]).toEqual({ kind: 'enrollment', count: 2 });
    const { rows } = await effectRows(alma, id, { table: 'enrollment', does: 'removes' });
    expect(rows[0]?.takes).toMatch(/leaves the groups? .*Red/);
  });

  test('SIS-06: removing a student removes linked observers', async () => {
    const course = campus.courseForRows(9);
    const places = await students(course.id);
    const [student] = places.slice(-1);
    observed(student?.id ?? 0, 2);
    const { lost, id } = await sent(`${ENROL}\n${course.sis},${student?.section},${student?.sis},3,deleted`);
    expect(lost.takes[0]).toEqual({ kind: 'enrollment', count: 2 });
    const { rows } = await effectRows(alma, id, { table: 'enrollment' });
    expect(rows[0]?.takes).toContain('with 1 observer');
  });

  test('SIS-06: joining a group means leaving the other one in its category, named and counted; a deleted group loses its members', async () => {
    const { course, places, one, two, category } = await fullCourse(5);
    const joins = await sent(
      `${MEMBERS}\n${two},${places[0]?.sis},accepted\n${one},${places[2]?.sis},deleted`,
    );
    expect(joins.lost.takes).toEqual([{ kind: 'group_membership', count: 2 }]);
    const { rows } = await effectRows(alma, joins.id, { table: 'group_membership', does: 'creates' });
    expect(rows[0]?.takes).toBe('leaves the group Red');
    const there = await sent(
      `${MEMBERS}\n${one},${places[0]?.sis},accepted\n${two},${places[0]?.sis},accepted`,
    );
    expect(there.lost.takes).toEqual([]);
    const gone = await sent(
      await zipOf({
        'groups.csv': `group_id,group_category_id,name,status\n${two},${category},Blue,deleted`,
        'members.csv': `${MEMBERS}\n${two},${places[0]?.sis},deleted`,
      }),
      'groups.zip',
    );
    expect(gone.lost.takes[0]).toEqual({ kind: 'group', count: 1 });
    const last = await sent(
      `group_category_id,course_id,category_name,status\n${category},${course.sis},Teams,deleted`,
    );
    expect(last.lost.takes).toEqual([{ kind: 'group_category', count: 1 }]);
  });
});
