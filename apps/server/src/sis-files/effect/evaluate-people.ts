/** Evaluates rows of users, logins and observers. */
import { begins, type Cells, changed, type SisDoes, type SisEffect } from '@lms-admin/domain/sis-effect';
import {
  type HeldPerson,
  letIn,
  nameOf,
  type PersonEffect,
  PROVIDER,
  perhapsLetIn,
  personEffect,
  sameLogin,
  suspendedAlready,
  withProvider,
  withUnseen,
} from '@lms-admin/domain/sis-effect/people';
import { shown } from '@lms-admin/domain/sis-rows';
import { type Answer } from '../../canvas/resources/reading.ts';
import type { LmsLogin } from '../../canvas/resources/users.ts';
import { ahead } from './ahead.ts';
import { AT_ONCE, FEW } from './ask.ts';
import { count, type Evaluation, named, put, removes, unlessRefused } from './evaluation.ts';
import { LoginsGivenUp } from './given-up-logins.ts';
import type { Found } from './people.ts';
import { endWithPerson, holdingOfPerson, loginsHeld, type PersonHolding } from './person-holding.ts';
import { NamesSoFar, RowsToCome, withSeveralLogins } from './several-logins.ts';
import type { CellsRow } from './upload-rows.ts';

/** Maximum number of people with an active row whose login is looked up: no list shows which logins are suspended. */
const MOST_LET_IN = 10 * FEW;

export async function evaluatePeople(evaluation: Evaluation): Promise<void> {
  await evaluateUsers(evaluation);
  await evaluateLogins(evaluation);
}

async function evaluateUsers(evaluation: Evaluation): Promise<void> {
  const { uploadRows, people, uploadState, tally, asking } = evaluation;
  if (uploadRows.count('user') === 0) return;
  // A limited admin's people were looked up by the file check, and are again before sending: all of them are new.
  const limited = asking.admin.record.perm !== 'ALL';
  const ids = function* () {
    for (const { cell } of uploadRows.of('user')) yield cell('user_id') ?? '';
  };
  const byId = limited ? () => 'missing' as const : await people.byId(ids());
  const unclear = function* () {
    for (const { cell } of uploadRows.of('user')) {
      const [found, login] = [byId(cell('user_id') ?? ''), cell('login_id') ?? ''];
      if (found === 'missing' || (typeof found === 'object' && !sameLogin(found.login, login))) yield login;
    }
  };
  const byLogin = limited ? () => 'missing' as const : await people.byLogin(unclear());
  const nobody = function* () {
    for (const { cell } of uploadRows.of('user'))
      if (!limited && byId(cell('user_id') ?? '') === 'missing' && !removes('user', cell))
        yield {
          sisId: cell('user_id') ?? '',
          terms: [nameOf(cell, null), cell('email') ?? '', cell('login_id') ?? ''],
        };
  };
  const formerly = await people.formerly([...nobody()]);
  const givenUp = new LoginsGivenUp(evaluation, byId, byLogin);
  let lookups = 0;
  const several = withSeveralLogins(uploadRows.of('user'), byId);
  const names = new NamesSoFar(several);
  const toCome = new RowsToCome(evaluation, byId, several);
  const compared = (row: CellsRow): Promise<ComparedUser> => {
    const raw = byId(row.cell('user_id') ?? '');
    return names.follow(heldIn(raw)?.id ?? null, (earlier) => compare(row, earlier));
  };
  const compare = async (row: CellsRow, earlier: Partial<HeldPerson>): Promise<ComparedUser> => {
    const { cell } = row;
    const [id, login] = [cell('user_id') ?? '', cell('login_id') ?? ''];
    const found = await asOwnLogin(evaluation, id, byId(id));
    const same = typeof found === 'object' && sameLogin(found.login, login);
    const holder = same ? found : byLogin(login);
    if (found === 'unread' || holder === 'unread') {
      const why = `LMS Admin could not confirm whether the SIS ID ${shown(id)} belongs to a person.`;
      return { ...row, effect: { does: 'unknown', why, person: null }, holding: null, login: null };
    }
    const held = found === 'missing' ? null : { ...found, ...earlier };
    const own = { ...row, login: held?.login ?? null };
    const plain = givenUp.advised(personEffect(cell, held, heldIn(holder), formerly(id)), row);
    const effect = withIntegration(uploadState, cell, unlessRefused(evaluation, 'user', cell, plain), held);
    const { does } = effect;
    // Every person is named as the LMS currently names them.
    const person = effect.person && held?.id === effect.person.id ? heldIn(found) : effect.person;
    const stays = does === 'changes' || does === 'nothing';
    if (person === null || !(stays || does === 'deletes' || does === 'suspends'))
      return { ...own, effect: { ...effect, person }, holding: null };
    if (stays && ++lookups > MOST_LET_IN) return { ...own, effect: { ...effect, person }, holding: UNASKED };
    return { ...own, effect: { ...effect, person }, holding: await holdingOf(evaluation, does, person.id) };
  };
  const given = [...uploadRows.of('user')].some(({ cell }) => cell(PROVIDER));
  const providerOf: ProviderOf = given ? await evaluation.around.providers() : () => 'unread' as const;
  let judged = 0;
  let created = 0;
  for await (const { cell, holding, effect: one, login, ...at } of ahead(
    uploadRows.of('user'),
    AT_ONCE,
    compared,
  )) {
    const id = cell('user_id') ?? '';
    toCome.judged(id);
    const evaluatedEffect: Ended =
      holding === null
        ? { effect: one, takes: null }
        : ended(evaluation, cell, one, holding, providerOf, toCome);
    const { takes, loginOnly } = evaluatedEffect;
    const effect = withUnseen(cell, evaluatedEffect.effect);
    noteAccess(uploadState, id, evaluatedEffect);
    noteLogin(evaluation, cell, effect, login);
    if (effect.refused) tally.refused++;
    if (one.does === 'creates') created++;
    if (one.does === 'creates' || one.does === 'restores') uploadState.set('user', id, true);
    if (effect.does === 'deletes') uploadState.set('user', id, false);
    if (effect.does === 'nothing' && effect.person === null && removes('user', cell)) {
      uploadState.deletedLogins.add(id);
      // If the id may be that of a deleted login, it is unknown whether its owner exists.
      if (!people.mayBeFormer(id)) uploadState.set('user', id, false);
    }
    if (effect.person && (one.does === 'restores' || effect.person.sisUserId === null)) {
      uploadState.set('user', id, true);
      uploadState.people.set(id, { id: effect.person.id, name: effect.person.name });
    }
    // A person with another login stays: only the login counts as deleted.
    const kind = loginOnly ? 'login' : 'user';
    count(evaluation, kind, effect, id, removes('user', cell) || begins(cell('status'), 'suspended'));
    const { person } = effect;
    if (person) tally.numbers.set(id, person.id);
    const name = person?.name ?? (effect.does === 'unknown' ? null : nameOf(cell, null));
    await put(evaluation, kind, at, effect, named(id, name, person && `users/${person.id}`), { takes });
    evaluation.onEvaluated(++judged);
  }
  // The list of deleted people may be minutes old: newer deleted logins are found only by personal data in the row.
  if (created > 0 && people.all === null) tally.notes.push(RESTORED_INSTEAD);
}

