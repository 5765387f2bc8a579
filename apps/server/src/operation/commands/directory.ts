/** `lms-admin directory`: shows the age of the directory and its last refresh; refreshes it now. */
import type { DirectoryStatus } from '@lms-admin/contract/directory';
import { grouped } from '@lms-admin/domain/numbers';
import { reachDatabase } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import type { Command } from './command.ts';

export const command: Command = {
  usage: 'directory [status [--json] | refresh [--accept-smaller]]',
  about:
    'shows how old the copy of people, courses and sections is and how the last refreshes went, or refreshes it now; --accept-smaller: even if the report is much smaller than the previous one',
  failed: 'The directory was not read or refreshed',
  options: { json: { type: 'boolean' }, 'accept-smaller': { type: 'boolean' } },
  positionals: [0, 1],
  async run({ config, services, positionals: [what = 'status'], options, say }) {
    if (what !== 'status' && what !== 'refresh')
      throw new Refusal('Add what to do: status or refresh.', 'See "lms-admin help".');
    const reach = await reachDatabase(config(), services);
    try {
      if (what === 'status') {
        const status = (await reach.ask('directoryStatus', {})) as DirectoryStatus;
        if (options.json === true) say(JSON.stringify(status, null, 2));
        else tell(status, say);
        return 0;
      }
      const acceptSmaller = options['accept-smaller'] === true;
      const { status, job } = (await reach.ask('directoryRefresh', { acceptSmaller })) as Record<
        string,
        string
      >;
      say(
        status === 'started'
          ? `LMS Admin is refreshing the directory (job ${job}). See "lms-admin directory status".`
          : `A refresh is already running (job ${job}). See "lms-admin directory status".`,
      );
      return 0;
    } finally {
      await reach.close();
    }
  },
};

const STATES: Readonly<Record<DirectoryStatus['state'], string>> = {
  ready: 'ready',
  old: 'not used, because it is older than three days',
  other: 'not used, because it belongs to another LMS',
  empty: 'not read yet',
  off: 'switched off',
};

function tell(status: DirectoryStatus, say: (line: string) => void): void {
  const { state, why_off: whyOff, as_of: asOf, counts, next_at: nextAt, running, runs } = status;
  say(`The directory is ${STATES[state]}.${whyOff === null ? '' : ` ${whyOff}`}`);
  if (asOf !== null && counts !== null) {
    say(
      `As of ${at(asOf)}: ${Object.entries(counts)
        .map(([table, rows]) => `${grouped(rows)} ${table}`)
        .join(', ')}.`,
    );
  }
  if (running !== null) say(`A refresh is running: ${running}.`);
  if (nextAt !== null) say(`The next refresh starts at ${at(nextAt)}.`);
  for (const { asked_at: startedAt, outcome, rows, message, next } of runs) {
    const reason = [message, next].filter((text) => text !== '').join(' ');
    say(
      [at(startedAt), outcome, rows === null ? '' : `${grouped(rows)} rows`, reason]
        .filter((text) => text !== '')
        .join('  '),
    );
  }
}

const at = (ms: number) => new Date(ms).toISOString();
