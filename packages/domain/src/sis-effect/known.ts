/** Information about the places in rows. */

import type { TermDates } from './terms.ts';

/** Facts from other rows and the LMS about the objects in a row; null if unknown. */
export interface Known {
  account: (sisId: string) => boolean | null;
  term: (sisId: string) => boolean | null;
  course: (sisId: string) => boolean | null;
  /** Dates of a term, in the LMS and after the rows of terms; null if unknown. */
  termDates?: (sisId: string, when: 'before' | 'after') => TermDates | null;
}
