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
import { linksInTexts } from '@lms-admin/domain/zoom-links';
import type { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import { type PlanProgressOf, planKind } from '../jobs/plan-kind.ts';
import type { StartableKind } from '../jobs/start.ts';
import { mapLimited } from '../platform/limited.ts';
import { storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { familyAgain, mainOf } from './families.ts';
import { loneMeetings, wordsOfLone } from './lone-meetings.ts';
import { calendarToBe, hostDaysOf } from './open.ts';
import { Engine } from './reconcile.ts';
import { ZoomRecords } from './records.ts';
import { AT_ONCE, itemsOf, type Looked, lookAt } from './run-events.ts';
import { noCourse, type RunParts, requireZoom } from './run-kind.ts';
import { RUN_TOOL } from './run-start.ts';
import { type TriedMeetings, trialCanvas, trialDays, trialZoom } from './trial.ts';

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
    canvas: trialCanvas(canvas),
    token,
    days: trialDays(hostDaysOf(parts)),
    records,
    // Nothing is changed, so nobody else has to wait.
    lease: { hold() {} },
    calendar,
    by: admin.login,
    signal,
    pause: (ms) => sleep(ms, undefined, { signal }),
  });
  const order: ZoomRunOrder = { course, days, queued: null };
  const now = canvas.now().getTime();
  const before = statesOf(calendar, zoom.links);
  const items = itemsOf(calendar, order, { now, bases: zoom.links });
  const total = items.length;
  let done = 0;
  onStep({ done, total });
  const looked = new Map<Family, Looked>();
  await mapLimited(items, AT_ONCE, async ({ label, input }) => {
    const names = input as { event: number; reservation: string | null };
    const family = familyAgain(calendar, names);
    const came = await lookAt(engine, order, { label, input: names }, now);
    if (family) looked.set(family, came);
    onStep({ done: ++done, total });
  });
  const told = toldOf(calendar, looked, before, statesOf(calendar, zoom.links), trial.tried);
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
  };
}

/** What matters of an event, before and after. */
interface State {
  /** Links that students see. */
  seen: string[];
  text: string;
  /** Of its own meetings, or of that of its main event: number and link, where it is there. */
  meetings: { number: number; link: string }[];
  /** Whether what is done to its meetings is told of it; those of a merged event are its main event's, where that is in the calendar. */
  own: boolean;
}

function statesOf(calendar: Calendar, bases: readonly string[]): Map<Family, State> {
  return new Map(
    calendar.families.map((family) => {
      const { event } = family.own;
      const main = mainOf(calendar, family);
      const meetings = (main ?? family).parts.flatMap(({ record }) => {
        const row = calendar.meetings.get(record?.meeting ?? 0);
        return row && row.goneAt === null ? [{ number: row.number, link: row.joinUrl }] : [];
      });
      const seen = linksInTexts(event, bases).map(({ link }) => link);
      const text = `${event.description ?? ''}\n${event.location_address ?? ''}`;
      return [
        family,
        { seen, text, meetings, own: main === null || (main.isLost === true && !main.isElsewhere) },
      ];
    }),
  );
}

function toldOf(
  calendar: Calendar,
  looked: ReadonlyMap<Family, Looked>,
  before: ReadonlyMap<Family, State>,
  after: ReadonlyMap<Family, State>,
  tried: TriedMeetings,
): { family: Family; one: Told }[] {
  return calendar.families.flatMap((family) => {
    const [was, is] = [before.get(family), after.get(family)];
    if (!was || !is) return [];
    const came = looked.get(family);
    const does = doesOf(was, is, tried);
    const problem = came?.end.state === 'failed' ? (came.end.message ?? '') : null;
    const waits = came?.end.state === 'todo';
    const warnings = came?.did?.warnings ?? [];
    if (does === null && problem === null && !waits && warnings.length === 0) return [];
    const { id: event, title, start_at } = family.own.event;
    const published = was.seen.length > 0;
    return [{ family, one: { event, title, start_at, does, published, problem, waits, warnings } }];
  });
}

const isOwn = ({ meetings }: State, link: string) => meetings.some((one) => one.link === link);

function doesOf(was: State, is: State, { made, changed }: TriedMeetings): ZoomRunDoes | null {
  if (was.seen.length > 0 && is.seen.length === 0) return 'no-link';
  const lost = was.seen.filter((link) => !is.seen.includes(link));
  // The link of a section that was taken off the event is no other link for anybody.
  const isOff = is.seen.every((link) => was.seen.includes(link)) && lost.every((link) => !isOwn(was, link));
  if (lost.length > 0) return isOff ? 'change' : 'new-link';
  // Of a hidden one, too: an administrator may have sent it to somebody.
  const links = new Set(is.meetings.map(({ link }) => link));
  const isOther = was.meetings.some(({ link }) => !links.has(link)) && is.meetings.length > 0;
  if (isOther) return 'new-link';
  if (was.seen.length === 0 && is.seen.length > 0 && was.meetings.length > 0) return 'link-back';
  if (is.own && is.meetings.some(({ number }) => made.has(number))) return 'make';
  if (is.seen.length > was.seen.length) return 'link-back';
  const isChanged = is.own && is.meetings.some(({ number }) => changed.has(number));
  return isChanged || was.text !== is.text ? 'change' : null;
}
