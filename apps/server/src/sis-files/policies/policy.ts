/** What an admin may do with an SIS table, beside what the table itself asks for: one policy a table. */

import type { CsvRow } from '@lms-admin/domain/csv-reader';
import type { RowCheck, SisProblem } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../../auth/admin.ts';
import type { Roles } from '../../canvas/resources/roles.ts';
import type { PlaceServices } from '../../imports/named-places.ts';
import type { Report } from '../../imports/row-problems.ts';
import type { Judge } from '../../imports/sources.ts';
import type { Config } from '../../platform/config.ts';
import { AppError } from '../../platform/errors.ts';
import type { AskedAgain } from '../../platform/schema.ts';
import type { People } from '../../users/people.ts';

export type CheckServices = PlaceServices & { config: Config; people: People; roles: Roles };

/** Whose upload is checked, and with what. */
export interface PolicyContext {
  services: CheckServices;
  admin: Admin;
  signal: AbortSignal;
}

/** One for each upload and table. As it is here it asks for nothing: anyone who may send the table may send any row of it. */
export class TablePolicy {
  protected readonly context: PolicyContext;
  /** Whether the admin's reach is limited (`CUSTOM`). */
  protected readonly limited: boolean;

  constructor(context: PolicyContext) {
    this.context = context;
    this.limited = context.admin.record.perm !== 'ALL';
  }

  /** What is wrong with a header. */
  headerProblems(_header: readonly string[]): SisProblem[] {
    return [];
  }

  /**
   * Begins a file of the table.
   * @param report for what is only found later than its row
   * @returns the checks of its rows
   */
  async begin(_header: readonly string[], _report: Report): Promise<RowCheck[]> {
    return [];
  }

  /** Notes a row. @param fits whether it has passed every check @throws AppError too-many-rows */
  take(_row: number, _cells: readonly string[], _fits: boolean): void {}

  /** Between two batches of rows: may ask the LMS. */
  async between(): Promise<void> {}

  /** After the last row of the file. @param fits whether nothing was wrong so far */
  async end(_fits: boolean): Promise<void> {}

  /** What has to be asked about again when the file is submitted. */
  again(): Partial<AskedAgain> {
    return {};
  }

  /** Asks about it again. @throws AppError conflict */
  async ask(_again: AskedAgain, _rows: () => AsyncIterable<CsvRow[]>): Promise<void> {}

  /** What of rows that had passed has to be asked about right before they are sent. @throws CanvasError */
  async judge(_rows: () => AsyncIterable<CsvRow[]>): Promise<Judge> {
    return () => null;
  }
}

/** Something is not as it was when the file was checked. */
export function changed(
  message: string,
  details: readonly [field: string, message: string][] = [],
): AppError {
  return new AppError('conflict', {
    message: `${message} Nothing has been sent.`,
    next: 'Check the file again, and read its new review.',
    details: details.slice(0, 100).map(([field, text]) => ({ row: null, field, message: text })),
  });
}
