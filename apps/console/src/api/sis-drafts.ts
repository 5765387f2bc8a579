/** The administrator's own drafts of SIS files: being corrected, not submitted yet. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { openDraft } from '@lms-admin/contract/sis-drafts';
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { getJson, send } from './client.ts';
import { ApiError } from './errors.ts';

const drafts = z.array(openDraft);

/** Reads the open drafts each time the list is shown: another tab may have changed them. */
export const openDraftsQuery = queryOptions({
  queryKey: ['sis-drafts'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.sisDrafts, drafts, { signal }),
  refetchOnMount: 'always',
});

/** Discards a draft; a draft that does not exist counts as discarded. */
export async function discardDraft(id: string): Promise<void> {
  try {
    await send(ENDPOINTS.sisDraft.replace(':draft', encodeURIComponent(id)), { method: 'DELETE' });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not-found')) throw error;
  }
}
