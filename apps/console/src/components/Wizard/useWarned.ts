import { useState } from 'react';
import type { Missing } from './wizard-state.ts';

const byId = (id: string) => document.getElementById(id);

/**
 * Shows the warning about a missing entry after a press. Its field is marked until it is filled in, and gets the focus
 * when the warning is closed.
 * @param missing what is missing at the moment
 * @param fieldOf finds the field
 */
export function useWarned(missing: () => Missing | null, fieldOf: (id: string) => HTMLElement | null = byId) {
  const [warning, setWarning] = useState<Missing | null>(null);
  const [field, setField] = useState<string | null>(null);
  /** @returns whether something is missing, which opens the warning */
  function warn(): boolean {
    const found = missing();
    if (!found) return false;
    setField(found.field);
    setWarning(found);
    return true;
  }
  return {
    warn,
    marked: field !== null && missing()?.field === field ? field : null,
    /** For `WarningDialog`. */
    warning: {
      text: warning?.message ?? null,
      onClose: () => setWarning(null),
      returnFocus: () => fieldOf(field ?? ''),
    },
  };
}
