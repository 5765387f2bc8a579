import type { SisFile, SisFilePart } from '@lms-admin/contract/sis-files';
import { sisTableOf } from '@lms-admin/domain/sis-tables';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { Figures } from '../../components/Figures/Figures.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { Deletions } from './Deletions.tsx';
import { ExistingPeople, IdleRows } from './Effect.tsx';
import { Preview } from './Preview.tsx';
import { figuresOf, whatWillHappen } from './review-words.ts';
import { texts } from './texts.ts';
import { Uploading } from './Uploading.tsx';
import type { SisStep } from './useSisWork.ts';

/** Step 'Status and Review': upload and check, then what the file will do; sent from here only by the last press. */
export function ReviewStep(props: SisStep) {
  const { state, dispatch, work } = props;
  const { file } = work.upload;
  if (file !== null) return <Review {...props} file={file} />;
  return (
    <Uploading
      work={work.upload}
      uploaded={state.prepared !== null}
      onOther={() => dispatch({ type: 'back' })}
    />
  );
}

function Review({ file, state, dispatch }: SisStep & { file: SisFile }) {
  const { import_id } = file;
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {import_id !== null && (
        <Notice
          tone="warning"
          title={texts.review.sentTitle}
          action={
            <Button
              size="small"
              variant="outlined"
              color="inherit"
              onClick={() => dispatch({ type: 'follow', key: file.id, import: import_id })}
            >
              {texts.review.sentFollow}
            </Button>
          }
        >
          <Typography>{texts.review.sentText}</Typography>
        </Notice>
      )}
      <Box>
        <Typography
          variant="subtitle1"
          component="p"
          sx={{ fontWeight: 620, maxWidth: '64ch', overflowWrap: 'anywhere' }}
        >
          {whatWillHappen(file)}
        </Typography>
        <Typography color="textSecondary" sx={{ mt: 0.5, maxWidth: '68ch' }}>
          {texts.overwrites}
        </Typography>
      </Box>
      <Figures label={texts.review.counts} figures={figuresOf(file)} />
      {file.deletions.rows > 0 && (
        <Deletions file={file} typed={state.typed} onTyped={(text) => dispatch({ type: 'typed', text })} />
      )}
      <ExistingPeople file={file} />
      <IdleRows file={file} />
      <Sentences tone="warning" title={texts.review.uncompared} sentences={file.effect.uncompared} />
      <Sentences tone="warning" title={texts.review.warnings} sentences={file.warnings} />
      <Sentences tone="info" title={texts.review.notices} sentences={file.notices} />
      <Parts file={file} />
    </Box>
  );
}

function Sentences(props: { tone: 'warning' | 'info'; title: string; sentences: readonly string[] }) {
  const { tone, title, sentences } = props;
  if (sentences.length === 0) return null;
  return (
    <Notice tone={tone} title={title}>
      <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </Box>
    </Notice>
  );
}

/** A file of the upload by its place: two folders of a zip may hold files of one name. */
interface PlacedPart extends SisFilePart {
  place: number;
}

const partColumns: readonly Column<PlacedPart>[] = [
  { id: 'name', header: texts.review.partColumns.name, value: (part) => part.name, minWidth: 200 },
  {
    id: 'kind',
    header: texts.review.partColumns.kind,
    value: (part) => sisTableOf(part.kind).title,
    width: '200px',
    minWidth: 140,
  },
  {
    id: 'rows',
    header: texts.review.partColumns.rows,
    value: (part) => part.rows,
    kind: 'number',
    width: '104px',
    minWidth: 88,
  },
];
const partKey = (part: PlacedPart) => part.place;

/** The files of a zip, if it is one, and the first rows of the file that is chosen among them. */
function Parts({ file }: { file: SisFile }) {
  const [chosen, setChosen] = useState(0);
  const parts = useMemo(() => file.parts.map((part, place): PlacedPart => ({ ...part, place })), [file]);
  const part = parts[chosen] ?? parts[0];
  return (
    <>
      {file.zip && (
        <Box>
          <Typography variant="h3" sx={{ mb: 1 }}>
            {texts.review.parts}
          </Typography>
          <DataTable<PlacedPart, number>
            label={texts.review.parts}
            rows={parts}
            columns={partColumns}
            rowKey={partKey}
            search={parts.length > 10}
            empty=""
          />
        </Box>
      )}
      {part !== undefined && (
        <Preview
          part={part}
          place={part.place}
          names={file.zip ? parts.map(({ name }) => name) : []}
          onChoose={setChosen}
        />
      )}
    </>
  );
}
