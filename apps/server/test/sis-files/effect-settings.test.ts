/** Columns that the LMS does not show, or shows elsewhere: the review describes their actual effect (SIS-06). */
import { expect, test } from 'vitest';
import { alma, campus, openEffects, ts } from './effect-campus.ts';
import { sent } from './removals.ts';
import { effectRows } from './support.ts';

openEffects();

type Kind = 'course' | 'user' | 'login';

/** Reads the rows of a sent file, by number. */
async function told(csv: string, table: Kind) {
  const { id } = await sent(csv);
  const { rows } = await effectRows(alma, id, { table });
  const batch = [...ts.sandbox.world.sisBatches.values()].at(-1);
  return {
    rows: rows.toSorted((a, b) => a.row - b.row),
    refused: [...new Set((batch?.errors ?? []).map(({ row }) => row))],
  };
}

/** Lists the numbers of rows announced as failing, with the columns. */
const failing = (rows: Awaited<ReturnType<typeof told>>['rows']) =>
  rows.flatMap(({ row, does, problems }) =>
    does === 'fails' ? [[row, problems.map(({ column }) => column)]] : [],
  );

const accountOf = (sisId: string) => {
  const { accounts, courses } = ts.sandbox.world;
  return accounts.must(courses.by.sis.get(sisId)?.account_id ?? 0).sis_source_id;
};

test('SIS-06: a course uses the fallback account if the LMS does not have the other one, or none is named', async () => {
  const { accounts, courses } = ts.sandbox.world;
  const [one, other, third] = [campus.course(3), campus.course(4), campus.course(5)];
  const was = (sis: string) => accountOf(sis);
  const target = [...accounts.values()].find(
    (each) =>
      each.sis_source_id !== null &&
      [one, other, third].every(({ id }) => courses.must(id).account_id !== each.id),
  )?.sis_source_id;
  const before = [one, other, third].map(({ sis }) => was(sis));
  const row = (course: typeof one, account: string, fallback: string | null | undefined) => {
    const { course_code, name } = courses.must(course.id);
    return `${course.sis},${course_code},"${name}",${account},${fallback ?? ''},active`;
  };
  const { rows, refused } = await told(
    [
      'course_id,short_name,long_name,account_id,fallback_account_id,status',
      row(one, 'NO-ACCOUNT', target),
      row(other, '', target),
      row(third, 'NO-ACCOUNT', 'NO-OTHER'),
      `FB-NEW,new,New,,${target},active`,
    ].join('\n'),
    'course',
  );
  const moved = (at: number) =>
    rows[at]?.fields.filter(([field]) => field === 'account_id').map(([, from, to]) => [from, to]);
  expect([moved(0), moved(1)]).toEqual([[[before[0], target]], [[before[1], target]]]);
  expect(moved(3)).toEqual([[null, target]]);
  expect(rows[0]?.why).toContain(`the course is placed in "${target}"`);
  expect(rows[2]?.does).toBe('unknown');
  expect(failing(rows)).toEqual([]);
  expect(refused).toEqual([4]);
  expect([one.sis, other.sis, third.sis, 'FB-NEW'].map(accountOf)).toEqual([
    target,
    target,
    before[2],
    target,
  ]);
});

test('SIS-06: a row with a deleted account may leave its course in place, and the review says so', async () => {
  const { accounts, courses } = ts.sandbox.world;
  const course = courses.must(campus.course(6).id);
  const was = course.account_id;
  const { id: _id, ...like } = accounts.must(1);
  accounts.add({ ...like, parent_account_id: 1, sis_source_id: 'DEL-ACC', workflow_state: 'deleted' });
  const { rows, refused } = await told(
    [
      'course_id,short_name,long_name,account_id,status',
      `${course.sis_source_id},NEWCODE,"${course.name}",DEL-ACC,active`,
      'DEL-NEW,new,New,DEL-ACC,active',
    ].join('\n'),
    'course',
  );
  expect(rows.map(({ does }) => does)).toEqual(['unknown', 'fails']);
  expect(rows[0]?.why).toContain('the course stays where it is');
  expect(refused).toEqual([3]);
  expect([course.course_code, course.account_id]).toEqual(['NEWCODE', was]);
});

