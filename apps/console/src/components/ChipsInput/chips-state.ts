/** The field for many entries, without its looks: what is taken, what is refused and why, what can be undone. Pure. */
import {
  addPasted,
  type ChipsResult,
  confirmTyped,
  type EntryKindId,
  entryKey,
} from '@lms-admin/domain/chips';
import { z } from 'zod';
import { type PasteSum, problemText } from './texts.ts';

export const chipsState = z.object({
  chips: z.array(z.string()),
  /** Text in the field that is not a chip yet. */
  text: z.string(),
  /** Pieces of what was pasted that were not taken, with the reason: kept until they are dismissed. */
  notTaken: z.array(z.object({ text: z.string(), why: z.string() })).optional(),
});
/** What is worth keeping of the field. */
export type ChipsState = z.infer<typeof chipsState>;

/** Lines that were not taken and stay: enough for every list that someone goes through by hand. */
const MOST_KEPT = 1_000;

export const NO_CHIPS: ChipsState = { chips: [], text: '' };

/** What happened last, to be shown at the field and announced. */
export interface ChipsNotice extends PasteSum {
  problems: readonly string[];
}

export const NO_NOTICE: ChipsNotice = { problems: [], added: 0, known: 0, refused: 0, without: 0 };

/** Whether there is more to be said of what was entered than that it is there. */
export function isSum({ added, known, refused, without }: PasteSum): boolean {
  return added > 0 || known > 0 || refused > 0 || without > 0;
}

export interface ChipsStep {
  state: ChipsState;
  notice: ChipsNotice;
}

/**
 * Confirms what is in the field (Enter, Tab, comma, blur).
 * @param typed the separator that was typed: behind text that is refused it stays, or what is typed next would be one
 *   entry with it
 */
export function confirmText(kind: EntryKindId, state: ChipsState, typed = ''): ChipsStep {
  const taken = confirmTyped(kind, state.chips, state.text);
  return step(kind, state, taken.rest === '' ? taken : { ...taken, rest: `${taken.rest}${typed}` });
}

/**
 * Takes pasted text. What stood in the field before and behind the cursor belongs to it: a paste into a half-typed entry
 * completes the entry instead of splitting it.
 */
export function pasteText(
  kind: EntryKindId,
  state: ChipsState,
  before: string,
  pasted: string,
  after: string,
): ChipsStep {
  return step(kind, state, addPasted(kind, state.chips, before + pasted + after));
}

/** The field as if it had been left: what can be taken is a chip, the rest stays as text. */
export function settled(kind: EntryKindId, state: ChipsState): ChipsState {
  return state.text === '' ? state : pasteText(kind, state, '', state.text, '').state;
}

/** The field without the list of what was not taken. */
export function dismissNotTaken({ chips, text }: ChipsState): ChipsState {
  return { chips, text };
}

/** Why the field cannot be left as it is: the text that is still in it is refused. Null when it can. */
export function refusal(kind: EntryKindId, state: ChipsState): string | null {
  return pasteText(kind, state, '', state.text, '').notice.problems[0] ?? null;
}

/** The list without one entry. */
export function removeChip(state: ChipsState, entry: string): ChipsState {
  return { ...state, chips: state.chips.filter((chip) => chip !== entry) };
}

/** Puts removed entries back, without repeating those entered again in the meantime. */
export function restoreChips(kind: EntryKindId, state: ChipsState, removed: readonly string[]): ChipsState {
  return { ...state, chips: [...notIn(kind, state.chips, removed), ...state.chips] };
}

/** Those entries that are not in the list. */
export function notIn(kind: EntryKindId, chips: readonly string[], entries: readonly string[]): string[] {
  const there = new Set(chips.map((chip) => entryKey(kind, chip)));
  return entries.filter((entry) => !there.has(entryKey(kind, entry)));
}

/** The entries that contain the text, without letter case. */
export function searchChips(chips: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  return wanted === '' ? chips : chips.filter((chip) => chip.toLowerCase().includes(wanted));
}

function step(kind: EntryKindId, state: ChipsState, taken: ChipsResult): ChipsStep {
  const added = taken.chips.length - state.chips.length;
  // Who pastes a list again, corrected, does not read the old faults twice.
  const notTaken = new Map([...(state.notTaken ?? []), ...taken.notTaken].map((one) => [one.text, one]));
  return {
    state: {
      // A list that has not changed stays the same one: what depends on it holds.
      chips: added === 0 ? state.chips : [...taken.chips],
      text: taken.rest,
      ...(notTaken.size > 0 && { notTaken: [...notTaken.values()].slice(-MOST_KEPT) }),
    },
    notice: {
      problems: [...new Set(taken.problems.map((problem) => problemText(kind, problem)))],
      added,
      known: taken.known,
      refused: taken.notTaken.length - taken.without,
      without: taken.without,
    },
  };
}
