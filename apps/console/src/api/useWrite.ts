import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

export type Write<Data, Variables> = Omit<
  UseMutationResult<Data, Error, Variables>,
  'mutate' | 'mutateAsync'
> & {
  /** Starts the write, unless one is pending. The function never changes. */
  write: (variables: Variables) => void;
};

/**
 * Runs one write at a time. A second press may come before the screen is updated after the first, so `isPending`
 * alone would not prevent a second write.
 */
export function useWrite<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): Write<Data, Variables> {
  const onItsWay = useRef(false);
  const {
    mutate,
    mutateAsync: _,
    ...rest
  } = useMutation({
    ...options,
    // Not in the `onSuccess` option: if a closing dialog calls `reset` there, later callbacks do not run.
    async onSettled(...settled) {
      try {
        await options.onSettled?.(...settled);
      } finally {
        onItsWay.current = false;
      }
    },
  });
  const write = useCallback(
    (variables: Variables) => {
      if (onItsWay.current) return;
      onItsWay.current = true;
      mutate(variables);
    },
    [mutate],
  );
  return { ...rest, write };
}
