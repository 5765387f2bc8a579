/** Updates the meeting of one event: compares Zoom with the desired state, and does what is left. */
import { emailKey } from '@lms-admin/domain/emails';
import {
  decideMeeting,
  type MeetingDetails,
  type MeetingStep,
  meetingDetails,
} from '@lms-admin/domain/zoom-decisions';
import type { ZoomMeeting } from '../zoom-api/types.ts';
import type { Family, Slot } from './calendar-event.ts';
import { coHostsBy, unlicensedHost } from './co-hosts.ts';
import type { DesiredState, EngineParts } from './engine-parts.ts';
import { changesTo, type EventChanges, note, noteRenewed } from './event-changes.ts';
import { childrenOf, nameOf, namesMeeting, timedBy } from './families.ts';
import { requireNoneElsewhere } from './group-elsewhere.ts';
import type { Effect } from './intents.ts';
import type { Meetings } from './meetings.ts';
import {
  EventLeft,
  EventOver,
  EventProblem,
  hostInactive,
  isOver,
  meetingRuns,
  NO_OWNER,
  OF_SECTIONS,
  zoomProblem,
} from './problems.ts';
import { coHostsOf, type MeetingRow } from './records.ts';

type Keep = Extract<MeetingStep, { step: 'keep' }>;

export class SlotMeetings {
  readonly #parts: EngineParts;
  readonly #meetings: Meetings;

  constructor(parts: EngineParts, meetings: Meetings) {
    this.#parts = parts;
    this.#meetings = meetings;
  }

  /** Reads the meeting from Zoom; null if it is gone. @throws EventProblem, ZoomError */
  async read(number: number): Promise<ZoomMeeting | null> {
    try {
      return await this.#meetings.read(number);
    } catch (error) {
      throw zoomProblem(error);
    }
  }

