/** `zoom-change`: events of a course published, hidden, merged or unmerged, an item an event (OP-69). */
import { ZOOM_CHANGE, type ZoomChange, zoomChange } from '@lms-admin/contract/zoom';
import { z } from 'zod';
import type { ActFor } from '../access/acting.ts';
import { requireTool } from '../access/rights.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { ItemRow, NewItem } from '../jobs/items.ts';
import { Cancelled, type JobEnd, type JobWork } from '../jobs/kind.ts';
import type { StartableKind } from '../jobs/start.ts';
import { AppError } from '../platform/errors.ts';
import { counted, storable } from '../platform/text.ts';
import type { Calendar, Family } from './calendar.ts';
import { readCalendar } from './calendar.ts';
import { type Did, nothingDone } from './did.ts';
import { familyAgain } from './families.ts';
import { openCourse, type ZoomParts } from './open.ts';
import type { Engine, Reconciled, ZoomWish } from './reconcile.ts';
import { ZoomRecords } from './records.ts';
import { mainEvent, mergeProblem, requireOwner } from './rules.ts';

export const TOOL = 'zoom-creation';
/** Events that are worked on at the same time. */
const AT_ONCE = 12;
const GONE = 'This event is no longer in the calendar of the course.';

const named = { event: z.number(), reservation: z.string().nullable() };
/** A synchroniser may make the events again while the job waits for the next day. */
const itemInput = z.object({ ...named, main: z.object(named).nullable() });

export interface ChangeParts extends ZoomParts {
  actFor: ActFor;
  scope: Scope;
}

/** What came of an event, as it is kept in the job's record. */
interface Kept {
  /** By event. */
  failed: Record<string, { event: number; title: string; start_at: string | null; message: string }>;
  did: Partial<Record<keyof Did, number>>;
}

/**
 * Whether a change may be asked for, and what it is called.
 * @throws AppError not-allowed, not-found, bad-request in the words of the form; CanvasError, ZoomError
 */
export async function checkChange(
  parts: ChangeParts,
  admin: Admin,
  change: ZoomChange,
  signal?: AbortSignal,
): Promise<{ label: string }> {
  requireTool(admin, TOOL);
  const course = await parts.scope.course(admin, change.course, signal);
  if (!course) throw new AppError('not-found', { message: 'There is no such course.' });
  if (change.change === 'publish') await requireOwner(parts.zoom, change, signal);
  else {
    const records = new ZoomRecords(parts.db.db, await parts.identity.lastSeen(admin.token));
    const asked = { token: admin.token, ...(signal ? { signal } : {}) };
    requireMergeable(await readCalendar(parts, records, course.id, asked), change);
  }
  return { label: storable(`${wordsOf(change)}: ${course.course_code || course.name}`) };
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
      check: (admin, raw) => checkChange(parts, admin, zoomChange.parse(raw)),
    },
    run: (work) => run(parts, work),
  };
}

async function run(parts: ChangeParts, work: JobWork): Promise<JobEnd> {
  const change = zoomChange.parse(await work.input());
  const admin = parts.actFor(work.job);
  const course = await parts.scope.course(admin, change.course, work.signal);
  if (!course) throw new AppError('not-found', { message: 'There is no such course.' });
  if (change.change === 'publish') await requireOwner(parts.zoom, change, work.signal);
  await work.save({ unit: 'events' });
  const open = await openCourse(parts, work, course.id);
  try {
    const { engine } = open;
    await work.items.plan(itemsOf(engine.calendar, change));
    await work.save({ stage: 'Changing the meetings' });
    const kept = keptIn(work.job.checkpoint);
    await work.items.each({
      // Events that are merged with the same one change its students' view in turn.
      atOnce: change.change === 'publish' ? AT_ONCE : 1,
      between: () => {
        if (work.cancel.aborted) throw new Cancelled(cancelWords(work), resultOf(kept));
      },
      // What was begun is simply done again: it does what is left.
      find: async () => null,
      checkpoint: () => ({ ...kept }),
      do: async (item) => {
        const { state, message, did } = await doItem(engine, change, item);
        noteIn(kept, engine.calendar, item, { state, message, did });
        return { state, message: storable(message) };
      },
    });
    await open.restForWaiting();
    return endOf(kept, await work.items.counts());
  } finally {
    await open.close();
  }
}

