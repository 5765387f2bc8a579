/** Why the LMS rejects rows of users and logins: ids and logins that belong to another person. */
import { begins, type Cells } from '@lms-admin/domain/sis-effect';
import { PROVIDER, sameLogin } from '@lms-admin/domain/sis-effect/people';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import type { Evaluation, Refusals } from './evaluation.ts';
import type { Found } from './people.ts';

type Asking = Pick<Evaluation, 'uploadRows' | 'people' | 'uploadState' | 'asking' | 'around'>;

export async function peopleRefusals(evaluation: Asking): Promise<Refusals> {
  const [integrationIds, logins, providers] = await Promise.all([
    integrations(evaluation),
    loginFacts(evaluation),
    unknownProvider(evaluation),
  ]);
  return {
    user: (cell) => [...(begins(cell('status'), 'deleted') ? [] : integrationIds(cell)), ...providers(cell)],
    login: (cell) => [...logins(cell), ...integrationIds(cell), ...providers(cell)],
  };
}

/** Finds authentication providers that the LMS does not have. */
async function unknownProvider({ uploadRows, around }: Asking): Promise<(cell: Cells) => SisProblem[]> {
  const rows = [...uploadRows.of('user'), ...uploadRows.of('login')];
  if (!rows.some(({ cell }) => cell(PROVIDER))) return () => [];
  const idOf = await around.providers();
  return (cell) => {
    const given = cell(PROVIDER);
    if (!given || idOf(given) !== 'missing') return [];
    return [{ column: PROVIDER, message: `The LMS has no authentication provider ${shown(given)}.` }];
  };
}

/** Finds integration ids that belong to other people. */
async function integrations({
  uploadRows,
  people,
  asking,
  uploadState,
}: Asking): Promise<(cell: Cells) => SisProblem[]> {
  const rows = [...uploadRows.of('user'), ...uploadRows.of('login')].filter(({ cell }) =>
    cell('integration_id'),
  );
  if (rows.length === 0) return () => [];
  // For a limited admin all people in a file are new.
  const whole = asking.admin.record.perm === 'ALL';
  const byId = whole
    ? await people.byId(rows.map(({ cell }) => cell('user_id') ?? ''))
    : () => 'missing' as const;
  const open = rows.filter(({ cell }) => {
    const found = byId(cell('user_id') ?? '');
    return typeof found !== 'object' || found.integrationId !== cell('integration_id');
  });
  const byIntegration = await people.byIntegrationId(open.map(({ cell }) => cell('integration_id') ?? ''));
  return (cell) => {
    const given = cell('integration_id');
    if (!given) return [];
    const [id, login] = [cell('user_id') ?? '', cell('login_id') ?? ''];
    // Owner after the earlier rows.
    const taken = uploadState.integrationIds.get(given);
    if (taken === null || taken === id) return [];
    if (taken !== undefined) return [claimed(given, `the SIS ID ${shown(taken)} by an earlier row`)];
    const holder = byIntegration(given);
    if (typeof holder !== 'object') return [];
    const own = byId(id);
    if (holder.sisUserId === id || (typeof own === 'object' && own.id === holder.id)) return [];
    // A person without an SIS ID counts as the row's person if the login is the same.
    if (holder.sisUserId === null && sameLogin(holder.login, login)) return [];
    return [claimed(given, whoIs(holder))];
  };
}

function claimed(given: string, claimant: string): SisProblem {
  const message = `The integration_id ${shown(given)} belongs to ${claimant}. Correct it, or leave the cell empty.`;
  return { column: 'integration_id', message };
}

/** Checks logins that are added to people: SIS ID and login must be unused, and the person must exist. */
async function loginFacts({
  uploadRows,
  people,
  uploadState,
}: Asking): Promise<(cell: Cells) => SisProblem[]> {
  const rows = [...uploadRows.of('login')];
  if (rows.length === 0) return () => [];
  const cellsOf = (column: string) => rows.flatMap(({ cell }) => cell(column) ?? []);
  const [byId, byLogin, byIntegration, byNumber] = await Promise.all([
    people.byId([...cellsOf('user_id'), ...cellsOf('existing_user_id')]),
    people.byLogin(cellsOf('login_id')),
    people.byIntegrationId(cellsOf('existing_integration_id')),
    people.byNumber(cellsOf('existing_canvas_user_id')),
  ]);
  /** Describes the owner of a login after the rows of users; null if the login is free. */
  const takenBy = (login: string, user: Found): string | null => {
    const now = uploadState.logins.get(login.toLowerCase());
    if (now === null) return null;
    if (typeof user === 'object' && (now === undefined || now === user.sisUserId))
      return `The login ${shown(login)} already belongs to ${whoIs(user)}.`;
    return now === undefined
      ? null
      : `The same upload gives the login ${shown(login)} to the SIS ID ${shown(now)}.`;
  };
  return (cell) => {
    const problems: SisProblem[] = [];
    const add = (column: string, message: string) => problems.push({ column, message });
    const [id, login] = [cell('user_id') ?? '', cell('login_id') ?? ''];
    const [holder, user] = [byId(id), byLogin(login)];
    if (typeof holder === 'object')
      add(
        'user_id',
        `The SIS ID ${shown(id)} already belongs to ${whoIs(holder)}. A new login needs its own SIS ID.`,
      );
    else if (people.former(id) !== null)
      add(
        'user_id',
        `The SIS ID ${shown(id)} belongs to a deleted login of ${people.former(id)?.name}. Choose another SIS ID, or restore that login with a row in a users file.`,
      );
    else if (uploadState.has('user', id) === true)
      add(
        'user_id',
        `The same upload gives the SIS ID ${shown(id)} to a person. A new login needs its own SIS ID.`,
      );
    const taken = takenBy(login, user);
    if (taken !== null) add('login_id', `${taken} Choose another one.`);
    const owners = [
      ['existing_user_id', byId, 'the SIS ID'],
      ['existing_integration_id', byIntegration, 'the integration ID'],
      ['existing_canvas_user_id', byNumber, 'the number'],
    ] as const;
    let first: number | null = null;
    for (const [column, of, what] of owners) {
      const given = cell(column);
      if (!given || (column === 'existing_user_id' && uploadState.has('user', given) === true)) continue;
      // A login that the same upload deletes does not identify a person any more.
      const gone = column === 'existing_user_id' && uploadState.has('user', given) === false;
      const owner: Found = gone ? 'missing' : of(given);
      if (owner === 'missing') add(column, `No person in the LMS has ${what} ${shown(given)}.`);
      if (typeof owner !== 'object') continue;
      if (first !== null && first !== owner.id)
        add(
          column,
          `${shown(given)} is ${owner.name}, but the other columns of the row name another person.`,
        );
      first ??= owner.id;
    }
    return problems;
  };
}

function whoIs({ name, sisUserId }: Exclude<Found, string>): string {
  return sisUserId === null ? `${name}, who has no SIS ID` : `${name} (SIS ID ${shown(sisUserId)})`;
}
