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
/** What is before the link of an event that is not given by section. */
const LABEL = 'Zoom';

/** The block at the end of the description, once; a description that has just this block stays as it is. */
export function withBlock(description: string, lines: readonly BlockLine[]): string {
  if (blockState(description, lines) === 'there') return description;
  const bySection = lines.some(({ section }) => section !== null);
  return withoutBlock(description, bySection) + blockOf(lines);
}

/**
 * The description without any block. What a person has written into one stays, also words beside a link.
 * @param bySection whether names of sections may stand before the links: what cannot be told from one is not kept
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

/** Whether the description has a block, whatever it says. */
export function hasBlock(description: string): boolean {
  return blocksIn(description).length > 0;
}

/** `edited`: it has another block, or more than one. `reordered`: just these lines, in another order. */
export type BlockState = 'there' | 'reordered' | 'edited' | 'missing';

/** How the block of these lines is found in a description. */
export function blockState(description: string, lines: readonly BlockLine[]): BlockState {
  const [first, ...more] = blocksIn(description);
  if (!first) return 'missing';
  const [wanted] = blocksIn(blockOf(lines));
  const isWhole = more.length === 0 && first.whole && !first.nests;
  if (!isWhole || !isBlank(besideLines(first.inner)) || !wanted) return 'edited';
  const [found, asked] = [said(first.inner), said(wanted.inner)].map((each) =>
    each.map((line) => JSON.stringify(line)),
  );
  if (String(found) === String(asked)) return 'there';
  return String(found?.sort()) === String(asked?.sort()) ? 'reordered' : 'edited';
}

/** The links of the block where it is as we write one, for whatever lines; null: it is not, or was edited. */
export function linksAsWritten(description: string): string[] | null {
  const [first, ...more] = blocksIn(description);
  if (!first?.whole || first.nests || more.length > 0 || !isBlank(besideLines(first.inner))) return null;
  const lines = said(first.inner);
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

/** Text as it is in HTML. */
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

/** A block's content without the lines of links. */
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

/** Stands for a link while the words beside it are looked for; no text of Canvas holds this character. */
const CUT = '\u0000';

/** The words of a line of ours that a person has added: before its label, behind its link, or instead of the link. */
function wordsBeside(inner: string, bySection: boolean): string {
  // What is written into the link itself follows its address.
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

/** What is before a link without its label, which may be the name of a section that has another name now. */
function withoutLabel(before: string, bySection: boolean): string {
  const text = before.replace(/\s+/g, ' ').trim();
  const own = text.endsWith(`${LABEL}:`) ? text.slice(0, -LABEL.length - 1) : null;
  if (own !== null && (!bySection || /[.!?]\s*$/.test(own))) return own;
  return text.endsWith(':') ? '' : text;
}

function isBlank(html: string): boolean {
  return /^(?:\s|&nbsp;|<\/?(?:p|br|div|span)\b[^<>]*>)*$/i.test(html);
}

/** What the lines of a content say, however its HTML is written. */
function said(inner: string): { text: string; href: string }[] {
  return [...paragraphs(inner, 0)].map((line) => {
    const href = /<a\b[^<>]*\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(line.inner);
    const text = decoded(line.inner.replace(/<[^<>]*>/g, ''));
    return { text: text.replace(/\s+/g, ' ').trim(), href: decoded(href?.[1] ?? href?.[2] ?? '') };
  });
}
