/**
 * The block in an event's description that shows students the link (OP-103): adding, replacing, removing, and
 * recognising it after Canvas or a person has rewritten it. The rest of the description stays unchanged byte for byte.
 */
import { decoded } from './zoom-links.ts';

/** A line of the block: one for the event, or one for each section, with the section's name. */
export interface BlockLine {
  readonly section: string | null;
  readonly link: string;
}

const BLOCK = 'lms-admin-zoom';
const LINE = 'lms-admin-zoom-link';
/** Text before the link of an event without section events. */
const LABEL = 'Zoom';

/** Adds the block once at the end of the description; a description with exactly this block stays unchanged. */
export function withBlock(description: string, lines: readonly BlockLine[]): string {
  if (blockState(description, lines) === 'there') return description;
  const bySection = lines.some(({ section }) => section !== null);
  return withoutBlock(description, bySection) + blockOf(lines);
}

/**
 * Returns the description without blocks. Text that a person wrote into one stays, even words next to a link.
 * @param bySection whether section names can be before the links: text that may be such a name is removed
 */
export function withoutBlock(description: string, bySection = true): string {
  let left = '';
  let from = 0;
  for (const block of blocksIn(description)) {
    left += description.slice(from, block.start) + foreignIn(block.inner, bySection);
    from = block.end;
  }
  return left + description.slice(from);
}

/** Returns whether the description has a block with any contents. */
export function hasBlock(description: string): boolean {
  return blocksIn(description).length > 0;
}

/** `edited`: it has another block, or more than one. `reordered`: exactly these lines, in another order. */
export type BlockState = 'there' | 'reordered' | 'edited' | 'missing';

/** Returns the state of the block with these lines in a description. */
export function blockState(description: string, lines: readonly BlockLine[]): BlockState {
  const [first, ...more] = blocksIn(description);
  if (!first) return 'missing';
  const [wanted] = blocksIn(blockOf(lines));
  const isWhole = more.length === 0 && first.whole && !first.nests;
  if (!isWhole || !isBlank(besideLines(first.inner)) || !wanted) return 'edited';
  const [found, expected] = [linksIn(first.inner), linksIn(wanted.inner)].map((each) =>
    each.map((line) => JSON.stringify(line)),
  );
  if (String(found) === String(expected)) return 'there';
  return String(found?.sort()) === String(expected?.sort()) ? 'reordered' : 'edited';
}

/** Returns the links of a block in exactly our form, with any lines; null: no such block, or an edited one. */
export function linksAsWritten(description: string): string[] | null {
  const [first, ...more] = blocksIn(description);
  if (!first?.whole || first.nests || more.length > 0 || !isBlank(besideLines(first.inner))) return null;
  const lines = linksIn(first.inner);
  return lines.every(({ text, href }) => href !== '' && text.endsWith(`: ${href}`))
    ? lines.map(({ href }) => href)
    : null;
}

function blockOf(lines: readonly BlockLine[]): string {
  const shown = lines.map(({ section, link }) => {
    const address = escaped(link);
    return `<p class="${LINE}">${escaped(section ?? LABEL)}: <a href="${address}">${address}</a></p>`;
  });
  return `<div class="${BLOCK}">${shown.join('')}</div>`;
}

/** Returns a text escaped for HTML. */
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
  /** Without the tags of inner blocks. */
  inner: string;
  /** False if the end of the block is missing. */
  whole: boolean;
  /** Whether the block contains other blocks. */
  nests: boolean;
}

/** Returns the outermost blocks, in order. Anyone may have written this text, so each part of it is read once. */
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

/** Removes these tags from a part of the text. */
function without(html: string, start: number, end: number, unwanted: readonly Tag[]): string {
  let left = '';
  let from = start;
  for (const tag of [...unwanted].sort((one, other) => one.start - other.start)) {
    left += html.slice(from, tag.start);
    from = tag.end;
  }
  return left + html.slice(from, end);
}

/**
 * Returns the end of a block whose end mark is missing: following text is ours as long as it looks like one of our
 * lines.
 */
function endOfHalf(html: string, from: number): number {
  let end = from;
  // A line starts exactly here, and the next tag of its kind closes it: the search does not go further.
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

/** Yields a limited number of paragraphs from a position. Our own have our class, or a link to a meeting. */
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

/** Returns the foreign part of a block's content; empty if it is only white space. */
function foreignIn(inner: string, bySection: boolean): string {
  let left = '';
  let from = 0;
  for (const line of paragraphs(inner, 0)) {
    if (!line.ours) continue;
    const words = wordsBeside(line.inner, bySection);
    left += inner.slice(from, line.start) + (words === '' ? '' : `<p>${escaped(words)}</p>`);
    from = line.end;
  }
  left += inner.slice(from);
  return isBlank(left) ? '' : left;
}

/** Returns a block's content without the lines of links. */
function besideLines(inner: string): string {
  let left = '';
  let from = 0;
  for (const line of paragraphs(inner, 0)) {
    if (!line.ours) continue;
    left += inner.slice(from, line.start);
    from = line.end;
  }
  return left + inner.slice(from);
}

/** Replaces a link during the search for words next to it; texts of Canvas never contain this character. */
const CUT = '\u0000';

/**
 * Returns the words that a person has added to one of our lines: before its label, after its link, or instead of the
 * link.
 */
function wordsBeside(inner: string, bySection: boolean): string {
  // Text inside the link itself follows its address.
  const anchors = inner
    .replaceAll(CUT, '')
    .replace(/<a\b[^<>]*>([^<>]*)<\/a\s*>/gi, (anchor, text: string) => {
      if (!hasMeeting(anchor)) return anchor;
      const [, before, behind] = /^(.*?)https?:\/\/\S+(.*)$/is.exec(text) ?? [];
      return before === undefined ? CUT : `${before}${CUT}${behind}`;
    });
  const text = decoded(anchors.replace(/<br\b[^<>]*>/gi, ' ').replace(/<[^<>]*>/g, ''));
  const cut = text.replace(/https?:\/\/\S*\/(?:j|w|s|wc)\/\d{9,11}\S*/gi, CUT);
  const [before = '', ...behind] = cut.split(CUT);
  const words = [withoutLabel(before, bySection), ...behind].join(' ');
  return words.replace(/\s+/g, ' ').trim();
}

/** Returns the text before a link without its label, which can be a former name of a section. */
function withoutLabel(before: string, bySection: boolean): string {
  const text = before.replace(/\s+/g, ' ').trim();
  const own = text.endsWith(`${LABEL}:`) ? text.slice(0, -LABEL.length - 1) : null;
  if (own !== null && (!bySection || /[.!?]\s*$/.test(own))) return own;
  return text.endsWith(':') ? '' : text;
}

function isBlank(html: string): boolean {
  return /^(?:\s|&nbsp;|<\/?(?:p|br|div|span)\b[^<>]*>)*$/i.test(html);
}

/** Returns the lines of a content, however its HTML is written. */
function linksIn(inner: string): { text: string; href: string }[] {
  return [...paragraphs(inner, 0)].map((line) => {
    const href = /<a\b[^<>]*\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(line.inner);
    const text = decoded(line.inner.replace(/<[^<>]*>/g, ''));
    return { text: text.replace(/\s+/g, ' ').trim(), href: decoded(href?.[1] ?? href?.[2] ?? '') };
  });
}
