/** What the LMS is asked for when a person is searched for by name. Pure. */

/** `Last, First` as lists of people write it, without digits or @. */
const LAST_FIRST = /^([^,@\d]+),\s*([^,@\d]+)$/u;

/** The LMS searches names as `First Last`: a name with a comma is turned round. */
export function nameTerm(term: string): string {
  const [, last, first] = LAST_FIRST.exec(term.trim()) ?? [];
  return last === undefined || first === undefined ? term : `${first.trim()} ${last.trim()}`;
}
