import { describe, expect, test } from 'vitest';
import { OddWords, type Sample } from '../src/encodings.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const words = (text: Uint8Array, cut = text.length) => {
  const found = new OddWords();
  found.add(text.subarray(0, cut));
  found.add(text.subarray(cut));
  return found;
};
const readOf = (samples: readonly Sample[], encoding: Sample['encoding']) =>
  samples.find((one) => one.encoding === encoding)?.words;

describe('bytes that match several encodings', () => {
  test('SIS-04: Czech, Polish, Turkish and old Mac names are shown in each reading', () => {
    const czech = words(bytes('Dvo\xf8\xe1k,\xe8ervenka')).samples();
    expect(readOf(czech, 'windows-1252')).toEqual(['Dvoøák', 'èervenka']);
    expect(readOf(czech, 'windows-1250')).toEqual(['Dvořák', 'červenka']);
    expect(readOf(words(bytes('Pawe\xb3')).samples(), 'windows-1250')).toEqual(['Paweł']);
    expect(readOf(words(bytes('I\xfe\xfdk')).samples(), 'windows-1254')).toEqual(['Işık']);
    expect(readOf(words(bytes('Andr\x8e,Ren\x8e')).samples(), 'macintosh')).toEqual(['André', 'René']);
  });

  test('SIS-04: names with the same text in all readings raise no question, and neither do symbols on their own', () => {
    for (const text of ['M\xfcller,Gro\xdf', 'Ren\xe9,Jos\xe9', 'O\x92Neill', '5\x80', 'plain'])
      expect({ text, samples: words(bytes(text)).samples() }).toEqual({ text, samples: [] });
  });

  test('SIS-04: bytes that happen to be UTF-8 are reported if no word in them looks plausible', () => {
    const strange = words(bytes('Caf\xe9\x80\x94')).strange();
    expect(strange.map(({ encoding }) => encoding)).toEqual(['utf-8', 'windows-1252']);
    expect(readOf(strange, 'windows-1252')).toEqual(['Café€”']);
    expect(readOf(words(bytes('CAF\xc9\x80')).strange(), 'utf-8')).toEqual(['CAFɀ']);
    for (const text of ['Müller, Łukasz', '王小明', 'Иванов', 'Nguyễn', 'plain'])
      expect(words(new TextEncoder().encode(text)).strange()).toEqual([]);
  });

  test('SIS-04: the words do not depend on where the bytes are split', () => {
    const text = bytes('Dvo\xf8\xe1k;Pawe\xb3');
    const whole = words(text).samples();
    for (let cut = 0; cut <= text.length; cut++) expect(words(text, cut).samples()).toEqual(whole);
  });
});
