import type { ZoomChange } from '@lms-admin/contract/zoom';
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useSettled } from '../../components/useSettled.ts';
import { nothingPossible } from './preview-words.ts';
import { previewQuery } from './queries.ts';
import { texts } from './texts.ts';

export interface Preview {
  /** Null until the preview is loaded, and while the form changes. */
  seen: ZoomPreview | null;
  working: boolean;
  error: unknown;
  retry: () => void;
  /** Why the change cannot be saved yet; null if it can be. */
  blocked: string | null;
}

/** Requests the preview of a change after a pause in editing. @param requested null while an entry is missing */
export function usePreview(requested: ZoomChange | null): Preview {
  // Turning an address into a chip does not change the request: an equal object is the same change.
  const requestKey = JSON.stringify(requested);
  const change = useMemo(() => JSON.parse(requestKey) as ZoomChange | null, [requestKey]);
  const settled = useSettled(change);
  const query = useQuery(previewQuery(settled ? change : null));
  const working = change !== null && (!settled || query.isFetching);
  const seen = change === null || working ? null : (query.data ?? null);
  const error = working ? null : query.error;
  return {
    seen,
    working,
    error,
    retry: () => void query.refetch(),
    blocked: whyBlocked(seen, error),
  };
}

/** Tells whether the request is not possible, so that trying again does not help. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'bad-request';
}

function whyBlocked(seen: ZoomPreview | null, error: unknown): string | null {
  if (error !== null) return isRefusal(error) ? texts.will.refused : texts.will.notWorked;
  if (seen === null) return texts.will.first;
  return nothingPossible(seen) ? texts.will.cannot : null;
}
