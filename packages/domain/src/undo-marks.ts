/** Whether what an import did still stands, after undos, undos of undos, and so on. Pure. */

/**
 * `open`: it is being undone; `done`, `partly`: it was undone, or a part of it; `redoing`, `again`: it was undone, and that undo is
 * being undone, or was, so that it stands again.
 */
export const UNDO_MARKS = ['open', 'done', 'partly', 'redoing', 'again'] as const;
export type UndoMark = (typeof UNDO_MARKS)[number];

/** An import, or an undo of one. */
export interface Undoing {
  id: string;
  /** What it undoes; null for an import that undoes nothing. */
  undoes: string | null;
  /** `open`: it goes on; `all`, `part`: it changed everything that was left to change, or less; `nothing`: it changed nothing. */
  did: 'open' | 'all' | 'part' | 'nothing';
}

/** Rows that have met the same fate so far. */
interface Part {
  /** Who sent them, in order. */
  by: Undoing[];
  /** Whether the import from which it all began stands: then each second one of the chain does not. */
  stands: boolean;
}

/** A bound for parts: each undo of only some rows may double them. */
const MOST_PARTS = 500;

/**
 * The marks of imports that undo each other, with the undo to look at.
 * @param all in the order in which they were made; with an undo also what it undoes
 */
export function undoMarks(all: readonly Undoing[]): Map<string, { id: string; mark: UndoMark }> {
  const known = new Map(all.map((one) => [one.id, one]));
  const forward = new Map<Undoing, boolean>();
  const parts: Part[] = [];
  for (const one of all) {
    const target = one.undoes === null ? undefined : known.get(one.undoes);
    forward.set(one, target === undefined || !forward.get(target));
    // What changed nothing may have an undo anyway: no one knew.
    if (target === undefined || one.did === 'nothing') {
      parts.push({ by: [one], stands: forward.get(one) === true });
      continue;
    }
    for (const part of parts.filter(
      ({ by, stands }) => by.includes(target) && stands === forward.get(target),
    )) {
      if (one.did === 'part' && parts.length < MOST_PARTS) parts.push({ ...part, by: [...part.by] });
      part.by.push(one);
      if (one.did !== 'open') part.stands = !part.stands;
    }
  }
  const marks = all.flatMap((one): [string, { id: string; mark: UndoMark }][] => {
    const mine = parts.filter(({ by }) => by.includes(one));
    const since = mine.flatMap(({ by }) => by.slice(by.indexOf(one) + 1));
    const latest = (those: readonly Undoing[]) => all.findLast((other) => those.includes(other));
    const undos = since.filter((other) => forward.get(other) !== forward.get(one));
    // Its own undo; else one of an import further on in the chain that did the same.
    const undo = latest(undos.filter(({ undoes }) => undoes === one.id)) ?? latest(undos);
    if (undo === undefined) return [];
    const open = latest(since.filter(({ did }) => did === 'open'));
    const gone = mine.filter(({ stands }) => stands !== forward.get(one)).length;
    const stood = gone === 0 ? 'again' : gone < mine.length ? 'partly' : 'done';
    const moving = open && (forward.get(open) === forward.get(one) ? 'redoing' : 'open');
    return [[one.id, { id: undo.id, mark: moving ?? stood }]];
  });
  return new Map(marks);
}
