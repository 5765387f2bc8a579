/** The multipart form of an upload: one file, taken as a stream; whatever else the form holds is passed over (SIS-07). */
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { MAX_SIS_FILE_BYTES } from '@lms-admin/contract/sis-files';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';
import { fileRefused } from './problems.ts';

const FIELD = 'file';
/** Bytes and milliseconds in which the rest of a refused upload is read, so that the browser gets to its answer. */
const DRAIN_BYTES = 2 * MAX_SIS_FILE_BYTES;
const DRAIN_MS = 60_000;
/** Milliseconds in which some bytes of a form that is not whole have to come. */
const STALL_MS = 20_000;

export interface Upload {
  /** File name as uploaded, without folders. */
  name: string;
  /** The bytes, once. */
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Reads the form and has its file worked on while it comes in.
 * @throws AppError bad-request (no file, two files, a broken form, an upload that broke off), too-large; what `work` throws
 */
export async function withUpload<T>(
  request: FastifyRequest,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw notOneFile();
  try {
    const form = request.parts({
      limits: { fileSize: MAX_SIS_FILE_BYTES, files: 2, fields: 20, fieldSize: 65_536, parts: 30 },
      throwFileSizeLimit: false,
    } as Parameters<FastifyRequest['parts']>[0]);
    const parts = whileBytesCome(request, form[Symbol.asyncIterator]());
    const part = await nextFile(parts);
    if (part?.fieldname !== FIELD) throw notOneFile();
    return await work({ name: plainName(part.filename), bytes: bytesOf(request, part, parts) });
  } catch (error) {
    await drain(request);
    throw error;
  }
}

type Parts = Pick<AsyncIterator<Multipart>, 'next'>;

/** Passes over fields. */
async function nextFile(parts: Parts): Promise<MultipartFile | null> {
  for (;;) {
    const next = await parts.next().catch((error: unknown) => {
      throw brokenForm(error);
    });
    if (next.done) return null;
    if (next.value.type === 'file') return next.value;
  }
}

/** The steps of reading a form; one that gets nowhere although no bytes come any more ends as a form that broke off. */
function whileBytesCome<T>({ raw }: FastifyRequest, steps: AsyncIterator<T>): Pick<AsyncIterator<T>, 'next'> {
  return {
    async next() {
      let seen = raw.socket.bytesRead;
      let timer: NodeJS.Timeout | undefined;
      const stalled = new Promise<never>((_, reject) => {
        timer = setInterval(() => {
          if (raw.socket.bytesRead === seen) reject(new Error('no more bytes come'));
          seen = raw.socket.bytesRead;
        }, STALL_MS);
      });
      try {
        return await Promise.race([steps.next(), stalled]);
      } finally {
        clearInterval(timer);
      }
    },
  };
}

/** The file's bytes. They only end well when the form does, without a second file. */
async function* bytesOf(
  request: FastifyRequest,
  { file }: MultipartFile,
  parts: Parts,
): AsyncGenerator<Uint8Array, void, void> {
  const pieces = whileBytesCome(request, file[Symbol.asyncIterator]() as AsyncIterator<Buffer>);
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  } catch (error) {
    throw brokenForm(error);
  } finally {
    file.destroy();
  }
  if (file.truncated) {
    throw new AppError('too-large', {
      message: `The file is larger than ${MAX_SIS_FILE_BYTES / 1_048_576} MB, the most that one upload takes.`,
      next: 'Upload it in parts. Nothing has been sent.',
    });
  }
  if ((await nextFile(parts)) !== null) throw notOneFile();
}

/** The last part of a path, whichever slashes it has, fit to be shown and kept. */
function plainName(filename: string | undefined): string {
  const last = (filename ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = last.replace(/\p{C}/gu, ' ').trim();
  if (clean === '') return 'file.csv';
  return clean.length > 200 ? `${storable(clean.slice(0, 190))}….csv` : clean;
}

function notOneFile(): AppError {
  return fileRefused(
    'The upload should be a form with exactly one file, in the field file.',
    [],
    'Choose a file and upload it again.',
  );
}

function brokenForm(cause: unknown): AppError {
  return new AppError('bad-request', {
    message: 'The upload broke off before the file was complete. Nothing has been kept.',
    next: 'Upload it again.',
    cause,
  });
}

/** Reads what is left of the request, within bounds: a browser that is still sending does not see the answer. */
async function drain({ raw }: FastifyRequest): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return;
  await new Promise<void>((resolve) => {
    let left = DRAIN_BYTES;
    const timer = setTimeout(resolve, DRAIN_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    raw.unpipe();
    raw.on('data', (bytes: Buffer) => {
      left -= bytes.length;
      if (left < 0) done();
    });
    raw.once('end', done).once('close', done).once('error', done);
    raw.resume();
  });
}
