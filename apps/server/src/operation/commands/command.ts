/** What a command of `lms-admin` is. */
import { resolve } from 'node:path';
import type { Config } from '../../platform/config.ts';
import type { Open } from '../reach.ts';

export interface Command {
  /** Behind `lms-admin`, such as `backup FILE`. */
  readonly usage: string;
  /** One line. */
  readonly about: string;
  /** What could not be done, at the beginning of what is said of a failure. */
  readonly failed: string;
  /** As `util.parseArgs` takes them. */
  readonly options: Readonly<Record<string, { type: 'boolean' | 'string' }>>;
  /** How many arguments beside the options. */
  readonly positionals: readonly [least: number, most: number];
  /** @returns the exit code @throws Refusal, or what `failureOf` puts into words */
  run(given: Given): Promise<number>;
}

export interface Given {
  /** Opens what acts on jobs and sign-ins, for `reachDatabase`. */
  services: Open;
  /** The settings. @throws ConfigError */
  config: () => Config;
  positionals: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
  say: (line: string) => void;
}

/** A path as it was typed: npm starts its scripts in another folder than the person's. */
export function typedPath(path: string): string {
  return resolve(process.env.INIT_CWD ?? '.', path);
}
