/** Resolves when the page is visible, because no one sees what a hidden tab shows. Aborting rejects. */
export function untilVisible(signal?: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const settle = () => {
      if (!signal?.aborted && document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', settle);
      signal?.removeEventListener('abort', settle);
      if (signal?.aborted) reject(new DOMException('no one is waiting', 'AbortError'));
      else resolve();
    };
    document.addEventListener('visibilitychange', settle);
    signal?.addEventListener('abort', settle);
  });
}
