/** Where judged rows go: lists of one table and one kind of effect, in pieces, as they come. */
import type { SisEffectCourse, SisEffectRow } from '@lms-admin/contract/sis-effects';
import type { SisDoes } from '@lms-admin/domain/sis-effect';
import type { SisKind } from '@lms-admin/domain/sis-tables';

/** A row as it is kept: the place of its file in the upload represents its name. */
export type KeptRow = Omit<SisEffectRow, 'file' | 'does'> & { part: number };

/** A course as it is kept: of each list, where its rows begin. */
export type KeptCourse = SisEffectCourse & { from: Partial<Record<SisDoes, number>> };

export interface Sink {
  row(kind: SisKind, does: SisDoes, row: KeptRow): Promise<void>;
  course(course: Omit<KeptCourse, 'place'>): Promise<void>;
}

/** Where rows are only counted. */
export const NO_SINK: Sink = { row: async () => {}, course: async () => {} };

/** A row about something that is only known by its id. */
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
