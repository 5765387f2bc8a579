/** Secrets in files: `NAME_FILE` names the file with `NAME`, as containers and service managers provide secrets. */
import { readFileSync } from 'node:fs';

type Env = Readonly<Record<string, string | undefined>>;

/** Names of secret settings. A timetable's address may contain a token. */
const SECRET = /SECRET|TOKEN|PASS|_KEY(_OLD)?$|^TIMETABLE_FEEDS$/;
/** This setting is shown, but without its password. */
const WITH_PASSWORD = 'DATABASE_URL';

export const isSecret = (name: string): boolean => SECRET.test(name);

/** Returns whether a setting may be in a file. The practice LMS has no secrets that need one. */
export const mayBeInFile = (name: string): boolean =>
  (isSecret(name) || name === WITH_PASSWORD) && !name.startsWith('SANDBOX_');

const fileSetting = (name: string) => `${name}_FILE`;

/** Returns the path of the file with a setting; undefined if it is not in a file. */
export const secretFile = (env: Env, name: string): string | undefined =>
  mayBeInFile(name) ? env[fileSetting(name)]?.trim() || undefined : undefined;

/**
 * Reads these settings, from their files if a file is named.
 * @returns problems by the name of the setting; values are never repeated
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
      problems.set(name, `${name} and ${fileSetting(name)} are both set: remove one of them`);
      continue;
    }
    try {
      full[name] = readFileSync(path, 'utf8').trim();
      if (full[name] === '') problems.set(name, `${fileSetting(name)} names an empty file`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.set(
        name,
        `${fileSetting(name)} should be the path of a file that LMS Admin can read (${code})`,
      );
    }
  }
  return { env: full, problems };
}
