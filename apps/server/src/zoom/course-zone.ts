/** The time zone in which a course is shown. */
import { courseZone } from '../canvas/resources/courses.ts';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';

const FALLBACK = 'UTC';

/** Reads the data of a course that its calendar needs. @throws CanvasError */
export async function courseFacts(
  canvas: CanvasClient,
  token: CanvasToken,
  courseId: number,
  signal?: AbortSignal,
): Promise<{ sisId: string | null; zone: string }> {
  const { sis_course_id: sisId, time_zone: zone } = await courseZone({ canvas, token, signal }, courseId);
  return { sisId, zone: zone ?? FALLBACK };
}
