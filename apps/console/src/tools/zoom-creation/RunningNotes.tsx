import type { Course } from '@lms-admin/contract/canvas-objects';
import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import type { ZoomOwners } from '@lms-admin/contract/zoom';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { CheckIcon } from '../../components/Icons.tsx';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { Notice, ShortList } from '../../components/Notice/Notice.tsx';
import type { View } from './course-state.ts';
import type { EventRow } from './event-rows.ts';
import { doneWords, failureTitle, laterLines, stoppedLines } from './failure-words.ts';
import { formOf } from './publish-form.ts';
import { openChangesQuery } from './queries.ts';
import { texts } from './texts.ts';
import type { Changes } from './useChanges.ts';

interface RunningNotesProps {
  course: Course;
  changes: Changes;
  /** The selected events. */
  chosen: readonly EventRow[];
  /** Null until the hosts are loaded. */
  owners: ZoomOwners | null;
  onOpen: (view: View, retry: boolean) => void;
  /** Formats the time of an event. */
  times: (of: { start_at: string | null }) => string;
}

/**
 * Running changes whose dialog is closed, and their results, for administrators who have left the dialog or return to
 * the course.
 */
export function RunningNotes({ course, changes, chosen, owners, onOpen, times }: RunningNotesProps) {
  const { running, failure, saved, view } = changes.state;
  const open = useQuery(openChangesQuery(course.id)).data ?? [];
  const other = open.find(({ job }) => job !== running?.job);
  if (view !== null) return null;
  const requested = running?.asked ?? failure?.asked ?? null;

  /** Opens the dialog of a change in the state in which it was saved. */
  function show() {
    if (requested === null || owners === null) return;
    if (requested.change === 'publish')
      onOpen({ kind: 'publish', form: formOf(requested, chosen, owners.default.email) }, true);
    else if (requested.change === 'merge') onOpen({ kind: 'merge', parent: requested.parent }, true);
    else onOpen({ kind: 'unmerge', event: requested.event }, true);
  }

  const dismiss = (
    <Button size="small" color="inherit" onClick={() => changes.dispatch({ type: 'noted' })}>
      {texts.failure.dismiss}
    </Button>
  );
  return (
    <Box sx={{ display: 'grid', gap: 1, '&:empty': { display: 'none' } }}>
      {running !== null && (
        <Notice
          tone="info"
          title={texts.running.title}
          action={
            <Button size="small" variant="outlined" color="inherit" disabled={owners === null} onClick={show}>
              {texts.running.show}
            </Button>
          }
        />
      )}
      {saved !== null && (
        <Alert severity="success" icon={<CheckIcon />} action={dismiss}>
          {[zoomCreationMessages.publish.done, changes.state.savedNote].filter(Boolean).join(' ')}
        </Alert>
      )}
      {failure !== null && (
        <Notice
          tone="warning"
          title={failureTitle(failure, changes.state.selected)}
          action={
            <Box sx={{ display: 'flex', gap: 1 }}>
              {failure.outcome !== 'later' && (
                <Button size="small" variant="outlined" color="inherit" onClick={show}>
                  {texts.failure.show}
                </Button>
              )}
              {dismiss}
            </Box>
          }
        >
          {failure.outcome === 'later' && <ShortList items={laterLines(failure, times)} more={texts.more} />}
          {failure.stopped.length > 0 && <ShortList items={stoppedLines(failure, times)} more={texts.more} />}
          {[doneWords(failure), failure.more].filter(Boolean).join(' ')}
        </Notice>
      )}
      {running === null && other !== undefined && (
        <Notice
          tone="info"
          title={texts.running.other}
          action={
            other.shown && (
              <Button
                component={Link}
                to={`${ACTIVITY_PATH}/${other.job}`}
                size="small"
                variant="outlined"
                color="inherit"
              >
                {texts.running.otherNext}
              </Button>
            )
          }
        >
          <Box sx={{ overflowWrap: 'anywhere' }}>{texts.running.of(other.admin, other.label)}</Box>
        </Notice>
      )}
    </Box>
  );
}
