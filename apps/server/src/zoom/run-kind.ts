/** `zoom-run`: brings Zoom and Canvas to the recorded state, for all events of the next days (ZR-01, OP-60, OP-103). */

import { ZOOM_RUN, type ZoomRunOrder, zoomRunOrder } from '@lms-admin/contract/zoom-runs';
import { counted } from '@lms-admin/domain/numbers';
import { z } from 'zod';
import type { ActFor } from '../access/acting.ts';
import type { Scope } from '../access/scope.ts';
import type { ItemRow } from '../jobs/items.ts';
import type { JobEnd, JobKind, JobWork } from '../jobs/kind.ts';
import { AppError } from '../platform/errors.ts';
import { listed, storable } from '../platform/text.ts';
import { zoomWords } from '../zoom-api/words.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { cancelWords, eachEvent, lateWords } from './cancelled.ts';
import { noCourse, requireCourse } from './course-access.ts';
import { changedNothing, type EventChanges, wordsOfLate } from './event-changes.ts';
import { nameOf } from './families.ts';
import { loneMeetings, wordsOfLone } from './lone-meetings.ts';
import { openCourse, type ZoomParts } from './open.ts';
import type { LateRemovals } from './reconcile.ts';
import { AT_ONCE, itemsOf, lookAt } from './run-events.ts';
import { RunIntents } from './run-intents.ts';
import { runLabel } from './run-start.ts';

export interface RunParts extends ZoomParts {
  actFor: ActFor;
  scope: Scope;
}

/** Figures of the work so far. */
const FIGURES = {
  made: 'meetings created',
  moved: 'meetings moved',
  changed: 'meetings changed',
  handedOver: 'meetings transferred',
  renewed: 'links renewed',
  putBack: 'links put back',
  replaced: 'edited links replaced',
  updated: 'events updated to their current sections',
  shown: 'links shown',
  hidden: 'links hidden',
  linksRemoved: 'links removed',
  oldRemoved: 'old meetings removed',
  doublesRemoved: 'duplicate meetings removed',
} as const satisfies Partial<Record<keyof EventChanges, string>>;
type Figure = keyof typeof FIGURES;
const FIGURE_NAMES = Object.keys(FIGURES) as Figure[];
const checkpoint = z.object({
  did: z.partialRecord(z.enum(FIGURE_NAMES), z.number()).default({}),
  touched: z.number().default(0),
  /** Names of events that lost their link, and matters that a person must deal with. */
  removed: z.array(z.string()).default([]),
  warned: z.array(z.string()).default([]),
  /** Events that can have no meeting. */
  unfit: z.array(z.string()).default([]),
  /** Names of events whose former meetings were removed after all events were done, by meeting number. */
  late: z.record(z.string(), z.string()).default({}),
  /** Names of partly done events that are left for another turn, by item number. */
  begun: z.record(z.string(), z.string()).default({}),
  /** Events that were under way when the work was cancelled, by item number; earlier versions did not store them. */
  stopped: z.record(z.string(), z.literal(true)).default({}),
});
type Found = z.infer<typeof checkpoint>;

export function zoomRunKind(parts: RunParts): JobKind {
  return {
    id: ZOOM_RUN,
    atOnce: 4,
    atOnceEach: 2,
    keeps: 'work',
    listed: true,
    changes: true,
    begins: 'Reading the calendar of the course',
    untouched: 'Cancelled before it started. Nothing was changed.',
    mayCancel: async () => true,
    run: (work) => run(parts, work),
  };
}

/** Refuses a run without a Zoom account, which would only fail. @throws AppError */
export function requireZoom({ zoom }: Pick<ZoomParts, 'zoom'>): void {
  if (!zoom.configured) throw new AppError('outside-refused', zoomWords('not-configured', null));
}

async function run(parts: RunParts, work: JobWork): Promise<JobEnd> {
  const order = zoomRunOrder.parse(await work.input());
  const admin = parts.actFor(work.job);
  requireZoom(parts);
  const course = await parts.scope.withoutCache().course(admin, order.course, work.signal);
  if (!course) throw noCourse();
  // The queue knows a course only by its number.
  const about = work.job.about ?? (await parts.scope.about(admin, [course]));
  await work.save({ unit: 'events', label: runLabel(order, course.course_code || course.name), about });
  const open = await openCourse(parts, work, order.course);
  try {
    const { engine } = open;
    const moment = () => ({ now: parts.canvas.now().getTime(), bases: parts.zoom.links });
    await work.items.plan(itemsOf(engine.calendar, order, moment()));
    const kept = await RunIntents.begin(engine.calendar, work.items);
    const intents = (family: Family) => kept.of(family);
    await work.save({ stage: 'Checking each event' });
    const so = checkpoint.parse(work.job.checkpoint ?? {});
    // Events with the same deleted main event share its changes, which count only once.
    const counted = new Set<EventChanges>();
    const each = {
      atOnce: AT_ONCE,
      checkpoint: () => ({ ...so }),
      requireAccess: () => requireCourse(parts, work, course.account_id),
      async do(item: ItemRow) {
        const looked = await lookAt(engine, order, item, moment(), intents);
        const { changes, name, unfit } = looked;
        const end = looked.end.state === 'todo' ? { ...looked.end, input: kept.told(item) } : looked.end;
        // These events are named only if nothing was changed: other changes are reported anyway, as in the review.
        if (unfit !== null && end.state === 'done' && (!changes || changedNothing(changes)))
          so.unfit.push(name);
        delete so.begun[item.seq];
        delete so.stopped[item.seq];
        if (looked.stopped) so.stopped[item.seq] = true;
        if (!changes || counted.has(changes)) return end;
        counted.add(changes);
        if (end.state === 'todo' && !changedNothing(changes)) so.begun[item.seq] = name;
        if (!changedNothing(changes)) so.touched++;
        for (const each of FIGURE_NAMES) so.did[each] = (so.did[each] ?? 0) + countIn(changes, each);
        so.removed.push(...changes.linksRemoved);
        so.warned = [...new Set([...so.warned, ...changes.warnings.map((one) => `${name}: ${one}`)])];
        return end;
      },
    };
    const removeLate = async () => {
      const late = await engine.removeOlds(kept.families, intents);
      if (late.size === 0) return;
      noteLate(so, engine.calendar, late);
      await work.save({ checkpoint: { ...so } });
    };
    const counts = await eachEvent(work, each, async (some) => {
      await removeLate();
      return {
        note: storable(
          [
            cancelWords(some, { verb: 'checked', not: 'updated', part: Object.values(so.begun) }),
            ...wordsOfFound(so),
          ].join(' '),
        ),
        figures: figuresOf(so, some),
        begun: new Set(Object.keys(so.begun).map(Number)),
        stopped: new Set(Object.keys(so.stopped).map(Number)),
      };
    });
    await removeLate();
    await open.restForWaiting();
    const { canvas } = parts;
    const looking = {
      canvas,
      zoom: parts.zoom.withoutCache(),
      records: open.records,
      token: work.token(),
      signal: work.signal,
    };
    const lone = await loneMeetings({ ...looking, calendar: engine.calendar }, canvas.now());
    return endOf(order, so, { lone, late: lateWords(work) }, counts);
  } finally {
    await open.close();
  }
}