test('SIS-06: a course’s blueprint is shown; one that is not possible is rejected, and the rest of its row is shown and counted', async () => {
  const { accounts, courses } = ts.sandbox.world;
  const [blueprint, follower, ...others] = campus
    .courses(86)
    .filter(({ sis_source_id, account_id }, _, [first]) => sis_source_id && account_id === first?.account_id)
    .slice(0, 6);
  if (!blueprint || !follower) throw new Error('no courses');
  courses.change(blueprint, { blueprint: true });
  const elsewhere = [...courses.values()].find(
    ({ account_id, sis_source_id }) =>
      sis_source_id !== null &&
      !accounts.must(account_id).workflow_state.startsWith('del') &&
      !ts.sandbox.world.accountChain(account_id).some(({ id }) => id === blueprint.account_id),
  );
  if (!elsewhere) throw new Error('no other programme');
  const [plain, leaving] = others;
  if (!plain || !leaving) throw new Error('no courses');
  courses.change(leaving, { blueprint_course_id: blueprint.id });
  const row = ({ sis_source_id, course_code, name }: typeof plain, of: string | null) =>
    `${sis_source_id},${course_code},"${name}",${of},active`;
  const { rows, refused } = await told(
    [
      'course_id,short_name,long_name,blueprint_course_id,status',
      row(follower, blueprint.sis_source_id),
      row(plain, plain.sis_source_id),
      row(elsewhere, blueprint.sis_source_id),
      row(blueprint, blueprint.sis_source_id),
      row(leaving, 'dissociate'),
      'BP-NEW,new,New,NO-COURSE,active',
    ].join('\n'),
    'course',
  );
  expect(failing(rows)).toEqual([3, 4, 5].map((at) => [at, ['blueprint_course_id']]));
  expect(rows[5]).toMatchObject({ does: 'creates', why: expect.stringContaining('the rest of the row') });
  expect(courses.by.sis.get('BP-NEW')?.name).toBe('New');
  expect(refused).toEqual([3, 4, 5, 7]);
  expect(rows[0]?.fields).toContainEqual(['blueprint_course_id', null, blueprint.sis_source_id]);
  expect(rows[4]).toMatchObject({ does: 'changes', why: expect.stringContaining('this link ends') });
  expect(courses.must(follower.id).blueprint_course_id).toBe(blueprint.id);
  expect(courses.must(leaving.id).blueprint_course_id).toBeNull();

  const ending = courses.must(campus.course(14).id);
  const { effect, lost } = await sent(
    `course_id,short_name,long_name,status,blueprint_course_id\n${ending.sis_source_id},BP,"${ending.name}",completed,NO-COURSE`,
  );
  expect(lost.takes[0]).toEqual({ kind: 'course', count: 1 });
  expect(effect.brake.confirm).toBeGreaterThan(1);
  expect(effect.notes).toContainEqual(expect.stringContaining('apply the rest of the row'));
  expect([ending.workflow_state, ending.course_code]).toEqual(['completed', 'BP']);
});

test('SIS-06: an abstract course and a friendly name are shown as far as the LMS shows them', async () => {
  const { courses } = ts.sandbox.world;
  const [one, other] = [campus.course(10), campus.course(11)].map(({ id }) => courses.must(id));
  if (!one || !other) throw new Error('no courses');
  const { rows } = await told(
    [
      'course_id,short_name,long_name,abstract_course_id,friendly_name,status',
      `${one.sis_source_id},${one.course_code},"${one.name}",ABS-1,,active`,
      `${other.sis_source_id},${other.course_code},"${other.name}",,Sunflowers,active`,
    ].join('\n'),
    'course',
  );
  expect(rows[0]?.does).toBe('changes');
  expect(rows[0]?.fields).toContainEqual(['abstract_course_id', null, 'ABS-1']);
  expect(rows[0]?.why).toContain('does not show abstract courses');
  expect(rows[1]?.fields.map(([field]) => field)).not.toContain('friendly_name');
  expect(rows[1]?.why).toContain('elementary school');
  expect(courses.must(other.id).friendly_name).toBeNull();
});

test('SIS-06: a change of a login’s authentication provider is shown with both values, and an unknown one is rejected', async () => {
  const { authenticationProviders, pseudonyms } = ts.sandbox.world;
  const saml = authenticationProviders.add({ auth_type: 'saml', workflow_state: 'active' });
  const gone = authenticationProviders.add({ auth_type: 'cas', workflow_state: 'deleted' });
  const people = campus.strangers(6, []);
  const loginOf = (at: number) => pseudonyms.by.sis.get(people[at]?.sis ?? '');
  const set = (at: number, to: number | null) => {
    const login = loginOf(at);
    if (login) pseudonyms.change(login, { authentication_provider_id: to });
  };
  for (const at of [0, 1, 2]) set(at, saml.id);
  const row = (at: number, provider: string, status = 'active') =>
    `${people[at]?.sis},${people[at]?.email},${status},${provider}`;
  const header = 'user_id,login_id,status';
  const { rows, refused } = await told(
    [
      `${header},authentication_provider_id`,
      row(0, String(saml.id)),
      row(1, 'saml'),
      row(2, ''),
      row(3, 'saml'),
      row(4, 'facebook'),
      row(5, String(gone.id)),
      'AP-NEW,ap-new@x.example,active,saml',
    ].join('\n'),
    'user',
  );
  expect(rows.map(({ does }) => does)).toEqual([
    'nothing',
    'nothing',
    'changes',
    'changes',
    'fails',
    'fails',
    'creates',
  ]);
  const providers = rows.map(({ fields }) =>
    fields.flatMap(([field, from, to]) => (field === 'authentication_provider_id' ? [from, to] : [])),
  );
  expect(providers).toEqual([[], [], [String(saml.id), null], [null, 'saml'], [], [], [null, 'saml']]);
  expect(failing(rows).map(([, columns]) => columns)).toEqual([
    ['authentication_provider_id'],
    ['authentication_provider_id'],
  ]);
  expect(refused).toEqual([6, 7]);
  const now = [0, 1, 2, 3].map((at) => loginOf(at)?.authentication_provider_id ?? null);
  expect(now).toEqual([saml.id, saml.id, null, saml.id]);

  // A missing column removes the provider, as an empty cell does.
  const { rows: without } = await told(`${header}\n${people[0]?.sis},${people[0]?.email},active`, 'user');
  expect(without[0]).toMatchObject({
    does: 'changes',
    fields: [['authentication_provider_id', String(saml.id), null]],
  });
  expect(loginOf(0)?.authentication_provider_id).toBeNull();

  const logins = await told(
    [
      'user_id,login_id,existing_user_id,authentication_provider_id',
      `AP-1,ap1@x.example,${people[0]?.sis},saml`,
      `AP-2,ap2@x.example,${people[0]?.sis},facebook`,
    ].join('\n'),
    'login',
  );
  expect(logins.rows[0]?.fields).toContainEqual(['authentication_provider_id', null, 'saml']);
  expect(failing(logins.rows)).toEqual([[3, ['authentication_provider_id']]]);
  expect(logins.refused).toEqual([3]);
});
