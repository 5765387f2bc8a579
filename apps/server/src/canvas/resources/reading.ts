/** Reads objects of the LMS: one, a list or its pages; and handles objects that do not exist or could not be read. */
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { z } from 'zod';
import { type CanvasClient, CanvasError, type CanvasToken } from '../types.ts';

/** The client, and the token whose permissions apply. */
export interface Reader {
  canvas: Pick<CanvasClient, 'call' | 'pages'>;
  token: CanvasToken;
  signal?: AbortSignal | undefined;
}

export type Query = readonly (readonly [string, string])[];

/** `missing` if the LMS reports that the object does not exist, `unread` if that is unknown. */
export type Answer<T> = T | 'missing' | 'unread';

/**
 * Returns the answer, or `unread` if the LMS did not give one.
 * @throws the signal's reason; CanvasError if the token is refused, because no other call would succeed either
 */
export async function answered<T>(
  { signal }: Pick<Reader, 'signal'>,
  ask: () => Promise<T>,
): Promise<Answer<T>> {
  try {
    return await ask();
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof CanvasError) || error.ofToken) throw error;
    return error.kind === 'not-found' ? 'missing' : 'unread';
  }
}

/** Returns whether the LMS rejected this object, rather than being unavailable. */
export function isDefinite(error: unknown): error is CanvasError {
  return error instanceof CanvasError && ['refused', 'not-found', 'rejected'].includes(error.kind);
}

/** Returns one object. @throws CanvasError */
export async function one<T>(
  reader: Reader,
  path: string,
  answer: z.ZodType<T>,
  query: Query = [],
): Promise<T> {
  return (await reader.canvas.call(request(reader, path, answer, query))).data;
}

/** Returns the pages of a list, in the largest size that the LMS allows. @throws CanvasError */
export function pages<T>(reader: Reader, path: string, item: z.ZodType<T>, query: Query = []) {
  const paged = [...query, ['per_page', String(LMS_PAGE_SIZE)] as const];
  return reader.canvas.pages(request(reader, path, z.array(item), paged));
}

/** A page of a numbered list: the items from `size × (number - 1)` on. */
export interface ListPage {
  /** At most `LMS_PAGE_SIZE`. */
  size: number;
  /** Counts from 1. */
  number: number;
}

/** Returns one page of a list, independent of the others. @throws CanvasError */
export function page<T>(
  reader: Reader,
  path: string,
  item: z.ZodType<T>,
  query: Query,
  { size, number }: ListPage,
) {
  const paged = [...query, ['per_page', String(size)] as const, ['page', String(number)] as const];
  return reader.canvas.call(request(reader, path, z.array(item), paged));
}

/** Returns the items of a list. @throws CanvasError */
export async function listed<T>(
  reader: Reader,
  path: string,
  item: z.ZodType<T>,
  query: Query = [],
): Promise<T[]> {
  const all: T[] = [];
  for await (const { data } of pages(reader, path, item, query)) all.push(...data);
  return all;
}

/**
 * Passes the items of a list to a function until it needs no more.
 * @param most maximum pages; reading more would cost more than it saves
 * @returns whether the whole list was read; false also if the LMS did not return it
 */
export async function walked<T>(
  reader: Reader,
  path: string,
  item: z.ZodType<T>,
  query: Query,
  most: number,
  take: (one: T) => void,
): Promise<boolean> {
  let read = 0;
  const all = await answered(reader, async () => {
    for await (const { data } of pages(reader, path, item, query)) {
      for (const each of data) take(each);
      if (++read >= most) return false;
    }
    return true;
  });
  return all === true;
}

function request<T>({ token, signal }: Reader, path: string, answer: z.ZodType<T>, query: Query) {
  return { token, method: 'GET' as const, path, query, answer, ...(signal ? { signal } : {}) };
}
