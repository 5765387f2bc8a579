/** `zoom-change`: events of a course published, hidden, merged or unmerged, an item an event (OP-69). */
import type { Course } from '@lms-admin/contract/canvas-objects';
import { ZOOM_CHANGE, type ZoomChange, zoomChange } from '@lms-admin/contract/zoom';
import type { ActFor } from '../access/acting.ts';
import { requireTool } from '../access/rights.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { ItemRow, NewItem } from '../jobs/items.ts';
import { Cancelled, type JobEnd, type JobWork } from '../jobs/kind.ts';
import type { StartableKind } from '../jobs/start.ts';
import { AppError } from '../platform/errors.ts';
import { counted, storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
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
import { nothingDone } from './did.ts';
import type { ZoomWish } from './engine-parts.ts';
import { familyAgain } from './families.ts';
import { Intents } from './intents.ts';
import { calendarToBe, openCourse, type ZoomParts } from './open.ts';
import { OtherChanges } from './other-changes.ts';
import type { Engine, Reconciled } from './reconcile.ts';
import { ZoomRecords } from './records.ts';
import { mainEvent, mergeProblem, requireHeldMain, requireOwner } from './rules.ts';

export const TOOL = 'zoom-creation';
/** Events that are worked on at the same time. */
const AT_ONCE = 12;
const GONE = 'This event is no longer in the calendar of the course.';

export interface ChangeParts extends ZoomParts {
  actFor: ActFor;
  scope: Scope;
}

/**
 * Whether a change may be asked for, what it is called, and its course.
 * @throws AppError not-allowed, not-found, bad-request in the words of the form; CanvasError, ZoomError
 */
export async function checkChange(
  parts: ChangeParts,
  admin: Admin,
  change: ZoomChange,
  signal?: AbortSignal,
): Promise<{ label: string; course: Course }> {
  requireTool(admin, TOOL);
  const course = await parts.scope.course(admin, change.course, signal);
  if (!course) throw new AppError('not-found', { message: 'There is no such course.' });
  if (change.change === 'publish') await requireOwner(parts.zoom, change, signal);
  else {
    const records = new ZoomRecords(parts.db.db, await parts.identity.lastSeen(admin.token));
    const asked = { token: admin.token, ...(signal ? { signal } : {}) };
    const { calendar } = await calendarToBe(parts, records, course.id, asked);
    requireMergeable(calendar, change);
    if (change.change === 'merge')
      await requireHeldMain(parts.zoom.afresh(), mainEvent(calendar, change.parent), signal);
  }
  return { label: storable(`${wordsOf(change)}: ${course.course_code || course.name}`), course };
}

function wordsOf(change: ZoomChange): string {
  if (change.change === 'unmerge') return 'Unmerge a Zoom link';
  const links = counted(new Set(change.events).size, 'Zoom link');
  if (change.change === 'merge') return `Merge ${links}`;
  return `${change.visible ? 'Publish' : 'Hide'} ${links}`;
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
      input: zoomChange,
      async check(admin, raw) {
        const { label, course } = await checkChange(parts, admin, zoomChange.parse(raw));
        return { label, about: await parts.scope.about(admin, [course]) };
      },
    },
    run: (work) => run(parts, work),
  };
}

async function run(parts: ChangeParts, work: JobWork): Promise<JobEnd> {
  const change = zoomChange.parse(await work.input());
  const admin = parts.actFor(work.job);
  const course = await parts.scope.course(admin, change.course, work.signal);
  if (!course) throw new AppError('not-found', { message: 'There is no such course.' });
  const refused = await refusalOf(parts, change, work);
  await work.save({ unit: 'events' });
  const open = await openCourse(parts, work, course.id);
  try {
    const { engine } = open;
    await work.items.plan(itemsOf(engine.calendar, change));
    await work.save({ stage: 'Changing the meetings' });
    const kept = keptIn(work.job.checkpoint);
    const later = await OtherChanges.after(parts.db.db, work.job, course.id);
    await work.items.each({
      // Events that are merged with the same one change its students' view in turn.
      atOnce: change.change === 'publish' ? AT_ONCE : 1,
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
    const { done, failed: not, todo } = await work.items.counts();
    const isBegun = done + not + todo > 0;
    if (!isBegun || !(error instanceof AppError) || error.code !== 'bad-request') throw error;
    return failed(error.message, error.next);
  }
}

/** One for each event of the course that is named, itself or by its sections. */
function itemsOf(calendar: Calendar, change: ZoomChange): NewItem[] {
  const asked = change.change === 'unmerge' ? [change.event] : change.events;
  const items = new Map<number, NewItem>();
  const nameOf = (id: number) => {
    const own = calendar.of.get(id)?.own;
    const { courseId: course } = calendar;
    return { event: own?.event.id ?? id, reservation: own?.reservationId ?? null, course };
  };
  const main = change.change === 'merge' ? { ...nameOf(change.parent), event: change.parent } : null;
  for (const id of asked) {
    const input = { ...nameOf(id), main };
    items.set(input.event, { label: storable(calendar.of.get(id)?.own.event.title || `Event ${id}`), input });
  }
  return [...items.values()];
}

async function doItem(
  engine: Engine,
  change: ZoomChange,
  item: ItemRow,
  intents: Intents,
): Promise<Reconciled> {
  const { calendar } = engine;
  const { main, ...of } = itemInput.parse(item.input);
  const family = familyAgain(calendar, of);
  if (!family) return failed(GONE, 'Choose among the events of the course as they are now.');
  if (change.change === 'publish') return engine.reconcile(family, wishOf(change), intents);
  if (change.change === 'unmerge') return engine.unmerge(family, intents);
  return mergeOne(engine, family, main === null ? change.parent : idNow(calendar, main), intents);
}

/** What stands for a main event now; one of a section is named as it was, and refused. */
function idNow(calendar: Calendar, main: { event: number; reservation: string | null }): number {
  if (calendar.of.has(main.event)) return main.event;
  return familyAgain(calendar, main)?.own.event.id ?? main.event;
}

function mergeOne(
  engine: Engine,
  child: Family,
  parent: number,
  intents: Intents,
): Promise<Reconciled> | Reconciled {
  try {
    const main = mainEvent(engine.calendar, parent);
    const problem = mergeProblem(engine.calendar, child, main);
    return problem === null ? engine.merge(child, main, intents) : failed(problem);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal')
      return failed(`${error.message} ${error.next}`);
    throw error;
  }
}

function wishOf({ owner, co_hosts: coHosts, visible }: Extract<ZoomChange, { change: 'publish' }>): ZoomWish {
  return { owner, coHosts, visible };
}

function failed(message: string, next: string | null = null): Reconciled {
  return { state: 'failed', message, did: nothingDone(), next };
}
