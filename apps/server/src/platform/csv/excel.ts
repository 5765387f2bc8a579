/**
 * CSV files that people open in Excel and upload again: a mark tells Excel that they are UTF-8, and the delimiter is
 * the same as in the admin's own file.
 */
import { type Delimiter } from '@lms-admin/domain/csv-reader';

/** Makes Excel read a file as UTF-8; uploads ignore it. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Writes a line without its line end. */
export function excelLine(cells: readonly string[], delimiter: Delimiter = ','): string {
  return cells.map((cell) => quoted(cell, delimiter)).join(delimiter);
}

function quoted(cell: string, delimiter: Delimiter): string {
  return cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
