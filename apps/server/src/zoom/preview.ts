/** What a change would do, before it is done: meetings, links that change and whose, what students see, days of hosts (OP-102 to OP-104). */
import type { ZoomChange, ZoomPreview } from '@lms-admin/contract/zoom';
import { emailKey } from '@lms-admin/domain/emails';
import {
  decideMeeting,
  hostDayUse,
  isNothing,
  type MeetingStep,
  meetingDetails,
} from '@lms-admin/domain/zoom-decisions';
import type { Admin } from '../auth/admin.ts';
import { mapLimited } from '../platform/limited.ts';
import { ZoomError, type ZoomMeeting } from '../zoom-api/types.ts';
import type { Calendar } from './calendar.ts';
import { type CalendarEvent, type Family, type Slot } from './calendar-event.ts';
import { type ChangeParts, checkChange } from './change-kind.ts';
import { doubleBookings } from './double-bookings.ts';
import type { ZoomWish } from './engine-parts.ts';
import { childrenOf, mainOf, timedBy } from './families.ts';
import { type EventElsewhere, groupElsewhere, wordsOfGroup } from './group-elsewhere.ts';
import { calendarToBe, hostDaysOf } from './open.ts';
import { waitingChanges } from './other-changes.ts';
import { formerSeen, isSeen, repairOf, type SeenTexts, seenTexts, stillLeadsTo } from './preview-texts.ts';
import { isOver, OVER, unfit } from './problems.ts';
import { AS_RECORDED, mergedWith } from './reconcile.ts';
import { coHostsOf, type RecordStore, ZoomRecords } from './records.ts';
import { mainEvent, mergeProblem } from './rules.ts';
import { otherHosts } from './same-reservation.ts';

type Publish = Extract<ZoomChange, { change: 'publish' }>;
type Merge = Extract<ZoomChange, { change: 'merge' }>;
/** Meetings that are read at the same time. */
const AT_ONCE = 16;
/** Zoom ends a meeting of a Basic host after this. */
const BASIC_MS = 40 * 60_000;

/** @throws like `checkChange` */
export async function previewChange(
  parts: ChangeParts,
  admin: Admin,
  change: ZoomChange,
  signal: AbortSignal,
): Promise<ZoomPreview> {
  await checkChange(parts, admin, change, signal);
  const stored = new ZoomRecords(parts.db.db, await parts.identity.lastSeen(admin.token));
  const asking = { token: admin.token, signal };
  // What was moved here from another course brings its record along, as in the change itself.
  const { calendar, records } = await calendarToBe(parts, stored, change.course, asking);
  // As the change itself does: who lost a licence a moment ago is not as remembered.
  const fresh = { ...parts, zoom: parts.zoom.afresh() };
  const preview = new Preview(fresh, calendar, records, admin, signal);
  const said = await preview.of(change);
  return { ...said, waiting: await waitingChanges(parts.db.db, records.lms, calendar, change) };
}

type Steps = ReadonlyMap<Slot, { step: MeetingStep; host: string | null }>;

