import { DOING } from '@lms-admin/domain/sis-effect';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useCallback, useMemo, useState } from 'react';
import { useSettings } from '../../api/queries.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { StopIcon } from '../../components/Icons.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { useSettled } from '../../components/useSettled.ts';
import { EffectFields, EffectSearch, MoreRows, noteHeight } from './EffectPieces.tsx';
import { type CourseLine, courseKey, doings, type EffectLine, placeOf } from './effect-tree.ts';
import { type EffectPart, noteOf, partLabel } from './effect-words.ts';
import { InLms } from './InLms.tsx';
import { texts } from './texts.ts';
import { useEffectCourses, useFoundRows } from './useEffectCourses.ts';

const { courses: words, rows: rowWords } = texts.review;
const NONE: readonly EffectLine[] = [];
const rowKey = ({ key }: EffectLine) => key;
const childRows = (line: EffectLine) => (line.is === 'course' ? line.below : NONE);
const childCount = (line: EffectLine) => (line.is === 'course' ? line.rows : 0);
const rowLabel = (line: EffectLine) =>
  line.is === 'course'
    ? (line.of.name ?? line.of.id)
    : line.is === 'row'
      ? (line.row.of.name ?? line.row.of.id)
      : words.moreRows;
const HEIGHT = 520;
/** Three lines: a course can have several changes, and a reason is a sentence. */
const ROW_HEIGHT = 60;
/** Number of rows and courses up to which no search is needed. */
const FEW = 10;

export interface EffectCoursesProps {
  file: string;
  createdAt: string;
  /** The total number of rows. */
  rows: number;
  /** Only rows with one kind of change; null for all rows. */
  part: EffectPart | null;
  /** Whether the rows come from the files of a zip. */
  zip: boolean;
}

/**
 * The enrolments in the form used by Course Enrollment: courses with removals first, each with the changes for its
 * people below.
 */
export function EffectCourses({ file, createdAt, rows, part, zip }: EffectCoursesProps) {
  const lms = useSettings()?.lms_url ?? null;
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  const settled = useSettled(typed);
  if (settled && text !== typed.trim()) setText(typed.trim());
  const of = useMemo(() => ({ file, createdAt, does: part?.does ?? null }), [file, createdAt, part?.does]);
  const { query, lines, all, fetchRows, rowsError, retryRows } = useEffectCourses(of);
  const found = useFoundRows(of, text);
  const looking = text !== '';
  const columns = useMemo(() => columnsOf(lms, zip, fetchRows), [lms, zip, fetchRows]);
  const open = useCallback(
    (key: string) => {
      const place = placeOf(key);
      if (place !== null) fetchRows(place, 0);
    },
    [fetchRows],
  );
  const shown: readonly CourseLine[] = looking ? found.lines : lines;
  const searched = looking ? found.query : query;
  const loading = searched.isPending;
  const height = useMemo(() => {
    const rows = shown.flatMap(({ below }) => below.flatMap((line) => (line.is === 'row' ? line.row : [])));
    return Math.max(ROW_HEIGHT, noteHeight(rows, 1));
  }, [shown]);
  const opened = useMemo(
    () => new Set(looking ? shown.map(({ key }) => key) : shown.slice(0, 1).map(({ key }) => key)),
    [looking, shown],
  );
  if (searched.error !== null && !searched.isFetching)
    return <ErrorState error={searched.error} title={words.failed} onRetry={() => void searched.refetch()} />;
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)', justifyItems: 'start' }}>
      {(rows > FEW || typed !== '') && <EffectSearch typed={typed} onTyped={setTyped} />}
      {rowsError !== null && <ErrorState error={rowsError} title={rowWords.failed} onRetry={retryRows} />}
      <Box sx={{ width: '100%', minWidth: 0 }}>
        <DataTable<EffectLine, string>
          // Opened rows belong to the displayed list: another list starts without them.
          key={loading ? 'loading' : looking ? `${text} ${found.lines.length}` : courseKey(-1)}
          label={part === null ? words.label : partLabel(part)}
          rows={shown}
          columns={columns}
          rowKey={rowKey}
          rowLabel={rowLabel}
          childRows={childRows}
          childCount={childCount}
          defaultOpen={opened}
          onOpen={open}
          height={HEIGHT}
          rowHeight={height}
          loading={loading}
          counts={words.counts}
          empty={rowWords.none}
        />
      </Box>
      {looking
        ? found.shown < found.all && (
            <MoreRows
              shown={rowWords.shown(found.shown, found.all)}
              label={rowWords.more}
              disabled={searched.isFetching}
              onMore={() => void searched.fetchNextPage()}
            />
          )
        : lines.length < all && (
            <MoreRows
              shown={words.shown(lines.length, all)}
              label={words.more}
              disabled={searched.isFetching}
              onMore={() => void searched.fetchNextPage()}
            />
          )}
    </Box>
  );
}

