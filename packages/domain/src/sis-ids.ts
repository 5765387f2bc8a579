/** SIS IDs of people as they are typed and pasted in Section Enrollment (SE-11, OP-50). */

/** Characters that a person's SIS ID may have in the console. */
const PERSON_SIS_ID = /^[\w.@-]{1,100}$/;

/** Whether the whole text is an SIS ID that the console takes: letters, digits, `.`, `_`, `-` and `@`. */
export function isPersonSisId(text: string): boolean {
  return PERSON_SIS_ID.test(text);
}
