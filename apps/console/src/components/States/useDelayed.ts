import { useEffect, useState } from 'react';

/** Milliseconds before a skeleton is shown: a brief flash is worse than a short pause. */
const SHOW_AFTER_MS = 300;

/** Tells whether `active` has been true for the given time without a break. */
export function useDelayed(active: boolean, milliseconds: number = SHOW_AFTER_MS): boolean {
  const [due, setDue] = useState(false);
  useEffect(() => {
    if (!active) return undefined;
    const timer = setTimeout(() => setDue(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setDue(false);
    };
  }, [active, milliseconds]);
  return active && due;
}
