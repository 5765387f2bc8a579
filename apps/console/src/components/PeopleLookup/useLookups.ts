import { useEffect, useSyncExternalStore } from 'react';
import type { LookupStore, Wanted } from './lookup-store.ts';

/**
 * Looks up all wanted people, and cancels when the field is removed.
 * @param wanted null while nothing is to be looked up; keep the object's identity while it does not change
 */
export function useLookups(lookups: LookupStore, wanted: Wanted | null): void {
  const asking = wanted !== null;
  useEffect(() => {
    if (wanted !== null) lookups.want(wanted);
  }, [lookups, wanted]);
  useEffect(() => (asking ? () => lookups.rest() : undefined), [lookups, asking]);
}

/** Returns a number that changes, and renders again, with every new result. @param listening false for never */
export function useLookupVersion(lookups: LookupStore, listening = true): number {
  return useSyncExternalStore(lookups.subscribe, listening ? lookups.version : () => 0);
}
