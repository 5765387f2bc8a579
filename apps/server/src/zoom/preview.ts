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
import { linkInTexts } from '@lms-admin/domain/zoom-links';
import type { Admin } from '../auth/admin.ts';
import { mapLimited } from '../platform/limited.ts';
import { ZoomError, type ZoomMeeting } from '../zoom-api/types.ts';
import { type Calendar, type Family, readCalendar, type Slot } from './calendar.ts';
import { type ChangeParts, checkChange } from './change-kind.ts';
import { childrenOf, mainOf } from './families.ts';
import { hostDaysOf } from './open.ts';
import { isOver, OVER, unfit } from './problems.ts';
import { mergedWith } from './reconcile.ts';
import { coHostsOf, ZoomRecords } from './records.ts';
import { mainEvent, mergeProblem } from './rules.ts';

type Publish = Extract<ZoomChange, { change: 'publish' }>;
type Merge = Extract<ZoomChange, { change: 'merge' }>;
/** Meetings that are read at the same time. */
const AT_ONCE = 16;

/** @throws like `checkChange` */
export async function previewChange(
  parts: ChangeParts,
  admin: Admin,
  change: ZoomChange,
  signal: AbortSignal,
): Promise<ZoomPreview> {
  await checkChange(parts, admin, change, signal);
  const records = new ZoomRecords(parts.db.db, await parts.identity.lastSeen(admin.token));
  const calendar = await readCalendar(parts, records, change.course, { token: admin.token, signal });
  const preview = new Preview(parts, calendar, signal);
  if (change.change === 'publish') return preview.publish(change);
  return change.change === 'merge' ? preview.merge(change) : preview.unmerge(change.event);
}

