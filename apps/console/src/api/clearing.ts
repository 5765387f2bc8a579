/**
 * What a press on a tab clears (SHELL-25, OP-20): the stored course data, the course summary, the selected sub-account
 * and everything that depends on them. Tools say how to clear what they keep; the shell says when.
 */
type Clear = () => void;

const registered = new Set<Clear>();

/** Registers a tool's way to clear what it keeps. Answers a function that takes it back. */
export function onClearSelections(clear: Clear): () => void {
  registered.add(clear);
  return () => {
    registered.delete(clear);
  };
}

/** Clears what every tool keeps. One tool's failure keeps no other from clearing; it is thrown at the end. */
export function clearSelections(): void {
  const failures: unknown[] = [];
  for (const clear of registered) {
    try {
      clear();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some selections were not cleared');
}
