/** Makes a change on each of its events, for the change itself and for its preview. */
import type { ZoomChange } from '@lms-admin/contract/zoom';
import type { ItemRow, NewItem } from '../jobs/items.ts';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { itemInput } from './change-outcome.ts';
import type { DesiredState } from './engine-parts.ts';
import { nothingDone, wordsOfLate } from './event-changes.ts';
import type { Reconciled } from './event-ends.ts';
import { currentFamily, lineOf, nameOf } from './families.ts';
import type { Intents } from './intents.ts';
import type { Engine } from './reconcile.ts';
import { mainEvent, mergeProblem } from './rules.ts';

const GONE = 'This event is no longer in the calendar of the course.';

/**
 * Returns the number of events done at the same time: merges change the text of one main event, so they run one by
 * one.
 */
export function atOnceOf({ change }: ZoomChange): number {
  return change === 'publish' ? 12 : 1;
}

/** Returns one item for each event of the course that the change names, directly or by its sections. */
export function itemsOf(calendar: Calendar, change: ZoomChange): NewItem[] {
  const eventIds = change.change === 'unmerge' ? [change.event] : change.events;
  const items = new Map<number, NewItem>();
  const nameOf = (id: number) => {
    const own = calendar.of.get(id)?.own;
    const { courseId: course } = calendar;
    return { event: own?.event.id ?? id, reservation: own?.reservationId ?? null, course };
  };
  const main = change.change === 'merge' ? { ...nameOf(change.parent), event: change.parent } : null;
  for (const id of eventIds) {
    const family = calendar.of.get(id);
    const title = storable(family?.own.event.title ?? '');
    const input = { ...nameOf(id), main, title };
    items.set(input.event, {
      label: storable(family ? lineOf(family, calendar.zone) : `Event ${id}`),
      input,
    });
  }
  return [...items.values()];
}

/** @throws like the engine */
export async function doItem(
  engine: Engine,
  change: ZoomChange,
  item: Pick<ItemRow, 'input'>,
  intents: Intents,
): Promise<Reconciled> {
  const { calendar } = engine;
  const { main, ...of } = itemInput.parse(item.input);
  const family = currentFamily(calendar, of);
  if (!family) return failed(GONE, 'Choose from the current events of the course.');
  if (change.change === 'publish') return engine.reconcile(family, desiredOf(change), intents);
  if (change.change === 'unmerge') return engine.unmerge(family, intents);
  return mergeOne(engine, family, main === null ? change.parent : idNow(calendar, main), intents);
}

/**
 * Removes former meetings once every event is done: the last event may have been the last to link to one.
 * @param rest those that are not done, as the change was cancelled
 * @returns a text about what was removed and what could not be; null if there was nothing to remove
 */
export async function finishChange(
  engine: Engine,
  change: ZoomChange,
  rest: readonly Pick<ItemRow, 'input'>[] = [],
): Promise<string | null> {
  if (change.change !== 'publish') return null;
  const left = new Set(rest.map(({ input }) => currentFamily(engine.calendar, itemInput.parse(input))));
  const families = change.events
    .flatMap((id) => engine.calendar.of.get(id) ?? [])
    .filter((family) => !left.has(family));
  const { late, refused } = await engine.removeOldsOf(new Set(families));
  const removed = Object.fromEntries(
    [...late].flatMap(([family, { oldRemoved, doublesRemoved }]) =>
      [...oldRemoved, ...doublesRemoved].map((number) => [number, nameOf(family, engine.calendar.zone)]),
    ),
  );
  const words = [
    wordsOfLate(removed),
    refused === 0
      ? null
      : `Zoom did not delete the former ${refused === 1 ? 'meeting of 1 event' : `meetings of ${refused} events`}. The next run tries again.`,
  ];
  return words.filter((one) => one !== null).join(' ') || null;
}

/** Returns the current id of a main event. The id of a section's event stays as given, and is refused. */
function idNow(calendar: Calendar, main: { event: number; reservation: string | null }): number {
  if (calendar.of.has(main.event)) return main.event;
  return currentFamily(calendar, main)?.own.event.id ?? main.event;
}

function mergeOne(
  engine: Engine,
  child: Family,
  parent: number,
  intents: Intents,
): Promise<Reconciled> | Reconciled {
  try {
    const main = mainEvent(engine.calendar, parent);
    const problem = mergeProblem(engine.calendar, child, main);
    return problem === null ? engine.merge(child, main, intents) : failed(problem);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal')
      return failed(`${error.message} ${error.next}`);
    throw error;
  }
}

function desiredOf({
  owner,
  co_hosts: coHosts,
  visible,
}: Extract<ZoomChange, { change: 'publish' }>): DesiredState {
  return { owner, coHosts, visible };
}

export function failed(message: string, next: string | null = null): Reconciled {
  return { state: 'failed', message, changes: nothingDone(), next };
}
