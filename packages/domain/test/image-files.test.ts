/** Names of images in the store (OP-106). */
import {
  cleanImageName,
  IMAGE_KEY,
  IMAGE_TYPES,
  type ImageType,
  imageKey,
} from '@lms-admin/domain/image-files';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

describe("an image's name in its key", () => {
  test.each([
    ['Zoë’s Logo.PNG', 'zoe-s-logo'],
    ['Zoë O’Neill–Łukasz #N_A.png', 'zoe-o-neill-lukasz-n-a'],
    ['Ørsted Straße Æble.jpg', 'orsted-strasse-aeble'],
    ['漢字.gif', 'image'],
    ['.png', 'image'],
  ])('OP-106 %s', (name, clean) => {
    expect(cleanImageName(name)).toBe(clean);
  });

  test('OP-106 property: any file name gives a valid key', () => {
    const types = Object.keys(IMAGE_TYPES) as ImageType[];
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...types), (name, type) => {
        expect(imageKey(name, 'a'.repeat(64), type)).toMatch(IMAGE_KEY);
      }),
    );
  });
});
