/** The search of the guide: finds sections by their words, including mistyped and partial words. Pure. */
import MiniSearch from 'minisearch';

/** A heading of the guide with the text below it, as the build writes it. */
export interface GuideSection {
  readonly href: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

export interface Found extends GuideSection {
  /** The most relevant part of the text. */
  readonly excerpt: string;
}

const EXCERPT = 180;

/** Ignores case and accents, so that `elodie` finds `Élodie`. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the text from the sentence with the first of these words on. */
function excerptOf(text: string, words: readonly string[]): string {
  const at = words.map((word) => plain(text).indexOf(word)).filter((place) => place >= 0);
  const from = Math.min(...at, text.length);
  const start = from === text.length ? 0 : text.lastIndexOf('. ', from) + 1;
  const part = text.slice(start, start + EXCERPT).trim();
  return start + EXCERPT < text.length ? `${part.slice(0, part.lastIndexOf(' '))} …` : part;
}

/** @returns a search over these sections: those with every word, otherwise those with some of them, best first */
export function searchOver(sections: readonly GuideSection[]): (query: string) => Found[] {
  const search = new MiniSearch<GuideSection & { id: number }>({
    fields: ['heading', 'page', 'text'],
    processTerm: plain,
  });
  search.addAll(sections.map((section, id) => ({ ...section, id })));
  return (query) => {
    const options = {
      prefix: true,
      fuzzy: (word: string) => (word.length > 4 ? 0.2 : false),
      boost: { heading: 4, page: 2 },
    };
    const all = search.search(query, { ...options, combineWith: 'AND' });
    const found = all.length > 0 ? all : search.search(query, options);
    return found.flatMap(({ id, terms }) => {
      const section = sections[id as number];
      return section ? [{ ...section, excerpt: excerptOf(section.text, terms) }] : [];
    });
  };
}
