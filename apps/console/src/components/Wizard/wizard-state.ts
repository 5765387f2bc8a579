/** Texts and types that all wizards share. Pure. */

export { counted } from '@lms-admin/domain/numbers';

/** `progress` follows the last step; going back from it is impossible (SHELL-31). */
export type WizardView = 'steps' | 'progress';

/** The current position in a tool with several steps. */
export interface WizardPlace {
  step: number;
  view: WizardView;
}

/** What a step still needs: the documented text, and the ID of the field to go to. */
export interface Missing {
  message: string;
  field: string;
}

/** Joins the non-empty parts of a line, such as a Course ID and a term. */
export function joined(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ');
}

/** Letters of the longest part that stays on one line; a longer one, such as a file name, can break. */
const LONG_PART = 32;

/** Keeps each part of a sum on one line, so that no line breaks between a figure and its word. */
export function unbroken(sum: string): string {
  const parts = sum.split(' · ');
  return parts.map((part) => (part.length > LONG_PART ? part : part.replaceAll(' ', '\u00a0'))).join(' · ');
}
