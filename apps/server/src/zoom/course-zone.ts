/** In which zone a course is shown. */
import { z } from 'zod';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';

const facts = z.object({ sis_course_id: z.string().nullish(), time_zone: z.string().nullish() });
const FALLBACK = 'UTC';

/** What of a course its calendar needs. @throws CanvasError */
export async function courseFacts(
  canvas: CanvasClient,
  token: CanvasToken,
  courseId: number,
  signal?: AbortSignal,
): Promise<{ sisId: string | null; zone: string }> {
  const { data } = await canvas.call({
    token,
    method: 'GET',
    path: `courses/${courseId}`,
    answer: facts,
    ...(signal ? { signal } : {}),
  });
  return { sisId: data.sis_course_id ?? null, zone: data.time_zone ?? FALLBACK };
}
