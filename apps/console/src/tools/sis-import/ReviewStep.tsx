import type { SisEffect } from '@lms-admin/contract/sis-effects';
import type { SisFile, SisFilePart } from '@lms-admin/contract/sis-files';
import { sisTableOf } from '@lms-admin/domain/sis-tables';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { Figures } from '../../components/Figures/Figures.tsx';
import { later } from '../../components/later.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { Planning } from '../../components/Planning/Planning.tsx';
import { focusStep } from '../../components/Wizard/focus-step.ts';
import { Brake } from './Brake.tsx';
import type { CorrectionPanelProps } from './corrections/CorrectionPanel.tsx';
import { EffectParts } from './EffectParts.tsx';
import { effectFigures } from './effect-words.ts';
import { Failing } from './Failing.tsx';
import { NewCourses } from './NewCourses.tsx';
import { Preview } from './Preview.tsx';
import { whatWillHappen } from './review-words.ts';
import { texts } from './texts.ts';
import { Uploading } from './Uploading.tsx';
import type { SisStep } from './useSisWork.ts';

const CorrectionPanel = later(() =>
  import('./corrections/CorrectionPanel.tsx').then((module) => module.CorrectionPanel),
);

/**
 * Step 'Status and Review': upload and check, then the changes of the file; nothing is sent until 'Submit' is
 * pressed.
 */
export function ReviewStep(props: SisStep) {
  const { state, dispatch, work } = props;
  const announce = useAnnounce();
  const { file } = work.upload;
  if (file !== null) return <Review {...props} file={file} />;
  if (state.draft !== null && state.prepared === null) {
    const { former } = state;
    const other: CorrectionPanelProps['onOther'] =
      former === null
        ? [texts.upload.other, () => dispatch({ type: 'back' })]
        : [texts.review.failing.back, () => dispatch({ type: 'prepared', id: former })];
    return (
      <CorrectionPanel
        key={state.draft}
        id={state.draft}
        onFinished={({ id }) => {
          // The pressed button disappears.
          focusStep();
          dispatch({ type: 'prepared', id });
        }}
        onGone={() => {
          if (former === null) return dispatch({ type: 'lost', why: 'expired' });
          announce(texts.review.corrected.gone);
          dispatch({ type: 'prepared', id: former });
        }}
        onOther={other}
      />
    );
  }
  return (
    <Uploading
      work={work.upload}
      uploaded={state.prepared !== null}
      onOther={() => dispatch({ type: 'back' })}
    />
  );
}

function Review(props: SisStep & { file: SisFile }) {
  const { file, dispatch, work } = props;
  const { import_id } = file;
  const { plan: effect } = work.effect;
  const working = import_id === null && file.rows > 0 && effect === null;
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
      {import_id === null && <Corrected {...props} />}
      {working && <Planning work={work.effect} words={texts.working} />}
      {effect !== null && import_id === null && <Effect {...props} effect={effect} />}
      <Sentences tone="warning" title={texts.review.warnings} sentences={file.warnings} />
      <Sentences tone="info" title={texts.review.notices} sentences={file.notices} />
      <Parts file={file} />
    </Box>
  );
}

/** A link back to the corrections made in place, until the file is submitted. */
function Corrected({ file, dispatch }: SisStep & { file: SisFile }) {
  const { draft, id } = file;
  if (draft === null) return null;
  return (
    <Notice
      tone="info"
      title={texts.review.corrected.title}
      action={
        <Button
          size="small"
          variant="outlined"
          color="inherit"
          onClick={() => {
            // The pressed button disappears.
            focusStep();
            dispatch({ type: 'correct', id: draft, former: id });
          }}
        >
          {texts.review.corrected.open}
        </Button>
      }
    >
      <Typography>{texts.review.corrected.text}</Typography>
    </Notice>
  );
}

function Effect({ effect, file, state, dispatch, work }: SisStep & { effect: SisEffect; file: SisFile }) {
  return (
    <>
      <Figures label={texts.review.figures} figures={effectFigures(effect)} />
      <Brake effect={effect} typed={state.typed} onTyped={(text) => dispatch({ type: 'typed', text })} />
      <NewCourses
        courses={effect.new_courses}
        allowed={state.allowed}
        onAllow={(id, on) => dispatch({ type: 'allow', id, on })}
      />
      {effect.refused > 0 && (
        <Notice
          tone="stop"
          title={texts.review.refused(effect.refused)}
          action={
            <Button size="small" color="inherit" variant="outlined" onClick={work.effect.retry}>
              {texts.working.retry}
            </Button>
          }
        >
          <Typography>{texts.review.refusedText}</Typography>
        </Notice>
      )}
      <Failing
        file={file}
        effect={effect}
        onCorrect={(id) => dispatch({ type: 'correct', id, former: file.id })}
      />
      <Sentences tone="warning" title={texts.review.notes} sentences={effect.notes} />
      <EffectParts effect={effect} zip={file.zip} />
    </>
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

/** A file of the upload with its index: two folders of a zip may contain files with the same name. */
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

/** The files of a zip, if it is one, and the first rows of the selected file. */
function Parts({ file }: { file: SisFile }) {
  const [chosen, setChosen] = useState(0);
  const parts = useMemo(() => file.parts.map((part, place): PlacedPart => ({ ...part, place })), [file]);
  const part = parts[chosen] ?? parts[0];
  return (
    <>
      {file.zip && (
        <Box>
          <Typography variant="h3" sx={{ mb: 1 }}>
            {texts.review.files}
          </Typography>
          <DataTable<PlacedPart, number>
            label={texts.review.files}
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
