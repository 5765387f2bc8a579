/** `lms-admin person`: exports or erases everything stored about a person. */

import { open } from 'node:fs/promises';
import { counted } from '@lms-admin/domain/numbers';
import type { Erasure } from '../personal/erase.ts';
import { HOLDINGS } from '../personal/holdings.ts';
import { type Reach, reachDatabase } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import { type Command, typedPath } from './command.ts';

/** Maximum number of values that can be given for one person. */
const MOST_VALUES = 20;
/** Shorter values would match records about other people. */
const LEAST_LENGTH = 3;

export const command: Command = {
  usage: 'person [export FILE | erase --yes] WHO [WHO …]',
  about:
    'writes all data about a person to a file, or erases it. WHO: login, email address, SIS ID and name (give all that you know)',
  failed: 'The person was not found or not erased',
  options: { yes: { type: 'boolean' } },
  positionals: [0, MOST_VALUES + 2],
  async run({ config, services, positionals: [what = '', ...rest], options, say }) {
    if (what === 'export') {
      const [file = '', ...values] = rest;
      requireValues(values, file !== '');
      const reach = await reachDatabase(config(), services);
      try {
        await exportTo(reach, typedPath(file), values);
      } finally {
        await reach.close();
      }
      say(`Written to ${file}, which only its owner can read. It names the person and may also name others.`);
      return 0;
    }
    requireValues(rest, what === 'erase');
    if (options.yes !== true) {
      throw new Refusal(
        'You cannot undo this. Imports that name the person can no longer be undone either.',
        'Make an export or a backup first if you need one. Then add --yes.',
      );
    }
    const reach = await reachDatabase(config(), services);
    try {
      tell((await reach.ask('personErase', { values: rest })) as Erasure, say);
      return 0;
    } finally {
      await reach.close();
    }
  },
};

function requireValues(values: readonly string[], known: boolean): void {
  const right = values.length > 0 && values.every((value) => value.trim().length >= LEAST_LENGTH);
  if (known && right) return;
  throw new Refusal(
    `Add what to do and for whom: export FILE WHO, or erase WHO. WHO needs at least ${LEAST_LENGTH} characters.`,
    'For example: lms-admin person export zoe.json zoe.meyer@example.edu 5001001 "Zoe Meyer"',
  );
}

/** Exports to a new file; an existing file is not replaced. */
async function exportTo(reach: Reach, path: string, values: readonly string[]): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(
      error.code === 'EEXIST' ? `${path} already exists.` : `${path} cannot be written (${error.message}).`,
      'Name another file.',
    );
  });
  try {
    await reach.ask('personExport', { values }, async (text) => {
      await file.write(text);
    });
  } finally {
    await file.close();
  }
}

function tell(erased: Erasure, say: (line: string) => void): void {
  if (erased.open !== null) {
    throw new Refusal(
      `Nothing was erased: ${counted(erased.open.length, 'job')} by or about the person ${erased.open.length === 1 ? 'has' : 'have'} not ended (${erased.open.join(', ')}).`,
      erased.open.length === 1
        ? 'Wait until the job ends, or cancel it with "lms-admin jobs cancel ID".'
        : 'Wait until the work ends, or cancel each job with "lms-admin jobs cancel ID".',
    );
  }
  const { jobs, uploads, copied, replaced, audit, kept } = erased;
  say(`Rows, results and messages of ${counted(jobs, 'job')} removed. Their counts stay.`);
  say(`${counted(uploads, 'review or uploaded file', 'reviews and uploaded files')} removed.`);
  if (copied > 0)
    say(
      `${counted(copied, 'row')} of the directory removed. The next refresh adds the person again if they are still in the LMS.`,
    );
  say(`Details of ${counted(audit, 'line')} of the audit changed.`);
  for (const [table, rows] of Object.entries(replaced))
    say(`${about(table)}: login or name replaced in ${counted(rows, 'row')}.`);
  for (const [table, rows] of Object.entries(kept))
    say(`Kept: ${about(table)} (${counted(rows, 'row')}), ${HOLDINGS[table]?.until}.`);
  say('Backups and older logs still name the person. See docs/operating/personal-data.md.');
}

const about = (table: string) => HOLDINGS[table]?.about ?? table;
