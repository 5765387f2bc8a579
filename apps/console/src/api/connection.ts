/**
 * Calls back when the browser has lost its connection, and when it has one again; `navigator.onLine` says which.
 * @returns ends it
 */
export function onConnection(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}
