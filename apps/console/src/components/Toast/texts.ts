/** Texts on toasts. */
export const texts = { close: 'Close this message' } as const;
