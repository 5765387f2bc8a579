/** What becomes of the links of a course's events by a change, told by what there was before its trial and what there is after it. */
import type { ZoomPreview } from '@lms-admin/contract/zoom';
import type { Calendar } from './calendar.ts';
import type { Family, Slot } from './calendar-event.ts';
import { linesOf } from './families.ts';
import { isOver } from './problems.ts';
import type { RecordStore } from './records.ts';
import { foundIn } from './shown-links.ts';
import {
  type FamilyState,
  heldBy,
  isSameText,
  leftLinks,
  leftOfMerged,
  type MeetingState,
  otherSeen,
  type States,
  seenBy,
} from './trial-states.ts';

type Link = ZoomPreview['links'][number];
type Told = Pick<ZoomPreview, 'links' | 'left' | 'texts' | 'set' | 'running' | 'appear' | 'disappear'> &
  Required<Pick<ZoomPreview, 'appear_events' | 'disappear_events'>>;

export interface TriedChange {
  calendar: Calendar;
  records: RecordStore;
  /** What links begin with. */
  bases: readonly string[];
  /** Email of the default owner. */
  placeholder: string;
  now: Date;
  /** Events that are named to be hidden, hidden already or not. */
  hides: ReadonlySet<Family>;
  before: States;
  after: States;
  /** Whether Zoom has a meeting whose place another one takes. */
  isThere: (number: number) => Promise<boolean>;
  /** Whether a meeting has started in Zoom. */
  hasStarted: (number: number) => Promise<boolean>;
}

/** An event, or one of its sections, before and after. */
interface Turn {
  family: Family;
  slot: Slot;
  was: FamilyState;
  is: FamilyState;
}

const NONE_SEEN = { appear: 0, disappear: 0, appear_events: 0, disappear_events: 0 };

/** Links, texts and what students see, of all events of the course: also of those that were not chosen. */
export async function toldOfLinks(tried: TriedChange): Promise<Told> {
  const told: Told = { links: [], left: [], texts: [], set: [], running: [], ...NONE_SEEN };
  for (const family of tried.calendar.families) {
    const [was, is] = [tried.before.get(family), tried.after.get(family)];
    if (!was || !is) continue;
    const links: Link[] = [];
    const { appear, disappear } = told;
    for (const slot of family.parts) {
      const turn = { family, slot, was, is };
      links.push(...(await linksOfTurn(tried, turn)));
      const [seenBefore, seenAfter] = [seenBy(was, slot).length > 0, seenBy(is, slot).length > 0];
      if (seenAfter && !seenBefore) told.appear++;
      if (seenBefore && !seenAfter) told.disappear++;
      const running = await underWay(tried, turn);
      if (running !== null) told.running.push({ ...ofEvent(slot), ...running });
    }
    if (told.appear > appear) told.appear_events++;
    if (told.disappear > disappear) told.disappear_events++;
    told.links.push(...links);
    const isLeft = leavesWritten(tried, family, was, is);
    if (isLeft) told.left.push(ofEvent(family.own));
    const isSet = was.main === is.main && was.visible !== is.visible;
    if (isSet && told.appear + told.disappear === appear + disappear)
      told.set.push({ ...ofEvent(family.own), visible: is.visible, known: was.isKnown });
    const how = links.length > 0 ? null : await repairOf(tried, family, was, is);
    if (how !== null) told.texts.push({ ...ofEvent(family.own), how });
    const isNew = is.ours.length > 0 && was.ours.length === 0 && !was.visible;
    // What people have written stays beside it, and is told once.
    if (isNew && is.written.length > 0 && !isLeft)
      told.links.push({
        ...ofEvent(family.own),
        from: null,
        to: hostOf(is, family),
        why: 'written',
        published: true,
      });
  }
  return told;
}

/**
 * Whether a link that a person has written stays, although the event is to be hidden, loses its link or gets that of another
 * meeting. Of a hidden event any link is one too many.
 */
function leavesWritten({ hides }: TriedChange, family: Family, was: FamilyState, is: FamilyState): boolean {
  if (was.main === is.main && !is.visible) return hides.has(is.main ?? family) && is.written.length > 0;
  if (was.main !== is.main && is.main) return leftOfMerged(is, is.main, is.visible).length > 0;
  if (was.main !== is.main) return leftLinks(was, is).length > 0;
  const isLost = family.parts.some((slot) => seenBy(was, slot).length > 0 && seenBy(is, slot).length === 0);
  return isLost && leftLinks(was, is).length > 0;
}