  /** Returns whether a meeting exists and its host can hold it; its data is stored. @throws EventProblem, ZoomError */
  async isHeld(number: number): Promise<boolean> {
    const meeting = await this.read(number);
    const known = this.#parts.calendar.meetings.get(number)?.hostEmail ?? null;
    return meeting !== null && (await this.#isActive(await this.#hostOf(meeting, known)));
  }

  /**
   * Tells whether a meeting is held, like `isHeld`, but for the meeting that others will share. Also stores its current
   * link, since the passcode may be new.
   * @throws EventProblem, ZoomError
   */
  async isHeldNow(family: Family, changes: EventChanges): Promise<boolean> {
    const number = family.own.record?.meeting ?? null;
    const meeting = number === null ? null : await this.read(number);
    if (!meeting) return false;
    const known = this.#parts.calendar.meetings.get(meeting.number)?.hostEmail ?? null;
    const host = await this.#hostOf(meeting, known);
    if (!(await this.#isActive(host))) return false;
    if (await this.#meetings.noted(meeting, host, changes)) this.#renewed(family, family.own, changes);
    return true;
  }

  /** Checks whether the meeting of an event that is left unchanged still exists. */
  async look(slot: Slot): Promise<void> {
    const number = slot.record?.meeting ?? null;
    if (number !== null && !(await this.isHeld(number))) await this.#meetings.gone(number);
  }

  /** Updates the event's meeting. @throws EventProblem, EventLeft, ZoomError */
  async meet(family: Family, slot: Slot, desired: DesiredState, changes: EventChanges): Promise<void> {
    const { zoom, canvas, calendar } = this.#parts;
    const isRun = desired.owner === null;
    const unfinished = await this.#meetings.resume(slot, changes);
    const number = slot.record?.meeting ?? null;
    const before = number === null ? null : (calendar.meetings.get(number) ?? null);
    const meeting = number === null ? null : await this.read(number);
    const host = meeting ? await this.#hostOf(meeting, before?.hostEmail ?? null) : null;
    const isHeld = host !== null && (await this.#isActive(host));
    const timed = timedBy(calendar, family, slot, canvas.now());
    const over = isOver(timed, canvas.now());
    const isShown = desired.visible ?? family.own.record?.visible ?? false;
    const isUnowned = host === emailKey(zoom.defaultOwner);
    // A run does not publish a meeting of the placeholder account (ZC-26): the meeting gets the host of the other
    // sections.
    const others = this.#beside(family);
    const beside = isRun && isShown && isUnowned ? (others?.hostEmail ?? null) : null;
    const to = desired.owner === null ? beside : emailKey(desired.owner);
    const isOther = host !== null && to !== null && to !== host && !over;
    const may = isOther && (await this.#meetings.mayHandOver(host, to));
    // The old meeting is removed afterwards. A refusal comes before anything is recorded, so that nothing changes.
    if (isOther && !may) await requireNoneElsewhere(this.#parts, family);
    // A meeting that cannot be started counts as gone until its host is active again.
    if (number !== null && !isHeld) await this.#meetings.gone(number);
    // The meeting is known, but its passcode may be new.
    if (meeting && isHeld && (await this.#meetings.noted(meeting, host, changes)))
      this.#renewed(family, slot, changes);
    const { start_at: start, end_at: end } = timed;
    if (start === null || end === null) return;
    if (isRun && over) return;
    if (isRun && meeting && host !== null && !isHeld) throw hostInactive(host);
    if (beside !== null && !(await this.#isActive(beside))) throw hostInactive(beside);
    const isSeen = number !== null && namesMeeting(family.own.event, number);
    if (isRun && isShown && isUnowned && beside === null && !isSeen) throw await this.#noOwner(family);
    const details = this.#detailsOf(slot, timed, meeting);
    const decide = (mayHandOver: boolean, there: ZoomMeeting | null) =>
      decideMeeting({
        meeting: there && { ...there, host, minutes: there.duration },
        before: before && { host: before.hostEmail, coHosts: coHostsOf(before) },
        desired: { host: to, coHosts: desired.coHosts },
        details,
        otherwise: {
          host: others?.hostEmail ?? zoom.defaultOwner,
          coHosts: others === null ? [] : coHostsOf(others),
        },
        now: canvas.now().getTime(),
        mayHandOver: () => mayHandOver,
      });
    let step: MeetingStep = decide(may, meeting);
    if (over && !needsNoWriting(step)) throw new EventOver();
    if (over) return;
    const of = `meeting ${slot.event.id}`;
    const earlier = changes.intents.take(of);
    const noted = new Set<Effect>();
    const noteAll = (all: readonly Effect[]) => {
      const effects = all.filter((effect) => !noted.has(effect));
      for (const effect of effects) noted.add(effect);
      note(changes, effects, { name: () => slot.event.title });
      if (effects.includes('renewed')) this.#renewed(family, slot, changes);
    };
    const noteCoHosts = (taken: MeetingStep, unlicensed: readonly string[] = []) => {
      const found = coHostsBy(slot, taken, meeting, before, unlicensed);
      if (found) changes.coHosts.push(found);
    };
    // If no step is left, an earlier turn made the change but its response was lost.
    const left = step.step === 'keep' ? effectsOf(step) : earlier;
    noteAll(earlier.filter((effect) => !left.includes(effect)));
    if (meeting?.running && step.step === 'keep' && left.length > 0) throw meetingRuns();
    if (step.step === 'keep' && meeting && host !== null) {
      const effects = effectsOf(step);
      const end = await this.#intending(changes, of, effects, () =>
        this.#meetings.keep(meeting, host, step as Keep, () => noteAll(['handedOver'])),
      );
      if (end === 'done') {
        noteAll(effects);
        if (isRun) await this.#warnOf(meeting.coHosts, changes);
        else noteCoHosts(step);
        return;
      }
      if (end === 'lost') await this.#meetings.gone(meeting.number);
      step = end === 'lost' ? decide(false, null) : decide(false, meeting);
    }
    if (step.step !== 'make') return;
    // Zoom may still refuse to hand the meeting over; without events in other courses nothing is lost.
    if (step.why === 'host' && may) await requireNoneElsewhere(this.#parts, family);
    if (isShown && step.host === emailKey(zoom.defaultOwner)) throw await this.#noOwner(family);
    if (isRun && !(await this.#isActive(step.host))) throw hostInactive(step.host);
    // These alternative hosts were not chosen in this change: without a licence they would prevent the creation of
    // the meeting.
    const unable = desired.coHosts === null ? await this.#unlicensed(step.coHosts) : [];
    const coHosts = step.coHosts.filter((email) => !unable.includes(email));
    if (isRun) changes.warnings.push(...unable.map(unlicensedHost));
    // A change also reports a new link if a run has removed the link of a missing meeting: people may have copied it.
    const hasLink = number !== null && (!isRun || isSeen || before?.goneAt === null);
    const effects: Effect[] = hasLink ? ['made', 'renewed'] : ['made'];
    const making = { ...step, coHosts };
    await this.#intending(changes, of, effects, () =>
      this.#meetings.make(slot, making, details, unfinished, changes),
    );
    noteAll([...earlier, ...effects]);
    noteCoHosts(making, unable);
  }

  /** Returns why a published event gets no meeting of the placeholder account. */
  async #noOwner({ own, parts }: Family): Promise<EventProblem> {
    if (!parts.includes(own)) return new EventProblem(NO_OWNER);
    const former = this.#parts.calendar.orphans.flatMap(({ sectionId, meeting }) =>
      sectionId > 0 && meeting !== null && namesMeeting(own.event, meeting) ? meeting : [],
    );
    // A dead link is removed, and reported.
    for (const number of former) if (!(await this.isHeld(number))) return new EventProblem(NO_OWNER);
    return new EventProblem(former.length > 0 ? OF_SECTIONS : NO_OWNER);
  }

  /** Records that a meeting's link has changed, including for the events that share it, published or not. */
  #renewed(family: Family, slot: Slot, changes: EventChanges): void {
    const { calendar } = this.#parts;
    if (family.parts.includes(slot) && !family.isLost) noteRenewed(changes, [slot]);
    if (slot !== family.own) return;
    for (const child of childrenOf(calendar, family)) {
      // A deleted main event has no item of its own.
      const its = family.isLost
        ? changes
        : changesTo(changes, child.own.event.id, nameOf(child, calendar.zone));
      noteRenewed(its, child.parts);
    }
  }

  /** Records an intended change before making it, and forgets it if nothing was changed. */
  async #intending<T>(
    changes: EventChanges,
    of: string,
    effects: readonly Effect[],
    work: () => Promise<T>,
  ): Promise<T> {
    if (effects.length > 0) await changes.intents.intend(of, effects);
    try {
      return await work();
    } catch (error) {
      if (error instanceof EventProblem || error instanceof EventLeft) await changes.intents.drop(of);
      throw error;
    }
  }

  /**
   * Returns the details of a meeting; if the meeting continues for another event of its group, only its title changes.
   */
  #detailsOf({ event }: Slot, timed: Slot['event'], meeting: ZoomMeeting | null): MeetingDetails {
    const { start_at: start, end_at: end } = timed;
    const details = meetingDetails({ title: event.title, start: start ?? '', end: end ?? '' });
    const goesOn = timed !== event && Date.parse(details.start) <= this.#parts.canvas.now().getTime();
    return goesOn && meeting ? { ...details, minutes: meeting.duration ?? details.minutes } : details;
  }

  /**
   * Returns the meeting whose people a new section gets: that of the event's last section, since past sections keep
   * the host they had, or the event's former shared meeting.
   */
  #beside({ own, parts }: Family): MeetingRow | null {
    const { calendar, zoom } = this.#parts;
    const startOf = ({ event }: Slot) => Date.parse(event.start_at ?? '') || 0;
    const latest = [...parts].sort((a, b) => startOf(b) - startOf(a));
    const meetings = [...latest, own].map(({ record }) => calendar.meetings.get(record?.meeting ?? 0));
    return meetings.find((one) => one !== undefined && one.hostEmail !== emailKey(zoom.defaultOwner)) ?? null;
  }

  async #hostOf({ hostEmail, hostId }: ZoomMeeting, known: string | null): Promise<string> {
    if (hostEmail !== null) return emailKey(hostEmail);
    const user = await this.#parts.zoom.user(hostId, this.#parts.signal);
    return emailKey(user?.email ?? known ?? '');
  }

  async #isActive(host: string): Promise<boolean> {
    if (host === '') return false;
    try {
      return (await this.#parts.zoom.user(host, this.#parts.signal))?.active ?? false;
    } catch (error) {
      throw zoomProblem(error);
    }
  }

  async #warnOf(coHosts: readonly string[], changes: EventChanges): Promise<void> {
    const unable = await this.#unlicensed(coHosts);
    changes.warnings.push(
      ...unable.map((email) => `${email} has no Zoom licence, so they cannot start the meeting.`),
    );
  }

  async #unlicensed(coHosts: readonly string[]): Promise<string[]> {
    const { zoom, signal } = this.#parts;
    try {
      const users = await Promise.all(coHosts.map((email) => zoom.user(email, signal)));
      return coHosts.filter((_, index) => !users[index]?.licensed);
    } catch (error) {
      throw zoomProblem(error);
    }
  }
}

function effectsOf({ handOver, change }: Keep): Effect[] {
  const changed = Object.keys(change).length > 0;
  return [
    ...(handOver === null ? [] : (['handedOver'] as const)),
    ...(changed ? ([change.start === undefined ? 'changed' : 'moved'] as const) : []),
  ];
}

/**
 * Tells whether a step writes nothing. A past event keeps everything: only a new meeting, host or alternative hosts
 * would have to be refused.
 */
function needsNoWriting(step: MeetingStep): boolean {
  return step.step === 'keep' && step.handOver === null && step.change.coHosts === undefined;
}
