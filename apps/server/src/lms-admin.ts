/** `lms-admin COMMAND`: commands for operators. Exit codes: 0 done, 1 not done, 2 wrong usage. */
import { parseArgs } from 'node:util';
import type { Command } from './operation/commands/command.ts';
import { refusalOf } from './operation/refusal.ts';
import { type Config, loadConfig } from './platform/config.ts';
import { RELEASE } from './platform/release.ts';
import { failureOf } from './platform/start-failure.ts';

/** Each command is loaded only when used. */
const COMMANDS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  doctor: () => import('./operation/commands/doctor.ts'),
  backup: () => import('./operation/commands/backup.ts'),
  restore: () => import('./operation/commands/restore.ts'),
  release: () => import('./operation/commands/release.ts'),
  jobs: () => import('./operation/commands/jobs.ts'),
  sessions: () => import('./operation/commands/sessions.ts'),
  access: () => import('./operation/commands/access.ts'),
  directory: () => import('./operation/commands/directory.ts'),
  keys: () => import('./operation/commands/keys.ts'),
  person: () => import('./operation/commands/person.ts'),
  'move-images': () => import('./operation/commands/move-images.ts'),
};

const say = (line: string) => console.log(line);
/** A reader that stops early, such as `head`, does not end a command half-way. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const services = async (config: Config) => (await import('./command-services.ts')).openForCommand(config);

async function help(): Promise<void> {
  say(`LMS Admin ${RELEASE}. Commands, with the same settings as the server:`);
  for (const load of Object.values(COMMANDS)) {
    const { command } = await load();
    say(`  lms-admin ${command.usage}\n      ${command.about}`);
  }
}

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  if (['', 'help', '--help', '-h'].includes(name)) {
    await help();
    return name === '' ? 2 : 0;
  }
  if (['version', '--version'].includes(name)) {
    say(RELEASE);
    return 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    console.error(`"${name}" is not a command. Run "lms-admin help" for the list.`);
    return 2;
  }
  const { command } = await load();
  const given = parsed(command, args);
  if (given === null) {
    console.error(`Usage: lms-admin ${command.usage}`);
    return 2;
  }
  try {
    return await command.run({ ...given, config: (env = process.env) => loadConfig(env), services, say });
  } catch (error) {
    console.error(refusalOf(error)?.message.trim() ?? failureOf(error, command.failed));
    return 1;
  }
}

function parsed(command: Command, args: readonly string[]) {
  const [least, most] = command.positionals;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: command.options,
      allowPositionals: true,
    });
    return positionals.length < least || positionals.length > most ? null : { options: values, positionals };
  } catch {
    return null;
  }
}

process.exitCode = await main(process.argv.slice(2));
