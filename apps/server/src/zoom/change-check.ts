/** Checks whether a change is allowed, before its preview and before it starts. */

import type { ZoomChange } from '@lms-admin/contract/zoom';
import { counted } from '@lms-admin/domain/numbers';
import type { ActFor } from '../access/acting.ts';
import { requireTool } from '../access/rights.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { ReachedCourse } from '../canvas/resources/courses.ts';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import { calendarToBe, type ZoomParts } from './open.ts';
import { ZoomRecords } from './records.ts';
import { mainEvent, mergeProblem, requireHeldMain, requireOwner } from './rules.ts';

export const TOOL = 'zoom-creation';

export interface ChangeParts extends ZoomParts {
  actFor: ActFor;
  scope: Scope;
}

/**
 * Checks a change, and finds its title and course.
 * @throws AppError not-allowed, not-found, bad-request in the words of the form; CanvasError, ZoomError
 */
export async function checkChange(
  parts: ChangeParts,
  admin: Admin,
  change: ZoomChange,
  signal?: AbortSignal,
): Promise<{ label: string; course: ReachedCourse }> {
  requireTool(admin, TOOL);
  const course = await parts.scope.course(admin, change.course, signal);
  if (!course) throw new AppError('not-found', { message: 'The course was not found.' });
  if (change.change === 'publish') await requireOwner(parts.zoom, change, signal);
  else {
    const records = new ZoomRecords(parts.db.db, await parts.identity.lastSeen(admin.token));
    const reader = { token: admin.token, ...(signal ? { signal } : {}) };
    const { calendar } = await calendarToBe(parts, records, course.id, reader);
    requireMergeable(calendar, change);
    if (change.change === 'merge')
      await requireHeldMain(parts.zoom.withoutCache(), mainEvent(calendar, change.parent), signal);
  }
  return { label: storable(`${wordsOf(change)}: ${course.course_code || course.name}`), course };
}

function wordsOf(change: ZoomChange): string {
  if (change.change === 'unmerge') return 'Unmerge a Zoom link';
  const count = new Set(change.events).size;
  if (change.change === 'merge') return `Merge ${counted(count, 'Zoom link')}`;
  // Saving also applies hosts and alternative hosts, so the changes are known only afterwards.
  return `Save Zoom settings of ${counted(count, 'event')} as ${change.visible ? 'Published' : 'Hidden'}`;
}

/** @throws AppError */
function requireMergeable(calendar: Calendar, change: Exclude<ZoomChange, { change: 'publish' }>): void {
  const refuse = (message: string) => {
    throw new AppError('bad-request', { message, next: 'Choose other events.' });
  };
  if (change.change === 'unmerge') {
    const family = calendar.of.get(change.event);
    if (!family) throw new AppError('not-found');
    if (family.own.record?.parentId == null) refuse(`“${family.own.event.title}” is not merged.`);
    return;
  }
  const main = mainEvent(calendar, change.parent);
  for (const id of change.events) {
    const child = calendar.of.get(id);
    if (!child) throw new AppError('not-found');
    const problem = mergeProblem(calendar, child, main);
    if (problem !== null) refuse(`“${child.own.event.title}”: ${problem}`);
  }
}
