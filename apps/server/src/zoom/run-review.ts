/**
 * `zoom-run-review`: what a run would do, before it is started (OP-60, OP-102). The engine of the run itself works over records
 * in memory and over clients that write nothing, so what it would do is told by what would be there afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ZOOM_RUN_REVIEW,
  type ZoomRunDoes,
  type ZoomRunOrder,
  type ZoomRunReview,
  zoomRunReviewRequest,
} from '@lms-admin/contract/zoom';
import type { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import type { StartableKind } from '../jobs/start.ts';
import { type PlanProgressOf, planKind } from '../plans/kind.ts';
import { mapLimited } from '../platform/limited.ts';
import { storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { NOT_CANCELLED } from './engine-parts.ts';
import { childrenOf, familyAgain, sectionName } from './families.ts';
import { loneMeetings, wordsOfLone } from './lone-meetings.ts';
import { calendarToBe, hostDaysOf } from './open.ts';
import { Engine } from './reconcile.ts';
import { ZoomRecords } from './records.ts';
import { AT_ONCE, itemsOf, type Looked, lastDayOf, lookAt } from './run-events.ts';
import { noCourse, type RunParts, requireZoom } from './run-kind.ts';
import { RUN_TOOL } from './run-start.ts';
import { type TriedMeetings, trialCanvas, trialDays, trialZoom } from './trial.ts';
import {
  type FamilyState,
  heldBy,
  isSameText,
  otherSeen,
  type States,
  seenBy,
  statesOf,
} from './trial-states.ts';

type Request = z.infer<typeof zoomRunReviewRequest>;
type Told = ZoomRunReview['told'][number];

interface Step {
  done: number;
  total: number;
}

/** The kind of job: it changes nothing, and its result is a `ZoomRunReview`. */
export function zoomRunReviewKind(parts: RunParts): StartableKind {
  const course = async (admin: Admin, id: number, signal?: AbortSignal) => {
    requireZoom(parts);
    const found = await parts.scope.afresh().course(admin, id, signal);
    if (!found) throw noCourse();
    return found;
  };
  return planKind<typeof zoomRunReviewRequest, Step>({
    id: ZOOM_RUN_REVIEW,
    tool: RUN_TOOL,
    input: zoomRunReviewRequest,
    begins: 'Reading the calendar of the course',
    inResult: true,
    planner: {
      async check(admin, { course: id, days }) {
        const { course_code: code, name } = await course(admin, id);
        return { label: storable(`Review of a Zoom run: ${code || name}, ${days} days`) };
      },
      async make(admin, request, _id, progress) {
        await course(admin, request.course, progress.signal);
        return review(parts, admin, request, progress);
      },
    },
    shown: ({ done, total }) => ({
      stage: 'Looking at each event',
      done,
      total,
      unit: 'events',
      figures: [],
    }),
    actFor: parts.actFor,
  });
}

async function review(
  parts: RunParts,
  admin: Admin,
  { course, days }: Request,
  { signal, onStep }: PlanProgressOf<Step>,
): Promise<ZoomRunReview> {
  const { db, canvas, identity, zoom } = parts;
  const { token } = admin;
  const stored = new ZoomRecords(db.db, await identity.lastSeen(token));
  const { calendar, records } = await calendarToBe(parts, stored, course, { token, signal });
  const trial = trialZoom(zoom.afresh());
  const engine = new Engine({
    zoom: trial.client,
    canvas: trialCanvas(canvas, calendar),
    token,
    days: trialDays(hostDaysOf(parts)),
    records,
    // Nothing is changed, so no one else has to wait.
    lease: { hold() {} },
    calendar,
    by: admin.login,
    signal,
    cancel: NOT_CANCELLED,
    pause: (ms) => sleep(ms, undefined, { signal }),
  });
  const order: ZoomRunOrder = { course, days, queued: null };
  const now = canvas.now().getTime();
  const before = await statesOf(calendar, records, zoom.links);
  const moment = { now, bases: zoom.links };
  const items = itemsOf(calendar, order, moment);
  const total = items.length;
  let done = 0;
  onStep({ done, total });
  const looked = new Map<Family, Looked>();
  await mapLimited(items, AT_ONCE, async ({ label, input }) => {
    const names = input as { event: number; reservation: string | null };
    const family = familyAgain(calendar, names);
    const came = await lookAt(engine, order, { label, input: names }, moment);
    if (family) looked.set(family, came);
    onStep({ done: ++done, total });
  });
  const removed = removedFor(engine, await engine.removeOlds());
  const after = await statesOf(calendar, records, zoom.links);
  const told = toldOf(calendar, { looked, removed, before, after, tried: trial.tried });
  const others = told.filter(({ family }) => !looked.has(family)).length;
  const lone = await loneMeetings({ canvas, records, calendar, token, signal }, canvas.now());
  return {
    events: looked.size + others,
    told: told.map(({ one }) => one),
    meetings: {
      made: trial.tried.made.size,
      changed: trial.tried.changed.size,
      removed: trial.tried.removed.size,
    },
    note: wordsOfLone(lone),
    until: { day: lastDayOf(calendar, days, now), zone: calendar.zone },
  };
}