interface ComparedUser extends CellsRow {
  effect: PersonEffect;
  holding: PersonHolding | null;
  /** The login that the LMS has under the SIS ID. */
  login: string | null;
}

/** Reads a person's enrolments and groups when their login ends: all of them if it is deleted. */
async function holdingOf(evaluation: Evaluation, does: SisDoes, person: number): Promise<PersonHolding> {
  if (does === 'deletes') return holdingOfPerson(evaluation, person);
  return { logins: await loginsHeld(evaluation, person), enrolments: [], groups: [], observers: [] };
}

interface Ended {
  effect: PersonEffect;
  takes: string | null;
  /** Whether the row reactivates a suspended login. */
  opens?: boolean;
  /** Whether the row ends one of several logins, so that its person stays. */
  loginOnly?: boolean;
}

const UNASKED: PersonHolding = { logins: 'unread', enrolments: [], groups: [], observers: [] };

/**
 * Ends everything that depends on a login once a person's last login is deleted; otherwise tells whether a suspended
 * one is reactivated or stays.
 */
function ended(
  evaluation: Evaluation,
  cell: Cells,
  plain: PersonEffect,
  holding: PersonHolding,
  providerOf: ProviderOf,
  toCome: RowsToCome,
): Ended {
  const { uploadState, tally } = evaluation;
  const { logins } = holding;
  const sisId = cell('user_id') ?? '';
  const known = typeof logins === 'string' ? [] : logins;
  if (plain.does !== 'deletes') {
    const login =
      known.find(({ sis_user_id }) => sis_user_id === sisId) ??
      known.find(({ unique_id }) => sameLogin(unique_id, cell('login_id') ?? ''));
    const suspended = login?.workflow_state === 'suspended';
    const effect = login ? signedInBy(cell, plain, login, providerOf) : plain;
    if (effect.does === 'suspends') {
      if (typeof logins === 'string') tally.untold = true;
      if (suspended) return { effect: suspendedAlready(effect), takes: null };
      const others = known.filter(
        (one) =>
          one !== login &&
          (isOpen(uploadState, one) || toCome.opening(one)) &&
          !isDeleted(uploadState, one.sis_user_id),
      );
      const [first] = others;
      if (login === undefined) return { effect, takes: null };
      if (first === undefined) {
        const given = toCome.given(sisId);
        if (given === null) return { effect, takes: null };
        const why = `Only this login is suspended. A row in the logins file gives them another login, ${shown(given)}.`;
        return { effect: { ...effect, why }, takes: null, loginOnly: true };
      }
      const stays = others.find((one) => toCome.ending(one) === null);
      const last = others.map((one) => toCome.ending(one)).findLast((row) => row !== null);
      const why = stays
        ? `Only this login is suspended: they can still sign in as ${shown(stays.unique_id)}.`
        : `${last?.name} ends their other login, ${shown(first.unique_id)}. After that they can no longer sign in.`;
      // The last suspended login represents the person.
      const loginOnly = stays !== undefined || others.some((one) => toCome.ending(one)?.deletes === false);
      return { effect: { ...effect, why }, takes: null, loginOnly };
    }
    const active = login === undefined ? perhapsLetIn(effect) : effect;
    return { effect: suspended ? letIn(effect) : active, takes: null, opens: suspended };
  }
  if (typeof logins === 'string') tally.untold = true;
  const others = known.filter(
    ({ sis_user_id }) => sis_user_id !== sisId && !isDeleted(uploadState, sis_user_id),
  );
  const stays = others.filter((one) => toCome.ending(one)?.deletes !== true);
  const open = stays.find(
    (one) => (isOpen(uploadState, one) && toCome.ending(one) === null) || toCome.opening(one),
  );
  const other = open ?? stays[0] ?? others[0];
  if (other) {
    if (plain.person) uploadState.people.set(sisId, { id: plain.person.id, name: plain.person.name });
    const keeps = `Only this login is deleted: they keep the login ${shown(other.unique_id)} and every enrolment.`;
    const later = toCome.ending(other);
    const why =
      later?.deletes === true
        ? `${later.name} deletes their other login, ${shown(other.unique_id)}, and with it every enrolment.`
        : later !== null
          ? `${keeps} ${later.name} suspends that login, so they can no longer sign in.`
          : open === undefined
            ? `${keeps} The other login is suspended, so they can no longer sign in.`
            : keeps;
    return { effect: { ...plain, why }, takes: null, loginOnly: true };
  }
  return { effect: plain, takes: endWithPerson(evaluation, plain.person?.id ?? 0, holding) };
}

