/** Pages of the guide, read from `docs/guide`: their order, their groups, their HTML, and their search entries. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageSize } from 'image-size';
import { marked } from 'marked';
import { root } from './tools.mjs';

export const FROM = join(root, 'docs/guide');

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Returns the text of HTML without its tags, as it is read on the page. */
const plain = (html) =>
  html
    .replace(/<\/(?:h\d|li|p|pre|t[dhr])>|<br>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => ENTITIES[one])
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the address of a heading within its page: `When it ends` is `when-it-ends`. */
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[’'"]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * Renders an image with its size, so that the text below does not move. A click shows the image at full size.
 * The file of a new picture can still be missing.
 */
function image({ href, text }) {
  const path = join(FROM, href);
  const { width, height } = existsSync(path) ? imageSize(readFileSync(path)) : { width: 0, height: 0 };
  return `<a href="${href}"><img src="${href}" alt="${text}" width="${width / 2}" height="${height / 2}"></a>`;
}

/**
 * Renders a page as HTML, with an address for each heading.
 * @returns the HTML, and each heading with the text below it
 */
function rendered(text) {
  const sections = [];
  const renderer = new marked.Renderer();
  renderer.image = image;
  renderer.heading = function ({ tokens, depth }) {
    const html = this.parser.parseInline(tokens);
    const title = plain(html);
    const id = depth === 1 ? '' : slug(title);
    sections.push({ id, title, depth, text: '' });
    return depth === 1 ? `<h1>${html}</h1>\n` : `<h${depth} id="${id}">${html}</h${depth}>\n`;
  };
  const body = marked
    .lexer(text)
    .map((token) => {
      const html = marked.parser([token], { renderer });
      const last = sections.at(-1);
      if (token.type !== 'heading' && last) last.text = `${last.text} ${plain(html)}`.trim();
      return html;
    })
    .join('');
  return { body, sections };
}

/** Returns the groups of the overview, in order, each with the names of its pages. */
function groupsOf(overview) {
  return overview
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')).trim(),
      names: [...part.matchAll(/^- \[[^\]]+\]\((?<name>[\w-]+)\.html\)/gm)].map(
        ({ groups }) => groups?.name ?? '',
      ),
    }))
    .filter(({ names }) => names.length > 0);
}

/** @returns every page in the order of the overview, which comes first and does not belong to a group */
export function guidePages() {
  const overview = readFileSync(join(FROM, 'index.md'), 'utf8');
  const named = groupsOf(overview).flatMap(({ title, names }) =>
    names.map((name) => ({ name, group: title })),
  );
  return [{ name: 'index', group: null }, ...named].map(({ name, group }) => {
    const { body, sections } = rendered(readFileSync(join(FROM, `${name}.md`), 'utf8'));
    return { name, group, title: sections[0]?.title ?? 'Guide', body, sections };
  });
}

/** Creates the search entries of the guide: each heading with its page, its address and the text below it. */
export function searchIndex(pages = guidePages()) {
  return pages.flatMap(({ name, title, sections }) =>
    sections.map((one) => ({
      href: `/guide/${name}.html${one.id === '' ? '' : `#${one.id}`}`,
      page: title,
      heading: one.title,
      text: one.text,
    })),
  );
}
