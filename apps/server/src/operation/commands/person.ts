/** `lms-admin person`: everything that is kept about a person; erased. */

import { open } from 'node:fs/promises';
import { counted } from '@lms-admin/domain/numbers';
import type { Erasure } from '../personal/erase.ts';
import { HOLDINGS } from '../personal/holdings.ts';
import { type Reach, reachDatabase } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import { type Command, typedPath } from './command.ts';

/** Words by which one person is known. */
const MOST_VALUES = 20;
/** Shorter ones would be found in what is about others. */
const LEAST_LENGTH = 3;

export const command: Command = {
  usage: 'person [export FILE | erase --yes] WHO [WHO …]',
  about:
    'writes everything that is kept about a person into a file, or erases it. WHO: login, email address, SIS ID, name; all that they are known by',
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
      say(`Written to ${file}, for its owner only. It names the person, and may name others beside them.`);
      return 0;
    }
    requireValues(rest, what === 'erase');
    if (options.yes !== true) {
      throw new Refusal(
        'Erasing cannot be undone, and imports that name the person cannot be undone any more either.',
        'Make an export or a backup if one is needed, and add --yes.',
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
    `Say what to do and whom it is about: export FILE WHO, or erase WHO. WHO has at least ${LEAST_LENGTH} characters.`,
    'For example: lms-admin person export zoe.json zoe.meyer@example.edu 5001001 "Zoe Meyer"',
  );
}

/** A file that is there already is not replaced. */
async function exportTo(reach: Reach, path: string, values: readonly string[]): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(
      error.code === 'EEXIST' ? `${path} is there already.` : `${path} cannot be written (${error.message}).`,
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
      `Nothing was erased: ${counted(erased.open.length, 'job')} of or about the person ${erased.open.length === 1 ? 'has' : 'have'} not ended (${erased.open.join(', ')}).`,
      'Wait for the end, or cancel: lms-admin jobs cancel ID.',
    );
  }
  const { jobs, uploads, copied, replaced, audit, kept } = erased;
  say(`Rows, results and messages of ${counted(jobs, 'job')} removed; their counts stay.`);
  say(`${counted(uploads, 'review or uploaded file', 'reviews and uploaded files')} removed.`);
  if (copied > 0)
    say(
      `${counted(copied, 'row')} of the directory removed. The next refresh finds the person again if the LMS still has them.`,
    );
  say(`Details of ${counted(audit, 'line')} of the audit changed.`);
  for (const [table, rows] of Object.entries(replaced))
    say(`${about(table)}: login or name replaced in ${counted(rows, 'row')}.`);
  for (const [table, rows] of Object.entries(kept))
    say(`Kept: ${about(table)} (${counted(rows, 'row')}), ${HOLDINGS[table]?.until}.`);
  say(
    'Backups, and logs that were written before, still name the person: see docs/operating/personal-data.md.',
  );
}

const about = (table: string) => HOLDINGS[table]?.about ?? table;
