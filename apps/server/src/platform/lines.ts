/** Answers sent line by line (newline-delimited JSON). */
import { Readable } from 'node:stream';
import type { ErrorBody } from '@lms-admin/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { logFailure, toAppError } from './http-errors.ts';

export interface Lines<L> {
  /** The first line, already read, so that a failure before it is an ordinary error answer. */
  first?: IteratorResult<L, void>;
  rest: AsyncGenerator<L, void, void>;
  /** Name of the answer in the log if it ends with a failure. */
  what: string;
}

/** Sends each line when it is ready, without fields outside the schema; a failure becomes the last line, `{error}`. */
export function sendLines<L>(
  request: FastifyRequest,
  reply: FastifyReply,
  lines: Lines<L>,
  cut: (line: L) => unknown,
): FastifyReply {
  return reply
    .type('application/x-ndjson; charset=utf-8')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(written(request, lines, cut), { objectMode: true, highWaterMark: 1 }));
}

async function* written<L>(
  request: FastifyRequest,
  { first, rest, what }: Lines<L>,
  cut: (line: L) => unknown,
): AsyncGenerator<string, void, void> {
  try {
    for (let one = first ?? (await rest.next()); !one.done; one = await rest.next()) {
      yield `${JSON.stringify(cut(one.value))}\n`;
    }
  } catch (error) {
    const failure = toAppError(error);
    logFailure(request, error, failure, what);
    const line: { error: ErrorBody } = { error: failure.body(request.id) };
    yield `${JSON.stringify(line)}\n`;
  } finally {
    await rest.return();
  }
}
