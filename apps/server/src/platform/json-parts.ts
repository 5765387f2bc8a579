/**
 * JSON bytes cut into pieces that are parsed one by one, with pauses for other work: parsing all in one go would block
 * everything else. A large list, object or text is cut between its members; the ordinary parser then reads each piece,
 * so that this file handles only quotes, brackets and commas.
 */
import type { Turns } from './turns.ts';

/** Bytes parsed in one step. */
const PIECE_BYTES = 32_768;
/** Bytes scanned before other work can have a turn. */
const LOOK_BYTES = 65_536;
/** Length of an escape from its backslash on: `\u` and four digits. */
const ESCAPE_BYTES = 6;

const [QUOTE, ESCAPE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COLON, COMMA] = [
  ...Buffer.from('"\\[]{}:,'),
] as [number, number, number, number, number, number, number, number];

/** Limits on what makes parsing slow. */
export interface JsonLimits {
  /** Deepest nesting of values. */
  readonly depth: number;
  /** Names of fields in all objects together. */
  readonly names: number;
  /** Names in one object. */
  readonly namesTogether: number;
  /** Values in total, including lists and objects. */
  readonly values: number;
}

/** Thrown when a limit is exceeded; the message names it. */
export class TooMuchJson extends Error {}

type Kind = 'document' | 'list' | 'object' | 'text';

/** A large value, from its first bracket or quote to after the last one. */
interface Part {
  readonly kind: Kind;
  readonly start: number;
  end: number;
  /** Positions of the cuts: at commas, or (in a text) between characters. */
  readonly cuts: number[];
  /** Large members, each alone between two cuts. */
  readonly parts: Part[];
}

/** A part whose end has not been reached. */
interface Frame extends Part {
  /** Start of the piece that is not cut off yet, and of its current member. */
  pieceFrom: number;
  memberFrom: number;
  /** The member is a large part: it is cut off at the next comma. */
  alone: boolean;
  names: number;
}

/** Finds the large parts of these bytes. @throws TooMuchJson; SyntaxError if brackets do not match */
export async function partsOf(bytes: Buffer, limits: JsonLimits, turns: Turns): Promise<Part> {
  const scan = new Scan(limits);
  for (let at = 0; at < bytes.length; at += LOOK_BYTES) {
    scan.read(bytes, at, Math.min(at + LOOK_BYTES, bytes.length));
    await turns.pass();
  }
  return scan.end(bytes.length);
}

class Scan {
  readonly #limits: JsonLimits;
  readonly #open: Frame[] = [opened('document', -1)];
  #text: Frame | null = null;
  #escape = -ESCAPE_BYTES;
  #names = 0;
  #values = 0;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  read(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      if (this.#text !== null) {
        at = this.#plain(bytes, this.#text, at, to);
        if (at >= to) break;
      }
      const byte = bytes[at] as number;
      if (this.#text !== null) this.#inText(this.#text, byte, at);
      else if (byte === QUOTE) this.#text = opened('text', at);
      else if (byte === COMMA) this.#comma(at);
      else if (byte === COLON) this.#name();
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT)
        this.#begin(byte === OPEN_LIST ? 'list' : 'object', at);
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT)
        this.#close(byte === CLOSE_LIST ? 'list' : 'object', at);
    }
    const { names, values } = this.#limits;
    if (this.#names > names) throw new TooMuchJson(`more than ${number(names)} field names`);
    if (this.#values > values) throw new TooMuchJson(`more than ${number(values)} values`);
  }

  end(length: number): Part {
    const [document, ...others] = this.#open;
    if (!document || others.length > 0 || this.#text !== null) throw malformed();
    document.end = length + 1;
    return document;
  }

  /** Finds the next point of interest in a text: its end, an escape, or a position for a cut. */
  #plain(bytes: Buffer, text: Frame, at: number, to: number): number {
    // Within an escape each byte counts, and so does each byte once a cut is due.
    const cutAt = text.pieceFrom + PIECE_BYTES;
    if (at - this.#escape < ESCAPE_BYTES || at >= cutAt) return at;
    const within = bytes.subarray(at, Math.min(to, cutAt));
    const quote = within.indexOf(QUOTE);
    const until = quote < 0 ? within : within.subarray(0, quote);
    const escape = until.indexOf(ESCAPE);
    return at + (escape < 0 ? until.length : escape);
  }

  #inText(text: Frame, byte: number, at: number): void {
    const inEscape = at - this.#escape < ESCAPE_BYTES;
    if (at === this.#escape + 1) return;
    if (byte === ESCAPE) this.#escape = at;
    if (byte === QUOTE) {
      this.#text = null;
      this.#ended(text, at);
    } else if (at - text.pieceFrom >= PIECE_BYTES && !inEscape && !isContinued(byte)) {
      text.cuts.push(at);
      text.pieceFrom = at;
    }
  }

  #begin(kind: 'list' | 'object', at: number): void {
    this.#values++;
    this.#open.push(opened(kind, at));
    const { depth } = this.#limits;
    if (this.#open.length > depth + 1)
      throw new TooMuchJson(`values that are nested more than ${depth} levels deep`);
  }

  #name(): void {
    this.#names++;
    const { namesTogether } = this.#limits;
    if (++this.#top().names > namesTogether)
      throw new TooMuchJson(`more than ${number(namesTogether)} names in one object`);
  }

  #comma(at: number): void {
    this.#values++;
    const frame = this.#top();
    // A document is one value: bytes after it would not be read, so there must be none.
    if (frame.kind === 'document') throw malformed();
    if (frame.alone || at - frame.pieceFrom >= PIECE_BYTES) cut(frame, at);
    frame.memberFrom = at + 1;
  }

  #close(kind: Kind, at: number): void {
    const frame = this.#top();
    if (frame.kind !== kind) throw malformed();
    this.#open.pop();
    this.#ended(frame, at);
  }

  /** Makes a large member the only one in a piece of its own, by cutting the piece around it. */
  #ended(part: Frame, at: number): void {
    if (at - part.start < PIECE_BYTES) return;
    part.end = at + 1;
    const around = this.#top();
    if (around.alone) throw malformed();
    if (around.memberFrom > around.pieceFrom) cut(around, around.memberFrom - 1);
    around.parts.push(part);
    around.alone = true;
  }

  #top(): Frame {
    const frame = this.#open.at(-1);
    if (!frame) throw malformed();
    return frame;
  }
}

