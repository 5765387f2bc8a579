/** What a change does to each of its events: for the change itself, and for what its preview announces. */
import type { ZoomChange } from '@lms-admin/contract/zoom';
import type { ItemRow, NewItem } from '../jobs/items.ts';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { itemInput } from './change-outcome.ts';
import { nothingDone } from './did.ts';
import type { ZoomWish } from './engine-parts.ts';
import { familyAgain, lineOf } from './families.ts';
import type { Intents } from './intents.ts';
import type { Engine, Reconciled } from './reconcile.ts';
import { mainEvent, mergeProblem } from './rules.ts';

const GONE = 'This event is no longer in the calendar of the course.';

/** How many events are worked on at the same time: those that are merged with the same one change its students' view in turn. */
export function atOnceOf({ change }: ZoomChange): number {
  return change === 'publish' ? 12 : 1;
}

/** One for each event of the course that is named, itself or by its sections. */
export function itemsOf(calendar: Calendar, change: ZoomChange): NewItem[] {
  const asked = change.change === 'unmerge' ? [change.event] : change.events;
  const items = new Map<number, NewItem>();
  const nameOf = (id: number) => {
    const own = calendar.of.get(id)?.own;
    const { courseId: course } = calendar;
    return { event: own?.event.id ?? id, reservation: own?.reservationId ?? null, course };
  };
  const main = change.change === 'merge' ? { ...nameOf(change.parent), event: change.parent } : null;
  for (const id of asked) {
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
  const family = familyAgain(calendar, of);
  if (!family) return failed(GONE, 'Choose among the events of the course as they are now.');
  if (change.change === 'publish') return engine.reconcile(family, wishOf(change), intents);
  if (change.change === 'unmerge') return engine.unmerge(family, intents);
  return mergeOne(engine, family, main === null ? change.parent : idNow(calendar, main), intents);
}

/**
 * What is left to do once each of the events is done: a text that named a former meeting may have been the last one's.
 * @returns what of it could not be done, in words; null where all of it was
 */
export async function finishChange(engine: Engine, change: ZoomChange): Promise<string | null> {
  if (change.change !== 'publish') return null;
  const families = change.events.flatMap((id) => engine.calendar.of.get(id) ?? []);
  const refused = await engine.removeOldsOf(new Set(families));
  return refused === 0
    ? null
    : `Zoom did not delete the former ${refused === 1 ? 'meeting of 1 event' : `meetings of ${refused} events`}. The next run tries it again.`;
}

/** What represents a main event now; one of a section is named as it was, and refused. */
function idNow(calendar: Calendar, main: { event: number; reservation: string | null }): number {
  if (calendar.of.has(main.event)) return main.event;
  return familyAgain(calendar, main)?.own.event.id ?? main.event;
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

function wishOf({ owner, co_hosts: coHosts, visible }: Extract<ZoomChange, { change: 'publish' }>): ZoomWish {
  return { owner, coHosts, visible };
}

export function failed(message: string, next: string | null = null): Reconciled {
  return { state: 'failed', message, did: nothingDone(), next };
}
