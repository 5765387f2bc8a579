/** Rows of enrolments that name people by their integration id, or another account: taken as the others once it is known who is meant. */
import { counted } from '@lms-admin/domain/numbers';
import { fails, type SisEffect } from '@lms-admin/domain/sis-effect';
import { mayRemove } from '@lms-admin/domain/sis-effect/enrolments';
import { shown } from '@lms-admin/domain/sis-rows';
import { ownText } from '../../platform/text.ts';
import { type Evaluation, named, put, removes } from './evaluation.ts';
import { type Gathered, grouped, type RowWithoutSisId } from './gathered.ts';

interface OpenEffect extends SisEffect {
  /** The row means someone else than its user_id says: no one may send it. */
  refused?: boolean;
}

/** A row of which it stays open what it does, or that cannot be carried out, with its reason. */
export interface OpenRow extends RowWithoutSisId {
  effect: OpenEffect;
}

/** Finds out who is meant. Who is found is among the rows of their course; the rest is handed back. @throws CanvasError */
export async function withForeign(evaluation: Evaluation): Promise<OpenRow[]> {
  const { gathered } = evaluation;
  if (gathered.rowsWithoutSisId.length === 0) return [];
  const meant = await whomRowsMean(evaluation);
  return gathered.rowsWithoutSisId.flatMap((place): OpenRow[] => {
    const one = gathered.foreign.read(place);
    const found = meant(one);
    if (typeof found !== 'string') return [{ ...one, effect: found }];
    const [part, at, , ...rest] = one.row;
    gathered.addEnrolment([part, at, ownText(found), ...rest], one.course);
    return [];
  });
}

/** The SIS ID of whom a row means, or what becomes of the row where that is no one, someone else or not known. */
async function whomRowsMean({
  asking,
  gathered,
  people,
  tally,
}: Evaluation): Promise<(one: RowWithoutSisId) => string | OpenEffect> {
  const own = gathered.rowsWithoutSisId
    .map((at) => gathered.foreign.read(at))
    .filter(({ account }) => account === '');
  const byId = await people.byId(own.flatMap(({ row: [, , user] }) => (user === '' ? [] : [user])));
  // Whom the SIS ID shows with this integration id is meant: no one needs to be asked about.
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
  const { given, released } = integrationsGiven(gathered);
  return ({ account, integrationId, row: [, , user] }) => {
    if (account !== '') return otherAccount(account);
    const asked = shownBy(user, integrationId) ?? byIntegration(integrationId);
    const holder = typeof asked === 'object' && released(asked.sisUserId, integrationId) ? 'missing' : asked;
    const byUpload = holder === 'missing' ? given.get(integrationId) : undefined;
    if (byUpload !== undefined)
      return user === '' || user === byUpload ? byUpload : somebodyElse(user, integrationId, shown(byUpload));
    if (holder === 'missing') return nobodyHas(integrationId);
    const named = user === '' ? null : byId(user);
    if (holder === 'unread' || named === 'unread') return notFoundOut(integrationId);
    if (named === null) return holder.sisUserId ?? notFoundOut(integrationId);
    if (typeof named === 'object' && named.id === holder.id) {
      tally.numbers.set(user, holder.id);
      return holder.sisUserId ?? user;
    }
    // Who it is, is told to those who may see everybody.
    const whose =
      asking.admin.record.perm !== 'ALL'
        ? 'another person'
        : holder.sisUserId === null
          ? holder.name
          : `${holder.name} (SIS ID ${shown(holder.sisUserId)})`;
    return somebodyElse(user, integrationId, whose);
  };
}

/** Integration ids that rows of users and logins of the same upload give: the LMS carries these out first. */
function integrationsGiven(gathered: Gathered) {
  const given = new Map<string, string>();
  const now = new Map<string, string>();
  for (const kind of ['user', 'login'] as const)
    for (const { cell } of gathered.of(kind)) {
      const [user, integrationId] = [cell('user_id'), cell('integration_id')];
      if (!user || !integrationId || removes(kind, cell)) continue;
      given.set(integrationId, user);
      now.set(user, integrationId);
    }
  /** Whether the person gets another one. */
  const released = (user: string | null, integrationId: string) =>
    user !== null && (now.get(user) ?? integrationId) !== integrationId;
  return { given, released };
}

const otherAccount = (account: string): SisEffect => ({
  does: 'unknown',
  why: `The row names the account ${shown(account)} under root_account: what another account holds cannot be seen from here.`,
});
const nobodyHas = (integrationId: string): SisEffect =>
  fails(
    'user_integration_id',
    `No person in the LMS has the integration ID ${shown(integrationId)}. If it is that of a deleted login, the row means its owner: the LMS does not show what was deleted.`,
  );
const notFoundOut = (integrationId: string): SisEffect => ({
  does: 'unknown',
  why: `LMS Admin could not find out who has the integration ID ${shown(integrationId)}. Name people by user_id to have the row compared.`,
});
const somebodyElse = (user: string, integrationId: string, whose: string): OpenEffect => ({
  ...fails(
    'user_integration_id',
    `The row names ${shown(user)} by user_id, but the user_integration_id ${shown(integrationId)} belongs to ${whose}, and the LMS goes by that one. Correct one of the two, or leave one empty.`,
  ),
  refused: true,
});

/** Keeps and counts what stayed open, course by course. */
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
    `${counted(dark, 'row')} of enrollments ${dark === 1 ? 'identifies the person' : 'identify people'} by another ID, or another account: ${dark === 1 ? 'it was' : 'they were'} not compared.`,
  );
}
