/** Effects of enrolment rows, compared with the LMS before anything is sent (SIS-06, OP-53). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { describe, expect, test } from 'vitest';
import { alma, campus, ENROL, nameOf, openEffects, seated, ts, USERS } from './effect-campus.ts';
import { sent } from './removals.ts';
import { doing, effectCourses, effectRows, reviewed, zipOf } from './support.ts';

openEffects();

describe('enrolments', () => {
  test('SIS-06: each row shows its effect, with names next to ids and links to the LMS', async () => {
    const { course, places } = await seated(4);
    const [one, two] = places;
    const [stranger] = campus.strangers(1, [course.id]);
    const row = `${course.sis},${one?.section},${one?.sis},3,deleted`;
    const { id, effect } = await reviewed(
      alma,
      [
        ENROL,
        row,
        row,
        `${course.sis},,${stranger?.sis},3,deleted`,
        `${course.sis},,NOBODY-1,3,deleted`,
        `${course.sis},${two?.section},${two?.sis},3,active`,
        `${course.sis},${two?.section},${two?.sis},3,completed`,
        `${course.sis},,${stranger?.sis},3,active`,
        `NO-COURSE,,${stranger?.sis},3,active`,
        `${course.sis},NO-SECTION,${stranger?.sis},3,active`,
      ].join('\n'),
    );
    expect(doing(effect, 'enrollment')).toEqual({
      removes: 1,
      concludes: 1,
      creates: 1,
      nothing: 3,
      fails: 3,
    });
    expect(effect.brake).toMatchObject({ takes: [{ kind: 'enrollment', count: 2 }] });
    expect(effect.brake.courses).toMatchObject([{ sis_course_id: course.sis, taken: 2 }]);
    const removed = await effectRows(alma, id, { table: 'enrollment', does: 'removes' });
    expect(removed).toMatchObject({
      all: 1,
      rows: [
        {
          row: 2,
          of: { id: one?.sis, name: nameOf(one?.id), page: `users/${one?.id}` },
          in: { id: course.sis, name: course.name, page: `courses/${course.id}` },
          role: 'Student',
          fields: [['status', 'active', 'deleted']],
        },
      ],
    });
    const why = async (does: 'nothing' | 'fails') =>
      (await effectRows(alma, id, { table: 'enrollment', does })).rows.map((each) => [each.row, each.why]);
    expect(await why('nothing')).toEqual([
      [3, 'Row 2 already says the same.'],
      [4, 'Row 8 of the file is about the same enrolment and overrides this row.'],
      [6, 'Row 7 of the file is about the same enrolment and overrides this row.'],
    ]);
    expect(await why('fails')).toEqual([
      [5, expect.stringMatching(/^No person in the LMS has the SIS ID "NOBODY-1"/)],
      [10, expect.stringContaining('has no section "NO-SECTION"')],
      [9, 'The LMS does not have this course or section.'],
    ]);
    const { courses } = await effectCourses(alma, id);
    expect(courses).toMatchObject([
      { of: { id: course.sis, name: course.name }, rows: 8, does: { removes: 1, concludes: 1 } },
      { of: { id: 'NO-COURSE' }, rows: 1, does: { fails: 1 } },
    ]);
    const [ours, strange] = courses;
    const ofOne = await effectRows(alma, id, {
      table: 'enrollment',
      does: 'fails',
      place: strange?.place ?? -1,
    });
    expect(ofOne).toMatchObject({ all: 1, rows: [{ row: 9 }] });
    // All effects in a course, dangerous ones first.
    const below = await effectRows(alma, id, { table: 'enrollment', place: ours?.place ?? -1 });
    expect(below.rows.map(({ row, does }) => [row, does])).toEqual([
      [2, 'removes'],
      [7, 'concludes'],
      [5, 'fails'],
      [10, 'fails'],
      [8, 'creates'],
      [3, 'nothing'],
      [4, 'nothing'],
      [6, 'nothing'],
    ]);
    expect(below.all).toBe(8);
    expect((await effectRows(alma, id, { table: 'enrollment' })).all).toBe(9);
    const found = await effectRows(alma, id, { table: 'enrollment', does: 'nothing', text: 'SAYS the same' });
    expect(found).toMatchObject({ all: 1, rows: [{ row: 3 }] });
    expect((await effectCourses(alma, id, { does: 'fails', text: 'no-c' })).all).toBe(1);
  });

  test('SIS-06: reactivated people, and dates that are removed or kept, are shown field by field', async () => {
    const { course, places } = await seated(9);
    const [one, two, three] = places;
    const { enrollments } = ts.sandbox.world;
    const of = (id?: number) =>
      [...enrollments.values()].find((each) => each.user_id === id && each.course_id === course.id);
    const [first, second, third] = [of(one?.id), of(two?.id), of(three?.id)];
    if (!first || !second || !third) throw new Error('the campus has no such course');
    enrollments.change(first, { workflow_state: 'completed' });
    enrollments.change(second, { start_at: '2026-09-01T00:00:00Z' });
    enrollments.change(third, { start_at: '2026-09-01T00:00:00Z' });
    const { id, effect } = await reviewed(
      alma,
      [
        `${ENROL},start_date`,
        `${course.sis},${one?.section},${one?.sis},3,active,`,
        `${course.sis},${two?.section},${two?.sis},3,active,`,
        `${course.sis},${three?.section},${three?.sis},3,active,2026-09-01`,
      ].join('\n'),
    );
    expect(doing(effect, 'enrollment')).toEqual({ restores: 1, changes: 1, nothing: 1 });
    const fields = async (does: 'restores' | 'changes') =>
      (await effectRows(alma, id, { table: 'enrollment', does })).rows[0]?.fields;
    expect(await fields('restores')).toEqual([['status', 'completed', 'active']]);
    expect(await fields('changes')).toEqual([['start_date', '2026-09-01T00:00:00Z', null]]);
    expect(effect.brake).toMatchObject({ takes: [], confirm: null, reason: null });
    enrollments.change(first, { workflow_state: 'active' });
  });

  test('SIS-06: the dates of a new enrolment are shown', async () => {
    const { course } = await seated(3);
    const [person] = campus.strangers(1, [course.id]);
    const { id } = await reviewed(
      alma,
      `${ENROL},start_date,end_date\n${course.sis},,${person?.sis},3,active,2026-09-01,2027-01-31T08:00:00Z`,
    );
    const { rows } = await effectRows(alma, id, { table: 'enrollment' });
    expect(rows[0]).toMatchObject({ does: 'creates' });
    expect(rows[0]?.fields.map(([field, before]) => [field, before])).toEqual([
      ['start_date', null],
      ['end_date', null],
    ]);
    expect(rows[0]?.fields[1]?.[2]).toMatch(/^2027-01-31T08:00:00/);
  });

  test('SIS-06: a role given by name is shown with its name in the LMS', async () => {
    const { course, places } = await seated(10);
    const [place] = places;
    const { id, effect } = await reviewed(
      alma,
      `course_id,section_id,user_id,role,status\n${course.sis},${place?.section},${place?.sis},student,deleted`,
    );
    expect(doing(effect, 'enrollment')).toEqual({ removes: 1 });
    const { rows } = await effectRows(alma, id, { table: 'enrollment' });
    expect(rows).toMatchObject([{ role: 'Student', fields: [['status', 'active', 'deleted']] }]);
  });

  test('SIS-06: people and objects created in a zip exist for its later files', async () => {
    const { course } = await seated(4);
    const enrol = [
      ENROL,
      'EFF-C,EFF-S,EFF-P,3,active',
      'EFF-C,EFF-S,EFF-P,3,deleted',
      `${course.sis},,EFF-P,3,active`,
      'EFF-C,NO-S,EFF-P,3,active',
    ].join('\n');
    const { effect } = await reviewed(
      alma,
      await zipOf({
        'e.csv': enrol,
        'users.csv': `${USERS}\nEFF-P,effp@x.example,New,active`,
        'sections.csv': 'section_id,course_id,name,status\nEFF-S,EFF-C,One,active',
        'courses.csv': 'course_id,short_name,long_name,status\nEFF-C,EC,A course,active',
      }),
      'all.zip',
    );
    expect(doing(effect, 'course')).toEqual({ creates: 1 });
    expect(doing(effect, 'section')).toEqual({ creates: 1 });
    expect(doing(effect, 'user')).toEqual({ creates: 1 });
    expect(doing(effect, 'enrollment')).toEqual({ creates: 1, nothing: 2, fails: 1 });
  });

  test('SIS-06: courses that lose people come first, those without effect last, and each can be found by its position', async () => {
    const [same, left] = [await seated(11), await seated(12)];
    const [stranger] = campus.strangers(1, [left.course.id]);
    const stays = `${same.course.sis},${same.places[0]?.section},${same.places[0]?.sis},3,active`;
    const ends = `${left.course.sis},${left.places[0]?.section},${left.places[0]?.sis},3,completed`;
    const { id } = await reviewed(
      alma,
      [ENROL, stays, `NO-COURSE,,${stranger?.sis},3,active`, ends].join('\n'),
    );
    const { courses } = await effectCourses(alma, id);
    expect(courses.map(({ of, does }) => [of.id, does])).toEqual([
      [left.course.sis, { concludes: 1 }],
      ['NO-COURSE', { fails: 1 }],
      [same.course.sis, { nothing: 1 }],
    ]);
    for (const { place, of } of courses) {
      const { rows } = await effectRows(alma, id, { table: 'enrollment', place });
      expect(rows.map((row) => row.in?.id)).toEqual([of.id]);
    }
  });

  test('SIS-06: people named by integration id are looked up; other accounts and unknown ids come with a reason', async () => {
    const { course } = await seated(13);
    const [stranger] = campus.strangers(1, [course.id]);
    const login = ts.sandbox.world.pseudonyms.by.sis.get(stranger?.sis ?? '');
    if (!login) throw new Error('the stranger has no login');
    ts.sandbox.world.pseudonyms.change(login, { integration_id: 'INT/7.1' });
    const header = 'course_id,user_id,user_integration_id,root_account,role_id,status';
    const { id, effect } = await reviewed(
      alma,
      [
        header,
        `${course.sis},,INT/7.1,,3,active`,
        `${course.sis},,NOBODY-INT,,3,active`,
        `${course.sis},${stranger?.sis},,other.example,3,deleted`,
      ].join('\n'),
    );
    expect(doing(effect, 'enrollment')).toEqual({ creates: 1, fails: 1, unknown: 1 });
    expect(effect.brake).toMatchObject({ confirm: 1, reason: 'untold' });
    const { rows } = await effectRows(alma, id, { table: 'enrollment' });
    expect(rows.map(({ row, of, why }) => [row, of.id, why])).toEqual([
      [3, 'NOBODY-INT', expect.stringContaining('No person in the LMS has the integration ID "NOBODY-INT".')],
      [
        4,
        stranger?.sis,
        expect.stringMatching(
          /"other\.example" under root_account\. LMS Admin cannot see what is in another account/,
        ),
      ],
      [2, stranger?.sis, null],
    ]);
    const { courses } = await effectCourses(alma, id);
    expect(courses.map(({ of }) => of.name)).toEqual([course.name, course.name]);
  });

  test('SIS-06: for abstract courses the review says why they are not compared; observers are compared', async () => {
    const [one, two] = campus.strangers(2, []);
    const { id, effect } = await reviewed(
      alma,
      await zipOf({
        'abstract.csv': 'abstract_course_id,short_name,long_name,status\nAC1,A,Abstract,active',
        'observers.csv': `observer_id,student_id,status\n${one?.sis},${two?.sis},deleted`,
      }),
      'odd.zip',
    );
    expect(doing(effect, 'abstract_course')).toEqual({ unknown: 1 });
    expect(doing(effect, 'user_observer')).toEqual({ fails: 1 });
    const why = async (table: 'abstract_course' | 'user_observer') =>
      (await effectRows(alma, id, { table })).rows.map((row) => row.why);
    expect(await why('abstract_course')).toEqual([
      expect.stringContaining('cannot check whether this abstract course is new'),
    ]);
    expect(await why('user_observer')).toEqual(['The observer is not linked to this student.']);
  });

  test('SIS-06: rows that could not be compared are marked, and counted as rows to be written', async () => {
    const { course, places } = await seated(5);
    await campus.fault({ match: '/api/v1/courses/*/enrollments', kind: 'status', status: 500 });
    const row = `${course.sis},${places[0]?.section},${places[0]?.sis},3,deleted`;
    const { effect } = await reviewed(alma, `${ENROL}\n${row}\n${row}`);
    expect(doing(effect, 'enrollment')).toEqual({ unknown: 2 });
    // There is one enrolment, although two rows name it.
    expect(effect.brake).toMatchObject({ confirm: 1, reason: 'untold' });
  });

  test('SIS-06, OP-14: a section that was cross-listed elsewhere is followed and named, and its removals count', async () => {
    const { named, course, person } = await campus.inThreeSections(86, 3);
    const out = campus.course(2, 163);
    const moved = await campus.api(`sections/${named.id}/crosslist/${out.id}`, { method: 'POST' });
    expect(moved.status).toBe(200);
    const [stranger] = campus.strangers(1, [course.id, out.id]);
    const { effect } = await reviewed(
      alma,
      [
        ENROL,
        `${course.sis_source_id},${named.sis},${person.sis},3,deleted`,
        `${course.sis_source_id},${named.sis},${stranger?.sis},3,active`,
      ].join('\n'),
    );
    expect(effect.notes).toEqual([
      expect.stringMatching(/cross-listed from the course .*2 rows that name it are applied there/),
    ]);
    expect(effect.notes[0]).toContain(out.name);
    expect(doing(effect, 'enrollment')).toEqual({ removes: 1, creates: 1 });
    expect(effect.brake.courses).toMatchObject([{ sis_course_id: out.sis, taken: 1 }]);
    await campus.api(`sections/${named.id}/crosslist`, { method: 'DELETE' });
  });

  test('SIS-06: a person added and removed by the same file without a section is removed, and the review says so', async () => {
    const { world } = ts.sandbox;
    const without = campus
      .courses(86)
      .filter((one) => ![...world.sections.by.course.get(one.id)].some((section) => section.default_section))
      .at(-1);
    const [stranger] = campus.strangers(1, [without?.id ?? 0]);
    const row = (status: string) => `${without?.sis_source_id},${stranger?.sis},3,${status}`;
    const { id, effect } = await sent(
      ['course_id,user_id,role_id,status', row('active'), row('deleted')].join('\n'),
    );
    const { rows } = await effectRows(alma, id, { table: 'enrollment' });
    expect(rows).toMatchObject([
      { does: 'nothing', why: 'Row 3 of the file is about the same enrolment and overrides this row.' },
      { does: 'nothing', why: expect.stringContaining('nothing is removed') },
    ]);
    expect(effect.notes).toEqual([expect.stringContaining('creates a new section, named after the course')]);
    expect(effect.brake.takes).toEqual([]);
    const inside = [...world.enrollments.by.course.get(without?.id ?? 0)].filter(
      ({ user_id, workflow_state }) => user_id === stranger?.id && workflow_state !== 'deleted',
    );
    expect(inside).toEqual([]);
    // The Activity entry names its course, and is found by the course's SIS ID.
    const query = `text=${encodeURIComponent(without?.sis_source_id ?? '')}&kind=import`;
    const { data } = await (await alma.fetch(`${ENDPOINTS.jobs}?${query}`)).json();
    expect(data).toMatchObject([{ tool: 'sis-import', about: { courses: [without?.name], more: 0 } }]);
  });

  test('SIS-06, OP-14: a course without a visible default section is named if rows do not name a section', async () => {
    const { world } = ts.sandbox;
    const without = campus
      .courses(86)
      .find((one) => ![...world.sections.by.course.get(one.id)].some((section) => section.default_section));
    const [stranger] = campus.strangers(1, [without?.id ?? 0]);
    const course = without?.id ?? 0;
    const before = [...world.sections.by.course.get(course)].map(({ id }) => id);
    const { effect } = await sent(
      `course_id,user_id,role_id,status\n${without?.sis_source_id},${stranger?.sis},3,active`,
    );
    // As announced, people are in a new section of the course.
    const made = [...world.sections.by.course.get(course)].filter(({ id }) => !before.includes(id));
    expect(made).toMatchObject([{ name: without?.name, default_section: true }]);
    expect(campus.stateOf(stranger?.id ?? 0, made[0]?.id ?? 0, 3)).toBe('active');
    expect(effect.notes).toEqual([
      expect.stringMatching(
        /1 row without section_id is applied, because the course .* shows no default section\..*creates a new section/,
      ),
    ]);
  });
});
