import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emailKey, extractEmails, isEmail } from '../src/emails.ts';

const label = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const email = fc
  .tuple(fc.stringMatching(/^[a-z0-9][a-z0-9._+-]{0,10}[a-z0-9]$/), label, label)
  .map(([local, host, top]) => `${local}@${host}.${top}`);

describe('e-mail addresses', () => {
  test.each(['a@b.co', "o'neill@school.example", 'x+y.z@a-b.example', 'A@B.CO'])('CE-10: %s is one', (text) =>
    expect(isEmail(text)).toBe(true),
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
  ])('CE-10: %j is none', (text) => expect(isEmail(text)).toBe(false));

  test('CE-09: a spreadsheet column, a comma list and lines of a mail program', () => {
    expect(extractEmails('a@x.org\r\nb@x.org\r\n\r\nA@x.org')).toEqual(['a@x.org', 'b@x.org']);
    expect(extractEmails('"Last, First" <a@x.org>; Other, One <b@x.org>')).toEqual(['a@x.org', 'b@x.org']);
    expect(extractEmails("mailto:'a@x.org', (b@x.org).")).toEqual(['a@x.org', 'b@x.org']);
    expect(extractEmails('nothing here @ all')).toEqual([]);
  });

  test('property: pasted addresses are found, each once, in their order, whatever parts them', () => {
    const separators = fc.constantFrom(', ', ';', '\n', '\r\n', '\t', ' ');
    fc.assert(
      fc.property(fc.array(email, { maxLength: 30 }), separators, (emails, separator) => {
        const expected = [...new Map(emails.map((one) => [emailKey(one), one])).keys()];
        expect(extractEmails(emails.join(separator)).map(emailKey)).toEqual(expected);
      }),
    );
  });

  test('500 addresses pasted at once, and a long text without any, take no time', () => {
    const many = Array.from({ length: 500 }, (_, index) => `person.${index}@school.example`);
    const started = performance.now();
    expect(extractEmails(many.join('\n'))).toEqual(many);
    expect(extractEmails('a'.repeat(50_000))).toEqual([]);
    expect(extractEmails('a.'.repeat(20_000))).toEqual([]);
    expect(extractEmails(`x@${'a-'.repeat(10_000)}`)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
