/** SIS imports in the LMS: create, find and read them. The types follow its API, with missing values filled in. */
import type { ImportMessage } from '@lms-admin/contract/imports';
import { LMS_PAGE_SIZE, ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { type MessagePair, NEW_LOGINS } from '@lms-admin/domain/import-states';
import { z } from 'zod';
import { type CanvasClient, CanvasError, type CanvasForm, type CanvasToken } from '../canvas/types.ts';
import { storable } from '../platform/text.ts';
import { isAttachmentOf } from './attachment.ts';

/** An import in the LMS. Values that it omits (counts while waiting, lists without entries) are empty here. */
export interface LmsImport {
  id: number;
  state: string;
  progress: number;
  endedAt: Date | null;
  counts: Record<string, number>;
  warnings: MessagePair[];
  errors: MessagePair[];
  errorsUrl: string | null;
  /** Empty until the LMS has started to process the import. */
  csv: { names: string[]; url: string | null }[];
}

const date = z
  .string()
  .nullish()
  .transform((text) => (text && !Number.isNaN(Date.parse(text)) ? new Date(text) : null));
// Made storable, because a text that cannot be stored would make every attempt to follow the import fail.
const sentence = z.string().transform(storable);
const text = sentence.nullish().transform((value) => value ?? null);
const pairs = z
  .array(z.tuple([text, sentence]).rest(z.unknown()))
  .nullish()
  .transform((list) => (list ?? []).map(([file, message]): MessagePair => [file, message]));
const file = z.object({ url: text, filename: text, display_name: text });

const tally = z.object({ created: z.number().int(), restored: z.number().int() });
const statistics = z
  .object({ Pseudonym: tally.nullish().catch(null) })
  .nullish()
  .catch(null);

/** Counts new people. The login of a new person has a change of state; the login of an updated person does not. */
function newLogins(imported: z.output<typeof statistics> | undefined): Record<string, number> {
  const logins = imported?.Pseudonym ?? null;
  return logins === null ? {} : { [NEW_LOGINS]: logins.created + logins.restored };
}

const lmsImport = z
  .object({
    id: z.number().int(),
    workflow_state: sentence,
    progress: z.number().nullish(),
    ended_at: date,
    data: z.object({ counts: z.record(z.string(), z.unknown()).nullish(), statistics }).nullish(),
    processing_warnings: pairs,
    processing_errors: pairs,
    errors_attachment: file.nullish(),
    csv_attachments: z.array(file).nullish(),
  })
  .transform(
    (got): LmsImport => ({
      id: got.id,
      state: got.workflow_state,
      progress: Math.round(Math.min(100, Math.max(0, got.progress ?? 0))),
      endedAt: got.ended_at,
      counts: {
        ...Object.fromEntries(
          Object.entries(got.data?.counts ?? {}).filter((entry): entry is [string, number] =>
            Number.isSafeInteger(entry[1]),
          ),
        ),
        ...newLogins(got.data?.statistics),
      },
      warnings: got.processing_warnings,
      errors: got.processing_errors,
      errorsUrl: got.errors_attachment?.url ?? null,
      csv: (got.csv_attachments ?? []).map((one) => ({
        names: [one.filename, one.display_name].filter((name) => name !== null),
        url: one.url,
      })),
    }),
  );
const importList = z.object({ sis_imports: z.array(lmsImport) });
/** Largest row number that the database can store. */
const MOST_ROW = 2_147_483_647;
const rowErrors = z.object({
  sis_import_errors: z.array(
    z.object({
      file: text,
      message: sentence,
      row: z
        .number()
        .nullish()
        .transform((row) => (row && Number.isInteger(row) && Math.abs(row) <= MOST_ROW ? row : null)),
    }),
  ),
});

/** Maximum messages stored for one import; the attachment of the LMS has all of them. */
const MOST_MESSAGES = 20_000;
const PATH = `accounts/${ROOT_ACCOUNT_ID}/sis_imports`;
const perPage = ['per_page', String(LMS_PAGE_SIZE)] as const;

/** Number of latest imports that are read. They are sorted by a clock that may have been set back. */
const LATEST = 20;

/** States of imports that have not ended in the LMS, so that others wait for them. */
const OPEN_STATES: readonly string[] = ['initializing', 'created', 'importing', 'cleanup_batch'];

/** Returns whether the LMS created this import from our file. For a zip, the LMS lists the files within. */
export function isOurs(one: LmsImport, importId: string): boolean {
  return one.csv.some(({ names }) => names.some((name) => isAttachmentOf(name, importId)));
}

/** Returns whether the LMS certainly created this import from another file: it lists the files once it has started. */
export function isAnother(one: LmsImport, importId: string): boolean {
  return one.csv.some(({ names }) => names.length > 0) && !isOurs(one, importId);
}

class LmsImports {
  readonly #canvas: CanvasClient;

  constructor(canvas: CanvasClient) {
    this.#canvas = canvas;
  }

  /** Sends a CSV or zip, overwriting manual changes (OP-44). Never repeats a send with an unknown result. */
  async create(token: CanvasToken, form: CanvasForm, signal?: AbortSignal): Promise<LmsImport> {
    const { data } = await this.#canvas.call({
      token,
      method: 'POST',
      path: PATH,
      query: [['override_sis_stickiness', 'true']],
      form,
      answer: lmsImport,
      ...(signal ? { signal } : {}),
    });
    return data;
  }

  async get(token: CanvasToken, id: number, signal?: AbortSignal): Promise<LmsImport> {
    const { data } = await this.#canvas.call({
      token,
      method: 'GET',
      path: `${PATH}/${id}`,
      answer: lmsImport,
      ...(signal ? { signal } : {}),
    });
    if (data.id !== id) {
      throw new CanvasError('odd', { sent: 'answered', detail: `asked for import ${id}, got ${data.id}` });
    }
    return data;
  }

  /** Returns the latest imports of all senders. @throws CanvasError if the token cannot read imports */
  async recent(token: CanvasToken, signal: AbortSignal): Promise<LmsImport[]> {
    const { data } = await this.#canvas.call({
      token,
      method: 'GET',
      path: PATH,
      query: [['per_page', String(LATEST)]],
      answer: importList,
      signal,
    });
    return data.sis_imports;
  }

  /** Returns the latest page of imports of all senders that have not ended. */
  async open(token: CanvasToken, signal: AbortSignal): Promise<LmsImport[]> {
    const { data } = await this.#canvas.call({
      token,
      method: 'GET',
      path: PATH,
      query: [...OPEN_STATES.map((state) => ['workflow_state[]', state] as const), perPage],
      answer: importList,
      signal,
    });
    return data.sis_imports.filter(({ state }) => OPEN_STATES.includes(state));
  }

  /** Returns all imports of all senders created since then. */
  async since(token: CanvasToken, since: Date, signal: AbortSignal): Promise<LmsImport[]> {
    const found: LmsImport[] = [];
    for await (const { data } of this.#canvas.pages({
      token,
      method: 'GET',
      path: PATH,
      query: [['created_since', since.toISOString()], perPage],
      answer: importList,
      signal,
    })) {
      found.push(...data.sis_imports);
    }
    return found;
  }

  /** Returns the LMS's messages about rows, by row. */
  async messages(token: CanvasToken, id: number, signal: AbortSignal): Promise<ImportMessage[]> {
    const found: ImportMessage[] = [];
    for await (const { data } of this.#canvas.pages({
      token,
      method: 'GET',
      path: `${PATH}/${id}/errors`,
      query: [perPage],
      answer: rowErrors,
      signal,
    })) {
      found.push(...data.sis_import_errors);
      if (found.length >= MOST_MESSAGES) break;
    }
    return found.sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  }
}

export type { LmsImports };

export const createLmsImports = (canvas: CanvasClient) => new LmsImports(canvas);
