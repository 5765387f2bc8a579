/**
 * The block in an event's description that shows students the link (OP-103): put, replaced, removed, known again after
 * Canvas or a person has rewritten it. All else of the description stays byte for byte.
 */
import { decoded } from './zoom-links.ts';

/** A line of the block: one for the event, or one for each section, with the section's name. */
export interface BlockLine {
  readonly section: string | null;
  readonly link: string;
}

const BLOCK = 'lms-admin-zoom';
const LINE = 'lms-admin-zoom-link';

/** The block at the end of the description, once; a description that has just this block stays as it is. */
export function withBlock(description: string, lines: readonly BlockLine[]): string {
  if (blockState(description, lines) === 'there') return description;
  return withoutBlock(description) + blockOf(lines);
}

/** The description without any block. What somebody has written into one stays. */
export function withoutBlock(description: string): string {
  let left = '';
  let from = 0;
  for (const block of blocksIn(description)) {
    left += description.slice(from, block.start) + foreignIn(block.inner);
    from = block.end;
  }
  return left + description.slice(from);
}

/** Whether the description has the block of these lines: `edited` where it has another one, or more than one. */
export function blockState(description: string, lines: readonly BlockLine[]): 'there' | 'edited' | 'missing' {
  const [first, ...more] = blocksIn(description);
  if (!first) return 'missing';
  const [wanted] = blocksIn(blockOf(lines));
  const isWhole = more.length === 0 && first.whole && !first.nests;
  const same = isWhole && foreignIn(first.inner) === '' && wanted && isSame(first.inner, wanted.inner);
  return same ? 'there' : 'edited';
}

function blockOf(lines: readonly BlockLine[]): string {
  const shown = lines.map(({ section, link }) => {
    const address = escaped(link);
    return `<p class="${LINE}">${escaped(section ?? 'Zoom')}: <a href="${address}">${address}</a></p>`;
  });
  return `<div class="${BLOCK}">${shown.join('')}</div>`;
}

/** Text as it stands in HTML. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

interface Block {
  start: number;
  end: number;
  /** Without the tags of blocks within it. */
  inner: string;
  /** False: its end is missing. */
  whole: boolean;
  /** Whether there are blocks within it. */
  nests: boolean;
}

/** The outermost blocks, in their order. Anybody may write what is read here: each part of it is looked at once. */
function blocksIn(html: string): Block[] {
  if (!html.includes(BLOCK)) return [];
  const divs = [...tags(html, 'div', 0)];
  const ends = new Map<Tag, Tag>();
  const open: Tag[] = [];
  for (const tag of divs) {
    if (!tag.closes) open.push(tag);
    else {
      const its = open.pop();
      if (its) ends.set(its, tag);
    }
  }
  const found: { tag: Tag; close: Tag | undefined; end: number; within: Tag[] }[] = [];
  for (const tag of divs) {
    if (tag.closes || !hasClass(tag.text, BLOCK)) continue;
    const close = ends.get(tag);
    const last = found.at(-1);
    if (last && tag.start < last.end) last.within.push(tag, ...(close ? [close] : []));
    else found.push({ tag, close, end: close?.end ?? endOfHalf(html, tag.end), within: [] });
  }
  return found.map(({ tag, close, end, within }) => ({
    start: tag.start,
    end,
    inner: without(html, tag.end, close?.start ?? end, within),
    whole: close !== undefined,
    nests: within.length > 0,
  }));
}

/** A part of the text without these tags. */
function without(html: string, start: number, end: number, unwanted: readonly Tag[]): string {
  let left = '';
  let from = start;
  for (const tag of [...unwanted].sort((one, other) => one.start - other.start)) {
    left += html.slice(from, tag.start);
    from = tag.end;
  }
  return left + html.slice(from, end);
}

/** Where a block ends whose end is gone: what follows is ours as long as it looks like a line of ours. */
function endOfHalf(html: string, from: number): number {
  let end = from;
  // A line opens just here, and the next tag of its kind closes it: what is further away is not looked for.
  while (/^<p[\s>]/i.test(html.slice(end, end + 3))) {
    const [line] = paragraphs(html, end, 1);
    if (line?.start !== end || !line.ours) break;
    end = line.end;
  }
  return end;
}

interface Tag {
  start: number;
  end: number;
  text: string;
  closes: boolean;
}

function* tags(html: string, name: string, from: number): Generator<Tag, void, void> {
  const pattern = new RegExp(`<(/?)${name}(?=[\\s>/])[^<>]*>`, 'gi');
  pattern.lastIndex = from;
  for (let match = pattern.exec(html); match; match = pattern.exec(html)) {
    const [text, slash] = match;
    yield { start: match.index, end: match.index + text.length, text, closes: slash === '/' };
  }
}

function hasClass(tag: string, name: string): boolean {
  const match = /\sclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag);
  return (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').split(/\s+/).includes(name);
}

interface Paragraph {
  start: number;
  end: number;
  inner: string;
  ours: boolean;
}

/** Paragraphs from a place on, of so many openings. One of ours has our class, or a link to a meeting. */
function* paragraphs(html: string, from: number, most = Infinity): Generator<Paragraph, void, void> {
  let open: Tag | null = null;
  let opened = 0;
  for (const tag of tags(html, 'p', from)) {
    if (!tag.closes) {
      if (++opened > most) return;
      open = tag;
    } else if (open) {
      const inner = html.slice(open.end, tag.start);
      yield { start: open.start, end: tag.end, inner, ours: hasClass(open.text, LINE) || hasMeeting(inner) };
      open = null;
    }
  }
}

function hasMeeting(html: string): boolean {
  for (const [address] of html.matchAll(/href\s*=\s*["']?[^"'<>\s]*/gi))
    if (/\/(?:j|w|s|wc)\/\d{9,11}/i.test(address)) return true;
  return false;
}

/** What of a block's content is not ours; nothing where it is only blank. */
function foreignIn(inner: string): string {
  let left = '';
  let from = 0;
  for (const line of paragraphs(inner, 0)) {
    if (!line.ours) continue;
    left += inner.slice(from, line.start);
    from = line.end;
  }
  left += inner.slice(from);
  return isBlank(left) ? '' : left;
}

function isBlank(html: string): boolean {
  return /^(?:\s|&nbsp;|<\/?(?:p|br|div|span)\b[^<>]*>)*$/i.test(html);
}

/** Whether two contents say the same, however their HTML is written. */
function isSame(a: string, b: string): boolean {
  return JSON.stringify(said(a)) === JSON.stringify(said(b));
}

function said(inner: string): { text: string; href: string }[] {
  return [...paragraphs(inner, 0)].map((line) => {
    const href = /<a\b[^<>]*\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(line.inner);
    const text = decoded(line.inner.replace(/<[^<>]*>/g, ''));
    return { text: text.replace(/\s+/g, ' ').trim(), href: decoded(href?.[1] ?? href?.[2] ?? '') };
  });
}
