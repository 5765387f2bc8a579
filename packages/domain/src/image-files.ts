/** Rules of uploaded images: what is taken, and what they are called in the store (IMG-05, OP-93, OP-94, OP-106). Pure. */

/** Most bytes of one image, of the file itself, not of its data URL. */
export const IMAGE_MAX_BYTES = 100_000;

/** What is taken, by content: media type and the extension of its key. */
export const IMAGE_TYPES = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/x-icon': 'ico',
} as const;
export type ImageType = keyof typeof IMAGE_TYPES;

/** What the picker offers. */
export const IMAGE_ACCEPT = [...Object.keys(IMAGE_TYPES), 'image/vnd.microsoft.icon', '.ico'].join(',');

const NAME_LETTERS = 60;

/** Letters that are no letter with a mark. */
const PLAIN: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

/** `Zoë’s Logo.PNG` is `zoe-s-logo`: ASCII only, without its ending, never empty. */
export function cleanImageName(name: string): string {
  const stem = name.replace(/\.[a-z0-9]{1,5}$/i, '');
  const clean = stem
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøđðþßæœı]/g, (letter) => PLAIN[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LETTERS)
    .replace(/^-+|-+$/g, '');
  return clean === '' ? 'image' : clean;
}

/**
 * Where an image lies: the same content under the same name is the same key (OP-106).
 * @param hash of the content as it is stored, lower-case hexadecimal, at least 24 digits
 */
export function imageKey(name: string, hash: string, type: ImageType): string {
  return `icons/${cleanImageName(name)}-${hash.slice(0, 24)}.${IMAGE_TYPES[type]}`;
}

/** What a key looks like; nothing else is looked for in a store. */
export const IMAGE_KEY = /^icons\/[a-z0-9-]{1,60}-[0-9a-f]{24}\.(?:png|jpg|gif|webp|ico)$/;

/** Most pixels of one image, all pictures of an animation together. */
export const IMAGE_MAX_PIXELS = 25_000_000;

/** A name as it is searched: without case and marks. */
export function foldImageName(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
