/** SIS IDs of people, typed and pasted in Section Enrollment (SE-11, OP-50). */

/** Characters of a person's SIS ID in the console. */
const PERSON_SIS_ID = /^[\w.@-]{1,100}$/;

/** Returns whether the whole text is an SIS ID that the console accepts: letters, digits, `.`, `_`, `-` and `@`. */
export function isPersonSisId(text: string): boolean {
  return PERSON_SIS_ID.test(text);
}
