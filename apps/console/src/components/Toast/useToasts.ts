import { useCallback, useState } from 'react';

export interface Toast {
  id: number;
  text: string;
  tone: 'done' | 'info' | 'stop';
  /** Milliseconds for which a brief toast is shown; if omitted, long enough to be read, with a close button. */
  ms?: number;
}

export interface ToastsWork {
  toasts: readonly Toast[];
  /**
   * Shows a text; for a text already shown, the time starts again. The function never changes.
   * @returns its ID, for closing it
   */
  show: (text: string, tone: Toast['tone'], ms?: number) => number;
  close: (id: number) => void;
}

let lastId = 0;

/** Provides the toasts of a screen, removed with it; render them with `Toasts`. */
export function useToasts(): ToastsWork {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const show = useCallback((text: string, tone: Toast['tone'], ms?: number) => {
    const id = ++lastId;
    setToasts((before) => [
      ...before.filter((one) => one.text !== text),
      { id, text, tone, ...(ms !== undefined && { ms }) },
    ]);
    return id;
  }, []);
  const close = useCallback((id: number) => setToasts((before) => before.filter((one) => one.id !== id)), []);
  return { toasts, show, close };
}
