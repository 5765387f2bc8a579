/** `lms-admin access`: lists or exports access, and restores it when everyone is locked out. */

import { writeFile } from 'node:fs/promises';
import type { AccessRecord } from '@lms-admin/contract/access';
import { FLAGS, hasFlag } from '@lms-admin/domain/access';
import { entryState, type Right } from '@lms-admin/domain/access-records';
import { counted } from '@lms-admin/domain/numbers';
import { asAccessFile, readAccessFile } from '../../access/file.ts';
import type { AccessGained } from '../access.ts';
import { type Reach, reachDatabase } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import { type Command, type Given, typedPath } from './command.ts';

const ACTS: Readonly<
  Record<string, (reach: Reach, given: Given, subject: string | undefined) => Promise<void>>
> = {
  list,
  export: exportTo,
  import: importFrom,
  grant,
};
/** Actions that need an argument. */
const WITH_SUBJECT = new Set(['import', 'grant']);

export const command: Command = {
  usage:
    'access [list [--json] | export [FILE] | import FILE [--yes] | grant LOGIN [--email EMAIL] [--why WHY]]',
  about:
    'lists who can do what, exports it to a file or imports it from one, or makes a person an access administrator',
  failed: 'Access was not changed',
  options: {
    json: { type: 'boolean' },
    yes: { type: 'boolean' },
    email: { type: 'string' },
    why: { type: 'string' },
  },
  positionals: [0, 2],
  async run(given) {
    const [what = 'list', subject] = given.positionals;
    const act = Object.hasOwn(ACTS, what) ? ACTS[what] : undefined;
    if (
      !act ||
      (WITH_SUBJECT.has(what) && subject === undefined) ||
      (what === 'list' && subject !== undefined)
    ) {
      throw new Refusal(
        'Add what to do: list, export [FILE], import FILE or grant LOGIN.',
        'See "lms-admin help".',
      );
    }
    const reach = await reachDatabase(given.config());
    try {
      await act(reach, given, subject);
    } finally {
      await reach.close();
    }
    return 0;
  },
};

async function listed(reach: Reach): Promise<AccessRecord[]> {
  return ((await reach.ask('accessList')) as { records: AccessRecord[] }).records;
}

async function list(reach: Reach, { options, say }: Given) {
  const records = await listed(reach);
  if (options.json === true) return say(JSON.stringify(records, null, 2));
  if (records.length === 0) return say('No one has access.');
  for (const entry of records) {
    const { login, record, expires_at, reason } = entry;
    const tools = FLAGS.filter((flag) => hasFlag(record, flag)).join(',');
    const where = record.perm === 'ALL' ? 'whole school' : `programmes ${record.sub_accounts || 'none'}`;
    const until = expires_at === null ? '' : ` until ${expires_at}`;
    say([login, `${entryState(entry, Date.now())}${until}`, where, tools || 'no tool', reason].join('  '));
  }
}

async function exportTo(reach: Reach, { say }: Given, path: string | undefined) {
  const records = await listed(reach);
  const text = asAccessFile(records);
  if (path === undefined) return say(text.trimEnd());
  await writeFile(typedPath(path), text, { mode: 0o600 });
  say(`${path} has ${counted(records.length, 'administrator')}.`);
}

async function importFrom(reach: Reach, { options, say }: Given, path = '') {
  const records = await readAccessFile(typedPath(path));
  const sure = options.yes === true;
  const { gained, other, changed } = (await reach.ask('accessImport', { records, file: path, sure })) as {
    gained: AccessGained[];
    other: string[];
    changed: number;
  };
  for (const { login, gains, loses } of gained) {
    if (gains.length > 0) say(`${login} gains: ${gains.map(inWords).join(', ')}`);
    if (loses.length > 0) say(`${login} loses: ${loses.map(inWords).join(', ')}`);
  }
  for (const login of other) say(`${login}: the end date, reason, email or state changes.`);
  if (gained.length + other.length === 0) say('No one gains or loses access.');
  say(
    sure
      ? `Changed ${counted(changed, 'record')}. Servers follow within 5 seconds.`
      : 'Nothing was changed. To make these changes, add --yes. People who are not in the file will be disabled.',
  );
}

async function grant(reach: Reach, { options, say }: Given, person = '') {
  const { email, why } = options;
  if (!(typeof email === 'string' ? email : person).includes('@')) {
    throw new Refusal(`${person} is not an email address.`, 'Add --email EMAIL.');
  }
  const { changed, wasLimited } = (await reach.ask('accessGrant', { person, email, why })) as {
    changed: number;
    wasLimited: boolean;
  };
  if (changed === 0) return say(`${person} can already change access.`);
  say(`${person} can now change access. The history records this. Servers follow within 5 seconds.`);
  if (wasLimited) say('Their record was limited to programmes. It now covers the whole school, so check it.');
}

function inWords(right: Right): string {
  switch (right.kind) {
    case 'tool':
      return right.flag;
    case 'everywhere':
      return 'the whole school';
    case 'programme':
      return `programme ${right.id}`;
    case 'role':
      return `${right.level} role ${right.id}`;
    case 'zoom-queue-removal':
      return 'zoom_update_courses_delete';
  }
}
