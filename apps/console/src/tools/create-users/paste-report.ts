/** What a paste into the form came to. Pure. */
import { duplicateFields, type NewUser } from '@lms-admin/domain/new-users';
import { z } from 'zod';

export const pasteReport = z.object({
  /** Rows that were filled. */
  rows: z.number(),
  /** Of those: with the PeopleSoft ID or email of an earlier row; and without an email. */
  repeats: z.number(),
  without: z.number(),
  /** What was not taken, with the reason; kept until it is dismissed. */
  notTaken: z.array(z.object({ text: z.string(), why: z.string() })),
});
export type PasteReport = z.infer<typeof pasteReport>;

/** Pieces that are kept: enough for what someone pastes by hand. */
const MOST_KEPT = 2_000;

/**
 * @param after the rows of the form with the paste in them
 * @param start index of the first row that was filled
 * @param count how many were filled
 * @param before what an earlier paste left to be dismissed
 */
export function reportOf(
  after: readonly NewUser[],
  start: number,
  count: number,
  notTaken: PasteReport['notTaken'],
  before: PasteReport | null,
): PasteReport {
  const pasted = (index: number) => index >= start && index < start + count;
  return {
    rows: count,
    repeats: [...duplicateFields(after).keys()].filter(pasted).length,
    without: after.filter((row, index) => pasted(index) && row.email.trim() === '').length,
    notTaken: [...(before?.notTaken ?? []), ...notTaken].slice(-MOST_KEPT),
  };
}
