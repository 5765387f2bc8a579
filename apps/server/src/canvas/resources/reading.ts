/** How objects of the LMS are read: one, a list, or its pages; and what is said where the LMS has none or does not answer. */
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { z } from 'zod';
import { type CanvasClient, CanvasError, type CanvasToken } from '../types.ts';

/** Whose rights are read with, and by which client. */
export interface Reader {
  canvas: Pick<CanvasClient, 'call' | 'pages'>;
  token: CanvasToken;
  signal?: AbortSignal | undefined;
}

export type Query = readonly (readonly [string, string])[];

/** What is said of a thing: `missing`: the LMS says that there is none; `unread`: it is not known. */
export type Answer<T> = T | 'missing' | 'unread';

/**
 * What an answer says, or that the LMS did not say.
 * @throws the signal's reason; CanvasError when the token is refused: then no other question would be answered either
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

/** Whether the LMS said no about this thing, as opposed to a LMS that cannot be asked now. */
export function isDefinite(error: unknown): error is CanvasError {
  return error instanceof CanvasError && ['refused', 'not-found', 'rejected'].includes(error.kind);
}

/** One object. @throws CanvasError */
export async function one<T>(
  reader: Reader,
  path: string,
  answer: z.ZodType<T>,
  query: Query = [],
): Promise<T> {
  return (await reader.canvas.call(request(reader, path, answer, query))).data;
}

/** The pages of a list, as large as the LMS gives them. @throws CanvasError */
export function pages<T>(reader: Reader, path: string, item: z.ZodType<T>, query: Query = []) {
  const paged = [...query, ['per_page', String(LMS_PAGE_SIZE)] as const];
  return reader.canvas.pages(request(reader, path, z.array(item), paged));
}

/** A page of a list with numbered pages: the items from `size × (number - 1)` on. */
export interface ListPage {
  /** At most `LMS_PAGE_SIZE`. */
  size: number;
  /** From 1. */
  number: number;
}

/** One page of a list, whatever comes before and after it. @throws CanvasError */
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

/** The items of a list. @throws CanvasError */
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
 * Takes the items of a list until no one wants more of it.
 * @param most pages; beyond these it is dearer than what it was to save
 * @returns whether it was read to its end; false too where the LMS did not give it
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
