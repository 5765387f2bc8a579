import { MAX_MEMBER_TEXT } from '@lms-admin/contract/groups';
import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import { GROUP_MEMBERSHIPS } from '@lms-admin/domain/sis-tables/group-memberships';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { FileCard } from '../../components/CsvFile/FileCard.tsx';
import { FilePicker } from '../../components/CsvFile/FilePicker.tsx';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { DownloadIcon } from '../../components/Icons.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { sizeOf } from '../../components/size-of.ts';
import { focusOn, PLACES } from './dialog-part.ts';
import { firstLook, nameOrSizeProblem } from './first-look.ts';
import { type ChosenFile, KEPT_CHARACTERS } from './group-state.ts';
import { texts } from './texts.ts';

const words = groupEnrollmentMessages.members;

export interface CsvWayProps {
  file: ChosenFile | null;
  /** Whether the file's text is gone with a reload. */
  lost: boolean;
  sample: boolean;
  onSample: (on: boolean) => void;
  /** @param text of a file that can be used */
  onFile: (file: ChosenFile | null, text: string | null) => void;
}

/** People from a file, the documented way (GRP-26 to GRP-28, OP-79). */
export function CsvWay({ file, lost, sample, onSample, onFile }: CsvWayProps) {
  const announce = useAnnounce();
  const [refusal, setRefusal] = useState<string | null>(null);

  async function take(files: FileList | null) {
    const picked = files?.[0];
    if (!picked) return;
    if (files.length > 1) return refuse(texts.file.one);
    const { name, size } = picked;
    const wrong = nameOrSizeProblem(picked);
    if (wrong !== null) return refuse(wrong);
    try {
      const looked = firstLook(name, new Uint8Array(await picked.arrayBuffer()));
      setRefusal(null);
      const problem = 'problem' in looked ? looked.problem : null;
      const text = 'text' in looked ? looked.text : null;
      const kept = text !== null && text.length <= KEPT_CHARACTERS ? text : null;
      onFile({ name, size, text: kept, problem }, text);
      announce(texts.file.chosen(name, problem ?? texts.file.fits));
    } catch {
      refuse(texts.file.unread);
    }
  }

  function refuse(text: string) {
    setRefusal(text);
    announce(text, 'assertive');
  }

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
          {...(file.text === null ? { note: texts.file.large } : {})}
          remove={[texts.file.remove, texts.file.removeOf(file.name)]}
          onRemove={() => {
            focusOn('file');
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
          onFiles={(files) => void take(files)}
        />
        <Typography variant="body2" color="textSecondary">
          {texts.file.hint(MAX_MEMBER_TEXT)}
        </Typography>
      </Box>
    </Box>
  );
}

const [TEMPLATE] = GROUP_MEMBERSHIPS.templates ?? [];
type SampleRow = Readonly<Record<string, string>>;
const sampleRows: readonly SampleRow[] = TEMPLATE ? [TEMPLATE.sample] : [];
const sampleColumns: readonly Column<SampleRow>[] = GROUP_MEMBERSHIPS.columns.map((name) => ({
  id: name,
  header: name,
  value: (row) => row[name] ?? '',
  sortable: false,
  // Whole: what an id looks like is what the sample is for.
  ...(name === 'group_id' ? { width: '264px', minWidth: 264 } : { minWidth: 110 }),
}));
const sampleKey = () => 'sample';

/** The format of the file, and the template to start from. */
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
