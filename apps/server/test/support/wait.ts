/**
 * Milliseconds to wait for something that must happen: just less than a test may take, so that the failure
 * says what did not happen.
 */
export const WAIT_MS = 110_000;
