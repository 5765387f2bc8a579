/**
 * JSON bodies. A megabyte is read for everybody; more only where the route says so, one large body of a person at a time, and parsed
 * in pieces with turns for other work.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, fieldDetail } from './errors.ts';
import { badRequest } from './http-errors.ts';
import { partsOf, TooMuchJson, valueOf } from './json-parts.ts';
import { Turns } from './turns.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the guard knows of the sender of a body: how much may be read, and whose it is. */
    bodyAllowance: BodyAllowance | null;
  }
}

export interface BodyAllowance {
  readonly bytes: number;
  readonly owner: string;
}

/** Milliseconds without a byte after which a body counts as broken off. */
const IDLE_MS = 20_000;

/** Bodies that are not said to be larger. */
export const BODY_BYTES = 1_048_576;

/** Ours lie four deep, have ten names together, and in the largest submission (500,000 people) some more values than that. */
const LIMITS = { depth: 32, names: 100_000, namesTogether: 1_000, values: 750_000 };

/** Reads JSON bodies; names that would change what objects are (`__proto__`) are refused. */
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
      // The ordinary parser has its own words for a body that is not there.
      return bytes.length === 0 ? parse('') : valueIn(bytes, parse);
    },
  );
}

/** Files are a stream with limits of their own, which the handler reads. */
function isForm({ routeOptions }: FastifyRequest): boolean {
  const takes = routeOptions.config.declaration?.takes ?? 'none';
  return takes !== 'none' && takes.body === 'multipart';
}

function allowanceOf({ bodyAllowance, routeOptions }: FastifyRequest): BodyAllowance {
  return bodyAllowance ?? { bytes: routeOptions.config.declaration?.bodyLimit ?? BODY_BYTES, owner: '' };
}

/** Null: pieces come, and how many is not said. */
function announcedBytes({ headers }: FastifyRequest): number | null {
  return headers['content-length'] === undefined ? null : Number(headers['content-length']);
}

/** The value of a JSON text, read with turns for other work. @throws SyntaxError; TooMuchJson */
export async function jsonIn(bytes: Buffer, parse: (text: string) => unknown = JSON.parse): Promise<unknown> {
  const turns = new Turns();
  return valueOf(bytes, await partsOf(bytes, LIMITS, turns), parse, turns);
}

/** @throws AppError bad-request for a body that nothing of ours looks like */
async function valueIn(bytes: Buffer, parse: (text: string) => unknown): Promise<unknown> {
  try {
    return await jsonIn(bytes, parse);
  } catch (error) {
    if (error instanceof TooMuchJson) throw badRequest([fieldDetail(null, `The body has ${error.message}.`)]);
    if (error instanceof SyntaxError) throw badRequest([fieldDetail(null, 'The body should be JSON.')]);
    throw error;
  }
}

/** @param announced how many will come, where that was said: they are then held once only */
async function bytesOf(
  stream: FastifyRequest['raw'],
  most: number,
  announced: number | null,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  // Memory is taken as it is written to, whatever was announced.
  const whole = announced !== null && announced > BODY_BYTES ? Buffer.allocUnsafeSlow(announced) : null;
  let length = 0;
  // A body that stops coming would keep its place, and others waiting, for as long as a request may take.
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
  // It calls back before it returns.
  void standard(request, text, (error, read) => {
    if (error) throw error;
    value = read;
  });
  return value;
}

/** Large bodies of one person come one after the other, each until it has been answered: that bounds the memory that they take. */
class Queue {
  readonly #last = new Map<string, Promise<void>>();

  /** Waits for the turn of a request, which lasts until its connection is done with it. */
  async turnOf(owner: string, response: FastifyReply['raw']): Promise<void> {
    // Anyone who has gone meanwhile would keep the place for good: that is told once only.
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
