/** Multipart form of an upload: one file, read as a stream; other fields are ignored (SIS-07). */
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';

const FIELD = 'file';
/** A rejected upload is read up to this many times the largest upload, so that the browser sees the answer. */
const DRAINED = 2;
const LEAST_DRAIN_BYTES = 33_554_432;
const DRAIN_MS = 60_000;
/** Milliseconds within which more bytes of an incomplete form must arrive. */
const STALL_MS = 20_000;

export interface Upload {
  /** File name as uploaded, without folders. */
  name: string;
  /** The bytes, readable once. */
  bytes: AsyncIterable<Uint8Array>;
}

/** Limits of an upload. */
export interface UploadLimits {
  /** Maximum bytes of the file. */
  mostBytes: number;
  /** Instruction shown for a file that is too large. */
  tooLarge: string;
  /** Default name of a file without one. */
  nameless: string;
}

/**
 * Reads the form and processes its file while it arrives.
 * @throws AppError bad-request (no file, two files, a broken or incomplete form), too-large; errors of `work`
 */
export async function withUpload<T>(
  request: FastifyRequest,
  limits: UploadLimits,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw notOneFile();
  try {
    const form = request.parts({
      limits: { fileSize: limits.mostBytes, files: 2, fields: 20, fieldSize: 65_536, parts: 30 },
      throwFileSizeLimit: false,
    } as Parameters<FastifyRequest['parts']>[0]);
    const parts = whileBytesCome(request, form[Symbol.asyncIterator]());
    const part = await nextFile(parts);
    if (part?.fieldname !== FIELD) throw notOneFile();
    return await work({
      name: plainName(part.filename, limits),
      bytes: bytesOf(request, part, parts, limits),
    });
  } catch (error) {
    await drain(request, limits);
    throw error;
  }
}

type Parts = Pick<AsyncIterator<Multipart>, 'next'>;

/** Returns the next file of the form, skipping other fields. */
async function nextFile(parts: Parts): Promise<MultipartFile | null> {
  for (;;) {
    const next = await parts.next().catch((error: unknown) => {
      throw brokenForm(error);
    });
    if (next.done) return null;
    if (next.value.type === 'file') return next.value;
  }
}

/** Reads a form step by step. A step that gets no more bytes ends with the error for an incomplete upload. */
function whileBytesCome<T>({ raw }: FastifyRequest, steps: AsyncIterator<T>): Pick<AsyncIterator<T>, 'next'> {
  return {
    async next() {
      let seen = raw.socket.bytesRead;
      let timer: NodeJS.Timeout | undefined;
      const stalled = new Promise<never>((_, reject) => {
        timer = setInterval(() => {
          if (raw.socket.bytesRead === seen) reject(new Error('no more data arrived'));
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

/** Yields the file's bytes. Ends without an error only if the form is complete and has no second file. */
async function* bytesOf(
  request: FastifyRequest,
  { file }: MultipartFile,
  parts: Parts,
  { mostBytes, tooLarge }: UploadLimits,
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
      message: `The file is larger than ${mostBytes / 1_048_576} MB, the maximum for one upload.`,
      next: tooLarge,
    });
  }
  if ((await nextFile(parts)) !== null) throw notOneFile();
}

/** Returns the last part of a path with any kind of slashes, safe to show and store. */
function plainName(filename: string | undefined, { nameless }: UploadLimits): string {
  const last = (filename ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = last.replace(/\p{C}/gu, ' ').trim();
  if (clean === '') return nameless;
  return clean.length > 200 ? `${storable(clean.slice(0, 190))}….${nameless.split('.').at(-1) ?? ''}` : clean;
}

function notOneFile(): AppError {
  return new AppError('bad-request', {
    message: 'The upload should be a form with exactly one file, in the field file.',
    next: 'Choose a file and upload it again.',
  });
}

function brokenForm(cause: unknown): AppError {
  return new AppError('bad-request', {
    message: 'The upload stopped before the file was complete. Nothing has been kept.',
    next: 'Upload it again.',
    cause,
  });
}

/** Reads the rest of the request, within limits: a browser does not see the answer while it is still sending. */
async function drain({ raw }: FastifyRequest, { mostBytes }: UploadLimits): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return;
  await new Promise<void>((resolve) => {
    let left = Math.max(DRAINED * mostBytes, LEAST_DRAIN_BYTES);
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
