/** What is said of the places that rows name. */

/** What other rows and the LMS say of what a row names; null where nobody can say. */
export interface Known {
  account: (sisId: string) => boolean | null;
  term: (sisId: string) => boolean | null;
  course: (sisId: string) => boolean | null;
}
