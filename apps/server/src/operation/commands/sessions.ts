/** `lms-admin sessions`: lists who is signed in, and signs people out. */
import { counted } from '@lms-admin/domain/numbers';
import { reachDatabase } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import type { Command } from './command.ts';

export const command: Command = {
  usage: 'sessions [list [--json] | end --all | end --login LOGIN]',
  about: 'lists who is signed in, or ends the sessions of one person or of all',
  failed: 'No session was ended',
  options: { json: { type: 'boolean' }, all: { type: 'boolean' }, login: { type: 'string' } },
  positionals: [0, 1],
  async run({ config, services, positionals: [what = 'list'], options, say }) {
    const person = typeof options.login === 'string' ? options.login : undefined;
    const ends = what === 'end' && (options.all === true) !== (person !== undefined);
    if (!ends && what !== 'list') {
      throw new Refusal(
        'Add whose sessions to end: --all, or --login LOGIN.',
        'See "lms-admin sessions list".',
      );
    }
    const reach = await reachDatabase(config(), services);
    try {
      if (ends) {
        const ended = (await reach.ask('sessionsEnd', { person })) as number;
        say(`Ended ${counted(ended, 'session')}. Submitted work continues.`);
        return 0;
      }
      const sessions = (await reach.ask('sessionsList')) as Record<
        'login' | 'name' | 'createdAt' | 'expiresAt',
        string
      >[];
      if (options.json === true) say(JSON.stringify(sessions, null, 2));
      else if (sessions.length === 0) say('No one is signed in.');
      else
        for (const { login, name, createdAt, expiresAt } of sessions)
          say([createdAt, expiresAt, login, name].join('  '));
      return 0;
    } finally {
      await reach.close();
    }
  },
};
