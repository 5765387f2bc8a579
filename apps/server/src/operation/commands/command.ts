/** Definition of a command of `lms-admin`. */
import { resolve } from 'node:path';
import type { Config } from '../../platform/config.ts';
import type { Open } from '../reach.ts';

export interface Command {
  /** Usage after `lms-admin`, such as `backup FILE`. */
  readonly usage: string;
  /** Description in one line. */
  readonly about: string;
  /** Beginning of the error message when the command fails. */
  readonly failed: string;
  /** Options for `util.parseArgs`. */
  readonly options: Readonly<Record<string, { type: 'boolean' | 'string' }>>;
  /** Number of arguments besides the options. */
  readonly positionals: readonly [least: number, most: number];
  /** @returns the exit code @throws Refusal, or an error that `failureOf` explains */
  run(given: Given): Promise<number>;
}

export interface Given {
  /** Opens the services for jobs and sign-ins, for `reachDatabase`. */
  services: Open;
  /** Reads the settings, from the environment by default. @throws ConfigError */
  config: (env?: NodeJS.ProcessEnv) => Config;
  positionals: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
  say: (line: string) => void;
}

/** Resolves a path against the person's folder: npm starts its scripts in a different one. */
export function typedPath(path: string): string {
  return resolve(process.env.INIT_CWD ?? '.', path);
}
