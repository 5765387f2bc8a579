import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadsheetValue } from '../src/spreadsheet-values.ts';

describe('values that a spreadsheet has converted', () => {
  it.each(['7.1015E+06', '7,1015E+06', '7.1015e+12', '7E+06', '710.15E+3', '1.2E-05', ' 7,1E+06 '])(
    'recognises %s as a shortened number',
    (text) => expect(spreadsheetValue(text)).toMatch(/^a number in scientific notation/),
  );

  it.each(['#N/A', '#n/a', '#NV', '#REF!', '#BEZUG!', '#WERT!', '#VALUE!', '#NAME?', '#DIV/0!', '#NULL!'])(
    'recognises %s as an error value',
    (text) => expect(spreadsheetValue(text)).toBe('an error value of a spreadsheet'),
  );

  it.each(['#SPILL!', '#¡VALOR!', '#¿NOMBRE?', '#GETTING_DATA', '########', 'Err:502'])(
    'also recognises %s as an error value',
    (text) => expect(spreadsheetValue(text)).toBe('an error value of a spreadsheet'),
  );

  it.each([
    '=HYPERLINK("mailto:a@b.org";"a@b.org")',
    '=A1',
    "='People'!B2",
    '=+B2',
    '@SUM(A1)',
    '+SUMME(A1)',
  ])('recognises %s as a formula', (text) => expect(spreadsheetValue(text)).toBe('a formula'));

  it.each([
    '7101500',
    '12E3',
    '101E',
    '1E-01',
    'MBA26-FBL-FIN101-A',
    'jane+x@school.edu',
    '#1',
    'C#',
    '=',
    '-',
  ])('accepts %s', (text) => expect(spreadsheetValue(text)).toBeNull());

  it('recognises every long number in its shortened form', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 11n, max: 10n ** 21n }), fc.nat(8), (id, digits) => {
        const [mantissa = '', exponent = ''] = Number(id).toExponential(digits).split('e+');
        const shown = `${mantissa}E+${exponent.padStart(2, '0')}`;
        expect(spreadsheetValue(shown)).not.toBeNull();
        expect(spreadsheetValue(shown.replace('.', ','))).not.toBeNull();
      }),
    );
  });

  it('accepts words, numbers and ids', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_.@-]{0,40}$/), (text) => {
        fc.pre(!text.startsWith('@'));
        expect(spreadsheetValue(text)).toBeNull();
      }),
    );
  });
});
