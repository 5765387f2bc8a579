/**
 * JSON bodies, looked through before they are parsed: parsing a deep or very wide one would hold up everybody, and take many times
 * its own size.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fieldDetail } from './errors.ts';
import { badRequest } from './http-errors.ts';

/** How deep values may lie within each other; ours lie four deep. */
const MOST_DEPTH = 32;
/** Names of fields, all objects together: a thousand people with all that is said of them are a tenth of it. */
const MOST_NAMES = 100_000;
/** Values after another: addresses, ids and rows of the largest submission are half of it. */
const MOST_VALUES = 1_500_000;
/** Bytes between two turns for other work. */
const TURN_BYTES = 262_144;

const [QUOTE, ESCAPE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COLON, COMMA] = [
  ...Buffer.from('"\\[]{}:,'),
] as [number, number, number, number, number, number, number, number];

/** Counts what makes parsing dear. Whether it is JSON at all, the parser finds out. */
class Shape {
  #inText = false;
  #escaped = false;
  #depth = 0;
  #names = 0;
  #values = 0;

  /** @returns what there is too much of; null while it is all right */
  read(bytes: Uint8Array): string | null {
    for (const byte of bytes) {
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === ESCAPE) this.#escaped = true;
        else if (byte === QUOTE) this.#inText = false;
      } else if (byte === QUOTE) this.#inText = true;
      else if (byte === COMMA) this.#values++;
      else if (byte === COLON) this.#names++;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (++this.#depth > MOST_DEPTH) return `values more than ${MOST_DEPTH} deep within each other`;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--;
    }
    if (this.#names > MOST_NAMES) return `more than ${MOST_NAMES.toLocaleString('en-GB')} names of fields`;
    return this.#values > MOST_VALUES ? `more than ${MOST_VALUES.toLocaleString('en-GB')} values` : null;
  }
}

/** @throws AppError bad-request for a body that nothing of ours looks like */
async function checkShape(body: Uint8Array): Promise<void> {
  const shape = new Shape();
  for (let at = 0; at < body.length; at += TURN_BYTES) {
    const tooMuch = shape.read(body.subarray(at, at + TURN_BYTES));
    if (tooMuch !== null) throw badRequest([fieldDetail(null, `The body has ${tooMuch}.`)]);
    if (body.length > TURN_BYTES) await yieldToOthers();
  }
}

/** Reads JSON bodies; names that would change what objects are (`__proto__`) are refused. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      await checkShape(body);
      return new Promise((read, failed) => {
        void parse(request, body.toString('utf8'), (error, value) => (error ? failed(error) : read(value)));
      });
    },
  );
}
