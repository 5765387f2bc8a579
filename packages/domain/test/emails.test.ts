import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emailKey, isEmail, readEmails } from '../src/emails.ts';

const found = (text: string) => readEmails(text).entries;

const label = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const email = fc
  .tuple(fc.stringMatching(/^[a-z0-9][a-z0-9._+-]{0,10}[a-z0-9]$/), label, label)
  .map(([local, host, top]) => `${local}@${host}.${top}`);

describe('email addresses', () => {
  test.each(['a@b.co', "o'neill@school.example", 'x+y.z@a-b.example', 'A@B.CO', 'jürgen.müller@b.co'])(
    'CE-10: %s is valid',
    (text) => expect(isEmail(text)).toBe(true),
  );
  test.each([
    '',
    'a',
    'a@b',
    '@b.co',
    'a@',
    'a@-b.co',
    'a b@c.de',
    'a@b.co ',
    'a@b..co',
    `${'x'.repeat(250)}@b.co`,
  ])('CE-10: %j is not valid', (text) => expect(isEmail(text)).toBe(false));

  test('CE-09: addresses are read from a spreadsheet column, a comma-separated list and lines from a mail program', () => {
    expect(found('a@x.org\r\nb@x.org\r\n\r\nA@x.org')).toEqual(['a@x.org', 'b@x.org', 'A@x.org']);
    expect(found('"Last, First" <a@x.org>; Other, One <b@x.org>')).toEqual(['a@x.org', 'b@x.org']);
    expect(found("mailto:'a@x.org', (b@x.org).")).toEqual(['a@x.org', 'b@x.org']);
    expect(found('nothing here @ all')).toEqual([]);
  });

  test('property: pasted addresses are found in order, whatever separates them', () => {
    const separators = fc.constantFrom(', ', ';', '\n', '\r\n', '\t', ' ');
    fc.assert(
      fc.property(fc.array(email, { maxLength: 30 }), separators, (emails, separator) => {
        const read = readEmails(emails.join(separator));
        expect(read.entries.map(emailKey)).toEqual(emails.map(emailKey));
        expect(read.notTaken).toEqual([]);
      }),
    );
  });

  test.each([
    ['mary–ann@x.org', '– is not allowed in an address'],
    ['a(n)n@x.org', '( is not allowed in an address'],
    ['o’neill@x.org', '’ is not allowed in an address'],
    ['mary\u00ADann@x.org', 'it contains an invisible character'],
    ['ma\uFEFFry@x.org', 'it contains an invisible character'],
    ['ann@bob@x.org', 'it contains more than one @'],
    ['ann@x.org/bob@x.org', 'it contains more than one @'],
    ['ann<bob@x.org', '< is not allowed in an address'],
    ['ann<b>bob@x.org', '< is not allowed in an address'],
    ['ann@x.org<bob@x.org>', 'it contains two addresses'],
    ['ann@x.org–bob', '– is not allowed in an address'],
    ['mary ann@x.org', 'it contains a space'],
    ['ann@x', 'it is not a complete address'],
    ['=ann@x.org', 'it is a formula'],
    ['=HYPERLINK("mailto:ann@x.org";"ann@x.org")', 'it is a formula'],
    ['#N/A', 'it is an error value of a spreadsheet'],
    ['Ann Lee', 'it contains no address'],
  ])('CE-09: %s matches no one, and the reason is given', (text, why) => {
    expect(readEmails(`${text}\nzoe@x.org`)).toMatchObject({
      entries: ['zoe@x.org'],
      notTaken: [{ text, why }],
    });
  });

  test.each([
    ['jürgen.müller@x.org', 'jürgen.müller@x.org'],
    ['ju\u0308rgen@x.org', 'jürgen@x.org'],
    ['李@x.org', '李@x.org'],
    ['Lee<ann@x.org>', 'ann@x.org'],
    ['ann@x.org<mailto:ann@x.org>', 'ann@x.org'],
    ['mailto:ann@x.org?subject=Hello', 'ann@x.org'],
    ['“ann@x.org”', 'ann@x.org'],
    ['\u200Bann@x.org\u200E', 'ann@x.org'],
    ['1. ann@x.org', 'ann@x.org'],
    ['Ann ann@x.org', 'ann@x.org'],
    ['and ann@x.org', 'ann@x.org'],
  ])('CE-09: %s is one address, unchanged', (text, address) =>
    expect(readEmails(text)).toEqual({ entries: [address], notTaken: [], without: 0 }),
  );

  test.each([
    ['a; #N/A; ann@x.org; bob@x.org', ['a', '#N/A']],
    ['#N/A; ann@x.org', ['#N/A']],
    ['ann@x.org #N/A', ['#N/A']],
    ['Lee, Ann <ann@x.org>; Roe, Bob <bob@x.org>', []],
    // A row of a table, with names beside its only address.
    ['Lee;Ann;ann@x.org', []],
  ])('CE-09: in the list %s, invalid addresses are named', (text, refused) => {
    expect(readEmails(text).notTaken.map((one) => one.text)).toEqual(refused);
    expect(readEmails(text).entries).toContain('ann@x.org');
  });

  test('property: no accepted address is only a part of a piece between separators', () => {
    const strange = fc.constantFrom(...'–—’“(){}[]<>|/\\:@.!?*ß\u00AD\uFEFF\u200B=#+\'`"'.split(''));
    const piece = fc
      .array(fc.oneof(strange, fc.stringMatching(/^[A-Za-z0-9]{1,3}$/), fc.constant('@x.org')), {
        minLength: 1,
        maxLength: 8,
      })
      .map((parts) => parts.join(''));
    // Removes text that can surround an address: wrappers, full stops, prefixes from mail programs.
    const trimmed = (text: string) =>
      text.replace(/^[\p{Cf}'"`<([“’]+/u, '').replace(/[\p{Cf}'"`>)\]“’.:!?]+$/u, '');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), (pieces) => {
        const whole = new Set(pieces.flatMap((one) => [trimmed(one), ...insideAngles(one).map(trimmed)]));
        for (const entry of found(pieces.join('\n'))) expect(whole).toContain(entry);
      }),
      { numRuns: 2_000 },
    );
  });

  test('property: every piece with an @ is accepted or named', () => {
    const piece = fc.stringMatching(/^[a-z–()@.’]{1,12}$/).filter((one) => one.includes('@'));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const read = readEmails(pieces.join('\n'));
        expect(read.entries.length + read.notTaken.length).toBe(pieces.length);
      }),
    );
  });

  test('500 pasted addresses, and a long text without any, are read in a moment', () => {
    const many = Array.from({ length: 500 }, (_, index) => `person.${index}@school.example`);
    const started = process.cpuUsage();
    expect(found(many.join('\n'))).toEqual(many);
    expect(found('a'.repeat(50_000))).toEqual([]);
    expect(found('a.'.repeat(20_000))).toEqual([]);
    expect(found(`x@${'a-'.repeat(10_000)}`)).toEqual([]);
    // Processor time, because elapsed time is unreliable on a busy machine.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(3_000);
  });
});

/** Returns the parts of `Name<address>`. */
function insideAngles(text: string): string[] {
  return (/^([^<>]*)<([^<>]+)>[.,:]?$/.exec(text) ?? []).slice(1);
}
