import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { importRow, type SisImport } from '@lms-admin/contract/imports';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { z } from 'zod';
import { getAnswer } from '../../api/client.ts';
import { DataTable } from '../DataTable/DataTable.tsx';
import type { Column } from '../DataTable/types.ts';
import { ErrorState } from '../States/ErrorState.tsx';
import { DownloadIcon } from '../WorkIcons.tsx';
import { RowMessageDialog } from './RowMessageDialog.tsx';
import { enteredRow, filesToCorrect, type NumberedRow, numberedRow } from './row-messages.ts';
import { texts } from './texts.ts';

const rowKey = (one: NumberedRow) => one.key;
const list = z.array(importRow);

/**
 * The LMS's messages about individual rows, beside the rows as the administrator sent them: 100 at a time, and
 * all of them as a file to correct and upload again.
 */
export function ImportMessages({ id, tool }: Pick<SisImport, 'id' | 'tool'>) {
  const { query, rows } = useRows(id, tool === 'create-users');
  const [shown, setShown] = useState<NumberedRow | null>(null);
  const [open, setOpen] = useState(false);
  const show = useCallback((row: NumberedRow) => {
    setShown(row);
    setOpen(true);
  }, []);
  const inFiles = rows.some(({ file }) => file !== null);
  const columns = useMemo(() => columnsOf(inFiles, show), [inFiles, show]);
  if (query.isError && !query.isFetching)
    return (
      <ErrorState error={query.error} title={texts.messagesFailed} onRetry={() => void query.refetch()} />
    );
  return (
    <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="h3">{texts.messages}</Typography>
      <DataTable<NumberedRow, number>
        label={texts.messages}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        search={rows.length > 10}
        height={440}
        loading={query.isPending}
        empty={texts.noMessages}
        actions={
          query.hasNextPage ? (
            <Button
              size="small"
              variant="outlined"
              disabled={query.isFetching}
              onClick={() => void query.fetchNextPage()}
            >
              {texts.more}
            </Button>
          ) : undefined
        }
      />
      <Downloads path={pathOf(ENDPOINTS.importFailedRows, id)} files={filesToCorrect(rows)} />
      {shown !== null && <RowMessageDialog open={open} row={shown} onClose={() => setOpen(false)} />}
    </Box>
  );
}

const pathOf = (endpoint: string, id: string) => endpoint.replace(':import', encodeURIComponent(id));

/** @param entered whether the rows were entered in a form, which has no header row to count */
function useRows(id: string, entered: boolean) {
  const query = useInfiniteQuery({
    queryKey: ['imports', id, 'rows'],
    initialPageParam: pathOf(ENDPOINTS.importRows, id),
    queryFn: ({ pageParam, signal }) => getAnswer(pageParam, list, { signal }),
    getNextPageParam: (last) => last.pagination.nextPage,
  });
  const rows = useMemo(
    () =>
      (query.data?.pages ?? [])
        .flatMap((page) => page.data)
        .map((one, key) =>
          numberedRow(entered && one.row !== null ? { ...one, row: enteredRow(one.row) } : one, key),
        ),
    [query.data, entered],
  );
  return { query, rows };
}

/** The rows as a CSV to correct; for a zip, one for each of its files. Nothing if no row needs to be corrected. */
function Downloads({ path, files }: { path: string; files: readonly (string | null)[] }) {
  if (files.length === 0) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {files.map((file) =>
        file === null ? (
          <Download key="" href={path} label={texts.downloadRows} />
        ) : (
          <Download
            key={file}
            href={`${path}?file=${encodeURIComponent(file)}`}
            label={texts.downloadRowsOf(file)}
          />
        ),
      )}
    </Box>
  );
}

function Download({ href, label }: { href: string; label: string }) {
  return (
    <Button
      component="a"
      href={href}
      download
      size="small"
      variant="outlined"
      color="inherit"
      startIcon={<DownloadIcon size={16} />}
      sx={{ whiteSpace: 'normal' }}
    >
      {label}
    </Button>
  );
}

function columnsOf(inFiles: boolean, onShow: (row: NumberedRow) => void): readonly Column<NumberedRow>[] {
  const file: Column<NumberedRow> = {
    id: 'file',
    header: texts.file,
    value: (one) => one.file,
    width: '128px',
    minWidth: 112,
    wrap: true,
  };
  return [
    ...(inFiles ? [file] : []),
    { id: 'row', header: texts.row, value: (one) => one.row, kind: 'number', width: '76px', minWidth: 64 },
    { id: 'message', header: texts.message, value: (one) => one.text, wrap: true, minWidth: 260 },
    {
      id: 'cells',
      header: texts.cells,
      value: (one) => one.compact,
      sortable: false,
      wrap: true,
      minWidth: 220,
    },
    {
      id: 'show',
      header: texts.details,
      value: () => null,
      sortable: false,
      searchable: false,
      width: '88px',
      minWidth: 88,
      cell: (one) => (
        <Button
          size="small"
          aria-label={texts.showRow(one.row)}
          onClick={() => onShow(one)}
          sx={{ ml: -1, minHeight: 30, px: 1 }}
        >
          {texts.show}
        </Button>
      ),
    },
  ];
}
