/**
 * Links that students see in a course's events, and the meetings in Zoom, according to the practice systems.
 */
import { HOSTS, type LmsEvent, type LmsMeeting, numberIn, type ZoomCampus } from './campus.ts';

interface Listed extends LmsEvent {
  hidden: boolean;
  child_events?: LmsEvent[];
}

export interface SeenEvent {
  id: number;
  title: string;
  text: string;
  /**
   * For an event, or for each of its sections: links in LMS Admin's lines and in the location, without
   * people's own text.
   */
  seen: ReadonlyMap<number, readonly string[]>;
}

export interface Snapshot {
  events: readonly SeenEvent[];
  /** Sorted by number, as one text. */
  meetings: ReadonlyMap<number, string>;
}

const BLOCK = /<div class="lms-admin-zoom">.*?<\/div>/gs;
const LINK = /https?:\/\/[^\s"'<>]+\/j\/\d{9,11}[^\s"'<>]*/;
const decoded = (text: string) => text.replaceAll('&amp;', '&');

export async function snapshotOf(campus: ZoomCampus, course: number): Promise<Snapshot> {
  const path = `calendar_events?type=event&all_events=1&context_codes[]=course_${course}&per_page=100`;
  const events = (await (await campus.api(path)).json()) as Listed[];
  const meetings = await Promise.all(
    (await campus.ours(Object.values(HOSTS))).map(async ({ id }) => [id, await told(campus, id)] as const),
  );
  return {
    events: events.filter((one) => one.parent_event_id === null).map(seenOf),
    meetings: new Map(meetings),
  };
}

/** Reads a meeting, again as long as Zoom reports too many calls. */
export async function meetingOf(campus: ZoomCampus, number: number): Promise<LmsMeeting | null> {
  for (;;) {
    const { status, body } = await campus.zoom<LmsMeeting>(`/meetings/${number}`);
    if (status !== 429) return status === 200 ? body : null;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function told(campus: ZoomCampus, number: number): Promise<string> {
  const meeting = await meetingOf(campus, number);
  if (!meeting) return '';
  const { topic, start_time, duration, host_email, settings } = meeting;
  return JSON.stringify([topic, start_time, duration, host_email, settings.alternative_hosts]);
}

function seenOf({
  id,
  title,
  description,
  location_address: address,
  child_events: parts = [],
}: Listed): SeenEvent {
  // A link that a person wrote stays, whatever happens to LMS Admin's lines: students reach that meeting
  // anyway.
  const rest = (description ?? '').replaceAll(BLOCK, '');
  const lines = [...(description ?? '').matchAll(BLOCK)].flatMap(([block]) =>
    [...block.matchAll(/<p[^>]*>(.*?):? *<a [^>]*href="([^"]*)"/gs)].map(([, label = '', link = '']) => ({
      label: decoded(label),
      link: decoded(link),
    })),
  );
  const ours = lines.filter(({ link }) => !rest.includes(`/j/${numberIn(link)}`));
  const place = LINK.exec(address ?? '')?.[0];
  const all = [...ours, ...(place === undefined ? [] : [{ label: 'Zoom', link: place }])].filter(
    ({ link }) => numberIn(link) > 0,
  );
  const nameOf = (part: LmsEvent) => /\((.*)\)$/s.exec(part.title)?.[1] ?? part.title;
  const names = parts.map(nameOf);
  const seen = (own: string | null) => {
    const its = all.filter(({ label }) => label === own || !names.includes(label));
    return [...new Set(its.map(({ link }) => link))].sort();
  };
  return {
    id,
    title,
    text: `${description ?? ''}\n${address ?? ''}`,
    seen: new Map(
      parts.length === 0 ? [[id, seen(null)]] : parts.map((part) => [part.id, seen(nameOf(part))] as const),
    ),
  };
}

export interface Difference {
  made: number[];
  changed: number[];
  removed: number[];
  /** Events, or sections, whose students see a new link, none instead of one, or a different one. */
  appear: number[];
  disappear: number[];
  other: number[];
  /** Events whose texts have changed. */
  texts: number[];
}

export function differenceOf(before: Snapshot, after: Snapshot): Difference {
  const [was, is] = [before.meetings, after.meetings];
  const found: Difference = {
    made: [...is.keys()].filter((number) => !was.has(number)),
    changed: [...is].flatMap(([number, told]) =>
      was.has(number) && was.get(number) !== told ? [number] : [],
    ),
    removed: [...was.keys()].filter((number) => !is.has(number)),
    appear: [],
    disappear: [],
    other: [],
    texts: [],
  };
  for (const event of after.events) {
    const former = before.events.find(({ id }) => id === event.id);
    if (!former) continue;
    if (former.text !== event.text) found.texts.push(event.id);
    for (const [id, now] of event.seen) {
      const then = former.seen.get(id) ?? [];
      if (then.length === 0 && now.length > 0) found.appear.push(id);
      else if (then.length > 0 && now.length === 0) found.disappear.push(id);
      else if (String(then) !== String(now)) found.other.push(id);
    }
  }
  return found;
}
