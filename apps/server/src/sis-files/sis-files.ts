/** SIS files: uploaded, checked as they arrive, kept for a day, and submitted (area SIS, OP-53). */
import { randomUUID } from 'node:crypto';
import type { SisFile, SisFilePart } from '@lms-admin/contract/sis-files';
import type { CsvReader } from '@lms-admin/domain/csv-reader';
import { deletes, sisTableOf } from '@lms-admin/domain/sis-tables';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import { deletePieces, storePieces } from '../files/pieces.ts';
import type { Upload } from '../files/upload.ts';
import type { Audit } from '../platform/audit.ts';
import type { Database } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { FileReading } from '../platform/schema.ts';
import { storable } from '../platform/text.ts';
import { FileCheck } from './check.ts';
import { UploadCopy } from './drafts/copy.ts';
import { type Asking, SisDrafts } from './drafts/drafts.ts';
import { GroupedProblems } from './drafts/grouped-problems.ts';
import { peeked, refuseWorkbook } from './kind-of-file.ts';
import type { CheckedPart } from './part-rows.ts';
import type { CheckServices } from './policies/policy.ts';
import { zipProblems } from './problems.ts';
import { requireFile, saveFile, toSisFile } from './store.ts';
import { readingOf, readingWarnings, warningsOf } from './warnings.ts';
import { membersOf, withSpooled } from './zip.ts';

export interface SisFiles {
  /**
   * Checks an upload and keeps it for a day. A CSV that is refused for its rows or its header is kept as a draft.
   * @throws AppError not-allowed; bad-request with row and column of up to 100 problems; too-many-rows; too-large
   */
  take(admin: Admin, upload: Upload, asking: { signal: AbortSignal; requestId: string }): Promise<SisFile>;
  /** Describes a file for its owner. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<SisFile>;
  /** Refused files that are corrected in place. */
  drafts: SisDrafts;
}

export interface SisFileServices extends CheckServices {
  db: Database;
  audit: Audit;
  identity: LmsIdentity;
}

export function createSisFiles(services: SisFileServices): SisFiles {
  const { db } = services.db;

  const drafts = new SisDrafts(services, async (admin, file, asking) => {
    requireMayUpload(admin);
    return checked(admin, file, asking);
  });

  async function take(admin: Admin, upload: Upload, asking: Asking): Promise<SisFile> {
    requireMayUpload(admin);
    const { kind, bytes } = await peeked(upload.bytes);
    refuseWorkbook(kind);
    if (kind === 'zip') return checked(admin, { name: upload.name, bytes, zip: true }, asking);
    const copy = await UploadCopy.begin(services.config.dataFolder, bytes);
    const problems = new GroupedProblems();
    try {
      return await checked(admin, { name: upload.name, bytes: copy.bytes(), problems }, asking);
    } catch (error) {
      throw error instanceof AppError ? await drafts.keep(admin, upload.name, copy, problems, error) : error;
    } finally {
      await copy.end();
    }
  }

  /** Runs the shared check of uploads and of corrected drafts. */
  async function checked(admin: Admin, incoming: Incoming, { signal, requestId }: Asking): Promise<SisFile> {
    const id = randomUUID();
    const zip = incoming.zip ?? false;
    try {
      const problems = incoming.problems ?? zipProblems();
      const check = new FileCheck({ services, admin, signal }, problems);
      const parts: CheckedPart[] = [];
      const keep = async (name: string, bytes: AsyncIterable<Uint8Array>) => {
        const part = parts.length;
        const done = (one: CheckedPart) => parts.push(asUploaded(one, incoming.reading));
        const texts = check.texts(bytes, name, zip, done, incoming.reader);
        await storePieces(db, id, texts, part);
      };
      const counted = counting(incoming.bytes);
      if (zip) {
        if (admin.record.perm !== 'ALL') throw noZip();
        await withSpooled(services.config.dataFolder, counted.bytes, async (spooled) => {
          for (const member of await membersOf(spooled))
            await keep(member.name, member.bytes()).catch((error: unknown) => {
              // Problems of the other files are reported together with this one's.
              if (problems.full || !namesProblems(error)) throw error;
            });
        });
        problems.throwIfAny();
      } else await keep(incoming.name, counted.bytes);
      signal.throwIfAborted();
      const warnings = [
        ...parts.flatMap((one) => inFile(readingWarnings(readingIn(one)), one, zip)),
        ...warningsOf(parts.map(({ part }) => part)),
      ];
      const rows = parts.reduce((sum, { part }) => sum + part.rows, 0);
      const stored = await saveFile(
        db,
        admin.login,
        {
          file: {
            id,
            name: incoming.name,
            size: counted.size(),
            zip,
            parts: parts.map(({ part }) => storablePart(part)),
            rows,
            warnings: [...warnings, ...check.unlooked()],
            notices: parts.flatMap((one) => inFile(noticesOf(one, incoming.leftOut), one, zip)),
          },
          again: check.recheck(),
          ...(!zip && parts[0] && { reading: readingIn(parts[0]) }),
        },
        parts.map(({ file }) => ({ ...file, name: storable(file.name) })),
        await services.identity.lastSeen(admin.token),
      );
      await services.audit.write({
        login: admin.login,
        tool: 'sis-import',
        event: 'sis-file-kept',
        detail: { file: id, name: incoming.name, rows, deletions: deletionsIn(parts) },
        requestId,
      });
      return toSisFile(stored);
    } catch (error) {
      await deletePieces(db, id);
      throw error;
    }
  }

  async function get(admin: Admin, id: string): Promise<SisFile> {
    return toSisFile(await requireFile(db, services.identity, admin, id));
  }

  return { take, get, drafts };
}

