import type { SisDraft } from '@lms-admin/contract/sis-drafts';
import type { SisFile } from '@lms-admin/contract/sis-files';
import { sisTableOf } from '@lms-admin/domain/sis-tables';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { useAnnounce } from '../../../components/Announcer.tsx';
import { Notice } from '../../../components/Notice/Notice.tsx';
import { ErrorState } from '../../../components/States/ErrorState.tsx';
import { Skeletons } from '../../../components/States/Skeletons.tsx';
import { DownloadIcon } from '../../../components/WorkIcons.tsx';
import { MendColumns } from './MendColumns.tsx';
import { MendGroups } from './MendGroups.tsx';
import { MendTable } from './MendTable.tsx';
import { texts } from './texts.ts';
import { type MendingWork, useMending } from './useMending.ts';

export interface MendingProps {
  /** Id of the draft. */
  id: string;
  onFinished: (file: SisFile) => void;
  onGone: () => void;
  /** Goes back to the choice of the file. */
  onOther: readonly [label: string, go: () => void];
}

/** A refused file, mended in place: equal problems at once, single cells in the table, checked after each correction. */
export function Mending({ id, onFinished, onGone, onOther }: MendingProps) {
  const work = useMending(id, onFinished, onGone);
  const { draft, error, conflict } = work;
  if (draft === null)
    return error === null ? <Skeletons lines={6} /> : <ErrorState error={error} onRetry={work.again} />;
  const atHeader = draft.header.length > 0;
  return (
    <Box
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
      aria-busy={work.busy !== null}
    >
      <Title draft={draft} atHeader={atHeader} />
      {conflict && <Notice tone="warning" title={texts.conflict} />}
      {error !== null && <ErrorState error={error} title={texts.failed} onRetry={work.again} />}
      {/* Columns are matched anew where the header has become another one. */}
      {atHeader ? <MendColumns key={draft.version} work={work} draft={draft} /> : <Ignored draft={draft} />}
      {!atHeader && draft.groups.length > 0 && <MendGroups work={work} draft={draft} />}
      <Actions work={work} draft={draft} onOther={onOther} />
      {!atHeader && work.rows.length > 0 && <MendTable work={work} draft={draft} />}
    </Box>
  );
}

function Title({ draft, atHeader }: { draft: SisDraft; atHeader: boolean }) {
  const announce = useAnnounce();
  const text = atHeader
    ? texts.titleColumns
    : draft.wrong === 0
      ? texts.titleDone
      : texts.title(draft.wrong, draft.rows);
  // Later numbers are said with each correction.
  const first = useRef(text);
  useEffect(() => announce(first.current), [announce]);
  const heading = useRef<HTMLElement>(null);
  useEffect(() => {
    // What was pressed may have gone with the problem that it mended.
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
        {!atHeader && draft.wrong === 0 ? texts.done(draft.rows, draft.left_out) : texts.how}
      </Typography>
    </Box>
  );
}

/** Columns that the LMS does not get, or does not read. */
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
  work: MendingWork;
  draft: SisDraft;
  onOther: MendingProps['onOther'];
}) {
  const [other, goOther] = onOther;
  const ready = draft.wrong === 0 && draft.header.length === 0;
  const finishing = work.busy === 'finish';
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      {draft.header.length === 0 && (
        <Button variant="contained" disabled={!ready || work.busy !== null} onClick={work.finish}>
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
      {!ready && draft.header.length === 0 && (
        <Typography color="textSecondary">{texts.left(draft.wrong)}</Typography>
      )}
    </Box>
  );
}
