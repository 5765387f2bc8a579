/**
 * Makes what is outside agree with what is wished for one event of a course: its meeting, or those of its sections, and then
 * what Canvas shows. Done again it does what is left, and nothing where nothing is left: after a crash it is simply called
 * once more.
 */
import { emailKey } from '@lms-admin/domain/emails';
import { decideMeeting, type MeetingStep, meetingDetails } from '@lms-admin/domain/zoom-decisions';
import { linkInTexts } from '@lms-admin/domain/zoom-links';
import type { ZoomMeeting } from '../zoom-api/types.ts';
import type { Calendar, Family, Slot } from './calendar.ts';
import type { Did } from './did.ts';
import { nothingDone, wordsOfDid } from './did.ts';
import type { EngineParts } from './engine-parts.ts';
import { childrenOf, isNamed, mainOf, sectionName } from './families.ts';
import { Meetings } from './meetings.ts';
import { EventProblem, HostDayOver, isOver, NO_OWNER, OVER, unfit, zoomProblem } from './problems.ts';
import { coHostsOf } from './records.ts';
import { ShownFamilies } from './shown-families.ts';

/** What is wished of an event; null: what the record says. */
export interface ZoomWish {
  /** E-mail of the host. */
  readonly owner: string | null;
  readonly coHosts: readonly string[] | null;
  readonly visible: boolean | null;
}

/** The wish of the record: nothing is to be other than it says. Without one: the default owner, and hidden. */
export const AS_RECORDED: ZoomWish = { owner: null, coHosts: null, visible: null };

export interface Reconciled {
  /** `todo`: the day of a host is used up; the event waits for the next one. */
  state: 'done' | 'failed' | 'todo';
  /** What was done, or why it was not, for the event's line. */
  message: string;
  did: Did;
}

/** The engine of one course, for one turn of a job that holds the course. */
export class Engine {
  readonly #parts: EngineParts;
  readonly #meetings: Meetings;
  readonly calendar: Calendar;
  readonly #shown: ShownFamilies;

  constructor(parts: EngineParts) {
    const { calendar } = parts;
    this.#parts = parts;
    this.calendar = calendar;
    const { courseId, zone, meetings: known } = calendar;
    const named = (number: number) => isNamed(calendar, number);
    this.#meetings = new Meetings({ ...parts, courseId, zone, known, isNamed: named });
    this.#shown = new ShownFamilies(parts);
  }