/** One for each event of the course that is named, itself or by its sections. */
function itemsOf(calendar: Calendar, change: ZoomChange): NewItem[] {
  const asked = change.change === 'unmerge' ? [change.event] : change.events;
  const items = new Map<number, NewItem>();
  const nameOf = (id: number) => {
    const own = calendar.of.get(id)?.own;
    return { event: own?.event.id ?? id, reservation: own?.reservationId ?? null };
  };
  const main = change.change === 'merge' ? { ...nameOf(change.parent), event: change.parent } : null;
  for (const id of asked) {
    const input = { ...nameOf(id), main };
    items.set(input.event, { label: storable(calendar.of.get(id)?.own.event.title || `Event ${id}`), input });
  }
  return [...items.values()];
}

async function doItem(engine: Engine, change: ZoomChange, item: ItemRow): Promise<Reconciled> {
  const { calendar } = engine;
  const { main, ...of } = itemInput.parse(item.input);
  const family = familyAgain(calendar, of);
  if (!family) return failed(GONE);
  if (change.change === 'publish') return engine.reconcile(family, wishOf(change));
  if (change.change === 'unmerge') return engine.unmerge(family);
  return mergeOne(engine, family, main === null ? change.parent : idNow(calendar, main));
}

/** What stands for a main event now; one of a section is named as it was, and refused. */
function idNow(calendar: Calendar, main: { event: number; reservation: string | null }): number {
  if (calendar.of.has(main.event)) return main.event;
  return familyAgain(calendar, main)?.own.event.id ?? main.event;
}

function mergeOne(engine: Engine, child: Family, parent: number): Promise<Reconciled> | Reconciled {
  try {
    const main = mainEvent(engine.calendar, parent);
    const problem = mergeProblem(engine.calendar, child, main);
    return problem === null ? engine.merge(child, main) : failed(problem);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal')
      return failed(`${error.message} ${error.next}`);
    throw error;
  }
}

function wishOf({ owner, co_hosts: coHosts, visible }: Extract<ZoomChange, { change: 'publish' }>): ZoomWish {
  return { owner, coHosts, visible };
}

function failed(message: string): Reconciled {
  return { state: 'failed', message, did: nothingDone() };
}

function keptIn(checkpoint: Record<string, unknown> | null): Kept {
  const { failed, did } = (checkpoint ?? {}) as Partial<Kept>;
  return { failed: { ...failed }, did: { ...did } };
}

function noteIn(kept: Kept, calendar: Calendar, item: ItemRow, { state, message, did }: Reconciled): void {
  const of = itemInput.parse(item.input);
  delete kept.failed[of.event];
  const { id: event = of.event, start_at = null } = familyAgain(calendar, of)?.own.event ?? {};
  if (state === 'failed')
    kept.failed[of.event] = { event, title: item.label, start_at, message: storable(message) };
  for (const [name, count] of Object.entries(did)) {
    if (Number(count) === 0) continue;
    const key = name as keyof Did;
    kept.did[key] = (kept.did[key] ?? 0) + Number(count);
  }
}

const resultOf = (kept: Kept) => ({ failed: Object.values(kept.failed) });

const FIGURES: readonly [keyof Did, string][] = [
  ['made', 'meetings made'],
  ['handedOver', 'meetings handed over'],
  ['renewed', 'links renewed'],
  ['shown', 'links shown'],
  ['hidden', 'links hidden'],
];

function endOf(kept: Kept, { done, failed: not }: { done: number; failed: number }): JobEnd {
  const result = resultOf(kept);
  const figures: [string, number][] = [
    ['events done', done],
    ...FIGURES.flatMap(([name, words]): [string, number][] =>
      kept.did[name] ? [[words, kept.did[name]]] : [],
    ),
    ...(not > 0 ? ([['events not done', not]] satisfies [string, number][]) : []),
  ];
  if (not === 0) return { outcome: 'done', result, figures };
  if (done > 0) return { outcome: 'partly', result, figures };
  const [first] = result.failed;
  const message = not === 1 && first ? first.message : 'None of the events could be changed.';
  return {
    outcome: 'failed',
    result,
    figures,
    problem: { message, next: 'Look at what is said of each event, and try again.' },
  };
}

function cancelWords({ job }: JobWork): string {
  const all = job.total ?? 0;
  return `Cancelled: ${job.done} of ${counted(all, 'event was', 'events were')} done; the others are as they were.`;
}
