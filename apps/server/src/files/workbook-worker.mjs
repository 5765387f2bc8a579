/** The thread of `workbook.ts`: takes a sheet and its rows, piece by piece until null, and answers with the bytes of its file. */
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import writeExcelFile from 'write-excel-file/node';
import { getCellAddress } from 'write-excel-file/utility';

/** In characters; and most characters of a cell, names of sheets (Excel's own limits). */
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

/** @type {(value: string | number | null) => object} Text that stays text when someone edits the cell. */
const cell = (value) =>
  typeof value === 'number'
    ? { value, type: Number, ...LINE }
    : { value: (value ?? '').slice(0, LONGEST_CELL), type: String, format: '@', ...LINE };
const head = (value) => ({ value, type: String, fontWeight: 'bold', backgroundColor: '#d9d9d9', ...LINE });

const width = (column) => {
  let most = columns[column].length + 3;
  for (const row of rows) most = Math.max(most, String(row[column] ?? '').length);
  return { width: Math.min(WIDEST, Math.max(NARROWEST, most + 1)) };
};

/** The library has no filter of its own; it is behind the rows in the file of the sheet. */
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
