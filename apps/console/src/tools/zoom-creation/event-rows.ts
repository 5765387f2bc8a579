/** The events of a course as nested rows: by merge, and by section (OP-66). Pure. */
import type { ZoomEvent } from '@lms-admin/contract/zoom';
import { texts } from './texts.ts';

export interface EventRow {
  event: ZoomEvent;
  title: string;
  /** Relation of the event to another: `merged` with a main event, or the `section`'s part of a course event. */
  kind: 'own' | 'merged' | 'section';
  /** Whether the event is below its parent event; false if the parent is not in the list. */
  below: boolean;
  /**
   * Email of the host; with section times, the host of the last section that has one, because earlier sections may
   * have ended.
   */
  host: string | null;
  /** Emails of the alternative hosts. */
  coHosts: readonly string[];
  /** How many of the rows below are merged with it. */
  merged: number;
  /** Events that belong to another cannot be selected (ZC-12). */
  selectable: boolean;
  rows: readonly EventRow[];
}

// The timetable synchronisation puts invisible characters into its titles as a mark.
const UNSEEN = /[\u200b-\u200d\ufeff]+/g;

/** Removes invisible characters from a title. */
export function titleOf(title: string | null | undefined): string {
  const seen = (title ?? '').replace(UNSEEN, '').trim();
  return seen === '' ? texts.noTitle : seen;
}

/** Lists the emails of a list separated by commas. */
export function emailsOf(list: string): string[] {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** Lists each event once, in the order of the list, with the events that belong to it below. */
export function eventRows(events: readonly ZoomEvent[]): EventRow[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  const below = new Map<number, ZoomEvent[]>();
  const top: ZoomEvent[] = [];
  for (const event of byId.values()) {
    const parent = parentOf(event, byId);
    if (parent === null) top.push(event);
    else below.set(parent, [...(below.get(parent) ?? []), event]);
  }
  const rowOf = (event: ZoomEvent, isBelow: boolean): EventRow => {
    const rows = (below.get(event.id) ?? []).map((one) => rowOf(one, true));
    const sections = rows.filter(({ kind }) => kind === 'section').sort(byLatest);
    const held = sections.find(({ host }) => host !== null);
    const coHosts = emailsOf(event.zoom_alternative_host);
    const kind = kindOf(event);
    return {
      event,
      title: titleOf(event.title),
      kind,
      below: isBelow,
      host: event.zoom_owner ?? held?.host ?? null,
      coHosts: coHosts.length > 0 ? coHosts : (held?.coHosts ?? []),
      merged: rows.filter((row) => row.kind === 'merged').length,
      selectable: kind === 'own',
      rows,
    };
  };
  return top.map((event) => rowOf(event, false));
}

const startOf = ({ event }: EventRow) => Date.parse(event.start_at ?? '') || 0;

function byLatest(a: EventRow, b: EventRow): number {
  return startOf(b) - startOf(a);
}

function kindOf({ parent_event_id, zoom_parent_id }: ZoomEvent): EventRow['kind'] {
  if (parent_event_id != null) return 'section';
  return zoom_parent_id === null ? 'own' : 'merged';
}

/** Finds the parent of an event, if it is in the list; two events that name each other stay separate. */
function parentOf(event: ZoomEvent, byId: ReadonlyMap<number, ZoomEvent>): number | null {
  const named = ({ parent_event_id, zoom_parent_id }: ZoomEvent) => parent_event_id ?? zoom_parent_id;
  const parent = named(event);
  const passed = new Set<number>();
  for (let at = parent; at !== null && byId.has(at); at = named(byId.get(at) as ZoomEvent)) {
    if (at === event.id || passed.has(at)) return null;
    passed.add(at);
  }
  return parent !== null && byId.has(parent) ? parent : null;
}

/** Finds the selected rows, including those below others (none of which can be selected). */
export function chosenRows(rows: readonly EventRow[], ids: ReadonlySet<number>): EventRow[] {
  return rows.filter((row) => row.selectable && ids.has(row.event.id));
}

/** Finds events that others can be merged with: with a link, independent, and not selected (ZC-33, OP-71). */
export function mainEvents(rows: readonly EventRow[], chosen: ReadonlySet<number>): EventRow[] {
  return rows.filter(
    ({ selectable, event }) => selectable && event.zoom_link !== null && !chosen.has(event.id),
  );
}

/** Returns the rows without problems, neither of the event itself nor of one of its sections. */
export function withoutProblems(rows: readonly EventRow[], problems: ReadonlySet<number>): EventRow[] {
  return rows.filter(
    ({ event, rows: below }) =>
      !problems.has(event.id) && !below.some((row) => row.kind === 'section' && problems.has(row.event.id)),
  );
}
