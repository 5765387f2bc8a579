/** The kinds of answers that a route can declare. Those with a schema drop all other fields. */
import { Readable } from 'node:stream';
import type { Answer } from '@lms-admin/contract/lms-calls';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Lines, sendLines } from './lines.ts';

/** One kind of answer. `G` is the return value of the route's handler. */
export interface Answers<G> {
  /** Schema of the data or of each line; null for an answer that is not made of LMS Admin's data. */
  readonly schema: z.ZodType | null;
  /** False if compression would delay pieces. */
  readonly compressed?: boolean;
  send(given: G, request: FastifyRequest, reply: FastifyReply): unknown;
}

/** Bytes that the browser saves as a file. */
export interface Download {
  /** File name. */
  name: string;
  /** Media type. */
  type: string;
  content: AsyncIterable<string | Uint8Array>;
}

/**
 * Declares the usual envelope, `{status, data, pagination}` (OP-97), around data of this schema: `answer(…)` makes one.
 */
export function data<S extends z.ZodType>(schema: S): Answers<Answer<z.input<S>>> {
  const cut = cutBy(schema);
  return {
    schema,
    send: (given) => ({ status: given.status, data: cut(given.data), pagination: given.pagination }),
  };
}

/** Declares data of this schema without the envelope. */
export function bare<S extends z.ZodType>(schema: S): Answers<z.input<S>> {
  const cut = cutBy(schema);
  return { schema, send: (given) => cut(given) };
}

/** Declares lines of JSON as they become ready, each of this schema (newline-delimited JSON). */
export function lines<S extends z.ZodType>(schema: S): Answers<Lines<z.input<S>>> {
  return { ...uncutLines<z.input<S>>(cutBy(schema)), schema };
}

/** Declares lines already stripped by the caller, each with its own schema. */
export function uncutLines<L>(cut: (line: L) => unknown = (line) => line): Answers<Lines<L>> {
  return {
    schema: null,
    compressed: false,
    send: (given, request, reply) => sendLines(request, reply, given, cut),
  };
}

/** A file that the browser saves. */
export const file: Answers<Download> = {
  schema: null,
  send: ({ name, type, content }, _request, reply) =>
    reply.type(type).header('content-disposition', asDownload(name)).send(Readable.from(content)),
};

/** A redirect to another address. */
export const redirect: Answers<string> = {
  schema: null,
  send: (url, _request, reply) => reply.redirect(url, 302),
};

/** Declares text of this media type. */
export function text(type: string): Answers<string> {
  return { schema: null, send: (given, _request, reply) => reply.type(type).send(given) };
}

/** Creates a function that drops fields outside a schema. It throws if the data does not fit (a server fault). */
export function cutBy<S extends z.ZodType>(schema: S): (given: z.input<S>) => z.output<S> {
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny)
    throw new Error('a schema that accepts everything removes nothing');
  return (given) => {
    const read = schema.safeParse(given);
    if (read.success) return read.data;
    throw new Error(`an answer does not match the schema of its route: ${z.prettifyError(read.error)}`);
  };
}

/** Returns the header for saving under this name; browsers without support for the second form use the first. */
function asDownload(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