class Preview {
  readonly #parts: ChangeParts;
  readonly #calendar: Calendar;
  readonly #signal: AbortSignal;
  readonly #needs = new Map<string, number>();
  readonly #said: ZoomPreview = {
    events: 0,
    make: 0,
    update: 0,
    unchanged: 0,
    links: [],
    shared: [],
    appear: 0,
    disappear: 0,
    hosts: [],
    problems: [],
  };

  constructor(parts: ChangeParts, calendar: Calendar, signal: AbortSignal) {
    this.#parts = parts;
    this.#calendar = calendar;
    this.#signal = signal;
  }

  async publish(change: Publish): Promise<ZoomPreview> {
    const families = new Set<Family>();
    for (const id of change.events) {
      const family = this.#calendar.of.get(id);
      if (family) families.add(family);
      else this.#said.problems.push({ event: id, title: '', start_at: null, message: GONE });
    }
    for (const family of families) this.#said.events += family.parts.length;
    const able = [...families].filter((family) => this.#isAble(family));
    const slots = able.flatMap(({ parts }) => parts);
    const steps = new Map(
      await mapLimited(slots, AT_ONCE, async (slot) => [slot, await this.#decide(slot, change)] as const),
    );
    for (const family of able) this.#count(family, steps, change.visible);
    await this.#hosts();
    return this.#said;
  }

  merge({ parent, events }: Merge): ZoomPreview {
    const main = mainEvent(this.#calendar, parent);
    const to = this.#hostOf(main.own);
    const isVisible = main.own.record?.visible ?? false;
    for (const id of new Set(events)) {
      const child = this.#calendar.of.get(id);
      const problem = child ? mergeProblem(this.#calendar, child, main) : GONE;
      if (child) this.#said.events += child.parts.length;
      if (problem !== null || !child) {
        const { title = '', start_at = null } = child?.own.event ?? {};
        this.#said.problems.push({ event: id, title, start_at, message: problem ?? GONE });
        continue;
      }
      this.#relinked(child, to, isVisible, 'merge');
    }
    return this.#said;
  }

  async unmerge(event: number): Promise<ZoomPreview> {
    const child = this.#calendar.of.get(event);
    if (!child) return this.#said;
    this.#said.events = child.parts.length;
    const there = await mapLimited(child.parts, AT_ONCE, async (slot) => {
      const number = slot.record?.meeting ?? null;
      return number !== null && (await this.#read(number)) !== null;
    });
    const main = mainOf(this.#calendar, child);
    const wasShown = main?.own.record?.visible ?? false;
    const isShown = (child.own.record?.visible ?? false) && there.includes(true);
    for (const [index, slot] of child.parts.entries()) {
      const to = there[index] ? this.#hostOf(slot) : null;
      const from = main ? this.#hostOf(main.own) : null;
      this.#said.links.push({ ...ofEvent(slot), from, to, why: 'unmerge', published: wasShown });
      this.#seen(wasShown, isShown);
    }
    return this.#said;
  }

  #isAble(family: Family): boolean {
    const main = mainOf(this.#calendar, family);
    const message = main ? mergedWith(main) : unfit(family.own.event);
    if (message === null) return true;
    this.#said.problems.push({ ...ofEvent(family.own), message });
    return false;
  }

  async #decide(
    slot: Slot,
    { owner, co_hosts: coHosts }: Publish,
  ): Promise<{ step: MeetingStep; host: string | null }> {
    const { zoom, canvas } = this.#parts;
    const number = slot.record?.meeting ?? null;
    const row = number === null ? null : (this.#calendar.meetings.get(number) ?? null);
    const meeting = number === null ? null : await this.#read(number);
    const host = meeting ? emailKey(meeting.hostEmail ?? row?.hostEmail ?? '') : null;
    const may = host !== null && host !== emailKey(owner) && (await this.#mayHandOver(host, owner));
    const { title, start_at, end_at } = slot.event;
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

  #count(
    family: Family,
    steps: ReadonlyMap<Slot, { step: MeetingStep; host: string | null }>,
    visible: boolean,
  ): void {
    const wasShown = family.own.record?.visible ?? false;
    const merged = childrenOf(this.#calendar, family);
    for (const slot of family.parts) {
      const { step, host } = steps.get(slot) ?? { step: null, host: null };
      if (!step) continue;
      const over = isOver(slot.event, this.#parts.canvas.now());
      if (over && !(step.step === 'keep' && step.handOver === null && step.change.coHosts === undefined)) {
        this.#said.problems.push({ ...ofEvent(slot), message: OVER });
        continue;
      }
      if (step.step === 'make') this.#said.make++;
      else if (isNothing(step) || over) this.#said.unchanged++;
      else this.#said.update++;
      if (!over && !isNothing(step)) {
        const use = hostDayUse(step, host);
        this.#needs.set(use.host, (this.#needs.get(use.host) ?? 0) + use.count);
        for (const child of merged) this.#said.shared.push({ ...ofEvent(child.own), with: slot.event.title });
      }
      this.#changedLinks(slot, step, host, wasShown, merged);
      for (const _ of [slot, ...merged.flatMap(({ parts }) => parts)]) this.#seen(wasShown, visible);
    }
  }

  #changedLinks(
    slot: Slot,
    step: MeetingStep,
    from: string | null,
    published: boolean,
    merged: readonly Family[],
  ): void {
    if (step.step !== 'make') return;
    if (step.why === 'none') {
      // A link of its own text stays there, and students will have two.
      if (linkInTexts(slot.event, this.#parts.zoom.links) && slot.record === null)
        this.#said.links.push({ ...ofEvent(slot), from: null, to: step.host, why: 'host', published: true });
      return;
    }
    for (const one of [slot, ...merged.map(({ own }) => own)])
      this.#said.links.push({ ...ofEvent(one), from, to: step.host, why: step.why, published });
  }

  #relinked(child: Family, to: string | null, isVisible: boolean, why: 'merge'): void {
    const wasShown = child.own.record?.visible ?? false;
    for (const slot of child.parts) {
      const from = this.#hostOf(slot);
      const hadLink = wasShown && from !== null;
      this.#said.links.push({ ...ofEvent(slot), from, to, why, published: hadLink });
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

function ofEvent({ event: { id: event, title, start_at } }: Slot) {
  return { event, title, start_at };
}
