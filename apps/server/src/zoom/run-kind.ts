/** `zoom-run`: what is outside is brought to what the records say, for all events of the next days (ZR-01, OP-60, OP-103). */

import { ZOOM_RUN, type ZoomRunOrder, zoomRunOrder } from '@lms-admin/contract/zoom';
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
import { type Did, didNothing } from './did.ts';
import { nameOf } from './families.ts';
import { loneMeetings, wordsOfLone } from './lone-meetings.ts';
import { openCourse, type ZoomParts } from './open.ts';
import type { RemovedMeetings } from './reconcile.ts';
import { AT_ONCE, itemsOf, lookAt } from './run-events.ts';
import { runLabel } from './run-start.ts';

export interface RunParts extends ZoomParts {
  actFor: ActFor;
  scope: Scope;
}

/** What was done so far, in figures. */
const FIGURES = {
  made: 'meetings made',
  moved: 'meetings moved',
  changed: 'meetings changed',
  handedOver: 'meetings transferred',
  renewed: 'links renewed',
  putBack: 'links put back',
  replaced: 'edited links replaced',
  updated: 'events updated to their present sections',
  shown: 'links shown',
  hidden: 'links hidden',
  linksRemoved: 'links removed',
  oldRemoved: 'old meetings removed',
  doublesRemoved: 'duplicate meetings removed',
} as const satisfies Partial<Record<keyof Did, string>>;
type Figure = keyof typeof FIGURES;
const FIGURE_NAMES = Object.keys(FIGURES) as Figure[];
const checkpoint = z.object({
  did: z.partialRecord(z.enum(FIGURE_NAMES), z.number()).default({}),
  touched: z.number().default(0),
  /** Events that lost their link, and what needs a person, by name. */
  removed: z.array(z.string()).default([]),
  warned: z.array(z.string()).default([]),
  /** Events that can have no meeting. */
  unfit: z.array(z.string()).default([]),
  /** Names of events whose former meetings were removed when all events were done, by number of meeting. */
  late: z.record(z.string(), z.string()).default({}),
  /** Names of events that are done in part and left for another turn, by event. */
  begun: z.record(z.string(), z.string()).default({}),
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
    untouched: 'Cancelled before it began: nothing was changed.',
    mayCancel: async () => true,
    run: (work) => run(parts, work),
  };
}

/** Without an account every run would only fail. @throws AppError */
export function requireZoom({ zoom }: Pick<ZoomParts, 'zoom'>): void {
  if (!zoom.configured) throw new AppError('outside-refused', zoomWords('not-configured', null));
}

/** Out of reach, or not there: no one is told which. */
export function noCourse(): AppError {
  return new AppError('not-found', {
    message: 'The course was not found.',
    next: 'Check the number in the address of the course in the LMS.',
  });
}

async function run(parts: RunParts, work: JobWork): Promise<JobEnd> {
  const order = zoomRunOrder.parse(await work.input());
  const admin = parts.actFor(work.job);
  requireZoom(parts);
  const course = await parts.scope.afresh().course(admin, order.course, work.signal);
  if (!course) throw noCourse();
  // The queue knows a course by its number only.
  const about = work.job.about ?? (await parts.scope.about(admin, [course]));
  await work.save({ unit: 'events', label: runLabel(order, course.course_code || course.name), about });
  const open = await openCourse(parts, work, order.course);
  try {
    const { engine } = open;
    const moment = () => ({ now: parts.canvas.now().getTime(), bases: parts.zoom.links });
    await work.items.plan(itemsOf(engine.calendar, order, moment()));
    await work.save({ stage: 'Looking at each event' });
    const so = checkpoint.parse(work.job.checkpoint ?? {});
    // Events whose main event is gone share a line: what was done counts once.
    const counted = new Set<Did>();
    const each = {
      atOnce: AT_ONCE,
      checkpoint: () => ({ ...so }),
      async do(item: ItemRow) {
        const { end, did, name, unfit } = await lookAt(engine, order, item, moment());
        // What else became of one is told of it already, as in the review.
        if (unfit !== null && end.state === 'done' && (!did || didNothing(did))) so.unfit.push(name);
        delete so.begun[item.seq];
        if (!did || counted.has(did)) return end;
        counted.add(did);
        if (end.state === 'todo' && !didNothing(did)) so.begun[item.seq] = name;
        if (!didNothing(did)) so.touched++;
        for (const each of FIGURE_NAMES) so.did[each] = (so.did[each] ?? 0) + countIn(did, each);
        so.removed.push(...did.linksRemoved);
        so.warned.push(...did.warnings.map((one) => `${name}: ${one}`));
        return end;
      },
    };
    const counts = await eachEvent(work, each, async (some) => ({
      note: storable(
        [
          cancelWords(some, { did: 'checked', not: 'updated', part: Object.values(so.begun) }),
          ...wordsOfFound(so),
        ].join(' '),
      ),
      figures: figuresOf(so, some),
      begun: new Set(Object.keys(so.begun).map(Number)),
    }));
    const late = await engine.removeOlds();
    if (late.size > 0) {
      noteLate(so, engine.calendar, late);
      await work.save({ checkpoint: { ...so } });
    }
    await open.restForWaiting();
    const { canvas } = parts;
    const looking = { canvas, records: open.records, token: work.token(), signal: work.signal };
    const lone = await loneMeetings({ ...looking, calendar: engine.calendar }, canvas.now());
    return endOf(order, so, { lone, late: lateWords(work) }, counts);
  } finally {
    await open.close();
  }
}

