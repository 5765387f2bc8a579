/** What is said of the places that rows name. */

import type { TermDates } from './terms.ts';

/** What other rows and the LMS say of what a row names; null where no one can say. */
export interface Known {
  account: (sisId: string) => boolean | null;
  term: (sisId: string) => boolean | null;
  course: (sisId: string) => boolean | null;
  /** Dates of a term, as the LMS has them and after the rows of terms; null where they are not known. */
  termDates?: (sisId: string, when: 'before' | 'after') => TermDates | null;
}
