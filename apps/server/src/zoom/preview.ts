/**
 * Preview of a change (OP-102 to OP-104). The change's own engine works on records in memory, with clients that write
 * nothing, and the preview describes the resulting state.
 */
import type { ZoomChange } from '@lms-admin/contract/zoom';
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import type { Admin } from '../auth/admin.ts';
import { mapLimited } from '../platform/limited.ts';
import { aboutHost } from './about-host.ts';
import type { Family, Slot } from './calendar-event.ts';
import { type ChangeParts, checkChange } from './change-check.ts';
import { type Came, type Trial, type Tried, touched, tryChange } from './change-trial.ts';
import { changedNothing } from './event-changes.ts';
import { childrenOf, mainOf, namesMeeting } from './families.ts';
import { groupElsewhere } from './group-elsewhere.ts';
import { hostDaysOf } from './open.ts';
import { waitingChanges } from './other-changes.ts';
import { type ChangeDetails, digestOf, isNothing } from './preview-digest.ts';
import { linkDetailsOf, ofEvent } from './preview-links.ts';
import { coHostsOf } from './records.ts';
import { type FamilyState, heldBy } from './trial-states.ts';

/** @throws like `checkChange` */
export async function previewChange(
  parts: ChangeParts,
  admin: Admin,
  change: ZoomChange,
  signal: AbortSignal,
): Promise<ZoomPreview> {
  await checkChange(parts, admin, change, signal);
  const lms = await parts.identity.lastSeen(admin.token);
  const trial = await tryChange(parts, admin, { change, lms, signal });
  const details = await detailsOf(trial);
  return {
    ...details,
    digest: digestOf(trial, details),
    hosts: await hostsOf(trial),
    ...(await aboutHost(trial)),
  };
}

/**
 * Returns whether a change would still do what this preview showed, or has nothing left to do.
 * @throws like `tryChange`
 */
export async function isAsPreviewed(
  parts: ChangeParts,
  admin: Admin,
  tried: Tried,
  digest: string,
): Promise<boolean> {
  const trial = await tryChange(parts, admin, tried);
  const details = await detailsOf(trial);
  return digestOf(trial, details) === digest || isNothing(trial, details);
}

/** Changes and their events; the context is reported separately. */
async function detailsOf(trial: Trial): Promise<ChangeDetails> {
  const { parts, calendar, records, zoom, change, came } = trial;
  const { links: bases, defaultOwner: placeholder } = zoom;
  const isHiding = change.change === 'publish' && !change.visible;
  const hides = new Set(isHiding ? came.flatMap(({ family }) => family ?? []) : []);
  const links = await linkDetailsOf({ ...trial, bases, placeholder, now: parts.canvas.now(), hides });
  return {
    ...countsOf(trial, links),
    ...links,
    co_hosts: [...came.flatMap(({ end }) => end.changes.coHosts), ...coHostsOfGroup(trial)],
    former: await formerLinks(trial),
    shared: await sharedWith(trial),
    waiting: await waitingChanges(parts.db.db, records.lms, calendar, change),
    problems: came.filter(({ end }) => end.state === 'failed').map(problemOf),
    over: came.flatMap(({ end }) =>
      end.changes.over.map(({ event, title, start_at, hasMeeting: meeting }) => ({
        event,
        title,
        start_at,
        meeting,
      })),
    ),
  };
}

function problemOf({ event, family, end }: Came): ZoomPreview['problems'][number] {
  const of = family ? ofEvent(family.own) : { event, title: '', start_at: null };
  const removed =
    end.changes.linksRemoved.length > 0
      ? ' Its link is removed, as it does not lead to a valid meeting.'
      : '';
  return { ...of, message: (end.problem ?? end.message) + removed, part: !changedNothing(end.changes) };
}

