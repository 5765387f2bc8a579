import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import type { ZoomOwners } from '@lms-admin/contract/zoom';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { Notice, ShortList } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { AsideNote } from './AsideNote.tsx';
import { ChosenTable } from './ChosenTable.tsx';
import type { Failure, View } from './course-state.ts';
import { type EventRow, withoutProblems } from './event-rows.ts';
import {
  doneWords,
  failedLines,
  failureNext,
  failureTitle,
  goneLines,
  laterLines,
  stoppedLines,
} from './failure-words.ts';
import { MainEventField } from './MainEventField.tsx';
import { PublishFields } from './PublishFields.tsx';
import { hasNews, type PreviewSentence, previewWords, type Sayers } from './preview-words.ts';
import { differ } from './publish-form.ts';
import { texts } from './texts.ts';
import type { Changes } from './useChanges.ts';
import type { Preview } from './usePreview.ts';
import { WillHappen } from './WillHappen.tsx';

const words = zoomCreationMessages;

interface ChangeFormProps {
  view: View;
  rows: readonly EventRow[];
  chosen: readonly EventRow[];
  /** The events that others can be merged with. */
  mains: readonly EventRow[];
  owners: ZoomOwners;
  say: Sayers;
  preview: Preview;
  /** The preview when this change was last saved; null if it was not saved, or if the preview is not known. */
  before: readonly PreviewSentence[] | null;
  /** The events at the time of that save. */
  sent: readonly EventRow[];
  changes: Changes;
  onWarn: (text: string) => void;
  onRetry: () => void;
}

/** Step 1: the entries, and what they will do. */
export function ChangeForm(props: ChangeFormProps) {
  const { view, rows, chosen, mains, owners, say, preview, changes, onWarn, onRetry } = props;
  const { dispatch, state, refused } = changes;
  const failure = state.aside ? null : state.failure;
  const before = failure?.outcome === 'outdated' ? props.before : null;
  const willHappen = (
    <WillHappen
      preview={preview}
      say={say}
      before={before}
      events={view.kind === 'unmerge' ? 1 : chosen.length}
      onLeaveOut={(problems) => {
        const left = withoutProblems(chosen, new Set(problems.map(({ event }) => event)));
        if (view.kind === 'unmerge' || left.length === chosen.length || left.length === 0) return null;
        return () => dispatch({ type: 'select', selected: new Set(left.map(({ event }) => event.id)) });
      }}
    />
  );
  return (
    <Box sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {state.aside && <AsideNote changes={changes} />}
      {failure !== null && (
        <Failed
          failure={failure}
          selected={state.selected}
          sent={props.sent}
          say={say}
          news={
            before === null || preview.seen === null ? null : hasNews(previewWords(preview.seen, say), before)
          }
          waits={preview.blocked !== null}
          onRetry={onRetry}
        />
      )}
      {refused !== null && <ErrorState error={refused} title={texts.failure.notStarted} />}
      {view.kind === 'publish' && (
        <>
          <StartedFromDefault chosen={chosen} standard={owners.default.email} />
          <Box sx={TWO_COLUMNS}>
            <PublishFields
              form={view.form}
              owners={owners}
              onChange={(form) => dispatch({ type: 'form', form })}
              onWarn={onWarn}
            />
            {willHappen}
          </Box>
          <ChosenTable title={words.publish.selected} empty={texts.publish.none} rows={chosen} say={say} />
        </>
      )}
      {view.kind === 'merge' && (
        <>
          <Typography color="textSecondary">{texts.merge.intro}</Typography>
          <Box sx={TWO_COLUMNS}>
            <MainEventField
              options={mains}
              value={mains.find(({ event }) => event.id === view.parent) ?? null}
              say={say}
              onChange={(parent) => dispatch({ type: 'parent', parent })}
            />
            {willHappen}
          </Box>
          <ChosenTable title={texts.merge.children} empty={texts.publish.none} rows={chosen} say={say} />
        </>
      )}
      {view.kind === 'unmerge' && (
        <>
          <Typography>{unmergeWords(view.event, rows)}</Typography>
          {willHappen}
        </>
      )}
    </Box>
  );
}

const TWO_COLUMNS = {
  display: 'grid',
  gap: 3,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' },
} as const;

/** Announced only when the form opens, because later changes are made by the administrator. */
function StartedFromDefault({ chosen, standard }: { chosen: readonly EventRow[]; standard: string }) {
  const [startsDifferent] = useState(() => differ(chosen, standard));
  return startsDifferent ? <Notice tone="info" title={texts.publish.differ} /> : null;
}

function unmergeWords(id: number, rows: readonly EventRow[]): string {
  for (const main of rows) {
    const row = main.event.id === id ? main : main.rows.find(({ event }) => event.id === id);
    if (row === undefined) continue;
    const title = row === main ? (row.event.zoom_parent_title ?? texts.unmergeDialog.main) : main.title;
    return texts.unmergeDialog.intro(row.title, title);
  }
  return '';
}

interface FailedProps {
  failure: Failure;
  /** The currently selected events. */
  selected: ReadonlySet<number>;
  /** The events as they were when the change was saved. */
  sent: readonly EventRow[];
  say: Sayers;
  /** Whether the preview contains anything new; null if that is unknown. */
  news: boolean | null;
  /** Whether the change cannot be saved yet; the reason is beside 'Save'. */
  waits: boolean;
  onRetry: () => void;
}

/** The events that failed, with the reasons; the other events have been changed (OP-69). */
function Failed({ failure, selected, sent, say, news, waits, onRetry }: FailedProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button has disappeared with the progress.
    place.current?.focus();
  }, []);
  const failed = failedLines(failure, say.times);
  const lines = [
    ...goneLines(failure, sent, say.times),
    ...failed,
    ...stoppedLines(failure, say.times),
    ...laterLines(failure, say.times),
  ];
  const done = doneWords(failure);
  return (
    <Box ref={place} tabIndex={-1} sx={{ outline: 'none' }}>
      {failure.problem === null || failed.length > 0 ? (
        <Notice
          tone="warning"
          title={failureTitle(failure, selected)}
          action={
            // The administrator first has to check what has changed, and can then press 'Save'.
            failure.outcome !== 'outdated' && (
              <Button size="small" variant="outlined" color="inherit" disabled={waits} onClick={onRetry}>
                {texts.failure.retry}
              </Button>
            )
          }
        >
          {lines.length > 0 && <ShortList items={lines} more={texts.more} />}
          {done !== null && <Typography>{done}</Typography>}
          {failure.more !== null && <Typography>{failure.more}</Typography>}
          <Typography>{failureNext(failure, news)}</Typography>
        </Notice>
      ) : (
        <ErrorState
          error={failure.problem}
          title={failureTitle(failure, selected)}
          {...(waits ? {} : { onRetry })}
          retryLabel={texts.failure.retry}
        />
      )}
    </Box>
  );
}
