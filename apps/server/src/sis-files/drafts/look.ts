/** Looks a draft through: what the file is, which groups of problems it has, which rows have them. */
import { type DraftRow, MOST_DRAFT_ROWS } from '@lms-admin/contract/sis-drafts';
import { type CsvRow, type Delimiter } from '@lms-admin/domain/csv-reader';
import type { Mending } from '@lms-admin/domain/sis-mending';
import { sisHeader } from '@lms-admin/domain/sis-rows';
import { sisTableFor } from '@lms-admin/domain/sis-tables';
import type { SisDraftSummary } from '../../platform/schema.ts';
import { storable } from '../../platform/text.ts';
import type { Found, GroupedProblems } from './grouped-problems.ts';

/** Columns of which cells can be corrected; the widest table has some twenty. */
const MOST_WIDE = 150;
/** Longest cell that is shown, and longest value that is offered to be replaced everywhere. */
const MOST_SHOWN = 2_000;
/** Characters of all listed rows: a hundred of them travel at once. */
const MOST_LISTED_CHARACTERS = 16_000_000;
const SAMPLE_ROWS = 10;
const MOST_FIRST = 5;
const MOST_VALUES = 20;
const MOST_DIFFERENT = 1_000;
/** What a column of passwords may be called, whatever the file is taken for. */
const SECRET = /passw|passphrase|pwd|secret|kennwort|contraseñ|mot.?de.?passe/i;

export type FileShape = SisDraftSummary['shape'];

/** Reads a file once. @returns null when it has no header @throws BadCsv */
export async function shapeOf(rows: AsyncIterable<CsvRow[]>): Promise<FileShape | null> {
  let shape: FileShape | null = null;
  for await (const batch of rows) {
    for (const { row, cells } of batch) {
      if (shape === null) {
        const header = cells.map(storable);
        while (header.length > 0 && header.at(-1) === '') header.pop();
        shape = { header, headerRow: row, width: header.length, lastRow: row, rows: 0 };
        continue;
      }
      shape.rows++;
      shape.lastRow = row;
      let filled = cells.length;
      while (filled > shape.width && cells[filled - 1] === '') filled--;
      if (filled > shape.width) shape.width = Math.min(filled, MOST_WIDE);
    }
  }
  if (shape) shape.width = Math.max(shape.header.length, shape.width);
  return shape;
}

interface Group {
  rows: number;
  first: number[];
  values: Map<string, number>;
  different: number;
  /** What its rows say, as long as all of them say the same. */
  said: string | null;
}

export interface Looked {
  summary: SisDraftSummary;
  /** Rows with problems, as lines of JSON. */
  lines: string[];
}

/**
 * Goes through the mended rows, with what was found in them.
 * @param late is kept as it is
 */
export async function look(
  rows: AsyncIterable<CsvRow[]>,
  mending: Mending,
  problems: GroupedProblems,
  file: { shape: FileShape; delimiter: Delimiter; late: SisDraftSummary['late'] },
): Promise<Looked> {
  const { shape, delimiter, late } = file;
  const names = mending.names(shape.header);
  const sent = sisHeader(mending.sentHeader(shape.header));
  const table = sisTableFor(sent);
  const secret = names.map(
    (name, at) =>
      (SECRET.test(shape.header[at] ?? name) && !/notif/i.test(name)) ||
      (table?.secret ?? []).includes(name.trim().toLowerCase()),
  );
  const place = new Map(names.map((name, at) => [name.trim().toLowerCase(), at] as const).toReversed());
  const columnOf = problems.kinds.map(({ column }) => (column === null ? null : (place.get(column) ?? null)));
  const groups = problems.kinds.map(
    (): Group => ({
      rows: 0,
      first: [],
      values: new Map(),
      different: 0,
      said: null,
    }),
  );
  const shown = (cell: string, at: number) =>
    secret[at] && cell !== ''
      ? '••••'
      : storable(cell.length > MOST_SHOWN ? `${cell.slice(0, MOST_SHOWN)}…` : cell);

  const header: SisDraftSummary['draft']['header'] = [];
  const found = problems.inOrder();
  let next = found.next();
  for (; !next.done && next.value.row <= shape.headerRow; next = found.next()) {
    header.push({
      column: problems.kinds[next.value.kind]?.column ?? null,
      message: problems.messageOf(next.value),
    });
  }

  const sample: string[][] = [];
  const lines: string[] = [];
  let listed = 0;
  let wrong = 0;
  let leftOut = 0;
  let begun = false;
  for await (const batch of rows) {
    for (const { row, cells } of batch) {
      if (!begun) {
        begun = true;
        continue;
      }
      if (mending.leavesOut(row)) {
        leftOut++;
        continue;
      }
      if (sample.length < SAMPLE_ROWS) sample.push(mending.cells(row, cells).map(shown));
      while (!next.done && next.value.row < row) next = found.next();
      if (next.done || next.value.row !== row) continue;
      const mended = mending.cells(row, cells);
      const those: Found[] = [];
      for (; !next.done && next.value.row === row; next = found.next()) those.push(next.value);
      wrong++;
      for (const one of those) {
        const at = columnOf[one.kind] ?? null;
        const value = at === null || secret[at] ? null : (mended[at] ?? '');
        note(groups[one.kind] as Group, row, value, problems.messageOf(one));
      }
      if (lines.length >= MOST_DRAFT_ROWS || listed > MOST_LISTED_CHARACTERS) continue;
      const line = JSON.stringify({
        row,
        cells: mended.map(shown),
        problems: those.map((one) => ({
          column: columnOf[one.kind] ?? null,
          group: one.kind,
          message: problems.messageOf(one),
        })),
      } satisfies DraftRow);
      listed += line.length;
      lines.push(line);
    }
  }
  return {
    lines,
    summary: {
      draft: {
        kind: table?.kind ?? null,
        rows: shape.rows - leftOut,
        left_out: leftOut,
        columns: names.map((name, at) => ({
          header: storable((shape.header[at] ?? '').slice(0, 200)),
          name: storable(name.trim().toLowerCase().slice(0, 200)),
          added: at >= shape.width,
          secret: secret[at] ?? false,
        })),
        sample,
        header: header.slice(0, 100),
        groups: groups
          .map((group, id) => ({
            id,
            column: columnOf[id] ?? null,
            name: storable(problems.kinds[id]?.column ?? ''),
            message: group.said ?? problems.kinds[id]?.message ?? '',
            rows: group.rows,
            first: group.first,
            values: [...group.values]
              .sort((a, b) => b[1] - a[1])
              .slice(0, MOST_VALUES)
              .map(([value, count]) => ({ value, rows: count })),
            different: group.different,
          }))
          .filter((group) => group.rows > 0)
          .sort((a, b) => b.rows - a.rows),
        wrong,
        listed: lines.length,
      },
      delimiter,
      shape,
      late,
    },
  };
}

/** @param value null where it is nobody's to see */
function note(group: Group, row: number, value: string | null, message: string): void {
  group.said = group.rows === 0 || group.said === message ? message : null;
  group.rows++;
  if (group.first.length < MOST_FIRST) group.first.push(row);
  // What cannot be told apart from the outside cannot be replaced by its value.
  if (value === null || value.length > MOST_SHOWN || value !== storable(value)) return;
  const known = group.values.get(value);
  if (known === undefined && group.values.size >= MOST_DIFFERENT) return;
  if (known === undefined) group.different++;
  group.values.set(value, (known ?? 0) + 1);
}
