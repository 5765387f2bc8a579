/** Path segments that name objects of the LMS by SIS ID. */

/**
 * Returns `sis_group_id:A%2F1`. A dot is encoded too, since Canvas would read what follows as a format (reference §1).
 * Half a surrogate pair cannot be encoded.
 * @param kind such as `group` or `course`
 */
export function sisSegment(kind: string, id: string): string {
  return `sis_${kind}_id:${encoded(id)}`;
}

/** Returns `sis_integration_id:A%2F1`: a person by integration ID, which differs from their SIS ID. */
export function integrationSegment(id: string): string {
  return `sis_integration_id:${encoded(id)}`;
}

function encoded(id: string): string {
  return encodeURIComponent(Buffer.from(id).toString()).replaceAll('.', '%2E');
}
