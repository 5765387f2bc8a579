/** `Retry-After`: seconds, an HTTP date, or (Zoom) an ISO date. */
import type { OutboundAnswer } from './answer.ts';

/** Returns the milliseconds for which the answer asks to wait; null if it does not ask for a wait. */
export function retryAfterMs(answer: OutboundAnswer, now = Date.now()): number | null {
  const text = answer.header('retry-after')?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const until = Date.parse(text);
  if (Number.isNaN(until)) return null;
  // Uses the system's own clock, so that a clock difference does not matter.
  const theirs = Date.parse(answer.header('date') ?? '');
  return Math.max(0, until - (Number.isNaN(theirs) ? now : theirs));
}
