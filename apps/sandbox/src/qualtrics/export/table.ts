/** An export as a table (Qualtrics reference §6): three header rows, CRLF between records, no byte order mark. */

import type { ExportOptions, Language, SurveyResponse } from '../store/model.ts';
import { tableTime } from '../store/time.ts';
import { type Column, wasSeen } from './columns.ts';

/** A column, or the additional column for its labels. */
type Shown = { column: Column; isLabels: boolean };

/** Writes the lines of the table with their line endings. */
export function* tableOf(
  columns: readonly Column[],
  rows: readonly SurveyResponse[],
  options: ExportOptions,
  language: Language,
): Generator<string> {
  const shown: Shown[] = columns.flatMap((column) => {
    const own = { column, isLabels: false };
    return options.includeLabelColumns && column.label ? [own, { column, isLabels: true }] : [own];
  });
  const line = lineOf(options.format === 'tsv' ? '\t' : ',');
  yield line(shown.map(({ column, isLabels }) => (isLabels ? `${column.name} - Labels` : column.name)));
  yield line(shown.map(({ column }) => column.words[language]));
  yield line(shown.map((each) => JSON.stringify(importOf(each, options))));
  for (const response of rows) yield line(shown.map((each) => cellOf(each, response, options)));
}

function importOf({ column, isLabels }: Shown, { timeZone }: ExportOptions): object {
  return {
    ImportId: column.importId,
    ...(column.isTime ? { timeZone: timeZone ?? 'Z' } : {}),
    ...(isLabels ? { isLabelsColumn: true } : {}),
  };
}

function cellOf({ column, isLabels }: Shown, response: SurveyResponse, options: ExportOptions): string {
  const value = column.value(response);
  if (value === null || value === '') return recodeOf(column, response, options);
  if (column.isTime) return tableTime(Number(value), options.timeZone);
  const text = (isLabels || options.useLabels) && column.label ? column.label(response) : String(value);
  if (column.isDecimal && options.formatDecimalAsComma) return text.replace('.', ',');
  return options.newlineReplacement === null
    ? text
    : text.replaceAll(/\r\n|[\r\n]/g, options.newlineReplacement);
}

/** Marks a question that was seen but not answered. */
function recodeOf(
  { question }: Column,
  response: SurveyResponse,
  { seenUnansweredRecode }: ExportOptions,
): string {
  return question && wasSeen(response, question) ? (seenUnansweredRecode ?? '') : '';
}

function lineOf(separator: string): (cells: readonly string[]) => string {
  const needsQuotes = new RegExp(`["\r\n${separator}]`);
  const quoted = (cell: string) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return (cells) => `${cells.map(quoted).join(separator)}\r\n`;
}
