/** The settings in effect, for people: with the source of each, and without secrets. */

import { isSecret, mayBeInFile, secretFile } from './secret-files.ts';
import { SETTING_NAMES, settingDefault } from './settings.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface SettingView {
  name: string;
  /** The value as written; `(secret)` for a secret one. */
  value: string | null;
  source: 'environment' | 'file' | 'default' | 'not set';
}

/** Prefixes of LMS Admin's own settings, besides those of the sandbox. */
const OURS = /^(LMS|ACCESS|ZOOM|QUALTRICS|BTA|S3|IMPORT|TIMETABLE)_/;
/** Settings used only by commands. */
const BESIDE = new Set(['LMS_ADMIN_PASSPHRASE']);

export function settingViews(env: Env): SettingView[] {
  return SETTING_NAMES.map((name) => {
    const given = env[name]?.trim();
    if (given)
      return { name, value: isSecret(name) ? '(secret)' : withoutPassword(given), source: 'environment' };
    if (secretFile(env, name) !== undefined) return { name, value: '(secret)', source: 'file' };
    const value = settingDefault(name);
    return { name, value, source: value === null ? 'not set' : 'default' };
  });
}

/** Finds names in the environment that look like settings but are not. */
export function unknownSettings(env: Env): string[] {
  const names = [...SETTING_NAMES, ...BESIDE];
  const known = new Set([...names, ...names.filter(mayBeInFile).map((name) => `${name}_FILE`)]);
  return Object.keys(env).filter((name) => OURS.test(name) && !known.has(name));
}

/** Hides an address with a password, or one that cannot be parsed. */
function withoutPassword(text: string): string {
  if (!text.includes('@') || !text.includes('://')) return text;
  if (!URL.canParse(text)) return '(not shown, because it is malformed and may contain a password)';
  const url = new URL(text);
  if (url.password !== '') url.password = 'secret';
  for (const name of url.searchParams.keys())
    if (/pass|secret|token|key/i.test(name)) url.searchParams.set(name, 'secret');
  return url.href;
}
