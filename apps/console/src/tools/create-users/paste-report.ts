/** The result of a paste into the form. Pure. */
import { duplicateFields, type NewUser } from '@lms-admin/domain/new-users';
import { z } from 'zod';

export const pasteReport = z.object({
  /** Rows that were filled. */
  rows: z.number(),
  /** How many of these rows repeat the PeopleSoft ID or email of an earlier row, and how many have no email. */
  repeats: z.number(),
  without: z.number(),
  /** The invalid pieces, each with its reason; kept until dismissed. */
  notTaken: z.array(z.object({ text: z.string(), why: z.string() })),
});
export type PasteReport = z.infer<typeof pasteReport>;

/** Maximum number of pieces to keep: more than anyone pastes by hand. */
const MOST_KEPT = 2_000;

/**
 * @param after the rows of the form with the paste in them
 * @param start index of the first row that was filled
 * @param count how many were filled
 * @param before invalid pieces of an earlier paste, not dismissed yet
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