function countsOf(
  trial: Trial,
  { links }: Pick<ZoomPreview, 'links'>,
): Pick<ZoomPreview, 'events' | 'make' | 'update' | 'removed' | 'unchanged'> {
  const { tried, came, change, before } = trial;
  const families = came.flatMap(({ family }) => family ?? []);
  // The meetings of these events stay, but students get another link.
  const relinked = new Set(links.filter(({ why }) => why === 'host').map(({ event }) => event));
  const overs = came.flatMap(({ end }) => end.changes.over.filter(({ hasMeeting }) => !hasMeeting));
  const without = new Set(overs.map(({ event }) => event));
  const isSame = (family: Family, slot: Slot) => {
    // The section has no meeting that could stay as it is.
    if (without.has(slot.event.id)) return false;
    if (change.change === 'unmerge') return false;
    if (change.change === 'merge') return before.get(family)?.main === mainOf(trial.calendar, family);
    return touched(trial, slot) === null && !relinked.has(slot.event.id);
  };
  const same = came
    .flatMap(({ family, end }) => (family && end.state === 'done' ? [family] : []))
    .flatMap((family) => family.parts.filter((slot) => isSame(family, slot)));
  return {
    events: families.reduce((sum, { parts }) => sum + parts.length, 0),
    make: tried.created.size,
    update: tried.changed.size,
    removed: tried.removed.size,
    unchanged: same.length,
  };
}

/** Returns the events that get their main event's meeting, or their own meeting back, if other people can start it. */
function coHostsOfGroup({ calendar, before, after, came }: Trial): ZoomPreview['co_hosts'] {
  const of = (state: FamilyState, slot: Slot) => {
    const row = calendar.meetings.get(heldBy(state, slot)?.number ?? 0);
    return row ? coHostsOf(row).sort() : null;
  };
  return came.flatMap(({ family }) => {
    const [was, is] = family ? [before.get(family), after.get(family)] : [];
    if (!family || !was || !is || was.main === is.main) return [];
    return family.parts.flatMap((slot) => {
      const [from, to] = [of(was, slot), of(is, slot)];
      if (from === null || to === null || from.join() === to.join()) return [];
      return [{ ...ofEvent(slot), from, to, known: from, unlicensed: [] }];
    });
  });
}

/** Returns the texts of the course that still link to the former meeting, which is kept until none does. */
async function formerLinks({ calendar, before, tried, isThere }: Trial): Promise<ZoomPreview['former']> {
  const former: ZoomPreview['former'] = [];
  for (const [family, { main, slots }] of before)
    for (const slot of main ? [] : family.parts) {
      const number = slots.get(slot)?.meeting?.number;
      if (number === undefined || !tried.created.has(slot.record?.meeting ?? 0)) continue;
      if (tried.removed.has(number) || !(await isThere(number))) continue;
      for (const { own } of calendar.families)
        if (namesMeeting(own.event, number)) former.push({ ...ofEvent(own), of: slot.event.title });
    }
  return former;
}

/**
 * Returns the events that were not chosen, even in other courses, whose meeting or visibility changes because they
 * share it.
 */
async function sharedWith(trial: Trial): Promise<ZoomPreview['shared']> {
  const { parts, admin, signal, calendar, records } = trial;
  const asking = { canvas: parts.canvas, records, calendar, token: admin.token, signal };
  const shared = calendar.families.map(async (family) => {
    const { own } = family;
    if (mainOf(calendar, family) || !changesForGroup(trial, family)) return [];
    const others = [
      ...childrenOf(calendar, family).map((child) => child.own),
      ...(await groupElsewhere(asking, family)),
    ];
    return others.map((one) => ({ ...ofEvent(one), with: own.event.title }));
  });
  return (await Promise.all(shared)).flat();
}

/** Returns whether a group's meeting changes, or what students can see of it. */
function changesForGroup(trial: Trial, family: Family): boolean {
  const [was, is] = [trial.before.get(family), trial.after.get(family)];
  if (touched(trial, family.own) !== null) return true;
  return was !== undefined && is !== undefined && was.visible !== is.visible;
}

/** Returns the calls needed and left in each host's daily limit. */
async function hostsOf({ parts, zoom, signal, taken }: Trial): Promise<ZoomPreview['hosts']> {
  const days = hostDaysOf(parts);
  const lefts = await days.left([...taken.keys()]);
  return mapLimited([...taken], 4, async ([email, needed]) => {
    const user = await zoom.user(email, signal);
    const left = lefts.get(email) ?? 0;
    const wait = Math.max(0, needed - left);
    const until = wait > 0 ? days.nextDay().toISOString() : null;
    return { email, name: user?.name ?? email, needed, left, wait, until };
  });
}