type ProviderOf = (given: string) => Answer<number>;

/** Names the authentication provider of a login that the row changes or removes. */
function signedInBy(
  cell: Cells,
  effect: PersonEffect,
  login: LmsLogin,
  providerOf: ProviderOf,
): PersonEffect {
  const held = login.authentication_provider_id ?? null;
  const given = cell(PROVIDER) || null;
  const same = given !== null && held !== null && (providerOf(given) === held || given === String(held));
  return same ? effect : withProvider(effect, held === null ? null : String(held), given);
}

const isDeleted = (uploadState: Evaluation['uploadState'], sisId: string | null) =>
  sisId !== null && uploadState.has('user', sisId) === false;

/** Returns whether a person can sign in with a login after the rows so far. */
function isOpen(
  uploadState: Evaluation['uploadState'],
  { sis_user_id: id, workflow_state: state }: LmsLogin,
): boolean {
  if (isDeleted(uploadState, id) || (id !== null && uploadState.suspended.has(id))) return false;
  return state !== 'suspended' || (id !== null && uploadState.opened.has(id));
}

/** Records whether a person can sign in with a login after a row. */
function noteAccess(
  { suspended, opened }: Evaluation['uploadState'],
  id: string,
  { effect, opens }: Ended,
): void {
  if (effect.does === 'fails' || effect.does === 'unknown') return;
  if (effect.does !== 'suspends') suspended.delete(id);
  else {
    suspended.add(id);
    opened.delete(id);
  }
  if (opens) opened.add(id);
}

/** Records which login a row frees, and which login it gives to which person, for the rows of logins. */
function noteLogin(
  { uploadState: { logins }, uploadRows }: Evaluation,
  cell: Cells,
  { does, person }: PersonEffect,
  login: string | null,
): void {
  if (uploadRows.count('login') === 0 || does === 'fails' || does === 'unknown') return;
  if (does === 'nothing' && person === null) return;
  if (login !== null) logins.set(login.toLowerCase(), null);
  if (!removes('user', cell)) logins.set((cell('login_id') ?? '').toLowerCase(), cell('user_id') ?? '');
}

function heldIn(found: HeldPerson | 'missing' | 'unread'): HeldPerson | null {
  return typeof found === 'object' ? found : null;
}

