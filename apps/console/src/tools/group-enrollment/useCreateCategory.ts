import type { GroupCategory } from '@lms-admin/contract/canvas-objects';
import { groupEnrollmentMessages as words } from '@lms-admin/contract/messages/group-enrollment';
import { categorySisId, sameCategoryName } from '@lms-admin/domain/groups';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { invoke } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { queryClient } from '../../api/queries.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { categoriesQuery, refreshGroups } from './categories-query.ts';
import type { NewCategory } from './category-state.ts';
import { type DialogPart, focusOn } from './dialog-part.ts';

export interface CreatingCategory {
  start: () => void;
  /** Why the category was not created; null if its name is already in use. */
  error: unknown;
  /** Whether the result is unknown: the list does not show it either. */
  unknown: boolean;
  /** The server's advice about a name that is already in use. */
  hint: string | null;
  /** Clears the result. */
  forget: () => void;
}

/** The result of a call; `unknown` if the answer was lost and the list does not show the category. */
type Outcome = { created: GroupCategory } | { error: unknown; unknown: boolean };

/**
 * Creates a category and passes the result to its state machine. If the answer is lost, for example by a reload, the
 * list is read again and shows the result.
 */
export function useCreateCategory(category: NewCategory, { course, dispatch }: DialogPart): CreatingCategory {
  const announce = useAnnounce();
  const { id, sis_course_id } = course;

  function announceCreated(created: GroupCategory) {
    const named = created.sis_group_category_id === null ? {} : { id: created.id };
    dispatch({ type: 'category', action: { type: 'created' }, ...named });
    announce(words.category.created);
    void refreshGroups(id);
  }

  const mutationKey = ['group-category-create', id];
  const { mutate, data, reset } = useMutation({
    mutationKey,
    mutationFn: async ({ name, sent }: { name: string; sent: boolean }): Promise<Outcome> => {
      if (sent) return lookFor(id, name, null);
      try {
        const sis_group_category_id = categorySisId(sis_course_id, name);
        const payload = { name: name.trim(), sis_group_category_id };
        return { created: (await invoke('group-category-create', { course: id }, [], { payload })).data };
      } catch (error) {
        return isCertain(error) ? { error, unknown: false } : lookFor(id, name, error);
      }
    },
    onSuccess(outcome) {
      if ('created' in outcome) return announceCreated(outcome.created);
      const taken = isTaken(outcome.error);
      dispatch({ type: 'category', action: { type: taken ? 'taken' : 'failed' } });
      if (taken) {
        announce(words.category.duplicate, 'assertive');
        focusOn('name');
      }
      void refreshGroups(id);
      return undefined;
    },
  });

  const { state, name } = category;
  useEffect(() => {
    // The state CREATING without a running call means that a reload has interrupted the call.
    const orphan = state === 'CREATING' && queryClient.isMutating({ mutationKey }) === 0;
    if (orphan) mutate({ name, sent: true });
    // Only the state on mounting matters here; a press starts the call itself.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const failure = data && 'error' in data ? data : null;
  const taken = failure !== null && isTaken(failure.error);
  return {
    start: () => mutate({ name, sent: false }),
    error: taken ? null : (failure?.error ?? null),
    unknown: failure?.unknown ?? false,
    hint: taken && failure.error instanceof ApiError ? failure.error.next : null,
    forget: reset,
  };
}

/** Reads the list again: it shows whether the category was created. */
async function lookFor(course: number, name: string, error: unknown): Promise<Outcome> {
  try {
    const list = await queryClient.fetchQuery({ ...categoriesQuery(course), staleTime: 0 });
    const created = list.find((one) => sameCategoryName(one.name, name));
    return created ? { created } : { error, unknown: false };
  } catch (lookupError) {
    return { error: error ?? lookupError, unknown: true };
  }
}

const CERTAIN: readonly string[] = [
  'conflict',
  'name-taken',
  'bad-request',
  'not-allowed',
  'not-found',
  'signed-out',
  'busy',
];

/** Tells whether the server has confirmed what was created, or that nothing was created. */
function isCertain(error: unknown): boolean {
  return error instanceof ApiError && CERTAIN.includes(error.code);
}

function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'name-taken';
}