/** The links of an event that will be others than now. */
async function linksOfTurn(tried: TriedChange, turn: Turn): Promise<Link[]> {
  const { slot, was, is } = turn;
  const [from, to] = [was.slots.get(slot)?.meeting ?? null, heldBy(is, slot)];
  const seen = seenBy(was, slot);
  const link = (why: Link['why'], published: boolean, host: string | null = from?.host ?? null): Link => {
    return { ...ofEvent(slot), from: host, to: to?.host ?? null, why, published };
  };
  if (was.main !== is.main) {
    const host = heldBy(was, slot)?.host ?? null;
    const hasNone = is.slots.get(slot)?.meeting === null;
    const merged = is.visible ? 'merge' : 'merge-hidden';
    const why = is.main ? merged : hasNone ? 'unmerge-none' : 'unmerge';
    return [link(why, seen.length > 0, host)];
  }
  const its = was.slots.get(slot)?.numbers ?? new Set();
  const links: Link[] = [];
  const isOwnSeen = seen.some(({ number }) => its.has(number));
  const isReplaced = from !== null && to !== null && from.number !== to.number;
  // Also where a run has removed the former link: copies of it stop working.
  if (isReplaced) links.push(link((await tried.isThere(from.number)) ? 'host' : 'gone', isOwnSeen));
  else if (from && to && !from.gone && from.link !== to.link) links.push(link('passcode', isOwnSeen));
  // It was made before, and Canvas did not take it yet.
  const former =
    isReplaced || seen[0]?.number === from?.number ? undefined : seen.find(({ number }) => its.has(number));
  const left = new Set(seenBy(is, slot).map(({ number }) => number));
  if (former && !left.has(former.number))
    links.push(link('host', true, (await tried.records.meeting(former.number))?.hostEmail ?? null));
  // Links that are none of its own, and give way.
  const other = otherSeen(tried.calendar, turn, left);
  if (other) {
    const host = (await tried.records.meeting(other.number))?.hostEmail ?? null;
    links.push(link(other.ofSections ? 'sections' : 'copied', true, host));
  }
  return links;
}

/** Whether people may be in its meeting now, and it gets another link or host; null: neither. */
async function underWay(
  { now, hasStarted }: TriedChange,
  turn: Turn,
): Promise<Pick<ZoomPreview['running'][number], 'link' | 'stays'> | null> {
  const link = isRelinked(turn);
  if (link === null) return null;
  const { slot, was, is } = turn;
  const { start_at } = slot.event;
  const from = was.slots.get(slot)?.meeting ?? null;
  const started = from !== null && (await hasStarted(from.number));
  const began = start_at !== null && Date.parse(start_at) <= now.getTime() && !isOver(slot.event, now);
  // The own meeting of an event that is merged stays anyway.
  return started || began ? { link, stays: started && link && was.main === is.main } : null;
}

/** Whether it gets another link (true) or host (false); null: neither. */
function isRelinked({ slot, was, is }: Turn): boolean | null {
  const [from, to] = [was.slots.get(slot)?.meeting ?? null, heldBy(is, slot)];
  const [seen, left] = [seenBy(was, slot), seenBy(is, slot)];
  const isOther = seen.length > 0 && seen[0]?.number !== left[0]?.number;
  if (was.main !== is.main) return isOther ? true : null;
  if (from && to && from.number !== to.number) return true;
  if (isOther && left.length > 0) return true;
  return from && to && !isSameHost(from, to) ? false : null;
}

const isSameHost = (a: MeetingState, b: MeetingState) => a.host === b.host;

/** What is put right in the texts of an event whose link stays the same; null: nothing. */
async function repairOf(
  { calendar, records, bases, placeholder }: TriedChange,
  family: Family,
  was: FamilyState,
  is: FamilyState,
): Promise<ZoomPreview['texts'][number]['how'] | null> {
  const isPublished = is.visible && is.ours.length > 0 && (was.visible || was.ours.length > 0);
  if (!isPublished || isSameText(was.texts, is.texts)) return null;
  const event = { ...family.own.event, ...was.texts };
  const found = await foundIn({ records, bases }, event, linesOf(calendar, family, is.main, placeholder));
  // Lines that only change places were edited by no one.
  if (found === 'reordered') return null;
  if (found === 'outdated' || found === 'relinked') return 'outdated';
  return found === 'missing' ? 'missing' : 'edited';
}

function hostOf(state: FamilyState, { parts }: Family): string | null {
  return parts.map((slot) => heldBy(state, slot)?.host).find((host) => host !== undefined) ?? null;
}

export function ofEvent({ event: { id: event, title, start_at } }: Pick<Slot, 'event'>) {
  return { event, title, start_at };
}
