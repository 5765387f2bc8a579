/**
 * JSON bodies. The limit is a megabyte unless the route declares more; a person's large bodies are read one at a time,
 * and parsed in pieces with pauses for other work.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, fieldDetail } from './errors.ts';
import { badRequest } from './http-errors.ts';
import { partsOf, TooMuchJson, valueOf } from './json-parts.ts';
import { Turns } from './turns.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard: how much may be read, and for whom. */
    bodyAllowance: BodyAllowance | null;
  }
}

export interface BodyAllowance {
  readonly bytes: number;
  readonly owner: string;
}

/** Milliseconds without a byte after which a body counts as broken off. */
const IDLE_MS = 20_000;

/** Limit for bodies of routes that declare no larger one. */
export const BODY_BYTES = 1_048_576;

/**
 * LMS Admin's own bodies are four levels deep and have ten names in total; the largest submission has 500,000 people
 * and only a few other values.
 */
const LIMITS = { depth: 32, names: 100_000, namesTogether: 1_000, values: 750_000 };

/** Registers the parser of JSON bodies; names that would change an object's prototype (`__proto__`) are refused. */
export function readJsonBodies(app: FastifyInstance): void {
  const standard = app.getDefaultJsonParser('error', 'error');
  const queue = new Queue();
  app.decorateRequest('bodyAllowance', null);
  app.addHook('preParsing', async (request, reply) => {
    if (isForm(request)) return;
    const { bytes, owner } = allowanceOf(request);
    const announced = announcedBytes(request);
    if (announced !== null && announced > bytes) throw new AppError('too-large');
    if ((announced ?? bytes) > BODY_BYTES) await queue.turnOf(owner, reply.raw);
  });
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, stream: FastifyRequest['raw']) => {
      const bytes = await bytesOf(stream, allowanceOf(request).bytes, announcedBytes(request));
      const parse = (text: string) => parsed(standard, request, text);
      // The ordinary parser has its own message for an empty body.
      return bytes.length === 0 ? parse('') : valueIn(bytes, parse);
    },
  );
}

/** Returns whether the body is a form: its files are a stream with limits of their own, which the handler reads. */
function isForm({ routeOptions }: FastifyRequest): boolean {
  const takes = routeOptions.config.declaration?.takes ?? 'none';
  return takes !== 'none' && takes.body === 'multipart';
}

function allowanceOf({ bodyAllowance, routeOptions }: FastifyRequest): BodyAllowance {
  return bodyAllowance ?? { bytes: routeOptions.config.declaration?.bodyLimit ?? BODY_BYTES, owner: '' };
}

/** Returns the announced length; null for a chunked body. */
function announcedBytes({ headers }: FastifyRequest): number | null {
  return headers['content-length'] === undefined ? null : Number(headers['content-length']);
}

/** Parses JSON text with pauses for other work. @throws SyntaxError; TooMuchJson */
export async function jsonIn(bytes: Buffer, parse: (text: string) => unknown = JSON.parse): Promise<unknown> {
  const turns = new Turns();
  return valueOf(bytes, await partsOf(bytes, LIMITS, turns), parse, turns);
}

/** @throws AppError bad-request for a body that exceeds the shape of every valid one */
async function valueIn(bytes: Buffer, parse: (text: string) => unknown): Promise<unknown> {
  try {
    return await jsonIn(bytes, parse);
  } catch (error) {
    if (error instanceof TooMuchJson) throw badRequest([fieldDetail(null, `The body has ${error.message}.`)]);
    if (error instanceof SyntaxError) throw badRequest([fieldDetail(null, 'The body should be JSON.')]);
    throw error;
  }
}

/** @param announced the announced length, which allows one buffer for all bytes */
async function bytesOf(
  stream: FastifyRequest['raw'],
  most: number,
  announced: number | null,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  // The system provides memory only as it is written to, whatever length was announced.
  const whole = announced !== null && announced > BODY_BYTES ? Buffer.allocUnsafeSlow(announced) : null;
  let length = 0;
  // A stalled body would hold its place and block others for as long as a request may take.
  const stopped = setTimeout(() => stream.destroy(), IDLE_MS);
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      stopped.refresh();
      if (length + piece.length > (announced ?? most)) throw new AppError('too-large');
      if (whole) piece.copy(whole, length);
      else pieces.push(piece);
      length += piece.length;
    }
  } finally {
    clearTimeout(stopped);
  }
  return whole?.subarray(0, length) ?? Buffer.concat(pieces, length);
}

function parsed(
  standard: ReturnType<FastifyInstance['getDefaultJsonParser']>,
  request: FastifyRequest,
  text: string,
): unknown {
  let value: unknown;
  // The parser calls back before it returns.
  void standard(request, text, (error, read) => {
    if (error) throw error;
    value = read;
  });
  return value;
}

/** Queues a person's large bodies: the next is read only after the answer to the previous one, to limit memory. */
class Queue {
  readonly #last = new Map<string, Promise<void>>();

  /** Waits for a request's turn, which lasts until its connection is finished. */
  async turnOf(owner: string, response: FastifyReply['raw']): Promise<void> {
    // A client that has already left would hold the place permanently, since `close` is emitted only once.
    if (response.destroyed || response.closed) return;
    const before = this.#last.get(owner);
    const ended = new Promise<void>((resolve) => void response.once('close', resolve));
    const mine = Promise.all([before, ended]).then(() => {
      if (this.#last.get(owner) === mine) this.#last.delete(owner);
    });
    this.#last.set(owner, mine);
    await before;
  }
}
