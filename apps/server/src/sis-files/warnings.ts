/** What of a checked file was probably not meant. */
import type { SisFilePart } from '@lms-admin/contract/sis-files';
import type { Reading, Sample } from '@lms-admin/domain/encodings';
import { isSampleCell } from '@lms-admin/domain/sis-tables';
import { storable } from '../platform/text.ts';
import type { CheckedPart } from './part-rows.ts';

/** Sentences about rows that were probably not meant to be sent. */
export function warningsOf(parts: readonly SisFilePart[]): string[] {
  if (!parts.some(hasSample)) return [];
  return ['A sample row of the template is still in the file. Take it out unless it is meant.'];
}

/** A sample that was left in stands among the first rows. */
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
/** Words that are shown in a sentence. */
const WORDS = 4;

/** Where the bytes of a file fit several encodings: how its words were read, and how they would read otherwise. */
export function readingWarnings({ part, readings }: CheckedPart, inZip: boolean): string[] {
  const taken = readings.find(({ encoding }) => encoding === part.encoding);
  const others = readings.filter((one) => one !== taken);
  if (taken === undefined || others.length === 0) return [];
  const shown = ({ words }: Sample) => words.slice(0, WORDS).map(storable).join(', ');
  const otherwise = others.map((one) => `${shown(one)} in ${NAMES[one.encoding]}`).join('; ');
  const sentence = `The file does not say how its letters are encoded. It was read as ${NAMES[taken.encoding]}: ${shown(taken)}. The same letters would be ${otherwise}. If these words are wrong, save the file as CSV UTF-8 and upload it again.`;
  return [inZip ? `${part.name}: ${sentence}` : sentence];
}
