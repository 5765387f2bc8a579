/** How the undoing of an import is called in lists. */

/** What stands before what it does: an undo, and the undo of an undo, may do the same in numbers, such as moving one person. */
const NEXT: readonly (readonly [undone: string, undoing: string])[] = [
  ['Undo: ', 'Redo: '],
  ['Redo: ', 'Undo again: '],
  ['Undo again: ', 'Redo again: '],
  ['Redo again: ', 'Undo again: '],
];

/** @param label of the import that is undone */
export function undoPrefix(label: string): string {
  return NEXT.find(([undone]) => label.startsWith(undone))?.[1] ?? 'Undo: ';
}
