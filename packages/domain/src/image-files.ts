/** Rules for uploaded images: accepted files, and their names in the store (IMG-05, OP-93, OP-94, OP-106). Pure. */

/** Maximum size of one image in bytes, for the file itself instead of its data URL. */
export const IMAGE_MAX_BYTES = 100_000;

/** Accepted types, by content: media type and the extension of its key. */
export const IMAGE_TYPES = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/x-icon': 'ico',
} as const;
export type ImageType = keyof typeof IMAGE_TYPES;

/** Types that the picker offers. */
export const IMAGE_ACCEPT = [...Object.keys(IMAGE_TYPES), 'image/vnd.microsoft.icon', '.ico'].join(',');

const NAME_LETTERS = 60;

/** Letters that Unicode does not split into a letter and an accent. */
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

/**
 * Converts the name of an image: `Zoë’s Logo.PNG` becomes `zoe-s-logo`: ASCII only, without its extension, never empty.
 */
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
 * Returns the key of an image in the store: the same content under the same name has the same key (OP-106).
 * @param hash of the stored content, lower-case hexadecimal, at least 24 digits
 */
export function imageKey(name: string, hash: string, type: ImageType): string {
  return `icons/${cleanImageName(name)}-${hash.slice(0, 24)}.${IMAGE_TYPES[type]}`;
}

/** Form of a key; the store is never asked for other keys. */
export const IMAGE_KEY = /^icons\/[a-z0-9-]{1,60}-[0-9a-f]{24}\.(?:png|jpg|gif|webp|ico)$/;

/** Maximum number of pixels of one image, for all frames of an animation together. */
export const IMAGE_MAX_PIXELS = 25_000_000;

/** Returns the form of a name for searching: in lower case and without accents. */
export function foldImageName(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