/** Numbers of the meetings that are removed, by the event of which that is told. */
type Removed = ReadonlyMap<Family, readonly number[]>;

/** A main event that is gone is no event of the calendar: its removed meetings are told of the first event that is merged with it. */
function removedFor(engine: Engine, late: Awaited<ReturnType<Engine['removeOlds']>>): Removed {
  const { families, lostMains } = engine.calendar;
  const removed = new Map<Family, readonly number[]>();
  for (const family of [...families, ...lostMains.values()]) {
    const { oldRemoved, doublesRemoved } = late.get(family) ?? { oldRemoved: [], doublesRemoved: [] };
    const numbers = [...engine.removedFor(family), ...oldRemoved, ...doublesRemoved];
    const [at = family] = family.isLost ? childrenOf(engine.calendar, family) : [];
    if (numbers.length > 0) removed.set(at, [...(removed.get(at) ?? []), ...numbers]);
  }
  return removed;
}

interface Trial {
  looked: ReadonlyMap<Family, Looked>;
  removed: Removed;
  before: States;
  after: States;
  tried: TriedMeetings;
}

function toldOf(
  calendar: Calendar,
  { looked, removed, before, after, tried }: Trial,
): { family: Family; one: Told }[] {
  return calendar.families.flatMap((family) => {
    const [was, is] = [before.get(family), after.get(family)];
    if (!was || !is) return [];
    const came = looked.get(family);
    const does = doesOf(calendar, family, { was, is }, tried);
    // What its link comes to is told by what is done: it is not removed yet.
    const problem = came?.problem ?? null;
    const unfit = came?.unfit ?? null;
    const waits = came?.end.state === 'todo';
    const warnings = [...lostSections(family, was, is), ...(came?.did?.warnings ?? [])];
    const removes = [...(removed.get(family) ?? [])];
    const isQuiet =
      [problem, unfit].every((one) => one === null) && !waits && warnings.length + removes.length === 0;
    if (does === null && isQuiet) return [];
    const { id: event, title, start_at } = family.own.event;
    const published = was.ours.length > 0;
    const one = { event, title, start_at, does, removes, published, problem, unfit, waits, warnings };
    return [{ family, one }];
  });
}

/** The sections that lose their link while others keep theirs, or get one. */
function lostSections({ own, parts }: Family, was: FamilyState, is: FamilyState): string[] {
  const lost = parts.filter((slot) => seenBy(was, slot).length > 0 && seenBy(is, slot).length === 0);
  if (lost.length === parts.length) return [];
  return lost.map(
    ({ event }) =>
      `${sectionName(event, own.event) ?? event.title} loses its link: it leads to no meeting that can be held.`,
  );
}

/** Whether what is done to the meeting is told of this event: that of a merged one is its main event's, where the calendar has it. */
const isOwn = ({ main }: FamilyState) => main === null || (main.isLost === true && !main.isElsewhere);

function doesOf(
  calendar: Calendar,
  family: Family,
  { was, is }: { was: FamilyState; is: FamilyState },
  { made, changed }: TriedMeetings,
): ZoomRunDoes | null {
  const turns = family.parts.map((slot) => {
    const [[before], left] = [seenBy(was, slot), seenBy(is, slot)];
    const [after] = left;
    const other = otherSeen(calendar, { family, slot, was }, new Set(left.map(({ number }) => number)));
    return { before, after, other, from: heldBy(was, slot), to: heldBy(is, slot) };
  });
  const numbers = isOwn(is) ? turns.flatMap(({ to }) => to?.number ?? []) : [];
  const isMade = numbers.some((number) => made.has(number));
  const lost = turns.filter(({ before, after }) => before && !after);
  if (lost.length > 0 && lost.length === turns.length) return 'no-link';
  // Of a hidden one, too: an administrator may have sent it to others. And where students have its own beside a copied one.
  const isOther = turns.some(
    ({ before, after, other, from, to }) =>
      (before && after && (before.link !== after.link || other !== null)) ||
      (from && to && from.link !== to.link),
  );
  if (isOther) return 'new-link';
  const appears = turns.filter(({ before, after }) => after && !before);
  // A meeting of the placeholder, which students have not seen.
  if (!isMade && appears.some(({ from, to }) => from && to && from.host !== to.host)) return 'hand-over';
  if (appears.length > 0) return isMade ? 'make-shown' : 'link-back';
  if (isMade) return 'make';
  if (lost.length > 0) return 'no-link';
  const isChanged = numbers.some((number) => changed.has(number));
  return isChanged || !isSameText(was.texts, is.texts) ? 'change' : null;
}
