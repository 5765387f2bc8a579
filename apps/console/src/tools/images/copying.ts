/** Names and links as they are copied. */
import { guarded } from '@lms-admin/domain/formula-guard';

/** A line for each, name and link with a tab between them: two columns where it is pasted into a sheet (OP-81). */
export function linesOf(images: readonly { name: string; link: string }[]): string {
  // A tab or line end within a name would move everything behind it.
  return images.map(({ name, link }) => `${guarded(name.replace(/[\t\r\n]+/g, ' '))}\t${link}`).join('\n');
}
