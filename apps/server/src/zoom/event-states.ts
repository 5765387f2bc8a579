/** Brings one event to a state: first its meeting, or those of its sections, then what Canvas shows. */
import type { Adoption } from './adoption.ts';
import type { Family, Slot } from './calendar-event.ts';
import type { DesiredState, EngineParts } from './engine-parts.ts';
import { changedNothing, changesTo, type EventChanges, noteMarked } from './event-changes.ts';
import { childrenOf, nameOf, withMeetings } from './families.ts';
import { LeftBehind } from './group-elsewhere.ts';
import type { Meetings } from './meetings.ts';
import type { OtherLinks } from './other-links.ts';
import { EventLeft, EventOver, EventProblem, isLocked, Stopped, unfit, zoomProblem } from './problems.ts';
import { named, ofMerged, sectionOver } from './problems-of-events.ts';
import type { ShownAs, ShownFamilies } from './shown-families.ts';
import type { SlotMeetings } from './slot-meetings.ts';

const NOT_DELETED = 'Zoom did not delete its former meeting. The next run tries again.';

/** Parts of the engine of a course. */
export interface EventStateParts extends EngineParts {
  meetings: Meetings;
  shown: ShownFamilies;
  slots: SlotMeetings;
  others: OtherLinks;
  adoption: Adoption;
}

export class EventStates {
  readonly #parts: EventStateParts;

  constructor(parts: EventStateParts) {
    this.#parts = parts;
  }

