/** The search page of the guide: a separate script that only this page loads. */
import { type Found, type GuideSection, searchOver } from './find.ts';

const MOST_SHOWN = 30;

const texts = {
  begin: 'Type one or more words into the field above.',
  none: (query: string) => `Nothing in the guide matches “${query}”.`,
  found: (count: number, query: string) =>
    count === 1 ? `1 result for “${query}”` : `${count} results for “${query}”`,
  first: (shown: number, count: number, query: string) =>
    `${count} results for “${query}”, the first ${shown} of them below`,
  failed: 'The search could not be loaded. Reload the page, or use the table of contents.',
  title: (query: string) => `${query} · Search · LMS Admin`,
} as const;

function byId<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

function item({ href, page, heading, excerpt }: Found): HTMLLIElement {
  const line = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  const text = document.createElement('p');
  text.textContent = excerpt;
  line.append(link, text);
  return line;
}

async function start(): Promise<void> {
  const field = byId<HTMLInputElement>('q');
  const status = byId('found');
  field.value = new URLSearchParams(location.search).get('q') ?? '';
  const answer = await fetch('/guide/search.json').catch(() => null);
  if (!answer?.ok) {
    status.textContent = texts.failed;
    return;
  }
  const search = searchOver((await answer.json()) as GuideSection[]);

  function show() {
    const query = field.value.trim();
    const found = query === '' ? [] : search(query);
    const empty = query !== '' && found.length === 0;
    const shown = found.slice(0, MOST_SHOWN);
    byId('results').replaceChildren(...shown.map(item));
    byId('help').hidden = !empty;
    if (query === '') status.textContent = texts.begin;
    else if (empty) status.textContent = texts.none(query);
    else if (found.length > shown.length) status.textContent = texts.first(shown.length, found.length, query);
    else status.textContent = texts.found(found.length, query);
  }

  /** Keeps the search text in the address, so that it can be shared and Back restores it. */
  function keep() {
    const query = field.value.trim();
    history.replaceState(null, '', query === '' ? location.pathname : `?q=${encodeURIComponent(query)}`);
    if (query !== '') document.title = texts.title(query);
  }

  field.addEventListener('input', show);
  field.addEventListener('change', keep);
  field.form?.addEventListener('submit', (event) => {
    event.preventDefault();
    keep();
  });
  show();
  keep();
  if (field.value === '') field.focus();
}

void start();