const plain = { sortable: false, searchable: false, wrap: true } as const;

function columnsOf(
  lms: string | null,
  zip: boolean,
  onMore: (place: number, shown: number) => void,
): Column<EffectLine>[] {
  return [
    {
      id: 'name',
      header: words.name,
      value: (line) => (line.is === 'more' ? rowWords.shown(line.shown, line.all) : rowLabel(line)),
      cell: (line, tabIndex) => <Name line={line} lms={lms} tabIndex={tabIndex} onMore={onMore} />,
      minWidth: 250,
      width: '34%',
      ...plain,
    },
    {
      id: 'role',
      header: words.role,
      value: (line) =>
        line.is === 'row'
          ? [line.row.role, line.row.section].filter(Boolean).join(', ') || null
          : line.is === 'course'
            ? line.term
            : '',
      minWidth: 130,
      width: '17%',
      ...plain,
    },
    {
      id: 'does',
      header: words.does,
      value: (line) =>
        line.is === 'course'
          ? doings(line.does)
              .map(({ does, rows }) => words.doing(rows, DOING[does]))
              .join(', ')
          : line.is === 'row'
            ? DOING[line.row.does]
            : '',
      cell: (line) => <Does line={line} />,
      minWidth: 150,
      width: '18%',
      ...plain,
    },
    {
      id: 'changes',
      header: rowWords.columns.changes,
      value: (line) =>
        line.is === 'row'
          ? [...line.row.fields.map((field) => rowWords.field(...field)), noteOf(line.row)]
              .filter(Boolean)
              .join('; ') || null
          : '',
      cell: (line) =>
        line.is === 'row' && (line.row.fields.length > 0 || noteOf(line.row) !== '') ? (
          <>
            <EffectFields row={line.row} />
            {noteOf(line.row)}
          </>
        ) : null,
      minWidth: 190,
      ...plain,
    },
    ...(zip
      ? [
          {
            id: 'file',
            header: rowWords.columns.file,
            value: (line: EffectLine) => (line.is === 'row' ? line.row.file : ''),
            width: '140px',
            minWidth: 120,
            ...plain,
          },
        ]
      : []),
    {
      id: 'row',
      header: rowWords.columns.row,
      value: (line) => (line.is === 'row' ? line.row.row : line.is === 'course' ? words.rows(line.rows) : ''),
      width: '92px',
      minWidth: 84,
      ...plain,
    },
  ];
}

interface NameProps {
  line: EffectLine;
  lms: string | null;
  tabIndex: number;
  onMore: (place: number, shown: number) => void;
}

function Name({ line, lms, tabIndex, onMore }: NameProps) {
  if (line.is === 'row') return <InLms object={line.row.of} lms={lms} tabIndex={tabIndex} />;
  if (line.is === 'course') return <InLms object={line.of} lms={lms} tabIndex={tabIndex} />;
  const { place, shown, all } = line;
  if (shown === 0) return <output>{words.loading}</output>;
  return (
    <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      {rowWords.shown(shown, all)}
      <Button
        size="small"
        variant="outlined"
        color="inherit"
        tabIndex={tabIndex}
        onClick={() => onMore(place, shown)}
      >
        {rowWords.more}
      </Button>
    </Box>
  );
}

/** A change, with an icon before it if it removes anything. */
function Does({ line }: { line: EffectLine }) {
  if (line.is === 'more') return null;
  const doneWords = line.is === 'course' ? doings(line.does) : doings({ [line.row.does]: 1 });
  // One below the other, because a row has three lines.
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {doneWords.map(({ does, rows, dangerous }, at) => (
        <Box
          component="li"
          key={does}
          sx={{ display: 'inline', ...(dangerous && { color: 'error.main', fontWeight: 620 }) }}
        >
          {dangerous && <StopIcon size={14} style={{ verticalAlign: '-2px', marginInlineEnd: 4 }} />}
          {line.is === 'course' ? words.doing(rows, DOING[does]) : DOING[does]}
          {at < doneWords.length - 1 && ' · '}
        </Box>
      ))}
    </Box>
  );
}
