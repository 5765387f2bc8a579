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
const memberships = z.array(
  z.object({
    group_id: id,
    user_id: id,
    workflow_state: z.string(),
    moderator: z.boolean().nullish(),
    sis_import_id: id.nullish(),
  }),
);

/**
 * Groups by person, accepted members only (OP-84): a call for each group, so only where the LMS leaves `group_ids` out.
 * @throws CanvasError
 */
export async function readMemberships(
  reading: Reading,
  groups: readonly number[],
): Promise<Map<number, number[]>> {
  const of = new Map<number, number[]>();
  const read = groups.map((one) => readGroup(reading, one));
  for (const { user_id, group_id } of (await Promise.all(read)).flat()) {
    const theirs = of.get(user_id);
    if (theirs) theirs.push(group_id);
    else of.set(user_id, [group_id]);
  }
  return of;
}

/** Numbers of the members who may moderate a group. @throws CanvasError */
export async function readModerators(reading: Reading, group: number): Promise<ReadonlySet<number>> {
  const all = await readGroup(reading, group);
  return new Set(all.flatMap(({ user_id, moderator }) => (moderator === true ? user_id : [])));
}

/**
 * Numbers of the imports that have last written the members of a group, by person: null where none has. Empty where the LMS does not
 * tell.
 * @param group its number, or a path segment with its SIS id
 * @throws CanvasError
 */
export async function readWriters(
  reading: Reading,
  group: number | string,
): Promise<ReadonlyMap<number, number | null>> {
  const all = await readGroup(reading, group);
  return new Map(
    all.flatMap(({ user_id, sis_import_id: by }) => (by === undefined ? [] : [[user_id, by] as const])),
  );
}

/** The accepted members of a group. */
async function readGroup({ canvas, token, signal }: Reading, group: number | string) {
  const all = await canvas.list({
    token,
    method: 'GET',
    path: `groups/${group}/memberships`,
    query: [
      ['per_page', String(LMS_PAGE_SIZE)],
      ['filter_states[]', 'accepted'],
    ],
    answer: memberships,
    signal,
  });
  return all.filter(({ workflow_state }) => workflow_state === 'accepted');
}
