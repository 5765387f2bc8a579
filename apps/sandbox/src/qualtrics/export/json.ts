/** An export as JSON, or as one JSON response per line (Qualtrics reference §7). */

import type { ExportOptions, SurveyResponse } from '../store/model.ts';
import { type Column, jsonTime, wasSeen } from './columns.ts';

/** Writes the chunks of the file. */
export function* jsonOf(
  columns: readonly Column[],
  rows: readonly SurveyResponse[],
  { format }: ExportOptions,
): Generator<string> {
  const lines = format === 'ndjson';
  if (!lines) yield '{"responses":[';
  for (const [at, response] of rows.entries()) {
    const text = JSON.stringify(responseJson(columns, response));
    yield lines ? `${text}\n` : at === 0 ? text : `,${text}`;
  }
  if (!lines) yield ']}';
}

function responseJson(columns: readonly Column[], response: SurveyResponse): object {
  const values: Record<string, string | number> = {};
  const labels: Record<string, string> = {};
  const displayedFields: string[] = [];
  const displayedValues: Record<string, number[]> = {};
  for (const { importId, isTime, question, value, label } of columns) {
    if (question && wasSeen(response, question)) {
      displayedFields.push(importId);
      if (question.choices) displayedValues[importId] = question.choices.map(({ recode }) => recode);
    }
    const found = value(response);
    if (found === null || found === '') continue;
    values[importId] = isTime ? jsonTime(Number(found), importId) : found;
    if (label) labels[importId] = label(response);
  }
  return { responseId: response.id, values, labels, displayedFields, displayedValues };
}
