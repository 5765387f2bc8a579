/** Sees to the meeting of one event: what Zoom has is compared with what is wished, and what is left is done. */
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
import { type Did, didTo, note, noteRenewed } from './did.ts';
import type { EngineParts, ZoomWish } from './engine-parts.ts';
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

  /** As Zoom has it now; null: it is gone. @throws EventProblem, ZoomError */
  async read(number: number): Promise<ZoomMeeting | null> {
    try {
      return await this.#meetings.read(number);
    } catch (error) {
      throw zoomProblem(error);
    }
  }

  /** Whether a meeting is there and its host can hold it; what is known of it is kept. @throws EventProblem, ZoomError */
  async isHeld(number: number): Promise<boolean> {
    const meeting = await this.read(number);
    const known = this.#parts.calendar.meetings.get(number)?.hostEmail ?? null;
    return meeting !== null && (await this.#isActive(await this.#hostOf(meeting, known)));
  }

  /** The same of the meeting that others are to share, with its link of the moment: its passcode may be new. @throws EventProblem, ZoomError */
  async isHeldNow(family: Family, did: Did): Promise<boolean> {
    const number = family.own.record?.meeting ?? null;
    const meeting = number === null ? null : await this.read(number);
    if (!meeting) return false;
    const known = this.#parts.calendar.meetings.get(meeting.number)?.hostEmail ?? null;
    const host = await this.#hostOf(meeting, known);
    if (!(await this.#isActive(host))) return false;
    if (await this.#meetings.noted(meeting, host)) this.#renewed(family, family.own, did);
    return true;
  }

  /** Looks whether the meeting of an event that is left alone is still there. */
  async look(slot: Slot): Promise<void> {
    const number = slot.record?.meeting ?? null;
    if (number !== null && !(await this.isHeld(number))) await this.#meetings.gone(number);
  }

  /** @throws EventProblem, EventLeft, ZoomError */
  async meet(family: Family, slot: Slot, wish: ZoomWish, did: Did): Promise<void> {
    const { zoom, canvas, calendar } = this.#parts;
    const isRun = wish.owner === null;
    const again = await this.#meetings.resume(slot, did);
    const number = slot.record?.meeting ?? null;
    const before = number === null ? null : (calendar.meetings.get(number) ?? null);
    const meeting = number === null ? null : await this.read(number);
    const host = meeting ? await this.#hostOf(meeting, before?.hostEmail ?? null) : null;
    const isHeld = host !== null && (await this.#isActive(host));
    const timed = timedBy(calendar, family, slot, canvas.now());
    const over = isOver(timed, canvas.now());
    const isShown = wish.visible ?? family.own.record?.visible ?? false;
    const isUnowned = host === emailKey(zoom.defaultOwner);
    // A run shows no meeting of the placeholder (ZC-26): it gets the host of the other sections.
    const others = this.#beside(family);
    const beside = isRun && isShown && isUnowned ? (others?.hostEmail ?? null) : null;
    const to = wish.owner === null ? beside : emailKey(wish.owner);
    const isOther = host !== null && to !== null && to !== host && !over;
    const may = isOther && (await this.#meetings.mayHandOver(host, to));
    // The old meeting is removed afterwards. Refused before anything is noted: then all stays as it is.
    if (isOther && !may) await requireNoneElsewhere(this.#parts, family);
    // A meeting that no one can begin is as good as gone, until its host is back.
    if (number !== null && !isHeld) await this.#meetings.gone(number);
    // What was there is known, its passcode may be new.
    if (meeting && isHeld && (await this.#meetings.noted(meeting, host))) this.#renewed(family, slot, did);
    const { start_at: start, end_at: end } = timed;
    if (start === null || end === null) return;
    if (isRun && over) return;
    if (isRun && meeting && host !== null && !isHeld) throw hostInactive(host);
    if (beside !== null && !(await this.#isActive(beside))) throw hostInactive(beside);
    const isSeen = number !== null && namesMeeting(family.own.event, number);
    if (isRun && isShown && isUnowned && beside === null && !isSeen) throw new EventProblem(NO_OWNER);
    const details = this.#detailsOf(slot, timed, meeting);
    const decide = (mayHandOver: boolean, there: ZoomMeeting | null) =>
      decideMeeting({
        meeting: there && { ...there, host, minutes: there.duration },
        before: before && { host: before.hostEmail, coHosts: coHostsOf(before) },
        wish: { host: to, coHosts: wish.coHosts },
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
    const earlier = did.intents.take(of);
    let isHanded = false;
    const noteAll = (all: readonly Effect[]) => {
      const effects = all.filter((effect) => effect !== 'handedOver' || !isHanded);
      isHanded ||= effects.includes('handedOver');
      note(did, effects, { name: () => slot.event.title });
      if (effects.includes('renewed')) this.#renewed(family, slot, did);
    };
    const noteCoHosts = (taken: MeetingStep, unlicensed: readonly string[] = []) => {
      const found = coHostsBy(slot, taken, meeting, before, unlicensed);
      if (found) did.coHosts.push(found);
    };
    if (meeting?.running && step.step === 'keep' && effectsOf(step).length > 0) throw meetingRuns();
    if (step.step === 'keep' && meeting && host !== null) {
      const effects = effectsOf(step);
      const handed = () => noteAll(['handedOver']);
      // An earlier turn that ended without an answer has handed it over.
      if (step.handOver === null && earlier.includes('handedOver')) handed();
      const end = await this.#intending(did, of, effects, () =>
        this.#meetings.keep(meeting, host, step as Keep, handed),
      );
      if (end === 'done') {
        noteAll([...earlier, ...effects]);
        if (isRun) await this.#warnOf(meeting.coHosts, did);
        else noteCoHosts(step);
        return;
      }
      if (end === 'lost') await this.#meetings.gone(meeting.number);
      step = end === 'lost' ? decide(false, null) : decide(false, meeting);
    }
    if (step.step !== 'make') return;
    // Zoom may not hand it over after all; nothing is lost where it has none.
    if (step.why === 'host' && may) await requireNoneElsewhere(this.#parts, family);
    if (isShown && step.host === emailKey(zoom.defaultOwner)) throw new EventProblem(NO_OWNER);
    if (isRun && !(await this.#isActive(step.host))) throw hostInactive(step.host);
    // No one has named these now: without a licence they would keep the meeting from being made.
    const unable = wish.coHosts === null ? await this.#unlicensed(step.coHosts) : [];
    const coHosts = step.coHosts.filter((email) => !unable.includes(email));
    if (isRun) did.warnings.push(...unable.map(unlicensedHost));
    // A change tells of another link also where a run has removed that of one that was gone: it may have been copied.
    const hasLink = number !== null && (!isRun || isSeen || before?.goneAt === null);
    const effects: Effect[] = hasLink ? ['made', 'renewed'] : ['made'];
    const making = { ...step, coHosts };
    await this.#intending(did, of, effects, () => this.#meetings.make(slot, making, details, again, did));
    noteAll([...earlier, ...effects]);
    noteCoHosts(making, unable);
  }

  /** The link of a meeting is another one: also for the events that share it, published or not. */
  #renewed(family: Family, slot: Slot, did: Did): void {
    const { calendar } = this.#parts;
    if (family.parts.includes(slot) && !family.isLost) noteRenewed(did, [slot]);
    if (slot !== family.own) return;
    for (const child of childrenOf(calendar, family)) {
      // A main event that is gone has no line of its own.
      const its = family.isLost ? did : didTo(did, child.own.event.id, nameOf(child, calendar.zone));
      noteRenewed(its, child.parts);
    }
  }

  /** Writes down what is to be done before it is, and forgets it where nothing came of it. */
  async #intending<T>(did: Did, of: string, effects: readonly Effect[], work: () => Promise<T>): Promise<T> {
    if (effects.length > 0) await did.intents.intend(of, effects);
    try {
      return await work();
    } catch (error) {
      if (error instanceof EventProblem || error instanceof EventLeft) await did.intents.drop(of);
      throw error;
    }
  }

  /** Of a meeting that goes on for another event of its group nothing is changed but its title. */
  #detailsOf({ event }: Slot, timed: Slot['event'], meeting: ZoomMeeting | null): MeetingDetails {
    const { start_at: start, end_at: end } = timed;
    const details = meetingDetails({ title: event.title, start: start ?? '', end: end ?? '' });
    const goesOn = timed !== event && Date.parse(details.start) <= this.#parts.canvas.now().getTime();
    return goesOn && meeting ? { ...details, minutes: meeting.duration ?? details.minutes } : details;
  }

  /**
   * A meeting of the event's other sections, or of itself when it had one for all: a section that is new gets the same people. That of
   * the last section, as those that are over keep the host that they had.
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

  async #warnOf(coHosts: readonly string[], did: Did): Promise<void> {
    const unable = await this.#unlicensed(coHosts);
    did.warnings.push(...unable.map((email) => `${email} has no Zoom licence and cannot start the meeting.`));
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

/** An event that is over keeps what it has: only a new meeting, host or co-hosts would have to be refused. */
function needsNoWriting(step: MeetingStep): boolean {
  return step.step === 'keep' && step.handOver === null && step.change.coHosts === undefined;
}
