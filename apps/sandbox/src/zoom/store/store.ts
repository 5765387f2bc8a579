/** Everything that Zoom remembers of the school. */

import { type Kept, KeptMap } from '../../memory/kept.ts';
import { meetingNumber } from './ids.ts';
import type { Mail, Meeting, Member, ZoomUser } from './model.ts';

/** An access token, as it is known to Zoom. */
export type ZoomToken = { client: string; scopes: string[]; expiresAt: number; revoked: boolean };

/** What a host has used of a UTC day. */
export type HostDay = { day: string; used: number };

const MOST_MAILS = 20_000;

export class ZoomStore {
  /** By email, in lower case. */
  readonly #users = new KeptMap<ZoomUser>();
  readonly #meetings = new KeptMap<Meeting>();
  readonly #counters = new KeptMap<number>();
  readonly tokens = new KeptMap<ZoomToken>();
  /** By the id of the host. */
  readonly hostDays = new KeptMap<HostDay>();
  /** What would have been sent since the last start: for tests, and so not remembered. */
  mails: Mail[] = [];

  /** What is remembered over restarts. */
  kept(): Record<string, Kept> {
    return {
      zoomUsers: this.#users,
      zoomMeetings: this.#meetings,
      zoomCounters: this.#counters,
      zoomTokens: this.tokens,
      zoomHostDays: this.hostDays,
    };
  }

  clear(): void {
    for (const map of [this.#users, this.#meetings, this.#counters, this.tokens, this.hostDays]) map.clear();
    this.mails = [];
  }

  /** All who are on the account, by email. */
  users(): ZoomUser[] {
    return [...this.#users.values()]
      .filter(({ removed }) => !removed)
      .sort((a, b) => (a.email < b.email ? -1 : 1));
  }

  /** By id or by email in any spelling of its letters. */
  user(who: string): ZoomUser | undefined {
    const found = this.#users.get(who.toLowerCase()) ?? this.users().find(({ id }) => id === who);
    return found?.removed ? undefined : found;
  }

  /** By id, also one who has left: for what they have left behind. */
  member(id: string): Member | undefined {
    return [...this.#users.values()].find((user): user is Member => user.id === id);
  }

  putUser(user: ZoomUser): void {
    this.#users.set(user.email.toLowerCase(), user);
  }

  /** For whom a user may schedule. */
  schedulersOf(id: string): Member[] {
    return this.users().filter((user): user is Member => user.id !== null && user.assistants.includes(id));
  }

  meeting(number: number): Meeting | undefined {
    return this.#meetings.get(String(number));
  }

  meetings(): IterableIterator<Meeting> {
    return this.#meetings.values();
  }

  putMeeting(meeting: Meeting): void {
    this.#meetings.set(String(meeting.number), meeting);
  }

  /** A number that no meeting has had. */
  newNumber(): number {
    const nth = (this.#counters.get('meetings') ?? 0) + 1;
    this.#counters.set('meetings', nth);
    return meetingNumber(nth);
  }

  send(mail: Mail): void {
    this.mails.push(mail);
    if (this.mails.length > MOST_MAILS) this.mails.shift();
  }
}
