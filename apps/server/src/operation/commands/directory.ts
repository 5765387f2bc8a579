/** `lms-admin directory`: how old the directory is and how it went; read again now. */
import type { DirectoryStatus } from '@lms-admin/contract/directory';
import { grouped } from '@lms-admin/domain/numbers';
import { reachDatabase } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import type { Command } from './command.ts';

export const command: Command = {
  usage: 'directory [status [--json] | refresh [--accept-smaller]]',
  about:
    'says how old the copy of people, courses and sections is and how the last refreshes went, or has it read again now. --accept-smaller: also where much is missing',
  failed: 'The directory was not read or refreshed',
  options: { json: { type: 'boolean' }, 'accept-smaller': { type: 'boolean' } },
  positionals: [0, 1],
  async run({ config, services, positionals: [what = 'status'], options, say }) {
    if (what !== 'status' && what !== 'refresh')
      throw new Refusal('Say what to do: status or refresh.', 'See "lms-admin help".');
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
          ? `The directory is read again (job ${job}). See "lms-admin directory status".`
          : `A refresh is under way already (job ${job}). See "lms-admin directory status".`,
      );
      return 0;
    } finally {
      await reach.close();
    }
  },
};

const STATES: Readonly<Record<DirectoryStatus['state'], string>> = {
  ready: 'ready',
  old: 'not used: it is older than three days',
  other: 'not used: it is that of another LMS',
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
  if (running !== null) say(`A refresh is under way: ${running}.`);
  if (nextAt !== null) say(`The next refresh is at ${at(nextAt)}.`);
  for (const { asked_at: askedAt, outcome, rows, message, next } of runs) {
    const told = [message, next].filter((text) => text !== '').join(' ');
    say(
      [at(askedAt), outcome, rows === null ? '' : `${grouped(rows)} rows`, told]
        .filter((text) => text !== '')
        .join('  '),
    );
  }
}

const at = (ms: number) => new Date(ms).toISOString();
