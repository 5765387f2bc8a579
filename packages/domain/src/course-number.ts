/** How people name a course. Pure. */

/**
 * The number of a course from what was typed: the number itself, or the address of one of its pages (EXP-03, ZC-02).
 * @returns null for anything else
 */
export function courseNumberOf(typed: string): number | null {
  const text = typed.trim();
  const found =
    /^(\d{1,15})$/.exec(text) ??
    /^https?:\/\/[^/?#\s]+\/(?:[^?#\s]*\/)?courses\/(\d{1,15})(?:[/?#]|$)/i.exec(text);
  const number = Number(found?.[1] ?? 0);
  return number > 0 ? number : null;
}
