import type { SystemWork } from '@lms-admin/contract/system';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { Link as RouterLink } from 'react-router';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { toolName } from '../../components/Job/job-words.ts';
import { texts } from './texts.ts';
import { useMoment } from './useMoment.ts';

type Moment = (at: number | null) => string;

interface ListedProps<Row extends object> {
  title: string;
  /** Text shown in place of a table without rows. */
  none: string;
  /** An explanation of the rows. */
  about?: string;
  rows: readonly Row[];
  columnsOf: (moment: Moment) => readonly Column<Row>[];
  rowKey: (row: Row) => string;
}

function Listed<Row extends object>({ title, none, about, rows, columnsOf, rowKey }: ListedProps<Row>) {
  const moment = useMoment();
  const columns = useMemo(() => columnsOf(moment), [columnsOf, moment]);
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="h3">{title}</Typography>
      {rows.length === 0 ? (
        <Typography color="textSecondary">{none}</Typography>
      ) : (
        <>
          {about !== undefined && <Typography>{about}</Typography>}
          <DataTable<Row, string> label={title} rows={rows} columns={columns} rowKey={rowKey} empty={none} />
        </>
      )}
    </Box>
  );
}

type Open = SystemWork['open'][number];
const openKey = ({ kind, state }: Open) => `${kind} ${state}`;

function openColumns(moment: Moment): readonly Column<Open>[] {
  const names = texts.openColumns;
  return [
    { id: 'kind', header: names.kind, value: ({ kind }) => kind, minWidth: 150 },
    { id: 'state', header: names.state, value: ({ state }) => texts.jobStates[state] },
    { id: 'jobs', header: names.jobs, value: ({ jobs }) => jobs, kind: 'number' },
    {
      id: 'oldest',
      header: names.oldest,
      value: ({ oldest }) => oldest,
      cell: ({ oldest }) => moment(oldest),
      minWidth: 150,
    },
  ];
}

/** Jobs that have not ended, by kind and state. */
export function OpenJobs({ rows }: { rows: readonly Open[] }) {
  return (
    <Listed title={texts.open} none={texts.noneOpen} rows={rows} columnsOf={openColumns} rowKey={openKey} />
  );
}

type SignIn = SystemWork['signIns'][number];
const signInKey = ({ login }: SignIn) => login;

function signInColumns(moment: Moment): readonly Column<SignIn>[] {
  const names = texts.signInColumns;
  return [
    {
      id: 'who',
      header: names.who,
      value: ({ name, login }) => `${name} (${login})`,
      wrap: true,
      minWidth: 200,
    },
    { id: 'jobs', header: names.jobs, value: ({ jobs }) => jobs, kind: 'number' },
    {
      id: 'since',
      header: names.since,
      value: ({ since }) => since,
      cell: ({ since }) => moment(since),
      minWidth: 150,
    },
    {
      id: 'until',
      header: names.until,
      value: ({ until }) => until,
      cell: ({ until }) => moment(until),
      minWidth: 150,
    },
  ];
}

/** People whose work waits until they sign in. */
export function SignIns({ rows }: { rows: readonly SignIn[] }) {
  const { signIns, noneSignIn, signInsNext } = texts;
  return (
    <Listed
      title={signIns}
      none={noneSignIn}
      about={signInsNext}
      rows={rows}
      columnsOf={signInColumns}
      rowKey={signInKey}
    />
  );
}

type Wait = SystemWork['waits'][number];
const waitKey = ({ why }: Wait) => why;

function waitColumns(moment: Moment): readonly Column<Wait>[] {
  const names = texts.waitColumns;
  return [
    { id: 'why', header: names.why, value: ({ why }) => why, wrap: true, minWidth: 240 },
    { id: 'jobs', header: names.jobs, value: ({ jobs }) => jobs, kind: 'number' },
    {
      id: 'since',
      header: names.since,
      value: ({ since }) => since,
      cell: ({ since }) => moment(since),
      minWidth: 150,
    },
  ];
}

/** Work that waits until an outside system answers, or accepts the keys of LMS Admin. */
export function Waits({ rows }: { rows: readonly Wait[] }) {
  const { waits, noneWaits, waitsNext } = texts;
  return (
    <Listed
      title={waits}
      none={noneWaits}
      about={waitsNext}
      rows={rows}
      columnsOf={waitColumns}
      rowKey={waitKey}
    />
  );
}

type Failed = SystemWork['failed'][number];
const nameOf = (tool: string) => toolName(tool, { 'award-import': texts.awardImport });
const failedKey = ({ id }: Failed) => id;

function failedColumns(moment: Moment): readonly Column<Failed>[] {
  const names = texts.failedColumns;
  return [
    {
      id: 'what',
      header: names.what,
      value: ({ tool }) => nameOf(tool),
      cell: (one, tabIndex) => <ToActivity one={one} tabIndex={tabIndex} />,
      minWidth: 180,
    },
    { id: 'kind', header: names.kind, value: ({ kind }) => kind },
    { id: 'when', header: names.when, value: ({ at }) => at, cell: ({ at }) => moment(at), minWidth: 150 },
  ];
}

/** Link to the details in Activity, for those who can see them. */
function ToActivity({ one: { id, tool }, tabIndex }: { one: Failed; tabIndex: number }) {
  const name = nameOf(tool);
  return (
    <Link
      component={RouterLink}
      to={`${ACTIVITY_PATH}/${id}`}
      tabIndex={tabIndex}
      aria-label={texts.toActivity(name)}
    >
      {name}
    </Link>
  );
}

/** Recently failed jobs, newest first. */
export function FailedJobs({ rows }: { rows: readonly Failed[] }) {
  const { failedJobs, noneFailed } = texts;
  return (
    <Listed title={failedJobs} none={noneFailed} rows={rows} columnsOf={failedColumns} rowKey={failedKey} />
  );
}