/**
 * Completes a person with the row's own login: the LMS shows one of a person's logins, and the row's may be another,
 * whose email address it does not show.
 */
async function asOwnLogin(evaluation: Evaluation, id: string, found: Found): Promise<Found> {
  if (typeof found !== 'object' || found.sisUserId === null || found.sisUserId === id) return found;
  const logins = await loginsHeld(evaluation, found.id);
  const own = typeof logins === 'string' ? null : logins.find(({ sis_user_id }) => sis_user_id === id);
  if (!own) return { ...found, integrationId: undefined, email: undefined };
  const { unique_id: login, integration_id: integrationId } = own;
  return { ...found, sisUserId: id, login, integrationId, email: undefined };
}

const RESTORED_INSTEAD =
  'If a deleted login has the SIS ID of a new person, the LMS restores that login and its owner instead. LMS Admin cannot check this, because the LMS does not show deleted items.';

/** Applies the integration id in a row. The LMS does not show whether a deleted login has it. */
function withIntegration<E extends SisEffect>(
  { integrationIds }: Evaluation['uploadState'],
  cell: Cells,
  effect: E,
  held: HeldPerson | null,
): E {
  const given = cell('integration_id');
  const isNew = held === null && removes('user', cell);
  if (!given || effect.does === 'fails' || held?.integrationId === given) return effect;
  // A row that deletes an unknown person creates a deleted login.
  if (effect.does === 'nothing' && !isNew) return effect;
  if (held?.integrationId) integrationIds.set(held.integrationId, null);
  integrationIds.set(given, cell('user_id') ?? '');
  if (effect.does === 'deletes' || effect.does === 'nothing') return effect;
  return { ...effect, why: [...(effect.why ? [effect.why] : []), HELD_BY_DELETED].join(' ') };
}

const HELD_BY_DELETED =
  'If a deleted login has this integration ID, the LMS rejects the row, and every row that names this person. LMS Admin cannot check this, because the LMS does not show deleted items.';

const ID_HELD_BY_DELETED =
  'If a deleted login has this SIS ID, the LMS rejects the row, and every row that names this person. LMS Admin cannot check this, because the LMS does not show deleted items.';

async function evaluateLogins(evaluation: Evaluation): Promise<void> {
  const { uploadRows, people, uploadState, tally } = evaluation;
  if (uploadRows.count('login') === 0) return;
  const rows = [...uploadRows.of('login')];
  const given = (column: string) => rows.flatMap(({ cell }) => cell(column) ?? []);
  const [byId, byIntegration, byNumber] = await Promise.all([
    people.byId(given('existing_user_id')),
    people.byIntegrationId(given('existing_integration_id')),
    people.byNumber(given('existing_canvas_user_id')),
  ]);
  for (const { cell, ...at } of rows) {
    const [id, of] = [cell('user_id') ?? '', cell('existing_user_id')];
    const found = [
      of ? byId(of) : [],
      cell('existing_integration_id') ? byIntegration(cell('existing_integration_id') ?? '') : [],
      cell('existing_canvas_user_id') ? byNumber(cell('existing_canvas_user_id') ?? '') : [],
    ].flat();
    // If the ids identify different people, the LMS rejects the row. An id may belong to a login that an earlier row
    // adds.
    const person = found.map(heldIn).find((one) => one !== null) ?? uploadState.people.get(of ?? '') ?? null;
    if (person !== null) for (const one of [id, of ?? id]) tally.numbers.set(one, person.id);
    const open = person === null && found.includes('unread') && (!of || uploadState.has('user', of) !== true);
    const plain: SisEffect = open
      ? { does: 'unknown', why: 'LMS Admin could not confirm whose login it will be.' }
      : {
          does: 'creates',
          why: 'Adds a second login for this person.',
          fields: ['login_id', 'email', 'integration_id', PROVIDER].flatMap((column) =>
            changed(column, null, cell(column) ?? null),
          ),
        };
    const checked = withIntegration(uploadState, cell, unlessRefused(evaluation, 'login', cell, plain), null);
    const hidden = checked.does === 'creates' && people.mayBeFormer(id);
    const effect = hidden
      ? { ...checked, why: [checked.why ?? [], ID_HELD_BY_DELETED].flat().join(' ') }
      : checked;
    if (person !== null && effect.does !== 'fails')
      uploadState.people.set(id, { id: person.id, name: person.name });
    if (effect.does === 'creates') uploadState.set('user', id, true);
    if (effect.does === 'creates' && person === null && of) uploadState.addLogin(id, of);
    count(evaluation, 'login', effect, id, removes('login', cell));
    await put(
      evaluation,
      'login',
      at,
      effect,
      named(id, person?.name ?? null, person && `users/${person.id}`),
    );
  }
}
