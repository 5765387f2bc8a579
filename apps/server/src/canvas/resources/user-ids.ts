/** People's ids by SIS ID. A person may have several SIS IDs, but lists of the LMS show only one. */
import { mapLimited } from '../../platform/limited.ts';
import { sisSegment } from '../sis-path.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from '../types.ts';
import { userAt } from './users.ts';

/** Number of concurrent look-ups. */
const AT_ONCE = 16;

/**
 * Returns ids by SIS ID: `unread` if the LMS does not answer; unknown SIS IDs are omitted.
 * @throws the signal's reason
 */
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
