/** State of the field for many entries: which entries are accepted, why others are not, and undo. Pure. */
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
  /** Pieces of a paste that are not valid, each with the reason; kept until they are dismissed. */
  notTaken: z.array(z.object({ text: z.string(), why: z.string() })).optional(),
});
/** The stored part of the field's state. */
export type ChipsState = z.infer<typeof chipsState>;

/** Maximum number of invalid lines to keep: enough for any list that is checked by hand. */
const MOST_KEPT = 1_000;

export const NO_CHIPS: ChipsState = { chips: [], text: '' };

/** The last result, to be shown at the field and announced. */
export interface ChipsNotice extends PasteSum {
  problems: readonly string[];
}

export const NO_NOTICE: ChipsNotice = { problems: [], added: 0, known: 0, refused: 0, without: 0 };

/** Tells whether the result of an entry needs more words than the chip itself. */
export function isSum({ added, known, refused, without }: PasteSum): boolean {
  return added > 0 || known > 0 || refused > 0 || without > 0;
}

export interface ChipsStep {
  state: ChipsState;
  notice: ChipsNotice;
}

/**
 * Confirms the text in the field (Enter, Tab, comma, blur).
 * @param typed the typed separator: it is kept after an invalid text, to separate that from the next one
 */
export function confirmText(kind: EntryKindId, state: ChipsState, typed = ''): ChipsStep {
  const taken = confirmTyped(kind, state.chips, state.text);
  return step(kind, state, taken.rest === '' ? taken : { ...taken, rest: `${taken.rest}${typed}` });
}

/**
 * Accepts pasted text. The text before and after the cursor belongs to it: a paste into a half-typed entry completes
 * the entry instead of splitting it.
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

/** Returns the field as if the administrator had left it: valid text becomes a chip, the rest stays as text. */
export function settled(kind: EntryKindId, state: ChipsState): ChipsState {
  return state.text === '' ? state : pasteText(kind, state, '', state.text, '').state;
}

/** Returns the field without the list of invalid pieces. */
export function dismissNotTaken({ chips, text }: ChipsState): ChipsState {
  return { chips, text };
}

/** Explains why the administrator cannot continue: the remaining text of the field is not valid. Null otherwise. */
export function refusal(kind: EntryKindId, state: ChipsState): string | null {
  return pasteText(kind, state, '', state.text, '').notice.problems[0] ?? null;
}

export function removeChip(state: ChipsState, entry: string): ChipsState {
  return { ...state, chips: state.chips.filter((chip) => chip !== entry) };
}

/** Restores removed entries, without repeating those entered again in the meantime. */
export function restoreChips(kind: EntryKindId, state: ChipsState, removed: readonly string[]): ChipsState {
  return { ...state, chips: [...notIn(kind, state.chips, removed), ...state.chips] };
}

/** Finds the entries that are not in the list. */
export function notIn(kind: EntryKindId, chips: readonly string[], entries: readonly string[]): string[] {
  const there = new Set(chips.map((chip) => entryKey(kind, chip)));
  return entries.filter((entry) => !there.has(entryKey(kind, entry)));
}

/** Finds the entries that contain the text, ignoring case. */
export function searchChips(chips: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  return wanted === '' ? chips : chips.filter((chip) => chip.toLowerCase().includes(wanted));
}

function step(kind: EntryKindId, state: ChipsState, taken: ChipsResult): ChipsStep {
  const added = taken.chips.length - state.chips.length;
  // An administrator who pastes a corrected list should not see the same problems twice.
  const notTaken = new Map([...(state.notTaken ?? []), ...taken.notTaken].map((one) => [one.text, one]));
  return {
    state: {
      // An unchanged list stays the same array, so that nothing derived from it changes.
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
