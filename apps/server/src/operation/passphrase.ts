/** A passphrase: from the environment, or typed without being shown. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { withSecretFiles } from '../platform/secret-files.ts';
import { Refusal } from './refusal.ts';

const SETTING = 'LMS_ADMIN_PASSPHRASE';

/** @param twice whether to ask twice, because a typing error would lose data @throws Refusal */
export async function askPassphrase(what: string, { twice }: { twice: boolean }): Promise<string> {
  const { env, problems } = withSecretFiles(process.env, [SETTING]);
  for (const problem of problems.values())
    throw new Refusal(`${problem}.`, 'Correct it, and run the command again.');
  const given = env[SETTING];
  if (given) return given;
  if (!process.stdin.isTTY) {
    throw new Refusal(
      'A passphrase is needed.',
      `Set ${SETTING}, or run the command in a terminal, where it asks for the passphrase.`,
    );
  }
  const first = await hidden(`${what}: `);
  if (twice && (await hidden('Repeat the passphrase: ')) !== first) {
    throw new Refusal('The two passphrases differ.', 'Run the command again.');
  }
  return first;
}

async function hidden(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await reader.question('');
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}
