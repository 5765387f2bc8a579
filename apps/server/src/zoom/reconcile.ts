/**
 * Brings Zoom and Canvas to the desired state for one event of a course: first its meeting, or those of its sections,
 * then what Canvas shows. A repeat does only what is left, so after a crash it is simply called again.
 */
import { Adoption } from './adoption.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { AS_RECORDED, type DesiredState, type EngineParts } from './engine-parts.ts';
import { changedNothing, describeChanges, type EventChanges, nothingDone } from './event-changes.ts';
import { endOf, type Reconciled } from './event-ends.ts';
import { EventStates } from './event-states.ts';
import { isNamed, mainOf, withMeetings } from './families.ts';
import { requireNoneElsewhere } from './group-elsewhere.ts';
import { Intents } from './intents.ts';
import { Meetings } from './meetings.ts';
import { Merging } from './merging.ts';
import { OtherLinks } from './other-links.ts';
import { EventProblem, unfit } from './problems.ts';
import { mergedWith, ofMain } from './problems-of-events.ts';
import { guestProblem } from './sections-elsewhere.ts';
import { ShownFamilies } from './shown-families.ts';
import { SlotMeetings } from './slot-meetings.ts';

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
  readonly #states: EventStates;
  readonly #merging: Merging;
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
    const more = { meetings: this.#meetings, shown: this.#shown, slots: this.#slots };
    const all = { ...parts, ...more, others: this.#others, adoption: this.#adoption };
    this.#states = new EventStates(all);
    this.#merging = new Merging(all, this.#states);
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
      await this.#states.bring(family, desired, changes);
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
    return main.isLost ? changes : this.#states.changesTo(changes, family);
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
      await this.#states.removeOlds(withMeetings(this.calendar, family), its);
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
      refused += await this.#states.removeOlds(withMeetings(this.calendar, family), its);
      const { oldRemoved, doublesRemoved } = its;
      if (oldRemoved.length + doublesRemoved.length > 0) late.set(family, { oldRemoved, doublesRemoved });
    }
    return { late, refused };
  }

  /** Returns the numbers of the meetings that were removed while an event was checked. */
  removedFor(family: Family): number[] {
    const changes = this.#kept.get(family)?.changes;
    return changes ? [...changes.oldRemoved, ...changes.doublesRemoved] : [];
  }

  /** Lets the event use another event's meeting, and keeps its own one meanwhile (OP-71). */
  merge(family: Family, main: Family, intents: Intents): Promise<Reconciled> {
    return this.#merging.merge(family, main, intents);
  }

  /** Gives an event its own meeting back, if Zoom still has it (OP-71). */
  unmerge(family: Family, intents: Intents): Promise<Reconciled> {
    return this.#merging.unmerge(family, intents);
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
      if (skipped === null && (isKnown || makes)) await this.#states.bring(family, AS_RECORDED, changes);
      else if (isKnown) {
        for (const slot of withMeetings(this.calendar, family)) await this.#slots.look(slot);
        await this.#states.showAll(family, changes);
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
}
