/**
 * The entries of a chips field: what is taken of typed and pasted text, what is refused, and why (CE-09 to CE-11, SE-11,
 * ZR-13, ZC-21).
 */
import { emailKey, isEmail, type NotTaken, type ReadEntries, readEmails, SEPARATORS } from './emails.ts';
import { isPersonSisId } from './sis-ids.ts';
import { spreadsheetValue } from './spreadsheet-values.ts';

/** What is entered, such as email addresses. */
export interface EntryKind {
  /** Whether the whole text is one entry. */
  isEntry: (text: string) => boolean;
  /** The form in which two entries are compared. */
  keyOf: (text: string) => string;
  /** The entries in running text; left out where an entry cannot be told from the words around it. */
  read?: (text: string) => ReadEntries;
}

/** The kinds that there are. */
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
  /** The list with the accepted entries at its end. */
  chips: readonly string[];
  /** What was refused, in the order of entry. */
  problems: readonly ChipProblem[];
  /** Text that stays in the field for correction; empty when everything was taken. */
  rest: string;
  /** How many of a paste were there already, or repeat another one of it, and so are passed over. */
  known: number;
  /** Pieces of running text that were not taken, with their reasons: a person may be missing because of them. */
  notTaken: readonly NotTaken[];
  /** How many lines of a paste have no entry; they are among those not taken. */
  without: number;
}

/**
 * The pieces of typed or pasted text, as often as they stand there: parted by commas, semicolons, white space or the tabs
 * and lines of a spreadsheet. Quotes around a piece are not part of it. A cell that a spreadsheet made is one piece: a
 * part of `7,1015E+06` would be someone's id.
 */
export function piecesOf(text: string): string[] {
  const cells = text.split(/[\t\r\n]+/).map(plain);
  return cells.flatMap(piecesOfCell).filter((piece) => piece !== '');
}

/** \uFEFF is a mark that no one sees, and parts no words. */
const WHITE_SPACE = /[^\S\uFEFF]+/;

/** What was refused stays in the field with spaces between, so such a value may be one of several in a line. */
function piecesOfCell(cell: string): string[] {
  if (spreadsheetValue(cell) !== null) return [cell];
  return cell
    .split(WHITE_SPACE)
    .map((word) => plain(word.replace(/^[,;]+|[,;]+$/g, '')))
    .flatMap((word) => (spreadsheetValue(word) === null ? word.split(SEPARATORS).map(plain) : [word]));
}

/** Without the quotes around it, and without marks that no one sees. */
function plain(piece: string): string {
  return piece.trim().replace(/^[\p{Cf}"']+|[\p{Cf}"']+$/gu, '');
}

/** The form in which two entries of a kind are compared. */
export function entryKey(id: EntryKindId, text: string): string {
  return kindOf(id).keyOf(text);
}

/** Takes typed text (Enter, Tab, comma, blur): one entry, or several as in a paste. */
export function confirmTyped(id: EntryKindId, chips: readonly string[], text: string): ChipsResult {
  const pieces = piecesOf(text);
  const read = pieces.length > 1 ? kindOf(id).read?.(text) : undefined;
  // Where an address was meant, none of its pieces is one.
  if (pieces.length > 1 && (read === undefined || read.entries.length > 0 || text.includes('@')))
    return addPasted(id, chips, text);
  return addPieces(id, chips, pieces, false);
}

/** Takes pasted text: its entries are extracted, those already there are passed over silently (CE-09). */
export function addPasted(id: EntryKindId, chips: readonly string[], text: string): ChipsResult {
  const { read } = kindOf(id);
  if (!read) return addPieces(id, chips, piecesOf(text), true);
  const { entries, notTaken, without } = read(text);
  // A single one that is wrong stays in the field, to be corrected there.
  if (entries.length === 0 && notTaken.length < 2)
    return addPieces(id, chips, text.trim() === '' ? [] : [text.trim()], false);
  return { ...addPieces(id, chips, entries, true), notTaken, without };
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
  const rest = problems.map(({ text }) => text).join(' ');
  return { chips: next, problems, rest, known, notTaken: [], without: 0 };
}
