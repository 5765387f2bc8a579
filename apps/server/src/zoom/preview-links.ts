/** What happens to the links of a course's events in a change, from the states before and after its trial. */
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
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
type LinkDetails = Pick<
  ZoomPreview,
  'links' | 'left' | 'texts' | 'set' | 'running' | 'appear' | 'disappear'
> &
  Required<Pick<ZoomPreview, 'appear_events' | 'disappear_events'>>;

export interface TriedChange {
  calendar: Calendar;
  records: RecordStore;
  /** Beginnings of links. */
  bases: readonly string[];
  /** Email of the placeholder account. */
  placeholder: string;
  now: Date;
  /** Events that the change hides, even if they are hidden already. */
  hides: ReadonlySet<Family>;
  before: States;
  after: States;
  /** Whether Zoom still has a meeting that was replaced. */
  isThere: (number: number) => Promise<boolean>;
  /** Whether a meeting has started in Zoom. */
  hasStarted: (number: number) => Promise<boolean>;
}

/** An event, or one of its sections, before and after the change. */
interface Turn {
  family: Family;
  slot: Slot;
  was: FamilyState;
  is: FamilyState;
}

const NONE_SEEN = { appear: 0, disappear: 0, appear_events: 0, disappear_events: 0 };

/**
 * Collects the links, the texts and the view of students for all events of the course, including those that were not
 * chosen.
 */
export async function linkDetailsOf(tried: TriedChange): Promise<LinkDetails> {
  const details: LinkDetails = { links: [], left: [], texts: [], set: [], running: [], ...NONE_SEEN };
  for (const family of tried.calendar.families) {
    const [was, is] = [tried.before.get(family), tried.after.get(family)];
    if (!was || !is) continue;
    const links: Link[] = [];
    const { appear, disappear } = details;
    for (const slot of family.parts) {
      const turn = { family, slot, was, is };
      links.push(...(await linksOfTurn(tried, turn)));
      const [seenBefore, seenAfter] = [seenBy(was, slot).length > 0, seenBy(is, slot).length > 0];
      if (seenAfter && !seenBefore) details.appear++;
      if (seenBefore && !seenAfter) details.disappear++;
      const running = await underWay(tried, turn);
      if (running !== null) details.running.push({ ...ofEvent(slot), ...running });
    }
    if (details.appear > appear) details.appear_events++;
    if (details.disappear > disappear) details.disappear_events++;
    details.links.push(...links);
    const isLeft = leavesWritten(tried, family, was, is);
    if (isLeft) details.left.push(ofEvent(family.own));
    const isSet = was.main === is.main && was.visible !== is.visible;
    if (isSet && details.appear + details.disappear === appear + disappear)
      details.set.push({ ...ofEvent(family.own), visible: is.visible, known: was.isKnown });
    const isOther = links.some(({ why }) => why !== 'merge-same');
    const how = isOther ? null : await repairOf(tried, family, was, is);
    if (how !== null) details.texts.push({ ...ofEvent(family.own), how });
    const isNew = is.ours.length > 0 && was.ours.length === 0 && !was.visible;
    // Links that people have typed are kept as well, and are reported once.
    if (isNew && is.written.length > 0 && !isLeft)
      details.links.push({
        ...ofEvent(family.own),
        from: null,
        to: hostOf(is, family),
        why: 'written',
        published: true,
      });
  }
  return details;
}

/**
 * Returns whether a person's link stays, although the event is hidden, loses its link or gets that of another
 * meeting. In a hidden event no link should remain.
 */
function leavesWritten({ hides }: TriedChange, family: Family, was: FamilyState, is: FamilyState): boolean {
  if (was.main === is.main && !is.visible) return hides.has(is.main ?? family) && is.written.length > 0;
  if (was.main !== is.main && is.main) return leftOfMerged(is, is.main, is.visible).length > 0;
  if (was.main !== is.main) return leftLinks(was, is).length > 0;
  const isLost = family.parts.some((slot) => seenBy(was, slot).length > 0 && seenBy(is, slot).length === 0);
  return isLost && leftLinks(was, is).length > 0;
}

/** Returns the links of an event that will change. */
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
    // A person may have copied the link of the main event into the event before.
    const isSame =
      is.main !== null && is.visible && seen.length > 0 && seen.every((one) => one.link === to?.link);
    const copied = isSame && host === null ? 'merge-same' : 'merge';
    const merged = is.visible ? copied : 'merge-hidden';
    const why = is.main ? merged : hasNone ? 'unmerge-none' : 'unmerge';
    return [link(why, seen.length > 0 && !isSame, host)];
  }
  const its = was.slots.get(slot)?.numbers ?? new Set();
  const links: Link[] = [];
  const isOwnSeen = seen.some(({ number }) => its.has(number));
  const isReplaced = from !== null && to !== null && from.number !== to.number;
  // Applies even if a run has removed the former link: copies of it stop working.
  if (isReplaced) links.push(link((await tried.isThere(from.number)) ? 'host' : 'gone', isOwnSeen));
  else if (from && to && !from.gone && from.link !== to.link) links.push(link('passcode', isOwnSeen));
  // The meeting was created earlier, but Canvas has not accepted its link yet.
  const former =
    isReplaced || seen[0]?.number === from?.number ? undefined : seen.find(({ number }) => its.has(number));
  const left = new Set(seenBy(is, slot).map(({ number }) => number));
  if (former && !left.has(former.number))
    links.push(link('host', true, (await tried.records.meeting(former.number))?.hostEmail ?? null));
  // Foreign links that are replaced.
  const other = otherSeen(tried.calendar, turn, left);
  if (other) {
    const host = (await tried.records.meeting(other.number))?.hostEmail ?? null;
    links.push(link(other.ofSections ? 'sections' : 'copied', true, host));
  }
  return links;
}

/** Returns whether people may be in the event's meeting now while its link or host changes; null if neither changes. */
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
  // A merged event's own meeting stays in any case.
  return started || began ? { link, stays: started && link && was.main === is.main } : null;
}

/** Returns whether an event gets another link (true) or host (false); null for neither. */
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

/** Returns the corrections in the texts of an event whose link stays the same; null if there are none. */
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
  // Reordered lines were not edited by a person.
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
