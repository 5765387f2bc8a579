/** How the LMS is asked what it holds: single questions where few things are named, whole lists where many are. */
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { z } from 'zod';
import type { Admin } from '../../auth/admin.ts';
import { CanvasError } from '../../canvas/types.ts';
import type { CheckServices } from '../policies/policy.ts';

/** Things up to which each is asked about by itself. */
export const FEW = 100;
/** Questions handed to the client at once; the client decides how many of them are in flight. */
export const AT_ONCE = 32;

export const id = z.number().int().positive();
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

export interface Asking {
  services: CheckServices;
  admin: Admin;
  signal: AbortSignal;
}

/** What is said of a thing: `missing`: the LMS says that there is none; `unread`: nobody knows. */
export type Answer<T> = T | 'missing' | 'unread';

/**
 * What an answer says, or that the LMS did not say.
 * @throws CanvasError when the token is refused: then no other question would be answered either
 */
export async function answered<T>({ signal }: Asking, ask: () => Promise<T>): Promise<Answer<T>> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CanvasError) || error.ofToken) throw error;
    return error.kind === 'not-found' ? 'missing' : 'unread';
  }
}

/** One object of the LMS. */
export async function one<T>(
  { services, admin, signal }: Asking,
  path: string,
  answer: z.ZodType<T>,
  query: readonly (readonly [string, string])[] = [],
): Promise<T> {
  const asked = { token: admin.token, method: 'GET' as const, path, query, answer, signal };
  return (await services.canvas.call(asked)).data;
}

/** The pages of a list. */
export function pages<T>(
  { services, admin, signal }: Asking,
  path: string,
  item: z.ZodType<T>,
  query: readonly (readonly [string, string])[] = [],
) {
  return services.canvas.pages({
    token: admin.token,
    method: 'GET',
    path,
    query: [...query, ['per_page', String(LMS_PAGE_SIZE)]],
    answer: z.array(item),
    signal,
  });
}

/**
 * Takes the items of a list until nobody wants more of it.
 * @param most pages; beyond these it is dearer than what it was to save
 * @returns whether it was read to its end; false too where the LMS did not give it
 */
export async function walked<T>(
  asking: Asking,
  path: string,
  item: z.ZodType<T>,
  query: readonly (readonly [string, string])[],
  most: number,
  take: (one: T) => void,
): Promise<boolean> {
  let read = 0;
  const all = await answered(asking, async () => {
    for await (const { data } of pages(asking, path, item, query)) {
      for (const each of data) take(each);
      if (++read >= most) return false;
    }
    return true;
  });
  return all === true;
}
