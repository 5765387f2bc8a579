/** Destination of evaluated rows: lists by table and kind of effect, written in pieces. */
import type { SisEffectCourse, SisEffectRow } from '@lms-admin/contract/sis-effects';
import type { SisDoes } from '@lms-admin/domain/sis-effect';
import type { SisKind } from '@lms-admin/domain/sis-tables';

/** A row as stored: the index of its file in the upload replaces the name. */
export type KeptRow = Omit<SisEffectRow, 'file' | 'does'> & { part: number };

/** A course as stored, with the position of its first row in each list. */
export type KeptCourse = SisEffectCourse & { from: Partial<Record<SisDoes, number>> };

export interface Sink {
  row(kind: SisKind, does: SisDoes, row: KeptRow): Promise<void>;
  course(course: Omit<KeptCourse, 'place'>): Promise<void>;
}

/** Discards rows that are only counted. */
export const NO_SINK: Sink = { row: async () => {}, course: async () => {} };

/** Creates a row about an item that is known only by its id. */
export function keptRow(
  at: { part: number; row: number },
  of: KeptRow['of'],
  more: Partial<KeptRow> = {},
): KeptRow {
  return {
    part: at.part,
    row: at.row,
    of,
    in: null,
    section: null,
    role: null,
    why: null,
    fields: [],
    takes: null,
    problems: [],
    ...more,
  };
}
