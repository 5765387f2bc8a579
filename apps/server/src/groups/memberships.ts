/** Who is in which group of a course, where the list of its people does not tell. */
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { z } from 'zod';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';

/** What reading a course stands on. */
export interface Reading {
  canvas: CanvasClient;
  token: CanvasToken;
  signal: AbortSignal;
}

const id = z.number().int().positive();
const memberships = z.array(z.object({ group_id: id, user_id: id, workflow_state: z.string() }));

/**
 * Groups by person, accepted members only (OP-84): a call for each group, so only where the LMS leaves `group_ids` out.
 * @throws CanvasError
 */
export async function readMemberships(
  { canvas, token, signal }: Reading,
  groups: readonly number[],
): Promise<Map<number, number[]>> {
  const of = new Map<number, number[]>();
  const read = groups.map((one) =>
    canvas.list({
      token,
      method: 'GET',
      path: `groups/${one}/memberships`,
      query: [
        ['per_page', String(LMS_PAGE_SIZE)],
        ['filter_states[]', 'accepted'],
      ],
      answer: memberships,
      signal,
    }),
  );
  for (const { user_id, group_id, workflow_state } of (await Promise.all(read)).flat()) {
    if (workflow_state !== 'accepted') continue;
    const theirs = of.get(user_id);
    if (theirs) theirs.push(group_id);
    else of.set(user_id, [group_id]);
  }
  return of;
}
