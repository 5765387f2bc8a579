/**
 * Makes what is outside agree with what is wished for one event of a course: its meeting, or those of its sections, and then
 * what Canvas shows. Done again it does what is left, and nothing where nothing is left: after a crash it is simply called
 * once more.
 */
import type { Calendar } from './calendar.ts';
import type { Family, Slot } from './calendar-event.ts';
import type { Did } from './did.ts';
import { didNothing, nothingDone, wordsOfDid } from './did.ts';
import type { EngineParts, ZoomWish } from './engine-parts.ts';
import { childrenOf, isNamed, mainOf, sectionName } from './families.ts';
import { requireNoneElsewhere } from './group-elsewhere.ts';
import type { Intents } from './intents.ts';
import { Meetings } from './meetings.ts';
import { OtherLinks } from './other-links.ts';
import { EventProblem, HostDayOver, isOver, unfit } from './problems.ts';
import { type ShownAs, ShownFamilies } from './shown-families.ts';
import { SlotMeetings } from './slot-meetings.ts';

/** The wish of the record: nothing is to be other than it says. Without one: the default owner, and hidden. */
export const AS_RECORDED: ZoomWish = { owner: null, coHosts: null, visible: null };

export interface Reconciled {
  /** `todo`: the day of a host is used up; the event waits for the next one. */
  state: 'done' | 'failed' | 'todo';
  /** What was done, or why it was not, for the event's line. */
  message: string;
  did: Did;
  /** What helps where it failed and trying again does not. */
  next?: string | null;
}

const UNHELD = ' It has no link now: publish it with another host.';

/** What a run does for an event. */
interface Keeping {
  did: Did;
  /** Why it is left alone; null: it is not. */
  skipped: Promise<string | null>;
}

/** The engine of one course, for one turn of a job that holds the course. */
export class Engine {
  readonly #parts: EngineParts;
  readonly #meetings: Meetings;
  readonly calendar: Calendar;
  readonly #shown: ShownFamilies;
  readonly #slots: SlotMeetings;
  readonly #others: OtherLinks;
  /** Events that a run has seen to: a main event is waited for by those that are merged with it. */
  readonly #kept = new Map<Family, Keeping>();

  constructor(parts: EngineParts) {
    const { calendar } = parts;
    this.#parts = parts;
    this.calendar = calendar;
    const { courseId, zone, meetings: known } = calendar;
    const named = (number: number) => isNamed(calendar, number);
    this.#meetings = new Meetings({ ...parts, courseId, zone, known, isNamed: named });
    this.#shown = new ShownFamilies(parts);
    this.#slots = new SlotMeetings(parts, this.#meetings);
    this.#others = new OtherLinks(parts, this.#slots);
  }

