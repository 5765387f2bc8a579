/** Problems of events that belong together: whose it is, is said. */
import type { Family, Slot } from './calendar-event.ts';
import type { SectionOver } from './did.ts';
import { sectionName } from './families.ts';
import { EventProblem } from './problems.ts';

export function ofMain({ own }: Family, problem: EventProblem): EventProblem {
  return new EventProblem(`“${own.event.title}”, with which it is merged: ${problem.message}`, problem.next);
}

export function ofMerged({ own }: Family, problem: EventProblem): EventProblem {
  return new EventProblem(`“${own.event.title}”, which is merged with it: ${problem.message}`, problem.next);
}

export function named({ event }: Slot, own: Slot, problem: EventProblem): EventProblem {
  return new EventProblem(
    `${sectionName(event, own.event) ?? event.title}: ${problem.message}`,
    problem.next,
  );
}

export function mergedWith(main: Family): string {
  return `It is merged with “${main.own.event.title}”: change that event, or unmerge this one first.`;
}

/** A section that a change leaves as it is, since its time is over. */
export function sectionOver({ event }: Slot, own: Slot): SectionOver {
  const { id, title, start_at } = event;
  return { event: id, title, start_at, section: sectionName(event, own.event) ?? title };
}
