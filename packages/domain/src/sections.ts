/** SIS IDs that the console assigns to sections without one (SE-12, OP-51). */

/**
 * Returns the SIS ID for a section without one: `{course sis id}-{NAME without other characters}`; followed by the
 * section's own id if nothing is left of the name or the id is in use.
 * @param taken SIS section ids in use, as far as they are known
 */
export function generatedSectionSisId(
  section: { id: number; name: string },
  sisCourseId: string,
  taken: ReadonlySet<string> = new Set(),
): string {
  const name = section.name.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const plain = `${sisCourseId}-${name}`;
  let id = name === '' ? `${plain}-${section.id}` : plain;
  while (taken.has(id)) id += `-${section.id}`;
  return id;
}
