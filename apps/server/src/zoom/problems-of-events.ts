/** Problems of related events, with the name of the event or section concerned. */
import type { Calendar } from './calendar.ts';
import type { Family, Slot } from './calendar-event.ts';
import type { SectionOver } from './event-changes.ts';
import { sectionName } from './families.ts';
import { EventProblem } from './problems.ts';

export function ofMain({ own, isElsewhere }: Family, problem: EventProblem): EventProblem {
  const main = isElsewhere ? 'An event of another course' : `“${own.event.title}”`;
  return new EventProblem(`${main}, with which it is merged: ${problem.message}`, problem.next);
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
  if (main.isElsewhere)
    return `It is merged with ${main.own.event.title}. Change that event there, or unmerge this one first.`;
  return `It is merged with “${main.own.event.title}”. Change that event, or unmerge this one first.`;
}

/**
 * Describes a section that a change leaves as it is, since its time is over.
 * @param meetings stored data of existing meetings
 */
export function sectionOver({ event, record }: Slot, own: Slot, meetings: Calendar['meetings']): SectionOver {
  const { id, title, start_at } = event;
  const row = meetings.get(record?.meeting ?? 0);
  const hasMeeting = row !== undefined && row.goneAt === null;
  return { event: id, title, start_at, section: sectionName(event, own.event) ?? title, hasMeeting };
}