class Preview {
  readonly #parts: ChangeParts;
  readonly #calendar: Calendar;
  readonly #records: RecordStore;
  readonly #admin: Admin;
  readonly #signal: AbortSignal;
  readonly #needs = new Map<string, number>();
  readonly #texts = new Map<Family, SeenTexts>();
  /** Events of other courses that have the link of these. */
  readonly #guests = new Map<Family, readonly EventElsewhere[]>();
  /** Those whose new meeting was made before, and whose link is still to take the place of the former one. */
  readonly #replaced = new Set<Slot>();
  readonly #said: ZoomPreview = {
    events: 0,
    make: 0,
    update: 0,
    unchanged: 0,
    links: [],
    former: [],
    texts: [],
    shared: [],
    appear: 0,
    disappear: 0,
    hosts: [],
    basic: null,
    clashes: [],
    elsewhere: [],
    unchecked: false,
    running: [],
    waiting: [],
    problems: [],
  };

  constructor(
    parts: ChangeParts,
    calendar: Calendar,
    records: RecordStore,
    admin: Admin,
    signal: AbortSignal,
  ) {
    this.#parts = parts;
    this.#calendar = calendar;
    this.#records = records;
    this.#admin = admin;
    this.#signal = signal;
  }

  of(change: ZoomChange): Promise<ZoomPreview> {
    if (change.change === 'publish') return this.publish(change);
    return change.change === 'merge' ? this.merge(change) : this.unmerge(change.event);
  }

  async publish(change: Publish): Promise<ZoomPreview> {
    const families = new Set<Family>();
    for (const id of change.events) {
      const family = this.#calendar.of.get(id);
      if (family) families.add(family);
      else this.#said.problems.push({ event: id, title: '', start_at: null, message: GONE });
    }
    for (const family of families) this.#said.events += family.parts.length;
    const fit = [...families].filter((family) => this.#isAble(family));
    const decided = fit.flatMap((family) => family.parts.map((slot) => ({ family, slot })));
    const wish: ZoomWish = { owner: change.owner, coHosts: change.co_hosts, visible: change.visible };
    const steps = new Map(
      await mapLimited(
        decided,
        AT_ONCE,
        async ({ family, slot }) => [slot, await this.#decide(family, slot, wish)] as const,
      ),
    );
    const able = await this.#withoutElsewhere(fit, steps, change.visible);
    for (const family of able)
      for (const one of [family, ...childrenOf(this.#calendar, family)]) await this.#look(one);
    for (const family of able) await this.#unfinished(family, steps);
    for (const family of able) this.#count(family, steps, change.visible);
    for (const family of able) {
      await this.#otherLinks(family, change);
      await this.#repairs(family, steps, change.visible);
    }
    this.#formerLinks(able, steps);
    const chosen = able.flatMap(({ parts }) => parts);
    await Promise.all([
      this.#hosts(),
      this.#basic(chosen, change.owner),
      this.#bookings(chosen, change.owner),
    ]);
    return this.#said;
  }

  async merge({ parent, events }: Merge): Promise<ZoomPreview> {
    const main = mainEvent(this.#calendar, parent);
    const to = this.#hostOf(main.own);
    const isVisible = main.own.record?.visible ?? false;
    const merged: Slot[] = [];
    // An event that is named by its sections is one, as in the change itself.
    const named = new Map(events.map((id) => [this.#calendar.of.get(id) ?? id, id]));
    for (const [one, id] of named) {
      const child = typeof one === 'number' ? null : one;
      const problem = child ? await this.#mergeProblem(child, main) : GONE;
      if (child) this.#said.events += child.parts.length;
      if (problem !== null || !child) {
        const { title = '', start_at = null } = child?.own.event ?? {};
        this.#said.problems.push({ event: id, title, start_at, message: problem ?? GONE });
        continue;
      }
      await this.#look(child);
      if (mainOf(this.#calendar, child) === main) {
        this.#said.unchanged += child.parts.length;
        if (isVisible) await this.#repair(child, main);
        continue;
      }
      this.#relinked(child, to, isVisible, 'merge');
      merged.push(...child.parts);
    }
    if (to !== null) this.#said.elsewhere = await otherHosts(this.#asked(), to, merged);
    return this.#said;
  }

  async unmerge(event: number): Promise<ZoomPreview> {
    const child = this.#calendar.of.get(event);
    if (!child) return this.#said;
    this.#said.events = child.parts.length;
    const there = await mapLimited(child.parts, AT_ONCE, async (slot) => {
      const number = slot.record?.meeting ?? null;
      const isHeld = number !== null && (await this.#isHeld(number));
      if (isHeld) await this.#broughtUpToDate(child, slot);
      return isHeld;
    });
    const main = mainOf(this.#calendar, child);
    await this.#look(child);
    const wasShown = this.#isSeen(child, child.own);
    const isShown = (child.own.record?.visible ?? false) && there.includes(true);
    for (const [index, slot] of child.parts.entries()) {
      const to = there[index] ? this.#hostOf(slot) : null;
      const from = main ? this.#hostOf(main.own) : null;
      this.#said.links.push({ ...ofEvent(slot), from, to, why: 'unmerge', published: wasShown });
      this.#seen(wasShown, isShown);
    }
    await this.#hosts();
    return this.#said;
  }

  /** A meeting that was kept while its event was merged may have to follow the event, which takes of its host's day. */
  async #broughtUpToDate(family: Family, slot: Slot): Promise<void> {
    if (isOver(slot.event, this.#parts.canvas.now()) || unfit(slot.event) !== null) return;
    const { step, host } = await this.#decide(family, slot, AS_RECORDED);
    if (isNothing(step)) return;
    this.#said.update++;
    this.#need(step, host);
  }

  #need(step: MeetingStep, host: string | null): void {
    const use = hostDayUse(step, host);
    this.#needs.set(use.host, (this.#needs.get(use.host) ?? 0) + use.count);
  }

  /** What else the host has at the times of these events, and who has the same reservations. */
  async #bookings(slots: readonly Slot[], host: string): Promise<void> {
    const now = this.#parts.canvas.now();
    const ahead = slots.filter(({ event }) => !isOver(event, now));
    const [booked, elsewhere] = await Promise.all([
      doubleBookings(this.#asked(), host, ahead),
      otherHosts(this.#asked(), host, ahead),
    ]);
    Object.assign(this.#said, booked, { elsewhere });
  }

  #asked() {
    const [records, calendar] = [this.#records, this.#calendar];
    return { ...this.#parts, records, calendar, lms: records.lms, admin: this.#admin, signal: this.#signal };
  }

  /** Says so where somebody may be in the meeting now. */
  #underWay(slot: Slot, link: boolean): void {
    const now = this.#parts.canvas.now();
    const { start_at } = slot.event;
    const began = start_at !== null && Date.parse(start_at) <= now.getTime();
    if (began && !isOver(slot.event, now)) this.#said.running.push({ ...ofEvent(slot), link });
  }

  /** What students have before them in the texts of an event. */
  async #look(family: Family): Promise<SeenTexts> {
    const known = this.#texts.get(family);
    if (known) return known;
    const seen = await seenTexts(this.#textParts, family, mainOf(this.#calendar, family));
    this.#texts.set(family, seen);
    return seen;
  }

  get #textParts() {
    return { records: this.#records, bases: this.#parts.zoom.links };
  }

  #isSeen(family: Family, slot: Slot): boolean {
    const seen = this.#texts.get(family);
    return seen !== undefined && isSeen(seen, family, slot);
  }

  /** Links that stay what they are, and that somebody has removed or edited in the LMS. */
  async #repairs(family: Family, steps: Steps, visible: boolean): Promise<void> {
    const isSame = family.parts.every((slot) => steps.get(slot)?.step.step === 'keep');
    const isReplaced = family.parts.some((slot) => this.#replaced.has(slot));
    if (!visible || !isSame || isReplaced || !family.own.record?.visible) return;
    for (const one of [family, ...childrenOf(this.#calendar, family)]) {
      // A copied link that gives way is told of already.
      if (this.#texts.get(one)?.copied.length === 0) await this.#repair(one, one === family ? null : family);
    }
  }

  async #repair(family: Family, main: Family | null): Promise<void> {
    const how = await repairOf(this.#textParts, this.#calendar, family, main);
    if (how !== null) this.#said.texts.push({ ...ofEvent(family.own), how });
  }

  #timed(family: Family, slot: Slot): CalendarEvent {
    return timedBy(this.#calendar, family, slot, this.#parts.canvas.now());
  }

  #isAble(family: Family): boolean {
    const main = mainOf(this.#calendar, family);
    const message = main ? mergedWith(main) : unfit(family.own.event);
    if (message === null) return true;
    this.#said.problems.push({ ...ofEvent(family.own), message });
    return false;
  }

  /** Leaves out those whose link events of other courses have, where they would be left behind: the change refuses them. */
  async #withoutElsewhere(families: readonly Family[], steps: Steps, visible: boolean): Promise<Family[]> {
    const able: Family[] = [];
    for (const family of families) {
      const record = family.own.record;
      const made = family.parts.map((slot) => steps.get(slot)?.step);
      const isRenewed = made.some((step) => step?.step === 'make' && step.why === 'host');
      const isOther = isRenewed || visible !== (record?.visible ?? false);
      const isChanged = made.some((step) => step && !isNothing(step));
      const others = isOther || isChanged ? await this.#elsewhere(family) : [];
      this.#guests.set(family, others);
      const message = isOther ? wordsOfGroup(others) : null;
      if (message === null) able.push(family);
      else this.#said.problems.push({ ...ofEvent(family.own), message });
    }
    return able;
  }

  async #mergeProblem(child: Family, main: Family): Promise<string | null> {
    const problem = mergeProblem(this.#calendar, child, main);
    if (problem !== null || mainOf(this.#calendar, child) === main) return problem;
    return wordsOfGroup(await this.#elsewhere(child));
  }

  #elsewhere(family: Family) {
    const { canvas } = this.#parts;
    const { token } = this.#admin;
    const asked = { canvas, records: this.#records, calendar: this.#calendar, token, signal: this.#signal };
    return groupElsewhere(asked, family);
  }

  async #decide(
    family: Family,
    slot: Slot,
    { owner, coHosts }: ZoomWish,
  ): Promise<{ step: MeetingStep; host: string | null }> {
    const { zoom, canvas } = this.#parts;
    const number = slot.record?.meeting ?? null;
    const row = number === null ? null : (this.#calendar.meetings.get(number) ?? null);
    const meeting = number === null ? null : await this.#read(number);
    const host = meeting ? emailKey(meeting.hostEmail ?? row?.hostEmail ?? '') : null;
    const to = owner === null ? host : emailKey(owner);
    const may = host !== null && to !== null && host !== to && (await this.#mayHandOver(host, to));
    const { start_at, end_at } = this.#timed(family, slot);
    const { title } = slot.event;
    const step = decideMeeting({
      meeting: meeting && { ...meeting, host, minutes: meeting.duration },
      before: row && { host: row.hostEmail, coHosts: coHostsOf(row) },
      wish: { host: owner, coHosts },
      details: meetingDetails({ title, start: start_at ?? '', end: end_at ?? '' }),
      defaultHost: zoom.defaultOwner,
      now: canvas.now().getTime(),
      mayHandOver: () => may,
    });
    return { step, host: host ?? row?.hostEmail ?? null };
  }

  #count(family: Family, steps: Steps, visible: boolean): void {
    const merged = childrenOf(this.#calendar, family);
    let isDone = false;
    for (const slot of family.parts) {
      const { step, host } = steps.get(slot) ?? { step: null, host: null };
      if (!step) continue;
      const over = isOver(this.#timed(family, slot), this.#parts.canvas.now());
      if (over && !(step.step === 'keep' && step.handOver === null && step.change.coHosts === undefined)) {
        this.#said.problems.push({ ...ofEvent(slot), message: OVER });
        continue;
      }
      if (step.step === 'make') this.#said.make++;
      else if ((isNothing(step) || over) && this.#replaced.has(slot)) this.#underWay(slot, true);
      else if (isNothing(step) || over) this.#said.unchanged++;
      else this.#said.update++;
      const renewed = step.step === 'make' && step.why !== 'none';
      if (renewed || (step.step === 'keep' && step.handOver !== null)) this.#underWay(slot, renewed);
      if (!over && !isNothing(step)) {
        this.#need(step, host);
        const guests = this.#guests.get(family) ?? [];
        for (const one of [...merged.map(({ own }) => own), ...guests])
          this.#said.shared.push({ ...ofEvent(one), with: slot.event.title });
      }
      isDone = true;
      this.#changedLinks(family, slot, step, host, merged);
      this.#seen(this.#isSeen(family, slot), visible);
    }
    // A main event has one part: where that cannot be changed, nor are they.
    for (const child of isDone ? merged : []) {
      const isSeen = this.#isSeen(child, child.own);
      for (const _ of child.parts) this.#seen(isSeen, visible);
    }
  }

  #changedLinks(
    family: Family,
    slot: Slot,
    step: MeetingStep,
    from: string | null,
    merged: readonly Family[],
  ): void {
    if (step.step !== 'make' || step.why === 'none') return;
    const { host: to, why } = step;
    const published = this.#isSeen(family, slot);
    this.#said.links.push({ ...ofEvent(slot), from, to, why, published });
    for (const child of merged) {
      const published = this.#isSeen(child, child.own);
      this.#said.links.push({ ...ofEvent(child.own), from, to, why, published });
    }
  }

  /** Links that an earlier change could not put into the LMS any more: this one replaces what students have before them. */
  async #unfinished(family: Family, steps: Steps): Promise<void> {
    for (const slot of family.parts.filter((one) => steps.get(one)?.step.step === 'keep'))
      for (const one of [family, ...childrenOf(this.#calendar, family)]) {
        const former = formerSeen(await this.#look(one), slot);
        if (former === null) continue;
        const from = (await this.#records.meeting(former))?.hostEmail ?? null;
        const event = ofEvent(one === family ? slot : one.own);
        this.#said.links.push({ ...event, from, to: this.#hostOf(slot), why: 'host', published: true });
        this.#replaced.add(slot);
      }
  }

  /** Links that are not those of the record: copied ones give way to ours, or leave; what people have written stays. */
  async #otherLinks(family: Family, { owner, visible }: Publish): Promise<void> {
    const { own } = family;
    const { copied, written } = await this.#look(family);
    const at = { ...ofEvent(own), to: owner, published: true };
    const wasShown = own.record?.visible ?? false;
    const [first] = copied;
    if (first !== undefined) {
      const from = (await this.#read(first))?.hostEmail ?? null;
      this.#said.links.push({ ...at, from, why: 'copied' });
    }
    if (written && visible && !wasShown) this.#said.links.push({ ...at, from: null, why: 'written' });
  }

  /** Texts of the course that lead to the former meeting of an event from then on: nobody but a person writes into them. */
  #formerLinks(able: readonly Family[], steps: Steps): void {
    const written = new Set(able.flatMap((one) => [one, ...childrenOf(this.#calendar, one)]));
    const replaced = able
      .flatMap(({ parts }) => parts)
      .filter((slot) => {
        const step = steps.get(slot)?.step;
        return step?.step === 'make' && step.why === 'host' && !isOver(slot.event, this.#parts.canvas.now());
      });
    for (const { record, event } of replaced)
      for (const family of this.#calendar.families)
        if (stillLeadsTo(record?.meeting ?? 0, family, written.has(family)))
          this.#said.former.push({ ...ofEvent(family.own), of: event.title });
  }

  #relinked(child: Family, to: string | null, isVisible: boolean, why: 'merge'): void {
    for (const slot of child.parts) {
      const from = this.#hostOf(slot);
      const hadLink = this.#isSeen(child, slot);
      this.#said.links.push({ ...ofEvent(slot), from, to, why, published: hadLink });
      if (hadLink) this.#underWay(slot, true);
      this.#seen(hadLink, isVisible);
    }
  }

  #seen(before: boolean, after: boolean): void {
    if (after && !before) this.#said.appear++;
    if (before && !after) this.#said.disappear++;
  }

  #hostOf(slot: Slot): string | null {
    const row = this.#calendar.meetings.get(slot.record?.meeting ?? 0);
    return row && row.goneAt === null ? row.hostEmail : null;
  }

  async #isHeld(number: number): Promise<boolean> {
    const meeting = await this.#read(number);
    if (!meeting) return false;
    const user = await this.#parts.zoom.user(meeting.hostEmail ?? meeting.hostId, this.#signal);
    return user?.active ?? false;
  }

  /** @throws ZoomError */
  #read(number: number): Promise<ZoomMeeting | null> {
    return this.#parts.zoom.read(number, this.#signal);
  }

  async #mayHandOver(from: string, to: string): Promise<boolean> {
    try {
      return await this.#parts.zoom.mayHandOver(from, to, this.#signal);
    } catch (error) {
      if (error instanceof ZoomError && error.reason === 'host-gone') return false;
      throw error;
    }
  }

  /** What a host without a licence means for these events. */
  async #basic(slots: readonly Slot[], owner: string): Promise<void> {
    const { zoom, canvas } = this.#parts;
    const ahead = slots.filter(({ event }) => !isOver(event, canvas.now()));
    // The placeholder holds no classes.
    if (ahead.length === 0 || emailKey(owner) === emailKey(zoom.defaultOwner)) return;
    const user = await zoom.user(owner, this.#signal);
    if (!user || user.licensed) return;
    const long = ahead.filter(({ event: { start_at, end_at } }) => {
      return Date.parse(end_at ?? '') - Date.parse(start_at ?? '') > BASIC_MS;
    });
    this.#said.basic = { email: user.email, name: user.name, events: ahead.length, long: long.length };
  }

  async #hosts(): Promise<void> {
    const { zoom } = this.#parts;
    const days = hostDaysOf(this.#parts);
    const left = await days.left([...this.#needs.keys()]);
    for (const [email, needed] of this.#needs) {
      const user = await zoom.user(email, this.#signal);
      const rest = left.get(email) ?? 0;
      const wait = Math.max(0, needed - rest);
      const until = wait > 0 ? days.nextDay().toISOString() : null;
      this.#said.hosts.push({ email, name: user?.name ?? email, needed, left: rest, wait, until });
    }
  }
}

const GONE = 'This event is no longer in the calendar of the course.';

function ofEvent({ event: { id: event, title, start_at } }: Pick<Slot, 'event'>) {
  return { event, title, start_at };
}
