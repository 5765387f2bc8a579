/** Our own texts on toasts. */
export const texts = { close: 'Close this message' } as const;
