/**
 * Effects of rows about people, courses, sections and the other tables, before anything is sent (SIS-06,
 * OP-53).
 */
import { describe, expect, test } from 'vitest';
import { submit, submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, inside, nameOf, openEffects, seated, ts, USERS } from './effect-campus.ts';
import { doing, effectOf, effectRows, reviewed, uploaded, zipOf } from './support.ts';

openEffects();

describe('people', () => {
  test('SIS-01: people are shown field by field: the old and the new value of each change', async () => {
    const [ann, bob, cem] = campus.strangers(3, []);
    const { id, effect } = await reviewed(
      alma,
      [
        USERS,
        'NEW-1,new.one@x.example,New One,active',
        `${ann?.sis},${ann?.email},Zoë O’Neill–Łukasz,active`,
        `${bob?.sis},bob.other@x.example,,suspended`,
        'NOBODY-2,nobody@x.example,No Body,deleted',
        `${cem?.sis},${cem?.email},,active`,
      ].join('\n'),
    );
    expect(doing(effect, 'user')).toEqual({ creates: 1, changes: 1, suspends: 1, nothing: 2 });
    const { rows } = await effectRows(alma, id, { table: 'user', does: 'changes' });
    expect(rows).toMatchObject([
      {
        row: 3,
        of: { id: ann?.sis, name: nameOf(ann?.id), page: `users/${ann?.id}` },
        fields: [
          ['full_name', nameOf(ann?.id), 'Zoë O’Neill–Łukasz'],
          ['sortable_name', expect.any(String), 'O’Neill–Łukasz, Zoë'],
        ],
      },
    ]);
    const made = await effectRows(alma, id, { table: 'user', does: 'creates' });
    expect(made.rows[0]?.fields).toEqual([
      ['login_id', null, 'new.one@x.example'],
      ['full_name', null, 'New One'],
      ['sortable_name', null, 'One, New'],
    ]);
    const suspended = await effectRows(alma, id, { table: 'user', does: 'suspends' });
    expect(suspended.rows[0]?.fields).toEqual([['login_id', bob?.email, 'bob.other@x.example']]);
    expect(effect.brake.takes).toEqual([{ kind: 'user', count: 1 }]);
  });

  test("SIS-01: another person's login is rejected before anything is sent, especially in a row that deletes", async () => {
    const [ann, bob, cem] = campus.strangers(3, []);
    const { id, effect } = await reviewed(
      alma,
      [
        USERS,
        `${ann?.sis},${bob?.email},x,deleted`,
        `NEW-2,${cem?.email},x,active`,
        `${cem?.sis},nobodys@x.example,x,deleted`,
      ].join('\n'),
    );
    expect(effect).toMatchObject({ refused: 3 });
    const { rows } = await effectRows(alma, id, { table: 'user', does: 'fails' });
    expect(rows.map(({ why }) => why)).toEqual([
      expect.stringContaining('The login'),
      expect.stringContaining('The login'),
      expect.stringContaining('does not delete a person by someone else’s login'),
    ]);
    const answer = await submit(alma, { file: id, deletions: 3 });
    expect(answer.status).toBe(409);
    expect((await answer.json()).error.message).toMatch(
      /In 3 rows, the SIS ID and another cell refer to different people/,
    );
  });

  test('SIS-01: many people are compared with the list of everyone, in no more calls than the list needs', async () => {
    const there = campus.strangers(400, []);
    const rows = [
      ...there.map(({ sis, email }) => `${sis},${email},Same,active`),
      ...Array.from({ length: 200 }, (_, at) => `MANY-${at},many${at}@x.example,New,active`),
    ];
    const file = await uploaded(alma, [USERS, ...rows].join('\n'));
    await campus.forgetRequests();
    const effect = await effectOf(alma, file.id);
    expect(doing(effect, 'user')).toEqual({ creates: 200, changes: 400 });
    const alone = await campus.requests((one) => one.path.includes('/users/sis_'));
    expect(alone).toEqual([]);
  });

  test('SIS-01: among many people, a second login belongs to its owner, and a deleted one is free', async () => {
    const { pseudonyms, users } = ts.sandbox.world;
    const [ann, bob] = campus.strangers(2, []);
    const like = pseudonyms.by.sis.get(ann?.sis ?? '');
    if (!ann || !bob || !like) throw new Error('nobody');
    const more = { ...like, id: undefined, sis_user_id: null, integration_id: null };
    pseudonyms.add({ ...more, unique_id: 'second@x.example' });
    pseudonyms.add({ ...more, unique_id: 'gone@x.example', workflow_state: 'deleted' });
    const rows = Array.from({ length: 120 }, (_, at) => `LOTS-${at},lots${at}@x.example,New,active`);
    const { id, effect } = await reviewed(
      alma,
      [USERS, ...rows, 'LOTS-A,second@x.example,x,active', 'LOTS-B,gone@x.example,x,active'].join('\n'),
    );
    expect(effect.refused).toBe(1);
    expect(doing(effect, 'user')).toEqual({ creates: 121, fails: 1 });
    const { rows: refused } = await effectRows(alma, id, { table: 'user', does: 'fails' });
    expect(refused[0]).toMatchObject({
      of: { id: 'LOTS-A' },
      why: expect.stringContaining(users.must(ann.id).name),
    });
  });

  test('SIS-01: if the LMS does not say who exists, people are not reported as new', async () => {
    await campus.fault({ match: '/api/v1/users/sis_*', kind: 'status', status: 500 });
    const { effect } = await reviewed(
      alma,
      `${USERS}\nNEW-9,new9@x.example,x,active\nGONE-9,gone9@x.example,x,deleted`,
    );
    expect(doing(effect, 'user')).toEqual({ unknown: 2 });
    expect(effect.brake).toMatchObject({ takes: [{ kind: 'user', count: 1 }], confirm: 1, reason: 'untold' });
  });
});

