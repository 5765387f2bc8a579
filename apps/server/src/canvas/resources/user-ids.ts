/** Numbers of people by their SIS IDs. Someone may have several; lists of the LMS show one of them. */
import { mapLimited } from '../../platform/limited.ts';
import { sisSegment } from '../sis-path.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from '../types.ts';
import { userAt } from './users.ts';

/** People asked about at once. */
const AT_ONCE = 16;

/** By SIS ID: the number, or `unread` where the LMS does not say; whom no one has is left out. @throws the signal's reason */
export async function userIdsOf(
  canvas: CanvasClient,
  token: CanvasToken,
  sisIds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, number | 'unread'>> {
  type Found = readonly (readonly [string, number | 'unread'])[];
  const found = await mapLimited([...sisIds], AT_ONCE, async (sisId): Promise<Found> => {
    try {
      return [[sisId, (await userAt({ canvas, token, signal }, sisSegment('user', sisId))).id]];
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CanvasError)) throw error;
      return error.kind === 'not-found' ? [] : [[sisId, 'unread']];
    }
  });
  return new Map(found.flat());
}
