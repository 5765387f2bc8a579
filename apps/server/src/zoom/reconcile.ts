/**
 * Makes what is outside agree with what is wished for one event of a course: its meeting, or those of its sections, and then
 * what Canvas shows. Done again it does what is left, and nothing where nothing is left: after a crash it is simply called
 * again.
 */
import { Adoption } from './adoption.ts';
import type { Calendar } from './calendar.ts';
import type { Family, Slot } from './calendar-event.ts';
import type { Did } from './did.ts';
import { didNothing, didTo, noteMarked, noteRenewed, nothingDone, wordsOfDid } from './did.ts';
import type { EngineParts, ZoomWish } from './engine-parts.ts';
import { type EventEnd, endOf } from './event-ends.ts';
import { childrenOf, isNamed, mainOf, nameOf, withMeetings } from './families.ts';
import { LeftBehind, requireNoneElsewhere } from './group-elsewhere.ts';
import type { Intents } from './intents.ts';
import { Meetings } from './meetings.ts';
import { OtherLinks } from './other-links.ts';
import {
  EventLeft,
  EventOver,
  EventProblem,
  isLocked,
  isOver,
  Stopped,
  unfit,
  zoomProblem,
} from './problems.ts';
import { mergedWith, named, ofMain, ofMerged, sectionOver } from './problems-of-events.ts';
import { guestProblem } from './sections-elsewhere.ts';
import { type ShownAs, ShownFamilies } from './shown-families.ts';
import { SlotMeetings } from './slot-meetings.ts';

/** The wish of the record: nothing is to be other than it says. Without one: the default owner, and hidden. */
export const AS_RECORDED: ZoomWish = { owner: null, coHosts: null, visible: null };

/** Of a meeting of the placeholder: it stays as it is, and hidden. */
const UNSEEN: ZoomWish = { ...AS_RECORDED, visible: false };

export interface Reconciled extends EventEnd {
  did: Did;
}

const UNHELD = ' It has no link now: publish it with another host.';

