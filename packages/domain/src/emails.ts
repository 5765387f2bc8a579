/**
 * Email addresses as typed and pasted (CE-09, CE-10). The pattern is the HTML standard's for email inputs, but requires
 * a dot in the domain and allows letters of every script: an address such as `jürgen@school.example` is looked up
 * unchanged (RFC 6531).
 */
import { spreadsheetValue } from './spreadsheet-values.ts';

const LETTER = '\\p{L}\\p{M}\\p{N}';
const CHARACTER = `[${LETTER}.!#$%&'*+/=?^_\`{|}~-]`;
const LABEL = `[${LETTER}](?:[${LETTER}-]{0,61}[${LETTER}])?`;
const EMAIL = new RegExp(`^${CHARACTER}+@${LABEL}(?:\\.${LABEL})+$`, 'u');
const STRANGER = new RegExp(`(?!@|${CHARACTER}).`, 'su');

/** Longest address that RFC 5321 allows. */
const MAX_LENGTH = 254;

/** Returns whether the whole text is one email address. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && EMAIL.test(text) && spreadsheetValue(text) === null;
}

/** Returns the form for comparing two addresses: without surrounding spaces, lower case, composed Unicode. */
export function emailKey(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/** A rejected piece of pasted text, with a reason to show after it. */
export interface NotTaken {
  text: string;
  why: string;
}

/** Contents of pasted text. */
export interface ReadEntries {
  /** In order and as written, including repeats. */
  entries: string[];
  notTaken: NotTaken[];
  /** Number of lines without anything that could be an entry; they are among the rejected pieces. */
  without: number;
}

/** Separators of pieces. A byte order mark is white space in a regular expression, but invisible to people. */
export const SEPARATORS = /(?:[^\S\uFEFF]|[,;，；、])+/;
const BLANK = /[^\S\uFEFF]/;
const LINES = /[\r\n\u2028\u2029]+/;
const IN_LINE = /[\t,;，；、]+/;

/** Longest piece that is read; a longer one cannot contain an address. */
const MAX_PIECE = 1_000;
/** Length of a rejected piece that is shown with the reason. */
const MAX_SHOWN = 120;

/**
 * Returns the email addresses in pasted text. Understands a spreadsheet column, a comma-separated list and lines of
 * mail programs such as `Last, First <a@b.c>; …`. A piece between separators is an address as a whole or not at all:
 * a part of it would be another person's address.
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
    const converted = line
      .split('\t')
      .map(spreadsheetValue)
      .find((reason) => reason !== null);
    refuse(read, line, converted === undefined ? NO_ADDRESS : `it is ${converted}`);
    return;
  }
  for (const cell of line.split('\t')) {
    // A list of addresses, unlike a table row with names next to one address.
    const listed = cell.split(/[;；]/).filter((one) => one.trim() !== '');
    if (listed.filter((one) => one.includes('@')).length > 1)
      for (const one of listed) if (!one.includes('@') && !isError(one)) refuse(read, one, NO_ADDRESS);
    const converted = cell.includes('@') ? spreadsheetValue(cell) : null;
    if (converted === null) for (const part of cell.split(IN_LINE)) readPart(part, read);
    else refuse(read, cell, `it is ${converted}`);
  }
}

const NO_ADDRESS = 'it contains no address';

/** Short words before an address that are not part of it. */
const LINKING = /^(?:and|or|to|cc|bcc|e?-?mail|und|an|oder|y|et)$/;

function readPart(part: string, read: ReadEntries): void {
  const pieces = part.split(SEPARATORS).filter((piece) => piece !== '');
  const [first = '', second = '', more] = pieces;
  // `mary ann@…`: people do not write names like that, but often mistype an address that way.
  const torn = /^\p{Ll}[\p{Ll}\d._+-]*$/u.test(first) && !LINKING.test(first) && isEmail(second);
  if (torn && more === undefined) refuse(read, part, 'it contains a space');
  else
    for (const piece of pieces) {
      if (piece.includes('@')) readPiece(piece, read);
      else if (isError(piece)) refuse(read, piece, `it is ${spreadsheetValue(piece)}`);
    }
}

/** Returns whether a text is an error value of a spreadsheet, such as `#N/A`, and so not a name before an address. */
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

/** Returns the problem of a text that should be an email address, worded to follow it; null if it is one. */
export function emailFault(text: string): string | null {
  const converted = spreadsheetValue(text);
  if (converted !== null) return `it is ${converted}`;
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

/** Returns the piece without the quotes, brackets and full stops around an address in running text. */
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
