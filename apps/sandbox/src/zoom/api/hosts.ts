/** Who holds a meeting and who may stand in (reference of Zoom §7, §10). */

import { badAlternativeHost, invalid, mayNotScheduleFor } from '../http/errors.ts';
import type { Mail, MailKind, Meeting, Member, Settings } from '../store/model.ts';
import type { ZoomStore } from '../store/store.ts';
import { zoomTime } from '../store/time.ts';
import { isLicensed, isMember } from './people.ts';

/**
 * For whom a meeting is to be: someone who lets `by` schedule for them, or `by`.
 * @throws ZoomError 300 for no one, 3000 without the privilege or a licence on both sides
 */
export function scheduledFor(store: ZoomStore, by: Member, who: string): Member {
  const host = store.user(who);
  if (!isMember(host)) throw invalid(`Invalid schedule_for: ${who}.`);
  if (host.id === by.id) return host;
  if (!host.assistants.includes(by.id) || !isLicensed(host) || !isLicensed(by)) throw mayNotScheduleFor(who);
  return host;
}

/**
 * Alternative hosts as they are kept: emails with semicolons between them.
 * @param people ids or emails
 * @throws ZoomError 1114 for the first who cannot be one
 */
export function alternativeHosts(store: ZoomStore, host: Member, people: readonly string[]): string {
  const found = people.map((who) => {
    const user = store.user(who);
    if (!isMember(user) || !isLicensed(user) || user.id === host.id) throw badAlternativeHost(who);
    return user.email;
  });
  return [...new Set(found)].join(';');
}

/** Ids or emails, with semicolons or commas between them. */
export function splitHosts(text: unknown): string[] {
  if (typeof text !== 'string') return [];
  return text
    .split(/[;,]/)
    .map((who) => who.trim())
    .filter((who) => who !== '');
}

/** Writes down the mails that go to the alternative hosts, where the meeting says that they are told. */
export function tellAlternativeHosts(
  store: ZoomStore,
  { number, settings }: Pick<Meeting, 'number' | 'settings'>,
  kind: MailKind,
  to: readonly string[],
  now: number,
): void {
  if (!areTold(settings)) return;
  for (const email of to) store.send(mail(kind, email, number, now));
}

/** A mail to one person. */
export function mail(kind: MailKind, to: string, meeting: number, now: number): Mail {
  return { at: zoomTime(now), kind, to, meeting };
}

function areTold(settings: Settings): boolean {
  return (
    settings['email_notification'] !== false && settings['alternative_hosts_email_notification'] !== false
  );
}
