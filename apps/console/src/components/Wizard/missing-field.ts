import { createContext, useContext } from 'react';

/** ID of the field that stopped the last press, until it is filled in; null for none. */
export const MissingField = createContext<string | null>(null);

/** Tells whether this field stopped the last press, so that it is marked. */
export function useMissing(id: string): boolean {
  return useContext(MissingField) === id;
}
