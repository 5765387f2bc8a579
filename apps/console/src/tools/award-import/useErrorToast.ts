import { useEffect } from 'react';
import type { ToastsWork } from '../../components/Toast/useToasts.ts';

/** Shows a toast each time something could not be read (BTA-53). */
export function useErrorToast(error: unknown, at: number, text: string, show: ToastsWork['show']): void {
  const failed = error !== null;
  useEffect(() => {
    if (failed && at > 0) show(text, 'stop');
  }, [failed, at, text, show]);
}
