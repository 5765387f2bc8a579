/** Words and shapes that every wizard shares. Pure. */

export { counted } from '@lms-admin/domain/numbers';

/** `progress` follows the last step and has no way back (SHELL-31). */
export type WizardView = 'steps' | 'progress';

/** Where a person is in a tool of several steps. */
export interface WizardPlace {
  step: number;
  view: WizardView;
}

/** What a step still misses: the documented text, and the id of the field to go to. */
export interface Missing {
  message: string;
  field: string;
}

/** Parts of a line that there are, such as a Course ID and a term. */
export function joined(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ');
}

/** Letters of a part that has to break anyway: the name of a file. */
const LONG_PART = 32;

/** A short line breaks between the parts of a sum, never between a figure and its word. */
export function unbroken(sum: string): string {
  const parts = sum.split(' · ');
  return parts.map((part) => (part.length > LONG_PART ? part : part.replaceAll(' ', '\u00a0'))).join(' · ');
}
