/** Formats names and links for copying. */
import { guarded } from '@lms-admin/domain/formula-guard';

/**
 * Writes a line for each image, name and link separated by a tab: two columns when pasted into a spreadsheet (OP-81).
 */
export function linesOf(images: readonly { name: string; link: string }[]): string {
  // A tab or line break within a name would shift everything after it.
  return images.map(({ name, link }) => `${guarded(name.replace(/[\t\r\n]+/g, ' '))}\t${link}`).join('\n');
}
