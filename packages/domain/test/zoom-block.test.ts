import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BlockLine, blockState, withBlock, withoutBlock } from '../src/zoom-block.ts';

const LINK = 'https://school.zoom.us/j/98765432101?pwd=a&b=1';
const ONE: BlockLine[] = [{ section: null, link: LINK }];
const SECTIONS: BlockLine[] = [
  { section: 'Zoë O’Neill–Łukasz <b>', link: LINK },
  { section: '#N/A', link: 'https://school.zoom.us/j/98765432102' },
];
const BLOCK = withBlock('', ONE);

const name = fc.string({ unit: 'grapheme', maxLength: 20 });
const line = fc.record({
  section: fc.option(name, { nil: null }),
  link: fc
    .integer({ min: 100_000_000, max: 99_999_999_999 })
    .map((n) => `https://school.zoom.us/j/${n}?pwd=x.1`),
});
const lines = fc.array(line, { minLength: 1, maxLength: 4 });
/** Pieces of HTML as people and editors write them. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '<p>',
    '</p>',
    '<div>',
    '</div>',
    '<div class="other">',
    '<a href="https://x/j/1">',
    '</a>',
    '&amp;',
    '<br>',
    '<p class="lms-admin">x</p>',
    'lms-admin-zoom',
    '<pre>',
    '\n',
    '<!--',
    '-->',
  ),
);
const html = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('OP-103 the block in a description', () => {
  test('property: once the block is removed, the original text is back byte for byte', () => {
    fc.assert(
      fc.property(html, lines, (text, of) => {
        expect(withoutBlock(withBlock(text, of))).toBe(text);
      }),
    );
  });
  test('property: adding the block twice is the same as adding it once, and the text before it stays', () => {
    fc.assert(
      fc.property(html, lines, (text, of) => {
        const once = withBlock(text, of);
        expect(withBlock(once, of)).toBe(once);
        expect(once.startsWith(text)).toBe(true);
        expect(blockState(once, of)).toBe('there');
      }),
    );
  });
  test('property: other lines replace the block', () => {
    fc.assert(
      fc.property(html, lines, lines, (text, of, others) => {
        const after = withBlock(withBlock(text, of), others);
        expect(blockState(after, others)).toBe('there');
        expect(withoutBlock(after)).toBe(text);
      }),
    );
  });
  test('property: no part of a name becomes HTML', () => {
    fc.assert(
      fc.property(name, (section) => {
        const shown = withBlock('', [{ section, link: LINK }]);
        expect(shown.match(/<[a-z/]/g)).toHaveLength(6);
      }),
    );
  });

  test('the block has a line for each section, with its name', () => {
    expect(withBlock('<p>Own</p>', SECTIONS)).toBe(
      '<p>Own</p><div class="lms-admin-zoom"><p class="lms-admin-zoom-link">Zoë O’Neill–Łukasz &lt;b&gt;: ' +
        '<a href="https://school.zoom.us/j/98765432101?pwd=a&amp;b=1">https://school.zoom.us/j/98765432101?pwd=a&amp;b=1</a></p>' +
        '<p class="lms-admin-zoom-link">#N/A: <a href="https://school.zoom.us/j/98765432102">https://school.zoom.us/j/98765432102</a></p></div>',
    );
  });

  test('§14.4 the block is still recognised after Canvas or an editor rewrites it', () => {
    for (const written of [
      BLOCK.replaceAll('"', "'"),
      BLOCK.replace('<div class="lms-admin-zoom">', '<DIV id="x" class="lms-admin-zoom extra">\n  '),
      BLOCK.replaceAll('&amp;', '&#38;').replaceAll('<p', '\n<p'),
      BLOCK.replace('<a ', '<a target="_blank" rel="noopener" '),
    ]) {
      expect(blockState(`<p>x</p>${written}`, ONE), written).toBe('there');
      expect(withBlock(`<p>x</p>${written}`, ONE)).toBe(`<p>x</p>${written}`);
      expect(withoutBlock(`<p>x</p>${written}<p>y</p>`)).toBe('<p>x</p><p>y</p>');
    }
  });

  test('an edited, doubled, nested or half-deleted block is replaced by a single one; text that a person wrote into it stays', () => {
    const damaged: [string, string][] = [
      [BLOCK.replace('98765432101', '11111111111'), ''],
      [BLOCK + BLOCK, ''],
      [`${BLOCK}<p>between</p>${BLOCK}`, '<p>between</p>'],
      [BLOCK.replace('</div>', '<p>Room 12</p></div>'), '<p>Room 12</p>'],
      [BLOCK.replace('</div>', `${BLOCK}</div>`), ''],
      [BLOCK.replace('</div>', ''), ''],
      [`${BLOCK.replace('</div>', '')}<p>after</p>`, '<p>after</p>'],
      ['<div class="lms-admin-zoom"></div>', ''],
      ['<div class="lms-admin-zoom"><p>&nbsp;</p><br></div>', ''],
    ];
    for (const [text, rest] of damaged) {
      expect(blockState(`<p>Own</p>${text}`, ONE), text).toBe('edited');
      expect(withoutBlock(`<p>Own</p>${text}`)).toBe(`<p>Own</p>${rest}`);
      expect(withBlock(`<p>Own</p>${text}`, ONE)).toBe(`<p>Own</p>${rest}${BLOCK}`);
    }
  });

  test('a block with text after it keeps its place', () => {
    expect(withBlock(`<p>a</p>${BLOCK}<p>b</p>`, ONE)).toBe(`<p>a</p>${BLOCK}<p>b</p>`);
    expect(blockState('<p>a</p>', ONE)).toBe('missing');
  });

  test('long texts are processed in a moment', () => {
    const hostile = '<div class="lms-admin-zoom"><p>'.repeat(1_000) + '<p '.repeat(5_000);
    const started = process.cpuUsage();
    withBlock(hostile, ONE);
    // Processor time, because elapsed time is unreliable on a busy machine.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(3_000);
  });

  test('endlessly nested blocks are read quickly, and their contents are kept', () => {
    const open = '<div class="lms-admin-zoom">';
    const many = 10_000;
    for (const crafted of [
      `${open.repeat(many)}mine${'</div>'.repeat(many)}`,
      `${open.repeat(many)}mine`,
      `${`${open}<p>`.repeat(many)}mine</p>`,
    ]) {
      const once = withBlock(crafted, ONE);
      expect(once).toContain('mine');
      expect(blockState(once, ONE)).toBe('there');
    }
  });
});

describe('OP-103 words that a person has added to a line of the block stay', () => {
  const A = 'https://school.zoom.us/j/98765432101?pwd=a&amp;b=1';
  const line = (inner: string) =>
    `<div class="lms-admin-zoom"><p class="lms-admin-zoom-link">${inner}</p></div>`;
  const link = `<a href="${A}">${A}</a>`;
  test.each([
    [`Zoom: ${link} Bring your laptop &amp; charger`, 'Bring your laptop &amp; charger'],
    [`Zoom: ${link}<br><strong>Room</strong> 12`, 'Room 12'],
    [`In English! Zoom: ${link}`, 'In English!'],
    [`Zoom: <a href="${A}">${A} passcode 1234</a>`, 'passcode 1234'],
    ['Zoom: Cancelled today', 'Zoom: Cancelled today'],
    [`Please be on time. Zoom: ${link}`, 'Please be on time.'],
    [`Zoom: ${A} (copy it)`, '(copy it)'],
    [`<em>Zoom: </em>${link} Ask <a href="https://school.example/help">here</a>`, 'Ask here'],
  ])('%s', (inner, words) => {
    const text = `<p>Own</p>${line(inner)}`;
    expect(blockState(text, ONE)).toBe('edited');
    const after = withBlock(text, ONE);
    expect(after).toBe(`<p>Own</p><p>${words}</p>${BLOCK}`);
    expect(withBlock(after, ONE)).toBe(after);
    expect(withoutBlock(text, false)).toBe(`<p>Own</p><p>${words}</p>`);
  });

  test('a section’s label does not count as added words, even if the section now has another name', () => {
    const old = withBlock('', [{ section: 'Evening group', link: LINK }]);
    expect(withBlock(old, [{ section: 'Zoom', link: LINK }])).toBe(
      withBlock('', [{ section: 'Zoom', link: LINK }]),
    );
    for (const section of ['Intro Zoom', 'Group: B'])
      expect(withoutBlock(withBlock('', [{ section, link: LINK }]).replace('</p>', ' Be early</p>'))).toBe(
        '<p>Be early</p>',
      );
  });

  test('property: text that a person types after the link is kept', () => {
    const word = fc.stringMatching(/^[a-zé][a-z ,.’-]{0,30}[a-z]$/);
    fc.assert(
      fc.property(lines, word, (of, words) => {
        const edited = withBlock('', of).replace('</p>', ` ${words}</p>`);
        expect(withBlock(edited, of)).toContain(words.replace(/\s+/g, ' '));
      }),
    );
  });
});
