/**
 * Rows of enrolments that name people by integration id or another account: treated like others once the person is
 * known.
 */
import { counted } from '@lms-admin/domain/numbers';
import { fails, type SisEffect } from '@lms-admin/domain/sis-effect';
import { mayRemove } from '@lms-admin/domain/sis-effect/enrolments';
import { shown } from '@lms-admin/domain/sis-rows';
import { ownText } from '../../platform/text.ts';
import { type Evaluation, named, put } from './evaluation.ts';
import { heldIn } from './groups-of-lms.ts';
import { grouped, type RowWithoutSisId } from './upload-rows.ts';

interface OpenEffect extends SisEffect {
  /** The row refers to a different person from the one in its user_id, so it cannot be sent. */
  refused?: boolean;
}

/** A row whose effect is unknown, or that cannot be applied, with the reason. */
export interface OpenRow extends RowWithoutSisId {
  effect: OpenEffect;
}

/** Finds the people in these rows, after the rows of people. Rows without a known person are returned. @throws CanvasError */
export async function withForeign(evaluation: Evaluation): Promise<OpenRow[]> {
  const { uploadRows } = evaluation;
  if (uploadRows.rowsWithoutSisId.length === 0) return [];
  const meant = await whomRowsMean(evaluation);
  return uploadRows.rowsWithoutSisId.flatMap((place): OpenRow[] => {
    const one = uploadRows.foreign.read(place);
    const found = meant(one);
    if (typeof found !== 'string') return [{ ...one, effect: found }];
    const [part, at, , ...rest] = one.row;
    uploadRows.addEnrolment([part, at, ownText(found), ...rest], one.course);
    return [];
  });
}

/** Returns the SIS ID of a row's person, or the effect of the row if its person is unknown, missing or someone else. */
async function whomRowsMean(evaluation: Evaluation): Promise<(one: RowWithoutSisId) => string | OpenEffect> {
  const { asking, uploadRows, uploadState, people, tally } = evaluation;
  const own = uploadRows.rowsWithoutSisId
    .map((at) => uploadRows.foreign.read(at))
    .filter(({ account }) => account === '');
  const byId = await people.byId(own.flatMap(({ row: [, , user] }) => (user === '' ? [] : [user])));
  // A person whom the LMS shows with this SIS ID and integration id needs no further request.
  const shownBy = (user: string, integrationId: string) => {
    const found = user === '' ? 'missing' : byId(user);
    return typeof found === 'object' && found.sisUserId === user && found.integrationId === integrationId
      ? found
      : null;
  };
  const byIntegration = await people.byIntegrationId(
    own.flatMap(({ row: [, , user], integrationId }) =>
      integrationId === '' || shownBy(user, integrationId) ? [] : [integrationId],
    ),
  );
  const numberOf = (user: string) => uploadState.people.get(user)?.id ?? heldIn(byId(user))?.id ?? null;
  /** Returns whether both SIS IDs belong to one person, who may have several. */
  const isSame = (user: string, other: string) =>
    numberOf(user) === null
      ? uploadState.personOf(user) === uploadState.personOf(other)
      : numberOf(user) === numberOf(other);
  return ({ account, integrationId, row: [, , user] }) => {
    if (account !== '') return otherAccount(account);
    // The LMS applies rows of users and logins first.
    const after = uploadState.integrationIds.get(integrationId);
    if (typeof after === 'string')
      return user === '' || isSame(user, after) ? after : somebodyElse(user, integrationId, shown(after));
    const holder =
      after === null ? 'missing' : (shownBy(user, integrationId) ?? byIntegration(integrationId));
    if (holder === 'missing') return nobodyHas(integrationId);
    const named = user === '' ? null : byId(user);
    if (holder === 'unread' || named === 'unread') return notFoundOut(integrationId);
    if (named === null) return holder.sisUserId ?? notFoundOut(integrationId);
    if (typeof named === 'object' && named.id === holder.id) {
      tally.numbers.set(user, holder.id);
      return holder.sisUserId ?? user;
    }
    // The owner is named only to admins who can see everyone.
    const owner =
      asking.admin.record.perm !== 'ALL'
        ? 'another person'
        : holder.sisUserId === null
          ? holder.name
          : `${holder.name} (SIS ID ${shown(holder.sisUserId)})`;
    return somebodyElse(user, integrationId, owner);
  };
}

const otherAccount = (account: string): SisEffect => ({
  does: 'unknown',
  why: `The row names the account ${shown(account)} under root_account. LMS Admin cannot see what is in another account.`,
});
const nobodyHas = (integrationId: string): SisEffect =>
  fails(
    'user_integration_id',
    `No person in the LMS has the integration ID ${shown(integrationId)}. If this integration ID belongs to a deleted login, the row applies to the owner of that login. LMS Admin cannot check this, because the LMS does not show deleted items.`,
  );
const notFoundOut = (integrationId: string): SisEffect => ({
  does: 'unknown',
  why: `LMS Admin could not check who has the integration ID ${shown(integrationId)}. Use user_id to have the row compared.`,
});
const somebodyElse = (user: string, integrationId: string, owner: string): OpenEffect => ({
  ...fails(
    'user_integration_id',
    `The row names ${shown(user)} by user_id, but the user_integration_id ${shown(integrationId)} belongs to ${owner}, and the LMS uses the integration ID. Correct user_id or user_integration_id, or leave one of them empty.`,
  ),
  refused: true,
});

/** Stores and counts the open rows, course by course. */
export async function evaluateForeign(evaluation: Evaluation, open: readonly OpenRow[]): Promise<void> {
  const { tally, sink, courses } = evaluation;
  for (const [id, rows] of grouped(open, ({ course, row }) => course || row[3])) {
    const held = courses.of(id);
    const place = typeof held === 'object' ? named(id, held.name, `courses/${held.id}`) : named(id);
    const from = { unknown: tally.rows('enrollment', 'unknown'), fails: tally.rows('enrollment', 'fails') };
    const does = { unknown: 0, fails: 0 };
    for (const { row, integrationId, effect } of rows) {
      const [part, at, user, section, , role, status] = row;
      if (effect.does === 'fails' || effect.does === 'unknown') does[effect.does]++;
      if (effect.refused) tally.refused++;
      if (effect.does === 'unknown' && mayRemove({ status })) tally.uncompared('enrollment');
      await put(evaluation, 'enrollment', { part, row: at }, effect, named(user || integrationId), {
        in: place,
        section: section || null,
        role: role || null,
      });
    }
    tally.places.add(typeof held === 'object' ? held.id : `course ${id}`);
    await sink.course({ of: place, term: null, rows: rows.length, does, from });
  }
  const dark = open.filter(({ effect }) => effect.does === 'unknown').length;
  if (dark === 0) return;
  tally.notes.push(
    dark === 1
      ? '1 enrolment row uses an integration ID or names another account, so it was not compared.'
      : `${counted(dark, 'enrolment row')} use an integration ID or name another account, so they were not compared.`,
  );
}
