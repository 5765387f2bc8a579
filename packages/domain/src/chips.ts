/**
 * The entries of a chips field: what is taken of typed and pasted text, what is refused, and why (CE-09 to CE-11, SE-11,
 * ZR-13, ZC-21).
 */
import { emailKey, extractEmails, isEmail } from './emails.ts';
import { isPersonSisId } from './sis-ids.ts';

/** What is entered, such as e-mail addresses. */
export interface EntryKind {
  /** Whether the whole text is one entry. */
  isEntry: (text: string) => boolean;
  /** The form in which two entries are compared. */
  keyOf: (text: string) => string;
  /** The entries in running text, each once; left out where an entry cannot be told from the words around it. */
  find?: (text: string) => string[];
}

/** The kinds that there are. */
export const ENTRY_KINDS = {
  email: { isEntry: isEmail, keyOf: emailKey, find: extractEmails },
  /** SIS id of a person. */
  'sis-id': { isEntry: isPersonSisId, keyOf: (text) => text },
  /** Canvas id of a course, a number (ZR-13, OP-63). */
  'course-id': { isEntry: (text) => /^\d{1,19}$/.test(text), keyOf: (text) => text.replace(/^0+(?=\d)/, '') },
  /** E-mail address of a Zoom host (ZC-21). */
  host: { isEntry: isEmail, keyOf: emailKey, find: extractEmails },
} as const satisfies Record<string, EntryKind>;
export type EntryKindId = keyof typeof ENTRY_KINDS;

const kindOf = (id: EntryKindId): EntryKind => ENTRY_KINDS[id];

export type ChipProblem = { kind: 'invalid' | 'duplicate'; text: string };

export interface ChipsResult {
  /** The list with the accepted entries at its end. */
  chips: readonly string[];
  /** What was refused, in the order of entry. */
  problems: readonly ChipProblem[];
  /** Text that stays in the field for correction; empty when everything was taken. */
  rest: string;
  /** How many of a paste were there already, and so are passed over. */
  known: number;
  /** Pieces of running text that look like an entry and are none. */
  unread: readonly string[];
}

/**
 * The pieces of typed or pasted text, as often as they stand there: parted by commas, semicolons, white space or the tabs
 * and lines of a spreadsheet. Quotes around a piece are not part of it.
 */
export function piecesOf(text: string): string[] {
  const pieces = text.split(/[\s,;]+/).map((piece) => piece.replace(/^["']+|["']+$/g, ''));
  return pieces.filter((piece) => piece !== '');
}

/** The form in which two entries of a kind are compared. */
export function entryKey(id: EntryKindId, text: string): string {
  return kindOf(id).keyOf(text);
}

/** Takes typed text (Enter, Tab, comma, blur): one entry, or several as in a paste. */
export function confirmTyped(id: EntryKindId, chips: readonly string[], text: string): ChipsResult {
  const pieces = piecesOf(text);
  if (pieces.length > 1 && kindOf(id).find?.(text).length !== 0) return addPasted(id, chips, text);
  return addPieces(id, chips, pieces, false);
}

/** Takes pasted text: its entries are extracted, those already there are passed over silently (CE-09). */
export function addPasted(id: EntryKindId, chips: readonly string[], text: string): ChipsResult {
  const { find } = kindOf(id);
  if (!find) return addPieces(id, chips, piecesOf(text), true);
  const found = find(text);
  if (found.length === 0) return addPieces(id, chips, text.trim() === '' ? [] : [text.trim()], false);
  const taken = addPieces(id, chips, found, true);
  return { ...taken, unread: unreadIn(id, text) };
}

/** @param passOver whether what is there already is passed over silently */
function addPieces(
  id: EntryKindId,
  chips: readonly string[],
  pieces: readonly string[],
  passOver: boolean,
): ChipsResult {
  const { isEntry, keyOf } = kindOf(id);
  const there = new Set(chips.map(keyOf));
  const next = [...chips];
  const problems: ChipProblem[] = [];
  let known = 0;
  for (const text of pieces) {
    if (!isEntry(text)) problems.push({ kind: 'invalid', text });
    else if (!there.has(keyOf(text))) {
      there.add(keyOf(text));
      next.push(text);
    } else if (passOver) known++;
    else problems.push({ kind: 'duplicate', text });
  }
  return { chips: next, problems, rest: problems.map(({ text }) => text).join(' '), known, unread: [] };
}

/** Pieces with an @ that are no address: a person may be missing because of them. */
function unreadIn(id: EntryKindId, text: string): string[] {
  const { isEntry, find } = kindOf(id);
  const pieces = text.split(/[\s,;<>"()[\]]+/).filter((piece) => piece.includes('@'));
  const unread = pieces.filter((piece) => !isEntry(bare(piece)) && find?.(piece).length === 0);
  return [...new Set(unread)];
}

/** Without the quotes and end points that surround an address in running text. */
function bare(piece: string): string {
  return piece.replace(/^(mailto:)?['`]+|^mailto:/i, '').replace(/['`.:!?]+$/, '');
}