function countIn(changes: EventChanges, figure: Figure): number {
  const found = changes[figure];
  if (typeof found === 'number') return found;
  return found instanceof Set ? found.size : found.length;
}

/** Adds meetings that were removed after all events were done, which no item shows. */
function noteLate(so: Found, { zone }: Calendar, late: LateRemovals): void {
  so.touched++;
  for (const [family, removed] of late) {
    // An earlier turn may have reported the removal.
    const [oldRemoved, doublesRemoved] = [removed.oldRemoved, removed.doublesRemoved].map((numbers) =>
      numbers.filter((number) => so.late[number] === undefined),
    ) as [number[], number[]];
    so.did.oldRemoved = (so.did.oldRemoved ?? 0) + oldRemoved.length;
    so.did.doublesRemoved = (so.did.doublesRemoved ?? 0) + doublesRemoved.length;
    for (const number of [...oldRemoved, ...doublesRemoved]) so.late[number] = nameOf(family, zone);
  }
}

function wordsOfRemoved(removed: readonly string[]): string | null {
  if (removed.length === 0) return null;
  const of =
    removed.length === 1
      ? 'The link of 1 event did not lead to a valid meeting and was removed'
      : `The links of ${removed.length} events did not lead to valid meetings and were removed`;
  return `${of}: ${listed(removed)}.`;
}

function wordsOfWarned(warned: readonly string[]): string | null {
  return warned.length === 0 ? null : `Check ${counted(warned.length, 'more item')}: ${listed(warned, ' ')}`;
}

function wordsOfUnfit(unfit: readonly string[]): string | null {
  if (unfit.length === 0) return null;
  return unfit.length === 1
    ? `1 event cannot have a meeting: ${listed(unfit)}. The reason is shown beside it.`
    : `${unfit.length} events cannot have a meeting: ${listed(unfit)}. The reasons are shown beside them.`;
}

/** Describes matters that a person must deal with, and links that students have lost. */
function wordsOfFound({ removed, late, warned, unfit }: Found): string[] {
  const words = [wordsOfRemoved(removed), wordsOfLate(late), wordsOfWarned(warned), wordsOfUnfit(unfit)];
  return words.filter((one) => one !== null);
}

function figuresOf({ did: changes, unfit }: Found, { done, failed }: { done: number; failed: number }) {
  const figures: [string, number][] = [
    ['events', done + failed],
    ...FIGURE_NAMES.flatMap((name): [string, number][] =>
      changes[name] ? [[FIGURES[name], changes[name]]] : [],
    ),
    ...(unfit.length > 0
      ? ([['events that cannot have a meeting', unfit.length]] satisfies [string, number][])
      : []),
    ...(failed > 0 ? ([['events that could not be updated', failed]] satisfies [string, number][]) : []),
  ];
  return figures;
}

function endOf(
  { days }: ZoomRunOrder,
  found: Found,
  { lone, late }: { lone: readonly string[]; late: string | null },
  { done, failed }: { done: number; failed: number },
): JobEnd {
  const { touched, warned, unfit } = found;
  const events = done + failed;
  const isRight = failed === 0 && warned.length === 0 && unfit.length === 0;
  const quiet =
    events === 0
      ? `There are no events in the next ${days} days.`
      : isRight
        ? 'Everything was already correct. Nothing was changed.'
        : 'Nothing was changed.';
  const words = [late, touched === 0 ? quiet : null, ...wordsOfFound(found), wordsOfLone(lone)].filter(
    (one) => one !== null,
  );
  const note = storable(words.join(' ')) || null;
  const figures = figuresOf(found, { done, failed });
  if (events > 0 && failed === events && touched === 0) {
    const problem = {
      message: 'None of the events could be updated.',
      next: 'Read the reason beside each event, and start the run again.',
    };
    return { outcome: 'failed', figures, note, problem };
  }
  return { outcome: failed === 0 ? 'done' : 'partly', figures, note };
}
