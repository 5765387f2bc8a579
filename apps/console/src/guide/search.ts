/** The page of the search over the guide: a program of its own, which only that page loads. */
import { type Found, type GuideSection, searchOver } from './find.ts';

const MOST_SHOWN = 30;

const texts = {
  begin: 'Type one or more words into the field above.',
  none: (asked: string) => `Nothing in the guide matches “${asked}”.`,
  found: (count: number, asked: string) =>
    count === 1 ? `1 result for “${asked}”` : `${count} results for “${asked}”`,
  first: (shown: number, count: number, asked: string) =>
    `${count} results for “${asked}”, the first ${shown} of them below`,
  failed: 'The search could not be loaded. Load the page again, or use the contents.',
  title: (asked: string) => `${asked} · Search · LMS Admin`,
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
    const asked = field.value.trim();
    const found = asked === '' ? [] : search(asked);
    const empty = asked !== '' && found.length === 0;
    const shown = found.slice(0, MOST_SHOWN);
    byId('results').replaceChildren(...shown.map(item));
    byId('help').hidden = !empty;
    if (asked === '') status.textContent = texts.begin;
    else if (empty) status.textContent = texts.none(asked);
    else if (found.length > shown.length) status.textContent = texts.first(shown.length, found.length, asked);
    else status.textContent = texts.found(found.length, asked);
  }

  /** Writes what was searched for into the address, so that it can be sent and the Back button finds it. */
  function keep() {
    const asked = field.value.trim();
    history.replaceState(null, '', asked === '' ? location.pathname : `?q=${encodeURIComponent(asked)}`);
    if (asked !== '') document.title = texts.title(asked);
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
