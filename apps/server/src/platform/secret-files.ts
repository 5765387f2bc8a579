/** Secrets that are kept in files: `NAME_FILE` names the one that holds `NAME`, as containers and service managers hand secrets over. */
import { readFileSync } from 'node:fs';

type Env = Readonly<Record<string, string | undefined>>;

/** Names of what must not be shown. A timetable's address may hold a token. */
const SECRET = /SECRET|TOKEN|PASS|_KEY(_OLD)?$|^TIMETABLE_FEEDS$/;
/** Not to be hidden as a whole, but for its password. */
const WITH_PASSWORD = 'DATABASE_URL';

export const isSecret = (name: string): boolean => SECRET.test(name);

/** Whether a setting may be kept in a file. The practice LMS has no secret that is worth one. */
export const mayBeInFile = (name: string): boolean =>
  (isSecret(name) || name === WITH_PASSWORD) && !name.startsWith('SANDBOX_');

const fileSetting = (name: string) => `${name}_FILE`;

/** The path of the file that holds a setting; undefined: it is not in one. */
export const secretFile = (env: Env, name: string): string | undefined =>
  mayBeInFile(name) ? env[fileSetting(name)]?.trim() || undefined : undefined;

/**
 * What these settings hold, read from their files where they are in one.
 * @returns what is wrong, by the name of the setting; values are never repeated
 */
export function withSecretFiles(
  env: Env,
  names: readonly string[],
): { env: Env; problems: ReadonlyMap<string, string> } {
  const full: Record<string, string | undefined> = {};
  const problems = new Map<string, string>();
  for (const name of names) {
    full[name] = env[name];
    const path = secretFile(env, name);
    if (path === undefined) continue;
    if (env[name]?.trim()) {
      problems.set(name, `${name} and ${fileSetting(name)} are both set: one of them should be left out`);
      continue;
    }
    try {
      full[name] = readFileSync(path, 'utf8').trim();
      if (full[name] === '') problems.set(name, `${fileSetting(name)} names an empty file`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.set(
        name,
        `${fileSetting(name)} should be the path of a file that LMS Admin may read (${code})`,
      );
    }
  }
  return { env: full, problems };
}
