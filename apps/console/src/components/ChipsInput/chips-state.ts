/** The field for many e-mail addresses, without its looks: what is taken, what is refused and why, what can be undone. */
import { messages } from '@lms-admin/contract/messages';
import {
  addPasted,
  type ChipProblem,
  type ChipsResult,
  confirmTyped,
  emailKey,
  isEmail,
} from '@lms-admin/domain/emails';
import { z } from 'zod';

export const chipsState = z.object({
  chips: z.array(z.string()),
  /** Text in the field that is not a chip yet. */
  text: z.string(),
});
/** What is worth keeping of the field. */
export type ChipsState = z.infer<typeof chipsState>;

export const NO_CHIPS: ChipsState = { chips: [], text: '' };

/** What happened last, to be shown at the field and announced. */
export interface ChipsNotice {
  problems: readonly string[];
  /** How many addresses were taken. */
  added: number;
  /** How many of a paste were in the list already. */
  known: number;
  /** Pieces of a paste that have an @ and yet are no address. */
  unread: readonly string[];
}

export const NO_NOTICE: ChipsNotice = { problems: [], added: 0, known: 0, unread: [] };

export interface ChipsStep {
  state: ChipsState;
  notice: ChipsNotice;
}

/** The documented text of a refusal (CE-10, CE-11). */
export function problemText(problem: ChipProblem): string {
  return messages.chips[problem.kind](problem.text);
}

/** Confirms what is in the field (Enter, Tab, comma, blur). */
export function confirmText(state: ChipsState): ChipsStep {
  return result(state, confirmTyped(state.chips, state.text), NO_NOTICE);
}

/**
 * Takes pasted text. What stood in the field before and behind the cursor belongs to it: a paste into a half-typed address
 * completes the address instead of splitting it.
 */
export function pasteText(state: ChipsState, before: string, pasted: string, after: string): ChipsStep {
  const text = before + pasted + after;
  const taken = addPasted(state.chips, text);
  if (taken.problems.length > 0) return result(state, taken, NO_NOTICE);
  const pieces = text.split(/[\s,;<>"()[\]]+/).filter((piece) => piece.includes('@'));
  const found = new Set(pieces.map((piece) => emailKey(bare(piece))).filter(isEmail));
  return result(state, taken, {
    ...NO_NOTICE,
    known: Math.max(0, found.size - (taken.chips.length - state.chips.length)),
    unread: [...new Set(pieces.filter((piece) => !isEmail(bare(piece)) && !holdsAddress(piece)))],
  });
}

/** The list without one address. */
export function removeChip(state: ChipsState, email: string): ChipsState {
  return { ...state, chips: state.chips.filter((chip) => chip !== email) };
}

/** Puts removed addresses back, without repeating those entered again in the meantime. */
export function restoreChips(state: ChipsState, removed: readonly string[]): ChipsState {
  const known = new Set(state.chips.map(emailKey));
  return { ...state, chips: [...removed.filter((chip) => !known.has(emailKey(chip))), ...state.chips] };
}

/** The addresses that contain the text, without letter case. */
export function searchChips(chips: readonly string[], text: string): readonly string[] {
  const wanted = emailKey(text);
  return wanted === '' ? chips : chips.filter((chip) => emailKey(chip).includes(wanted));
}

function result(state: ChipsState, taken: ChipsResult, notice: ChipsNotice): ChipsStep {
  return {
    state: { chips: taken.chips, text: taken.rest },
    notice: {
      ...notice,
      problems: taken.problems.map(problemText),
      added: taken.chips.length - state.chips.length,
    },
  };
}

/** Without the quotes and end points that surround an address in running text. */
function bare(piece: string): string {
  return piece.replace(/^(mailto:)?['`]+|^mailto:/i, '').replace(/['`.:!?]+$/, '');
}

function holdsAddress(piece: string): boolean {
  return addPasted([], piece).problems.length === 0;
}
