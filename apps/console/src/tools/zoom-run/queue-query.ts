/** Calls of Zoom Event Run: the queue, the courses of a review, and the submission. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type RunDays, type ZoomQueue, zoomQueue } from '@lms-admin/contract/zoom-runs';
import { z } from 'zod';
import { getJson, invoke, postJson } from '../../api/client.ts';
import { ApiError, unexpectedAnswer } from '../../api/errors.ts';
import type { QueueChange } from './queue-change.ts';

/** Maximum number of concurrent course requests. */
const AT_ONCE = 6;

/** A course with its name for the review. */
export interface NamedCourse {
  id: number;
  code: string;
  name: string;
}

/** Reads the queue, which is sent as JSON text (ZR-15). */
export async function readQueue(signal?: AbortSignal): Promise<ZoomQueue> {
  const text = await getJson(ENDPOINTS.zoomQueue, z.string(), { signal });
  try {
    return zoomQueue.parse(JSON.parse(text));
  } catch (cause) {
    throw unexpectedAnswer(200, null, cause);
  }
}

/** Reads courses by their numbers; null for one that does not exist, or without access. */
export async function readCourses(
  ids: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, NamedCourse | null>> {
  const found = new Map<number, NamedCourse | null>();
  const waiting = [...ids];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      found.set(id, await readCourse(id, signal));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, ids.length) }, work));
  return found;
}

async function readCourse(id: number, signal: AbortSignal): Promise<NamedCourse | null> {
  try {
    const { data } = await invoke('course', { course: id }, [], { signal });
    return { id: data.id, code: data.course_code, name: data.name };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not-found') return null;
    throw error;
  }
}

const started = z.object({ id: z.uuid() });

/** Starts a run of one course (ZR-14). @param key of this confirmation @returns the ID of its job */
export async function startRun(
  courseId: number,
  daysCount: RunDays,
  requestedBy: string,
  key: string | null,
): Promise<string> {
  const body = { courseId, daysCount, requestedBy, ...(key === null ? {} : { key }) };
  return (await postJson(ENDPOINTS.zoomRun, body, started)).id;
}

/** Saves the queue (ZR-16): the complete new list, and the one it is based on. */
export async function saveQueue(
  { wanted, read, newestAt }: QueueChange,
  daysCount: RunDays,
  requestedBy: string,
): Promise<void> {
  const body = {
    courseIds: wanted,
    readCourseIds: read,
    ...(newestAt === null ? {} : { newestAt }),
    daysCount,
    requestedBy,
  };
  await postJson(ENDPOINTS.zoomQueueUpdate, body, z.unknown());
}
