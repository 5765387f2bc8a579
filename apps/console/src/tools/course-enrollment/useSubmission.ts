import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { SisImport } from '@lms-admin/contract/imports';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { invoke, send } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { useProfile } from '../../api/session.ts';
import type { EnrollmentState } from './enrollment-state.ts';

/** Refusals after which it is certain that nothing was sent. */
const REFUSED: readonly string[] = [
  'not-allowed',
  'not-found',
  'bad-request',
  'too-many-rows',
  'too-large',
  'conflict',
];

export interface Submission {
  error: unknown;
  /** Whether the server said no, so that nothing was sent and the review may be opened again. */
  refused: boolean;
  again: () => void;
}

/**
 * Submits the confirmed plan when the progress view opens (IMP-19), once: the plan is the key by which the server knows a
 * repeat, so that a reload, a second tab or a lost answer finds the first import again (OP-42).
 */
export function useSubmission(
  submission: EnrollmentState['submission'],
  onSubmitted: (created: SisImport) => void,
): Submission {
  const { mutate, error } = useMutation({
    mutationFn: async (plan: string) => {
      const query: [string, string][] = [['override_sis_stickiness', 'true']];
      return (await invoke('sis-import-create', {}, query, { payload: { plan } })).data;
    },
    onSuccess: onSubmitted,
  });
  const sent = useRef<string | null>(null);
  const plan = submission.import === null ? submission.plan : null;
  useEffect(() => {
    if (plan === null || sent.current === plan) return;
    sent.current = plan;
    mutate(plan);
  }, [plan, mutate]);
  return {
    error,
    refused: error instanceof ApiError && REFUSED.includes(error.code),
    again() {
      if (plan !== null) mutate(plan);
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
