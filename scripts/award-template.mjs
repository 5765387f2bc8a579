/**
 * Creates the template of the award list, `Template_Setup_DDMMYYYY.xls`, which the console serves: a real Excel 97
 * file whose ID cells are text, so that leading zeros are kept. Run this script when the columns change, and commit
 * the file.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { utils, write } from '@e965/xlsx';
import { root } from './tools.mjs';

const HEADER = ['Campus', 'Course', 'Course ID', 'Enrolled', 'Prof ID', 'Professor', 'Type'];
const WIDTHS = [10, 40, 24, 10, 14, 32, 12];
/** Rows ready to be filled in. */
const ROWS = 500;
const TEXT = [0, 1, 2, 4, 5, 6];

const sheet = utils.aoa_to_sheet([HEADER]);
sheet['!cols'] = WIDTHS.map((wch) => ({ wch }));
for (let row = 1; row <= ROWS; row++) {
  for (const column of TEXT) sheet[utils.encode_cell({ r: row, c: column })] = { t: 's', v: '', z: '@' };
}
sheet['!ref'] = utils.encode_range({ s: { r: 0, c: 0 }, e: { r: ROWS, c: HEADER.length - 1 } });
const book = utils.book_new();
utils.book_append_sheet(book, sheet, 'List');
const folder = join(root, 'apps/console/public');
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, 'Template_Setup_DDMMYYYY.xls'),
  write(book, { type: 'buffer', bookType: 'biff8' }),
);
