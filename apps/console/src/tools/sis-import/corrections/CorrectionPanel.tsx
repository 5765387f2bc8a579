import type { SisDraft } from '@lms-admin/contract/sis-drafts';
import type { SisFile } from '@lms-admin/contract/sis-files';
import { sisTableOf } from '@lms-admin/domain/sis-tables';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { Link as RouterLink } from 'react-router';
import { useAnnounce } from '../../../components/Announcer.tsx';
import { ACTIVITY_PATH } from '../../../components/Job/activity-path.ts';
import { Notice } from '../../../components/Notice/Notice.tsx';
import { ErrorState } from '../../../components/States/ErrorState.tsx';
import { Skeletons } from '../../../components/States/Skeletons.tsx';
import { DownloadIcon } from '../../../components/WorkIcons.tsx';
import { CorrectionColumns } from './CorrectionColumns.tsx';
import { CorrectionGroups } from './CorrectionGroups.tsx';
import { CorrectionTable } from './CorrectionTable.tsx';
import { isReady } from './corrections.ts';
import { texts } from './texts.ts';
import { type CorrectionWork, useCorrections } from './useCorrections.ts';

export interface CorrectionPanelProps {
  /** ID of the draft. */
  id: string;
  onFinished: (file: SisFile) => void;
  onGone: () => void;
  /** Returns to the choice of the file. */
  onOther: readonly [label: string, go: () => void];
}

/**
 * Corrects a file with problems in place: identical problems together, single cells in the table. Each step is
 * checked.
 */
export function CorrectionPanel({ id, onFinished, onGone, onOther }: CorrectionPanelProps) {
  const work = useCorrections(id, onFinished, onGone);
  const { draft, error, conflict } = work;
  if (draft === null)
    return error === null ? <Skeletons lines={6} /> : <ErrorState error={error} onRetry={work.retry} />;
  if (draft.submitted !== null)
    return (
      <Notice
        tone="warning"
        title={texts.submitted}
        action={
          <Link component={RouterLink} to={`${ACTIVITY_PATH}/${draft.submitted}`}>
            {texts.submittedOpen}
          </Link>
        }
      >
        <Typography>{texts.submittedText}</Typography>
      </Notice>
    );
  // A file with every row skipped is shown as a problem of the whole file.
  const atHeader = draft.header.length > 0 && !isEmpty(draft);
  return (
    <Box
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
      aria-busy={work.busy !== null}
    >
      <Title draft={draft} atHeader={atHeader} />
      {draft.warnings.map((warning) => (
        <Notice key={warning} tone="warning" title={texts.warnings}>
          <Typography sx={{ overflowWrap: 'anywhere' }}>{warning}</Typography>
        </Notice>
      ))}
      {draft.replaced.map(({ name, steps }) => (
        <Notice key={name} tone="warning" title={texts.replaced(name, steps)} />
      ))}
      {conflict && <Notice tone="warning" title={texts.conflict} />}
      {error !== null && <ErrorState error={error} title={texts.failed} onRetry={work.retry} />}
      {/* Columns are matched again if the header has changed. */}
      {atHeader ? (
        <CorrectionColumns key={draft.version} work={work} draft={draft} />
      ) : (
        <Ignored draft={draft} />
      )}
      {!atHeader && draft.groups.length > 0 && <CorrectionGroups work={work} draft={draft} />}
      <Actions work={work} draft={draft} onOther={onOther} />
      {!atHeader && work.rows.length > 0 && <CorrectionTable work={work} draft={draft} />}
    </Box>
  );
}

/** Tells whether every row has been skipped. */
const isEmpty = ({ rows, left_out }: SisDraft) => rows === 0 && left_out > 0;

function Title({ draft, atHeader }: { draft: SisDraft; atHeader: boolean }) {
  const announce = useAnnounce();
  const beside = atHeader ? [] : texts.beside(draft.beside);
  const text = atHeader
    ? texts.titleColumns
    : isEmpty(draft)
      ? texts.titleEmpty
      : draft.wrong > 0
        ? texts.title(draft.wrong, draft.rows)
        : beside.length > 0
          ? texts.titleBeside
          : texts.titleDone;
  // Only the first number is announced here; later ones are announced with each correction.
  const first = useRef(text);
  useEffect(() => announce(first.current), [announce]);
  const heading = useRef<HTMLElement>(null);
  useEffect(() => {
    // The pressed button may have disappeared with the corrected problem.
    if (draft.version > 1 && document.activeElement === document.body) heading.current?.focus();
  }, [draft.version]);
  return (
    <Box>
      <Typography
        ref={heading}
        tabIndex={-1}
        variant="h3"
        sx={{ overflowWrap: 'anywhere', '&:focus': { outline: 'none' } }}
      >
        {text}
      </Typography>
      <Typography color="textSecondary">
        {isEmpty(draft)
          ? texts.empty
          : !atHeader && draft.wrong === 0
            ? texts.done(draft.rows, draft.left_out)
            : texts.how}
      </Typography>
      {beside.map((sentence) => (
        <Typography key={sentence}>{sentence}</Typography>
      ))}
    </Box>
  );
}

/** Columns that are not sent to the LMS, or that it does not read. */
function Ignored({ draft }: { draft: SisDraft }) {
  const known: readonly string[] = draft.kind === null ? [] : sisTableOf(draft.kind).columns;
  const names = draft.columns.flatMap(({ header, name, added }) =>
    added || header === '' || known.includes(name) ? [] : [header],
  );
  return names.length === 0 ? null : <Typography>{texts.columns.ignored(names)}</Typography>;
}

function Actions({
  work,
  draft,
  onOther,
}: {
  work: CorrectionWork;
  draft: SisDraft;
  onOther: CorrectionPanelProps['onOther'];
}) {
  const [other, goOther] = onOther;
  const ready = isReady(draft);
  const finishing = work.busy === 'finish';
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      {draft.header.length === 0 && (
        <Button variant="contained" disabled={!ready || finishing} onClick={work.finish}>
          {finishing ? texts.finishing : texts.finish}
        </Button>
      )}
      <Button
        variant="outlined"
        color="inherit"
        disabled={draft.last === null || finishing}
        onClick={() => work.apply({ does: 'undo' })}
      >
        {draft.last === null ? texts.undo : texts.undoOf[draft.last]}
      </Button>
      <Link
        href={work.csv}
        download
        sx={{ display: 'inline-flex', gap: 0.75, alignItems: 'center', px: 1, minHeight: 36 }}
      >
        <DownloadIcon size={18} />
        {texts.save}
      </Link>
      <Button color="inherit" onClick={goOther}>
        {other}
      </Button>
      {!ready && draft.header.length === 0 && draft.corrected > 0 && (
        <Button color="inherit" onClick={() => work.show(null, 0, !work.corrected)}>
          {work.corrected ? texts.corrected.back : texts.corrected.show(draft.corrected)}
        </Button>
      )}
      {!ready && draft.header.length === 0 && (
        <Typography color="textSecondary">{texts.left(draft)}</Typography>
      )}
    </Box>
  );
}
