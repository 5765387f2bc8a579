/** What of a checked file was probably not meant. */
import type { SisFilePart } from '@lms-admin/contract/sis-files';
import { isSampleCell } from '@lms-admin/domain/sis-tables';

/** Sentences about rows that were probably not meant to be sent. */
export function warningsOf(parts: readonly SisFilePart[]): string[] {
  if (!parts.some(hasSample)) return [];
  return ['A sample row of the template is still in the file. Take it out unless it is meant.'];
}

/** A sample that was left in stands among the first rows. */
function hasSample({ preview }: SisFilePart): boolean {
  return preview.some((cells) => cells.some(isSampleCell));
}
