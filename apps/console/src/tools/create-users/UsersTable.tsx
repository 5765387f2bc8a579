import { createUsersMessages } from '@lms-admin/contract/messages/create-users';
import { USER_HEADER, type UserCells, type UserColumn, userCells } from '@lms-admin/domain/new-users';
import { useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { isBlank, type UserRow } from './create-users-state.ts';
import { texts } from './texts.ts';

interface PreviewRow extends UserCells {
  id: number;
}

const WIDTHS: Readonly<Record<UserColumn, number>> = {
  user_id: 128,
  integration_id: 136,
  login_id: 300,
  first_name: 136,
  last_name: 136,
  sortable_name: 200,
  short_name: 200,
  email: 300,
  status: 84,
};

const columns: readonly Column<PreviewRow>[] = USER_HEADER.map((name) => ({
  id: name,
  header: createUsersMessages.columns[name],
  value: (row) => row[name],
  minWidth: WIDTHS[name],
  width: `${WIDTHS[name]}px`,
}));
const rowKey = (row: PreviewRow) => row.id;

/** The people as they will be sent to the LMS (CU-06, CU-07). */
export function UsersTable({ rows, label }: { rows: readonly UserRow[]; label: string }) {
  const shown = useMemo(
    () =>
      rows.filter((row) => !isBlank(row)).map((row): PreviewRow => ({ ...previewCells(row), id: row.id })),
    [rows],
  );
  return (
    <DataTable<PreviewRow, number>
      label={label}
      rows={shown}
      columns={columns}
      rowKey={rowKey}
      search={shown.length > 10}
      empty={texts.previewEmpty}
    />
  );
}

/** Avoids a stray comma or space in an incomplete name. */
function previewCells(row: UserRow): UserCells {
  const cells = userCells(row);
  const whole = cells.first_name !== '' && cells.last_name !== '';
  return whole ? cells : { ...cells, sortable_name: '', short_name: '' };
}
