import type { SisFile } from '@lms-admin/contract/sis-files';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { texts } from './texts.ts';

type Person = NonNullable<SisFile['effect']['people']>['named'][number];
type Idle = SisFile['effect']['idle']['named'][number];
type Keyed<T> = T & { key: number };

const { people, idle, ofFile } = texts.review;
const HEIGHT = 300;
const rowKey = ({ key }: { key: number }) => key;
const keyed = <T extends object>(rows: readonly T[]): Keyed<T>[] => rows.map((one, key) => ({ ...one, key }));
const place = { width: '96px', minWidth: 96, wrap: true } as const;

const personColumns: readonly Column<Keyed<Person>>[] = [
  { id: 'row', header: people.columns.row, value: ({ file, row }) => ofFile(file, row), ...place },
  { id: 'name', header: people.columns.name, value: (one) => one.name, minWidth: 160, wrap: true },
  { id: 'does', header: people.columns.does, value: (one) => people.does[one.does], minWidth: 140 },
  { id: 'id', header: people.columns.id, value: (one) => one.sis_user_id, kind: 'id', minWidth: 120 },
  { id: 'login', header: people.columns.login, value: (one) => one.login || null, minWidth: 220 },
];

const idleColumns: readonly Column<Keyed<Idle>>[] = [
  { id: 'row', header: idle.columns.row, value: ({ file, row }) => ofFile(file, row), ...place },
  { id: 'why', header: idle.columns.why, value: (one) => one.message, wrap: true, minWidth: 236 },
];

/** The people of the file whom the LMS knows already: what happens to them cannot be taken back by a press. */
export function ExistingPeople({ file }: { file: SisFile }) {
  const found = file.effect.people;
  const rows = useMemo(() => keyed(found?.named ?? []), [found]);
  if (found === null || found.existing === 0) return null;
  return (
    <Notice tone="warning" title={people.title(found.existing)}>
      <Typography>
        {people.text} {rows.length < found.existing && people.first(rows.length)}
      </Typography>
      <Box sx={{ width: '100%', minWidth: 0 }}>
        <DataTable<Keyed<Person>, number>
          label={people.label}
          rows={rows}
          columns={personColumns}
          rowKey={rowKey}
          height={HEIGHT}
          empty=""
        />
      </Box>
    </Notice>
  );
}

/** Rows that would be sent for nothing, with the reason of each. */
export function IdleRows({ file }: { file: SisFile }) {
  const found = file.effect.idle;
  const rows = useMemo(() => keyed(found.named), [found]);
  if (found.rows === 0) return null;
  return (
    <Notice tone="warning" title={idle.title(found.rows)}>
      <Typography>
        {idle.text} {rows.length < found.rows && idle.first(rows.length)}
      </Typography>
      <Box sx={{ width: '100%', minWidth: 0 }}>
        <DataTable<Keyed<Idle>, number>
          label={idle.label}
          rows={rows}
          columns={idleColumns}
          rowKey={rowKey}
          height={HEIGHT}
          empty=""
        />
      </Box>
    </Notice>
  );
}
