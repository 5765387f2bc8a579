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
  /** Why it was not made, where that is more than a name that is taken. */
  error: unknown;
  /** Whether not even the list told what came of it. */
  unknown: boolean;
  /** What to do about a name that is taken, as the server says. */
  hint: string | null;
  /** Forgets what came of it. */
  forget: () => void;
}

/** What came of a call whose answer did not come, or did not say. */
type Outcome = { made: GroupCategory } | { error: unknown; unknown: boolean };

/**
 * Makes a category and tells its machine what came of it. Where the answer is lost, also by a reload, the list is read again
 * and tells.
 */
export function useCreateCategory(category: NewCategory, { course, dispatch }: DialogPart): CreatingCategory {
  const announce = useAnnounce();
  const { id, sis_course_id } = course;

  function told(made: GroupCategory) {
    const named = made.sis_group_category_id === null ? {} : { id: made.id };
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
        return { made: (await invoke('group-category-create', { course: id }, [], { payload })).data };
      } catch (error) {
        return isCertain(error) ? { error, unknown: false } : lookFor(id, name, error);
      }
    },
    onSuccess(outcome) {
      if ('made' in outcome) return told(outcome.made);
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
    // Found at work without the work: it was stopped in the middle, by a reload.
    const orphan = state === 'CREATING' && queryClient.isMutating({ mutationKey }) === 0;
    if (orphan) mutate({ name, sent: true });
    // Only what the machine is found in counts here; a press begins the work itself.
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

/** Reads the list again: it tells whether the category was made. */
async function lookFor(course: number, name: string, error: unknown): Promise<Outcome> {
  try {
    const list = await queryClient.fetchQuery({ ...categoriesQuery(course), staleTime: 0 });
    const made = list.find((one) => sameCategoryName(one.name, name));
    return made ? { made } : { error, unknown: false };
  } catch (again) {
    return { error: error ?? again, unknown: true };
  }
}

const CERTAIN: readonly string[] = [
  'conflict',
  'bad-request',
  'not-allowed',
  'not-found',
  'signed-out',
  'busy',
];

/** Whether the server has said itself that nothing was made, or what was. */
function isCertain(error: unknown): boolean {
  return error instanceof ApiError && CERTAIN.includes(error.code);
}

function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'conflict' && error.message === words.category.duplicate;
}
