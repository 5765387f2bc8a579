/** The host of a meeting and the alternative hosts (Zoom reference §7, §10). */

import { badAlternativeHost, invalid, mayNotScheduleFor, notForMeeting } from '../http/errors.ts';
import type { Mail, MailKind, Meeting, MeetingType, Member, Settings } from '../store/model.ts';
import type { ZoomStore } from '../store/store.ts';
import { zoomTime } from '../store/time.ts';
import { isLicensed, isMember } from './people.ts';

/**
 * Finds the person a meeting is for: someone who lets `by` schedule for them, or `by` themselves.
 * @throws ZoomError 300 for an unknown person; 3000 for an instant meeting, or without the privilege or
 * licence
 */
export function scheduledFor(store: ZoomStore, by: Member, who: string, type: MeetingType): Member {
  if (type === 1) throw notForMeeting('An instant meeting cannot be scheduled for another user.');
  const host = store.user(who);
  if (!isMember(host)) throw invalid(`Invalid schedule_for: ${who}.`);
  if (host.id === by.id) return host;
  if (!host.assistants.includes(by.id) || !isLicensed(host) || !isLicensed(by)) throw mayNotScheduleFor(who);
  return host;
}

/**
 * Returns alternative hosts as they are stored: emails separated by semicolons.
 * @param people IDs or emails
 * @throws ZoomError 1114 for the first person who cannot be one
 */
export function alternativeHosts(store: ZoomStore, host: Member, people: readonly string[]): string {
  const found = people.map((who) => {
    const user = store.user(who);
    if (!isMember(user) || !isLicensed(user) || user.id === host.id) throw badAlternativeHost(who);
    return user.email;
  });
  return [...new Set(found)].join(';');
}

/** Splits IDs or emails at semicolons and commas. */
export function splitHosts(text: unknown): string[] {
  if (typeof text !== 'string') return [];
  return text
    .split(/[;,]/)
    .map((who) => who.trim())
    .filter((who) => who !== '');
}

/** Records the emails to the alternative hosts, if the meeting's settings ask for them. */
export function tellAlternativeHosts(
  store: ZoomStore,
  { number, settings }: Pick<Meeting, 'number' | 'settings'>,
  kind: MailKind,
  to: readonly string[],
  now: number,
): void {
  if (!areHostsNotified(settings)) return;
  for (const email of to) store.send(mail(kind, email, number, now));
}

/** Creates an email to one person. */
export function mail(kind: MailKind, to: string, meeting: number, now: number): Mail {
  return { at: zoomTime(now), kind, to, meeting };
}

function areHostsNotified(settings: Settings): boolean {
  return (
    settings['email_notification'] !== false && settings['alternative_hosts_email_notification'] !== false
  );
}
