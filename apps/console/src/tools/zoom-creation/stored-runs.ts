/**
 * Storage by course that survives a reload: started changes, so that an administrator who returns sees their progress
 * or result, and unsaved entries, which a new sign-in must not lose.
 */
import { zoomChange } from '@lms-admin/contract/zoom';
import { z } from 'zod';
import { readStored, writeStored } from '../../api/stored-state.ts';
import { type CourseEntries, courseEntries, type Running } from './course-state.ts';

const TOOL = 'zoom-creation';
const shape = { runs: z.record(z.string(), z.object({ job: z.string(), asked: zoomChange })) };
const NONE: { runs: Record<string, Running> } = { runs: {} };

/** Reads the change to a course that has not been dismissed yet. */
export function storedRun(course: number): Running | null {
  return readStored(TOOL, shape, NONE).runs[course] ?? null;
}

/** Stores the change; null deletes it. */
export function storeRun(course: number, running: Running | null): void {
  const { [String(course)]: _, ...others } = readStored(TOOL, shape, NONE).runs;
  writeStored(TOOL, { runs: running === null ? others : { ...others, [course]: running } }, null);
}

const entriesShape = { entries: z.record(z.string(), courseEntries) };
const NO_ENTRIES: { entries: Record<string, CourseEntries> } = { entries: {} };

/** Reads the entries in a course before a reload. */
export function storedEntries(course: number): CourseEntries | null {
  return readStored(TOOL, entriesShape, NO_ENTRIES).entries[course] ?? null;
}

/** Stores the entries; null deletes them. */
export function storeEntries(course: number, entered: CourseEntries | null): void {
  const { [String(course)]: _, ...others } = readStored(TOOL, entriesShape, NO_ENTRIES).entries;
  writeStored(TOOL, { entries: entered === null ? others : { ...others, [course]: entered } }, null);
}
