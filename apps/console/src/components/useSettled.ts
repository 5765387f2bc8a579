import { useEffect, useState } from 'react';

/** Milliseconds without a change after which typing has paused. */
const PAUSE_MS = 500;

/** Tells whether a value has stayed the same for a moment: typed text is processed once, not at every keystroke. */
export function useSettled<T>(value: T): boolean {
  const [settled, settle] = useState<{ value: T }>({ value });
  useEffect(() => {
    if (Object.is(settled.value, value)) return undefined;
    const timer = setTimeout(() => settle({ value }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [settled, value]);
  return Object.is(settled.value, value);
}
