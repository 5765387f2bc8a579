/**
 * Entries of a chips field: what is accepted from typed and pasted text, what is rejected, and why (CE-09 to CE-11,
 * SE-11, ZR-13, ZC-21).
 */
import { emailKey, isEmail, type NotTaken, type ReadEntries, readEmails, SEPARATORS } from './emails.ts';
import { isPersonSisId } from './sis-ids.ts';
import { spreadsheetValue } from './spreadsheet-values.ts';

/** A kind of entries, such as email addresses. */
export interface EntryKind {
  /** Whether the whole text is one entry. */
  isEntry: (text: string) => boolean;
  /** The form for comparing two entries. */
  keyOf: (text: string) => string;
  /** Finds the entries in running text; absent if entries cannot be distinguished from the words around them. */
  read?: (text: string) => ReadEntries;
}

export const ENTRY_KINDS = {
  email: { isEntry: isEmail, keyOf: emailKey, read: readEmails },
  /** SIS ID of a person. */
  'sis-id': {
    isEntry: (text) => isPersonSisId(text) && spreadsheetValue(text) === null,
    keyOf: (text) => text,
  },
  /** Canvas id of a course, a number (ZR-13, OP-63). */
  'course-id': { isEntry: (text) => /^\d{1,19}$/.test(text), keyOf: (text) => text.replace(/^0+(?=\d)/, '') },
  /** Email address of a Zoom host (ZC-21). */
  host: { isEntry: isEmail, keyOf: emailKey, read: readEmails },
} as const satisfies Record<string, EntryKind>;
export type EntryKindId = keyof typeof ENTRY_KINDS;

const kindOf = (id: EntryKindId): EntryKind => ENTRY_KINDS[id];

export type ChipProblem = { kind: 'invalid' | 'duplicate'; text: string };

export interface ChipsResult {
  /** The list, with the accepted entries at its end. */
  chips: readonly string[];
  /** Rejected entries, in the order of input. */
  problems: readonly ChipProblem[];
  /** Text that stays in the field for correction; empty when everything was accepted. */
  rest: string;
  /** Number of pasted entries that were skipped because they are repeated or already in the list. */
  known: number;
  /** Rejected pieces of running text, with reasons: a person may be missing because of them. */
  notTaken: readonly NotTaken[];
  /** Number of pasted lines without an entry; they are among the rejected pieces. */
  without: number;
}

/**
 * Returns the pieces of typed or pasted text, including repeats: separated by commas, semicolons, white space or a
 * spreadsheet's tabs and lines. Quotes around a piece are not part of it. A cell that a spreadsheet has converted is
 * one piece: a part of `7,1015E+06` would be another person's id.
 */
export function piecesOf(text: string): string[] {
  const cells = text.split(/[\t\r\n]+/).map(plain);
  return cells.flatMap(piecesOfCell).filter((piece) => piece !== '');
}

/** \uFEFF is invisible and does not separate words. */
const WHITE_SPACE = /[^\S\uFEFF]+/;

/**
 * Splits a cell into pieces. Rejected entries stay in the field with spaces between them, so such a value can be one of
 * several in a line.
 */
function piecesOfCell(cell: string): string[] {
  if (spreadsheetValue(cell) !== null) return [cell];
  return cell
    .split(WHITE_SPACE)
    .map((word) => plain(word.replace(/^[,;]+|[,;]+$/g, '')))
    .flatMap((word) => (spreadsheetValue(word) === null ? word.split(SEPARATORS).map(plain) : [word]));
}

/** Returns the piece without surrounding quotes and invisible characters. */
function plain(piece: string): string {
  return piece.trim().replace(/^[\p{Cf}"']+|[\p{Cf}"']+$/gu, '');
}

/** Returns the form for comparing two entries of a kind. */
export function entryKey(id: EntryKindId, text: string): string {
  return kindOf(id).keyOf(text);
}

/** Adds typed text (Enter, Tab, comma, blur): one entry, or several as in a paste. */
export function confirmTyped(id: EntryKindId, chips: readonly string[], text: string): ChipsResult {
  const pieces = piecesOf(text);
  const read = pieces.length > 1 ? kindOf(id).read?.(text) : undefined;
  // In a mistyped address, no piece is an address.
  if (pieces.length > 1 && (read === undefined || read.entries.length > 0 || text.includes('@')))
    return addPasted(id, chips, text);
  return addPieces(id, chips, pieces, false);
}

/** Adds the entries found in pasted text; existing ones are silently skipped (CE-09). */
export function addPasted(id: EntryKindId, chips: readonly string[], text: string): ChipsResult {
  const { read } = kindOf(id);
  if (!read) return addPieces(id, chips, piecesOf(text), true);
  const { entries, notTaken, without } = read(text);
  // A single wrong entry stays in the field for correction.
  if (entries.length === 0 && notTaken.length < 2)
    return addPieces(id, chips, text.trim() === '' ? [] : [text.trim()], false);
  return { ...addPieces(id, chips, entries, true), notTaken, without };
}

/** @param passOver whether existing entries are silently skipped */
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
  const rest = problems.map(({ text }) => text).join(' ');
  return { chips: next, problems, rest, known, notTaken: [], without: 0 };
}
