import type { SisImport } from '@lms-admin/contract/imports';
import { messages } from '@lms-admin/contract/messages';
import { IMPORT_POLL_MS } from '@lms-admin/domain/constants';
import type { ImportScreen } from '@lms-admin/domain/import-states';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import { invoke } from '../../api/client.ts';
import { getJob } from '../../api/jobs.ts';
import { ACTIVITY_PATH, UNDO_HASH } from '../Job/activity-path.ts';
import { CancelButton } from '../Job/CancelButton.tsx';
import { useWatch, type Watchable, type Watching } from '../Job/useWatch.ts';
import type { Watch } from '../Job/watch.ts';
import { ImportView } from './ImportView.tsx';
import { type ImportShown, importRules, outcome } from './import-watch.ts';
import { texts } from './texts.ts';

export interface ImportProgressProps {
  screen: ImportScreen;
  /** ID of the import; null while it is being submitted. */
  id: string | null;
  /** Called when the import has ended, and again when its job has ended: only then does it count as seen. */
  onEnd?: (ended: SisImport) => void;
  /** 'Back to Home': clears the stored state of the tool and reloads the page (SHELL-33). */
  onHome: () => void;
  /** Label of the home button if it returns only to a part of the page. */
  homeLabel?: string;
  /** Another button at the end: starts again with part of the choices. */
  another?: { label: string; onPress: () => void };
  /** Renders the tool's own content below a finished import. */
  ended?: (one: SisImport) => ReactNode;
  /** Whether `ended` shows the message of each row, so that they are not listed twice. */
  ownRows?: boolean;
}

/** Number of polls after which an import that is not in the LMS is shown as waiting, not as being sent. */
const WAITS_AFTER = 3;

/** Tells whether the import is still not in the LMS after several polls. */
function waitsLong({ polls }: Watch<ImportShown>, one: SisImport): boolean {
  return polls >= WAITS_AFTER && one.canvas_id === null && !one.final;
}

/** From the documented 'Processing,Please wait..' to the final result (area IMP). One view for all tools. */
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

  const final = shown.import?.final === true;
  useEffect(() => {
    // Reports the end of the import, and later that of its job; a new callback alone triggers no report.
    if (end !== 'running' && shown.import) onEnd?.(shown.import);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [final, end]);

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <ImportView
        shown={shown}
        watch={state}
        onRetry={pollNow}
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

async function readImport(id: string, signal: AbortSignal): Promise<SisImport> {
  return (await invoke('sis-import-status', { import: id }, [], { signal })).data;
}

/**
 * Follows an import by its documented call (IMP-20) while its view is open: a poll every 2 seconds until it has ended.
 * @param id null until the server has the import
 */
function useImportWatch(screen: ImportScreen, id: string | null): Watching<ImportShown> {
  const work = useMemo<Watchable<ImportShown, SisImport>>(
    () => ({ ...importRules(screen), read: readImport }),
    [screen],
  );
  return useWatch(work, id);
}

/** Cancels an import that has not reached the LMS; this cannot be undone. Its job has the same ID. */
function CancelImport({ of }: { of: SisImport }) {
  const job = useQuery({
    queryKey: ['jobs', 'of-import', of.id],
    queryFn: ({ signal }) => getJob(of.id, signal),
    refetchInterval: IMPORT_POLL_MS,
    retry: false,
  });
  return job.data === undefined ? null : (
    <CancelButton job={job.data} onRequested={() => void job.refetch()} />
  );
}
