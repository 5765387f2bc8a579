/** Client of Qualtrics: reads a survey, and exports its responses in three calls (reference of Qualtrics §4). */

import { CHOICE_COLUMNS, METADATA_COLUMNS } from '@lms-admin/domain/award-responses';
import { CsvReader, type CsvRow } from '@lms-admin/domain/csv-reader';
import { z } from 'zod';
import { createCheck } from '../outbound/check.ts';
import { OutsideError } from '../outbound/errors.ts';
import { summed } from '../outbound/figures.ts';
import { csvBatches } from '../platform/csv/batches.ts';
import type { OutsideSystem, SystemState } from '../platform/outside.ts';
import type { QualtricsSettings } from '../platform/qualtrics-settings.ts';
import { QUALTRICS } from './answers.ts';
import { type Calls, createCalls } from './calls.ts';
import { unzipped } from './unzipped.ts';

/** Message if Qualtrics is not set up. */
export const NOT_CONFIGURED = {
  state: 'not-configured',
  message: 'Qualtrics is not set up, so votes are not counted.',
  next: 'Ask IT Support to set QUALTRICS_URL and BTA_SURVEY_ID.',
} as const satisfies SystemState;

/** Limit for an unpacked export: a million responses of a few hundred bytes. */
const MOST_UNPACKED_BYTES = 500_000_000;

/** Limit for a response: a voter can fill each field with 20,000 characters, and must not stop the count. */
const LONGEST_RESPONSE = { line: 1_000_000, row: 1_000_000 };

/** State of an export. `gone`: Qualtrics does not know it, or has removed it. */
export type ExportState = { state: 'running' | 'failed' | 'gone' } | { state: 'complete'; fileId: string };

export interface QualtricsClient extends OutsideSystem {
  /** Survey of the award; null if Qualtrics is not set up. */
  readonly survey: string | null;
  /** Starts an export; each call starts a new one. @returns its id @throws OutsideError, or the reason of the signal */
  startExport(signal?: AbortSignal): Promise<string>;
  exportState(id: string, signal?: AbortSignal): Promise<ExportState>;
  /**
   * Reads the rows of a downloaded file in batches, with header rows.
   * @throws like `startExport`, even while reading
   */
  rows(fileId: string, signal?: AbortSignal): AsyncGenerator<CsvRow[], void, void>;
  /** Ends all connections; running calls fail. */
  close(): Promise<void>;
}

/**
 * Creates a client. Nothing is sent before the first call.
 * @param settings null if Qualtrics is not set up
 * @param dataFolder folder for exports while they are read
 */
export function createQualtricsClient(
  settings: QualtricsSettings | null,
  dataFolder: string,
): QualtricsClient {
  return settings === null ? notConfigured() : configured(settings, dataFolder, createCalls(settings));
}

const surveyAnswer = z.object({ embeddedData: z.array(z.object({ name: z.string() })).default([]) });
const startAnswer = z.object({ progressId: z.string().min(1).max(200) });
const stateAnswer = z.object({ status: z.string(), fileId: z.string().max(200).nullish() });

function configured({ survey }: QualtricsSettings, dataFolder: string, calls: Calls): QualtricsClient {
  const path = `/surveys/${encodeURIComponent(survey)}`;
  const exports = `${path}/export-responses`;
  const readSurvey = (signal?: AbortSignal) =>
    calls.call({ method: 'GET', path, result: surveyAnswer, signal });
  return {
    system: QUALTRICS,
    survey,
    async startExport(signal) {
      const { embeddedData } = await readSurvey(signal);
      const names = new Set(embeddedData.map(({ name }) => name));
      const { progressId } = await calls.call({
        method: 'POST',
        path: exports,
        // No IP addresses or other answers: only the personal data that the count needs.
        body: {
          format: 'csv',
          surveyMetadataIds: METADATA_COLUMNS,
          questionIds: [],
          embeddedDataIds: CHOICE_COLUMNS.filter((name) => names.has(name)),
        },
        result: startAnswer,
        signal,
      });
      return progressId;
    },
    async exportState(id, signal) {
      try {
        const at = `${exports}/${encodeURIComponent(id)}`;
        const { status, fileId } = await calls.call({ method: 'GET', path: at, result: stateAnswer, signal });
        // The percentage is useless: it stays at 0 until the export is done.
        if (status === 'complete' && fileId) return { state: 'complete', fileId };
        return { state: status === 'failed' ? 'failed' : 'running' };
      } catch (error) {
        if (error instanceof OutsideError && error.kind === 'not-found') return { state: 'gone' };
        throw error;
      }
    },
    async *rows(fileId, signal) {
      const bytes = await calls.bytes(`${exports}/${encodeURIComponent(fileId)}/file`, signal);
      yield* exportRows(dataFolder, bytes);
    },
    stats: () => calls.stats(),
    check: createCheck(QUALTRICS, readSurvey),
    close: () => calls.close(),
  };
}

/**
 * Reads the rows of an export's file, which is stored in the data folder while it is read.
 * @throws OutsideError, BadCsv
 */
export function exportRows(
  dataFolder: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<CsvRow[], void, void> {
  return csvBatches(
    texts(unzipped(dataFolder, bytes, MOST_UNPACKED_BYTES)),
    new CsvReader(',', LONGEST_RESPONSE),
  );
}

/** Joins characters that are split between two pieces. */
async function* texts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

function notConfigured(): QualtricsClient {
  const refuse = () => {
    throw new OutsideError(QUALTRICS, 'refused', { sent: 'no', detail: 'no account is set up' });
  };
  return {
    system: QUALTRICS,
    survey: null,
    startExport: async () => refuse(),
    exportState: async () => refuse(),
    rows: () => refuse(),
    stats: () => summed([]),
    check: async () => NOT_CONFIGURED,
    close: async () => {},
  };
}
