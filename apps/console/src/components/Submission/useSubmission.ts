import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { SisImport, SubmitPayload } from '@lms-admin/contract/imports';
import { useEffect, useRef } from 'react';
import { invoke, send } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { jobsChanged } from '../../api/jobs.ts';
import { useProfile } from '../../api/session.ts';
import { useWrite } from '../../api/useWrite.ts';
import type { SubmissionState } from './submission-state.ts';

/** Errors after which it is certain that nothing was sent. */
const REFUSED: readonly string[] = [
  'not-allowed',
  'not-found',
  'bad-request',
  'too-many-rows',
  'too-large',
  'conflict',
];

export interface Sending {
  error: unknown;
  /** Whether the server rejected the submission, so that nothing was sent and the review can be opened again. */
  refused: boolean;
  retry: () => void;
}

/**
 * Submits the confirmed review once when the progress view opens (IMP-19): the server recognises a repeat by its key,
 * so a reload, a second tab or a lost answer finds the first import again (OP-42).
 * @param payload the rows to submit, with the key
 * @param onSignedOut called if the session had expired: nothing was sent, and sending needs another press
 */
export function useSubmission(
  submission: SubmissionState,
  payload: SubmitPayload,
  onSubmitted: (created: SisImport) => void,
  onSignedOut: () => void,
): Sending {
  const { write, error } = useWrite({
    mutationFn: async (body: SubmitPayload) => {
      const query: [string, string][] = [['override_sis_stickiness', 'true']];
      return (await invoke('sis-import-create', {}, query, { payload: body })).data;
    },
    onSuccess: (created) => {
      jobsChanged();
      onSubmitted(created);
    },
    onError: (failure) => {
      if (failure instanceof ApiError && failure.code === 'signed-out') onSignedOut();
    },
  });
  const sent = useRef<string | null>(null);
  const key = submission.import === null ? submission.key : null;
  useEffect(() => {
    if (key === null || sent.current === key) return;
    sent.current = key;
    write(payload);
    // The key represents the payload: a new object with the same content must not be sent again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, write]);
  return {
    error,
    refused: error instanceof ApiError && REFUSED.includes(error.code),
    retry() {
      if (key !== null) write(payload);
    },
  };
}

/** Writes to the log of SIS results (LMS-24, OP-41); the import does not depend on it, so a failure is not shown. */
export function useLogStatus(): (status: string) => void {
  const { email } = useProfile().sub_account;
  return (status) => {
    send(ENDPOINTS.logStatus, { method: 'POST', body: { email, status } }).catch(() => undefined);
  };
}
