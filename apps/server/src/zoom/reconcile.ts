/**
 * Brings Zoom and Canvas to the desired state for one event of a course: first its meeting, or those of its sections,
 * then what Canvas shows. A repeat does only what is left, so after a crash it is simply called again.
 */
import { Adoption } from './adoption.ts';
import type { Calendar } from './calendar.ts';
import type { Family, Slot } from './calendar-event.ts';
import type { DesiredState, EngineParts } from './engine-parts.ts';
import type { EventChanges } from './event-changes.ts';
import {
  changedNothing,
  changesTo,
  describeChanges,
  noteMarked,
  noteRenewed,
  nothingDone,
} from './event-changes.ts';
import { type EventEnd, endOf } from './event-ends.ts';
import { childrenOf, isNamed, mainOf, nameOf, withMeetings } from './families.ts';
import { LeftBehind, requireNoneElsewhere } from './group-elsewhere.ts';
import { Intents } from './intents.ts';
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

/** Keeps everything as recorded. An event without a record gets the placeholder account as host, and is hidden. */
export const AS_RECORDED: DesiredState = { owner: null, coHosts: null, visible: null };

/** For a meeting of the placeholder account, which stays as it is, and hidden. */
const UNSEEN: DesiredState = { ...AS_RECORDED, visible: false };

export interface Reconciled extends EventEnd {
  changes: EventChanges;
}

const NOT_DELETED = 'Zoom did not delete its former meeting. The next run tries again.';
const UNHELD = ' It now has no link. Publish it with another host.';

/** A job's intended changes to an event. */
export type IntentsOf = (family: Family) => Intents;

/** Numbers of the removed meetings. */
export type RemovedMeetings = Pick<EventChanges, 'oldRemoved' | 'doublesRemoved'>;

/** Meetings removed after all events were done. */
export type LateRemovals = Map<Family, RemovedMeetings>;

/** The work of a run on an event. */
interface Keeping {
  changes: EventChanges;
  /** Why the event is left unchanged; null if it is not. */
  skipped: Promise<string | null>;
}

/** The engine of one course, for one turn of a job that has claimed the course. */
export class Engine {
  readonly #parts: EngineParts;
  readonly #meetings: Meetings;
  readonly calendar: Calendar;
  readonly #shown: ShownFamilies;
  readonly #slots: SlotMeetings;
  readonly #others: OtherLinks;
  readonly #adoption: Adoption;
  /** Events that a run has started on: merged events wait for their main event. */
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

  /** Updates the records from the calendar. */
  async see(): Promise<void> {
    for (const family of this.calendar.families) await this.#meetings.keepSeen(family);
  }

  /**
   * Brings an event to the state that a person wants.
   * @throws CanvasError, ZoomError for errors that are temporary or concern all events; RestUntil; the signal's
   * reason
   */
  async reconcile(family: Family, desired: DesiredState, intents: Intents): Promise<Reconciled> {
    const changes = nothingDone(intents);
    try {
      await this.#meetings.recall(changes);
      if (family.isGuest) throw guestProblem(family);
      const main = mainOf(this.calendar, family);
      if (main) throw new EventProblem(mergedWith(main), 'Change the main event, or unmerge this one first.');
      const wasVisible = family.own.record?.visible ?? false;
      if (desired.visible !== null && desired.visible !== wasVisible)
        await requireNoneElsewhere(this.#parts, family);
      await this.#bring(family, desired, changes);
      return { state: 'done', message: describeChanges(changes), changes };
    } catch (error) {
      return { ...endOf(error, changes), changes };
    }
  }

  /**
   * Brings an event to its recorded state, and checks the links that students see.
   * @param makes whether an event without a record gets a meeting
   * @param intents intended changes to an event, including the main event of this one
   * @throws like `reconcile`
   */
  async keep(family: Family, makes: boolean, intents: IntentsOf = () => new Intents()): Promise<Reconciled> {
    const main = mainOf(this.calendar, family);
    if (main) return this.#keepMerged(family, main, intents);
    const kept = this.#keepOnce(family, makes, intents);
    // Merged events have items of their own for their changes.
    const aside = { others: new Map() };
    try {
      const why = await kept.skipped;
      const changes = { ...kept.changes, ...aside };
      const text =
        why === null || !changedNothing(changes)
          ? describeChanges(changes)
          : [why, ...changes.warnings].join(' ');
      return { state: 'done', message: text, changes };
    } catch (error) {
      const changes = { ...kept.changes, ...aside };
      return { ...endOf(error, changes), changes };
    }
  }

  /** Keeps a merged event. Changes to the meeting are reported with the main event, if that has an item. */
  async #keepMerged(family: Family, main: Family, intents: IntentsOf): Promise<Reconciled> {
    const kept = this.#keepOnce(main, false, intents);
    const changes = this.#didToMerged(kept.changes, family, main, intents);
    try {
      await kept.skipped;
      await this.#shown.show(family, changes);
      await this.#others.ofKnown(family, changes);
      return { state: 'done', message: describeChanges(changes), changes };
    } catch (error) {
      return { ...endOf(error instanceof EventProblem ? ofMain(main, error) : error, changes), changes };
    }
  }

