/**
 * Corrections can be changed until the file is submitted; other problems and doubts are shown (SIS-05,
 * SIS-06).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { sisFile } from '@lms-admin/contract/sis-files';
import { expect, test } from 'vitest';
import { submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, ts } from './effect-campus.ts';
import { students } from './removals.ts';
import {
  corrected,
  discarded,
  doing,
  drafted,
  draftOf,
  effectOf,
  finished,
  openDraftsOf,
  person,
  reviewed,
  rowsOfDraft,
  USERS,
  uploaded,
} from './support.ts';

openEffects();

async function opened(file: string, rows: 'fails' | 'unknown') {
  const answer = await alma.post(`${ENDPOINTS.sisEffectDraft.replace(':file', file)}?rows=${rows}`, {});
  return draftOf(alma, (await answer.json()).data.draft);
}

async function fileOf(id: string) {
  const answer = await alma.fetch(ENDPOINTS.sisFile.replace(':file', id));
  return sisFile.parse((await answer.json()).data);
}

test('SIS-05 a row corrected to a wrong ID is listed with its cell, and can be corrected again after the review', async () => {
  const course = campus.course(1);
  const [right, wrong] = campus.strangers(2, [course.id]).map(({ sis }) => sis ?? '');
  const first = await reviewed(alma, `${ENROL}\n${course.sis},,NOBODY-CA,3,active`);
  expect((await fileOf(first.id)).draft).toBeNull();
  let draft = await opened(first.id, 'fails');
  // Opening the file does not change it.
  expect((await fileOf(first.id)).draft).toBeNull();
  const put = (value: string) =>
    corrected(alma, draft, { does: 'replace', column: 2, from: 'NOBODY-CA', to: value });
  draft = await put(wrong ?? '');
  const { file } = await finished(alma, draft);
  expect(file?.draft).toBe(draft.id);
  expect((await fileOf(file?.id ?? '')).draft).toBe(draft.id);
  expect(doing(await effectOf(alma, file?.id ?? ''), 'enrollment')).toEqual({ creates: 1 });

  draft = await draftOf(alma, draft.id);
  expect(draft).toMatchObject({ wrong: 0, corrected: 1, corrected_listed: 1 });
  expect((await rowsOfDraft(alma, draft.id)).rows).toEqual([]);
  const { rows, total } = await rowsOfDraft(alma, draft.id, '?corrected=true');
  expect(total).toBe(1);
  expect(rows).toMatchObject([{ row: 2, corrected: [2], problems: [] }]);
  expect(rows[0]?.cells[2]).toBe(wrong);
  draft = await corrected(alma, draft, { does: 'cells', cells: [{ row: 2, column: 2, value: right ?? '' }] });
  const again = await finished(alma, draft);
  expect((await fileOf(file?.id ?? '')).draft).toBeNull();
  await effectOf(alma, again.file?.id ?? '');
  await watch(alma, (await submitted(alma, { file: again.file?.id ?? '' })).id);
  const { enrollments } = ts.sandbox.world;
  const members = [...enrollments.values()]
    .filter((one) => one.course_id === course.id)
    .map((one) => campus.person(one.user_id).sis);
  expect([members.includes(right ?? ''), members.includes(wrong ?? '')]).toEqual([true, false]);
});

test('SIS-05 corrected rows are listed separately from those with problems; a row that is both is in both lists', async () => {
  const lines = [person(1, 'actif'), person(2, 'x'), person(3, 'y'), person(4)];
  let draft = await drafted(alma, `${USERS}\n${lines.join('\n')}`);
  expect(draft).toMatchObject({ wrong: 3, corrected: 0 });
  draft = await corrected(alma, draft, { does: 'replace', column: 3, from: 'actif', to: 'active' });
  draft = await corrected(alma, draft, { does: 'cells', cells: [{ row: 3, column: 3, value: 'z' }] });
  expect(draft).toMatchObject({ wrong: 2, listed: 2, corrected: 2 });
  const rowsIn = async (query: string) =>
    (await rowsOfDraft(alma, draft.id, query)).rows.map(({ row }) => row);
  expect(await rowsIn('')).toEqual([3, 4]);
  expect(await rowsIn('?group=0')).toEqual([3, 4]);
  expect(await rowsIn('?corrected=true')).toEqual([2, 3]);
  // A group counts its own skipped rows, each of them once.
  draft = await corrected(alma, draft, { does: 'leave-out-group', group: 0 });
  expect(draft).toMatchObject({ wrong: 0, left_out: 2, corrected: 1 });
  expect(await rowsIn('?corrected=true')).toEqual([2]);
  draft = await corrected(alma, draft, { does: 'cells', cells: [{ row: 2, column: 3, value: 'actif' }] });
  expect(draft).toMatchObject({ wrong: 1, corrected: 0 });
  await discarded(alma, draft.id);
});

test('SIS-05 if a login belongs to another person, both cells are open, and correcting either is enough', async () => {
  const [ann, bob, cem, dan] = campus.strangers(4, []);
  const { id, effect } = await reviewed(
    alma,
    `${USERS}\n${ann?.sis},${bob?.email},x,active\n${cem?.sis},${dan?.email},x,deleted`,
  );
  expect(effect.refused).toBe(2);
  let draft = await opened(id, 'fails');
  const open = (await rowsOfDraft(alma, draft.id)).rows.map(({ problems }) =>
    problems.map(({ column }) => column),
  );
  expect(open).toEqual([
    [0, 1],
    [0, 1],
  ]);
  const put = (column: number, value: string) =>
    corrected(alma, draft, { does: 'cells', cells: [{ row: 2, column, value }] });
  draft = await put(0, bob?.sis ?? '');
  expect(draft).toMatchObject({ wrong: 1 });
  draft = await corrected(alma, draft, { does: 'undo' });
  draft = await put(1, ann?.email ?? '');
  draft = await corrected(alma, draft, { does: 'leave-out', rows: [3] });
  expect(draft).toMatchObject({ wrong: 0 });
  const { file } = await finished(alma, draft);
  expect((await effectOf(alma, file?.id ?? '')).refused).toBe(0);
  await watch(alma, (await submitted(alma, { file: file?.id ?? '' })).id);
  const { users, pseudonyms } = ts.sandbox.world;
  expect(users.must(ann?.id ?? 0).name).toBe('x');
  expect(users.must(bob?.id ?? 0).name).not.toBe('x');
  expect(pseudonyms.by.sis.get(ann?.sis ?? '')?.unique_id).toBe(ann?.email);
});

test('SIS-06 rows not opened for correction are counted as long as they have their problem', async () => {
  const course = campus.course(6);
  const member = (await students(course.id))[0]?.sis;
  const enrol = [
    `${course.sis},,NOBODY-CC,3,active`,
    `CA-COURSE,,${member},3,deleted`,
    `CA-COURSE,,${member},4,deleted`,
  ];
  const both = await reviewed(alma, `${ENROL}\n${enrol.join('\n')}`);
  expect(both.effect.tables[0]?.does).toEqual({ fails: 1, unknown: 2 });
  let draft = await opened(both.id, 'fails');
  expect(draft).toMatchObject({ wrong: 1, beside: { fails: 0, unknown: 2 } });
  draft = await corrected(alma, draft, { does: 'leave-out', rows: [2] });
  expect(draft).toMatchObject({ wrong: 0, beside: { fails: 0, unknown: 2 } });
  const listed = (await openDraftsOf(alma)).find((one) => one.id === draft.id);
  expect(listed).toMatchObject({ wrong: 0, beside: { unknown: 2 } });
  draft = await corrected(alma, draft, { does: 'leave-out', rows: [3] });
  expect(draft.beside.unknown).toBe(1);
  draft = await corrected(alma, draft, { does: 'cells', cells: [{ row: 4, column: 0, value: course.sis }] });
  expect(draft.beside.unknown).toBe(0);
  draft = await corrected(alma, draft, { does: 'undo' });
  expect(draft.beside.unknown).toBe(1);
  // In the opposite case, the review names the row that the LMS rejects.
  draft = await opened(both.id, 'unknown');
  expect(draft).toMatchObject({ wrong: 1, beside: { fails: 0, unknown: 0 }, left_out: 2 });
  await discarded(alma, draft.id);
  expect(await opened(both.id, 'unknown')).toMatchObject({ wrong: 2, beside: { fails: 1, unknown: 0 } });
  for (const one of await openDraftsOf(alma)) await discarded(alma, one.id);
});

test('SIS-05 ambiguous letters in a file are shown during its correction and in its review', async () => {
  const czech = (id: string) =>
    Buffer.concat([
      Buffer.from(`${USERS.replaceAll(',', ';')}\n${id};ca1@northbridge.example;Dvo`),
      Buffer.from([0xf8]),
      Buffer.from('ák;active\n', 'latin1'),
    ]);
  const doubt = expect.stringContaining('does not say which text encoding it uses');
  const draft = await drafted(alma, czech(''));
  expect(draft.warnings).toEqual([doubt]);
  const right = await corrected(alma, draft, {
    does: 'cells',
    cells: [{ row: 2, column: 0, value: '97CA1' }],
  });
  expect(right.warnings).toEqual([doubt]);
  const { file } = await finished(alma, right);
  expect(file?.warnings).toEqual([doubt]);
  expect(file?.notices.join()).toMatch(/encoded as Windows-1252.*separated by semicolons/);
  expect(file?.parts[0]).toMatchObject({ encoding: 'windows-1252', delimiter: ';' });

  // The letters are also shown when the review is opened for correction.
  const plain = await uploaded(alma, czech('97CA2'));
  expect(plain.warnings).toEqual([doubt]);
  const refused = Buffer.concat([
    Buffer.from('course_id;user_id;role_id;status\nKurs-'),
    Buffer.from([0xf8]),
    Buffer.from('\xe1k;NOBODY-CD;3;active\n', 'latin1'),
  ]);
  const review = await uploaded(alma, refused);
  expect(review.warnings).toEqual([doubt]);
  await effectOf(alma, review.id);
  expect((await opened(review.id, 'fails')).warnings).toEqual([doubt]);
});
