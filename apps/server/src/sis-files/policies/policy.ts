/** Limits on the rows that an admin can send, besides the table's own rules: one policy for each table. */

import type { CsvRow } from '@lms-admin/domain/csv-reader';
import type { RowCheck, SisProblem } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../../auth/admin.ts';
import type { Roles } from '../../canvas/resources/roles.ts';
import type { PlaceServices } from '../../imports/named-places.ts';
import type { Report } from '../../imports/row-problems.ts';
import type { Judge } from '../../imports/sources.ts';
import type { Config } from '../../platform/config.ts';
import { AppError } from '../../platform/errors.ts';
import type { Recheck } from '../../platform/schema.ts';
import type { People } from '../../users/people.ts';

export type CheckServices = PlaceServices & { config: Config; people: People; roles: Roles };

/** The sender of an upload, and the services for its check. */
export interface PolicyContext {
  services: CheckServices;
  admin: Admin;
  signal: AbortSignal;
}

/** One for each upload and table. This default requires nothing: anyone who can send the table can send any row. */
export class TablePolicy {
  protected readonly context: PolicyContext;
  /** Whether the admin's scope is limited (`CUSTOM`). */
  protected readonly limited: boolean;

  constructor(context: PolicyContext) {
    this.context = context;
    this.limited = context.admin.record.perm !== 'ALL';
  }

  headerProblems(_header: readonly string[]): SisProblem[] {
    return [];
  }

  /**
   * Begins a file of the table.
   * @param report receives problems that are found later than their row
   * @returns the checks of its rows
   */
  async begin(_header: readonly string[], _report: Report): Promise<RowCheck[]> {
    return [];
  }

  /** Records a row. @param fits whether it has passed every check @throws AppError too-many-rows */
  take(_row: number, _cells: readonly string[], _fits: boolean): void {}

  /** Runs between two batches of rows; may call the LMS. */
  async between(): Promise<void> {}

  /** Runs after the last row of the file. @param fits whether the file has no problems so far */
  async end(_fits: boolean): Promise<void> {}

  /** Returns the data that must be checked again when the file is submitted. */
  recheck(): Partial<Recheck> {
    return {};
  }

  /** Checks the recorded data again. @throws AppError conflict */
  async ask(_recheck: Recheck, _rows: () => AsyncIterable<CsvRow[]>): Promise<void> {}

  /** Prepares the check of rows right before they are sent. @throws CanvasError */
  async judge(_rows: () => AsyncIterable<CsvRow[]>): Promise<Judge> {
    return () => null;
  }
}

/** Returns the error for a change since the file was checked. */
export function changed(
  message: string,
  details: readonly [field: string, message: string][] = [],
): AppError {
  return new AppError('conflict', {
    message,
    nothingSent: true,
    next: 'Check the file again and read the new review.',
    details: details.slice(0, 100).map(([field, text]) => ({ row: null, field, message: text })),
  });
}
