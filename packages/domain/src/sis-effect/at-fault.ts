/** The cell that a reason is about, so that it can be corrected there. */
import { shown } from '../sis-rows.ts';

/**
 * Returns the position of the column in a reason: by the value that it quotes last, or by the name of the column, or
 * else the first cell with contents.
 * @param why a sentence about the row, with values as written by `shown`
 */
export function columnAtFault(why: string, header: readonly string[], cells: readonly string[]): number {
  let [found, at] = [-1, -1];
  for (const [place, cell] of cells.entries()) {
    const quoted = cell === '' || place >= header.length ? -1 : why.lastIndexOf(shown(cell));
    if (quoted > at) [found, at] = [place, quoted];
  }
  if (found !== -1) return found;
  const named = header.findIndex((name) => new RegExp(`\\b${name.replace(/\W/g, '.')}\\b`).test(why));
  if (named !== -1) return named;
  return Math.max(
    0,
    cells.findIndex((cell, place) => cell !== '' && place < header.length),
  );
}
