/** Merges events, so that they share the meeting of their main event, and unmerges them (OP-71). */
import type { Family, Slot } from './calendar-event.ts';
import { AS_RECORDED, type DesiredState } from './engine-parts.ts';
import { describeChanges, type EventChanges, noteRenewed, nothingDone } from './event-changes.ts';
import { endOf, type Reconciled } from './event-ends.ts';
import type { EventStateParts, EventStates } from './event-states.ts';
import { requireNoneElsewhere } from './group-elsewhere.ts';
import type { Intents } from './intents.ts';
import { EventProblem, isOver, unfit } from './problems.ts';

/** For a meeting of the placeholder account, which stays as it is, and hidden. */
const UNSEEN: DesiredState = { ...AS_RECORDED, visible: false };

const UNHELD = ' It now has no link. Publish it with another host.';

export class Merging {
  readonly #parts: EventStateParts;
  readonly #states: EventStates;

  constructor(parts: EventStateParts, states: EventStates) {
    this.#parts = parts;
    this.#states = states;
  }

  /** Lets the event use another event's meeting, and keeps its own meeting in the meantime (OP-71). */
  async merge(family: Family, main: Family, intents: Intents): Promise<Reconciled> {
    const changes = nothingDone(intents);
    try {
      const { record } = main.own;
      if (!record?.meeting) throw new EventProblem('The main event does not have its own meeting.');
      // The missing meeting is recorded together with the main event's text: by a run, or by that event's next change.
      const its = this.#states.changesTo(changes, main);
      if (!(await this.#parts.slots.isHeldNow(main, its)))
        throw new EventProblem(
          `The meeting of “${main.own.event.title}” is no longer in Zoom, or its host is not active there.`,
          'Publish that event again, and then merge this one.',
        );
      if (its.renewed.size > 0) await this.#states.showAll(main, its);
      const earlier = intents.take('parent').includes('merged');
      const joins = family.own.record?.parentId !== record.id;
      if (joins) await requireNoneElsewhere(this.#parts, family);
      if (joins) await intents.intend('parent', ['merged']);
      // The record follows Canvas: if Canvas refuses the text, nothing is merged.
      await this.#parts.shown.show(family, changes, { main, wasShown: !joins && !earlier });
      if (joins) await this.#parts.meetings.keepRecord(family.own, { parentId: record.id });
      if (joins) await this.#parts.meetings.keepSeen(family);
      const held = family.parts.filter((slot) => this.#parts.shown.linkOf(slot) !== null);
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
      await this.#parts.meetings.recall(changes);
      const { own } = family;
      const earlier = intents.take('parent').includes('unmerged');
      const leaves = own.record !== null && own.record.parentId !== null;
      if (leaves) await intents.intend('parent', ['unmerged']);
      for (const slot of family.parts) {
        this.#states.goOn();
        await this.#giveBack(family, slot, changes);
      }
      const held = family.parts.filter((slot) => this.#parts.shown.linkOf(slot) !== null);
      const hasLink = held.length > 0;
      // A link without a meeting cannot be shown, and must not appear unexpectedly once the meeting is created.
      const canShow = family.parts.some((slot) => this.#parts.shown.canShow(slot));
      const visible = hasLink && canShow && (own.record?.visible ?? false);
      // The event stays merged until Canvas has its own link, and while it waits for a host's daily limit.
      await this.#parts.shown.show(family, changes, { main: null, visible, wasShown: !leaves && !earlier });
      if (leaves || (own.record !== null && own.record.visible !== visible))
        await this.#parts.meetings.keepRecord(own, { parentId: null, visible });
      if (leaves) await this.#parts.meetings.keepSeen(family);
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

  /** Restores the meeting that an event had before it was merged; it may be out of date, or gone. */
  async #giveBack(family: Family, slot: Slot, changes: EventChanges): Promise<void> {
    const unfinished = await this.#parts.meetings.resume(slot, changes);
    if (unfinished) {
      const making = unfinished.older?.length ? { ...unfinished, old: null, made: true } : null;
      await this.#parts.meetings.keepRecord(slot, { making });
    }
    const number = slot.record?.meeting ?? null;
    if (number === null) return;
    if (await this.#parts.slots.isHeld(number)) {
      if (!isOver(slot.event, this.#parts.canvas.now()) && unfit(slot.event) === null)
        await this.#parts.slots.meet(
          family,
          slot,
          this.#parts.shown.canShow(slot) ? AS_RECORDED : UNSEEN,
          changes,
        );
      return;
    }
    const isThere = (await this.#parts.slots.read(number)) !== null;
    await this.#parts.meetings.gone(number);
    if (isThere) changes.unheld++;
    else changes.gone++;
  }
}
