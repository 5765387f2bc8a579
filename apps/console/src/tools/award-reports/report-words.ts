/** Texts for the result. Pure. */
import type { AwardReportAnswer, AwardStats, ListEntry } from '@lms-admin/contract/awards';
import { fromAwardRow } from '@lms-admin/contract/awards';
import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import { EVERY_CAMPUS } from '@lms-admin/domain/award-campuses';
import type { ReportRow } from '@lms-admin/domain/award-reports';
import { LEFT_OUT } from '@lms-admin/domain/award-votes';
import type { AwardChoice } from '../../api/awards.ts';
import { texts } from './texts.ts';

/** Summarises the choices: `SGP · Elective`. */
export function sumOf({ campus, type }: AwardChoice): string {
  const name = campus === EVERY_CAMPUS ? texts.everyCampus : campus;
  return `${name} · ${awardReportMessages.types[type]}`;
}

/** Describes the responses that are not counted, with a line for each reason (OP-105). */
export function leftOutWords({ total, left_out }: Pick<AwardStats, 'total' | 'left_out'>): {
  sentence: string;
  reasons: readonly string[];
} {
  const reasons = LEFT_OUT.filter((reason) => left_out[reason] > 0);
  const left = reasons.reduce((sum, reason) => sum + left_out[reason], 0);
  return {
    sentence: left > 0 ? texts.leftOut(left, total) : texts.nothingLeftOut(total),
    reasons: reasons.map((reason) => awardReportMessages.leftOut[reason](left_out[reason])),
  };
}

/** A row for the table. Rows have no IDs, but keep their order. */
export interface TableRow extends ReportRow {
  place: number;
}

export function tableRows({ rows }: Pick<AwardReportAnswer, 'rows'>): TableRow[] {
  return rows.map((row, place) => ({ ...fromAwardRow(row), place }));
}

/** Formats a percentage with one decimal; empty if no one is enrolled (OP-86). */
export function percentText(percent: number | null): string {
  return percent === null ? '' : percent.toFixed(1);
}

/** Returns the name of a bar: course and professor, in reverse order if the report is by professor. */
export function barName(
  { view }: Pick<AwardChoice, 'view'>,
  { course, professor }: ReportRow,
): [string, string] {
  return view === 'by-prof' ? [professor, course] : [course, professor];
}

/** Tells whether two neighbouring rows at the top have the same number of votes. */
export function hasTies(rows: readonly Pick<ReportRow, 'votes'>[]): boolean {
  return rows.some(({ votes }, at) => at > 0 && rows[at - 1]?.votes === votes);
}

/** Formats an entry of the list in one line. */
export function entryText({ course, professor, campus }: ListEntry): string {
  return `${course} – ${professor} (${campus})`;
}
