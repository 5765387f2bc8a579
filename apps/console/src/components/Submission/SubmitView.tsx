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
  /** The rows to submit; sent once for each key. */
  payload: SubmitPayload;
  dispatch: (action: SubmissionAction) => void;
  /** Called when the server rejected the submission, so that nothing was sent: returns to the review. */
  onNotSent: () => void;
  /** Label of the button that returns to the review, if it is not 'Back to the review'. */
  retryLabel?: string;
  /**
   * Called when the session had expired, so nothing was sent: after signing in, the administrator has to submit
   * again.
   */
  onSignedOut: () => void;
  onHome: () => void;
  /** Label of the button at the end, if it is not 'Back to Home'. */
  homeLabel?: string;
  another?: { label: string; onPress: () => void };
  /** Renders the tool's own content below a finished import. */
  ended?: (one: SisImport) => ReactNode;
  /** The number on the screen of a row that the server names. */
  rowOf?: ((row: number) => number) | undefined;
  /** Whether `ended` shows the message of each row. */
  ownRows?: boolean;
  /** False if the result counts as seen only when the administrator closes it. */
  seenAtEnd?: boolean;
}

/** The progress view of every import tool: submits the confirmed review once, and follows the import to its end. */
export function SubmitView(props: SubmitViewProps) {
  const {
    screen,
    submission,
    payload,
    dispatch,
    onNotSent,
    retryLabel = texts.review,
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
    return <NotSent sending={sending} retryLabel={retryLabel} rowOf={props.rowOf} onNotSent={onNotSent} />;
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
  retryLabel: string;
}

/** Why the server rejected the submission, or that the outcome is unknown; takes the focus each time. */
function NotSent({ sending, retryLabel, rowOf, onNotSent }: NotSentProps) {
  const { error, refused, retry } = sending;
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
        {...(refused ? {} : { onRetry: retry, retryLabel: texts.retry })}
      >
        {refused ? texts.nothingSent : texts.safe}
      </ErrorState>
      {refused && (
        <Box>
          <Button variant="outlined" onClick={onNotSent}>
            {retryLabel}
          </Button>
        </Box>
      )}
    </Box>
  );
}
