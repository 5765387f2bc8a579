/** Warnings about probable mistakes in a checked file. */
import type { SisEncoding, SisFilePart } from '@lms-admin/contract/sis-files';
import type { Delimiter } from '@lms-admin/domain/csv-reader';
import type { Reading, Sample } from '@lms-admin/domain/encodings';
import { isSampleCell } from '@lms-admin/domain/sis-tables';
import type { FileReading } from '../platform/schema.ts';
import { storable } from '../platform/text.ts';

/** Returns sentences about rows that were probably not meant to be sent. */
export function warningsOf(parts: readonly SisFilePart[]): string[] {
  if (!parts.some(hasSample)) return [];
  return ['A sample row of the template is still in the file. Remove it unless you want to send it.'];
}

/** Tells whether a file has a forgotten sample row, which would be among the first rows. */
function hasSample({ preview }: SisFilePart): boolean {
  return preview.some((cells) => cells.some(isSampleCell));
}

const NAMES: Readonly<Record<Reading, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Western Europe)',
  'windows-1250': 'Windows-1250 (Central Europe)',
  'windows-1254': 'Windows-1254 (Turkish)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  macintosh: 'Mac OS Roman',
};
/** Number of words shown in a sentence. */
const WORDS = 4;

/** Describes the reading of a file, for storage. */
export function readingOf(
  encoding: SisEncoding,
  delimiter: Delimiter,
  readings: readonly Sample[],
): FileReading {
  const words = readings.map((one) => ({ ...one, words: one.words.map(storable) }));
  return { encoding, delimiter, readings: words };
}

/** Writes the warnings for a file that fits several encodings, with sample words in each. */
export function readingWarnings({
  encoding,
  readings,
}: Pick<FileReading, 'encoding' | 'readings'>): string[] {
  const taken = readings.find((one) => one.encoding === encoding);
  const others = readings.filter((one) => one !== taken);
  if (taken === undefined || others.length === 0) return [];
  const shown = ({ words }: Sample) => words.slice(0, WORDS).map(storable).join(', ');
  const otherwise = others.map((one) => `${shown(one)} in ${NAMES[one.encoding]}`).join('; ');
  return [
    `The file does not say which text encoding it uses. LMS Admin read it as ${NAMES[taken.encoding]}: ${shown(taken)}. In other encodings it would be ${otherwise}. If the text is wrong, save the file as CSV UTF-8 and upload it again.`,
  ];
}