/** Numbers of meetings. */
export type RemovedMeetings = Pick<Did, 'oldRemoved' | 'doublesRemoved'>;

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
  readonly #adoption: Adoption;
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
    this.#adoption = new Adoption(parts, this.#meetings);
  }

  /** Has the records say what the calendar says now. */
  async see(): Promise<void> {
    for (const family of this.calendar.families) await this.#meetings.keepSeen(family);
  }

  /** Has an event be as a person wishes it. @throws CanvasError, ZoomError for what concerns all events or passes by itself; RestUntil; the signal's reason */
  async reconcile(family: Family, wish: ZoomWish, intents: Intents): Promise<Reconciled> {
    const did = nothingDone(intents);
    try {
      if (family.isGuest) throw guestProblem(family);
      const main = mainOf(this.calendar, family);
      if (main) throw new EventProblem(mergedWith(main), 'Change the main event, or unmerge this one first.');
      const wasVisible = family.own.record?.visible ?? false;
      if (wish.visible !== null && wish.visible !== wasVisible)
        await requireNoneElsewhere(this.#parts, family);
      await this.#bring(family, wish, did);
      return { state: 'done', message: wordsOfDid(did), did };
    } catch (error) {
      return { ...endOf(error, did), did };
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
    const kept = this.#keepOnce(family, makes);
    // What is done to those that are merged with it is in their own lines.
    const aside = { others: new Map() };
    try {
      const why = await kept.skipped;
      const did = { ...kept.did, ...aside };
      const said = why === null || !didNothing(did) ? wordsOfDid(did) : [why, ...did.warnings].join(' ');
      return { state: 'done', message: said, did };
    } catch (error) {
      const did = { ...kept.did, ...aside };
      return { ...endOf(error, did), did };
    }
  }

  /** What is done to the meeting is in the line of the main event, where it has one. */
  async #keepMerged(family: Family, main: Family): Promise<Reconciled> {
    const kept = this.#keepOnce(main, false);
    // A main event of another course is shared by several, and nothing is done to it here.
    const did = main.isLost && !main.isElsewhere ? kept.did : this.#didTo(kept.did, family);
    try {
      await kept.skipped;
      await this.#shown.show(family, did);
      await this.#others.ofKnown(family, did);
      return { state: 'done', message: wordsOfDid(did), did };
    } catch (error) {
      return { ...endOf(error instanceof EventProblem ? ofMain(main, error) : error, did), did };
    }
  }

  /** Removes former meetings that a text named when their event was checked, and none names now. @returns what was removed for which event */
  async removeOlds(): Promise<Map<Family, RemovedMeetings>> {
    const late = new Map<Family, RemovedMeetings>();
    for (const [family, { did }] of this.#kept) {
      const { warnings } = did;
      const its = { ...nothingDone(), warnings };
      for (const slot of withMeetings(this.calendar, family)) await this.#meetings.removeOld(slot, its);
      const { oldRemoved, doublesRemoved } = its;
      if (oldRemoved.length + doublesRemoved.length > 0) late.set(family, { oldRemoved, doublesRemoved });
    }
    return late;
  }

  /** The same after a change of these events. @returns how many events have one that Zoom refused to delete: it is not forgotten */
  async removeOldsOf(families: Iterable<Family>): Promise<number> {
    const did = nothingDone();
    let refused = 0;
    for (const family of families)
      for (const slot of withMeetings(this.calendar, family))
        try {
          await this.#meetings.removeOld(slot, did);
        } catch (error) {
          // Only an answer about this meeting: the events themselves are done.
          if (!(zoomProblem(error) instanceof EventProblem)) throw error;
          refused++;
        }
    return refused;
  }

  /** The meetings that were removed while an event was checked, by number. */
  removedFor(family: Family): number[] {
    const did = this.#kept.get(family)?.did;
    return did ? [...did.oldRemoved, ...did.doublesRemoved] : [];
  }

  /** Has the event use the meeting of another one, its own being kept meanwhile (OP-71). */
  async merge(family: Family, main: Family, intents: Intents): Promise<Reconciled> {
    const did = nothingDone(intents);
    try {
      const { record } = main.own;
      if (!record?.meeting) throw new EventProblem('The main event has no meeting of its own.');
      // That it is gone is recorded together with the main event's text: by a run, or by the next change of that event.
      const its = this.#didTo(did, main);
      if (!(await this.#slots.isHeldNow(main, its)))
        throw new EventProblem(
          `The meeting of “${main.own.event.title}” is no longer in Zoom, or its host is not active there.`,
          'Publish that event again, and then merge.',
        );
      if (its.renewed.size > 0) await this.#showAll(main, its);
      const earlier = intents.take('parent').includes('merged');
      const joins = family.own.record?.parentId !== record.id;
      if (joins) await requireNoneElsewhere(this.#parts, family);
      if (joins) await intents.intend('parent', ['merged']);
      // The record says what Canvas has: where Canvas refuses, nothing is merged.
      await this.#shown.show(family, did, { main, wasShown: !joins && !earlier });
      if (joins) await this.#meetings.keepRecord(family.own, { parentId: record.id });
      if (joins) await this.#meetings.keepSeen(family);
      const held = family.parts.filter((slot) => this.#shown.linkOf(slot) !== null);
      if (joins || earlier) noteRenewed(did, held);
      did.merged = joins || earlier;
      return { state: 'done', message: wordsOfDid(did), did };
    } catch (error) {
      return { ...endOf(error, did), did };
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
      for (const slot of family.parts) {
        this.#goOn();
        await this.#giveBack(family, slot, did);
      }
      const held = family.parts.filter((slot) => this.#shown.linkOf(slot) !== null);
      const hasLink = held.length > 0;
      // Students cannot be shown what is not there; no one is to be surprised when it is made.
      const canShow = family.parts.some((slot) => this.#shown.canShow(slot));
      const visible = hasLink && canShow && (own.record?.visible ?? false);
      // Until Canvas has its own link, and while a host's day is awaited, it is merged.
      await this.#shown.show(family, did, { main: null, visible, wasShown: !leaves && !earlier });
      if (leaves || (own.record !== null && own.record.visible !== visible))
        await this.#meetings.keepRecord(own, { parentId: null, visible });
      if (leaves) await this.#meetings.keepSeen(family);
      if (leaves || earlier) noteRenewed(did, held);
      did.unmerged = leaves || earlier;
      const lost = hasLink
        ? ''
        : did.unheld > 0
          ? UNHELD
          : ' It has no meeting of its own now: publish it to create one.';
      return { state: 'done', message: wordsOfDid(did) + lost, did };
    } catch (error) {
      return { ...endOf(error, did), did };
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
    if (family.isGuest) return this.#others.ofGuest(family);
    await this.#adoption.adopt(family, AS_RECORDED, did);
    const isKnown = own.record !== null || parts.some(({ record }) => record !== null);
    const why = unfit(own.event);
    const other = isKnown ? null : await this.#others.ofUnknown(family, did, why === null);
    const skipped = why ?? other;
    try {
      if (skipped === null && (isKnown || makes)) await this.#bring(family, AS_RECORDED, did);
      else if (isKnown) {
        for (const slot of withMeetings(this.calendar, family)) await this.#slots.look(slot);
        await this.#showAll(family, did);
      }
    } catch (error) {
      // What people have written into it is still checked.
      if (error instanceof EventProblem && isKnown && !family.isLost) await this.#others.ofKnown(family, did);
      throw error;
    }
    if (isKnown && !family.isLost) await this.#others.ofKnown(family, did);
    return skipped;
  }

  async #bring(family: Family, wish: ZoomWish, did: Did): Promise<void> {
    const { own } = family;
    await this.#adoption.adopt(family, wish, did);
    const setOut = did.intents.take('record');
    const wasShown = !setOut.includes('shown') && (own.record?.visible ?? false);
    const words = unfit(own.event);
    if (words !== null) {
      const hides = wish.visible === false && (wasShown || setOut.includes('hidden'));
      if (!hides || isLocked(own.event)) throw new EventProblem(words);
      return this.#hideOnly(family, did, words);
    }
    const failed: unknown[] = [];
    const over: [Slot, EventOver][] = [];
    const slots = withMeetings(this.calendar, family);
    for (const slot of slots) {
      try {
        this.#goOn();
        await this.#finish(family, slot, did, wish.visible === false ? { visible: false, wasShown } : {});
        await this.#slots.meet(family, slot, wish, did);
      } catch (error) {
        if (!(error instanceof EventProblem || error instanceof EventLeft)) throw error;
        if (error instanceof EventOver) over.push([slot, error]);
        else failed.push(slots.length > 1 && error instanceof EventProblem ? named(slot, own, error) : error);
      }
    }
    // Of an event that goes on what is over is left as it is.
    const some = slots.length > failed.length + over.length;
    if (over.length < slots.length)
      did.over.push(...over.map(([slot]) => sectionOver(slot, own, this.calendar.meetings)));
    else failed.push(...over.map(([, error]) => error));
    const was = own.record?.visible ?? false;
    const visible = wish.visible ?? was;
    const isCut = visible !== was && failed.some((error) => error instanceof Stopped);
    // Where all of its meetings are done, the event is brought to its end.
    if (this.#parts.cancel.aborted && (isCut || didNothing(did))) {
      failed.push(new Stopped());
      // Of what is done students get the present links; nothing else is shown or hidden.
      if (was && !didNothing(did)) await this.#showAll(family, did, { wasShown });
      if (!didNothing(did)) for (const slot of slots) await this.#meetings.removeOld(slot, did);
    } else if (some) {
      await this.#showAll(family, did, { visible, wasShown });
      for (const slot of slots) await this.#meetings.removeOld(slot, did);
      // What is refused for the sake of others stays as it is.
    } else if (!failed.some((error) => error instanceof LeftBehind)) await this.#dropDead(family, wish, did);
    const [first] = [...failed.filter((error) => error instanceof EventLeft), ...failed];
    if (first !== undefined) throw first;
  }

  /** Call it before a meeting is begun. @throws Stopped */
  #goOn(): void {
    if (this.#parts.cancel.aborted) throw new Stopped();
  }

  /** Without a time it cannot have a meeting; its link can still be hidden from students. */
  async #hideOnly(family: Family, did: Did, why: string): Promise<void> {
    await did.intents.intend('record', ['hidden']);
    for (const slot of withMeetings(this.calendar, family)) await this.#slots.look(slot);
    await this.#showAll(family, did, { visible: false, wasShown: true });
    did.warnings.push(`${why} Its link is hidden; its meeting was left as it is.`);
  }

  /** What an earlier turn, or an earlier job, did not come to the end of. @param as what is hidden by then is not shown for it */
  async #finish(family: Family, slot: Slot, did: Did, as: ShownAs): Promise<void> {
    if (!slot.record?.making?.made) return;
    await this.#showAll(family, did, as);
    await this.#meetings.removeOld(slot, did);
  }

  /** What Canvas does not take is not counted: students have the link that they had. */
  async #show(family: Family, did: Did, as: ShownAs): Promise<void> {
    try {
      await this.#shown.show(family, did, as);
    } catch (error) {
      if (error instanceof EventProblem) for (const { event } of family.parts) did.renewed.delete(event.id);
      throw error;
    }
  }

  /** The event first: its record says what students see of it, whatever becomes of those that are merged with it. */
  async #showAll(family: Family, did: Did, as: ShownAs = {}): Promise<void> {
    const { own } = family;
    await this.#show(family, did, as);
    const merged = childrenOf(this.calendar, family);
    const { visible } = as;
    const was = own.record?.visible ?? false;
    if (visible !== undefined && (own.record === null || own.record.visible !== visible)) {
      if (visible && merged.length > 0) await did.intents.intend('record', ['shown']);
      noteMarked(did, was, visible);
      await this.#meetings.keepRecord(own, { visible });
    }
    const failed: EventProblem[] = [];
    for (const child of merged) {
      try {
        // A main event that is gone has no line of its own.
        const its = family.isLost ? did : this.#didTo(did, child);
        const isNew = did.made > 0 || its.renewed.size > 0;
        await this.#show(child, its, { ...as, isNew });
        if (visible !== undefined) noteMarked(its, was, visible);
      } catch (error) {
        if (!(error instanceof EventProblem)) throw error;
        failed.push(ofMerged(child, error));
      }
    }
    const [first] = failed;
    if (first) throw first;
  }

  #didTo(did: Did, merged: Family): Did {
    return didTo(did, merged.own.event.id, nameOf(merged, this.calendar.zone));
  }

  /** Takes a link that leads nowhere off the events of a meeting that could not be seen to. A change does nothing else until its turn comes. */
  async #dropDead(family: Family, wish: ZoomWish, did: Did): Promise<void> {
    try {
      if (wish.visible !== null) {
        if (await this.#others.hasDead(family)) await this.#shown.show(family, did);
        for (const child of childrenOf(this.calendar, family))
          if (await this.#others.hasDead(child)) await this.#shown.show(child, this.#didTo(did, child));
        return;
      }
      // It never had a meeting that students may see: its links are of the sections that it had, or was given to as a whole, or copied.
      const isWithout = family.parts.every((slot) => !this.#shown.canShow(slot));
      if (isWithout && !(await this.#others.hasDead(family))) return;
      await this.#showAll(family, did);
    } catch (error) {
      // Why the meeting could not be seen to is said; this would hide it.
      if (!(error instanceof EventProblem)) throw error;
    }
  }

  /** The meeting that an event had before it was merged; it may be out of date, or gone. */
  async #giveBack(family: Family, slot: Slot, did: Did): Promise<void> {
    const again = await this.#meetings.resume(slot, did);
    if (again) {
      const making = again.older?.length ? { ...again, old: null, made: true } : null;
      await this.#meetings.keepRecord(slot, { making });
    }
    const number = slot.record?.meeting ?? null;
    if (number === null) return;
    if (await this.#slots.isHeld(number)) {
      if (!isOver(slot.event, this.#parts.canvas.now()) && unfit(slot.event) === null)
        await this.#slots.meet(family, slot, this.#shown.canShow(slot) ? AS_RECORDED : UNSEEN, did);
      return;
    }
    const isThere = (await this.#slots.read(number)) !== null;
    await this.#meetings.gone(number);
    if (isThere) did.unheld++;
    else did.gone++;
  }
}
