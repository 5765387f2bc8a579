/** `zoom-run`: what is outside is brought to what the records say, for all events of the next days (ZR-01, OP-60, OP-103). */
import { ZOOM_RUN, type ZoomRunOrder, zoomRunOrder } from '@lms-admin/contract/zoom';
import { z } from 'zod';
import type { ActFor } from '../access/acting.ts';
import type { Scope } from '../access/scope.ts';
import { Cancelled, type JobEnd, type JobKind, type JobWork } from '../jobs/kind.ts';
import { AppError } from '../platform/errors.ts';
import { counted, listed, storable } from '../platform/text.ts';
import { zoomWords } from '../zoom-api/words.ts';
import { type Did, didNothing } from './did.ts';
import { loneMeetings, wordsOfLone } from './lone-meetings.ts';
import { openCourse, type ZoomParts } from './open.ts';
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
  handedOver: 'meetings handed over',
  renewed: 'links renewed',
  putBack: 'links put back',
  replaced: 'edited links replaced',
  updated: 'events updated to their present sections',
  shown: 'links shown',
  hidden: 'links hidden',
  linksRemoved: 'links removed',
  oldRemoved: 'old meetings removed',
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
});
type Found = z.infer<typeof checkpoint>;

export function zoomRunKind(parts: RunParts): JobKind {
  return {
    id: ZOOM_RUN,
    atOnce: 4,
    atOnceEach: 2,
    keptDays: 30,
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

/** Out of reach, or not there: nobody is told which. */
export function noCourse(): AppError {
  return new AppError('not-found', {
    message: 'There is no such course.',
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
    await work.items.plan(
      itemsOf(engine.calendar, order, { now: parts.canvas.now().getTime(), bases: parts.zoom.links }),
    );
    await work.save({ stage: 'Looking at each event' });
    const so = checkpoint.parse(work.job.checkpoint ?? {});
    // Events whose main event is gone share a line: what was done counts once.
    const counted = new Set<Did>();
    await work.items.each({
      atOnce: AT_ONCE,
      between() {
        if (work.cancel.aborted) throw new Cancelled(cancelWords(work));
      },
      // What was begun is looked at again: what is done needs nothing more.
      find: async () => null,
      checkpoint: () => ({ ...so }),
      async do(item) {
        const { end, did, name, unfit } = await lookAt(engine, order, item, parts.canvas.now().getTime());
        if (unfit !== null) so.unfit.push(name);
        if (!did || counted.has(did)) return end;
        counted.add(did);
        if (!didNothing(did)) so.touched++;
        const counts = { ...did, renewed: did.renewed.size, linksRemoved: did.linksRemoved.length };
        for (const each of FIGURE_NAMES) so.did[each] = (so.did[each] ?? 0) + counts[each];
        so.removed.push(...did.linksRemoved);
        so.warned.push(...did.warnings.map((one) => `${name}: ${one}`));
        return end;
      },
    });
    const olds = await engine.removeOlds();
    if (olds > 0) so.touched++;
    so.did.oldRemoved = (so.did.oldRemoved ?? 0) + olds;
    await open.restForWaiting();
    const { canvas } = parts;
    const looking = { canvas, records: open.records, token: work.token(), signal: work.signal };
    const lone = await loneMeetings({ ...looking, calendar: engine.calendar }, canvas.now());
    return endOf(order, so, lone, await work.items.counts());
  } finally {
    await open.close();
  }
}

function cancelWords(work: JobWork): string {
  const { done, total } = work.job;
  return `Cancelled: ${done} of ${counted(total ?? 0, 'event')} were looked at, the others are as they were.`;
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

function endOf(
  { days }: ZoomRunOrder,
  { did, touched, removed, warned, unfit }: Found,
  lone: readonly string[],
  { done, failed }: { done: number; failed: number },
): JobEnd {
  const events = done + failed;
  const isRight = failed === 0 && warned.length === 0 && unfit.length === 0;
  const quiet =
    events === 0
      ? `There are no events in the next ${days} days.`
      : isRight
        ? 'Everything was as it should be: nothing was changed.'
        : 'Nothing was changed.';
  const words = [
    touched === 0 ? quiet : null,
    wordsOfRemoved(removed),
    wordsOfWarned(warned),
    wordsOfUnfit(unfit),
    wordsOfLone(lone),
  ].filter((one) => one !== null);
  const note = storable(words.join(' ')) || null;
  const figures: [string, number][] = [
    ['events', events],
    ...FIGURE_NAMES.flatMap((name): [string, number][] => (did[name] ? [[FIGURES[name], did[name]]] : [])),
    ...(unfit.length > 0
      ? ([['events that cannot have a meeting', unfit.length]] satisfies [string, number][])
      : []),
    ...(failed > 0 ? ([['events not possible', failed]] satisfies [string, number][]) : []),
  ];
  if (events > 0 && failed === events && touched === 0) {
    const problem = {
      message: 'None of the events could be brought up to date.',
      next: 'Read the reason beside each event, and run it again.',
    };
    return { outcome: 'failed', figures, note, problem };
  }
  return { outcome: failed === 0 ? 'done' : 'partly', figures, note };
}
