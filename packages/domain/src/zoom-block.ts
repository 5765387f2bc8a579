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
    left += description.slice(from, block.start) + foreignIn(withoutBlock(block.inner));
    from = block.end;
  }
  return left + description.slice(from);
}

/** Whether the description has the block of these lines: `edited` where it has another one, or more than one. */
export function blockState(description: string, lines: readonly BlockLine[]): 'there' | 'edited' | 'missing' {
  const [first, ...more] = blocksIn(description);
  if (!first) return 'missing';
  const [wanted] = blocksIn(blockOf(lines));
  const isWhole = more.length === 0 && first.whole && blocksIn(first.inner).length === 0;
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
  inner: string;
  /** False: its end is missing. */
  whole: boolean;
}

/** The outermost blocks, in their order. */
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
  const blocks: Block[] = [];
  let from = 0;
  for (const tag of divs) {
    if (tag.closes || tag.start < from || !hasClass(tag.text, BLOCK)) continue;
    const close = ends.get(tag);
    const end = close?.end ?? endOfHalf(html, tag.end);
    const inner = html.slice(tag.end, close?.start ?? end);
    blocks.push({ start: tag.start, end, inner, whole: close !== undefined });
    from = end;
  }
  return blocks;
}

/** Where a block ends whose end is gone: what follows is ours as long as it looks like a line of ours. */
function endOfHalf(html: string, from: number): number {
  let end = from;
  for (const line of paragraphs(html, from)) {
    if (line.start !== end || !line.ours) break;
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

/** Paragraphs from a place on. One of ours has our class, or a link to a meeting. */
function* paragraphs(html: string, from: number): Generator<Paragraph, void, void> {
  let open: Tag | null = null;
  for (const tag of tags(html, 'p', from)) {
    if (!tag.closes) open = tag;
    else if (open) {
      const inner = html.slice(open.end, tag.start);
      const ours =
        hasClass(open.text, LINE) || /href\s*=\s*["']?[^"'<>\s]{0,500}\/(?:j|w|s|wc)\/\d{9,11}/i.test(inner);
      yield { start: open.start, end: tag.end, inner, ours };
      open = null;
    }
  }
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
