import type { ZoomChange, ZoomPreview } from '@lms-admin/contract/zoom';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useSettled } from '../../components/useSettled.ts';
import { nothingPossible } from './preview-words.ts';
import { previewQuery } from './queries.ts';
import { texts } from './texts.ts';

export interface Preview {
  /** Null until it is there, and while the form changes. */
  seen: ZoomPreview | null;
  working: boolean;
  error: unknown;
  again: () => void;
  /** Why nothing can be saved yet; null where it can. */
  blocked: string | null;
}

/** What a change would do, asked once the form rests. @param asked null while something is missing in the form */
export function usePreview(asked: ZoomChange | null): Preview {
  // An address that becomes a chip asks for nothing else: another object with the same words is no other change.
  const told = JSON.stringify(asked);
  const change = useMemo(() => JSON.parse(told) as ZoomChange | null, [told]);
  const settled = useSettled(change);
  const query = useQuery(previewQuery(settled ? change : null));
  const working = change !== null && (!settled || query.isFetching);
  const seen = change === null || working ? null : (query.data ?? null);
  const error = working ? null : query.error;
  return {
    seen,
    working,
    error,
    again: () => void query.refetch(),
    blocked: whyBlocked(seen, error),
  };
}

/** Whether the form asks for something that cannot be, which trying again does not change. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'bad-request';
}

function whyBlocked(seen: ZoomPreview | null, error: unknown): string | null {
  if (error !== null) return isRefusal(error) ? texts.will.refused : texts.will.notWorked;
  if (seen === null) return texts.will.first;
  return nothingPossible(seen) ? texts.will.cannot : null;
}
