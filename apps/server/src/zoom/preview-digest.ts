/** Digest of a preview: it differs if the change would now have other effects, or affect other events. */
import { createHash } from 'node:crypto';
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import type { Family } from './calendar-event.ts';
import type { Trial } from './change-trial.ts';
import { heldBy, type States } from './trial-states.ts';

/** Parts of a preview about the change itself, without its host's daily limit and other meetings. */
export type ChangeDetails = Omit<
  ZoomPreview,
  'digest' | 'hosts' | 'basic' | 'clashes' | 'unchecked' | 'elsewhere'
>;

/**
 * Returns the digest, which stays the same while the events and meetings concerned do not change, apart from titles
 * and times.
 */
export function digestOf(trial: Trial, details: ChangeDetails): string {
  const { change, tried } = trial;
  const coHosts = details.co_hosts.filter(({ from, to }) => from.join() !== to.join());
  const facts = {
    change,
    made: tried.created.size,
    changed: sorted(tried.changed),
    removed: sorted(tried.removed),
    events: eventsOf(trial),
    links: sorted(
      details.links.map(({ event, why, from, to, published }) => [event, why, from, to, published]),
    ),
    coHosts: sorted(coHosts.map(({ event, from, to }) => [event, from, to])),
    texts: sorted(details.texts.map(({ event, how }) => [event, how])),
    left: sorted(details.left.map(({ event }) => event)),
    former: sorted(details.former.map(({ event }) => event)),
    shared: sorted(details.shared.map(({ event }) => event)),
    running: sorted(details.running.map(({ event, link, stays }) => [event, link, stays])),
    waiting: sorted(details.waiting.map(({ event, by, main }) => [event, by, main ?? false])),
    problems: sorted(details.problems.map(({ event }) => event)),
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
}

/** Returns whether the desired state is reached already, and no waiting change of another person would be replaced. */
export function isNothing(trial: Trial, { texts, waiting, problems }: ChangeDetails): boolean {
  const { created, changed, removed } = trial.tried;
  const isQuiet = created.size + changed.size + removed.size + texts.length === 0;
  const isAlone = waiting.length + problems.length === 0;
  return isQuiet && isAlone && eventsOf(trial).every(([, was, is]) => isSame(was, is));
}

const isSame = (was: unknown, is: unknown) => JSON.stringify(was) === JSON.stringify(is);

/**
 * Returns the events of the change, those that share their meetings, and all that change, with their states before
 * and after.
 */
function eventsOf({
  calendar,
  came,
  before,
  after,
  tried: { created },
}: Trial): [number, unknown, unknown][] {
  const groupsOf = (family: Family) => [before, after].map((states) => states.get(family)?.main ?? family);
  const groups = new Set(came.flatMap(({ family }) => (family ? groupsOf(family) : [])));
  return calendar.families.flatMap((family) => {
    const [was, is] = [stateOf(before, family, created), stateOf(after, family, created)];
    const isConcerned = groupsOf(family).some((main) => groups.has(main));
    return isConcerned || !isSame(was, is) ? [[family.own.event.id, was, is]] : [];
  });
}

function stateOf(states: States, family: Family, created: ReadonlySet<number>): unknown {
  const state = states.get(family);
  if (!state) return null;
  // A meeting of the trial has no real number yet.
  const numberOf = (number: number) => (created.has(number) ? 'new' : number);
  return {
    main: state.main?.own.event.id ?? null,
    visible: state.visible,
    links: state.ours.map(({ number, link }) => [numberOf(number), created.has(number) ? null : link]),
    meetings: family.parts.map((slot) => {
      const meeting = heldBy(state, slot);
      return [slot.event.id, meeting && numberOf(meeting.number), meeting?.host.toLowerCase() ?? null];
    }),
  };
}

/** Sorts values, because events are processed concurrently. */
function sorted(some: Iterable<unknown>): string[] {
  return [...some].map((one) => JSON.stringify(one)).sort();
}
