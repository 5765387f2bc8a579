/** The thread behind `sheet.ts`: takes the bytes of a workbook and returns its first sheet's cells, or an error. */
import { parentPort } from 'node:worker_threads';
import { CFB, read, SSF, utils, write } from '@e965/xlsx';

const blank = utils.book_new();
utils.book_append_sheet(blank, utils.aoa_to_sheet([]));
const BLANK = write(blank, { type: 'buffer', bookType: 'xlsx' });

/** @type {(cell: import('@e965/xlsx').CellObject) => unknown} Keeps numbers unless the displayed text says more. */
const valueOf = (cell) => {
  const { t, v, w = '', z = 'General' } = cell;
  if (t === 'n') return /^0\d/.test(w) || SSF.is_date(String(z)) ? w : v;
  if (t === 's' || t === 'b') return v;
  // Dates, and errors such as #N/A, are used as displayed.
  return t === 'z' ? null : w || String(v ?? '');
};

/** @type {(cell: import('@e965/xlsx').CellObject) => boolean} */
const isDate = ({ t, z = 'General' }) => t === 'd' || (t === 'n' && SSF.is_date(String(z)));

const [BOF, WRITE_PROTECT, FILE_PASS] = [0x809, 0x86, 0x2f];
/** First byte of an .xls, and the length of its header. */
const [OLE, LEAST_OLE] = [0xd0, 512];

/**
 * Returns whether Excel asks for a password. The library's errors about encryption may mean damaged bytes, so this
 * reads the content.
 * @type {(bytes: Uint8Array) => boolean}
 */
function isProtected(bytes) {
  try {
    const container = CFB.read(bytes, { type: 'buffer' });
    if (CFB.find(container, 'EncryptedPackage') && CFB.find(container, 'EncryptionInfo')) return true;
    const stream = CFB.find(container, 'Workbook') ?? CFB.find(container, 'Book');
    if (!stream?.content) return false;
    const content = Buffer.from(stream.content);
    let at = content.readUInt16LE(0) === BOF ? 4 + content.readUInt16LE(2) : content.length;
    if (content.readUInt16LE(at) === WRITE_PROTECT) at += 4 + content.readUInt16LE(at + 2);
    return content.readUInt16LE(at) === FILE_PASS;
  } catch {
    return false;
  }
}

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
  } catch {
    if (isProtected(bytes)) return { why: 'protected' };
    return { why: bytes[0] === OLE && bytes.length >= LEAST_OLE ? 'damaged' : 'no-workbook' };
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
  const dates = [];
  for (const [at, cells] of (sheet['!data'] ?? []).entries()) {
    if (!cells) continue;
    const values = [];
    for (const [column, cell] of cells.entries()) {
      values.push(cell ? valueOf(cell) : null);
      if (cell?.f !== undefined || cell?.F !== undefined) formulas.push([at + 1, column]);
      else if (cell && isDate(cell)) dates.push([at + 1, column]);
    }
    if (at === 0 || values.some((value) => value !== null && value !== ''))
      rows.push({ row: at + 1, cells: values });
  }
  return { name, rows, formulas, dates };
}

parentPort?.on('message', (work) => {
  // Sent as text: receiving thousands of rows as objects blocks the server three times as long.
  parentPort?.postMessage(JSON.stringify(answer(work)), []);
  // The library keeps texts and formats of the last file until its next read; they would affect the next .xls.
  read(BLANK, { type: 'buffer' });
});
