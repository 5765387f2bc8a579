/** Time zones in requests and answers. */
import { z } from 'zod';

/** IANA name, such as `Europe/Paris`. */
export const timeZone = z.string().max(64).refine(isTimeZone, 'a time zone');

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).format() !== '';
  } catch {
    return false;
  }
}
