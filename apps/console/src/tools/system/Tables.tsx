import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  type SystemErrors,
  type SystemKept,
  type SystemOutside,
  type SystemStorage,
  systemErrors,
  systemKept,
  systemOutside,
  systemStorage,
} from '@lms-admin/contract/system';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { Facts } from '../../components/Facts.tsx';
import { sizeOf } from '../../components/size-of.ts';
import { Part, QueryPart } from './Part.tsx';
import { texts } from './texts.ts';
import { useMoment } from './useMoment.ts';
import { usePart } from './useSystem.ts';

type Outside = SystemOutside['systems'][number];
const outsideKey = ({ system }: Outside) => system;
const names = texts.outsideColumns;
const OUTSIDE: readonly Column<Outside>[] = [
  { id: 'system', header: names.system, value: ({ system }) => system, minWidth: 120 },
  { id: 'calls', header: names.calls, value: ({ calls }) => calls, kind: 'number' },
  {
    id: 'median',
    header: names.median,
    value: ({ median }) => median,
    cell: ({ median }) => texts.milliseconds(median),
    kind: 'number',
  },
  {
    id: 'slowest',
    header: names.slowest,
    value: ({ slowest }) => slowest,
    cell: ({ slowest }) => texts.milliseconds(slowest),
    kind: 'number',
  },
  { id: 'throttled', header: names.throttled, value: ({ throttled }) => throttled, kind: 'number' },
  { id: 'failed', header: names.failed, value: ({ failed }) => failed, kind: 'number' },
  { id: 'total', header: names.total, value: ({ total }) => total, kind: 'number', minWidth: 120 },
];

/** Recent answers of outside systems. */
export function OutsidePart() {
  const query = usePart(ENDPOINTS.systemOutside, systemOutside, { live: true });
  return (
    <Part title={texts.outside}>
      <QueryPart title={texts.outside} query={query}>
        {({ minutes, systems }) => (
          <>
            <Typography color="textSecondary">{texts.outsideAbout(minutes)}</Typography>
            <DataTable<Outside, string>
              label={texts.outsideTable}
              rows={systems}
              columns={OUTSIDE}
              rowKey={outsideKey}
              empty={texts.noneOutside}
            />
          </>
        )}
      </QueryPart>
    </Part>
  );
}

type Sized = SystemStorage['tables'][number];
const tableKey = ({ table }: Sized) => table;
const TABLES: readonly Column<Sized>[] = [
  { id: 'table', header: texts.tableColumns.table, value: ({ table }) => table },
  {
    id: 'size',
    header: texts.tableColumns.size,
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => sizeOf(bytes),
    kind: 'number',
  },
];

/** Storage in use. */
export function StoragePart() {
  const query = usePart(ENDPOINTS.systemStorage, systemStorage, { live: false });
  const facts = texts.storageFacts;
  return (
    <Part title={texts.storage}>
      <QueryPart title={texts.storage} query={query} lines={4}>
        {({ database, folder, files, images, tables }) => (
          <>
            <Facts
              label={texts.storage}
              facts={[
                [facts.database, sizeOf(database)],
                [facts.folder, sizeOf(folder)],
                [facts.files, texts.filesOf(files.number, sizeOf(files.bytes))],
                [facts.images, texts.imagesOf(images.number, sizeOf(images.bytes))],
              ]}
            />
            <DataTable<Sized, string>
              label={texts.tables}
              rows={tables}
              columns={TABLES}
              rowKey={tableKey}
              empty={texts.noTables}
              height={320}
            />
          </>
        )}
      </QueryPart>
    </Part>
  );
}

type Kept = SystemKept['kinds'][number];
const keptKey = ({ kind }: Kept) => kind;

/** When each kind of data is next deleted. */
export function KeptPart() {
  const query = usePart(ENDPOINTS.systemKept, systemKept, { live: false });
  const moment = useMoment();
  const columns = useMemo<Column<Kept>[]>(() => {
    const of = texts.keptColumns;
    return [
      { id: 'kind', header: of.kind, value: ({ kind }) => kind, minWidth: 160 },
      { id: 'rule', header: of.rule, value: (one) => texts.rule(one), minWidth: 150 },
      { id: 'number', header: of.number, value: ({ number }) => number, kind: 'number' },
      {
        id: 'next',
        header: of.next,
        value: ({ next }) => next,
        cell: ({ next }) => moment(next),
        minWidth: 150,
      },
    ];
  }, [moment]);
  return (
    <Part title={texts.kept} about={texts.keptAbout}>
      <QueryPart title={texts.kept} query={query} lines={4}>
        {({ kinds }) => (
          <DataTable<Kept, string>
            label={texts.keptTable}
            rows={kinds}
            columns={columns}
            rowKey={keptKey}
            empty={texts.noneKept}
            height={320}
          />
        )}
      </QueryPart>
    </Part>
  );
}

type Trouble = SystemErrors['errors'][number];
const troubleKey = ({ at, message, requestId }: Trouble) => `${at} ${requestId} ${message}`;

/** Failures that this server has logged. */
export function ErrorsPart() {
  const query = usePart(ENDPOINTS.systemErrors, systemErrors, { live: true });
  const moment = useMoment();
  const columns = useMemo<Column<Trouble>[]>(() => {
    const of = texts.errorColumns;
    return [
      { id: 'when', header: of.when, value: ({ at }) => at, cell: ({ at }) => moment(at), minWidth: 150 },
      { id: 'level', header: of.level, value: ({ level }) => texts.levels[level] },
      { id: 'what', header: of.what, value: ({ message }) => message, wrap: true, minWidth: 240 },
      { id: 'type', header: of.type, value: ({ type }) => type },
      { id: 'request', header: of.request, value: ({ requestId }) => requestId, minWidth: 160 },
    ];
  }, [moment]);
  return (
    <Part title={texts.errors} about={texts.errorsAbout}>
      <QueryPart title={texts.errors} query={query}>
        {({ errors }) =>
          errors.length === 0 ? (
            <Typography color="textSecondary">{texts.noneErrors}</Typography>
          ) : (
            <DataTable<Trouble, string>
              label={texts.errorTable}
              rows={errors}
              columns={columns}
              rowKey={troubleKey}
              empty={texts.noneErrors}
              height={320}
            />
          )
        }
      </QueryPart>
    </Part>
  );
}
