/** `TIMETABLE_FEEDS`: the timetable pages to read, and the position of the needed values in them (OP-64). */
import { isZone } from '@lms-admin/domain/wall-clock';
import { z } from 'zod';

export interface TimetableFeed {
  /** Contains `{from}` and `{to}` for the days of a window (`20260901`). */
  readonly url: string;
  readonly zone: string;
  readonly course: string;
  readonly pattern: RegExp | null;
  readonly title: string;
  readonly rooms: string;
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns the address of the page for a window of days (`yyyy-mm-dd`). */
export function feedAddress(url: string, from: string, to: string): URL {
  const plain = (day: string) => day.replaceAll('-', '');
  return new URL(url.replaceAll('{from}', plain(from)).replaceAll('{to}', plain(to)));
}

const address = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const url = feedAddress(text, '2026-09-01', '2026-12-31');
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.has(url.hostname));
  return secure && /\.(json|ics)$/.test(url.pathname) && url.username === '' && url.hash === '';
});

/** A regular expression with a group. */
const pattern = z.string().refine((text) => {
  try {
    return (new RegExp(`${text}|`).exec('')?.length ?? 0) > 1;
  } catch {
    return false;
  }
});

const name = z.string().min(1);
const feed = z.strictObject({
  url: address,
  zone: z.string().refine(isZone),
  course: name.optional(),
  pattern: pattern.optional(),
  title: name.optional(),
  rooms: name.optional(),
});

const TEXT =
  'a JSON list such as [{"url":"https://cloud.timeedit.net/school/web/public/ri.json?p={from}.x,{to}.x","zone":"Europe/Paris","course":"Course"}]: ' +
  'https addresses that end in .json or .ics, IANA zones, a pattern with a group';

export const timetableSetting = z.string().transform((text, context): TimetableFeed[] => {
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    // Rejected below, like everything else that is not a list of feeds.
  }
  const read = z.array(feed).safeParse(json);
  if (!read.success) {
    context.addIssue({ code: 'custom', message: TEXT });
    return z.NEVER;
  }
  return read.data.map((one) => {
    const ics = feedAddress(one.url, '2026-09-01', '2026-12-31').pathname.endsWith('.ics');
    return {
      url: one.url,
      zone: one.zone,
      course: one.course ?? (ics ? 'SUMMARY' : 'Course'),
      pattern: one.pattern === undefined ? null : new RegExp(one.pattern),
      title: one.title ?? (ics ? 'SUMMARY' : 'Activity'),
      rooms: one.rooms ?? (ics ? 'LOCATION' : 'Room'),
    };
  });
});

/** Returns the feeds of the practice LMS. */
export function practiceFeeds(campus: string): TimetableFeed[] {
  const zones = { fbl: 'Europe/Paris', sgp: 'Asia/Singapore', abd: 'Asia/Dubai' };
  return Object.entries(zones).map(([id, zone]) => ({
    url: `${campus}/timeedit/${id}/ri.json?p={from}.x,{to}.x`,
    zone,
    course: 'Course',
    pattern: null,
    title: 'Activity',
    rooms: 'Room',
  }));
}