  /** Changes to the merged event itself. */
  #didToMerged(changes: EventChanges, family: Family, main: Family, intents: IntentsOf): EventChanges {
    // A main event of another course is shared by several courses, and is never changed here.
    if (main.isElsewhere) return nothingDone(intents(family));
    return main.isLost ? changes : this.#changesTo(changes, family);
  }

  /**
   * Removes former meetings that a text linked to when their event was checked, and that no text links to now.
   * @param others events checked in earlier turns
   * @returns the removed meetings by event
   */
  async removeOlds(
    others: readonly Family[] = [],
    intents: IntentsOf = () => new Intents(),
  ): Promise<LateRemovals> {
    const late: LateRemovals = new Map();
    for (const family of new Set([...this.#kept.keys(), ...others])) {
      const warnings = this.#kept.get(family)?.changes.warnings ?? [];
      const its = { ...nothingDone(intents(family).stage('late')), warnings };
      await this.#meetings.recall(its);
      await this.#removeOlds(withMeetings(this.calendar, family), its);
      const { oldRemoved, doublesRemoved } = its;
      if (oldRemoved.length + doublesRemoved.length > 0) late.set(family, { oldRemoved, doublesRemoved });
    }
    return late;
  }

  /**
   * Removes the former meetings of these events after a change.
   * @returns also the number of events with a meeting that Zoom refused to delete: it stays recorded
   */
  async removeOldsOf(families: Iterable<Family>): Promise<{ late: LateRemovals; refused: number }> {
    const late: LateRemovals = new Map();
    let refused = 0;
    for (const family of families) {
      const its = nothingDone();
      refused += await this.#removeOlds(withMeetings(this.calendar, family), its);
      const { oldRemoved, doublesRemoved } = its;
      if (oldRemoved.length + doublesRemoved.length > 0) late.set(family, { oldRemoved, doublesRemoved });
    }
    return { late, refused };
  }

  /** @returns the number of slots whose former meeting Zoom did not delete; a later run tries again */
  async #removeOlds(slots: readonly Slot[], changes: EventChanges): Promise<number> {
    let refused = 0;
    for (const slot of slots)
      try {
        await this.#meetings.removeOld(slot, changes);
      } catch (error) {
        // An error that concerns only this meeting does not matter: the event itself is done.
        if (!(zoomProblem(error) instanceof EventProblem)) throw error;
        refused++;
        if (!changes.warnings.includes(NOT_DELETED)) changes.warnings.push(NOT_DELETED);
      }
    return refused;
  }

  /** Returns the numbers of the meetings that were removed while an event was checked. */
  removedFor(family: Family): number[] {
    const changes = this.#kept.get(family)?.changes;
    return changes ? [...changes.oldRemoved, ...changes.doublesRemoved] : [];
  }

  /** Lets the event use another event's meeting, and keeps its own meeting in the meantime (OP-71). */
  async merge(family: Family, main: Family, intents: Intents): Promise<Reconciled> {
    const changes = nothingDone(intents);
    try {
      const { record } = main.own;
      if (!record?.meeting) throw new EventProblem('The main event does not have its own meeting.');
      // The missing meeting is recorded together with the main event's text: by a run, or by that event's next change.
      const its = this.#changesTo(changes, main);
      if (!(await this.#slots.isHeldNow(main, its)))
        throw new EventProblem(
          `The meeting of “${main.own.event.title}” is no longer in Zoom, or its host is not active there.`,
          'Publish that event again, and then merge this one.',
        );
      if (its.renewed.size > 0) await this.#showAll(main, its);
      const earlier = intents.take('parent').includes('merged');
      const joins = family.own.record?.parentId !== record.id;
      if (joins) await requireNoneElsewhere(this.#parts, family);
      if (joins) await intents.intend('parent', ['merged']);
      // The record follows Canvas: if Canvas refuses the text, nothing is merged.
      await this.#shown.show(family, changes, { main, wasShown: !joins && !earlier });
      if (joins) await this.#meetings.keepRecord(family.own, { parentId: record.id });
      if (joins) await this.#meetings.keepSeen(family);
      const held = family.parts.filter((slot) => this.#shown.linkOf(slot) !== null);
      if (joins || earlier) noteRenewed(changes, held);
      changes.merged = joins || earlier;
      return { state: 'done', message: describeChanges(changes), changes };
    } catch (error) {
      return { ...endOf(error, changes), changes };
    }
  }

  /** Gives an event its own meeting back, if Zoom still has it (OP-71). */
  async unmerge(family: Family, intents: Intents): Promise<Reconciled> {
    const changes = nothingDone(intents);
    try {
      await this.#meetings.recall(changes);
      const { own } = family;
      const earlier = intents.take('parent').includes('unmerged');
      const leaves = own.record !== null && own.record.parentId !== null;
      if (leaves) await intents.intend('parent', ['unmerged']);
      for (const slot of family.parts) {
        this.#goOn();
        await this.#giveBack(family, slot, changes);
      }
      const held = family.parts.filter((slot) => this.#shown.linkOf(slot) !== null);
      const hasLink = held.length > 0;
      // A link without a meeting cannot be shown, and must not appear unexpectedly once the meeting is created.
      const canShow = family.parts.some((slot) => this.#shown.canShow(slot));
      const visible = hasLink && canShow && (own.record?.visible ?? false);
      // The event stays merged until Canvas has its own link, and while it waits for a host's daily limit.
      await this.#shown.show(family, changes, { main: null, visible, wasShown: !leaves && !earlier });
      if (leaves || (own.record !== null && own.record.visible !== visible))
        await this.#meetings.keepRecord(own, { parentId: null, visible });
      if (leaves) await this.#meetings.keepSeen(family);
      if (leaves || earlier) noteRenewed(changes, held);
      changes.unmerged = leaves || earlier;
      const lost = hasLink
        ? ''
        : changes.unheld > 0
          ? UNHELD
          : ' It no longer has its own meeting. Publish it to create one.';
      return { state: 'done', message: describeChanges(changes) + lost, changes };
    } catch (error) {
      return { ...endOf(error, changes), changes };
    }
  }

  #keepOnce(family: Family, makes: boolean, intents: IntentsOf): Keeping {
    const before = this.#kept.get(family);
    if (before) return before;
    const changes = nothingDone(intents(family));
    const keeping = { changes, skipped: this.#keep(family, makes, changes) };
    // Several callers may wait for the promise, or none yet.
    keeping.skipped.catch(() => {});
    this.#kept.set(family, keeping);
    return keeping;
  }

  /** @returns why the event is left unchanged; null if it is not */
  async #keep(family: Family, makes: boolean, changes: EventChanges): Promise<string | null> {
    const { own, parts } = family;
    await this.#meetings.recall(changes);
    if (family.isElsewhere) {
      for (const slot of parts) await this.#slots.look(slot);
      return null;
    }
    if (family.isGuest) return this.#others.ofGuest(family);
    await this.#adoption.adopt(family, AS_RECORDED, changes);
    const isKnown = own.record !== null || parts.some(({ record }) => record !== null);
    const why = unfit(own.event);
    const other = isKnown ? null : await this.#others.ofUnknown(family, changes, why === null);
    const skipped = why ?? other;
    try {
      if (skipped === null && (isKnown || makes)) await this.#bring(family, AS_RECORDED, changes);
      else if (isKnown) {
        for (const slot of withMeetings(this.calendar, family)) await this.#slots.look(slot);
        await this.#showAll(family, changes);
      }
    } catch (error) {
      // Links that people have written into the event are still checked.
      if (error instanceof EventProblem && isKnown && !family.isLost)
        await this.#others.ofKnown(family, changes);
      throw error;
    }
    if (isKnown && !family.isLost) await this.#others.ofKnown(family, changes);
    return skipped;
  }

  async #bring(family: Family, desired: DesiredState, changes: EventChanges): Promise<void> {
    const { own } = family;
    await this.#adoption.adopt(family, desired, changes);
    const setOut = changes.intents.take('record');
    const wasShown = !setOut.includes('shown') && (own.record?.visible ?? false);
    const words = unfit(own.event);
    if (words !== null) {
      const hides = desired.visible === false && (wasShown || setOut.includes('hidden'));
      if (!hides || isLocked(own.event)) throw new EventProblem(words);
      return this.#hideOnly(family, changes, words);
    }
    const failed: unknown[] = [];
    const over: [Slot, EventOver][] = [];
    const slots = withMeetings(this.calendar, family);
    for (const slot of slots) {
      try {
        this.#goOn();
        // If the event is about to be shown, its text may already have the new link, which is not removed in between.
        if (desired.visible !== true || own.record?.visible)
          await this.#finish(
            family,
            slot,
            changes,
            desired.visible === false ? { visible: false, wasShown } : {},
          );
        await this.#slots.meet(family, slot, desired, changes);
      } catch (error) {
        if (!(error instanceof EventProblem || error instanceof EventLeft)) throw error;
        if (error instanceof EventOver) over.push([slot, error]);
        else failed.push(slots.length > 1 && error instanceof EventProblem ? named(slot, own, error) : error);
      }
    }
    // If an event is not over, its finished sections stay as they are.
    const some = slots.length > failed.length + over.length;
    if (over.length < slots.length)
      changes.over.push(...over.map(([slot]) => sectionOver(slot, own, this.calendar.meetings)));
    else failed.push(...over.map(([, error]) => error));
    const was = own.record?.visible ?? false;
    const visible = desired.visible ?? was;
    const isCut = visible !== was && failed.some((error) => error instanceof Stopped);
    // If all its meetings are done, the event is completed.
    if (this.#parts.cancel.aborted && (isCut || changedNothing(changes))) {
      failed.push(new Stopped());
      // For the finished part, students get the current links. Nothing else is shown or hidden.
      if (was && !changedNothing(changes)) await this.#showAll(family, changes, { wasShown });
      if (!changedNothing(changes)) await this.#removeOlds(slots, changes);
    } else if (some) {
      try {
        await this.#showAll(family, changes, { visible, wasShown });
      } catch (error) {
        // Meetings without links are removed and reported even if Canvas refuses the text.
        if (error instanceof EventProblem) await this.#removeOlds(slots, changes);
        throw error;
      }
      await this.#removeOlds(slots, changes);
      // A refusal because of events in other courses changes nothing.
    } else if (!failed.some((error) => error instanceof LeftBehind))
      await this.#dropDead(family, desired, changes);
    const [first] = [...failed.filter((error) => error instanceof EventLeft), ...failed];
    if (first !== undefined) throw first;
  }

  /** Requires that the work has not been stopped; must be called before work on a meeting starts. @throws Stopped */
  #goOn(): void {
    if (this.#parts.cancel.aborted) throw new Stopped();
  }

  /**
   * Hides the link of an event without a time: the event cannot have a meeting, but its link can still be hidden from
   * students.
   */
  async #hideOnly(family: Family, changes: EventChanges, why: string): Promise<void> {
    await changes.intents.intend('record', ['hidden']);
    for (const slot of withMeetings(this.calendar, family)) await this.#slots.look(slot);
    await this.#showAll(family, changes, { visible: false, wasShown: true });
    changes.warnings.push(`${why} Its link is hidden. Its meeting was left unchanged.`);
  }

  /** Finishes the work of an earlier turn or job. @param as events that it hides are not shown again */
  async #finish(family: Family, slot: Slot, changes: EventChanges, as: ShownAs): Promise<void> {
    if (!slot.record?.making?.made) return;
    await this.#showAll(family, changes, as);
    await this.#removeOlds([slot], changes);
  }

  /** Shows the event. If Canvas refuses, students keep the former link, which does not count as renewed. */
  async #show(family: Family, changes: EventChanges, as: ShownAs, was: boolean): Promise<void> {
    try {
      await this.#shown.show(family, changes, as);
    } catch (error) {
      if (was && error instanceof EventProblem)
        for (const { event } of family.parts) changes.renewed.delete(event.id);
      throw error;
    }
  }

  /** Shows the event first: its record then says what students see, whatever happens to the events merged with it. */
  async #showAll(family: Family, changes: EventChanges, as: ShownAs = {}): Promise<void> {
    const { own } = family;
    const was = own.record?.visible ?? false;
    await this.#show(family, changes, as, was);
    const merged = childrenOf(this.calendar, family);
    const { visible } = as;
    if (visible !== undefined && (own.record === null || own.record.visible !== visible)) {
      if (visible && merged.length > 0) await changes.intents.intend('record', ['shown']);
      noteMarked(changes, was, visible);
      await this.#meetings.keepRecord(own, { visible });
    }
    const failed: EventProblem[] = [];
    for (const child of merged) {
      try {
        // A deleted main event has no item of its own.
        const its = family.isLost ? changes : this.#changesTo(changes, child);
        const isNew = changes.made > 0 || its.renewed.size > 0;
        await this.#show(child, its, { ...as, isNew }, was);
        if (visible !== undefined) noteMarked(its, was, visible);
      } catch (error) {
        if (!(error instanceof EventProblem)) throw error;
        failed.push(ofMerged(child, error));
      }
    }
    const [first] = failed;
    if (first) throw first;
  }

  #changesTo(changes: EventChanges, merged: Family): EventChanges {
    return changesTo(changes, merged.own.event.id, nameOf(merged, this.calendar.zone));
  }

  /**
   * Removes a dead link if its meeting could not be updated. A change does nothing else to the event until its turn
   * comes.
   */
  async #dropDead(family: Family, desired: DesiredState, changes: EventChanges): Promise<void> {
    try {
      if (desired.visible !== null) {
        if (await this.#mayHaveDead(family, changes)) await this.#shown.show(family, changes);
        for (const child of childrenOf(this.calendar, family))
          if (await this.#mayHaveDead(child, changes))
            await this.#shown.show(child, this.#changesTo(changes, child));
        return;
      }
      // The event never had a meeting that students may see: its links come from former sections, a former state, or
      // a copy.
      const isWithout = family.parts.every((slot) => !this.#shown.canShow(slot));
      if (isWithout && !(await this.#mayHaveDead(family, changes))) return;
      await this.#showAll(family, changes);
    } catch (error) {
      // The meeting's own failure is reported; this error would hide it.
      if (!(error instanceof EventProblem)) throw error;
    }
  }

  /** Returns whether a link of the event leads nowhere, or was removed by an earlier turn that was interrupted. */
  async #mayHaveDead(family: Family, changes: EventChanges): Promise<boolean> {
    return changes.intents.has(`text ${family.own.event.id}`) || this.#others.hasDead(family);
  }

  /** Restores the meeting that an event had before it was merged; it may be out of date, or gone. */
  async #giveBack(family: Family, slot: Slot, changes: EventChanges): Promise<void> {
    const unfinished = await this.#meetings.resume(slot, changes);
    if (unfinished) {
      const making = unfinished.older?.length ? { ...unfinished, old: null, made: true } : null;
      await this.#meetings.keepRecord(slot, { making });
    }
    const number = slot.record?.meeting ?? null;
    if (number === null) return;
    if (await this.#slots.isHeld(number)) {
      if (!isOver(slot.event, this.#parts.canvas.now()) && unfit(slot.event) === null)
        await this.#slots.meet(family, slot, this.#shown.canShow(slot) ? AS_RECORDED : UNSEEN, changes);
      return;
    }
    const isThere = (await this.#slots.read(number)) !== null;
    await this.#meetings.gone(number);
    if (isThere) changes.unheld++;
    else changes.gone++;
  }
}
