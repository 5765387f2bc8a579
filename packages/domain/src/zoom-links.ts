/** Links to meetings of the configured Zoom hosts, anywhere in texts (OP-72, OP-101). Other hosts do not count. */

export interface MeetingLink {
  /** The join link that everyone can use, without personal parts. */
  readonly link: string;
  readonly number: number;
}

/** Parts of a calendar event that may have a link. */
export interface TextsWithLinks {
  /** HTML. */
  readonly description?: string | null | undefined;
  readonly location_address?: string | null | undefined;
  readonly location_name?: string | null | undefined;
}

const NUMBER = String.raw`(\d{9,11})`;
/** Links to join, for registrants, to start, and for the browser's client. */
const PATHS = [
  new RegExp(`^/[jws]/${NUMBER}/?$`),
  new RegExp(`^/wc/join/${NUMBER}/?$`),
  new RegExp(`^/wc/${NUMBER}(?:/[a-z]+)?/?$`),
];
const ADDRESS = /https?:\/\/[^\s"'<>]+/gi;
/** Longest address that is checked. */
const LONGEST = 2_000;
/** Characters that end a sentence instead of an address. */
const AFTER = '.,;:!?)]';

/**
 * Returns the meeting that a link names.
 * @param bases beginnings of links, without a trailing slash (`https://school.zoom.us`)
 */
export function meetingOfLink(text: string, bases: readonly string[]): MeetingLink | null {
  const given = text.trim();
  if (!URL.canParse(given)) return null;
  const url = new URL(given);
  // The number in the path of a personal room is not the meeting's.
  if (url.searchParams.has('omn') || url.username !== '' || url.password !== '') return null;
  for (const base of bases) {
    const { origin, pathname } = new URL(base);
    const below = pathname.replace(/\/$/, '');
    if (url.origin !== origin || !url.pathname.startsWith(`${below}/`)) continue;
    const path = url.pathname.slice(below.length);
    const number = PATHS.map((pattern) => pattern.exec(path)?.[1]).find((found) => found !== undefined);
    if (number === undefined) continue;
    const passcode = url.searchParams.get('pwd');
    const query = passcode === null ? '' : `?pwd=${encodeURIComponent(passcode)}`;
    return { link: `${origin}${below}/j/${number}${query}`, number: Number(number) };
  }
  return null;
}

/** Returns the first meeting that an event's own texts link to. */
export function linkInTexts(texts: TextsWithLinks, bases: readonly string[]): MeetingLink | null {
  return links(texts, bases).next().value ?? null;
}

/** Returns all meetings that an event's own texts link to, each once. */
export function linksInTexts(texts: TextsWithLinks, bases: readonly string[]): MeetingLink[] {
  return [...new Map([...links(texts, bases)].map((link) => [link.number, link])).values()];
}

function* links(
  { description, location_address, location_name }: TextsWithLinks,
  bases: readonly string[],
): Generator<MeetingLink, null, void> {
  for (const text of [description, location_address, location_name]) {
    for (const [address] of (text ?? '').matchAll(ADDRESS)) {
      if (address.length > LONGEST) continue;
      const found = meetingOfLink(bare(decoded(address)), bases);
      if (found) yield found;
    }
  }
  return null;
}

/** Returns the address without following punctuation; a pattern would start again at each of many such characters. */
function bare(address: string): string {
  let end = address.length;
  while (end > 0 && AFTER.includes(address.charAt(end - 1))) end--;
  return address.slice(0, end);
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Decodes the entities of HTML text, as far as links and names contain them. */
export function decoded(html: string): string {
  return html.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}
