/**
 * Options in the body that starts an export (Qualtrics reference §4), and which of them are mutually
 * exclusive.
 */

import { z } from 'zod';
import { isParams } from '../../http/params.ts';
import { zoneNamed } from '../../http/time-zones.ts';
import { invalid } from '../http/errors.ts';
import { FILTERS } from '../seed/surveys.ts';
import type { ExportOptions, Survey } from '../store/model.ts';
import { readTime } from '../store/time.ts';
import { columnsOf } from './columns.ts';

const flag = z.boolean().default(false);
const recode = z
  .union([z.int(), z.string().min(1)])
  .transform(String)
  .optional();
const time = z
  .string()
  .transform(readTime)
  .refine((ms) => ms !== null)
  .optional();
const ids = z.array(z.string()).optional();

const schema = z.strictObject({
  format: z.enum(['csv', 'tsv', 'json', 'ndjson', 'spss', 'xml']),
  useLabels: z.boolean().optional(),
  includeLabelColumns: flag,
  startDate: time,
  endDate: time,
  filterId: z.string().optional(),
  limit: z.int().min(1).optional(),
  surveyMetadataIds: ids,
  questionIds: ids,
  embeddedDataIds: ids,
  timeZone: z
    .string()
    .refine((zone) => zoneNamed(zone) === zone)
    .optional(),
  allowContinuation: flag,
  continuationToken: z.string().optional(),
  sortByLastModifiedDate: flag,
  exportResponsesInProgress: flag,
  compress: z.boolean().default(true),
  breakoutSets: z.boolean().optional(),
  seenUnansweredRecode: recode,
  multiselectSeenUnansweredRecode: recode,
  includeDisplayOrder: z.boolean().optional(),
  formatDecimalAsComma: z.boolean().optional(),
  newlineReplacement: z.string().optional(),
});

type Body = z.output<typeof schema>;

/** Only allowed for tables; with other formats, even `false` is rejected. */
const OF_TABLES = [
  'useLabels',
  'timeZone',
  'breakoutSets',
  'includeDisplayOrder',
  'formatDecimalAsComma',
  'seenUnansweredRecode',
  'multiselectSeenUnansweredRecode',
  'newlineReplacement',
] as const;

export type Wanted = { options: ExportOptions; allowContinuation: boolean; continuationToken: string | null };

/** @throws QualtricsError 400 */
export function exportOptionsIn(body: unknown, survey: Survey): Wanted {
  if (!isParams(body)) throw invalid('The request body must be a JSON object.');
  const read = schema.safeParse(body);
  if (!read.success) throw invalid(sentenceOf(read.error.issues));
  const given = read.data;
  const { format } = given;
  if (format === 'spss' || format === 'xml')
    throw invalid(`The practice Qualtrics does not write the format ${format}.`);
  refuseTogether(given);
  refuseUnknownColumns(given, survey);
  if (given.filterId !== undefined && !FILTERS.some(({ filterId }) => filterId === given.filterId))
    throw invalid('Invalid parameter: filterId.');
  const options: ExportOptions = {
    format,
    useLabels: given.useLabels ?? false,
    includeLabelColumns: given.includeLabelColumns,
    startDate: given.startDate ?? null,
    endDate: given.endDate ?? null,
    filterId: given.filterId ?? null,
    limit: given.limit ?? null,
    surveyMetadataIds: given.surveyMetadataIds ?? null,
    questionIds: given.questionIds ?? null,
    embeddedDataIds: given.embeddedDataIds ?? null,
    timeZone: given.timeZone ?? null,
    sortByLastModifiedDate: given.sortByLastModifiedDate,
    exportResponsesInProgress: given.exportResponsesInProgress,
    compress: given.compress,
    seenUnansweredRecode: given.seenUnansweredRecode ?? null,
    formatDecimalAsComma: given.formatDecimalAsComma ?? false,
    newlineReplacement: given.newlineReplacement ?? null,
  };
  const { allowContinuation, continuationToken = null } = given;
  return { options, allowContinuation, continuationToken };
}

function refuseTogether(given: Body): void {
  const wrong = given.format === 'json' || given.format === 'ndjson' ? OF_TABLES : [];
  const named = wrong.find((name) => given[name] !== undefined);
  if (named) throw invalid(`The parameter ${named} is not allowed with the format ${given.format}.`);
  const exclude = (one: string, other: string) => invalid(`${one} cannot be used together with ${other}.`);
  if (given.useLabels && given.includeLabelColumns) throw exclude('useLabels', 'includeLabelColumns');
  if (given.allowContinuation && given.continuationToken !== undefined)
    throw exclude('allowContinuation', 'continuationToken');
  const continues = given.allowContinuation || given.continuationToken !== undefined;
  if (continues && given.filterId !== undefined) throw exclude('filterId', 'a continuation');
  if (continues && given.sortByLastModifiedDate) throw exclude('sortByLastModifiedDate', 'a continuation');
  if (given.filterId !== undefined && given.sortByLastModifiedDate)
    throw exclude('filterId', 'sortByLastModifiedDate');
  if (given.startDate != null && given.endDate != null && given.startDate >= given.endDate)
    throw invalid('startDate must be before endDate.');
}

function refuseUnknownColumns(given: Body, survey: Survey): void {
  // It is not an error to name columns that an anonymised survey hides.
  const all = columnsOf({ ...survey, anonymised: false }, true);
  const known = new Set(all.map(({ kind, selector }) => `${kind} ${selector}`));
  for (const [kind, name] of [
    ['metadata', 'surveyMetadataIds'],
    ['question', 'questionIds'],
    ['embedded', 'embeddedDataIds'],
  ] as const) {
    const missing = given[name]?.find((id) => !known.has(`${kind} ${id}`));
    if (missing !== undefined) throw invalid(`Invalid parameter: ${name} has no ${missing}.`);
  }
}

function sentenceOf(issues: readonly z.core.$ZodIssue[]): string {
  const names = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')],
  );
  return `Invalid parameter: ${[...new Set(names)].join(', ')}.`;
}
