/** A short name for what a preview tells: another one where the change would do something else, or do it to something else. */
import { createHash } from 'node:crypto';
import type { ZoomPreview } from '@lms-admin/contract/zoom';
import type { Family } from './calendar-event.ts';
import type { Trial } from './change-trial.ts';
import { heldBy, type States } from './trial-states.ts';

/** What a preview tells of the change itself, and not of its host's days and other meetings. */
export type ToldOfChange = Omit<
  ZoomPreview,
  'digest' | 'hosts' | 'basic' | 'clashes' | 'unchecked' | 'elsewhere'
>;

/** The same for as long as nothing is changed of the events and meetings that the change concerns. Titles and times do not count. */
export function digestOf(trial: Trial, told: ToldOfChange): string {
  const { change, tried } = trial;
  const coHosts = told.co_hosts.filter(({ from, to }) => from.join() !== to.join());
  const facts = {
    change,
    made: tried.made.size,
    changed: sorted(tried.changed),
    removed: sorted(tried.removed),
    events: eventsOf(trial),
    links: sorted(told.links.map(({ event, why, from, to, published }) => [event, why, from, to, published])),
    coHosts: sorted(coHosts.map(({ event, from, to }) => [event, from, to])),
    texts: sorted(told.texts.map(({ event, how }) => [event, how])),
    left: sorted(told.left.map(({ event }) => event)),
    former: sorted(told.former.map(({ event }) => event)),
    shared: sorted(told.shared.map(({ event }) => event)),
    running: sorted(told.running.map(({ event, link, stays }) => [event, link, stays])),
    waiting: sorted(told.waiting.map(({ event, by, main }) => [event, by, main ?? false])),
    problems: sorted(told.problems.map(({ event }) => event)),
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
}

/** Whether everything is as wished already, and no one else has a wish that would give way. */
export function isNothing(trial: Trial, { texts, waiting, problems }: ToldOfChange): boolean {
  const { made, changed, removed } = trial.tried;
  const isQuiet = made.size + changed.size + removed.size + texts.length === 0;
  const isAlone = waiting.length + problems.length === 0;
  return isQuiet && isAlone && eventsOf(trial).every(([, was, is]) => isSame(was, is));
}

const isSame = (was: unknown, is: unknown) => JSON.stringify(was) === JSON.stringify(is);

/** Before and afterwards: the events that are named, those that share a meeting with them, and all that would be others. */
function eventsOf({ calendar, came, before, after, tried: { made } }: Trial): [number, unknown, unknown][] {
  const groupsOf = (family: Family) => [before, after].map((states) => states.get(family)?.main ?? family);
  const groups = new Set(came.flatMap(({ family }) => (family ? groupsOf(family) : [])));
  return calendar.families.flatMap((family) => {
    const [was, is] = [stateOf(before, family, made), stateOf(after, family, made)];
    const isConcerned = groupsOf(family).some((main) => groups.has(main));
    return isConcerned || !isSame(was, is) ? [[family.own.event.id, was, is]] : [];
  });
}

function stateOf(states: States, family: Family, made: ReadonlySet<number>): unknown {
  const state = states.get(family);
  if (!state) return null;
  // What is only tried has no number yet.
  const numberOf = (number: number) => (made.has(number) ? 'new' : number);
  return {
    main: state.main?.own.event.id ?? null,
    visible: state.visible,
    links: state.ours.map(({ number, link }) => [numberOf(number), made.has(number) ? null : link]),
    meetings: family.parts.map((slot) => {
      const meeting = heldBy(state, slot);
      return [slot.event.id, meeting && numberOf(meeting.number), meeting?.host.toLowerCase() ?? null];
    }),
  };
}

/** In an order of its own: events are worked on at the same time. */
function sorted(some: Iterable<unknown>): string[] {
  return [...some].map((one) => JSON.stringify(one)).sort();
}
