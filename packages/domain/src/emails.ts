/**
 * Email addresses as they are typed and pasted (CE-09, CE-10).
 * The pattern is the one of the HTML standard for email inputs, with a dot required in the domain, and with the letters
 * of every script: an address such as `jürgen@school.example` is looked up as it is (RFC 6531).
 */
import { spreadsheetValue } from './spreadsheet-values.ts';

const LETTER = '\\p{L}\\p{M}\\p{N}';
const CHARACTER = `[${LETTER}.!#$%&'*+/=?^_\`{|}~-]`;
const LABEL = `[${LETTER}](?:[${LETTER}-]{0,61}[${LETTER}])?`;
const EMAIL = new RegExp(`^${CHARACTER}+@${LABEL}(?:\\.${LABEL})+$`, 'u');
const STRANGER = new RegExp(`(?!@|${CHARACTER}).`, 'su');

/** Longest address that RFC 5321 lets travel. */
const MAX_LENGTH = 254;

/** Whether the whole text is one email address. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && EMAIL.test(text) && spreadsheetValue(text) === null;
}

/** The form in which two addresses are compared: no blanks around, lower case, composed Unicode. */
export function emailKey(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/** A piece of pasted text that was not taken, with a reason to be shown behind it. */
export interface NotTaken {
  text: string;
  why: string;
}

/** What pasted text holds. */
export interface ReadEntries {
  /** In their order and as they were written, also repeated ones. */
  entries: string[];
  notTaken: NotTaken[];
  /** How many lines have no entry, nor anything that could be one; they are among those not taken. */
  without: number;
}

/** What parts pieces. A byte order mark is white space to a regular expression, but nothing that anybody sees. */
export const SEPARATORS = /(?:[^\S\uFEFF]|[,;，；、])+/;
const BLANK = /[^\S\uFEFF]/;
const LINES = /[\r\n\u2028\u2029]+/;
const IN_LINE = /[\t,;，；、]+/;

/** Longest piece that is read; what is longer is no address, however it is taken apart. */
const MAX_PIECE = 1_000;
/** Of a piece that is shown with the reason why it was not taken. */
const MAX_SHOWN = 120;

/**
 * The email addresses in pasted text. Understands a spreadsheet column, a comma list and mail-program lines such as
 * `Last, First <a@b.c>; …`. What is between separators is an address as a whole or not at all: a part of it would be
 * someone else's.
 */
export function readEmails(text: string): ReadEntries {
  const read: ReadEntries = { entries: [], notTaken: [], without: 0 };
  for (const line of text.split(LINES)) readLine(line, read);
  return read;
}

function readLine(line: string, read: ReadEntries): void {
  if (line.trim() === '') return;
  if (!line.includes('@')) {
    read.without++;
    const made = line
      .split('\t')
      .map(spreadsheetValue)
      .find((reason) => reason !== null);
    refuse(read, line, made === undefined ? NO_ADDRESS : `it is ${made}`);
    return;
  }
  for (const cell of line.split('\t')) {
    // A list of addresses, as opposed to a row of a table with names beside one address.
    const listed = cell.split(/[;；]/).filter((one) => one.trim() !== '');
    if (listed.filter((one) => one.includes('@')).length > 1)
      for (const one of listed) if (!one.includes('@') && !isError(one)) refuse(read, one, NO_ADDRESS);
    const made = cell.includes('@') ? spreadsheetValue(cell) : null;
    if (made === null) for (const part of cell.split(IN_LINE)) readPart(part, read);
    else refuse(read, cell, `it is ${made}`);
  }
}

const NO_ADDRESS = 'it contains no address';

/** Small words that stand before an address and are no part of it. */
const LINKING = /^(?:and|or|to|cc|bcc|e?-?mail|und|an|oder|y|et)$/;

function readPart(part: string, read: ReadEntries): void {
  const pieces = part.split(SEPARATORS).filter((piece) => piece !== '');
  const [first = '', second = '', more] = pieces;
  // `mary ann@…`: no one writes a name like that, but many mistype an address.
  const torn = /^\p{Ll}[\p{Ll}\d._+-]*$/u.test(first) && !LINKING.test(first) && isEmail(second);
  if (torn && more === undefined) refuse(read, part, 'it contains a space');
  else
    for (const piece of pieces) {
      if (piece.includes('@')) readPiece(piece, read);
      else if (isError(piece)) refuse(read, piece, `it is ${spreadsheetValue(piece)}`);
    }
}

/** Whether it is an error of a spreadsheet, such as `#N/A`, and so no name that is before an address. */
function isError(text: string): boolean {
  const piece = text.trim();
  return piece.startsWith('#') && spreadsheetValue(piece) !== null;
}

function readPiece(piece: string, read: ReadEntries): void {
  if (piece.length > MAX_PIECE) return refuse(read, piece, 'it is too long');
  // `Name<a@b.c>` and `a@b.c<mailto:a@b.c>`, as mail programs copy them.
  const [, outside = '', inside = piece] = /^([^<>]*)<([^<>]+)>[.,:]?$/.exec(piece) ?? [];
  const addresses = [outside, inside].filter((one) => one.includes('@')).map(bare);
  const fault = addresses.map(emailFault).find((one) => one !== null);
  const keys = new Set(addresses.map(emailKey));
  if (addresses.length === 0) refuse(read, piece, INCOMPLETE);
  else if (fault !== undefined) refuse(read, piece, fault);
  else if (keys.size > 1) refuse(read, piece, 'it contains two addresses');
  else read.entries.push(...addresses.slice(0, 1));
}

const INCOMPLETE = 'it is not a complete address';

/** What is wrong with a text that should be an email address, as words to be put behind it; null when it is one. */
export function emailFault(text: string): string | null {
  const made = spreadsheetValue(text);
  if (made !== null) return `it is ${made}`;
  if (isEmail(text)) return null;
  if (text.split('@').length > 2) return 'it contains more than one @';
  const stranger = STRANGER.exec(text)?.[0];
  if (stranger === undefined) return text.length > MAX_LENGTH ? 'it is too long' : INCOMPLETE;
  if (BLANK.test(stranger)) return 'it contains a space';
  return /\p{C}/u.test(stranger)
    ? 'it contains an invisible character'
    : `${stranger} is not allowed in an address`;
}

const OPENING = /^[\p{Cf}'"`<([‘’‚“”„«»‹›]+/u;
const CLOSING = /[\p{Cf}'"`>)\]‘’“”«»‹›.:!?]+$/u;

/** Without the quotes, brackets and end points that surround an address in running text. */
function bare(piece: string): string {
  const [, prefix = '', address = ''] = /^(mailto:|smtp:)?(.*)$/isu.exec(piece.replace(OPENING, '')) ?? [];
  const plain = prefix === '' ? address : address.replace(/\?.*$/s, '');
  return plain.replace(OPENING, '').replace(CLOSING, '').normalize('NFC');
}

function refuse(read: ReadEntries, text: string, why: string): void {
  const plain = text.replace(/[^\S\uFEFF]+/g, ' ').replace(/^ | $/g, '');
  const shown = plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN)} …` : plain;
  read.notTaken.push({ text: shown, why });
}
