/** Ids and addresses that a spreadsheet has converted: rejected for every caller. */
import { spreadsheetValue } from '@lms-admin/domain/spreadsheet-values';
import type { z } from 'zod';

/** Returns the schema, without values such as `1.2E-05`, `#N/A` or a formula. */
export function noSpreadsheetValue(schema: z.ZodString): z.ZodString {
  return schema.refine(
    (text) => spreadsheetValue(text) === null,
    'the original value, not one that a spreadsheet has converted',
  );
}