/** Returns whether a file was refused for its rows or its header, and not because it cannot be unpacked. */
function namesProblems(error: unknown): boolean {
  return error instanceof AppError && error.code === 'bad-request' && (error.details ?? []).length > 0;
}

/** The file to check: an upload, or a corrected draft. */
interface Incoming {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  zip?: boolean;
  problems?: GroupedProblems;
  reader?: CsvReader;
  leftOut?: number;
  /** How the draft's file was read. */
  reading?: FileReading | undefined;
}

const readingIn = ({ part, readings }: CheckedPart) => readingOf(part.encoding, part.delimiter, readings);

/**
 * Describes a corrected file like the uploaded one: LMS Admin writes the corrected file itself, so notes about encoding
 * and delimiter must be those of the upload.
 */
function asUploaded(checked: CheckedPart, reading: FileReading | undefined): CheckedPart {
  if (reading === undefined) return checked;
  const { encoding, delimiter, readings } = reading;
  const { part, file } = checked;
  return { ...checked, part: { ...part, encoding, delimiter }, file: { ...file, delimiter }, readings };
}

/** Requires the tool and a known permission, because a flag given by a typing error must not give access. */
function requireMayUpload(admin: Admin): void {
  requireTool(admin, 'sis-import');
  if (!['ALL', 'CUSTOM'].includes(admin.record.perm)) throw new AppError('not-allowed');
}

/** Returns the number of rows whose status deletes something, according to the file: their effect is determined later. */
function deletionsIn(parts: readonly CheckedPart[]): number {
  let deletions = 0;
  for (const { part } of parts)
    for (const [status, rows] of Object.entries(part.statuses))
      if (deletes(sisTableOf(part.kind), status)) deletions += rows;
  return deletions;
}

/** Counts the bytes that pass through. */
function counting(bytes: AsyncIterable<Uint8Array>) {
  let size = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void, void> {
    for await (const some of bytes) {
      size += some.length;
      yield some;
    }
  }
  return { bytes: counted(), size: () => size };
}

function storablePart(part: SisFilePart): SisFilePart {
  return {
    ...part,
    name: storable(part.name),
    header: part.header.map(storable),
    statuses: Object.fromEntries(
      Object.entries(part.statuses).map(([status, count]) => [storable(status), count]),
    ),
    preview: part.preview.map((cells) => cells.map(storable)),
  };
}

const ENCODINGS = { 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16', 'windows-1252': 'Windows-1252' } as const;

const SEPARATORS = { ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' } as const;

/** Returns sentences about what was converted or skipped. */
function noticesOf({ part, blankRows, joined }: CheckedPart, leftOut = 0): string[] {
  const sentences: string[] = [];
  if (leftOut > 0) {
    sentences.push(
      `You have skipped ${leftOut === 1 ? '1 row' : `${leftOut.toLocaleString('en-GB')} rows`}.`,
    );
  }
  if (part.encoding !== 'utf-8') {
    sentences.push(
      `The text is encoded as ${ENCODINGS[part.encoding]}. LMS Admin sends it as UTF-8. In the preview, check letters such as é or ü.`,
    );
  }
  if (part.delimiter !== ',') {
    sentences.push(
      `The cells are separated by ${SEPARATORS[part.delimiter]}. LMS Admin sends them separated by commas.`,
    );
  }
  const blank = blankRows - leftOut;
  if (blank > 0) {
    const rows = blank === 1 ? '1 empty row was' : `${blank} empty rows were`;
    sentences.push(`${rows} skipped.`);
  }
  if (joined > 0) {
    const cells = joined === 1 ? '1 cell' : `${joined} cells`;
    sentences.push(`${cells} had a line break. LMS Admin sends a space instead.`);
  }
  return sentences;
}

/** Prefixes sentences with the name of their file, if it is part of a zip. */
function inFile(sentences: readonly string[], { part }: CheckedPart, inZip: boolean): string[] {
  return sentences.map((sentence) => (inZip ? `${part.name}: ${sentence}` : sentence));
}

function noZip(): AppError {
  return new AppError('bad-request', {
    message: 'You can send CSV files, but not zip files.',
    next: 'Upload the CSV files of the zip one by one.',
  });
}
