import { useCallback, useState } from 'react';

export interface Toast {
  id: number;
  text: string;
  tone: 'done' | 'info' | 'stop';
  /** Milliseconds for which a passing one is shown; left out, long enough to be read, with a button that closes it. */
  ms?: number;
}

export interface ToastsWork {
  toasts: readonly Toast[];
  /** Shows a text; one that is shown already begins again. The function never changes. @returns its id, by which it can be closed */
  show: (text: string, tone: Toast['tone'], ms?: number) => number;
  close: (id: number) => void;
}

let made = 0;

/** The toasts of a screen, which go with it; render them with `Toasts`. */
export function useToasts(): ToastsWork {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const show = useCallback((text: string, tone: Toast['tone'], ms?: number) => {
    const id = ++made;
    setToasts((before) => [
      ...before.filter((one) => one.text !== text),
      { id, text, tone, ...(ms !== undefined && { ms }) },
    ]);
    return id;
  }, []);
  const close = useCallback((id: number) => setToasts((before) => before.filter((one) => one.id !== id)), []);
  return { toasts, show, close };
}
