import { imageUploadRequest } from '@lms-admin/contract/images';
import { IMAGE_MAX_BYTES } from '@lms-admin/domain/image-files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../src/tools/images/copying.ts';
import {
  isPicture,
  judge,
  kindOf,
  markOf,
  pastedName,
  sentName,
} from '../../src/tools/images/image-kinds.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const PNG = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR');
const told = (name: string, type = '', size = 10) => ({ name, type, size });

describe('the type of a selected file', () => {
  it('OP-94 depends on its first bytes, not on its name', () => {
    expect(kindOf(PNG)).toBe('image/png');
    expect(kindOf(bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg');
    expect(kindOf(bytes('GIF89a..'))).toBe('image/gif');
    expect(kindOf(bytes('RIFF\x01\x02\n\x04WEBPVP8 '))).toBe('image/webp');
    expect(kindOf(bytes('\0\0\x01\0\x01\0'))).toBe('image/x-icon');
    expect(kindOf(bytes('RIFF....WAVE'))).toBeNull();
    expect(judge(told('letter.txt'), PNG)).toEqual({ kind: 'image/png', fits: true });
    expect(judge(told('letter.png'), bytes('Dear office'))).toMatchObject({
      why: expect.stringContaining('it is not a valid image file'),
    });
  });

  it('IMG-05 OP-93 100,000 bytes fit; one byte more does not', () => {
    expect(judge(told('a.png', '', IMAGE_MAX_BYTES), PNG)).toMatchObject({ fits: true });
    expect(judge(told('a.png', '', IMAGE_MAX_BYTES + 1), PNG)).toMatchObject({ fits: false });
  });

  it('IMG-03 OP-94 the reason for rejecting it is named: SVG, another image format, not an image, or empty', () => {
    const why = (name: string, type: string, content: string) => {
      const judged = judge(told(name, type, content.length), bytes(content));
      return 'why' in judged ? judged.why : 'taken';
    };
    expect(why('a.svg', '', '<?xml version="1.0"?><svg xmlns="x">')).toContain('scripts');
    expect(why('a.xml', '', '<svg/ onload=x ><svg >')).toContain('scripts');
    expect(why('a.heic', 'image/heic', 'ftypheic')).toContain('HEIC');
    expect(why('a.bmp', 'image/x-ms-bmp', 'BM')).toContain('BMP');
    expect(why('a.pdf', 'application/pdf', '%PDF')).toContain('not an image');
    expect(why('a.png', 'image/png', '')).toContain('empty');
  });

  it('IMG-03 the same file has the same fingerprint, whenever it was saved; another name, size or content changes it', () => {
    const mark = markOf('#N-A.png', 18, PNG);
    expect(markOf('#N-A.png', 18, Uint8Array.from(PNG))).toBe(mark);
    expect(markOf('b.png', 18, PNG)).not.toBe(mark);
    expect(markOf('#N-A.png', 19, PNG)).not.toBe(mark);
    expect(markOf('#N-A.png', 18, PNG.with(9, 1))).not.toBe(mark);
  });

  it('IMG-13 the server accepts the name, whatever the file was called', () => {
    expect(sentName('#N/A.png')).toBe('#N-A.png');
    expect(sentName(`${'é'.repeat(300)}.png`)).toBe(`${'é'.repeat(251)}.png`);
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        (name) => imageUploadRequest.shape.name.safeParse(sentName(name)).success,
      ),
    );
  });
});

describe('pasted content', () => {
  const noon = new Date(2026, 10, 22, 14, 5, 12);

  it('IMG-03 a picture without a name is named after the current time, and a second one in the same second gets a number', () => {
    const first = pastedName('image.png', noon, new Set());
    expect(first).toBe('Pasted image 22 Nov 2026, 14.05.12.png');
    expect(pastedName('image.png', noon, new Set([first]))).toBe(
      'Pasted image 22 Nov 2026, 14.05.12 (2).png',
    );
    expect(pastedName('image.jpeg', noon, new Set())).toMatch(/\.jpeg$/);
    expect(pastedName('Zoë O’Neill–Łukasz.png', noon, new Set())).toBe('Zoë O’Neill–Łukasz.png');
  });

  it('IMG-03 text is ignored, and so are cells or parts of a document that include a picture of themselves', () => {
    expect(isPicture(['text/plain'])).toBe(false);
    expect(isPicture(['text/plain', 'text/html', 'text/rtf', 'Files'])).toBe(false);
    expect(isPicture(['Files'])).toBe(true);
    expect(isPicture(['text/html', 'Files'])).toBe(true);
    expect(isPicture(['text/plain', 'Files'])).toBe(true);
  });
});

describe('names and links for a spreadsheet', () => {
  it('OP-81 are two columns on each line, and no name can run as a formula', () => {
    const link = 'https://images.example/icons/a.png';
    const lines = linesOf([
      { name: '=1+1.png', link },
      { name: '#N/A.png', link },
      { name: 'a\tb\r\nc.png', link },
    ]);
    expect(lines).toBe(`'=1+1.png\t${link}\n#N/A.png\t${link}\na b c.png\t${link}`);
  });
});
