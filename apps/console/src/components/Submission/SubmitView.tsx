import type { SisImport, SubmitPayload } from '@lms-admin/contract/imports';
import type { ImportScreen } from '@lms-admin/domain/import-states';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useEffect, useRef } from 'react';
import { noteSeen } from '../../api/jobs.ts';
import { ImportProgress } from '../ImportProgress/ImportProgress.tsx';
import { ErrorState } from '../States/ErrorState.tsx';
import type { SubmissionAction, SubmissionState } from './submission-state.ts';
import { texts } from './texts.ts';
import { useLogStatus, useSubmission } from './useSubmission.ts';

export interface SubmitViewProps {
  screen: ImportScreen;
  submission: SubmissionState;
  /** What is submitted, once for each key of the submission. */
  payload: SubmitPayload;
  dispatch: (action: SubmissionAction) => void;
  /** The server refused, so nothing was sent: the review again. */
  onNotSent: () => void;
  /** Name of the button for that, where it is not 'Back to the review'. */
  againLabel?: string;
  /** The session was over, so nothing was sent: anyone who signs in again has to press again. */
  onSignedOut: () => void;
  onHome: () => void;
  /** Name of the button at the end, where it is not 'Back to Home'. */
  homeLabel?: string;
  another?: { label: string; onPress: () => void };
  /** What the tool shows of its own below an import that has ended. */
  ended?: (one: SisImport) => ReactNode;
  /** The number on the screen of a row that the server names. */
  rowOf?: ((row: number) => number) | undefined;
  /** Whether `ended` tells of each row what was said about it. */
  ownRows?: boolean;
  /** False where the end counts as seen only when the person puts it away. */
  seenAtEnd?: boolean;
}

/** The progress view of every tool that imports: submits what was confirmed, once, and follows the import to its end. */
export function SubmitView(props: SubmitViewProps) {
  const {
    screen,
    submission,
    payload,
    dispatch,
    onNotSent,
    againLabel = texts.review,
    onHome,
    homeLabel,
    another,
    ended,
    ownRows = false,
    seenAtEnd = true,
  } = props;
  const log = useLogStatus();
  const logged = useRef(new Set(submission.logged));

  function logOnce(what: 'created' | 'ended', status: string) {
    if (logged.current.has(what)) return;
    logged.current.add(what);
    dispatch({ type: 'logged', what });
    log(status);
  }

  const sending = useSubmission(
    submission,
    payload,
    (created) => {
      dispatch({ type: 'submitted', import: created.id });
      logOnce('created', created.id);
    },
    props.onSignedOut,
  );
  if (submission.import === null && sending.error !== null)
    return <NotSent sending={sending} againLabel={againLabel} rowOf={props.rowOf} onNotSent={onNotSent} />;
  return (
    <ImportProgress
      screen={screen}
      id={submission.import}
      onEnd={(one) => {
        logOnce('ended', `${one.id} ${one.workflow_state}`);
        if (seenAtEnd) noteSeen(one.id);
      }}
      onHome={onHome}
      ownRows={ownRows}
      {...(homeLabel === undefined ? {} : { homeLabel })}
      {...(another ? { another } : {})}
      {...(ended ? { ended } : {})}
    />
  );
}

interface NotSentProps extends Pick<SubmitViewProps, 'rowOf' | 'onNotSent'> {
  sending: ReturnType<typeof useSubmission>;
  againLabel: string;
}

/** Why the server did not take it, or that it is not known; with the focus, each time. */
function NotSent({ sending, againLabel, rowOf, onNotSent }: NotSentProps) {
  const { error, refused, again } = sending;
  const failure = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) failure.current?.focus();
  }, [error]);
  return (
    <Box ref={failure} tabIndex={-1} sx={{ display: 'grid', gap: 2, outline: 'none' }}>
      <ErrorState
        error={error}
        title={texts.failed}
        rowOf={rowOf}
        {...(refused ? {} : { onRetry: again, retryLabel: texts.again })}
      >
        {refused ? texts.nothingSent : texts.safe}
      </ErrorState>
      {refused && (
        <Box>
          <Button variant="outlined" onClick={onNotSent}>
            {againLabel}
          </Button>
        </Box>
      )}
    </Box>
  );
}
