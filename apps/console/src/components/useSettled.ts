import { useEffect, useState } from 'react';

/** Milliseconds without a change after which someone has stopped typing. */
const PAUSE_MS = 500;

/** Whether a value has stayed the same for a moment: what is typed is worked out once, not at every key. */
export function useSettled<T>(value: T): boolean {
  const [settled, settle] = useState<{ value: T }>({ value });
  useEffect(() => {
    if (Object.is(settled.value, value)) return undefined;
    const timer = setTimeout(() => settle({ value }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [settled, value]);
  return Object.is(settled.value, value);
}
