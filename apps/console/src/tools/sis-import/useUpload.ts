import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type SisFile, sisFile } from '@lms-admin/contract/sis-files';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import { getJson } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { uploadFile } from '../../api/upload.ts';
import type { Pace } from '../../components/Job/pace.ts';
import { arrived, sent, startUpload } from './upload-progress.ts';

export interface UploadWork {
  /** The uploaded file that has passed the check. */
  file: SisFile | null;
  progress: Pace | null;
  error: unknown;
  /** Whether the administrator has cancelled the upload. */
  cancelled: boolean;
  cancel: () => void;
  retry: () => void;
}

interface Work {
  progress: Pace | null;
  error: unknown;
  cancelled: boolean;
}
const IDLE: Work = { progress: null, error: null, cancelled: false };

const fileQuery = (id: string) =>
  queryOptions({
    queryKey: ['sis-files', id],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.sisFile.replace(':file', encodeURIComponent(id)), sisFile, { signal }),
  });

/**
 * Provides the file of the review: uploaded once the review opens, cancelled when the administrator leaves it, and read
 * again by its ID after a reload instead of being uploaded twice. An upload is a check; it sends nothing to the LMS.
 * @param open whether the review is shown
 * @param file the chosen file; null after a reload
 * @param id ID of the uploaded file; null before the upload
 * @param onRefused the server keeps a file with problems for corrections
 * @param onExpired the server has deleted the file
 */
export function useUpload(
  open: boolean,
  file: File | null,
  id: string | null,
  onUploaded: (uploaded: SisFile) => void,
  onRefused: (draft: string) => void,
  onExpired: () => void,
): UploadWork {
  const client = useQueryClient();
  const [work, set] = useReducer((_: Work, next: Work) => next, IDLE);
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController | null>(null);
  const handlers = useRef({ onUploaded, onRefused, onExpired });
  useEffect(() => {
    handlers.current = { onUploaded, onRefused, onExpired };
  });

  const stored = useQuery({
    ...fileQuery(id ?? ''),
    enabled: open && id !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const expired = stored.error instanceof ApiError && stored.error.code === 'not-found';
  useEffect(() => {
    if (expired) handlers.current.onExpired();
  }, [expired]);

  useEffect(() => {
    if (!open || file === null || id !== null) return undefined;
    const controller = new AbortController();
    running.current = controller;
    let progress = startUpload(file.size, performance.now());
    const show = (next: Pace) => {
      progress = next;
      if (!controller.signal.aborted) set({ ...IDLE, progress });
    };
    show(progress);
    uploadFile(ENDPOINTS.sisFiles, file, sisFile, {
      signal: controller.signal,
      onSent: (bytes) => show(sent(progress, bytes, performance.now())),
      onArrived: () => show(arrived(progress, performance.now())),
    }).then(
      (uploaded) => {
        if (controller.signal.aborted) return;
        client.setQueryData(fileQuery(uploaded.id).queryKey, uploaded);
        handlers.current.onUploaded(uploaded);
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        if (!(error instanceof ApiError) || error.draft === null) return set({ ...IDLE, error });
        set(IDLE);
        handlers.current.onRefused(error.draft);
      },
    );
    return () => controller.abort();
    // A new attempt runs the same effect again.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [open, file, id, attempt, client]);

  return {
    file: id === null ? null : (stored.data ?? null),
    progress: work.progress,
    error: id === null ? work.error : expired || stored.isFetching ? null : stored.error,
    cancelled: id === null && work.cancelled,
    cancel() {
      running.current?.abort();
      set({ ...IDLE, cancelled: true });
    },
    retry() {
      if (id === null) setAttempt(attempt + 1);
      else void stored.refetch();
    },
  };
}
