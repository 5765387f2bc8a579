/** Rows of users, logins and observers. */
import type { Cells, SisEffect } from '@lms-admin/domain/sis-effect';
import { type HeldPerson, nameOf, personEffect, sameLogin } from '@lms-admin/domain/sis-effect/people';
import { shown } from '@lms-admin/domain/sis-rows';
import { count, type Judging, named, put, removes } from './judging.ts';

export async function judgePeople(judging: Judging): Promise<void> {
  await judgeUsers(judging);
  await judgeLogins(judging);
}

async function judgeUsers(judging: Judging): Promise<void> {
  const { gathered, people, made, tally, asking } = judging;
  if (gathered.count('user') === 0) return;
  // Theirs were looked up when the file was checked, and are once more before it is sent: all of them are new.
  const limited = asking.admin.record.perm !== 'ALL';
  const ids = function* () {
    for (const { cell } of gathered.of('user')) yield cell('user_id') ?? '';
  };
  const byId = limited ? () => 'missing' as const : await people.byId(ids());
  const unclear = function* () {
    for (const { cell } of gathered.of('user')) {
      const [found, login] = [byId(cell('user_id') ?? ''), cell('login_id') ?? ''];
      if (found === 'missing' || (typeof found === 'object' && !sameLogin(found.login, login))) yield login;
    }
  };
  const byLogin = limited ? () => 'missing' as const : await people.byLogin(unclear());
  let judged = 0;
  for (const { cell, ...at } of gathered.of('user')) {
    const [id, login] = [cell('user_id') ?? '', cell('login_id') ?? ''];
    const found = byId(id);
    const same = typeof found === 'object' && sameLogin(found.login, login);
    const holder = same ? found : byLogin(login);
    const told = found !== 'unread' && holder !== 'unread';
    const effect: ReturnType<typeof personEffect> = told
      ? personEffect(cell, heldIn(found), heldIn(holder))
      : {
          does: 'unknown',
          why: `Whether somebody has the SIS id ${shown(id)} could not be found out.`,
          person: null,
        };
    if (effect.refused) tally.refused++;
    if (effect.does === 'creates') made.set('user', id, true);
    if (effect.does === 'deletes') made.set('user', id, false);
    if (effect.person?.sisUserId === null) made.set('user', id, true);
    count(judging, 'user', effect, removes('user', cell));
    const { person } = effect;
    const name = person?.name ?? (told ? nameOf(cell, null) : null);
    await put(judging, 'user', at, effect, named(id, name, person && `users/${person.id}`));
    judging.onJudged(++judged);
  }
}

function heldIn(found: HeldPerson | 'missing' | 'unread'): HeldPerson | null {
  return typeof found === 'object' ? found : null;
}

async function judgeLogins(judging: Judging): Promise<void> {
  const { gathered, people, made } = judging;
  if (gathered.count('login') === 0) return;
  const rows = [...gathered.of('login')];
  const byId = await people.byId(
    rows.flatMap(({ cell }) => [cell('existing_user_id') ?? [], cell('user_id') ?? []].flat()),
  );
  for (const { cell, ...at } of rows) {
    const [id, of] = [cell('user_id') ?? '', cell('existing_user_id')];
    const owner = of ? byId(of) : 'unread';
    const taken = byId(id);
    const person = heldIn(owner);
    const effect: SisEffect =
      of && owner === 'missing' && made.has('user', of) !== true
        ? { does: 'fails', why: `Nobody in the LMS has the SIS id ${shown(of)}.` }
        : taken !== 'missing' && taken !== 'unread' && taken.id !== person?.id
          ? { does: 'fails', why: `The SIS id ${shown(id)} belongs to ${taken.name}.` }
          : person === null && made.has('user', of ?? '') !== true
            ? { does: 'unknown', why: 'Whose login it will be could not be found out.' }
            : typeof taken === 'object'
              ? { does: 'changes', why: 'They have this SIS id already; the login may become another one.' }
              : { does: 'creates', why: 'They get another login.' };
    made.unclear.add(id);
    count(judging, 'login', effect, removes('login', cell));
    await put(judging, 'login', at, effect, named(id, person?.name ?? null, person && `users/${person.id}`));
  }
}

/** @param missing SIS id that nobody has */
function observerEffect(cell: Cells, missing: string | undefined): SisEffect {
  const [observer, student, status] = [cell('observer_id'), cell('student_id'), cell('status') ?? ''];
  if (!observer || !student)
    return { does: 'fails', why: `The ${observer ? 'student_id' : 'observer_id'} is missing.` };
  if (observer === student) return { does: 'fails', why: 'Nobody can observe themselves.' };
  if (!/^(?:active|deleted)$/i.test(status))
    return { does: 'fails', why: `The status should be active or deleted, not ${shown(status)}.` };
  if (missing !== undefined)
    return { does: 'fails', why: `Nobody in the LMS has the SIS id ${shown(missing)}.` };
  const why = /^deleted$/i.test(status)
    ? 'Both are in the LMS, which does not show who observes whom. If they do, the observer leaves the courses of the student.'
    : 'Both are in the LMS, which does not show who observes whom: the row may change nothing.';
  return { does: 'unknown', why };
}

/** Who observes whom is not shown by the LMS: only that both are there. */
export async function judgeObservers(judging: Judging): Promise<void> {
  const { gathered, people, made } = judging;
  if (gathered.count('user_observer') === 0) return;
  const rows = [...gathered.of('user_observer')];
  const byId = await people.byId(
    rows.flatMap(({ cell }) => [cell('observer_id') ?? [], cell('student_id') ?? []].flat()),
  );
  for (const { cell, ...at } of rows) {
    const ids = [cell('observer_id') ?? '', cell('student_id') ?? ''];
    const missing = ids.find((id) => byId(id) === 'missing' && made.has('user', id) !== true);
    const observer = byId(ids[0] ?? '');
    const effect = observerEffect(cell, missing);
    count(judging, 'user_observer', effect, removes('user_observer', cell));
    await put(judging, 'user_observer', at, effect, named(ids[0], heldIn(observer)?.name ?? null), {
      in: named(ids[1]),
    });
  }
}