describe('courses and sections', () => {
  test('SIS-06: are counted with everything that depends on them, and require the total number of removals', async () => {
    const { course } = await seated(6);
    const there = inside(course.id);
    const courses = `course_id,short_name,long_name,status\n${course.sis},x,y,deleted\nNO-SUCH,x,y,deleted`;
    const { id, effect } = await reviewed(alma, courses);
    expect(doing(effect, 'course')).toEqual({ deletes: 1, unknown: 1 });
    // A course that the LMS does not find is counted, because the answer may be wrong.
    expect(effect.brake).toMatchObject({
      takes: [
        { kind: 'course', count: 2 },
        { kind: 'enrollment', count: there },
        { kind: 'group_membership', count: expect.any(Number) },
      ],
      uncompared: [{ kind: 'course', count: 1 }],
      reason: 'whole-place',
    });
    const confirm = effect.brake.confirm ?? 0;
    expect(confirm).toBe(effect.brake.takes.reduce((sum, { count }) => sum + count, 0));
    const { rows } = await effectRows(alma, id, { table: 'course', does: 'deletes' });
    expect(rows[0]).toMatchObject({
      of: { name: course.name, page: `courses/${course.id}` },
      takes: expect.stringMatching(new RegExp(`^with ${there} enrolments? and \\d+ group memberships?$`)),
    });
    expect((await submit(alma, { file: id })).status).toBe(400);
    const done = await watch(alma, (await submitted(alma, { file: id, deletions: confirm })).id);
    expect(done.workflow_state).toBe('imported');

    const back = await reviewed(alma, `course_id,short_name,long_name,status\n${course.sis},x,y,active`);
    expect(doing(back.effect, 'course')).toEqual({ restores: 1 });
    const [restored] = (await effectRows(alma, back.id, { table: 'course', does: 'restores' })).rows;
    expect(restored?.why).toContain('Sections that were not deleted separately are restored with it.');
  });

  test('SIS-06: old and new values of each change in a course row are shown; values left out stay the same', async () => {
    const course = campus.course(11);
    const held = ts.sandbox.world.courses.get(course.id);
    const { id, effect } = await reviewed(
      alma,
      [
        'course_id,short_name,long_name,account_id,term_id,status',
        `${course.sis},${held?.course_code},A new name,,NO-TERM,active`,
        `${campus.course(12).sis},a,b,NO-ACCOUNT,,active`,
      ].join('\n'),
    );
    // The LMS may have deleted the account. It would then apply the rest of the row.
    expect(doing(effect, 'course')).toEqual({ changes: 1, unknown: 1 });
    const { rows } = await effectRows(alma, id, { table: 'course', does: 'changes' });
    expect(rows[0]?.fields).toEqual([['long_name', held?.name, 'A new name']]);
  });

  test('SIS-06: a deleted section removes its enrolments, and a moved one shows its new course', async () => {
    const { named } = await campus.inThreeSections(86, 3);
    const sitting = [...ts.sandbox.world.enrollments.values()].filter(
      (one) => one.course_section_id === named.id && one.workflow_state !== 'deleted',
    ).length;
    const home = ts.sandbox.world.sections.get(named.id);
    const course = ts.sandbox.world.courses.get(home?.course_id ?? 0);
    const header = 'section_id,course_id,name,status';
    const { effect } = await reviewed(alma, `${header}\n${named.sis},${course?.sis_source_id},x,deleted`);
    expect(effect.brake).toMatchObject({
      takes: [
        { kind: 'section', count: 1 },
        { kind: 'enrollment', count: sitting },
        { kind: 'group_membership' },
      ],
      reason: 'whole-place',
    });
    const other = campus.course(13);
    const moved = await reviewed(alma, `${header}\n${named.sis},${other.sis},${home?.name},active`);
    expect(doing(moved.effect, 'section')).toEqual({ changes: 1 });
    const { rows } = await effectRows(alma, moved.id, { table: 'section', does: 'changes' });
    expect(rows[0]).toMatchObject({
      fields: [['course_id', course?.sis_source_id, other.sis]],
      why: expect.stringContaining('moves to another course'),
    });
  });
});

