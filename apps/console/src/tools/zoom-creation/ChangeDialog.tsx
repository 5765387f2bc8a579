import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import type { ZoomChange, ZoomOwners } from '@lms-admin/contract/zoom';
import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import { useMemo, useState } from 'react';
import { jobsChanged } from '../../api/jobs.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { DiscardDialog } from '../../components/Dialogs/DiscardDialog.tsx';
import type { FocusTarget } from '../../components/Dialogs/types.ts';
import { WarningDialog } from '../../components/Dialogs/WarningDialog.tsx';
import { isHeld, waitsLong } from './AsideNote.tsx';
import { ChangeActions } from './ChangeActions.tsx';
import { ChangeForm } from './ChangeForm.tsx';
import { ChangeSaved, ChangeWait } from './ChangeSteps.tsx';
import { SAVE } from './change-places.ts';
import { hasEntries, namedBy, stepOf, type View } from './course-state.ts';
import { chosenRows, type EventRow, mainEvents } from './event-rows.ts';
import { MeetingIcon } from './icons.tsx';
import { MAIN_FIELD } from './MainEventField.tsx';
import { PUBLISH_FIELDS } from './PublishFields.tsx';
import { type PreviewSentence, previewWords, type Sayers } from './preview-words.ts';
import { missingOf, publishChange } from './publish-form.ts';
import { renewCourse } from './queries.ts';
import { texts } from './texts.ts';
import type { Changes } from './useChanges.ts';
import { usePreview } from './usePreview.ts';

const words = zoomCreationMessages;
const TITLES = {
  publish: words.publish.title,
  merge: words.mergeDialog.title,
  unmerge: texts.unmergeDialog.title,
} as const;

export interface ChangeDialogProps {
  course: number;
  rows: readonly EventRow[];
  owners: ZoomOwners;
  say: Sayers;
  changes: Changes;
  returnFocus: FocusTarget;
}

