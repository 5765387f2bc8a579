/**
 * What a person has entered in a tool, kept in the tab's session storage so that a reload in the middle loses nothing.
 * Every top-level part of the state has an entry of its own, so that a keystroke does not write a long list again.
 */
import type { z } from 'zod';
import { onClearSelections } from '../../api/clearing.ts';

/** All entries begin with this; whoever ends the work (tab click, sign-out) may clear them by it. */
export const STORED_PREFIX = 'lms-admin:tool:';

type Shape = Record<string, z.ZodType>;
type Stored<S extends Shape> = { [Part in keyof S]: z.infer<S[Part]> };

function entry(tool: string, part: string): string {
  return `${STORED_PREFIX}${tool}:${part}`;
}

/** The stored state; a part that is absent, or that an older version wrote differently, is as in `initial`. */
export function readStored<S extends Shape>(
  tool: string,
  shape: S,
  initial: Stored<S>,
  storage: Storage | null = sessionStore(),
): Stored<S> {
  const state = { ...initial };
  for (const part of Object.keys(shape) as (keyof S & string)[]) {
    const text = storage?.getItem(entry(tool, part)) ?? null;
    if (text === null) continue;
    const parsed = shape[part]?.safeParse(parseJson(text));
    if (parsed?.success) state[part] = parsed.data as Stored<S>[typeof part];
  }
  return state;
}

/** Writes the parts that changed since `before`; a full or closed storage costs the survival of a reload, nothing more. */
export function writeStored<T extends object>(
  tool: string,
  state: T,
  before: T | null,
  storage: Storage | null = sessionStore(),
): void {
  for (const part of Object.keys(state) as (keyof T & string)[]) {
    if (before !== null && before[part] === state[part]) continue;
    try {
      storage?.setItem(entry(tool, part), JSON.stringify(state[part]));
    } catch {
      storage?.removeItem(entry(tool, part));
    }
  }
}

/** Forgets one tool's state, or that of all tools. */
export function clearStored(tool: string | null = null, storage: Storage | null = sessionStore()): void {
  if (!storage) return;
  const prefix = tool === null ? STORED_PREFIX : `${STORED_PREFIX}${tool}:`;
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const name of names) if (name?.startsWith(prefix)) storage.removeItem(name);
}

// A press on a tab begins every tool anew (SHELL-25, OP-20), also one whose screen is not open at the moment.
onClearSelections(() => clearStored());

function sessionStore(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
