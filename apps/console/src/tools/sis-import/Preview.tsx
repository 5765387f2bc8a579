import type { SisFilePart } from '@lms-admin/contract/sis-files';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import InputLabel from '@mui/material/InputLabel';
import NativeSelect from '@mui/material/NativeSelect';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { texts } from './texts.ts';

interface PreviewRow {
  /** Place among the rows shown, from 0. */
  key: number;
  cells: readonly string[];
}
const rowKey = (row: PreviewRow) => row.key;

export interface PreviewProps {
  part: SisFilePart;
  /** Place of the file among all of them, from 0. */
  place: number;
  /** Names of all files to choose from; none for a single file. */
  names: readonly string[];
  onChoose: (place: number) => void;
}

/** The first rows of a file, under the names of its own columns. */
export function Preview({ part, place, names, onChoose }: PreviewProps) {
  const columns = useMemo(() => part.header.map((name, at) => column(part, name, at)), [part]);
  const rows = useMemo(() => part.preview.map((cells, key): PreviewRow => ({ key, cells })), [part]);
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'end', justifyContent: 'space-between' }}
      >
        <Box>
          <Typography variant="h3">{texts.review.preview(texts.kinds[part.kind])}</Typography>
          <Typography variant="body2" color="textSecondary">
            {texts.review.previewNote(part.preview.length, part.rows)}
          </Typography>
        </Box>
        {names.length > 1 && (
          <FormControl variant="standard" sx={{ minWidth: 200, maxWidth: '100%' }}>
            <InputLabel htmlFor="sis-preview-file">{texts.review.previewOf}</InputLabel>
            <NativeSelect
              value={place}
              inputProps={{ id: 'sis-preview-file' }}
              onChange={(event) => onChoose(Number(event.target.value))}
            >
              {names.map((name, at) => (
                // Two folders of a zip may hold files of one name.
                // oxlint-disable-next-line react/no-array-index-key
                <option key={at} value={at}>
                  {name}
                </option>
              ))}
            </NativeSelect>
          </FormControl>
        )}
      </Box>
      <DataTable<PreviewRow, number>
        key={place}
        label={texts.review.preview(texts.kinds[part.kind])}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        empty={texts.review.nothing}
      />
    </Box>
  );
}

/** A column as wide as its longest cell, within reason. */
function column(part: SisFilePart, name: string, index: number): Column<PreviewRow> {
  const longest = Math.max(name.length, ...part.preview.map((cells) => cells[index]?.length ?? 0));
  return {
    id: String(index),
    header: name,
    value: (row) => row.cells[index] || null,
    sortable: false,
    minWidth: Math.min(Math.max(longest * 8 + 28, 96), 280),
  };
}
