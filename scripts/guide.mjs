/** The guide: pages of the console at `/guide/`, made of `docs/guide`. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';
import { root } from './tools.mjs';

const FROM = join(root, 'docs/guide');
const FONT = join(root, 'node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2');

/** Text of HTML without its tags. */
const plain = (html) => html.replace(/<[^>]+>/g, '');

/** What a heading is linked by: `When it ends` is `when-it-ends`. */
const slug = (html) =>
  plain(html)
    .toLowerCase()
    .replace(/&[a-z]+;|&#\d+;/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The pages in the order in which the overview links them, the overview first: name of the file and title. */
function pages() {
  const overview = readFileSync(join(FROM, 'index.md'), 'utf8');
  const linked = [...overview.matchAll(/^- \[[^\]]+\]\((?<name>[\w-]+)\.html\)/gm)].map(
    ({ groups }) => groups?.name ?? '',
  );
  return ['index', ...new Set(linked)].map((name) => {
    const text = readFileSync(join(FROM, `${name}.md`), 'utf8');
    return { name, text, title: /^# (.+)$/m.exec(text)?.[1] ?? 'Guide' };
  });
}

/** A page as HTML, its headings of the second level linked. */
function rendered(text) {
  const sections = [];
  const renderer = new marked.Renderer();
  renderer.heading = function ({ tokens, depth }) {
    const html = this.parser.parseInline(tokens);
    if (depth !== 2) return `<h${depth}>${html}</h${depth}>\n`;
    sections.push({ id: slug(html), title: plain(html) });
    return `<h2 id="${slug(html)}">${html}</h2>\n`;
  };
  return { body: marked.parse(text, { async: false, renderer }), sections };
}

/** Table of contents: every page, and the sections of the open one. */
function contents(all, open, sections) {
  const inner = sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join('');
  const items = all.map(({ name, title }) => {
    const current = name === open;
    const below = current && inner !== '' ? `<ul>${inner}</ul>` : '';
    const label = name === 'index' ? 'Overview' : title;
    return `<li><a href="/guide/${name}.html"${current ? ' aria-current="page"' : ''}>${label}</a>${below}</li>`;
  });
  return `<ul>${items.join('')}</ul>`;
}

/** Writes the guide below the built console. @throws when the overview links a page that is not there */
export function buildGuide() {
  const to = join(root, 'apps/console/dist/guide');
  mkdirSync(to, { recursive: true });
  cpSync(join(FROM, 'images'), join(to, 'images'), { recursive: true });
  cpSync(FONT, join(to, 'figtree.woff2'));
  const template = readFileSync(join(FROM, 'page.html'), 'utf8');
  const all = pages();
  for (const { name, text, title } of all) {
    const { body, sections } = rendered(text);
    const page = template
      .replace('{title}', () => title)
      .replace('{contents}', () => contents(all, name, sections))
      .replace('{body}', () => body);
    writeFileSync(join(to, `${name}.html`), page);
  }
}
