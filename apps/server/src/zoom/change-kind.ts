/** `zoom-change`: publishes, hides, merges or unmerges events of a course, one item for each event (OP-69). */

import { ZOOM_CHANGE, type ZoomChange, zoomChangeOrder } from '@lms-admin/contract/zoom';
import { counted } from '@lms-admin/domain/numbers';
import type { ItemRow } from '../jobs/items.ts';
import type { JobEnd, JobWork } from '../jobs/kind.ts';
import type { StartableKind } from '../jobs/start.ts';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';
import { eachEvent, lateWords } from './cancelled.ts';
import { type ChangeParts, checkChange, TOOL } from './change-check.ts';
import { atOnceOf, doItem, failed, finishChange, itemsOf } from './change-events.ts';
import { changeInput } from './change-input.ts';
import {
  cancelledOf,
  endOf,
  itemInput,
  keptIn,
  leftToLater,
  namesOf,
  noteIn,
  wordsOfLater,
} from './change-outcome.ts';
import { requireCourse } from './course-access.ts';
import type { Reconciled } from './event-ends.ts';
import { Intents } from './intents.ts';
import { openCourse } from './open.ts';
import { OtherChanges } from './other-changes.ts';
import { isAsPreviewed } from './preview.ts';
import { requireOwner } from './rules.ts';

export function zoomChangeKind(parts: ChangeParts): StartableKind {
  return {
    id: ZOOM_CHANGE,
    // These jobs mostly wait for Zoom, which accepts one creation at a time for each host: many hosts, many jobs.
    atOnce: 24,
    atOnceEach: 12,
    keeps: 'work',
    listed: true,
    changes: true,
    begins: 'Reading the calendar of the course',
    untouched: 'Cancelled before it started. Nothing was changed.',
    mayCancel: async () => true,
    start: {
      tool: TOOL,
      input: zoomChangeOrder,
      async check(admin, raw) {
        const { label, course } = await checkChange(parts, admin, zoomChangeOrder.parse(raw).change);
        return { label, about: await parts.scope.about(admin, [course]) };
      },
    },
    run: (work) => run(parts, work),
  };
}

/**
 * Ends the job before it begins, because a person has to review the change again.
 * @param gone events that are no longer in the course's calendar
 * @param all number of events
 */
function outdated(gone: readonly number[], all: number): JobEnd {
  const result = { failed: [], outdated: true, ...(gone.length > 0 ? { gone } : {}) };
  if (gone.length === all) {
    const which = all === 1 ? 'the event is' : 'the events are';
    const message = `Nothing was saved: ${which} no longer in the calendar of the course.`;
    return { outcome: 'failed', result, problem: { message, next: 'Choose other events in Zoom Creation.' } };
  }
  const of =
    gone.length > 0
      ? ` ${gone.length} of ${counted(all, 'event')} ${gone.length === 1 ? 'is' : 'are'} no longer in the calendar of the course.`
      : '';
  return {
    outcome: 'failed',
    result,
    problem: {
      message: `Nothing was saved: these events have changed since the preview.${of}`,
      next: 'Open the course in Zoom Creation, check the new preview, and save again.',
    },
  };
}

async function run(parts: ChangeParts, work: JobWork): Promise<JobEnd> {
  const { change, digest } = changeInput.parse(await work.input());
  const admin = parts.actFor(work.job);
  const course = await parts.scope.course(admin, change.course, work.signal);
  if (!course) throw new AppError('not-found', { message: 'The course was not found.' });
  const refused = await refusalOf(parts, change, work);
  await work.save({ unit: 'events' });
  const open = await openCourse(parts, work, course.id);
  try {
    // No other job can change the course now, and this one has not begun.
    if (digest !== null && !(await isBegun(work))) {
      await work.save({ stage: 'Comparing with the preview' });
      const asking = { change, lms: work.job.lms, signal: work.signal };
      if (!(await isAsPreviewed(parts, admin, asking, digest))) {
        const named = change.change === 'unmerge' ? [change.event] : [...new Set(change.events)];
        return outdated(
          named.filter((id) => !open.engine.calendar.of.has(id)),
          named.length,
        );
      }
    }
    const { engine } = open;
    await work.items.plan(itemsOf(engine.calendar, change));
    await work.save({ stage: 'Changing the meetings' });
    const kept = keptIn(work.job.checkpoint);
    const later = await OtherChanges.after(parts.db.db, work.job, course.id);
    const each = {
      atOnce: atOnceOf(change),
      checkpoint: () => ({ ...kept }),
      requireAccess: () => requireCourse(parts, work, course.account_id),
      do: async (item: ItemRow) => {
        const names = itemInput.parse(item.input);
        const newer = await later.against(names, change);
        if (newer) return leftToLater(kept, engine.calendar, names, newer.by);
        const intents = new Intents(names.intents, (all) =>
          work.items.remember(item.seq, { ...names, intents: all }),
        );
        const came = refused ?? (await doItem(engine, change, item, intents));
        noteIn(kept, engine.calendar, item, came);
        const end = { state: came.state, message: storable(came.message) };
        if (came.state !== 'todo') return end;
        // Finished work is reported, so the next turn reports only the rest.
        intents.forget();
        return { ...end, input: { ...names, intents: {} } };
      },
    };
    const counts = await eachEvent(work, each, async (some) => {
      const rest = await work.items.rest();
      const late = await finishChange(engine, change, rest);
      return cancelledOf(kept, engine.calendar, rest, some, late);
    });
    await open.restForWaiting(wordsOfLater(namesOf(kept)));
    const left = await finishChange(engine, change);
    return endOf(kept, counts, [lateWords(work), left].filter(Boolean).join(' ') || null);
  } finally {
    await open.close();
    await OtherChanges.wakeOlder(parts.db.db, work.job, course.id);
  }
}

/**
 * Returns why the remaining events of a waiting change can no longer get this owner; the others are done.
 * @throws AppError if nothing was begun; ZoomError
 */
async function refusalOf(parts: ChangeParts, change: ZoomChange, work: JobWork): Promise<Reconciled | null> {
  if (change.change !== 'publish') return null;
  try {
    await requireOwner(parts.zoom, change, work.signal);
    return null;
  } catch (error) {
    const isRefusal = error instanceof AppError && error.code === 'bad-request';
    if (!isRefusal || !(await isBegun(work))) throw error;
    return failed(error.message, error.next);
  }
}

/** Returns whether an earlier turn has stored the events. */
async function isBegun({ items }: JobWork): Promise<boolean> {
  return Object.values(await items.counts()).some((count) => count > 0);
}