  async bring(family: Family, desired: DesiredState, changes: EventChanges): Promise<void> {
    const { own } = family;
    await this.#parts.adoption.adopt(family, desired, changes);
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
    const slots = withMeetings(this.#parts.calendar, family);
    for (const slot of slots) {
      try {
        this.goOn();
        // If the event is about to be shown, its text may already have the new link, which is not removed in between.
        if (desired.visible !== true || own.record?.visible)
          await this.#finish(
            family,
            slot,
            changes,
            desired.visible === false ? { visible: false, wasShown } : {},
          );
        await this.#parts.slots.meet(family, slot, desired, changes);
      } catch (error) {
        if (!(error instanceof EventProblem || error instanceof EventLeft)) throw error;
        if (error instanceof EventOver) over.push([slot, error]);
        else failed.push(slots.length > 1 && error instanceof EventProblem ? named(slot, own, error) : error);
      }
    }
    // If an event is not over, its finished sections stay as they are.
    const some = slots.length > failed.length + over.length;
    if (over.length < slots.length)
      changes.over.push(...over.map(([slot]) => sectionOver(slot, own, this.#parts.calendar.meetings)));
    else failed.push(...over.map(([, error]) => error));
    const was = own.record?.visible ?? false;
    const visible = desired.visible ?? was;
    const isCut = visible !== was && failed.some((error) => error instanceof Stopped);
    // If all its meetings are done, the event is completed.
    if (this.#parts.cancel.aborted && (isCut || changedNothing(changes))) {
      failed.push(new Stopped());
      // For the finished part, students get the current links. Nothing else is shown or hidden.
      if (was && !changedNothing(changes)) await this.showAll(family, changes, { wasShown });
      if (!changedNothing(changes)) await this.removeOlds(slots, changes);
    } else if (some) {
      try {
        await this.showAll(family, changes, { visible, wasShown });
      } catch (error) {
        // Meetings without links are removed and reported even if Canvas refuses the text.
        if (error instanceof EventProblem) await this.removeOlds(slots, changes);
        throw error;
      }
      await this.removeOlds(slots, changes);
      // A refusal because of events in other courses changes nothing.
    } else if (!failed.some((error) => error instanceof LeftBehind))
      await this.#dropDead(family, desired, changes);
    const [first] = [...failed.filter((error) => error instanceof EventLeft), ...failed];
    if (first !== undefined) throw first;
  }

  /** @returns the number of slots whose former meeting Zoom did not delete; a later run tries again */
  async removeOlds(slots: readonly Slot[], changes: EventChanges): Promise<number> {
    let refused = 0;
    for (const slot of slots)
      try {
        await this.#parts.meetings.removeOld(slot, changes);
      } catch (error) {
        // An error that concerns only this meeting does not matter: the event itself is done.
        if (!(zoomProblem(error) instanceof EventProblem)) throw error;
        refused++;
        if (!changes.warnings.includes(NOT_DELETED)) changes.warnings.push(NOT_DELETED);
      }
    return refused;
  }

  /** Requires that the work has not been stopped; must be called before work on a meeting starts. @throws Stopped */
  goOn(): void {
    if (this.#parts.cancel.aborted) throw new Stopped();
  }

  /**
   * Hides the link of an event without a time: the event cannot have a meeting, but its link can still be hidden from
   * students.
   */
  async #hideOnly(family: Family, changes: EventChanges, why: string): Promise<void> {
    await changes.intents.intend('record', ['hidden']);
    for (const slot of withMeetings(this.#parts.calendar, family)) await this.#parts.slots.look(slot);
    await this.showAll(family, changes, { visible: false, wasShown: true });
    changes.warnings.push(`${why} Its link is hidden. Its meeting was left unchanged.`);
  }

  /** Finishes the work of an earlier turn or job. @param as events that it hides are not shown again */
  async #finish(family: Family, slot: Slot, changes: EventChanges, as: ShownAs): Promise<void> {
    if (!slot.record?.making?.made) return;
    await this.showAll(family, changes, as);
    await this.removeOlds([slot], changes);
  }

  /** Shows the event. If Canvas refuses, students keep the former link, which does not count as renewed. */
  async #show(family: Family, changes: EventChanges, as: ShownAs, was: boolean): Promise<void> {
    try {
      await this.#parts.shown.show(family, changes, as);
    } catch (error) {
      if (was && error instanceof EventProblem)
        for (const { event } of family.parts) changes.renewed.delete(event.id);
      throw error;
    }
  }

  /** Shows the event first: its record then says what students see, whatever happens to the events merged with it. */
  async showAll(family: Family, changes: EventChanges, as: ShownAs = {}): Promise<void> {
    const { own } = family;
    const was = own.record?.visible ?? false;
    await this.#show(family, changes, as, was);
    const merged = childrenOf(this.#parts.calendar, family);
    const { visible } = as;
    if (visible !== undefined && (own.record === null || own.record.visible !== visible)) {
      if (visible && merged.length > 0) await changes.intents.intend('record', ['shown']);
      noteMarked(changes, was, visible);
      await this.#parts.meetings.keepRecord(own, { visible });
    }
    const failed: EventProblem[] = [];
    for (const child of merged) {
      try {
        // A deleted main event has no item of its own.
        const its = family.isLost ? changes : this.changesTo(changes, child);
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

  changesTo(changes: EventChanges, merged: Family): EventChanges {
    return changesTo(changes, merged.own.event.id, nameOf(merged, this.#parts.calendar.zone));
  }

  /**
   * Removes a dead link if its meeting could not be updated. A change does nothing else to the event until its turn
   * comes.
   */
  async #dropDead(family: Family, desired: DesiredState, changes: EventChanges): Promise<void> {
    try {
      if (desired.visible !== null) {
        if (await this.#mayHaveDead(family, changes)) await this.#parts.shown.show(family, changes);
        for (const child of childrenOf(this.#parts.calendar, family))
          if (await this.#mayHaveDead(child, changes))
            await this.#parts.shown.show(child, this.changesTo(changes, child));
        return;
      }
      // The event never had a meeting that students may see: its links come from former sections, a former state, or
      // a copy.
      const isWithout = family.parts.every((slot) => !this.#parts.shown.canShow(slot));
      if (isWithout && !(await this.#mayHaveDead(family, changes))) return;
      await this.showAll(family, changes);
    } catch (error) {
      // The meeting's own failure is reported; this error would hide it.
      if (!(error instanceof EventProblem)) throw error;
    }
  }

  /** Returns whether a link of the event leads nowhere, or was removed by an earlier turn that was interrupted. */
  async #mayHaveDead(family: Family, changes: EventChanges): Promise<boolean> {
    return changes.intents.has(`text ${family.own.event.id}`) || this.#parts.others.hasDead(family);
  }
}
