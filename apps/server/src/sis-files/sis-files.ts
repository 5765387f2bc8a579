/** SIS files: uploaded, checked while they come in, kept a day, submitted from there (area SIS, OP-53). */
import { randomUUID } from 'node:crypto';
import type { SisFile, SisFilePart } from '@lms-admin/contract/sis-files';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { type LmsIdentity, sameLms } from '../canvas/identity.ts';
import { deletePieces, storePieces } from '../files/pieces.ts';
import type { Upload } from '../files/upload.ts';
import type { Audit } from '../platform/audit.ts';
import type { Database } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';
import { FileCheck } from './check.ts';
import { effectOf } from './effect/effect.ts';
import { peeked, refuseWorkbook } from './kind-of-file.ts';
import type { CheckedPart } from './part-rows.ts';
import type { CheckServices } from './policies/policy.ts';
import { fileProblems } from './problems.ts';
import { findFile, saveFile, toSisFile } from './store.ts';
import { warningsOf } from './warnings.ts';
import { membersOf, withSpooled } from './zip.ts';

export interface SisFiles {
  /**
   * Checks an upload and keeps it for a day. Nothing is kept of one that is refused.
   * @throws AppError not-allowed; bad-request with row and column of up to 100 problems; too-many-rows; too-large
   */
  take(admin: Admin, upload: Upload, asking: { signal: AbortSignal; requestId: string }): Promise<SisFile>;
  /** The file again, for its owner. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<SisFile>;
}

export interface SisFileServices extends CheckServices {
  db: Database;
  audit: Audit;
  identity: LmsIdentity;
}

export function createSisFiles(services: SisFileServices): SisFiles {
  const { db } = services.db;

  async function take(
    admin: Admin,
    upload: Upload,
    { signal, requestId }: { signal: AbortSignal; requestId: string },
  ): Promise<SisFile> {
    requireTool(admin, 'sis-import');
    // A typing error must not give rights.
    if (!['ALL', 'CUSTOM'].includes(admin.record.perm)) throw new AppError('not-allowed');
    const id = randomUUID();
    try {
      const problems = fileProblems();
      const check = new FileCheck({ services, admin, signal }, problems);
      const parts: CheckedPart[] = [];
      const keep = async (name: string, bytes: AsyncIterable<Uint8Array>, inZip: boolean) => {
        const part = parts.length;
        const texts = check.texts(bytes, name, inZip, (checked) => parts.push(checked));
        await storePieces(db, id, texts, part);
      };
      const counted = counting(upload.bytes);
      const { kind, bytes } = await peeked(counted.bytes);
      refuseWorkbook(kind);
      if (kind === 'zip') {
        if (admin.record.perm !== 'ALL') throw noZip();
        await withSpooled(services.config.dataFolder, bytes, async (spooled) => {
          for (const member of await membersOf(spooled)) {
            await keep(member.name, member.bytes(), true);
          }
        });
      } else await keep(upload.name, bytes, false);
      signal.throwIfAborted();
      const { effect, deletions, landing } = await effectOf({
        services,
        admin,
        rows: check.rows,
        files: kind === 'zip' ? parts.map(({ part }) => part.name) : null,
        kinds: parts.map(({ part }) => part.kind),
        problems,
        signal,
      });
      const warnings = await warningsOf(
        services,
        admin,
        parts.map(({ part }) => part),
        check.named,
        signal,
      );
      const rows = parts.reduce((sum, { part }) => sum + part.rows, 0);
      const stored = await saveFile(
        db,
        admin.login,
        {
          file: {
            id,
            name: upload.name,
            size: counted.size(),
            zip: kind === 'zip',
            parts: parts.map(({ part }) => storablePart(part)),
            rows,
            warnings: [...landing.map(storable), ...warnings],
            notices: parts.flatMap((one) => noticesOf(one, kind === 'zip')),
            effect,
            deletions,
          },
          again: check.again(),
        },
        parts.map(({ file }) => ({ ...file, name: storable(file.name) })),
        await services.identity.lastSeen(admin.token),
      );
      await services.audit.write({
        login: admin.login,
        tool: 'sis-import',
        event: 'sis-file-kept',
        detail: { file: id, name: upload.name, rows, deletions: deletions.rows },
        requestId,
      });
      return toSisFile(stored);
    } catch (error) {
      await deletePieces(db, id);
      throw error;
    }
  }

  async function get(admin: Admin, id: string): Promise<SisFile> {
    requireTool(admin, 'sis-import');
    const found = await findFile(db, admin.login, id);
    // What was checked against another LMS says nothing about this one.
    if (!found || !sameLms(found.lms, services.identity.known())) {
      throw new AppError('not-found', {
        message: 'There is no such file.',
        next: 'Upload it again: files are kept for a day.',
      });
    }
    return toSisFile(found);
  }

  return { take, get };
}

/** The bytes, counted as they pass. */
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

/** What was converted or left out, in sentences. */
function noticesOf({ part, blankRows, joined }: CheckedPart, inZip: boolean): string[] {
  const sentences: string[] = [];
  if (part.encoding !== 'utf-8') {
    sentences.push(
      `The text is encoded as ${ENCODINGS[part.encoding]}; it is sent as UTF-8. Look at letters such as é or ü in the preview.`,
    );
  }
  if (part.delimiter !== ',') {
    const name = part.delimiter === ';' ? 'semicolons' : 'tabs';
    sentences.push(`The cells are separated by ${name}; they are sent separated by commas.`);
  }
  if (blankRows > 0) {
    const rows = blankRows === 1 ? '1 blank row is' : `${blankRows} blank rows are`;
    sentences.push(`${rows} left out.`);
  }
  if (joined > 0) {
    const cells = joined === 1 ? '1 cell' : `${joined} cells`;
    sentences.push(`${cells} had a line break; a blank is sent in its place.`);
  }
  return inZip ? sentences.map((sentence) => `${part.name}: ${sentence}`) : sentences;
}

function noZip(): AppError {
  return new AppError('bad-request', {
    message: 'You may send CSV files, not zip files.',
    next: 'Upload the CSV files of the zip one by one.',
  });
}
