/**
 * An administrator's entries in a tool, kept in the tab's session storage so that a reload loses nothing. Every
 * top-level part of the state has its own storage entry, so that a keystroke does not rewrite a long list.
 */
import type { z } from 'zod';

/** Prefix of all entries. */
export const STORED_PREFIX = 'lms-admin:tool:';

/** A schema for every top-level part of a state. */
export type StoredShape<State> = { readonly [Part in keyof State]: z.ZodType<State[Part]> };

function entry(tool: string, part: string): string {
  return `${STORED_PREFIX}${tool}:${part}`;
}

/** Reads the stored state; a part that is missing, or that an older version wrote differently, comes from `initial`. */
export function readStored<State extends object>(
  tool: string,
  shape: StoredShape<State>,
  initial: State,
  storage: Storage | null = sessionStore(),
): State {
  const state = { ...initial };
  for (const part of Object.keys(shape) as (keyof State & string)[]) {
    const text = storage?.getItem(entry(tool, part)) ?? null;
    if (text === null) continue;
    const parsed = shape[part].safeParse(parseJson(text));
    if (parsed.success) state[part] = parsed.data;
  }
  return state;
}

/** Writes the parts that changed since `before`. If storage is full or blocked, they are lost only on a reload. */
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

/** Removes the stored state of one tool or of all tools, whether their screens have been opened or not. */
export function clearStored(tool: string | null = null, storage: Storage | null = sessionStore()): void {
  if (!storage) return;
  const prefix = tool === null ? STORED_PREFIX : `${STORED_PREFIX}${tool}:`;
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const name of names) if (name?.startsWith(prefix)) storage.removeItem(name);
}

/** The stored texts of a tool, by part of its state. */
export type StoredTexts = ReadonlyMap<string, string>;

/** Reads the stored texts of every tool that has any. */
export function storedTexts(storage: Storage | null = sessionStore()): Map<string, Map<string, string>> {
  const tools = new Map<string, Map<string, string>>();
  if (!storage) return tools;
  for (let index = 0; index < storage.length; index++) {
    const name = storage.key(index) ?? '';
    const [tool, part] = name.slice(STORED_PREFIX.length).split(':');
    if (!name.startsWith(STORED_PREFIX) || tool === undefined || part === undefined) continue;
    tools.set(tool, (tools.get(tool) ?? new Map<string, string>()).set(part, storage.getItem(name) ?? ''));
  }
  return tools;
}

/** Restores stored parts of a tool's state, and removes the parts without a text. */
export function putBack(
  tool: string,
  parts: ReadonlyMap<string, string | null>,
  storage: Storage | null = sessionStore(),
): void {
  for (const [part, text] of parts) {
    try {
      if (text === null) storage?.removeItem(entry(tool, part));
      else storage?.setItem(entry(tool, part), text);
    } catch {
      storage?.removeItem(entry(tool, part));
    }
  }
}

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
