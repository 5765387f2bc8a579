import type { GroupPlan, PlannedGroup } from '@lms-admin/contract/groups';
import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import { groupNames, groupSisId, NEW_GROUP_STATUS } from '@lms-admin/domain/groups';
import { useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import type { RangeRow } from './course-work.ts';
import { Fate } from './Fate.tsx';
import { texts } from './texts.ts';

/** A row of the simulation; the outcome is null until the server has compared the row. */
type SimulatedGroup = Omit<PlannedGroup, 'fate'> & { fate: PlannedGroup['fate'] | null };

export interface GroupsTableProps {
  sisCourseId: string;
  ranges: readonly RangeRow[];
  plan: GroupPlan | null;
}

/** Number of rows above which the table can be searched and filtered. */
const MANY = 10;
const rowKey = (row: SimulatedGroup) => row.sis_group_id;

/** The simulation of groups (GRP-16, GRP-23): their names immediately, and then the outcome of each. */
export function GroupsTable({ sisCourseId, ranges, plan }: GroupsTableProps) {
  const rows = useMemo(
    (): readonly SimulatedGroup[] =>
      plan?.groups ??
      groupNames(ranges).map((name) => ({
        sis_group_id: groupSisId(sisCourseId, name),
        name,
        fate: null,
        why: null,
      })),
    [plan, ranges, sisCourseId],
  );
  const many = rows.length > MANY;
  const whys = rows.some(({ why }) => why !== null);
  const columns = useMemo(
    () => columnsOf(sisCourseId, many).filter(({ id }) => whys || id !== 'why'),
    [sisCourseId, many, whys],
  );
  return (
    <DataTable<SimulatedGroup, string>
      label={texts.groups.table}
      rows={rows}
      columns={columns}
      rowKey={rowKey}
      search={many}
      empty={texts.groups.needRow}
    />
  );
}

function columnsOf(sisCourseId: string, filters: boolean): readonly Column<SimulatedGroup>[] {
  const { columns } = groupEnrollmentMessages.groups;
  return [
    // The documented columns come first, in their documented order (GRP-16); the others follow.
    { id: 'course', header: columns.course, value: () => sisCourseId, width: '17%', minWidth: 160 },
    {
      id: 'id',
      header: columns.id,
      value: (row) => row.sis_group_id,
      kind: 'id',
      wrap: true,
      width: '24%',
      minWidth: 220,
    },
    { id: 'name', header: columns.name, value: (row) => row.name, minWidth: 124 },
    { id: 'status', header: columns.status, value: () => NEW_GROUP_STATUS, width: '96px', minWidth: 96 },
    {
      id: 'what',
      header: texts.column.what,
      value: (row) => (row.fate === null ? null : texts.groupFate[row.fate]),
      width: '200px',
      minWidth: 200,
      ...(filters ? { filter: 'choice' as const } : {}),
      cell: (row) =>
        row.fate === null ? (
          texts.groups.checking
        ) : (
          <Fate fate={row.fate} words={texts.groupFate[row.fate]} />
        ),
    },
    {
      id: 'why',
      header: texts.column.why,
      value: (row) => row.why,
      wrap: true,
      width: '26%',
      minWidth: 280,
    },
  ];
}
