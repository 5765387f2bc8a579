/** Numbers of people by their SIS ids. Somebody may have several; lists of the LMS show one of them. */
import { z } from 'zod';
import { mapLimited } from '../../platform/limited.ts';
import { sisSegment } from '../sis-path.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from '../types.ts';

/** People asked about at once. */
const AT_ONCE = 16;
const user = z.object({ id: z.number().int() });

/** By SIS id: the number, or `unread` where the LMS does not say; whom nobody has is left out. @throws the signal's reason */
export async function userIdsOf(
  canvas: CanvasClient,
  token: CanvasToken,
  sisIds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, number | 'unread'>> {
  type Found = readonly (readonly [string, number | 'unread'])[];
  const found = await mapLimited([...sisIds], AT_ONCE, async (sisId): Promise<Found> => {
    try {
      const path = `users/${sisSegment('user', sisId)}`;
      const { data } = await canvas.call({ token, method: 'GET', path, answer: user, signal });
      return [[sisId, data.id]];
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CanvasError)) throw error;
      return error.kind === 'not-found' ? [] : [[sisId, 'unread']];
    }
  });
  return new Map(found.flat());
}
