/** The file of an export (Qualtrics reference §5): either a zip with a single entry, or the file itself. */

import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ExportFile, ExportJob, Language, Survey, SurveyResponse } from '../store/model.ts';
import { wantedColumns } from './columns.ts';
import { jsonOf } from './json.ts';
import { rowsOf } from './rows.ts';
import { tableOf } from './table.ts';

const TYPES = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** @param all every response that the survey has ever had */
export async function makeFile(
  survey: Survey,
  all: readonly SurveyResponse[],
  job: ExportJob,
  language: Language,
): Promise<ExportFile> {
  const { options } = job;
  const { format } = options;
  const columns = wantedColumns(survey, options);
  const rows = rowsOf(all, job);
  const isTable = format === 'csv' || format === 'tsv';
  const pieces = isTable ? tableOf(columns, rows, options, language) : jsonOf(columns, rows, options);
  const name = `${survey.name}.${format}`;
  const content = Readable.from(chunksOf(pieces));
  if (!options.compress) return { type: TYPES[format], name, bytes: await bytesOf(content) };
  const zip = new ZipFile();
  // As a stream, so that sizes come after the data, as in Qualtrics.
  zip.addReadStream(content, name, { mtime: new Date(job.endsAt), forceDosTimestamp: true });
  zip.end();
  const bytes = await bytesOf(zip.outputStream as Readable);
  return { type: 'application/zip', name: `${survey.name}.zip`, bytes };
}

/** Returns the value of `content-disposition`, with `+` for spaces and without quotes. */
export function dispositionOf(name: string): string {
  return `attachment; filename=${encodeURIComponent(name).replaceAll('%20', '+')}`;
}

const CHUNK = 64 * 1024;

/** Joins many lines into one chunk, because each chunk costs a turn of the event loop. */
function* chunksOf(pieces: Iterable<string>): Generator<Buffer> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
