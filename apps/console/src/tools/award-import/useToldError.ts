import { useEffect } from 'react';
import type { ToastsWork } from '../../components/Toast/useToasts.ts';

/** Says by a toast that something could not be read, each time that it could not (BTA-53). */
export function useToldError(error: unknown, at: number, text: string, show: ToastsWork['show']): void {
  const failed = error !== null;
  useEffect(() => {
    if (failed && at > 0) show(text, 'stop');
  }, [failed, at, text, show]);
}
