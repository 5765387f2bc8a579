/** The guide: pages of the console at `/guide/`, created from `docs/guide`, with their own search. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FROM, guidePages, searchIndex } from './guide-pages.mjs';
import { root } from './tools.mjs';

const FONT = join(root, 'node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2');

/** The search page; the browser writes the results into it. */
const SEARCH = {
  name: 'search',
  title: 'Search',
  group: null,
  sections: [],
  body: `<h1>Search the guide</h1>
<p id="found" role="status">Type one or more words into the field above.</p>
<ol id="results"></ol>
<p id="help" hidden>Try fewer or simpler words, or the name of the tool. <a href="/guide/tasks.html">I want to …</a> lists what you can do, and the <a href="/guide/glossary.html">glossary</a> explains terms. If you do not find it, contact IT Support.</p>
<noscript><p>The search needs JavaScript. Without it, use the contents.</p></noscript>
<script type="module" src="/guide/search.js"></script>`,
};

const label = ({ name, title }) => (name === 'index' ? 'Overview' : title);

/** Renders an entry for a page in the contents; below the open page, its second-level headings. */
function entry(page, open) {
  const current = page.name === open;
  const headings = current ? page.sections.filter(({ depth }) => depth === 2) : [];
  const inner = headings.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join('');
  const below = inner === '' ? '' : `<ul>${inner}</ul>`;
  return `<li><a href="/guide/${page.name}.html"${current ? ' aria-current="page"' : ''}>${label(page)}</a>${below}</li>`;
}

/** Renders the table of contents: every page in its group, and the headings of the open page. */
function contents(all, open) {
  const groups = [...new Set(all.map(({ group }) => group))];
  return groups
    .map((group, at) => {
      const items = all.filter((page) => page.group === group).map((page) => entry(page, open));
      if (group === null) return `<ul>${items.join('')}</ul>`;
      return `<h3 id="group-${at}">${group}</h3><ul aria-labelledby="group-${at}">${items.join('')}</ul>`;
    })
    .join('');
}

/** Renders links to the previous and the next page, in the order of the contents. */
function turns(all, at) {
  const [previous, next] = [all[at - 1], all[at + 1]];
  const back = previous ? `<a rel="prev" href="/guide/${previous.name}.html">← ${label(previous)}</a>` : '';
  const on = next ? `<a rel="next" href="/guide/${next.name}.html">${label(next)} →</a>` : '';
  return at < 0 ? '' : `<nav class="turns" aria-label="Previous and next page">${back}${on}</nav>`;
}

/** @returns paths of the sources of the search */
async function buildSearch(to) {
  const esbuild = await import('esbuild');
  const { metafile } = await esbuild.build({
    entryPoints: [join(root, 'apps/console/src/guide/search.ts')],
    outfile: join(to, 'search.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs).map((path) => resolve(path));
}

/**
 * Writes the guide into the folder of the built console.
 * @returns paths of the sources of its search
 * @throws if the overview links to a page that does not exist
 */
export async function buildGuide() {
  const to = join(root, 'apps/console/dist/guide');
  mkdirSync(to, { recursive: true });
  cpSync(join(FROM, 'images'), join(to, 'images'), { recursive: true });
  cpSync(FONT, join(to, 'figtree.woff2'));
  const template = readFileSync(join(FROM, 'page.html'), 'utf8');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const all = guidePages();
  for (const page of [...all, SEARCH]) {
    const html = template
      .replace('{title}', () => (page.name === 'index' ? 'Guide' : page.title))
      .replace('{contents}', () => contents(all, page.name))
      .replace('{turns}', () => turns(all, all.indexOf(page)))
      .replace('{version}', () => version)
      .replace('{body}', () => page.body);
    writeFileSync(join(to, `${page.name}.html`), html);
  }
  writeFileSync(join(to, 'search.json'), JSON.stringify(searchIndex(all)));
  return buildSearch(to);
}