describe('the other tables', () => {
  test('SIS-06: accounts and terms are compared with their lists', async () => {
    const { effect } = await reviewed(
      alma,
      await zipOf({
        'terms.csv': 'term_id,name,status\nT9,Term,deleted\nT8,Term,active',
        'accounts.csv':
          'account_id,parent_account_id,name,status\nEFF-A,,New,active\nEFF-B,EFF-A,Below,active\nEFF-D,NO-A,x,active',
      }),
      'all.zip',
    );
    expect(doing(effect, 'term')).toEqual({ nothing: 1, creates: 1 });
    expect(doing(effect, 'account')).toEqual({ creates: 2, fails: 1 });
    expect(effect.brake).toMatchObject({ takes: [], confirm: null });
  });

  test('SIS-06: groups and their people are shown as new, existing, or removed with the group', async () => {
    const course = campus.course(14);
    const people = (await campus.enrolments(course.id, 3))
      .slice(0, 2)
      .map((one) => campus.person(one.user_id));
    const made = await reviewed(
      alma,
      await zipOf({
        'cats.csv': `group_category_id,course_id,category_name,status\nEFF-K,${course.sis},Teams,active`,
        'groups.csv':
          'group_id,group_category_id,name,status\nEFF-G,EFF-K,Team 1,available\nEFF-H,NO-K,Team 2,available',
        'members.csv': `group_id,user_id,status\nEFF-G,${people[0]?.sis},accepted\nEFF-G,${people[1]?.sis},accepted\nNO-G,${people[1]?.sis},accepted\nEFF-G,NOBODY-7,accepted`,
      }),
      'all.zip',
    );
    expect(doing(made.effect, 'group_category')).toEqual({ creates: 1 });
    expect(doing(made.effect, 'group')).toEqual({ creates: 1, fails: 1 });
    expect(doing(made.effect, 'group_membership')).toEqual({ creates: 2, unknown: 1, fails: 1 });
    // The group that the LMS hides may be a deleted one. In that case the person leaves the new group to join
    // it.
    expect(made.effect.brake.confirm).toBe(1);
    await watch(alma, (await submitted(alma, { file: made.id, deletions: 1 })).id);
    const members = await reviewed(
      alma,
      `group_id,user_id,status\nEFF-G,${people[0]?.sis},accepted\nEFF-G,${people[1]?.sis},deleted\nEFF-G,${people[1]?.sis},deleted`,
    );
    expect(doing(members.effect, 'group_membership')).toEqual({ nothing: 2, removes: 1 });
    expect(members.effect.brake.takes).toEqual([{ kind: 'group_membership', count: 1 }]);
    const gone = await reviewed(alma, 'group_id,group_category_id,name,status\nEFF-G,EFF-K,Team 1,deleted');
    expect(gone.effect.brake.takes).toEqual([
      { kind: 'group', count: 1 },
      { kind: 'group_membership', count: 2 },
    ]);
  });
});