  /** Has an event be as a person wishes it. @throws CanvasError, ZoomError for what concerns all events or passes by itself; RestUntil; the signal's reason */
  async reconcile(family: Family, wish: ZoomWish, intents: Intents): Promise<Reconciled> {
    const did = nothingDone(intents);
    try {
      const main = mainOf(this.calendar, family);
      if (main) throw new EventProblem(mergedWith(main), 'Change the main event, or unmerge this one first.');
      const wasVisible = family.own.record?.visible ?? false;
      if (wish.visible !== null && wish.visible !== wasVisible)
        await requireNoneElsewhere(this.#parts, family);
      await this.#bring(family, wish, did);
      return { state: 'done', message: wordsOfDid(did), did };
    } catch (error) {
      return { ...this.#ended(error, did), did };
    }
  }

  /**
   * Has an event be as its record says, and checks the links that students see.
   * @param makes whether an event without a record gets a meeting
   * @throws like `reconcile`
   */
  async keep(family: Family, makes: boolean): Promise<Reconciled> {
    const main = mainOf(this.calendar, family);
    if (main) return this.#keepMerged(family, main);
    const { did, skipped } = this.#keepOnce(family, makes);
    try {
      const why = await skipped;
      const said = why === null || !didNothing(did) ? wordsOfDid(did) : [why, ...did.warnings].join(' ');
      return { state: 'done', message: said, did };
    } catch (error) {
      return { ...this.#ended(error, did), did };
    }
  }

  /** What is done to the meeting is in the line of the main event, where it has one. */
  async #keepMerged(family: Family, main: Family): Promise<Reconciled> {
    const own = nothingDone();
    const kept = this.#keepOnce(main, false);
    // A main event of another course is shared by several, and nothing is done to it here.
    const did = main.isLost && !main.isElsewhere ? kept.did : own;
    try {
      await kept.skipped;
      await this.#shown.show(family, did);
      await this.#others.ofKnown(family, did);
      return { state: 'done', message: wordsOfDid(did), did };
    } catch (error) {
      return { ...this.#ended(error instanceof EventProblem ? ofMain(main, error) : error, did), did };
    }
  }

  /** Has the event use the meeting of another one, its own being kept meanwhile (OP-71). */
  async merge(family: Family, main: Family, intents: Intents): Promise<Reconciled> {
    const did = nothingDone(intents);
    try {
      const { record } = main.own;
      if (!record?.meeting) throw new EventProblem('The main event has no meeting of its own.');
      // That it is gone is recorded together with the main event's text: by a run, or by the next change of that event.
      if (!(await this.#slots.isHeld(record.meeting)))
        throw new EventProblem(
          `The meeting of “${main.own.event.title}” is no longer in Zoom, or its host is not active there.`,
          'Publish that event again, and then merge.',
        );
      const earlier = intents.take('parent').includes('merged');
      const joins = family.own.record?.parentId !== record.id;
      if (joins) await requireNoneElsewhere(this.#parts, family);
      if (joins) await intents.intend('parent', ['merged']);
      // The record says what Canvas has: where Canvas refuses, nothing is merged.
      await this.#shown.show(family, did, { main, wasShown: !joins && !earlier });
      if (joins) await this.#meetings.keepRecord(family.own, { parentId: record.id });
      did.merged = joins || earlier;
      return { state: 'done', message: wordsOfDid(did), did };
    } catch (error) {
      return { ...this.#ended(error, did), did };
    }
  }

  /** Gives an event its own meeting back, where Zoom still has it (OP-71). */
  async unmerge(family: Family, intents: Intents): Promise<Reconciled> {
    const did = nothingDone(intents);
    try {
      const { own } = family;
      const earlier = intents.take('parent').includes('unmerged');
      const leaves = own.record !== null && own.record.parentId !== null;
      if (leaves) await intents.intend('parent', ['unmerged']);
      for (const slot of family.parts) await this.#giveBack(family, slot, did);
      const hasLink = family.parts.some((slot) => this.#shown.linkOf(slot) !== null);
      // Students cannot be shown what is not there; nobody is to be surprised when it is made.
      const visible = hasLink && (own.record?.visible ?? false);
      // Until Canvas has its own link, and while a host's day is awaited, it is merged.
      await this.#shown.show(family, did, { main: null, visible, wasShown: !leaves && !earlier });
      if (leaves || (own.record !== null && own.record.visible !== visible))
        await this.#meetings.keepRecord(own, { parentId: null, visible });
      did.unmerged = leaves || earlier;
      const lost = hasLink
        ? ''
        : did.unheld > 0
          ? UNHELD
          : ' It has no meeting of its own now: publish it to make one.';
      return { state: 'done', message: wordsOfDid(did) + lost, did };
    } catch (error) {
      return { ...this.#ended(error, did), did };
    }
  }

  #keepOnce(family: Family, makes: boolean): Keeping {
    const before = this.#kept.get(family);
    if (before) return before;
    const did = nothingDone();
    const keeping = { did, skipped: this.#keep(family, makes, did) };
    // Two may wait for it, or none yet.
    keeping.skipped.catch(() => {});
    this.#kept.set(family, keeping);
    return keeping;
  }

  /** @returns why the event is left alone; null: it is not */
  async #keep(family: Family, makes: boolean, did: Did): Promise<string | null> {
    const { own, parts } = family;
    if (family.isElsewhere) {
      for (const slot of parts) await this.#slots.look(slot);
      return null;
    }
    const isKnown = own.record !== null || parts.some(({ record }) => record !== null);
    const other = isKnown ? null : await this.#others.ofUnknown(family, did);
    const skipped = unfit(own.event) ?? other;
    if (skipped === null && (isKnown || makes)) await this.#bring(family, AS_RECORDED, did);
    else if (isKnown) {
      for (const slot of parts) await this.#slots.look(slot);
      await this.#showAll(family, did);
    }
    if (isKnown && !family.isLost) await this.#others.ofKnown(family, did);
    return skipped;
  }

  async #bring(family: Family, wish: ZoomWish, did: Did): Promise<void> {
    const { own, parts } = family;
    const words = unfit(own.event);
    if (words !== null) throw new EventProblem(words);
    const setOut = did.intents.take('record').includes('shown');
    const wasShown = !setOut && (own.record?.visible ?? false);
    const failed: unknown[] = [];
    for (const slot of parts) {
      try {
        await this.#finish(family, slot, did, wish.visible === false ? { visible: false, wasShown } : {});
        await this.#slots.meet(family, slot, wish, did);
      } catch (error) {
        if (!(error instanceof EventProblem || error instanceof HostDayOver)) throw error;
        failed.push(parts.length > 1 && error instanceof EventProblem ? named(slot, own, error) : error);
      }
    }
    const some = parts.length > failed.length;
    if (some) {
      const visible = wish.visible ?? own.record?.visible ?? false;
      await this.#showAll(family, did, { visible, wasShown });
      for (const slot of parts) did.oldRemoved += await this.#meetings.removeOld(slot);
    } else if (failed.length > 0) await this.#dropDead(family, did);
    const [first] = [...failed.filter((error) => error instanceof HostDayOver), ...failed];
    if (first !== undefined) throw first;
  }

  /** What an earlier turn, or an earlier job, did not come to the end of. @param as what is hidden by then is not shown for it */
  async #finish(family: Family, slot: Slot, did: Did, as: ShownAs): Promise<void> {
    if (!slot.record?.making?.made) return;
    await this.#showAll(family, did, as);
    did.oldRemoved += await this.#meetings.removeOld(slot);
  }

  /** The event first: its record says what students see of it, whatever becomes of those that are merged with it. */
  async #showAll(family: Family, did: Did, as: ShownAs = {}): Promise<void> {
    const { own } = family;
    await this.#shown.show(family, did, as);
    const merged = childrenOf(this.calendar, family);
    const { visible } = as;
    if (visible !== undefined && (own.record === null || own.record.visible !== visible)) {
      if (visible && merged.length > 0) await did.intents.intend('record', ['shown']);
      await this.#meetings.keepRecord(own, { visible });
    }
    const failed: EventProblem[] = [];
    for (const child of merged) {
      try {
        await this.#shown.show(child, did, as);
      } catch (error) {
        if (!(error instanceof EventProblem)) throw error;
        failed.push(ofMerged(child, error));
      }
    }
    const [first] = failed;
    if (first) throw first;
  }

  /** Takes a link that leads nowhere off the events of a meeting that could not be seen to. */
  async #dropDead(family: Family, did: Did): Promise<void> {
    try {
      await this.#showAll(family, did);
    } catch (error) {
      // Why the meeting could not be seen to is said; this would hide it.
      if (!(error instanceof EventProblem)) throw error;
    }
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
    if (await this.#slots.isHeld(number)) {
      if (!isOver(slot.event, this.#parts.canvas.now()) && unfit(slot.event) === null)
        await this.#slots.meet(family, slot, AS_RECORDED, did);
      return;
    }
    const isThere = (await this.#slots.read(number)) !== null;
    await this.#meetings.gone(number);
    if (isThere) did.unheld++;
    else did.gone++;
  }

  #ended(error: unknown, { linksRemoved }: Did): Pick<Reconciled, 'state' | 'message' | 'next'> {
    if (error instanceof EventProblem) {
      const removed =
        linksRemoved.length > 0 ? ' Its link was removed, as it led to no meeting that can be held.' : '';
      return { state: 'failed', message: error.message + removed, next: error.next };
    }
    if (error instanceof HostDayOver) {
      // When it goes on is said of the job, in the reader's zone; of a cancelled one it would be untrue.
      return { state: 'todo', message: `${error.host} has used up today’s 100 changes in Zoom.` };
    }
    throw error;
  }
}

function ofMain({ own }: Family, problem: EventProblem): EventProblem {
  return new EventProblem(`“${own.event.title}”, with which it is merged: ${problem.message}`, problem.next);
}

function ofMerged({ own }: Family, problem: EventProblem): EventProblem {
  return new EventProblem(`“${own.event.title}”, which is merged with it: ${problem.message}`, problem.next);
}

function named({ event }: Slot, own: Slot, problem: EventProblem): EventProblem {
  return new EventProblem(
    `${sectionName(event, own.event) ?? event.title}: ${problem.message}`,
    problem.next,
  );
}

export function mergedWith(main: Family): string {
  return `It is merged with “${main.own.event.title}”: change that event, or unmerge this one first.`;
}
