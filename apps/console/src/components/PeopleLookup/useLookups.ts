import { useEffect, useSyncExternalStore } from 'react';
import type { LookupStore, Wanted } from './lookup-store.ts';

/**
 * Looks up everybody who is wanted, and no one any more when the field goes away.
 * @param wanted null while nothing is to be asked; keep the object the same while it does not change
 */
export function useLookups(lookups: LookupStore, wanted: Wanted | null): void {
  const asking = wanted !== null;
  useEffect(() => {
    if (wanted !== null) lookups.want(wanted);
  }, [lookups, wanted]);
  useEffect(() => (asking ? () => lookups.rest() : undefined), [lookups, asking]);
}

/** A number that changes, with a render, whenever something has become known. @param listening false for never */
export function useLookupVersion(lookups: LookupStore, listening = true): number {
  return useSyncExternalStore(lookups.subscribe, listening ? lookups.version : () => 0);
}
