import type { SisImport } from '@lms-admin/contract/imports';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type Dispatch, useEffect, useRef } from 'react';
import { ImportProgress } from '../../components/ImportProgress/ImportProgress.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import type { EnrollmentAction, EnrollmentState } from './enrollment-state.ts';
import { texts } from './texts.ts';
import { useLogStatus, useSubmission } from './useSubmission.ts';

export interface SubmitViewProps {
  submission: EnrollmentState['submission'];
  dispatch: Dispatch<EnrollmentAction>;
  onHome: () => void;
}

/** The progress view: submits the confirmed plan once and follows its import to the end. */
export function SubmitView({ submission, dispatch, onHome }: SubmitViewProps) {
  const log = useLogStatus();
  const logged = useRef(new Set(submission.logged));

  function logOnce(what: 'created' | 'ended', status: string) {
    if (logged.current.has(what)) return;
    logged.current.add(what);
    dispatch({ type: 'logged', what });
    log(status);
  }

  const sending = useSubmission(submission, (created) => {
    dispatch({ type: 'submitted', import: created.id });
    logOnce('created', created.id);
  });
  const failure = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sending.error !== null) failure.current?.focus();
  }, [sending.error]);

  if (submission.import === null && sending.error !== null)
    return (
      <Box ref={failure} tabIndex={-1} sx={{ display: 'grid', gap: 2, outline: 'none' }}>
        <ErrorState
          error={sending.error}
          title={texts.sending.failed}
          {...(sending.refused ? {} : { onRetry: sending.again, retryLabel: texts.sending.again })}
        >
          {sending.refused ? texts.sending.nothingSent : texts.sending.safe}
        </ErrorState>
        {sending.refused && (
          <Box>
            <Button variant="outlined" onClick={() => dispatch({ type: 'not-sent' })}>
              {texts.sending.review}
            </Button>
          </Box>
        )}
      </Box>
    );
  return (
    <ImportProgress
      screen="enrollment"
      id={submission.import}
      onEnd={(ended: SisImport) => logOnce('ended', `${ended.id} ${ended.workflow_state}`)}
      onHome={onHome}
    />
  );
}
