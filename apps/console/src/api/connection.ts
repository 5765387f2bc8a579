/**
 * Calls back when the browser loses its connection or regains it; `navigator.onLine` says which.
 * @returns a function that stops listening
 */
export function onConnection(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}