  /** @throws CanvasError, ZoomError for what concerns all events or passes by itself; RestUntil; the signal's reason */
  async reconcile(family: Family, wish: ZoomWish): Promise<Reconciled> {
    const did = nothingDone();
    const isWished = wish.owner !== null || wish.coHosts !== null || wish.visible !== null;
    try {
      const main = mainOf(this.calendar, family);
      if (main) {
        if (isWished) throw new EventProblem(mergedWith(main));
        await this.#shown.show(family, did);
      } else {
        const skipped = isWished ? null : this.#leftAlone(family);
        if (skipped !== null) return { state: 'done', message: skipped, did };
        await this.#bring(family, wish, did);
      }
      return { state: 'done', message: wordsOfDid(did), did };
    } catch (error) {
      return { ...this.#ended(error), did };
    }
  }

  /** Has the event use the meeting of another one, its own being kept meanwhile (OP-71). */
  async merge(family: Family, main: Family): Promise<Reconciled> {
    const did = nothingDone();
    try {
      const { record } = main.own;
      if (!record) throw new EventProblem('The main event has no meeting of its own.');
      if (family.own.record?.parentId !== record.id) {
        await this.#meetings.keepRecord(family.own, { parentId: record.id });
        did.merged = true;
      }
      await this.#shown.show(family, did);
      return { state: 'done', message: wordsOfDid(did), did };
    } catch (error) {
      return { ...this.#ended(error), did };
    }
  }

  /** Gives an event its own meeting back, where Zoom still has it (OP-71). */
  async unmerge(family: Family): Promise<Reconciled> {
    const did = nothingDone();
    try {
      const { own } = family;
      if (own.record !== null && own.record.parentId !== null) {
        await this.#meetings.keepRecord(own, { parentId: null });
        did.unmerged = true;
      }
      for (const slot of family.parts) await this.#giveBack(family, slot, did);
      const hasLink = family.parts.some((slot) => this.#shown.linkOf(slot) !== null);
      // Students cannot be shown what is not there; nobody is to be surprised when it is made.
      if (!hasLink && own.record?.visible) await this.#meetings.keepRecord(own, { visible: false });
      await this.#shown.show(family, did);
      const lost = hasLink ? '' : ' It has no meeting of its own now: publish it to make one.';
      return { state: 'done', message: wordsOfDid(did) + lost, did };
    } catch (error) {
      return { ...this.#ended(error), did };
    }
  }

  /** Why a run leaves an event alone; null: it does not. */
  #leftAlone({ own, parts }: Family): string | null {
    const words = unfit(own.event);
    if (words !== null) return words;
    const isKnown = own.record !== null || parts.some(({ record }) => record !== null);
    const link = linkInTexts(own.event, this.#parts.zoom.links);
    return !isKnown && link ? 'It has a link of its own, which is left as it is.' : null;
  }

  async #bring(family: Family, wish: ZoomWish, did: Did): Promise<void> {
    const { own, parts } = family;
    const words = unfit(own.event);
    if (words !== null) throw new EventProblem(words);
    const wasShown = own.record?.visible ?? false;
    const failed: unknown[] = [];
    for (const slot of parts) {
      try {
        await this.#finish(family, slot, did);
        await this.#meet(family, slot, wish, did);
      } catch (error) {
        if (!(error instanceof EventProblem || error instanceof HostDayOver)) throw error;
        failed.push(parts.length > 1 && error instanceof EventProblem ? named(slot, own, error) : error);
      }
    }
    const some = parts.length > failed.length;
    if (some) {
      const visible = wish.visible ?? wasShown;
      if (own.record === null || own.record.visible !== visible)
        await this.#meetings.keepRecord(own, { visible });
      await this.#shown.show(family, did, wasShown);
      for (const child of childrenOf(this.calendar, family)) await this.#shown.show(child, did, wasShown);
      for (const slot of parts) did.oldRemoved += await this.#meetings.removeOld(slot);
    }
    const [first] = [...failed.filter((error) => error instanceof HostDayOver), ...failed];
    if (first !== undefined) throw first;
  }

  /** What an earlier turn, or an earlier job, did not come to the end of. */
  async #finish(family: Family, slot: Slot, did: Did): Promise<void> {
    if (!slot.record?.making?.made) return;
    await this.#shown.show(family, did);
    for (const child of childrenOf(this.calendar, family)) await this.#shown.show(child, did);
    did.oldRemoved += await this.#meetings.removeOld(slot);
  }

  /** Sees to the meeting of one event. */
  async #meet(family: Family, slot: Slot, wish: ZoomWish, did: Did): Promise<void> {
    const { zoom, canvas } = this.#parts;
    const again = await this.#meetings.resume(slot);
    const number = slot.record?.meeting ?? null;
    const before = number === null ? null : (this.calendar.meetings.get(number) ?? null);
    const meeting = number === null ? null : await this.#readMeeting(number);
    if (number !== null && !meeting) await this.#meetings.gone(number);
    const host = meeting ? await this.#hostOf(meeting, before?.hostEmail ?? null) : null;
    // What was there is known, its passcode may be new.
    if (meeting && host !== null && (await this.#meetings.noted(meeting, host))) did.renewed++;
    const over = isOver(slot.event, canvas.now());
    const { start_at: start, end_at: end, title } = slot.event;
    if (start === null || end === null) return;
    const details = meetingDetails({ title, start, end });
    const to = wish.owner === null ? null : emailKey(wish.owner);
    const may =
      host !== null && to !== null && to !== host && !over && (await this.#meetings.mayHandOver(host, to));
    const decide = (mayHandOver: boolean, there: ZoomMeeting | null) =>
      decideMeeting({
        meeting: there && { ...there, host, minutes: there.duration },
        before: before && { host: before.hostEmail, coHosts: coHostsOf(before) },
        wish: { host: wish.owner, coHosts: wish.coHosts },
        details,
        defaultHost: this.#hostBeside(family) ?? zoom.defaultOwner,
        now: canvas.now().getTime(),
        mayHandOver: () => mayHandOver,
      });
    let step: MeetingStep = decide(may, meeting);
    if (over && !needsNoWriting(step)) throw new EventProblem(OVER);
    if (over) return;
    if (step.step === 'keep' && meeting && host !== null) {
      const end = await this.#meetings.keep(meeting, host, step);
      if (end === 'done') {
        if (step.handOver !== null) did.handedOver++;
        if (step.change.start !== undefined) did.moved++;
        else if (Object.keys(step.change).length > 0) did.changed++;
        return;
      }
      if (end === 'lost') await this.#meetings.gone(meeting.number);
      step = end === 'lost' ? decide(false, null) : decide(false, meeting);
    }
    if (step.step !== 'make') return;
    const isShown = wish.visible ?? family.own.record?.visible ?? false;
    if (isShown && step.host === emailKey(zoom.defaultOwner)) throw new EventProblem(NO_OWNER);
    // Where the event is its own only part, what is wished of it needs no statement of its own.
    const beside = slot === family.own && wish.visible !== null ? { visible: wish.visible } : {};
    await this.#meetings.make(slot, step, details, again, beside);
    did.made++;
    if (number !== null) did.renewed++;
  }

  /** Whose the meetings of the event's other sections are: a section that is new gets the same owner. */
  #hostBeside({ parts }: Family): string | null {
    const hosts = parts.map(({ record }) => this.calendar.meetings.get(record?.meeting ?? 0)?.hostEmail);
    return (
      hosts.find((host) => host !== undefined && host !== emailKey(this.#parts.zoom.defaultOwner)) ?? null
    );
  }

  /** The meeting that an event had before it was merged; it may be out of date, or gone. */
  async #giveBack(family: Family, slot: Slot, did: Did): Promise<void> {
    const again = await this.#meetings.resume(slot);
    if (again) {
      const making = again.older?.length ? { ...again, old: null, made: true } : null;
      await this.#meetings.keepRecord(slot, { making });
    }
    const number = slot.record?.meeting ?? null;
    if (number === null) return;
    if (await this.#readMeeting(number)) {
      if (!isOver(slot.event, this.#parts.canvas.now()) && unfit(slot.event) === null)
        await this.#meet(family, slot, AS_RECORDED, did);
      return;
    }
    await this.#meetings.gone(number);
    did.gone++;
  }

  async #readMeeting(number: number): Promise<ZoomMeeting | null> {
    try {
      return await this.#meetings.read(number);
    } catch (error) {
      throw zoomProblem(error);
    }
  }

  async #hostOf({ hostEmail, hostId }: ZoomMeeting, known: string | null): Promise<string> {
    if (hostEmail !== null) return emailKey(hostEmail);
    const user = await this.#parts.zoom.user(hostId, this.#parts.signal);
    return emailKey(user?.email ?? known ?? '');
  }

  #ended(error: unknown): Pick<Reconciled, 'state' | 'message'> {
    if (error instanceof EventProblem) return { state: 'failed', message: error.message };
    if (error instanceof HostDayOver) {
      // When it goes on is said of the job, in the reader's zone; of a cancelled one it would be untrue.
      return { state: 'todo', message: `${error.host} has used up today’s 100 changes in Zoom.` };
    }
    throw error;
  }
}

/** An event that is over keeps what it has: only a new meeting, host or co-hosts would have to be refused. */
function needsNoWriting(step: MeetingStep): boolean {
  return step.step === 'keep' && step.handOver === null && step.change.coHosts === undefined;
}

function named({ event }: Slot, own: Slot, problem: EventProblem): EventProblem {
  return new EventProblem(`${sectionName(event, own.event) ?? event.title}: ${problem.message}`);
}

export function mergedWith(main: Family): string {
  return `It is merged with “${main.own.event.title}”: change that event, or unmerge this one first.`;
}
