/** Which cell of a row a reason is about, so that it can be corrected there. */
import { shown } from '../sis-rows.ts';

/**
 * The place of the column that a reason names: by the value that it quotes last, else by the name of the column, else the
 * first cell that holds something.
 * @param why a sentence about the row, with values as `shown` writes them
 */
export function columnAtFault(why: string, header: readonly string[], cells: readonly string[]): number {
  let [found, at] = [-1, -1];
  for (const [place, cell] of cells.entries()) {
    const said = cell === '' || place >= header.length ? -1 : why.lastIndexOf(shown(cell));
    if (said > at) [found, at] = [place, said];
  }
  if (found !== -1) return found;
  const named = header.findIndex((name) => new RegExp(`\\b${name.replace(/\W/g, '.')}\\b`).test(why));
  if (named !== -1) return named;
  return Math.max(
    0,
    cells.findIndex((cell, place) => cell !== '' && place < header.length),
  );
}
