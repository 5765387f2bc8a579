/**
 * Enrolment rows that name a person by integration id, alone or together with the SIS ID: the LMS uses the
 * integration id (SIS-06).
 */
import { expect, test } from 'vitest';
import { submit } from '../enrollments/campus.ts';
import { alma, ENROL, openEffects, ts, USERS } from './effect-campus.ts';
import { sectioned, sent, students } from './removals.ts';
import { doing, effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const HEADER = 'course_id,section_id,user_id,user_integration_id,role_id,status';

/** Finds a course with two of its students who have integration ids. */
async function twoStudents(index: number) {
  const found = sectioned()[index];
  if (!found) throw new Error('the campus has no such course');
  const [one, other] = await students(found.course.id);
  if (!one || !other) throw new Error('nobody is in it');
  const { pseudonyms } = ts.sandbox.world;
  const given = [one, other].map(({ sis }, at) => {
    const login = pseudonyms.by.sis.get(sis);
    if (!login) throw new Error('no login');
    pseudonyms.change(login, { integration_id: `INT-${index}-${at}` });
    return `INT-${index}-${at}`;
  });
  return { course: found.course, one, other, given };
}

test.each(['deleted', 'active', 'inactive'])(
  'SIS-06: a row that is %s, with the ids of two people, would be rejected, and the file cannot be sent',
  async (status) => {
    const { course, one, given } = await twoStudents(0);
    const { id, effect } = await reviewed(
      alma,
      `${HEADER}\n${course.sis},${one.section},${one.sis},${given[1]},3,${status}`,
    );
    expect(doing(effect, 'enrollment')).toEqual({ fails: 1 });
    expect(effect.refused).toBe(1);
    const { rows } = await effectRows(alma, id, { table: 'enrollment', does: 'fails' });
    expect(rows[0]?.problems).toEqual([
      {
        column: 'user_integration_id',
        message: expect.stringContaining('the LMS uses the integration ID'),
      },
    ]);
    expect((await submit(alma, { file: id })).status).toBe(409);
  },
);

test("SIS-06: an unknown SIS ID together with a person's integration id is rejected too", async () => {
  const { course, one, given } = await twoStudents(0);
  const { effect } = await reviewed(
    alma,
    `${HEADER}\n${course.sis},${one.section},NOBODY-1,${given[0]},3,deleted`,
  );
  expect(effect.refused).toBe(1);
});

test('SIS-06: both ids of one person, or the integration id alone, mean that person', async () => {
  const { course, one, other, given } = await twoStudents(1);
  const { effect, all } = await sent(
    [
      HEADER,
      `${course.sis},${one.section},${one.sis},${given[0]},3,deleted`,
      `${course.sis},${other.section},,${given[1]},3,deleted`,
    ].join('\n'),
  );
  expect(doing(effect, 'enrollment')).toEqual({ removes: 2 });
  expect(all).toBeGreaterThanOrEqual(2);
});

test('SIS-06: the LMS rejects an unknown integration id, even with an SIS ID', async () => {
  const { course, one } = await twoStudents(2);
  const { effect, all } = await sent(
    `${HEADER}\n${course.sis},${one.section},${one.sis},INT-OF-NOBODY,3,deleted`,
  );
  expect(doing(effect, 'enrollment')).toEqual({ fails: 1 });
  expect(all).toBe(0);
});

test('SIS-06: an integration id assigned by the same upload means the person who gets it', async () => {
  const { course, one, given } = await twoStudents(3);
  const login = ts.sandbox.world.pseudonyms.by.sis.get(one.sis);
  const { effect } = await sent(
    await zipOf({
      'users.csv': [
        USERS.replace('user_id', 'user_id,integration_id'),
        `NEW-INT-1,INT-FRESH,new.int.1@x.example,Nia New,active`,
        `${one.sis},INT-CHANGED,${login?.unique_id},Changed Name,active`,
      ].join('\n'),
      'enrollments.csv': [
        HEADER,
        `${course.sis},${one.section},,INT-FRESH,3,active`,
        `${course.sis},${one.section},${one.sis},INT-CHANGED,3,deleted`,
        `${course.sis},${one.section},,${given[0]},3,deleted`,
      ].join('\n'),
    }),
    'ids.zip',
  );
  expect(doing(effect, 'enrollment')).toEqual({ creates: 1, removes: 1, fails: 1 });
  const { pseudonyms, enrollments } = ts.sandbox.world;
  const made = pseudonyms.by.sis.get('NEW-INT-1')?.user_id ?? 0;
  expect(enrollments.by.user.get(made).map(({ workflow_state }) => workflow_state)).toEqual(['active']);
});

test.each(['existing_integration_id', 'existing_canvas_user_id'])(
  'SIS-06: a login added by %s belongs to that person in the enrolment rows',
  async (column) => {
    const { course, one, given } = await twoStudents(4);
    const by = column === 'existing_integration_id' ? given[0] : one.id;
    const { effect } = await sent(
      await zipOf({
        'logins.csv': `user_id,login_id,${column}\nSECOND-${column},second.${column}@x.example,${by}`,
        'enrollments.csv': `${ENROL}\n${course.sis},${one.section},SECOND-${column},3,inactive`,
      }),
      'logins.zip',
    );
    expect(doing(effect, 'login')).toEqual({ creates: 1 });
    expect(doing(effect, 'enrollment')).toEqual({ suspends: 1 });
  },
);
