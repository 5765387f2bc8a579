/**
 * `zoom-run-review`: previews a run before it is started (OP-60, OP-102). The run's own engine works on records in
 * memory, with clients that write nothing, and the review describes the resulting state.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ZOOM_RUN_REVIEW,
  type ZoomRunDoes,
  type ZoomRunOrder,
  type ZoomRunReview,
  zoomRunReviewRequest,
} from '@lms-admin/contract/zoom-runs';
import type { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import type { StartableKind } from '../jobs/start.ts';
import { type PlanProgressOf, planKind } from '../plans/kind.ts';
import { mapLimited } from '../platform/limited.ts';
import { storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { noCourse } from './course-access.ts';
import { NOT_CANCELLED } from './engine-parts.ts';
import { childrenOf, currentFamily, sectionName } from './families.ts';
import { loneMeetings, wordsOfLone } from './lone-meetings.ts';
import { calendarToBe, hostDaysOf } from './open.ts';
import { Engine } from './reconcile.ts';
import { ZoomRecords } from './records.ts';
import { AT_ONCE, itemsOf, type Looked, lastDayOf, lookAt } from './run-events.ts';
import { type RunParts, requireZoom } from './run-kind.ts';
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
type ReportedEvent = ZoomRunReview['told'][number];

interface Step {
  done: number;
  total: number;
}

/** Creates the kind of job that previews a run: the job changes nothing, and its result is a `ZoomRunReview`. */
export function zoomRunReviewKind(parts: RunParts): StartableKind {
  const course = async (admin: Admin, id: number, signal?: AbortSignal) => {
    requireZoom(parts);
    const found = await parts.scope.withoutCache().course(admin, id, signal);
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
      stage: 'Checking each event',
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
  const trial = trialZoom(zoom.withoutCache(), calendar);
  const engine = new Engine({
    zoom: trial.client,
    canvas: trialCanvas(canvas, calendar),
    token,
    days: trialDays(hostDaysOf(parts)),
    records,
    // Nothing is changed, so no other job has to wait.
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
    const family = currentFamily(calendar, names);
    const came = await lookAt(engine, order, { label, input: names }, moment);
    if (family) looked.set(family, came);
    onStep({ done: ++done, total });
  });
  const removed = removedFor(engine, await engine.removeOlds());
  const after = await statesOf(calendar, records, zoom.links);
  const reported = detailsOf(calendar, { looked, removed, before, after, tried: trial.tried });
  const others = reported.filter(({ family }) => !looked.has(family)).length;
  const lone = await loneMeetings(
    { canvas, zoom: trial.client, records, calendar, token, signal },
    canvas.now(),
  );
  return {
    events: looked.size + others,
    told: reported.map(({ one }) => one),
    meetings: {
      made: trial.tried.created.size,
      changed: trial.tried.changed.size,
      removed: trial.tried.removed.size,
    },
    note: wordsOfLone(lone),
    until: { day: lastDayOf(calendar, days, now), zone: calendar.zone },
  };
}

/** Numbers of removed meetings, by the event that reports them. */
type Removed = ReadonlyMap<Family, readonly number[]>;

/**
 * Collects removed meetings by event. A deleted main event is not in the calendar: its meetings are reported with its
 * first merged event.
 */
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

function detailsOf(
  calendar: Calendar,
  { looked, removed, before, after, tried }: Trial,
): { family: Family; one: ReportedEvent }[] {
  return calendar.families.flatMap((family) => {
    const [was, is] = [before.get(family), after.get(family)];
    if (!was || !is) return [];
    const came = looked.get(family);
    const does = doesOf(calendar, family, { was, is }, tried);
    // The reported changes include the event's link, which is not removed yet.
    const problem = came?.problem ?? null;
    const unfit = came?.unfit ?? null;
    const waits = came?.end.state === 'todo';
    const warnings = [...lostSections(family, was, is), ...(came?.changes?.warnings ?? [])];
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

/** Returns the sections that lose their link while others keep or get one. */
function lostSections({ own, parts }: Family, was: FamilyState, is: FamilyState): string[] {
  const lost = parts.filter((slot) => seenBy(was, slot).length > 0 && seenBy(is, slot).length === 0);
  if (lost.length === parts.length) return [];
  return lost.map(
    ({ event }) =>
      `${sectionName(event, own.event) ?? event.title} loses its link: it does not lead to a valid meeting.`,
  );
}

/** Returns whether this event reports changes to the meeting: for a merged one, a main event in the calendar does. */
const isOwn = ({ main }: FamilyState) => main === null || (main.isLost === true && !main.isElsewhere);

function doesOf(
  calendar: Calendar,
  family: Family,
  { was, is }: { was: FamilyState; is: FamilyState },
  { created, changed }: TriedMeetings,
): ZoomRunDoes | null {
  const turns = family.parts.map((slot) => {
    const [[before], left] = [seenBy(was, slot), seenBy(is, slot)];
    const [after] = left;
    const other = otherSeen(calendar, { family, slot, was }, new Set(left.map(({ number }) => number)));
    return { before, after, other, from: heldBy(was, slot), to: heldBy(is, slot) };
  });
  const numbers = isOwn(is) ? turns.flatMap(({ to }) => to?.number ?? []) : [];
  const isCreated = numbers.some((number) => created.has(number));
  const lost = turns.filter(({ before, after }) => before && !after);
  if (lost.length > 0 && lost.length === turns.length) return 'no-link';
  // Includes a hidden link, which an administrator may have passed on, and the event's own link next to a copied one.
  const isOther = turns.some(
    ({ before, after, other, from, to }) =>
      (before && after && (before.link !== after.link || other !== null)) ||
      (from && to && from.link !== to.link),
  );
  if (isOther) return 'new-link';
  const appears = turns.filter(({ before, after }) => after && !before);
  // A meeting of the placeholder account, which students have not seen.
  if (!isCreated && appears.some(({ from, to }) => from && to && from.host !== to.host)) return 'hand-over';
  if (appears.length > 0) return isCreated ? 'make-shown' : 'link-back';
  if (isCreated) return 'make';
  if (lost.length > 0) return 'no-link';
  const isChanged = numbers.some((number) => changed.has(number));
  return isChanged || !isSameText(was.texts, is.texts) ? 'change' : null;
}
