import type { SisFilePart } from '@lms-admin/contract/sis-files';
import { sisTableOf } from '@lms-admin/domain/sis-tables';
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
  /** Index among the rows shown, from 0. */
  key: number;
  cells: readonly string[];
}
const rowKey = (row: PreviewRow) => row.key;

/** Approximate width of a letter in px, and of the space beside the text of a cell. */
const LETTER = 10;
const PADDING = 26;

export interface PreviewProps {
  part: SisFilePart;
  /** Index of the file among all files, from 0. */
  place: number;
  /** Names of all files to choose from; empty for a single file. */
  names: readonly string[];
  onChoose: (place: number) => void;
}

/** The first rows of a file, below its own column names. */
export function Preview({ part, place, names, onChoose }: PreviewProps) {
  const columns = useMemo(() => columnsOf(part), [part]);
  const rows = useMemo(() => part.preview.map((cells, key): PreviewRow => ({ key, cells })), [part]);
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'end', justifyContent: 'space-between' }}
      >
        <Box>
          <Typography variant="h3">{texts.review.preview(sisTableOf(part.kind).title)}</Typography>
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
                // Two folders of a zip may contain files with the same name.
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
        label={texts.review.preview(sisTableOf(part.kind).title)}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        empty={texts.review.nothing}
      />
    </Box>
  );
}

/** Creates columns as wide as their longest cells, within limits. */
function columnsOf({ header, preview }: SisFilePart): Column<PreviewRow>[] {
  const widths = header.map((name, at) => {
    const longest = Math.max(name.length, ...preview.map((cells) => cells[at]?.length ?? 0));
    return Math.min(Math.max(longest * LETTER + PADDING, 88), 280);
  });
  const all = widths.reduce((sum, width) => sum + width, 0);
  return header.map((name, at) => ({
    id: String(at),
    header: name,
    value: (row) => row.cells[at] || null,
    sortable: false,
    width: `${(((widths[at] ?? 0) / all) * 100).toFixed(2)}%`,
    minWidth: widths[at] ?? 0,
  }));
}
