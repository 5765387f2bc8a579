import type { SisImport } from '@lms-admin/contract/imports';
import { messages } from '@lms-admin/contract/messages';
import type { ImportScreen } from '@lms-admin/domain/import-states';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { ACTIVITY_PATH, UNDO_HASH } from '../Job/activity-path.ts';
import type { Watch } from '../Job/watch.ts';
import { CancelImport } from './CancelImport.tsx';
import { ImportView } from './ImportView.tsx';
import { type ImportShown, outcome } from './import-watch.ts';
import { texts } from './texts.ts';
import { useImportWatch } from './useImportWatch.ts';

export interface ImportProgressProps {
  screen: ImportScreen;
  /** Id of the import; null while it is being submitted. */
  id: string | null;
  /** Called with an import that has ended, and once more when its job has: only then does it count as seen. */
  onEnd?: (ended: SisImport) => void;
  /** 'Back to Home': clears what the tool keeps and reloads the page (SHELL-33). */
  onHome: () => void;
  /** Name of that button where it leads back to a part of the page only. */
  homeLabel?: string;
  /** A further way on from the end: begins anew with a part of what was chosen. */
  another?: { label: string; onPress: () => void };
  /** What the tool shows of its own below an import that has ended. */
  ended?: (one: SisImport) => ReactNode;
  /** Whether `ended` tells of each row what was said about it, so that they are not listed twice. */
  ownRows?: boolean;
}

/** Looks after which an import that is not in the LMS is not on its way there any more, but waits. */
const WAITS_AFTER = 3;

/** Whether the LMS does not have it yet, although it has been asked for a while ago. */
function waitsLong({ polls }: Watch<ImportShown>, one: SisImport): boolean {
  return polls >= WAITS_AFTER && one.canvas_id === null && !one.final;
}

/** From the documented 'Processing,Please wait..' to what was and was not done (area IMP). One view for all tools. */
export function ImportProgress(props: ImportProgressProps) {
  const {
    screen,
    id,
    onEnd,
    onHome,
    homeLabel = messages.wizard.home,
    another,
    ended,
    ownRows = false,
  } = props;
  const { state, pollNow } = useImportWatch(screen, id);
  const shown = state.seen;
  const end = outcome(shown);

  const told = shown.import?.final === true;
  useEffect(() => {
    // Its end, and a moment later that of its job, are news; a new function of the caller is none.
    if (end !== 'running' && shown.import) onEnd?.(shown.import);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [told, end]);

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <ImportView
        shown={shown}
        watch={state}
        onAgain={pollNow}
        title={shown.import?.label ?? ''}
        rows={!ownRows}
        {...(shown.import !== null && waitsLong(state, shown.import)
          ? { cancel: <CancelImport of={shown.import} /> }
          : {})}
      />
      {shown.import !== null && end !== 'running' && ended?.(shown.import)}
      {end !== 'running' && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button variant="contained" onClick={onHome}>
            {homeLabel}
          </Button>
          {another && (
            <Button variant="outlined" color="inherit" onClick={another.onPress}>
              {another.label}
            </Button>
          )}
          {shown.import?.can_undo === true && (
            <Button
              component={Link}
              to={`${ACTIVITY_PATH}/${shown.import.id}${UNDO_HASH}`}
              variant="outlined"
              color="inherit"
            >
              {texts.undo}
            </Button>
          )}
        </Box>
      )}
    </Box>
  );
}
