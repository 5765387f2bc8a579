import { createContext, useContext } from 'react';

/** Id of the field because of which the last press was refused, until it is filled in; null for none. */
export const MissingField = createContext<string | null>(null);

/** Whether a field is the one that blocks, so that it is marked. */
export function useMissing(id: string): boolean {
  return useContext(MissingField) === id;
}
