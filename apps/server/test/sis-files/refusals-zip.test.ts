/** Rows that the LMS rejects because of other rows in the same upload are announced before anything is sent (SIS-06). */
import { expect, test } from 'vitest';
import { alma, campus, ENROL, openEffects, ts, USERS } from './effect-campus.ts';
import { COURSES, MEMBERS, sectioned, sent, students } from './removals.ts';
import { effectRows, zipOf } from './support.ts';

openEffects();

type Kind = Parameters<typeof effectRows>[2]['table'];

/** Sends a zip. @returns the rows in a table announced as failing, and those that the LMS rejected */
async function refused(files: Record<string, string>, table: Kind) {
  const { id } = await sent(await zipOf(files), 'all.zip');
  const { rows } = await effectRows(alma, id, { table, does: 'fails' });
  const batch = [...ts.sandbox.world.sisBatches.values()].at(-1);
  return {
    told: rows.map(({ row }) => row).sort((a, b) => a - b),
    byLms: (batch?.errors ?? []).map(({ row }) => row),
  };
}

test('SIS-06: a section counts only in its own course, whether old or from the same upload', async () => {
  const [one, other] = sectioned();
  const [person] = campus.strangers(1, [one?.course.id ?? 0, other?.course.id ?? 0]);
  const files = {
    'courses.csv': `${COURSES}\nRZ-C,rz,New course,active`,
    'sections.csv': 'section_id,course_id,name,status\nRZ-S,RZ-C,New section,active',
    'enrolments.csv': [
      ENROL,
      `RZ-C,${one?.named[0]?.sis},${person?.sis},3,active`,
      `${one?.course.sis},RZ-S,${person?.sis},3,active`,
      `${one?.course.sis},${other?.named[0]?.sis},${person?.sis},3,active`,
      `RZ-C,RZ-S,${person?.sis},3,active`,
    ].join('\n'),
  };
  expect(await refused(files, 'enrollment')).toEqual({ told: [2, 3, 4], byLms: [2, 3, 4] });
});

test('SIS-06: whether a person is enrolled in a group’s course, and which course that is, are shown as the earlier rows leave them', async () => {
  const [one, other] = sectioned();
  const [here, there] = [one?.course.sis, other?.course.sis];
  const [leaving] = await students(one?.course.id ?? 0);
  const [enrolled, elsewhere] = campus.strangers(2, [one?.course.id ?? 0, other?.course.id ?? 0]);
  const files = {
    'users.csv': `${USERS}\nRZ-P,rz-p@x.example,New person,active`,
    'enrolments.csv': [
      ENROL,
      `${here},,${enrolled?.sis},3,active`,
      `${there},,${elsewhere?.sis},3,active`,
      ...(await students(one?.course.id ?? 0))
        .filter(({ id }) => id === leaving?.id)
        .map(({ section, sis }) => `${here},${section},${sis},3,deleted`),
    ].join('\n'),
    'categories.csv': `group_category_id,course_id,category_name,status\nRZ-K,${here},Zip teams,active`,
    'groups.csv': 'group_id,group_category_id,name,status\nRZ-G,RZ-K,Team,available',
    'members.csv': [
      MEMBERS,
      `RZ-G,${enrolled?.sis},accepted`,
      `RZ-G,${elsewhere?.sis},accepted`,
      `RZ-G,${leaving?.sis},accepted`,
      'RZ-G,RZ-P,accepted',
    ].join('\n'),
  };
  expect(await refused(files, 'group_membership')).toEqual({ told: [3, 4, 5], byLms: [3, 4, 5] });
});

test('SIS-06: a login deleted by the same upload cannot identify a person for an additional login', async () => {
  const [ann] = campus.strangers(1, []);
  const files = {
    'users.csv': `${USERS}\n${ann?.sis},${ann?.email},x,deleted`,
    'logins.csv': `user_id,login_id,existing_user_id\nRZ-L,rz-l@x.example,${ann?.sis}`,
  };
  expect(await refused(files, 'login')).toEqual({ told: [2], byLms: [2] });
});

test('SIS-06: an observer of a student deleted by the same upload is still enrolled', async () => {
  const [one] = sectioned();
  const [student, observer] = campus.strangers(2, [one?.course.id ?? 0]);
  const files = {
    'users.csv': `${USERS}\n${student?.sis},${student?.email},x,deleted`,
    'enrolments.csv': `${ENROL},associated_user_id\n${one?.course.sis},,${observer?.sis},7,active,${student?.sis}\n${one?.course.sis},,${observer?.sis},7,active,NOBODY-9`,
  };
  expect(await refused(files, 'enrollment')).toEqual({ told: [3], byLms: [3] });
});

test('SIS-06: an integration ID belongs to the person or object that has it after the earlier rows', async () => {
  const [ann, bob, cy] = campus.strangers(3, []);
  const { pseudonyms } = ts.sandbox.world;
  const login = pseudonyms.by.sis.get(ann?.sis ?? '');
  if (!login) throw new Error('nobody');
  pseudonyms.change(login, { integration_id: 'RZ-OLD' });
  const row = (one: typeof ann, integration: string) => `${one?.sis},${one?.email},x,active,${integration}`;
  const files = {
    'users.csv': [`${USERS},integration_id`, row(ann, 'RZ-NEW'), row(bob, 'RZ-OLD')].join('\n'),
    'logins.csv': `user_id,login_id,existing_user_id,integration_id\nRZ-M,rz-m@x.example,${cy?.sis},RZ-NEW`,
  };
  expect(await refused(files, 'login')).toEqual({ told: [2], byLms: [2] });
});