function countIn(did: Did, figure: Figure): number {
  const found = did[figure];
  if (typeof found === 'number') return found;
  return found instanceof Set ? found.size : found.length;
}

/** What was removed when all events were done is in none of their lines. */
function noteLate(so: Found, { zone }: Calendar, late: ReadonlyMap<Family, RemovedMeetings>): void {
  so.touched++;
  for (const [family, { oldRemoved, doublesRemoved }] of late) {
    so.did.oldRemoved = (so.did.oldRemoved ?? 0) + oldRemoved.length;
    so.did.doublesRemoved = (so.did.doublesRemoved ?? 0) + doublesRemoved.length;
    for (const number of [...oldRemoved, ...doublesRemoved]) so.late[number] = nameOf(family, zone);
  }
}

function wordsOfLate(late: Found['late']): string | null {
  const all = Object.entries(late).map(([number, name]) => `meeting ${number} of ${name}`);
  if (all.length === 0) return null;
  const of =
    all.length === 1
      ? '1 meeting is no longer used and was'
      : `${all.length} meetings are no longer used and were`;
  return `${of} removed in Zoom: ${listed(all)}.`;
}

function wordsOfRemoved(removed: readonly string[]): string | null {
  if (removed.length === 0) return null;
  const of =
    removed.length === 1
      ? 'The link of 1 event led to no meeting that can be held and was removed'
      : `The links of ${removed.length} events led to no meetings that can be held and were removed`;
  return `${of}: ${listed(removed)}.`;
}

function wordsOfWarned(warned: readonly string[]): string | null {
  return warned.length === 0 ? null : `Check ${counted(warned.length, 'more thing')}: ${listed(warned, ' ')}`;
}

function wordsOfUnfit(unfit: readonly string[]): string | null {
  if (unfit.length === 0) return null;
  return unfit.length === 1
    ? `1 event cannot have a meeting: ${listed(unfit)}. The reason is beside it.`
    : `${unfit.length} events cannot have a meeting: ${listed(unfit)}. The reasons are beside them.`;
}

/** What needs a person, or was taken from students. */
function wordsOfFound({ removed, late, warned, unfit }: Found): string[] {
  const words = [wordsOfRemoved(removed), wordsOfLate(late), wordsOfWarned(warned), wordsOfUnfit(unfit)];
  return words.filter((one) => one !== null);
}

function figuresOf({ did, unfit }: Found, { done, failed }: { done: number; failed: number }) {
  const figures: [string, number][] = [
    ['events', done + failed],
    ...FIGURE_NAMES.flatMap((name): [string, number][] => (did[name] ? [[FIGURES[name], did[name]]] : [])),
    ...(unfit.length > 0
      ? ([['events that cannot have a meeting', unfit.length]] satisfies [string, number][])
      : []),
    ...(failed > 0 ? ([['events not possible', failed]] satisfies [string, number][]) : []),
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
        ? 'Everything was as it should be: nothing was changed.'
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
