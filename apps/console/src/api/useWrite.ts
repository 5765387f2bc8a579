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
 * A write that runs one at a time: a second press may come before the screen is updated after the first, so `isPending`
 * alone does not stop it.
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
    // Not in `onSuccess` of the options: a `reset` there, as in a dialog that closes, would prevent the call.
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
