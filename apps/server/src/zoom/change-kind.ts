/** `zoom-change`: events of a course published, hidden, merged or unmerged, an item an event (OP-69). */
import { ZOOM_CHANGE, type ZoomChange, zoomChangeOrder } from '@lms-admin/contract/zoom';
import { Cancelled, type JobEnd, type JobWork } from '../jobs/kind.ts';
import type { StartableKind } from '../jobs/start.ts';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';
import { type ChangeParts, checkChange, TOOL } from './change-check.ts';
import { atOnceOf, doItem, failed, itemsOf } from './change-events.ts';
import { changeInput } from './change-input.ts';
import {
  cancelWords,
  endOf,
  itemInput,
  keptIn,
  leftToLater,
  namesOf,
  noteIn,
  resultOf,
  wordsOfLater,
} from './change-outcome.ts';
import { Intents } from './intents.ts';
import { openCourse } from './open.ts';
import { OtherChanges } from './other-changes.ts';
import { isAsPreviewed } from './preview.ts';
import type { Reconciled } from './reconcile.ts';
import { requireOwner } from './rules.ts';

export function zoomChangeKind(parts: ChangeParts): StartableKind {
  return {
    id: ZOOM_CHANGE,
    // They mostly wait for Zoom, which takes one creation of a host at a time: many hosts are many jobs.
    atOnce: 24,
    atOnceEach: 12,
    keptDays: 30,
    listed: true,
    changes: true,
    begins: 'Reading the calendar of the course',
    untouched: 'Cancelled before it began: nothing was changed.',
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

/** Nothing is begun: a person has to look again. */
const OUTDATED: JobEnd = {
  outcome: 'failed',
  result: { failed: [], outdated: true },
  problem: {
    message: 'Nothing was saved: something about these events has changed since the preview.',
    next: 'Open the course in Zoom Creation, look at what would happen now, and save again.',
  },
};

async function run(parts: ChangeParts, work: JobWork): Promise<JobEnd> {
  const { change, digest } = changeInput.parse(await work.input());
  const admin = parts.actFor(work.job);
  const course = await parts.scope.course(admin, change.course, work.signal);
  if (!course) throw new AppError('not-found', { message: 'There is no such course.' });
  const refused = await refusalOf(parts, change, work);
  await work.save({ unit: 'events' });
  const open = await openCourse(parts, work, course.id);
  try {
    // Nobody else changes the course by now, and nothing is begun.
    if (digest !== null && !(await isBegun(work))) {
      await work.save({ stage: 'Comparing with the preview' });
      const told = { change, lms: work.job.lms, signal: work.signal };
      if (!(await isAsPreviewed(parts, admin, told, digest))) return OUTDATED;
    }
    const { engine } = open;
    await work.items.plan(itemsOf(engine.calendar, change));
    await work.save({ stage: 'Changing the meetings' });
    const kept = keptIn(work.job.checkpoint);
    const later = await OtherChanges.after(parts.db.db, work.job, course.id);
    await work.items.each({
      atOnce: atOnceOf(change),
      between: () => {
        if (work.cancel.aborted) throw new Cancelled(cancelWords(work, kept), resultOf(kept));
      },
      // What was begun is simply done again: it does what is left.
      find: async () => null,
      checkpoint: () => ({ ...kept }),
      do: async (item) => {
        const names = itemInput.parse(item.input);
        const newer = await later.against(names, change);
        if (newer) return leftToLater(kept, engine.calendar, names, newer.by);
        const intents = new Intents(names.intents, (all) =>
          work.items.remember(item.seq, { ...names, intents: all }),
        );
        const came = refused ?? (await doItem(engine, change, item, intents));
        noteIn(kept, engine.calendar, item, came);
        return { state: came.state, message: storable(came.message) };
      },
    });
    await open.restForWaiting(wordsOfLater(namesOf(kept)));
    return endOf(kept, await work.items.counts());
  } finally {
    await open.close();
    await OtherChanges.wakeOlder(parts.db.db, work.job, course.id);
  }
}

/**
 * Why the owner can be given no event any more, for each that is left of a change that waited: the others are done.
 * @throws AppError where nothing was begun; ZoomError
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

/** Whether its events were written down in an earlier turn. */
async function isBegun({ items }: JobWork): Promise<boolean> {
  return Object.values(await items.counts()).some((count) => count > 0);
}
