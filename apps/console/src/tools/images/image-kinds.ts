/** The kind of a chosen file, judging by its first bytes. The server checks the whole file. Pure. */
import { IMAGE_MAX_BYTES, type ImageType } from '@lms-admin/domain/image-files';
import { texts } from './texts.ts';

/** Number of bytes read from the beginning of a file. */
export const FIRST_BYTES = 512;

const latin = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Detects the type of an accepted image by its first bytes (OP-94); null for anything else. */
export function kindOf(bytes: Uint8Array): ImageType | null {
  if (latin(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (latin(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (/^GIF8[79]a/.test(latin(bytes, 0, 6))) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(latin(bytes, 0, 12))) return 'image/webp';
  return latin(bytes, 0, 4) === '\0\0\x01\0' ? 'image/x-icon' : null;
}

/** A file's facts from the browser. */
export type FileFacts = Pick<File, 'name' | 'size' | 'type'>;

/** The result for a chosen file: its type and whether it fits, or why it cannot be used. */
export type Judged = { kind: ImageType; fits: boolean } | { why: string };

/** @param first bytes of the file, at most `FIRST_BYTES` */
export function judge({ name, size, type }: FileFacts, first: Uint8Array): Judged {
  if (size === 0) return { why: texts.refused.empty };
  const kind = kindOf(first);
  if (kind !== null) return { kind, fits: size <= IMAGE_MAX_BYTES };
  if (/<svg[\s>]/i.test(latin(first, 0, FIRST_BYTES)) || type === 'image/svg+xml' || /\.svgz?$/i.test(name))
    return { why: texts.refused.svg };
  const called = /\.(png|jpe?g|gif|webp|ico)$/i.test(name);
  if (called) return { why: texts.refused.falseName };
  const other = /^image\/(?:x-(?:ms-)?|vnd\.)?([\w-]+)/.exec(type)?.[1];
  return { why: other === undefined ? texts.refused.noImage : texts.refused.otherKind(other.toUpperCase()) };
}

/**
 * Computes a fingerprint that is the same for the same file, whenever and wherever it was saved.
 * @param bytes the whole file, or its beginning if it is too large
 */
export function markOf(name: string, size: number, bytes: Uint8Array): string {
  // FNV-1a is enough, because it only has to distinguish files of the same name and size.
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${size} ${hash >>> 0} ${name}`;
}

/** The browsers' name for a picture copied from a page or a program. */
const NAMELESS = /^image\.(png|jpe?g|gif|webp)$/i;

/**
 * Creates a name for a pasted picture: `Pasted image 22 Nov 2026, 14.05.12.png`, or its own name if it was copied as a
 * file.
 * @param taken names already in the list
 */
export function pastedName(name: string, now: Date, taken: ReadonlySet<string>): string {
  const ending = NAMELESS.exec(name)?.[1]?.toLowerCase();
  if (name !== '' && ending === undefined) return name;
  const day = now.toLocaleDateString('en-GB', { dateStyle: 'medium' });
  // No colons: some systems do not allow them in file names.
  const clock = now.toLocaleTimeString('en-GB').replaceAll(':', '.');
  const stem = `${texts.pasted} ${day}, ${clock}`;
  for (let count = 1; ; count++) {
    const next = `${stem}${count === 1 ? '' : ` (${count})`}.${ending ?? 'png'}`;
    if (!taken.has(next)) return next;
  }
}

/**
 * Tells whether a picture was copied. Spreadsheet cells and parts of a document are copied as text together with a
 * picture of them; a file copied on its own may be accompanied by its name as plain text.
 * @param types as the clipboard names them
 */
export function isPicture(types: readonly string[]): boolean {
  const asDocument = types.includes('text/html') || types.includes('text/rtf');
  return types.includes('Files') && !(types.includes('text/plain') && asDocument);
}

/** Maximum length of a name in the store (contract/images.ts). */
const NAME_LETTERS = 255;

/**
 * Creates a name that the server accepts unchanged. Slashes are replaced, because the server would remove everything
 * before them. A name that is too long loses the end of its stem, not its extension.
 */
export function sentName(name: string): string {
  const trimmed = name.replace(/[/\\]/g, '-').trim();
  if (trimmed === '') return texts.pasted;
  if (trimmed.length <= NAME_LETTERS) return trimmed;
  const ending = /\.[a-z0-9]{1,5}$/i.exec(trimmed)?.[0] ?? '';
  return trimmed.slice(0, NAME_LETTERS - ending.length) + ending;
}
