/** Ways to name a course. Pure. */

export type NamedCourse =
  /** The course number. `certain`: it comes from an address, so it cannot be an SIS ID. */
  | { by: 'number'; number: number; certain: boolean }
  /** An SIS ID from an address. */
  | { by: 'sis-id'; sisId: string }
  /** An SIS ID, or a part of a name or code. */
  | { by: 'text'; text: string }
  /** The address of another site, or of a page of the LMS that does not belong to a course. */
  | { by: 'other-address' }
  | { by: 'nothing' };

/**
 * Reads typed text that names a course: by number, page address, SIS ID, or a part of its name (EXP-03, ZC-02).
 * @param lms address of the LMS: only addresses in it count
 */
export function readCourseName(typed: string, lms: string): NamedCourse {
  const text = typed.trim();
  if (text === '' || /^0+$/.test(text)) return { by: 'nothing' };
  if (/^\d{1,15}$/.test(text)) return { by: 'number', number: Number(text), certain: false };
  if (!/^https?:\/\//i.test(text)) return { by: 'text', text };
  if (!isOfSite(text, lms)) return { by: 'other-address' };
  const [, number, sisId] =
    /^https?:\/\/[^/?#\s]+\/(?:[^?#\s]*\/)?courses\/(?:(\d{1,15})|sis_course_id:([^/?#\s]+))(?:[/?#]|$)/i.exec(
      text,
    ) ?? [];
  if (number !== undefined && Number(number) > 0)
    return { by: 'number', number: Number(number), certain: true };
  return sisId === undefined ? { by: 'other-address' } : { by: 'sis-id', sisId: decoded(sisId) };
}

/** Returns the course number in typed text: a number, or the address of a page of the LMS; null for anything else. */
export function courseNumberOf(typed: string, lms: string): number | null {
  const named = readCourseName(typed, lms);
  return named.by === 'number' ? named.number : null;
}

function isOfSite(address: string, site: string): boolean {
  try {
    return new URL(address).host === new URL(site).host;
  } catch {
    return false;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
