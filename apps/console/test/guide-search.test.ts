import { describe, expect, it } from 'vitest';
import { type GuideSection, searchOver } from '../src/guide/find.ts';

const section = (page: string, heading: string, text: string): GuideSection => ({
  href: `/guide/${page}.html#${heading}`,
  page,
  heading,
  text,
});

const search = searchOver([
  section('Activity', 'Undo', 'You can undo an import for 30 days. Groups are not restored.'),
  section('Course Enrollment', 'Removals', 'People are removed from every section. Undo restores them.'),
  section('Glossary', 'People', 'Élodie Weber is a person. A cross-listed section belongs to one course.'),
]);
const headings = (asked: string) => search(asked).map(({ heading }) => heading);

describe('searching the guide', () => {
  it('ranks a heading above body text', () => {
    expect(headings('undo')).toEqual(['Undo', 'Removals']);
  });

  it('finds the sections with every word, or with some of the words if none has them all', () => {
    expect(headings('undo section')).toEqual(['Removals']);
    expect(headings('undo quetzalcoatl')).toEqual(['Undo', 'Removals']);
  });

  it('finds part of a word, a mistyped word, and a word typed without its accents', () => {
    expect(headings('remov')).toEqual(['Removals']);
    expect(headings('restoerd')).toContain('Undo');
    expect(headings('elodie')).toEqual(['People']);
  });

  it('shows the sentence that matches', () => {
    expect(search('cross-listed')[0]?.excerpt).toBe('A cross-listed section belongs to one course.');
  });

  it('finds nothing for an empty query, or for words that do not occur', () => {
    expect(headings('')).toEqual([]);
    expect(headings('quetzalcoatl')).toEqual([]);
  });
});
