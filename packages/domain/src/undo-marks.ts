/** Whether the changes of an import still apply, after undos, undos of undos, and so on. Pure. */

/**
 * `open`: it is being undone; `done`, `partly`: it, or a part of it, was undone; `redoing`, `again`: it was undone, and
 * that undo is being or was undone, so that it applies again.
 */
export const UNDO_MARKS = ['open', 'done', 'partly', 'redoing', 'again'] as const;
export type UndoMark = (typeof UNDO_MARKS)[number];

/** An import, or an undo of one. */
export interface Undoing {
  id: string;
  /** The import that this one undoes; null for an import that undoes nothing. */
  undoes: string | null;
  /** `open`: in progress; `all`, `part`: it changed everything left to change, or less; `nothing`: no changes. */
  extent: 'open' | 'all' | 'part' | 'nothing';
}

/** Rows with the same history so far. */
interface Part {
  /** Imports that sent the rows, in order. */
  by: Undoing[];
  /** Whether the first import of the chain applies: then every second one of the chain does not. */
  stands: boolean;
}

/** Maximum number of parts: each undo of only some rows can double them. */
const MOST_PARTS = 500;

/**
 * Returns the marks of imports that undo each other, with the undo to show.
 * @param all in order of creation; includes what each undo undoes
 */
export function undoMarks(all: readonly Undoing[]): Map<string, { id: string; mark: UndoMark }> {
  const known = new Map(all.map((one) => [one.id, one]));
  const forward = new Map<Undoing, boolean>();
  const parts: Part[] = [];
  for (const one of all) {
    const target = one.undoes === null ? undefined : known.get(one.undoes);
    forward.set(one, target === undefined || !forward.get(target));
    // Even an import without changes can have an undo, if it was not known that it changed nothing.
    if (target === undefined || one.extent === 'nothing') {
      parts.push({ by: [one], stands: forward.get(one) === true });
      continue;
    }
    for (const part of parts.filter(
      ({ by, stands }) => by.includes(target) && stands === forward.get(target),
    )) {
      if (one.extent === 'part' && parts.length < MOST_PARTS) parts.push({ ...part, by: [...part.by] });
      part.by.push(one);
      if (one.extent !== 'open') part.stands = !part.stands;
    }
  }
  const marks = all.flatMap((one): [string, { id: string; mark: UndoMark }][] => {
    const mine = parts.filter(({ by }) => by.includes(one));
    const since = mine.flatMap(({ by }) => by.slice(by.indexOf(one) + 1));
    const latest = (undoings: readonly Undoing[]) => all.findLast((other) => undoings.includes(other));
    const undos = since.filter((other) => forward.get(other) !== forward.get(one));
    // The import's own undo, or that of a later import in the chain with the same effect.
    const undo = latest(undos.filter(({ undoes }) => undoes === one.id)) ?? latest(undos);
    if (undo === undefined) return [];
    const open = latest(since.filter(({ extent }) => extent === 'open'));
    const gone = mine.filter(({ stands }) => stands !== forward.get(one)).length;
    const stood = gone === 0 ? 'again' : gone < mine.length ? 'partly' : 'done';
    const moving = open && (forward.get(open) === forward.get(one) ? 'redoing' : 'open');
    return [[one.id, { id: undo.id, mark: moving ?? stood }]];
  });
  return new Map(marks);
}
