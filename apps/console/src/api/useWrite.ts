import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

export type Write<Data, Variables> = Omit<
  UseMutationResult<Data, Error, Variables>,
  'mutate' | 'mutateAsync'
> & {
  /** Begins it, unless one is on its way. The function never changes. */
  write: (variables: Variables) => void;
};

/**
 * A change of something outside, one at a time: a second press may come before the screen knows of the first, so `isPending`
 * alone does not hold it back.
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
    // Not where it is begun: `reset` in the options' own `onSuccess`, as a dialog does that closes, would keep it from being called.
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
