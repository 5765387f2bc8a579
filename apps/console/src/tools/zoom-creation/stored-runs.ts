/** Changes that were started, by course: who comes back to the course sees that they go on, or what came of them. */
import { zoomChange } from '@lms-admin/contract/zoom';
import { z } from 'zod';
import { readStored, writeStored } from '../../api/stored-state.ts';
import type { Running } from './course-state.ts';

const TOOL = 'zoom-creation';
const shape = { runs: z.record(z.string(), z.object({ job: z.string(), asked: zoomChange })) };
const NONE: { runs: Record<string, Running> } = { runs: {} };

/** The change of a course that nobody has taken note of yet. */
export function storedRun(course: number): Running | null {
  return readStored(TOOL, shape, NONE).runs[course] ?? null;
}

/** Keeps it, or forgets it. */
export function storeRun(course: number, running: Running | null): void {
  const { [String(course)]: _, ...others } = readStored(TOOL, shape, NONE).runs;
  writeStored(TOOL, { runs: running === null ? others : { ...others, [course]: running } }, null);
}