/** 'Publish Zoom Links', 'Merge Zoom Links' and the question before an unmerge, in three steps (ZC-24, ZC-31). */
export function ChangeDialog({ course, rows, owners, say, changes, returnFocus }: ChangeDialogProps) {
  const { dispatch } = changes;
  const announce = useAnnounce();
  // The dialog keeps its last content while it fades out.
  const [last, setLast] = useState(changes.state);
  if (changes.state.view !== null && changes.state !== last) setLast(changes.state);
  const isOpen = changes.state.view !== null;
  const state = isOpen ? changes.state : last;
  const { view, selected } = state;
  const step = stepOf(state);

  const chosen = useMemo(() => chosenRows(rows, selected), [rows, selected]);
  const standard = owners.default.email;
  const change = useMemo(
    () => (view === null ? null : changeOf(view, course, chosen, standard)),
    [view, course, chosen, standard],
  );
  const preview = usePreview(isOpen && step === 1 ? change : null);
  const blocked = isHeld(changes) ? texts.running.asideBlocks : preview.blocked;
  // If saving is not possible because the preview is out of date, new sentences are marked.
  const [shownPreview, setShownPreview] = useState<{
    of: string;
    sentences: readonly PreviewSentence[];
    sent: readonly EventRow[];
  } | null>(null);
  const [warning, setWarning] = useState<{ text: string; field: string } | null>(null);
  const [field, setField] = useState('');
  function warn(text: string, about: string) {
    setField(about);
    setWarning({ text, field: about });
  }

  function handleSave() {
    if (view === null) return;
    const missing = missingIn(view, chosen.length, standard);
    if (missing !== null) warn(missing.text, missing.field);
    else if (blocked !== null) announce(blocked, 'assertive');
    else if (change !== null && preview.seen !== null && !changes.starting) {
      setShownPreview({
        of: JSON.stringify(change),
        sentences: previewWords(preview.seen, say),
        sent: chosen,
      });
      changes.start({ change, digest: preview.seen.digest });
    }
  }

  function close() {
    // After leaving a save that is still running, the administrator sees what has already been changed.
    if (step === 2) void renewCourse(course);
    if (step === 2 && waitsLong(changes.watch.seen.job)) {
      jobsChanged();
      dispatch({ type: 'left' });
    } else dispatch({ type: step === 3 ? 'noted' : 'close' });
  }
  const [discarding, setDiscarding] = useState(false);
  function handleClose() {
    if (step === 1 && hasEntries(state)) setDiscarding(true);
    else close();
  }
  if (view === null) return null;
  return (
    <>
      <AppDialog
        open={isOpen}
        onClose={handleClose}
        title={TITLES[view.kind]}
        maxWidth={view.kind === 'unmerge' ? 'sm' : 'lg'}
        icon={
          <Count
            view={view}
            count={step < 3 || state.saved === null ? chosen.length : namedBy(state.saved).length}
          />
        }
        returnFocus={returnFocus}
        actions={
          <ChangeActions
            step={step}
            saveLabel={view.kind === 'unmerge' ? texts.unmerge : words.save}
            blocked={missingIn(view, chosen.length, standard) === null ? blocked : null}
            starting={changes.starting}
            onSave={handleSave}
            onClose={handleClose}
          />
        }
      >
        <Box sx={{ pt: 1 }}>
          {step === 1 && (
            <ChangeForm
              view={view}
              rows={rows}
              chosen={chosen}
              mains={view.kind === 'merge' ? mainEvents(rows, selected) : NO_ROWS}
              owners={owners}
              say={say}
              preview={preview}
              before={
                shownPreview !== null && shownPreview.of === JSON.stringify(change)
                  ? shownPreview.sentences
                  : null
              }
              sent={shownPreview?.sent ?? NO_ROWS}
              changes={changes}
              onWarn={(text) => warn(text, PUBLISH_FIELDS.owner)}
              onRetry={handleSave}
            />
          )}
          {step === 2 && <ChangeWait watch={changes.watch} onRetry={changes.pollNow} />}
          {step === 3 && state.saved !== null && <ChangeSaved saved={state.saved} note={state.savedNote} />}
        </Box>
      </AppDialog>
      <DiscardDialog
        open={discarding && isOpen}
        onKeep={() => setDiscarding(false)}
        onDiscard={() => {
          setDiscarding(false);
          close();
        }}
      />
      <WarningDialog
        text={warning?.text ?? null}
        onClose={() => setWarning(null)}
        returnFocus={() => document.getElementById(field)}
      />
    </>
  );
}

const NO_ROWS: readonly EventRow[] = [];

/** Number of events in the change (ZC-18). */
function Count({ view, count }: { view: View; count: number }) {
  if (view.kind === 'unmerge') return <MeetingIcon size={22} />;
  return (
    <Badge
      badgeContent={count}
      max={999}
      showZero
      color="secondary"
      role="img"
      aria-label={texts.publish.badge(count)}
      sx={{ mr: 1.5 }}
    >
      <MeetingIcon size={22} />
    </Badge>
  );
}

/** Builds the change to request; null while an entry is missing. */
function changeOf(
  view: View,
  course: number,
  chosen: readonly EventRow[],
  standard: string,
): ZoomChange | null {
  const events = chosen.map(({ event }) => event.id);
  switch (view.kind) {
    case 'publish':
      return publishChange(course, events, view.form, standard);
    case 'merge':
      return view.parent === null || events.length === 0
        ? null
        : { change: 'merge', course, parent: view.parent, events };
    case 'unmerge':
      return { change: 'unmerge', course, event: view.event };
  }
}

/** Finds the missing entry, in the documented words, and its field (ZC-25 to ZC-29, ZC-32). */
function missingIn(view: View, events: number, standard: string): { text: string; field: string } | null {
  if (view.kind === 'merge' && view.parent === null)
    return { text: words.mergeDialog.needParent, field: MAIN_FIELD };
  if (view.kind !== 'publish') return null;
  const missing = missingOf(view.form, events, standard);
  return missing && { text: missing.text, field: missing.field === 'owner' ? PUBLISH_FIELDS.owner : SAVE };
}
