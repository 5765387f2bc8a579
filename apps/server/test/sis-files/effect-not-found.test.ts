/**
 * Rows with an id that the LMS does not know: counted as possible removals, and corrected like rejected ones
 * (SIS-05, SIS-06).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { expect, test } from 'vitest';
import { alma, campus, nameOf, openEffects } from './effect-campus.ts';
import { MEMBERS, sent, students } from './removals.ts';
import { corrected, draftOf, effectOf, finished, reviewed, rowsOfDraft, USERS, zipOf } from './support.ts';

openEffects();

async function opened(file: string, rows: 'fails' | 'unknown') {
  const path = `${ENDPOINTS.sisEffectDraft.replace(':file', file)}?rows=${rows}`;
  const answer = await alma.post(path, {});
  return { status: answer.status, draft: (await answer.json()).data?.draft as string };
}

test('SIS-06 a mistyped group is shown as unknown to the LMS, is corrected in place, and counts until then', async () => {
  const course = campus.course(6);
  const [one, two] = await students(course.id);
  await sent(
    await zipOf({
      'categories.csv': `group_category_id,course_id,category_name,status\nNF-K,${course.sis},Found,active`,
      'groups.csv': 'group_id,group_category_id,name,status\nNF-G,NF-K,Found,available',
    }),
    'groups.zip',
  );
  const rows = [`NOGROUP,${one?.sis},accepted`, `NOGROUP,${two?.sis},deleted`, `NF-G,NOBODY-NF,accepted`];
  const { id, effect } = await reviewed(alma, `${MEMBERS}\n${rows.join('\n')}`);
  expect(effect.not_found).toBe(2);
  expect(effect.tables[0]?.does).toEqual({ unknown: 2, fails: 1 });
  const both = [{ kind: 'group_membership', count: 2 }];
  expect(effect.brake).toMatchObject({ takes: both, uncompared: both, confirm: 2 });

  const refused = await opened(id, 'fails');
  expect((await draftOf(alma, refused.draft)).groups.map(({ name, first }) => [name, first])).toEqual([
    ['user_id', [4]],
  ]);
  await corrected(alma, await draftOf(alma, refused.draft), { does: 'leave-out', rows: [4] });
  const unknown = await opened(id, 'unknown');
  expect(unknown.draft).toBe(refused.draft);
  let draft = await draftOf(alma, unknown.draft);
  expect(draft).toMatchObject({ wrong: 2, left_out: 1, groups: [{ name: 'group_id', rows: 2 }] });
  const listed = await rowsOfDraft(alma, draft.id);
  expect(listed.rows[0]?.problems[0]?.message).toBe('The LMS has no group "NOGROUP".');
  const column = draft.groups[0]?.column ?? 0;
  draft = await corrected(alma, draft, { does: 'replace', column, from: 'NOGROUP', to: 'NF-G' });
  expect(draft.wrong).toBe(0);
  const { file } = await finished(alma, draft);
  const after = await effectOf(alma, file?.id ?? '');
  expect(after.not_found).toBe(0);
  expect(after.brake.takes).toEqual([]);
  expect((await opened(file?.id ?? '', 'unknown')).status).toBe(409);
});

test('SIS-06 a mistyped course, section, group or group category in a row that deletes is shown as unknown to the LMS', async () => {
  const course = campus.course(7);
  const [one] = await students(course.id);
  for (const [csv, field] of [
    ['course_id,short_name,long_name,status\nNF-C,x,y,deleted', 'course_id'],
    [`section_id,course_id,name,status\nNF-S,${course.sis},x,deleted`, 'section_id'],
    [`course_id,section_id,user_id,role_id,status\nNF-C,,${one?.sis},3,deleted`, 'course_id'],
    ['group_id,name,status\nNF-X,x,deleted', 'group_id'],
    ['group_category_id,category_name,status\nNF-X,x,deleted', 'group_category_id'],
  ] as const) {
    const { id, effect } = await reviewed(alma, csv);
    expect([field, effect.not_found]).toEqual([field, 1]);
    const { draft } = await opened(id, 'unknown');
    expect((await draftOf(alma, draft)).groups.map(({ name }) => name)).toEqual([field]);
  }
});

test('SIS-06 a mistyped user_id in a row that deletes is named and corrected in place, and removes no one', async () => {
  const course = campus.course(8);
  const [one] = await students(course.id);
  const { email } = campus.person(one?.id ?? 0);
  const name = nameOf(one?.id);
  const rows = [`NF-USER,nf-user@northbridge.example,x,deleted`, `${one?.sis},${email},${name},deleted`];
  const { id, effect } = await reviewed(alma, `${USERS}\n${rows.join('\n')}`);
  expect(effect.tables[0]?.does).toEqual({ nothing: 1, deletes: 1 });
  expect(effect.not_found).toBe(1);
  expect(effect.brake.uncompared).toEqual([]);
  expect(effect.brake.takes).toContainEqual({ kind: 'user', count: 1 });
  const { draft } = await opened(id, 'unknown');
  expect(await draftOf(alma, draft)).toMatchObject({
    wrong: 1,
    groups: [{ name: 'user_id', message: 'No one in the LMS has the SIS ID "NF-USER".', first: [2] }],
  });
  // A person deleted earlier is not looked up.
  await sent(`${USERS}\n${rows[1]}`);
  const again = await reviewed(alma, `${USERS}\n${rows[1]}`);
  expect([again.effect.tables[0]?.does, again.effect.not_found]).toEqual([{ nothing: 1 }, 0]);
});

test('SIS-06 a mistyped account or term in a row that deletes is shown as unknown, and deletes nothing', async () => {
  for (const [csv, field] of [
    ['account_id,parent_account_id,name,status\nNF-A,,x,deleted', 'account_id'],
    ['term_id,name,status\nNF-T,x,deleted', 'term_id'],
  ] as const) {
    const { id, effect } = await reviewed(alma, csv);
    expect([field, effect.not_found, effect.brake.takes]).toEqual([field, 1, []]);
    const { draft } = await opened(id, 'unknown');
    expect((await draftOf(alma, draft)).groups.map(({ name }) => name)).toEqual([field]);
  }
});
