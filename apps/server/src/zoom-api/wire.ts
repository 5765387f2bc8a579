/**
 * People and meetings as sent by Zoom (reference §6–§9). Fields that are not needed are not read: a start link would
 * let anyone start the meeting.
 */
import { z } from 'zod';
import type { MeetingChange, NewMeeting, ZoomMeeting, ZoomUser } from './types.ts';

/** Zoom rejects longer ones. */
const MOST_TOPIC = 200;

/** Types of users with a licence: Licensed and On-prem. Others are Basic, or have no meetings at all. */
const LICENSED: readonly number[] = [2, 3];

export const userAnswer = z
  .object({
    id: z.string().nullish(),
    email: z.string(),
    display_name: z.string().nullish(),
    first_name: z.string().nullish(),
    last_name: z.string().nullish(),
    type: z.number(),
    status: z.string().default('active'),
  })
  .transform(({ id, email, type, status, ...user }): ZoomUser => {
    const name = user.display_name?.trim() || `${user.first_name ?? ''} ${user.last_name ?? ''}`.trim();
    // A person who has not signed up yet has no id, and hosts nothing.
    const active = Boolean(id) && status === 'active';
    return {
      id: id ?? '',
      email: email.toLowerCase(),
      name: name || email,
      active,
      licensed: active && LICENSED.includes(type),
    };
  });

/** Entries for a privilege: no names. */
export const schedulersAnswer = z.object({
  schedulers: z.array(z.object({ id: z.string(), email: z.string() })),
});

const moment = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'a time');
const iso = (text: string) => new Date(text).toISOString();

/** A single meeting, or a list entry, which lacks email, settings and part of the agenda. */
export const meetingAnswer = z
  .object({
    id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
    host_id: z.string(),
    host_email: z.string().nullish(),
    topic: z.string().nullish(),
    start_time: moment.nullish(),
    duration: z.number().nullish(),
    join_url: z.url(),
    agenda: z.string().nullish(),
    created_at: moment,
    status: z.string().nullish(),
    settings: z.object({ alternative_hosts: z.string().nullish() }).nullish(),
  })
  .transform(
    (one): ZoomMeeting => ({
      number: one.id,
      hostId: one.host_id,
      hostEmail: one.host_email?.toLowerCase() ?? null,
      topic: one.topic ?? '',
      start: one.start_time ? iso(one.start_time) : null,
      duration: one.duration ?? null,
      joinUrl: one.join_url,
      coHosts: emailsIn(one.settings?.alternative_hosts ?? ''),
      agenda: one.agenda ?? '',
      createdAt: iso(one.created_at),
      running: one.status === 'started',
    }),
  );

/** Splits a list of emails at semicolons, according to the documentation, and at commas, which answers have had too. */
function emailsIn(text: string): string[] {
  const parts = text.split(/[;,]/).map((part) => part.trim().toLowerCase());
  return [...new Set(parts.filter((part) => part !== ''))].sort();
}

/** Returns the body for a new meeting: with its own number, not a personal room, and no emails to alternative hosts. */
export function newMeetingBody({ marker, ...meeting }: NewMeeting): object {
  const body = changeBody(meeting);
  return { ...body, type: 2, agenda: marker, settings: { use_pmi: false, ...body.settings } };
}

/** Returns the body of a change, with only the given fields. */
export function changeBody({ topic, start, duration, zone, coHosts }: MeetingChange) {
  return {
    ...(topic === undefined ? {} : { topic: zoomTopic(topic) }),
    // With a `Z` the time is UTC; the zone is only for display.
    ...(start === undefined ? {} : { start_time: new Date(start).toISOString().replace(/\.\d+Z$/, 'Z') }),
    ...(duration === undefined ? {} : { duration }),
    ...(zone === undefined ? {} : { timezone: zone }),
    ...(coHosts === undefined
      ? {}
      : { settings: { alternative_hosts: coHosts.join(';'), alternative_hosts_email_notification: false } }),
  };
}

/** Returns a topic as Zoom stores it: texts to compare with its answer must be cut the same way. */
export function zoomTopic(topic: string): string {
  const whole = topic.trim();
  if (whole.length <= MOST_TOPIC) return whole;
  // Avoids half of a surrogate pair.
  return whole.slice(0, MOST_TOPIC - 1).replace(/[\uD800-\uDBFF]$/, '') + '…';
}
