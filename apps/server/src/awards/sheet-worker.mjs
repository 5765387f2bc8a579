/** The thread of `sheet.ts`: takes the bytes of a workbook, and answers with the cells of its first sheet, or why not. */
import { parentPort } from 'node:worker_threads';
import { read, SSF, utils, write } from '@e965/xlsx';

const blank = utils.book_new();
utils.book_append_sheet(blank, utils.aoa_to_sheet([]));
/** A workbook without anything in it. */
const BLANK = write(blank, { type: 'buffer', bookType: 'xlsx' });

/** @type {(cell: import('@e965/xlsx').CellObject) => unknown} Numbers as they are, unless what is seen says more. */
const valueOf = (cell) => {
  const { t, v, w = '', z = 'General' } = cell;
  if (t === 'n') return /^0\d/.test(w) || SSF.is_date(String(z)) ? w : v;
  if (t === 's' || t === 'b') return v;
  // Dates, and errors such as #N/A, as they are seen.
  return t === 'z' ? null : w || String(v ?? '');
};

/** @type {(work: import('./sheet.ts').SheetWork) => import('./sheet.ts').SheetAnswer} */
function answer({ bytes, mostRows, mostColumns }) {
  let book;
  try {
    book = read(bytes, {
      type: 'buffer',
      sheets: 0,
      sheetRows: mostRows,
      dense: true,
      cellNF: true,
      cellHTML: false,
      bookVBA: false,
    });
  } catch (error) {
    return { why: /password|encrypt/i.test(String(error)) ? 'protected' : 'no-workbook' };
  }
  const name = book.SheetNames[0];
  const sheet = name === undefined ? undefined : book.Sheets[name];
  if (!sheet) return { why: 'no-workbook' };
  const whole = sheet['!fullref'] ?? sheet['!ref'];
  const { e } = whole ? utils.decode_range(whole) : { e: { r: -1, c: -1 } };
  if (e.r >= mostRows) return { why: 'too-high', count: e.r + 1 };
  if (e.c >= mostColumns) return { why: 'too-wide', count: e.c + 1 };
  const rows = [];
  const formulas = [];
  for (const [at, cells] of (sheet['!data'] ?? []).entries()) {
    if (!cells) continue;
    const values = [];
    for (const [column, cell] of cells.entries()) {
      values.push(cell ? valueOf(cell) : null);
      if (cell?.f !== undefined || cell?.F !== undefined) formulas.push([at + 1, column]);
    }
    if (at === 0 || values.some((value) => value !== null && value !== ''))
      rows.push({ row: at + 1, cells: values });
  }
  return { name, rows, formulas };
}

parentPort?.on('message', (work) => {
  // As a text: to put together thousands of rows that came as such holds the server up for three times as long.
  parentPort?.postMessage(JSON.stringify(answer(work)), []);
  // The library keeps texts and formats of what it has read until it reads again; the next .xls would be shown in the latter.
  read(BLANK, { type: 'buffer' });
});
