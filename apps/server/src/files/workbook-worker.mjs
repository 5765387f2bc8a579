/** The thread behind `workbook.ts`: takes a sheet and its rows in batches until null, and returns the file's bytes. */
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import writeExcelFile from 'write-excel-file/node';
import { getCellAddress } from 'write-excel-file/utility';

/** Column widths in characters, then Excel's maximum lengths of a cell's text and a sheet's name. */
const [NARROWEST, WIDEST, LONGEST_CELL, LONGEST_NAME] = [8, 60, 32_767, 31];
const LINE = { borderStyle: 'thin', borderColor: '#bfbfbf' };

/** @type {import('./workbook.ts').Sheet} */
const { name, columns } = workerData;
/** @type {(string | number | null)[][]} */
const rows = [];
for await (const [piece] of on(parentPort, 'message')) {
  if (piece === null) break;
  rows.push(...piece);
}

/** Text that Excel reads as an escaped character, such as `_x0041_`, and characters that the library drops. */
const TO_ESCAPE = /_(?=x[\da-f]{4}_)|[^\P{Cc}\t\n]|[\uFDD0-\uFDEF\uFFFD-\uFFFF]/giu;

/** @type {(text: string) => string} Escapes special characters as Excel does, so that every text is read unchanged. */
const escaped = (text) =>
  text.replace(TO_ESCAPE, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);

/** @type {(value: string | number | null) => object} Formats text so that it stays text when the cell is edited. */
const cell = (value) =>
  typeof value === 'number'
    ? { value, type: Number, ...LINE }
    : { value: escaped((value ?? '').slice(0, LONGEST_CELL)), type: String, format: '@', ...LINE };
const head = (value) => ({ value, type: String, fontWeight: 'bold', backgroundColor: '#d9d9d9', ...LINE });

const width = (column) => {
  let most = columns[column].length + 3;
  for (const row of rows) most = Math.max(most, String(row[column] ?? '').length);
  return { width: Math.min(WIDEST, Math.max(NARROWEST, most + 1)) };
};

/** The library does not support filters; the element follows the rows in the sheet's XML. */
const filter = {
  files: {
    transform: {
      'xl/worksheets/sheet{id}.xml': {
        transform: (xml) =>
          xml.replace(
            '</sheetData>',
            `</sheetData><autoFilter ref="A1:${getCellAddress(rows.length, columns.length - 1)}"/>`,
          ),
      },
    },
  },
};

const bytes = await writeExcelFile(
  [columns.map(head), ...rows.map((row) => row.map(cell))],
  {
    sheet: name.replace(/[[\]:*?/\\']/g, '-').slice(0, LONGEST_NAME) || 'Students',
    columns: columns.map((_, column) => width(column)),
    stickyRowsCount: 1,
  },
  { features: [filter] },
).toBuffer();
const own = new Uint8Array(bytes);
parentPort?.postMessage(own, [own.buffer]);