/** Parses the value of the bytes. @param parse the ordinary parser @throws like `parse`; SyntaxError */
export async function valueOf(
  bytes: Buffer,
  document: Part,
  parse: (text: string) => unknown,
  turns: Turns,
): Promise<unknown> {
  const text = (from: number, to: number) => bytes.toString('utf8', from, to);

  async function read(part: Part): Promise<unknown> {
    if (part.kind === 'text') return readText(part);
    const list: unknown[] = [];
    const object: Record<string, unknown> = {};
    for (const { from, to, child } of pieces(part)) {
      await turns.pass();
      const piece = child ? `${text(from, child.start)}null${text(child.end, to)}` : text(from, to);
      if (part.kind === 'document') {
        const value = parse(piece);
        return child ? read(child) : value;
      }
      if (part.kind === 'list') {
        const members = parse(`[${piece}]`) as unknown[];
        requireMembers(members.length, child);
        for (const member of members) list.push(child ? await read(child) : member);
      } else {
        const members = Object.entries(parse(`{${piece}}`) as Record<string, unknown>);
        requireMembers(members.length, child);
        for (const [name, member] of members) object[name] = child ? await read(child) : member;
      }
    }
    return part.kind === 'list' ? list : object;
  }

  async function readText({ start, end, cuts }: Part): Promise<string> {
    let whole = '';
    for (const [index, from] of [start + 1, ...cuts].entries()) {
      await turns.pass();
      whole += String(parse(`"${text(from, cuts[index] ?? end - 1)}"`));
    }
    return whole;
  }

  return read(document);
}

interface Piece {
  from: number;
  to: number;
  child: Part | null;
}

/** Returns the pieces between the cuts. */
function pieces({ start, end, cuts, parts }: Part): Piece[] {
  let next = 0;
  return [...cuts, end - 1].map((to, index) => {
    const from = (cuts[index - 1] ?? start) + 1;
    const part = parts[next];
    const child = part && part.start >= from && part.start < to ? part : null;
    if (child) next++;
    return { from, to, child };
  });
}

/** Requires at least one member between two cuts, and exactly one if it is large. */
function requireMembers(count: number, child: Part | null): void {
  if (child ? count !== 1 : count === 0) throw malformed();
}

function opened(kind: Kind, at: number): Frame {
  return {
    kind,
    start: at,
    end: at,
    cuts: [],
    parts: [],
    pieceFrom: at + 1,
    memberFrom: at + 1,
    alone: false,
    names: 0,
  };
}

function cut(frame: Frame, at: number): void {
  frame.cuts.push(at);
  frame.pieceFrom = at + 1;
  frame.alone = false;
}

/** Returns whether the byte continues a character (UTF-8). */
function isContinued(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function malformed(): SyntaxError {
  return new SyntaxError('not JSON');
}

const number = (value: number) => value.toLocaleString('en-GB');
