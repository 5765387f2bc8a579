/** Things of the LMS named by their SIS IDs, as segments of a path. */

/**
 * `sis_group_id:A%2F1`: a dot must be encoded too, since Canvas would take what follows it for a format (reference §1). Half of a
 * surrogate pair cannot be part of an address.
 * @param kind such as `group` or `course`
 */
export function sisSegment(kind: string, id: string): string {
  return `sis_${kind}_id:${encoded(id)}`;
}

/** `sis_integration_id:A%2F1`: someone by their integration id, which is another one than the SIS ID. */
export function integrationSegment(id: string): string {
  return `sis_integration_id:${encoded(id)}`;
}

function encoded(id: string): string {
  return encodeURIComponent(Buffer.from(id).toString()).replaceAll('.', '%2E');
}
