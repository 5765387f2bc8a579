/** Canvas's guess at a sortable name. */
export function lastNameFirst(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${last}, ${words.join(' ')}`;
}
