import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decoded, linkInTexts, meetingOfLink } from '../src/zoom-links.ts';

const BASES = ['https://school.zoom.us', 'http://localhost:4000/zoom'];
const numberOf = (link: string) => meetingOfLink(link, BASES)?.number ?? null;

describe('OP-72, OP-101 only meetings of the configured hosts count', () => {
  test('numbers are found in links to join, to register, to start and to open the browser’s client', () => {
    for (const path of [
      'j/98765432101',
      'j/987654321?pwd=a.1',
      'w/98765432101?tk=x',
      's/98765432101?zak=secret',
      'wc/98765432101/join',
      'wc/join/98765432101',
      'j/98765432101/',
    ])
      for (const base of BASES) expect(numberOf(`${base}/${path}`), path).toBeGreaterThan(900_000_000);
  });

  test('other addresses do not count: other hosts, personal rooms, other numbers, other schemes', () => {
    for (const link of [
      'https://evil.example/j/98765432101',
      'https://school.zoom.us.evil.example/j/98765432101',
      'https://school.zoom.us@evil.example/j/98765432101',
      'https://user@school.zoom.us/j/98765432101',
      'http://school.zoom.us/j/98765432101',
      'https://school.zoom.us/my/name',
      'https://school.zoom.us/j/98765432101?omn=12345678901',
      'https://school.zoom.us/j/12345678',
      'https://school.zoom.us/j/123456789012',
      'https://school.zoom.us/x/j/98765432101',
      'zoommtg://zoom.us/join?confno=98765432101',
      'javascript:alert(1)',
      'http://localhost:4000/j/98765432101',
      'http://localhost:4000/zoomy/j/98765432101',
      '',
    ])
      expect(numberOf(link), link).toBeNull();
  });

  test('the link for everyone has no personal parts', () => {
    for (const query of ['zak=secret', 'tk=secret', 'uname=secret', 'pwd=p.1&zak=secret'])
      expect(meetingOfLink(`https://school.zoom.us/s/98765432101?${query}`, BASES)?.link).not.toContain(
        'secret',
      );
    expect(meetingOfLink('https://school.zoom.us/wc/98765432101/join?pwd=a%2Bb', BASES)?.link).toBe(
      'https://school.zoom.us/j/98765432101?pwd=a%2Bb',
    );
  });

  test("an event's link is the first one in the description, the address or the location's name", () => {
    const link = 'https://school.zoom.us/j/98765432101?pwd=x';
    expect(
      linkInTexts(
        { description: `<p><a href="https://evil.example/j/1">a</a> <a href='${link}'>b</a></p>` },
        BASES,
      ),
    ).toEqual({ link, number: 98765432101 });
    expect(linkInTexts({ description: null, location_address: `Join (${link}).` }, BASES)?.link).toBe(link);
    expect(linkInTexts({ location_name: link }, BASES)?.number).toBe(98765432101);
    expect(linkInTexts({ description: `<a href="${link}&amp;uname=a">x</a>` }, BASES)?.link).toBe(link);
    expect(linkInTexts({ description: 'https://', location_name: undefined }, BASES)).toBeNull();
  });

  test('property: any link found in a text starts with a configured base', () => {
    fc.assert(
      fc.property(fc.string(), fc.webUrl(), fc.integer({ min: 1 }), (text, url, number) => {
        const found = linkInTexts(
          { description: `${text} ${url}/j/${number} ${BASES[1]}/j/${number}` },
          BASES,
        );
        if (found) expect(BASES.some((base) => found.link.startsWith(`${base}/j/`))).toBe(true);
      }),
    );
  });

  test('HTML entities are decoded', () => {
    expect(decoded('a&amp;b &lt;&gt; &quot;&#39;&#x41;&nbsp;&unknown; &#0;')).toBe(
      `a&b <> "'A\u00a0&unknown; &#0;`.replace('\u00a0', ' '),
    );
  });
});
