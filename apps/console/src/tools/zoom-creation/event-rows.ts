/** The events of a course as rows below rows: by what is merged, and by what is given section by section (OP-66). Pure. */
import type { ZoomEvent } from '@lms-admin/contract/zoom';
import { texts } from './texts.ts';

export interface EventRow {
  event: ZoomEvent;
  title: string;
  /** What makes it belong to another: `merged` with a main event, the `section`'s part of a course event. */
  kind: 'own' | 'merged' | 'section';
  /** Whether it is below the event that it belongs to, and not alone because that is not in the list. */
  below: boolean;
  /** Email of the host; of an event that is given section by section, that of the last section that has one: the others may be over. */
  host: string | null;
  /** Emails of the alternative hosts. */
  coHosts: readonly string[];
  /** How many of the rows below are merged with it. */
  merged: number;
  /** Nothing that belongs to another event can be chosen (ZC-12). */
  selectable: boolean;
  rows: readonly EventRow[];
}

// The synchroniser marks its own titles with characters that no one sees.
const UNSEEN = /[\u200b-\u200d\ufeff]+/g;

/** A title as people read it. */
export function titleOf(title: string | null | undefined): string {
  const seen = (title ?? '').replace(UNSEEN, '').trim();
  return seen === '' ? texts.noTitle : seen;
}

/** The emails of a comma list. */
export function emailsOf(list: string): string[] {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** Each event once, in the order of the list, those that belong to another one below it. */
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

/** The event that it is below, where that is in the list; two that name each other stand by themselves. */
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

/** The rows that can be chosen, those below others included (none of them can). */
export function chosenRows(rows: readonly EventRow[], ids: ReadonlySet<number>): EventRow[] {
  return rows.filter((row) => row.selectable && ids.has(row.event.id));
}

/** Events that others can be merged with: with a link, of no other event, not chosen (ZC-33, OP-71). */
export function mainEvents(rows: readonly EventRow[], chosen: ReadonlySet<number>): EventRow[] {
  return rows.filter(
    ({ selectable, event }) => selectable && event.zoom_link !== null && !chosen.has(event.id),
  );
}

/** Those of which nothing is said against, neither of the event itself nor of one of its sections. */
export function withoutProblems(rows: readonly EventRow[], problems: ReadonlySet<number>): EventRow[] {
  return rows.filter(
    ({ event, rows: below }) =>
      !problems.has(event.id) && !below.some((row) => row.kind === 'section' && problems.has(row.event.id)),
  );
}
