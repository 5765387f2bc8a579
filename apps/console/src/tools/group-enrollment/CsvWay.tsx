import { MAX_MEMBER_TEXT } from '@lms-admin/contract/groups';
import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import { GROUP_MEMBERSHIPS } from '@lms-admin/domain/sis-tables/group-memberships';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { FileCard } from '../../components/CsvFile/FileCard.tsx';
import { FilePicker } from '../../components/CsvFile/FilePicker.tsx';
import { useOneFile } from '../../components/CsvFile/useOneFile.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { sizeOf } from '../../components/size-of.ts';
import { DownloadIcon } from '../../components/WorkIcons.tsx';
import { focusOn, PLACES } from './dialog-part.ts';
import { firstLook, ignoredColumns, nameOrSizeProblem } from './first-look.ts';
import { type ChosenFile, KEPT_CHARACTERS } from './group-state.ts';
import { texts } from './texts.ts';

const words = groupEnrollmentMessages.members;

export interface CsvWayProps {
  file: ChosenFile | null;
  /** The text of the file; null if none, or if a reload has lost it. */
  text: string | null;
  /** Whether a reload has lost the text. */
  lost: boolean;
  sample: boolean;
  onSample: (on: boolean) => void;
  /** @param text of a file that can be used */
  onFile: (file: ChosenFile | null, text: string | null) => void;
}

/** People from a file, as documented (GRP-26 to GRP-28, OP-79). */
export function CsvWay({ file, text, lost, sample, onSample, onFile }: CsvWayProps) {
  const { refusal, take, clear } = useChosenFile(onFile);
  const ignored = useMemo(() => (text === null ? [] : ignoredColumns(text)), [text]);
  const notes = [
    ...(ignored.length > 0 ? [texts.file.ignored(ignored)] : []),
    ...(file?.text === null ? [texts.file.large] : []),
  ].join(' ');

  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box>
        <FormControlLabel
          label={words.sample}
          control={<Checkbox checked={sample} onChange={(_, on) => onSample(on)} />}
        />
        {sample && <Sample />}
      </Box>
      {refusal !== null && <Notice tone="warning" title={refusal} />}
      {file !== null && lost && <Notice tone="warning" title={texts.file.lost(file.name)} />}
      {file !== null && !lost && (
        <FileCard
          name={file.name}
          about={sizeOf(file.size)}
          problem={file.problem}
          fine={texts.file.fits}
          {...(notes === '' ? {} : { note: notes })}
          remove={[texts.file.remove, texts.file.removeOf(file.name)]}
          onRemove={() => {
            focusOn('file');
            clear();
            onFile(null, null);
          }}
        />
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
        <FilePicker
          id={PLACES.file}
          label={words.select}
          accept=".csv,text/csv"
          primary={false}
          onFiles={take}
        />
        <Typography variant="body2" color="textSecondary">
          {texts.file.hint(MAX_MEMBER_TEXT)}
        </Typography>
      </Box>
    </Box>
  );
}

function useChosenFile(onFile: CsvWayProps['onFile']) {
  const announce = useAnnounce();
  return useOneFile({
    texts: texts.file,
    refusalOf: nameOrSizeProblem,
    onAside: () => onFile(null, null),
    look: async (picked) => firstLook(picked.name, new Uint8Array(await picked.arrayBuffer())),
    onLooked(looked, { name, size }) {
      const problem = 'problem' in looked ? looked.problem : null;
      const whole = 'text' in looked ? looked.text : null;
      const kept = whole !== null && whole.length <= KEPT_CHARACTERS ? whole : null;
      onFile({ name, size, text: kept, problem }, whole);
      announce(texts.file.chosen(name, problem ?? texts.file.fits));
    },
  });
}

const [TEMPLATE] = GROUP_MEMBERSHIPS.templates ?? [];
type SampleRow = Readonly<Record<string, string>>;
const sampleRows: readonly SampleRow[] = TEMPLATE ? [TEMPLATE.sample] : [];
const sampleColumns: readonly Column<SampleRow>[] = GROUP_MEMBERSHIPS.columns.map((name) => ({
  id: name,
  header: name,
  value: (row) => row[name] ?? '',
  sortable: false,
  // Not cut off, because the sample shows what an ID looks like.
  ...(name === 'group_id' ? { width: '264px', minWidth: 264 } : { minWidth: 110 }),
}));
const sampleKey = () => 'sample';

/** The format of the file, and a template. */
function Sample() {
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)', maxWidth: 640 }}>
      <DataTable<SampleRow, string>
        label={texts.file.columns}
        rows={sampleRows}
        columns={sampleColumns}
        rowKey={sampleKey}
        empty=""
      />
      <Typography variant="body2" color="textSecondary">
        {texts.file.hintRows}
      </Typography>
      <Box>
        <Link
          href={`/csv-templates/${TEMPLATE?.file}`}
          download={TEMPLATE?.file}
          sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75 }}
        >
          <DownloadIcon size={18} />
          {words.template}
        </Link>
      </Box>
    </Box>
  );
}
