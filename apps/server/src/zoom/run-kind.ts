/** `zoom-run`: what is outside is brought to what the records say, for all events of the next days (ZR-01, OP-60, OP-103). */
import { ZOOM_RUN, type ZoomRunOrder, zoomItemInput, zoomRunOrder } from '@lms-admin/contract/zoom';
import { z } from 'zod';
import type { ActFor } from '../access/acting.ts';
import type { Scope } from '../access/scope.ts';
import type { ItemEnd, ItemRow, NewItem } from '../jobs/items.ts';
import { Cancelled, type JobEnd, type JobKind, type JobWork } from '../jobs/kind.ts';
import { AppError } from '../platform/errors.ts';
import { counted, storable } from '../platform/text.ts';
import { zoomWords } from '../zoom-api/words.ts';
import type { Calendar, Family } from './calendar.ts';
import { type Did, didNothing } from './did.ts';
import { familyAgain } from './families.ts';
import { openCourse, type ZoomParts } from './open.ts';
import { AS_RECORDED, type Engine } from './reconcile.ts';
import { runLabel } from './run-start.ts';

export interface RunParts extends ZoomParts {
  actFor: ActFor;
  scope: Scope;
}

/** Events that are looked at at the same time: more than Zoom's limit lets through would only wait there. */
const AT_ONCE = 12;
const DAY_MS = 86_400_000;
const GONE = 'This event is no longer in the calendar of the course.';

/** A synchroniser may make the events again while the job waits for the next day. */
const itemInput = zoomItemInput.extend({ reservation: z.string().nullable() });

/** What was done so far, in figures. */
const FIGURES = {
  made: 'meetings made',
  moved: 'meetings moved',
  changed: 'meetings changed',
  renewed: 'links renewed',
  putBack: 'links put back',
  replaced: 'edited links replaced',
} as const satisfies Partial<Record<keyof Did, string>>;
type Figure = keyof typeof FIGURES;
type Sums = Partial<Record<Figure, number>>;
const FIGURE_NAMES = Object.keys(FIGURES) as Figure[];
const checkpoint = z.object({
  did: z.partialRecord(z.enum(FIGURE_NAMES), z.number()).default({}),
  touched: z.number().default(0),
});

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
  await work.save({ unit: 'events', label: runLabel(order, course.course_code || course.name) });
  const open = await openCourse(parts, work, order.course);
  try {
    const { engine } = open;
    await work.items.plan(itemsOf(engine.calendar, order, parts.canvas.now().getTime()));
    await work.save({ stage: 'Looking at each event' });
    const so = checkpoint.parse(work.job.checkpoint ?? {});
    await work.items.each({
      atOnce: AT_ONCE,
      between() {
        if (work.cancel.aborted) throw new Cancelled(cancelWords(work));
      },
      // What was begun is looked at again: what is done needs nothing more.
      find: async () => null,
      checkpoint: () => ({ ...so }),
      async do(item) {
        const { end, did } = await lookAt(engine, item);
        if (did && !didNothing(did)) {
          so.touched++;
          for (const name of FIGURE_NAMES) so.did[name] = (so.did[name] ?? 0) + did[name];
        }
        return end;
      },
    });
    await open.restForWaiting();
    const lone = loneMeetings(engine.calendar, parts.canvas.now());
    return endOf(order, so, lone, await work.items.counts());
  } finally {
    await open.close();
  }
}

/** The events that are not over and begin before the days have passed; one that is given by section, when one of them does. */
function itemsOf(calendar: Calendar, { days }: ZoomRunOrder, now: number): NewItem[] {
  const until = now + days * DAY_MS;
  const isDue = ({ parts }: Family) =>
    parts.some(({ event: { start_at, end_at } }) => {
      if (start_at === null) return false;
      return Date.parse(end_at ?? start_at) > now && Date.parse(start_at) < until;
    });
  const startOf = ({ parts }: Family) =>
    Math.min(...parts.map(({ event }) => Date.parse(event.start_at ?? '')));
  return calendar.families
    .filter(isDue)
    .sort((a, b) => startOf(a) - startOf(b))
    .map(({ own: { event, reservationId } }) => ({
      label: storable(event.title || `Event ${event.id}`),
      input: { event: event.id, reservation: reservationId },
    }));
}

async function lookAt(engine: Engine, item: ItemRow): Promise<{ end: ItemEnd; did: Did | null }> {
  const { event, reservation } = itemInput.parse(item.input);
  const { calendar } = engine;
  const family = familyAgain(calendar, { event, reservation });
  if (!family) return { end: { state: 'failed', message: GONE }, did: null };
  const { state, message, did } = await engine.reconcile(family, AS_RECORDED);
  return { end: { state, message: storable(message) }, did };
}

function cancelWords(work: JobWork): string {
  const { done, total } = work.job;
  return `Cancelled: ${done} of ${counted(total ?? 0, 'event')} were looked at, the others are as they were.`;
}

/** Titles of events that are no longer in Canvas, of which a meeting that is still to come stays in Zoom. */
function loneMeetings({ orphans, meetings }: Calendar, now: Date): string[] {
  return orphans
    .filter(({ meeting, endAt }) => {
      const row = meetings.get(meeting ?? 0);
      return row !== undefined && row.goneAt === null && (endAt === null || endAt > now);
    })
    .map(({ title, meeting }) => `“${title}” (meeting ${meeting})`);
}

const NAMED = 5;
function wordsOfLone(lone: readonly string[]): string | null {
  if (lone.length === 0) return null;
  const more = lone.length > NAMED ? ` and ${lone.length - NAMED} more` : '';
  const of = lone.length === 1 ? 'an event' : `${lone.length} events`;
  const its = lone.length === 1 ? 'its meeting is' : 'their meetings are';
  return `The calendar no longer has ${of}; ${its} still in Zoom: ${lone.slice(0, NAMED).join(', ')}${more}. Remove what is not needed in Zoom.`;
}

function endOf(
  { days }: ZoomRunOrder,
  { did, touched }: { did: Sums; touched: number },
  lone: readonly string[],
  { done, failed }: { done: number; failed: number },
): JobEnd {
  const events = done + failed;
  if (events === 0)
    return {
      outcome: 'done',
      figures: [['events', 0]],
      note: [`There are no events in the next ${days} days.`, wordsOfLone(lone)]
        .filter((one) => one !== null)
        .join(' '),
    };
  const figures: [string, number][] = [
    ['events', events],
    ...FIGURE_NAMES.flatMap((name): [string, number][] => (did[name] ? [[FIGURES[name], did[name]]] : [])),
    ...(failed > 0 ? ([['events not possible', failed]] satisfies [string, number][]) : []),
  ];
  if (failed === events) {
    const problem = {
      message: 'None of the events could be seen to.',
      next: 'Look at what is said of each event, and run it again.',
    };
    return { outcome: 'failed', figures, problem };
  }
  const quiet = failed === 0 && touched === 0 ? 'Everything was as it should be: nothing was changed.' : null;
  const note = storable([quiet, wordsOfLone(lone)].filter((one) => one !== null).join(' ')) || null;
  return { outcome: failed === 0 ? 'done' : 'partly', figures, note };
}
