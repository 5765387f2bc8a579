/**
 * Import sources for rows of groups and members that were entered by hand: each is checked before anything is sent
 * (LMS-17, OP-43).
 */

import { MAX_MEMBER_ROWS } from '@lms-admin/contract/groups';
import { SUBMIT_TOOLS } from '@lms-admin/contract/tools';
import { csvText } from '@lms-admin/domain/csv';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { counted } from '@lms-admin/domain/numbers';
import { rowCheck } from '@lms-admin/domain/sis-row-rules';
import {
  formProblems,
  layoutColumns,
  perCell,
  type RowCheck,
  type SisProblem,
  shown,
  sisHeader,
} from '@lms-admin/domain/sis-rows';
import { type SisTable, sisTableFor, sisTableOf } from '@lms-admin/domain/sis-tables';
import { GROUP_MEMBERSHIPS } from '@lms-admin/domain/sis-tables/group-memberships';
import { GROUP_HEADER } from '@lms-admin/domain/sis-tables/groups';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { tooManyCsvRows } from '../imports/payload.ts';
import { RowProblems } from '../imports/row-problems.ts';
import { rowsByHand, rowsDoNotFit } from '../imports/rows-by-hand.ts';
import type { RowSource } from '../imports/sources.ts';
import type { ElsewhereServices } from './elsewhere.ts';
import { evaluateGroupRows } from './evaluate-groups.ts';
import { evaluateMemberRows } from './evaluate-members.ts';
import { TOOL } from './plan-parts.ts';

/** A row by column name. */
export type NamedRow<Column extends string> = Readonly<Record<Column, string>> & { row: number };

/** Problems by row number. */
export type Problems = ReadonlyMap<number, SisProblem>;

interface Kind<Column extends string> {
  table: SisTable;
  /** Columns of the header, in the documented order. */
  header: readonly Column[];
  tools: (typeof SUBMIT_TOOLS)['group-rows' | 'membership-rows'];
  label(rows: number): string;
  /** Checks that need the LMS. @throws CanvasError if it does not answer */
  judge(
    services: ElsewhereServices,
    admin: Admin,
    rows: readonly NamedRow<Column>[],
    signal: AbortSignal,
  ): Promise<Problems>;
}

/** Creates the sources for rows of groups and of group members. */
export function groupRowSources(services: ElsewhereServices): RowSource[] {
  return [
    source(services, {
      table: sisTableOf('group'),
      header: GROUP_HEADER,
      tools: SUBMIT_TOOLS['group-rows'],
      label: (rows) => `Create ${counted(rows, 'group')}`,
      judge: evaluateGroupRows,
    }),
    source(services, {
      table: sisTableOf('group_membership'),
      header: GROUP_MEMBERSHIPS.columns,
      tools: SUBMIT_TOOLS['membership-rows'],
      label: (rows) => counted(rows, 'row of group members', 'rows of group members'),
      judge: evaluateMemberRows,
    }),
  ];
}

function source<Column extends string>(services: ElsewhereServices, kind: Kind<Column>): RowSource {
  return {
    takes: (header) => sisTableFor(header)?.kind === kind.table.kind,

    async check(admin, csv, { signal = new AbortController().signal }) {
      requireTool(admin, ...kind.tools);
      const problems = new RowProblems(rowsDoNotFit);
      const report = problems.reportFor(null);
      const rows: NamedRow<Column>[] = [];
      let count = 0;
      let read: Reader<Column> | null = null;
      for await (const batch of rowsByHand(csv)) {
        for (const one of batch) {
          if (read === null) {
            read = readerFor(kind, one);
            continue;
          }
          if (++count > MAX_MEMBER_ROWS) throw tooManyCsvRows(MAX_MEMBER_ROWS);
          const wrong = read.check(one.cells);
          for (const { column, message } of wrong) report(one.row, column, message);
          if (wrong.length === 0) rows.push(read.named(one));
        }
      }
      if (count === 0) {
        throw rowsDoNotFit([{ row: 1, field: null, message: 'There are no rows below the header.' }]);
      }
      for (const [row, problem] of await kind.judge(services, admin, rows, signal)) {
        report(row, problem.column, problem.message);
      }
      problems.throwIfAny();
      const cells = rows.map((row) => kind.header.map((column) => row[column]));
      return {
        tool: TOOL,
        label: kind.label(rows.length),
        rows: rows.length,
        texts: [csvText([kind.header, ...cells])],
      };
    },

    async recheck(admin, stored, signal) {
      requireTool(admin, ...kind.tools);
      const rows: NamedRow<Column>[] = [];
      let read: Reader<Column> | null = null;
      for await (const batch of stored()) {
        for (const one of batch) {
          if (read === null) read = readerFor(kind, one);
          else rows.push(read.named(one));
        }
      }
      const uncached = { ...services, scope: services.scope.withoutCache() };
      const problems = await kind.judge(uncached, admin, rows, signal);
      return ({ row }) => problems.get(row)?.message ?? null;
    },
  };
}

interface Reader<Column extends string> {
  check: RowCheck;
  named(row: CsvRow): NamedRow<Column>;
}

/** @throws AppError bad-request if the header is not the documented one */
function readerFor<Column extends string>(
  { table, header }: Kind<Column>,
  { row, cells }: CsvRow,
): Reader<Column> {
  const places = layoutColumns(cells, header);
  if (places === null) {
    const message = `The first row should be ${header.join(',')} (in any order), not ${shown(cells.join(','))}.`;
    throw rowsDoNotFit([{ row, field: null, message }]);
  }
  const names = sisHeader(cells);
  const ofTable = rowCheck(table, names);
  return {
    check(values) {
      if (values.length === names.length)
        return perCell([formProblems(values, names, table), ofTable(values)]);
      const message = `The row has ${values.length} cells. It should have as many as the header.`;
      return [{ column: null, message }];
    },
    named: (one) => {
      const entries = header.map((column) => [column, one.cells[places.get(column) ?? -1] ?? '']);
      return { ...(Object.fromEntries(entries) as Record<Column, string>), row: one.row };
    },
  };
}
